"""Dealing by the law's table: shoes, hands, third cards (arts. 1, 2, 3, 7, 9).

Written for this generator alone, from the articles, and not shared with what audits a log: a
log dealt here is evidence about the audit only because the two were written apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random

from audit.cards import DECK, POINTS, RANK, suit_of

BANKER_DRAWS = {
    # Banker's two cards: Player's third cards, in points, on which Banker draws (art. 9(3)).
    0: frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
    1: frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
    2: frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
    3: frozenset({0, 1, 2, 3, 4, 5, 6, 7, 9}),
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
    7: frozenset[int](),
}

ROYAL_RANKS = frozenset({1, 10, 11, 12, 13})


class Shoe:
    """One filled shoe: ``decks`` decks, shuffled, dealt from the front (art. 2)."""

    def __init__(self, decks: int, rng: Random) -> None:
        self.cards = list(range(DECK)) * decks
        rng.shuffle(self.cards)
        self.at = 0

    def draw(self) -> int:
        """The next card."""
        card = self.cards[self.at]
        self.at += 1
        return card

    def next_round(self) -> None:
        """Nothing: cards that were dealt stay out."""


class Dispenser(Shoe):
    """An automatic shuffler-dispenser: each round's cards go back after it (art. 7(2))."""

    def __init__(self, decks: int, rng: Random) -> None:
        super().__init__(decks, rng)
        self._random = rng.random

    def draw(self) -> int:
        """A card drawn evenly from those that are not on the table."""
        cards, at = self.cards, self.at
        other = at + int(self._random() * (len(cards) - at))
        cards[at], cards[other] = cards[other], cards[at]
        self.at = at + 1
        return cards[at]

    def next_round(self) -> None:
        """Take the cards back."""
        self.at = 0


@dataclass(slots=True)
class Hand:
    """The cards of one round. ``error`` is the code of the draw error made, or empty."""

    player: list[int]
    banker: list[int]
    withdrawn: list[int] = field(default_factory=list)
    error: str = ""


def total(cards: list[int]) -> int:
    """Points of a hand (art. 5)."""
    return sum([POINTS[card] for card in cards]) % 10


def banker_draws(points: int, third: int | None) -> bool:
    """Whether Banker, neither hand being 8 or 9, must draw (art. 9(3), (4)).

    ``points`` are those of Banker's two cards, ``third`` those of Player's third card, None
    where Player did not draw.
    """
    return points <= 5 if third is None else third in BANKER_DRAWS[points]


def deal(draw: Callable[[], int], wrong: Collection[str] = (), *, put_right: bool = False) -> Hand:
    """Deal one round (arts. 7 and 9).

    ``wrong`` holds codes of draw errors (A0901-A0907), of which the first that the cards allow
    is made; what follows it is dealt rightly. With ``put_right`` a card that a standing Player
    was given by mistake is withdrawn (art. 10).
    """
    player, banker = [draw()], [draw()]
    player.append(draw())
    banker.append(draw())
    player_has, banker_has = total(player), total(banker)
    natural = player_has >= 8 or banker_has >= 8
    hand = Hand(player, banker)

    must = not natural and player_has <= 5
    code = "A0903" if natural else "A0901" if must else "A0902"
    if code in wrong:
        hand.error = code
    if must != (hand.error == code):
        player.append(draw())
    elif put_right and not must:
        hand.withdrawn.append(draw())

    third = POINTS[player[2]] if len(player) == 3 else None
    must = not natural and banker_draws(banker_has, third)
    code = "A0906" if natural else "A0904" if must else "A0905"
    if not hand.error and code in wrong:
        hand.error = code
    if must != (hand.error == code):
        banker.append(draw())

    if "A0907" in wrong and not hand.error and max(len(player), len(banker)) == 3:
        hand.error = "A0907"
        long = player if len(player) == 3 else banker
        long.append(draw())
        while len(banker) > 3 and total(banker) == 6:
            # Half pay is for a six of two or three cards; a longer six would be nobody's rule.
            banker.append(draw())
    return hand


def misdeal(draw: Callable[[], int]) -> Hand:
    """Deal a round up to a card that must not be given, which makes it void (art. 10)."""
    player, banker = [draw()], [draw()]
    player.append(draw())
    banker.append(draw())
    player_has, banker_has = total(player), total(banker)
    player.append(draw())
    if max(player_has, banker_has) >= 8 or player_has >= 6:
        return Hand(player, banker)
    banker.append(draw())
    if banker_draws(banker_has, POINTS[player[2]]):
        banker.append(draw())
    return Hand(player, banker)


def winner(player_total: int, banker_total: int) -> str:
    """``player``, ``banker`` or ``tie`` (arts. 11, 12)."""
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"


def pair(cards: list[int]) -> bool:
    """Whether the first two cards are of one rank (art. 13)."""
    return RANK[cards[0]] == RANK[cards[1]]


def combination(player: list[int], banker: list[int]) -> str:
    """The highest jackpot combination of a round (art. 13), or empty."""
    four = [*player[:2], *banker[:2]]
    fifth = player[2:3] or banker[2:3]
    if fifth and {RANK[card] for card in four + fifth} == ROYAL_RANKS:
        aces = {suit_of(card) for card in four + fifth if RANK[card] == 1}
        others = {suit_of(card) for card in four + fifth if RANK[card] != 1}
        if len(others) == 1:
            return "royal" if aces == others else "paradise"
    ranks = [RANK[card] for card in four]
    most = max(ranks.count(rank) for rank in ranks)
    if most == 4:
        return "four_of_a_kind"
    pairs = pair(player) + pair(banker)
    if pairs == 2:
        return "two_pairs"
    if most == 3:
        return "three_of_a_kind"
    return "single_pair" if pairs else ""
