"""The values that the oracle passes about: cards, rows of the log, findings.

Money is always `Decimal` or `Fraction`, dates are Macau dates, times are naive Macau times.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

RoundKey = tuple[str, str, str, int]
ShoeKey = tuple[str, str, str]


class Finding(NamedTuple):
    """One row of the findings, all text, as in `expected.csv`."""

    code: str
    severity: str
    casino: str
    table_id: str
    shoe_id: str
    round_no: str
    bet_id: str
    subject: str
    amount: str
    consequence: str


class Card(NamedTuple):
    """A playing card: rank `A 2 .. 10 J Q K`, suit `S H D C`."""

    rank: str
    suit: str

    @property
    def points(self) -> int:
        """Art. 5: ace one, tens and faces zero."""
        if self.rank == "A":
            return 1
        return 0 if self.rank in ("10", "J", "Q", "K") else int(self.rank)

    def __str__(self) -> str:
        return self.rank + self.suit


Slots = tuple["Card | None", ...]


def points(cards: Iterable[Card]) -> int:
    """Art. 5: the total of a hand, modulo ten."""
    return sum(card.points for card in cards) % 10


def winner(player: int, banker: int) -> str:
    """Arts. 11 and 12: `player`, `banker` or `tie`."""
    if player == banker:
        return "tie"
    return "player" if player > banker else "banker"


@dataclass(frozen=True)
class Round:
    """One audited row of `rounds`; a hand is a tuple of slots, an unknown card is None."""

    key: RoundKey
    started: datetime
    kind: str
    void_reason: str
    player_slots: Slots
    banker_slots: Slots
    withdrawn: tuple[Card, ...]
    player_total: int | None
    banker_total: int | None
    outcome: str
    player_pair: bool | None
    banker_pair: bool | None
    commission: str
    burned: int | None
    cut_card: bool | None
    jackpot_pool: Decimal | None

    @property
    def no(self) -> int:
        return self.key[3]

    @cached_property
    def day(self) -> date:
        """The calendar date in Macau of the start: it decides which version governs."""
        return self.started.date()

    @cached_property
    def player(self) -> tuple[Card, ...]:
        return tuple(card for card in self.player_slots if card is not None)

    @cached_property
    def banker(self) -> tuple[Card, ...]:
        return tuple(card for card in self.banker_slots if card is not None)

    @cached_property
    def complete(self) -> bool:
        """All four initial cards are known."""
        return _two_known(self.player_slots) and _two_known(self.banker_slots)

    @property
    def without_cards(self) -> bool:
        return not self.player and not self.banker

    @property
    def outcome_only(self) -> bool:
        """An outcome and no cards (log format, section 4); a void round is never that."""
        return self.without_cards and self.kind != "void" and self.outcome != ""

    @property
    def too_long(self) -> bool:
        """A hand of more than three cards (A0907)."""
        return len(self.player) > 3 or len(self.banker) > 3

    @cached_property
    def result(self) -> str:
        """What decides the bets: the cards, or the recorded outcome of an outcome-only round."""
        if self.complete:
            return winner(points(self.player), points(self.banker))
        return self.outcome if self.outcome_only else ""

    @cached_property
    def dealt(self) -> tuple[Card, ...]:
        """All known cards of the two hands, in deal order (art. 7)."""
        player, banker = self.player_slots, self.banker_slots
        order: list[Card | None] = []
        for i in range(max(len(player), len(banker))):
            order += player[i : i + 1]
            order += banker[i : i + 1]
        return tuple(card for card in order if card is not None)


def _two_known(slots: Slots) -> bool:
    return len(slots) >= 2 and slots[0] is not None and slots[1] is not None


@dataclass(frozen=True)
class Bet:
    """One audited row of `bets`."""

    key: RoundKey
    bet_id: str
    currency: str
    position: str
    patron_id: str
    bet: str
    stake: Decimal
    paid: Decimal
    commission_taken: Decimal | None
    disposition: str

    @property
    def holder(self) -> str:
        """`position`, else `patron_id`; empty when neither is recorded."""
        if self.position:
            return "position " + self.position
        return "patron " + self.patron_id if self.patron_id else ""


@dataclass(frozen=True)
class Shoe:
    """The row of `shoes` in use; a shoe without one gets the default."""

    key: ShoeKey
    device: str = "shoe"
    decks: int | None = None
    burn_rule: str = ""
    first_card: Card | None = None
    burned: int | None = None
    cut_card_from_end: int | None = None
    commission: str = ""


@dataclass(frozen=True)
class Authorisation:
    casino: str
    option: str
    requested_on: date
    authorised_on: date
    planned_for: date | None
    adopted_on: date | None
    ended_on: date | None
    table_id: str


@dataclass(frozen=True)
class Prize:
    casino: str
    combination: str
    amount: Decimal
    approved_on: date | None
    valid_from: date
    table_id: str


@dataclass(frozen=True)
class Limit:
    casino: str
    table_id: str
    bet: str
    min_stake: Decimal | None
    max_stake: Decimal | None
    valid_from: date


@dataclass
class Log:
    """Everything that was read. An optional table that is absent is None, not an empty list."""

    rounds: dict[RoundKey, Round] = field(default_factory=dict)
    rejected_rounds: set[RoundKey] = field(default_factory=set)
    bets: list[Bet] | None = None
    shoes: dict[ShoeKey, Shoe] = field(default_factory=dict)
    authorisations: list[Authorisation] | None = None
    prizes: list[Prize] | None = None
    limits: list[Limit] | None = None
    findings: list[Finding] = field(default_factory=list)
