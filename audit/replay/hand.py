"""One hand, step by step, in plain Python.

This is the second of two roads to the same answer: it is written from the articles alone, one
card after another, so that the vectorised road can be compared with it over every possible
sequence of points. It judges a hand as dealt (``replay_hand``) and deals one as the law has it
(``play_out``).

Three things that are easily got wrong, and are done here as the law has them:

* a natural is 8 or 9 on *two* cards;
* Banker is judged by the points of Player's third *card*, never by Player's total;
* "Player did not draw" is ``None``, which is not a third card of zero points.

Banker is judged on what Player actually did, so that one mistake is one breach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from audit.cards import POINTS, RANK
from audit.rulebook import FACTS

if TYPE_CHECKING:
    from audit.rulebook import RuleSet

Seat = Literal["player", "banker"]
Winner = Literal["player", "banker", "tie"]
Fact = str | int | bool | None
Facts = Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened, or did not happen, in a hand.

    ``action`` is ``deal`` (one of the first two cards), ``draw``, ``stand``, ``stop`` (the card
    was owed, but the deal was stopped: void rounds only) or ``extra`` (a fourth card or later).
    ``before`` and ``after`` are that hand's totals 0-9. ``required`` is what the rules wanted,
    None where they left no choice or could not be applied. ``why`` says what commands it:

    ``initial`` (art. 7), ``own_total``, ``player_natural``, ``banker_natural``, ``third_card``,
    ``no_third_card`` (art. 9), ``limit`` (one additional card at most) or ``not_judged``.

    ``breach`` is the code A0901-A0907, empty where nothing is broken.
    """

    seat: Seat
    action: Literal["deal", "draw", "stand", "stop", "extra"]
    card: int | None
    before: int
    after: int
    required: Literal["draw", "stand"] | None
    article: str
    why: str
    breach: str = ""


@dataclass(frozen=True, slots=True)
class Hand:
    """A replayed hand: the cards, the steps, and what they come to.

    Totals, winner and pairs are those of the cards as dealt; None where one of the first four
    cards is missing. Pairs are None also where a rank is unknown. A natural has exactly two cards.
    """

    player: tuple[int, ...]
    banker: tuple[int, ...]
    steps: tuple[Step, ...]
    player_total: int | None
    banker_total: int | None
    winner: Winner | None
    player_pair: bool | None
    banker_pair: bool | None
    player_natural: bool | None
    banker_natural: bool | None

    @property
    def breaches(self) -> tuple[str, ...]:
        """Codes broken, each once, in the order in which it happened."""
        return tuple(dict.fromkeys(step.breach for step in self.steps if step.breach))

    def facts(self) -> dict[str, Fact]:
        """Each fact that a rule set's conditions may name, None where it is unknown.

        A tie has no winning hand: what is said of one (``winning_total``, ``winning_cards``,
        ``margin``) is then -1, which no condition can name.
        """
        facts: dict[str, Fact] = dict.fromkeys(FACTS)
        if self.winner is None or self.player_total is None or self.banker_total is None:
            return facts
        totals = {"player": self.player_total, "banker": self.banker_total, "tie": -1}
        sizes = {"player": len(self.player), "banker": len(self.banker), "tie": -1}
        return facts | {
            "winner": self.winner,
            "player_total": self.player_total,
            "banker_total": self.banker_total,
            "winning_total": totals[self.winner],
            "margin": -1 if self.winner == "tie" else abs(self.player_total - self.banker_total),
            "player_cards": len(self.player),
            "banker_cards": len(self.banker),
            "winning_cards": sizes[self.winner],
            "cards": len(self.player) + len(self.banker),
            "player_pair": self.player_pair,
            "banker_pair": self.banker_pair,
            "player_natural": self.player_natural,
            "banker_natural": self.banker_natural,
        }


@dataclass(frozen=True, slots=True)
class Order:
    """What the rules command at one decision, and the code of the way to break it."""

    draw: bool
    article: str
    why: str
    breach: str


def total_of(cards: Sequence[int]) -> int:
    """Points of a hand, 0-9 (art. 5)."""
    return sum(POINTS[card] for card in cards) % 10


def winner_of(player_total: int, banker_total: int) -> Winner:
    """The higher total wins, equal ones tie (arts. 11 and 12)."""
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"


def pair_of(cards: Sequence[int]) -> bool | None:
    """Art. 13: the first two cards have the same rank (J J yes, J Q no)."""
    if len(cards) < 2 or RANK[cards[0]] is None or RANK[cards[1]] is None:
        return None
    return RANK[cards[0]] == RANK[cards[1]]


def player_order(player: int, banker: int, rules: RuleSet) -> Order:
    """What art. 9(1)(2) commands Player on both hands' two-card totals."""
    if player not in rules.naturals and banker not in rules.naturals:
        if player in rules.player_draws:
            return Order(True, rules.article("player_draws_on"), "own_total", "A0901")
        return Order(False, rules.article("player_stands_on"), "own_total", "A0902")
    why = "player_natural" if player in rules.naturals else "banker_natural"
    return Order(False, rules.article("player_stands_on"), why, "A0903")


def banker_order(player: int, banker: int, third: int | None, rules: RuleSet) -> Order:
    """What art. 9(3)(4) commands Banker.

    ``player`` and ``banker`` are two-card totals, ``third`` the points of the card that Player
    took as third, None where Player took none.
    """
    if player in rules.naturals:
        article = rules.article("player_natural_stops_banker")
        return Order(False, article, "player_natural", "A0906")
    article = rules.banker_article[banker, third]
    if banker in rules.naturals:
        return Order(False, article, "banker_natural", "A0906")
    why = "no_third_card" if third is None else "third_card"
    if rules.banker_draws[banker, third]:
        return Order(True, article, why, "A0904")
    return Order(False, article, why, "A0905")


def _decision(seat: Seat, cards: Sequence[int], order: Order, stopped: bool) -> Step:
    """The step at which ``seat`` drew or stood on its first two cards."""
    before = total_of(cards[:2])
    required: Literal["draw", "stand"] = "draw" if order.draw else "stand"
    if len(cards) > 2:
        breach = "" if order.draw else order.breach
        after = total_of(cards[:3])
        article, why = order.article, order.why
        return Step(seat, "draw", cards[2], before, after, required, article, why, breach)
    if order.draw and stopped:
        return Step(seat, "stop", None, before, before, required, order.article, order.why)
    breach = order.breach if order.draw else ""
    return Step(seat, "stand", None, before, before, required, order.article, order.why, breach)


def _deal_order(player: Sequence[int], banker: Sequence[int], start: int) -> list[tuple[Seat, int]]:
    """Seats and indexes in the order P B P B .. from card ``start`` on, hands uneven or not."""
    order: list[tuple[Seat, int]] = []
    for at, (mine, other) in enumerate(zip_longest(player[start:], banker[start:]), start):
        if mine is not None:
            order.append(("player", at))
        if other is not None:
            order.append(("banker", at))
    return order


def _unjudged_draws(
    player: Sequence[int], banker: Sequence[int], missing: bool, limit: str
) -> list[Step]:
    """Cards after the first two where art. 9 cannot be applied decision by decision.

    Either one of the first four cards is missing, or a hand holds more than three: then every
    card beyond the third breaks ``limit`` (A0907) and no other decision is judged.
    """
    steps = []
    for seat, at in _deal_order(player, banker, 2):
        cards = player if seat == "player" else banker
        card, before, after = cards[at], total_of(cards[:at]), total_of(cards[: at + 1])
        if at < 3 or missing:
            steps.append(Step(seat, "draw", card, before, after, None, "", "not_judged"))
        else:
            code = "A0907"
            steps.append(Step(seat, "extra", card, before, after, "stand", limit, "limit", code))
    return steps


def replay_hand(
    player: Sequence[int],
    banker: Sequence[int],
    rules: RuleSet,
    *,
    stopped: bool = False,
    missing: bool = False,
) -> Hand:
    """Judge one hand as dealt.

    ``player`` and ``banker`` are card codes (``audit.cards``) in the order each hand received
    them. ``stopped`` is for a void round: the deal may end while a card is still owed, which is
    no breach unless Banker was dealt one before Player had its own. ``missing`` says that an
    initial card is unknown, so that nothing can be judged; fewer than two cards in a hand mean
    the same.
    """
    player, banker = tuple(player), tuple(banker)
    missing = missing or min(len(player), len(banker)) < 2
    steps = []
    for seat, at in _deal_order(player[:2], banker[:2], 0):
        cards = player if seat == "player" else banker
        before, after = total_of(cards[:at]), total_of(cards[: at + 1])
        steps.append(Step(seat, "deal", cards[at], before, after, None, "7(1)", "initial"))
    if missing or max(len(player), len(banker)) > 3:
        steps += _unjudged_draws(player, banker, missing, rules.article("hand_cards_max"))
    else:
        two = total_of(player[:2]), total_of(banker[:2])
        third = POINTS[player[2]] if len(player) == 3 else None
        halted = stopped and len(banker) == 2
        steps.append(_decision("player", player, player_order(*two, rules), halted))
        if steps[-1].action != "stop":
            order = banker_order(*two, third, rules)
            steps.append(_decision("banker", banker, order, stopped))
    if missing:
        return Hand(player, banker, tuple(steps), None, None, None, None, None, None, None)
    player_total, banker_total = total_of(player), total_of(banker)
    return Hand(
        player,
        banker,
        tuple(steps),
        player_total,
        banker_total,
        winner_of(player_total, banker_total),
        pair_of(player),
        pair_of(banker),
        len(player) == 2 and player_total in rules.naturals,
        len(banker) == 2 and banker_total in rules.naturals,
    )


def play_out(stack: Sequence[int], rules: RuleSet) -> Hand:
    """Deal a hand by the rules from ``stack``, card codes in dealing order, and replay it.

    The stack may hold more cards than the hand takes. IndexError where it ends before the hand
    does: what would have followed is then unknown.
    """
    player, banker = [stack[0], stack[2]], [stack[1], stack[3]]
    two = total_of(player), total_of(banker)
    at, third = 4, None
    if player_order(*two, rules).draw:
        player.append(stack[at])
        at, third = at + 1, POINTS[stack[at]]
    if banker_order(*two, third, rules).draw:
        banker.append(stack[at])
    return replay_hand(player, banker, rules)


def draws(points: Sequence[int], rules: RuleSet) -> tuple[int, int, int, int, Winner]:
    """Play six points P1 B1 P2 B2 and the next two cards by the rules.

    Returns cards of Player, cards of Banker, Player total, Banker total, winner. It says the
    same as ``play_out`` without the records, and is meant to be called a million times.
    """
    p1, b1, p2, b2, fifth, sixth = points
    player, banker = (p1 + p2) % 10, (b1 + b2) % 10
    player_cards = banker_cards = 2
    if player not in rules.naturals and banker not in rules.naturals:
        third = None
        following = fifth
        if player in rules.player_draws:
            third, following = fifth, sixth
        if rules.banker_draws[banker, third]:
            banker, banker_cards = (banker + following) % 10, 3
        if third is not None:
            player, player_cards = (player + third) % 10, 3
    return player_cards, banker_cards, player, banker, winner_of(player, banker)
