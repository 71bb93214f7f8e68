"""Faults of the log itself: rows missing, twice, unreadable, out of order, or about nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

from audit.sample.records import Expected, Repeat, ShoeLog, cards_text

UNQUIET = ("L01", "L03", "L04")
"""Faults whose finding depends on the neighbouring round."""


def _inside(log: ShoeLog, at: int) -> bool:
    """Whether the played round at ``at`` can go missing without side effects.

    It stands between rounds without such a fault, after a played one and before the white card.
    """
    rounds = log.rounds
    if not 3 <= at < len(rounds) - 1 or rounds[at].kind != "play":
        return False
    if any(deal.cut for deal in rounds[: at + 2]):
        return False
    if not any(deal.kind == "play" and deal.fault not in UNQUIET for deal in rounds[:at]):
        return False
    return rounds[at - 1].fault not in UNQUIET and rounds[at + 1].fault not in UNQUIET


def unreadable(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """L01: a row of ``bets`` or ``rounds`` cannot be read; a round's number is then missing."""
    deal = log.rounds[at]
    found = Expected("L01", deal.number)
    if rng.random() < 0.7:
        bets = [bet for bet in deal.bets if bet.bet not in ("player", "banker")]
        if not bets or deal.kind != "play":
            return None
        bet = rng.choice(bets)
        bet.changed = rng.choice(({"paid": "-50"}, {"disposition": "lost"}, {"stake": ""}))
        bet.reject = found
        return [found]
    if not _inside(log, at):
        return None
    deal.changed = rng.choice(
        (
            {"player_cards": "KS 5X"},
            {"banker_cards": "11H 4C"},
            {"outcome": "dealer"},
            {"kind": "replay"},
        )
    )
    deal.reject = found
    return [found, Expected("L03", deal.number + 1, subject=str(deal.number))]


def row_twice(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """L02: a second row for a round, the same or with another dealer."""
    deal = log.rounds[at]
    found = Expected("L02", deal.number)
    deal.repeat = Repeat(rng.choice(({}, {"dealer_id": "D999"})), found)
    return [found]


def row_missing(log: ShoeLog, at: int, _rng: Random) -> list[Expected] | None:
    """L03: a round is not in the log, nor are its bets."""
    if not _inside(log, at):
        return None
    deal = log.rounds[at]
    deal.absent = True
    return [Expected("L03", deal.number + 1, subject=str(deal.number))]


def too_early(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """L04: a round starts before the one that it follows."""
    if not _inside(log, at):
        return None
    deal, before = log.rounds[at], log.rounds[at - 1]
    started = before.started - timedelta(seconds=1 + int(rng.random() * 300))
    if started.date() != deal.started.date():
        return None
    deal.changed = {"started_at": str(started)}
    return [Expected("L04", deal.number)]


def card_missing(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """L05: one of the first four cards is not recorded."""
    deal = log.rounds[at]
    if deal.kind != "play" or any(bet.disposition == "carried" for bet in deal.bets):
        return None
    hand = rng.choice(("player", "banker"))
    cards = deal.hand.player if hand == "player" else deal.hand.banker
    deal.changed = {f"{hand}_cards": cards_text(cards[:1])}
    return [Expected("L05", deal.number)]


def bet_without_round(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """L09: a bet on a round that the log does not have."""
    deal = log.rounds[at]
    bets = [bet for bet in deal.bets if bet.disposition == "settled"]
    if not bets:
        return None
    number = 500 + deal.number
    bet = rng.choice(bets)
    deal.strays.append(replace(bet, changed={"round_no": str(number)}))
    return [Expected("L09", number, bet.id)]


def bet_twice(log: ShoeLog, at: int, rng: Random) -> list[Expected] | None:
    """L11: a second row for a bet, the same or paid otherwise."""
    deal = log.rounds[at]
    if not deal.bets:
        return None
    bet = rng.choice(deal.bets)
    found = Expected("L11", deal.number, bet.id)
    bet.repeat = Repeat(rng.choice(({}, {"paid": "1"})), found)
    return [found]


FAULTS = (
    ("L01", unreadable),
    ("L02", row_twice),
    ("L03", row_missing),
    ("L04", too_early),
    ("L05", card_missing),
    ("L09", bet_without_round),
    ("L11", bet_twice),
)
