"""The draw table of art. 9 as seen from one hand: which rows decided, and on which cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit.cards import POINTS
from audit.replay.hand import Hand, Seat, total_of

if TYPE_CHECKING:
    from audit.rulebook import RuleSet

NONE = 10
"""Column after those of the ten point values: Player took no third card."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of the draw table.

    For Player the ten columns are its own two-card total; for Banker they are the points of
    Player's third card, and an eleventh says what holds where Player took none. ``draws`` says
    for each column whether the hand must draw. ``dealt`` is the column that decided the hand as
    dealt, ``rightly`` that of the hand as it should have been (None where it is not known, or
    where there is none such); ``article`` is that of the cell dealt.
    """

    seat: Seat
    total: int
    draws: tuple[bool, ...]
    dealt: int
    rightly: int | None
    article: str
    broken: bool


def table_rows(hand: Hand, again: Hand | None, rules: RuleSet) -> tuple[TableRow, ...]:
    """The rows that decided ``hand``, and ``again`` as it should have been.

    None where a natural decided (then nobody draws and no row is asked), where the hand was not
    judged, or where the deal was stopped before the row was reached.
    """
    decisions = {step.seat: step for step in hand.steps if step.required and step.action != "extra"}
    two = {"player": total_of(hand.player[:2]), "banker": total_of(hand.banker[:2])}
    if set(two.values()) & rules.naturals:
        return ()
    rows = []
    if step := decisions.get("player"):
        draws = tuple(total in rules.player_draws for total in range(10))
        at = two["player"]
        rows.append(TableRow("player", at, draws, at, None, step.article, bool(step.breach)))
    if step := decisions.get("banker"):
        at = two["banker"]
        draws = tuple(rules.banker_draws[at, third] for third in (*range(10), None))
        dealt = _column(hand)
        rightly = None
        if again and any(each.seat == "banker" and each.required for each in again.steps):
            rightly = _column(again)
        rows.append(TableRow("banker", at, draws, dealt, rightly, step.article, bool(step.breach)))
    return tuple(rows)


def _column(hand: Hand) -> int:
    return POINTS[hand.player[2]] if len(hand.player) > 2 else NONE
