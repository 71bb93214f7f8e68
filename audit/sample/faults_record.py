"""Faults in what the record says of a round: totals, winner, pairs, kind. Cents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from audit.sample.bets import due
from audit.sample.faults_bets import MAIN, about, settled
from audit.sample.records import Bet, Expected, Round, ShoeLog, Truth


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
        for bet, owed in settled(log, deal, (*MAIN, "tie")):
            bet.taken = None
            bet.paid = due(bet.bet, bet.stake, recorded, log.commission)
            if bet.paid != owed:
                found.append(about(bet, _misjudged(bet, owed, deal.truth), deal, owed))
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


def exposed_card(log: ShoeLog, at: int, _rng: Random) -> list[Expected] | None:
    """A0401: a round made void for an exposed card, which is valid."""
    deal = log.rounds[at]
    if deal.kind != "void":
        return None
    deal.changed = {"void_reason": "exposed_card"}
    return [Expected("A0401", deal.number)]


FAULTS = (
    ("A0206", demonstration_bet),
    ("A0401", exposed_card),
    ("A0501", total_wrong("player")),
    ("A0502", total_wrong("banker")),
    ("A1101", winner_wrong),
    ("A1201", tie_wrong),
    ("A1302", pair_wrong),
)
