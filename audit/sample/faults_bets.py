"""Faults in what the record says of a round, and in what its bets got. Cents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from audit.sample.bets import due
from audit.sample.records import Bet, Expected, Round, ShoeLog, Truth

MAIN = ("player", "banker")
FIXED = ("player", "banker", "tie", "player_pair", "banker_pair")
OTHER_BETS = ("lucky_6", "dragon_bonus", "big", "small")


def wrong_return(deal: Round, rng: Random) -> list[Expected]:
    """A1001: a bet on a void round gets back more or less than its stake."""
    bet = rng.choice(deal.bets)
    bet.paid = rng.choice((0, bet.stake // 2, 2 * bet.stake))
    return [_about(bet, "A1001", deal, bet.stake)]


def _about(bet: Bet, code: str, deal: Round, owed: int) -> Expected:
    return Expected(code, deal.number, bet.id, amount=bet.paid - owed)


def _settled(log: ShoeLog, deal: Round, names: tuple[str, ...] = FIXED) -> list[tuple[Bet, int]]:
    """Settled bets of a played round with what is due to each; none on other rounds."""
    if deal.kind != "play":
        return []
    return [
        (bet, due(bet.bet, bet.stake, deal.truth, log.commission))
        for bet in deal.bets
        if bet.bet in names and bet.disposition == "settled"
    ]


def _won(log: ShoeLog, deal: Round) -> list[tuple[Bet, int]]:
    """Settled bets that won; a Player or Banker bet on a tie only comes back."""
    return [(bet, owed) for bet, owed in _settled(log, deal) if owed > bet.stake]


def _banker_won(log: ShoeLog, deal: Round, scheme: str) -> list[tuple[Bet, int]]:
    if log.commission != scheme or deal.truth.winner != "banker":
        return []
    return _settled(log, deal, ("banker",))


def _pay(
    deal: Round,
    bets: list[tuple[Bet, int]],
    code: str,
    rng: Random,
    paid: Callable[[Bet, int], int],
) -> list[Expected] | None:
    """Pay one of ``bets`` as ``paid`` says of the bet and what is due to it."""
    if not bets:
        return None
    bet, owed = rng.choice(bets)
    bet.paid = paid(bet, owed)
    # A commission as recorded would tell against the wrong payment, and be a fault of its own.
    bet.taken = None
    return [_about(bet, code, deal, owed)]


def _tied(log: ShoeLog, deal: Round) -> list[tuple[Bet, int]]:
    return _settled(log, deal, MAIN) if deal.truth.winner == "tie" else []


def total_wrong(hand: str) -> Callable[[ShoeLog, int, Random], list[Expected] | None]:
    """A0501 (``player``), A0502 (``banker``): a recorded total is not that of the cards."""

    def plant(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
        deal = log.rounds[at]
        if deal.kind == "void":
            return None
        right = deal.truth.player_total if hand == "player" else deal.truth.banker_total
        wrong = (right + 1 + int(rng.random() * 9)) % 10
        deal.changed = {f"{hand}_total": str(wrong)}
        return [Expected("A0501" if hand == "player" else "A0502", deal.number)]

    return plant


def pair_wrong(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1302: a recorded pair flag is not that of the cards."""
    deal = log.rounds[at]
    hand = rng.choice(MAIN)
    right = deal.truth.player_pair if hand == "player" else deal.truth.banker_pair
    deal.changed = {f"{hand}_pair": "false" if right else "true"}
    return [Expected("A1302", deal.number, subject=hand)]


def _outcome(
    log: ShoeLog, deal: Round, outcome: str, code: str, rng: Random
) -> list[Expected] | None:
    """Record a wrong outcome; in half of the cases the bets are settled by it too."""
    if deal.kind != "play" or any(bet.disposition == "carried" for bet in deal.bets):
        return None
    deal.changed = {"outcome": outcome}
    found = [Expected(code, deal.number)]
    if rng.random() < 0.5:
        recorded = replace(deal.truth, winner=outcome)
        for bet, owed in _settled(log, deal, (*MAIN, "tie")):
            bet.taken = None
            bet.paid = due(bet.bet, bet.stake, recorded, log.commission)
            if bet.paid != owed:
                found.append(_about(bet, _misjudged(bet, owed, deal.truth), deal, owed))
    return found


def _misjudged(bet: Bet, owed: int, truth: Truth) -> str:
    """Code of a bet that was settled by an outcome that was not that of the cards."""
    if bet.bet in MAIN and truth.winner == "tie":
        return "A1202" if bet.paid < owed else "A1203"
    if not owed:
        return "A1704"
    return "A1701" if bet.paid else "A1703"


def winner_wrong(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1101: the recorded winner is the loser."""
    deal = log.rounds[at]
    if deal.truth.winner == "tie":
        return None
    return _outcome(
        log, deal, "banker" if deal.truth.winner == "player" else "player", "A1101", rng
    )


def tie_wrong(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1201: a tie is recorded as won, or a won round as a tie."""
    deal = log.rounds[at]
    outcome = rng.choice(MAIN) if deal.truth.winner == "tie" else "tie"
    return _outcome(log, deal, outcome, "A1201", rng)


def tie_short(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1202: a Player or Banker bet on a tie does not get its whole stake back."""
    deal = log.rounds[at]
    kept = rng.choice((1, 2))
    return _pay(deal, _tied(log, deal), "A1202", rng, lambda bet, _: bet.stake - bet.stake // kept)


def tie_over(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1203: a Player or Banker bet on a tie gets more than its stake back."""
    deal = log.rounds[at]
    return _pay(deal, _tied(log, deal), "A1203", rng, lambda bet, _: 2 * bet.stake)


def carried_wrong(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1204: a bet left standing that may not be, or that was paid back whole."""
    deal = log.rounds[at]
    tie = deal.truth.winner == "tie"
    bets = _settled(log, deal) if tie else _settled(log, deal, MAIN)
    if not bets:
        return None
    bet, _ = rng.choice(bets)
    bet.disposition = "carried"
    bet.paid = bet.stake if tie and bet.bet in MAIN else 0
    bet.taken = None
    return [Expected("A1204", deal.number, bet.id)]


def not_offered(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1301: a bet that no version offers."""
    deal = log.rounds[at]
    if deal.kind != "play" or not deal.bets:
        return None
    bet = _added(deal, rng.choice(OTHER_BETS), 100_00)
    bet.paid = rng.choice((0, 200_00, 1300_00))
    return [Expected("A1301", deal.number, bet.id)]


def stake_wrong(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """L10: a stake of zero or less."""
    deal = log.rounds[at]
    if deal.kind != "play" or not deal.bets:
        return None
    bet = _added(deal, rng.choice(("tie", "player_pair", "banker_pair")), 0)
    bet.stake = rng.choice((0, -100_00))
    return [Expected("L10", deal.number, bet.id)]


def _added(deal: Round, name: str, stake: int) -> Bet:
    first = deal.bets[0]
    bet = Bet(len(deal.bets) + 1, first.position, first.patron, name, stake)
    deal.bets.append(bet)
    return bet


def demonstration_bet(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A0206: bets taken on a demonstration, and settled like any other."""
    deal = log.rounds[at]
    like = [bet for other in log.rounds for bet in other.bets if bet.bet in MAIN]
    if deal.kind != "demo" or deal.bets or not like:
        return None
    model = rng.choice(like)
    for number in range(1, 2 + int(rng.random() * 2)):
        side = MAIN[number % 2]
        bet = Bet(number, model.position, model.patron, side, model.stake)
        bet.paid = due(side, bet.stake, deal.truth, log.commission)
        deal.bets.append(bet)
    return [Expected("A0206", deal.number, bet.id) for bet in deal.bets]


def underpaid(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1701: a won bet gets a quarter of its stake less than due."""
    deal = log.rounds[at]
    return _pay(deal, _won(log, deal), "A1701", rng, lambda bet, owed: owed - bet.stake // 4)


def overpaid(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1702: a won bet gets a quarter of its stake more than due."""
    deal = log.rounds[at]
    return _pay(deal, _won(log, deal), "A1702", rng, lambda bet, owed: owed + bet.stake // 4)


def unpaid(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1703: a won bet gets nothing."""
    deal = log.rounds[at]
    return _pay(deal, _won(log, deal), "A1703", rng, lambda _bet, _owed: 0)


def lost_paid(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1704: a lost bet gets something back."""
    deal = log.rounds[at]
    lost = [(bet, owed) for bet, owed in _settled(log, deal) if owed == 0]
    back = rng.choice((1, 2))
    return _pay(deal, lost, "A1704", rng, lambda bet, _: back * bet.stake)


def commission_forgotten(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1801: no commission kept where the scheme has one."""
    deal = log.rounds[at]
    bets = _banker_won(log, deal, "commission")
    return _pay(deal, bets, "A1801", rng, lambda bet, _: 2 * bet.stake)


def six_not_halved(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1802: a Banker six paid in full under the scheme without commission."""
    deal = log.rounds[at]
    bets = _banker_won(log, deal, "no_commission") if deal.truth.banker_total == 6 else []
    return _pay(deal, bets, "A1802", rng, lambda bet, _: 2 * bet.stake)


def commission_all_the_same(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1803: commission kept under the scheme without one."""
    deal = log.rounds[at]
    bets = _banker_won(log, deal, "no_commission") if deal.truth.banker_total != 6 else []
    return _pay(deal, bets, "A1803", rng, lambda bet, _: 2 * bet.stake - bet.stake // 20)


def commission_record(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1805: the commission as recorded is not that due, though the payment is."""
    deal = log.rounds[at]
    bets = _settled(log, deal, ("banker",))
    if not bets or (deal.truth.winner == "banker" and deal.truth.banker_total == 6):
        return None
    bet, owed = rng.choice(bets)
    kept = log.commission == "commission" and owed > bet.stake
    bet.taken = 0 if kept else bet.stake // 20
    return [Expected("A1805", deal.number, bet.id)]


def commission_rounded(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """A1806: commission kept in whole units where five per cent is not whole."""
    deal = log.rounds[at]
    bets = [
        (bet, owed)
        for bet, owed in _banker_won(log, deal, "commission")
        if bet.stake // 20 % 100 and bet.stake > 20_00
    ]
    if not bets:
        return None
    bet, owed = rng.choice(bets)
    kept = bet.stake // 20 // 100 * 100 + rng.choice((0, 100))
    bet.paid, bet.taken = 2 * bet.stake - kept, kept
    return [_about(bet, "A1806", deal, owed)]


FAULTS = (
    ("A0206", demonstration_bet),
    ("A0501", total_wrong("player")),
    ("A0502", total_wrong("banker")),
    ("A1101", winner_wrong),
    ("A1201", tie_wrong),
    ("A1202", tie_short),
    ("A1203", tie_over),
    ("A1204", carried_wrong),
    ("A1301", not_offered),
    ("A1302", pair_wrong),
    ("A1701", underpaid),
    ("A1702", overpaid),
    ("A1703", unpaid),
    ("A1704", lost_paid),
    ("A1801", commission_forgotten),
    ("A1802", six_not_halved),
    ("A1803", commission_all_the_same),
    ("A1805", commission_record),
    ("A1806", commission_rounded),
    ("L10", stake_wrong),
)
