"""What a wrongly dealt round would have been: the shoe's own order, dealt again by the rules.

The cards that follow the first four are known: the third cards that were dealt are put back in
front, Player's before Banker's, and behind them lie the cards of the next round, whatever its
kind, in dealing order (art. 7). From there the hand draws again as art. 9 has it. Where it needs
a card that nobody can know, the answer is that it cannot be told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from audit.cards import POINTS
from audit.replay.hand import Hand, Seat, banker_order, player_order, replay_hand, total_of

if TYPE_CHECKING:
    from audit.rulebook import RuleSet

REPLAYED = ("A0901", "A0902", "A0903", "A0904", "A0905", "A0906")
"""Breaches for which it is asked what should have followed; a fourth card (A0907) is not."""

UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card and the place to which it was in fact dealt.

    ``number`` is 1-3 within the hand; ``round_no`` is None for the round that is replayed.
    """

    card: int
    seat: Seat
    number: int
    round_no: int | None = None


@dataclass(frozen=True, slots=True)
class Following:
    """The cards known to lie behind this round's in the shoe: those of the round after it.

    ``unknown`` is empty where they are known, else the reason why not: ``auto`` (the device takes
    its cards back), ``end_of_shoe``, ``missing``, ``rejected``, ``incomplete``, ``too_long``,
    ``burned`` or ``withdrawn``, all but the first two said of the round ``round_no``.
    """

    round_no: int | None = None
    player: tuple[int, ...] = ()
    banker: tuple[int, ...] = ()
    unknown: str = "end_of_shoe"

    def cards(self) -> Iterator[Dealt]:
        """Its cards in dealing order P1 B1 P2 B2 P3 B3; none where they are not known."""
        if not self.unknown:
            yield from _in_order(self.player, self.banker, 1, self.round_no)


@dataclass(frozen=True, slots=True)
class Course:
    """The round as it should have been.

    ``hand`` holds the cards that are known; it is finished unless ``unknown`` names the hand
    whose card is not known, and ``reason`` why (as ``Following.unknown``, or
    ``own_withdrawn``). ``consequence`` is ``same_outcome``, ``changed:`` and the winner, or
    ``undetermined``. ``third`` says for each hand that should have drawn where its card really
    went, ``left`` which third cards were dealt that would have stayed in the shoe.
    """

    hand: Hand
    consequence: str
    third: tuple[tuple[Seat, Dealt], ...] = ()
    left: tuple[Dealt, ...] = ()
    unknown: Seat | None = None
    reason: str = ""

    @property
    def determined(self) -> bool:
        """Whether every card that the hand needs is known."""
        return self.unknown is None


def _in_order(
    player: Sequence[int], banker: Sequence[int], first: int, round_no: int | None = None
) -> Iterator[Dealt]:
    """Cards from number ``first`` of each hand on, Player's before Banker's."""
    pairs = zip_longest(player[first - 1 :], banker[first - 1 :])
    for number, (mine, other) in enumerate(pairs, first):
        if mine is not None:
            yield Dealt(mine, "player", number, round_no)
        if other is not None:
            yield Dealt(other, "banker", number, round_no)


def true_course(
    hand: Hand, rules: RuleSet, following: Following, *, withdrawn: bool = False
) -> Course | None:
    """Deal ``hand`` again by ``rules`` from the true order of the shoe.

    ``withdrawn`` says that cards were taken out while this round was dealt: then nothing is known
    of what lay behind its first four. None where no draw rule was broken (or none that can be
    judged), so that there is nothing to ask.
    """
    if not set(hand.breaches) & set(REPLAYED):
        return None
    own = tuple(_in_order(hand.player, hand.banker, 3))
    ahead = [] if withdrawn else [*own, *following.cards()]
    reason = "own_withdrawn" if withdrawn else following.unknown
    player, banker = list(hand.player[:2]), list(hand.banker[:2])
    two = total_of(player), total_of(banker)
    third: list[tuple[Seat, Dealt]] = []
    unknown: Seat | None = None
    if player_order(*two, rules).draw:
        unknown = _take("player", player, ahead, third)
    if unknown is None:
        points = POINTS[player[2]] if len(player) == 3 else None
        if banker_order(*two, points, rules).draw:
            unknown = _take("banker", banker, ahead, third)
    again = replay_hand(player, banker, rules, stopped=unknown is not None)
    used = [dealt for _, dealt in third]
    left = tuple(dealt for dealt in own if dealt not in used)
    if unknown is not None:
        return Course(again, UNDETERMINED, tuple(third), left, unknown, reason)
    same = again.winner == hand.winner
    return Course(again, "same_outcome" if same else f"changed:{again.winner}", tuple(third), left)


def _take(
    seat: Seat, cards: list[int], ahead: list[Dealt], third: list[tuple[Seat, Dealt]]
) -> Seat | None:
    """Move the next card of the shoe into a hand; the seat where there is none to be had."""
    if not ahead:
        return seat
    dealt = ahead.pop(0)
    cards.append(dealt.card)
    third.append((seat, dealt))
    return None
