"""Faults in what the record says of a round, and in what its bets got. Cents."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from audit.sample.bets import SIDE_STAKES, due
from audit.sample.dealing import combination
from audit.sample.records import Bet, Expected, Round, ShoeLog

MAIN = ("player", "banker")
FIXED = ("player", "banker", "tie", "player_pair", "banker_pair")
OTHER_BETS = ("lucky_6", "dragon_bonus", "big", "small")


def wrong_return(deal: Round, rng: Random) -> list[Expected]:
    """A1001: a bet on a void round gets back more or less than its stake."""
    bet = rng.choice(deal.bets)
    bet.paid = rng.choice((0, bet.stake // 2, 2 * bet.stake))
    return [about(bet, "A1001", deal, bet.stake)]


def about(bet: Bet, code: str, deal: Round, owed: int) -> Expected:
    """The finding ``code`` on a bet that got other than ``owed``."""
    return Expected(code, deal.number, bet.id, amount=bet.paid - owed)


def settled(log: ShoeLog, deal: Round, names: tuple[str, ...] = FIXED) -> list[tuple[Bet, int]]:
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
    return [(bet, owed) for bet, owed in settled(log, deal) if owed > bet.stake]


def _banker_won(log: ShoeLog, deal: Round, scheme: str) -> list[tuple[Bet, int]]:
    if log.commission != scheme or deal.truth.winner != "banker":
        return []
    return settled(log, deal, ("banker",))


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
    return [about(bet, code, deal, owed)]


def _tied(log: ShoeLog, deal: Round) -> list[tuple[Bet, int]]:
    return settled(log, deal, MAIN) if deal.truth.winner == "tie" else []


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
    bets = settled(log, deal) if tie else settled(log, deal, MAIN)
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
    lost = [(bet, owed) for bet, owed in settled(log, deal) if owed == 0]
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
    bets = settled(log, deal, ("banker",))
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
    return [about(bet, "A1806", deal, owed)]


def never_back(log: ShoeLog, at: int, _rng: Random) -> list[Expected] | None:
    """A1205: a bet left standing after a tie is not there in the next played round."""
    deal = log.rounds[at]
    follow = next((later for later in log.rounds[at + 1 :] if later.kind == "play"), None)
    carried = [bet for bet in deal.bets if bet.disposition == "carried"]
    if follow is None or follow.fault or deal.kind != "play" or not carried:
        return None
    holder = carried[0].position
    rest = [bet for bet in follow.bets if bet.bet not in MAIN or bet.position != holder]
    if not rest:
        return None
    follow.bets = rest
    follow.fault = "A1205"
    return [Expected("A1205", deal.number, carried[0].id)]


def above_limit(log: ShoeLog, at: int, _rng: Random) -> list[Expected] | None:
    """A1402: a tie bet above the posted limit."""
    deal = log.rounds[at]
    if deal.kind != "play" or not deal.bets:
        return None
    bet = _added(deal, "tie", 2 * max(SIDE_STAKES))
    bet.paid = due(bet.bet, bet.stake, deal.truth, log.commission)
    return [Expected("A1402", deal.number, bet.id)]


def _jackpot(deal: Round, dealt: str) -> Bet | None:
    """The only jackpot bet of a played round in which the combination ``dealt`` came.

    Beside a second bet, or with a round that is two combinations at once, the law can be read
    in more than one way.
    """
    bets = [bet for bet in deal.bets if bet.bet == "jackpot"]
    combined = combination(deal.hand.player, deal.hand.banker)
    return bets[0] if deal.kind == "play" and len(bets) == 1 and combined == dealt else None


def jackpot_wrong(
    code: str, dealt: str, change: int | None
) -> Callable[[ShoeLog, int, Random], list[Expected] | None]:
    """A jackpot bet gets ``change`` more than its prize, or nothing (None)."""

    def plant(log: ShoeLog, at: int, _rng: Random) -> list[Expected] | None:
        deal = log.rounds[at]
        bet = _jackpot(deal, dealt)
        if bet is None:
            return None
        owed = bet.paid
        bet.paid = 0 if change is None else owed + change
        return [about(bet, code, deal, owed)]

    return plant


FAULTS = (
    ("A1202", tie_short),
    ("A1203", tie_over),
    ("A1204", carried_wrong),
    ("A1205", never_back),
    ("A1301", not_offered),
    ("A1402", above_limit),
    ("A1701", underpaid),
    ("A1702", overpaid),
    ("A1703", unpaid),
    ("A1704", lost_paid),
    ("A1711", jackpot_wrong("A1711", "single_pair", None)),
    ("A1712", jackpot_wrong("A1712", "", 40_00)),
    ("A1713", jackpot_wrong("A1713", "single_pair", 10_00)),
    ("A1801", commission_forgotten),
    ("A1802", six_not_halved),
    ("A1803", commission_all_the_same),
    ("A1805", commission_record),
    ("A1806", commission_rounded),
    ("L10", stake_wrong),
)
