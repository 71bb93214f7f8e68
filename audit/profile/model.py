"""What a profile says, after loading: how a foreign table becomes a canonical one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from audit.schema import CARD_COLUMNS, Kind, Table

NOTATIONS = ("rank-suit", "suit-rank", "index0", "index1", "hex", "rank", "points")
DEAL_ORDERS = ("alternate", "player_first", "banker_first")
PAID = ("returned", "winnings", "net")
FIFTH = ("totals",)
"""What else than counts may tell whose the fifth card of a list is."""

ENCODINGS: Mapping[str, str] = {
    "utf-8": "utf-8",
    "utf-16": "utf-16",
    "utf-16-le": "utf-16-le",
    "utf-16-be": "utf-16-be",
    "big5": "big5hkscs",
    "gb18030": "gb18030",
    "windows-1252": "cp1252",
}
"""Encodings of delimited text that a profile may name, with their codecs."""

DEAL = "deal"
"""Name of the column that holds the cards of both hands in one list."""

PAID_WINNINGS = "paid is without the stake"
"""No column, but said with those of ``bets``: a loss and a tie then look alike."""

Paid = Literal["returned", "winnings", "net"]


@dataclass(frozen=True, slots=True)
class Cell:
    """Where the text of one canonical column comes from.

    ``columns`` are columns of the file, joined by ``glue``; ``constant`` is a text of its own
    instead. ``ranks`` and ``suits`` (of a card whose rank and suit stand apart) say what the
    file's own words for them mean; ``split`` marks such a card.
    """

    columns: tuple[str, ...] = ()
    glue: str = ""
    constant: str | None = None
    split: bool = False
    ranks: Mapping[str, str] = field(default_factory=dict)
    suits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cards:
    """How cards are written: ``order`` of the suits for numbers, ``empty`` texts for no card.

    ``words`` are the file's own words for a rank or suit; ``by_column`` gives a canonical column
    another notation.

    ``fifth`` names what tells whose the fifth card of a list is, where its empty place is left
    out: the columns with the number of cards of Player and Banker, or none for the totals that
    are recorded. None: nothing tells.
    """

    notation: str = "rank-suit"
    order: str = "SHDC"
    empty: frozenset[str] = frozenset()
    words: Mapping[str, str] = field(default_factory=dict)
    deal_order: str | None = None
    by_column: Mapping[str, str] = field(default_factory=dict)
    fifth: tuple[str, ...] | None = None

    def of(self, column: str) -> str:
        """Notation of a canonical column."""
        return self.by_column.get(column, self.notation)

    @property
    def usual(self) -> bool:
        """Whether nothing is told that the canonical reader does not know by itself."""
        return not self.empty and not self.words


@dataclass(frozen=True, slots=True)
class Times:
    """Format and zone of times, and the format of dates."""

    format: str = "iso"
    zone: str | None = None
    date_format: str = "iso"


@dataclass(frozen=True, slots=True)
class Money:
    """How amounts are written: divided by ``scale``, with these marks."""

    scale: int = 1
    decimal: str = "."
    thousands: str = ""

    @property
    def usual(self) -> bool:
        """Whether amounts are written as in a canonical log."""
        return self == Money()


def lacking(table: Table, have: Collection[str]) -> str | None:
    """The first required column of a table that is not among ``have``; None where all are.

    Cards may come as hands, single cards or one list; a log of outcomes alone has none.
    """
    hands = {"player_cards", "banker_cards", *CARD_COLUMNS}
    if DEAL in have or ("outcome" in have and hands.isdisjoint(have)):
        have = {*have, "player_cards", "banker_cards"}
    for column in table.columns:
        hand = column.name.removesuffix("_cards")
        single = [name for name in CARD_COLUMNS if name.startswith(f"{hand}_")]
        apart = column.kind is Kind.CARDS and all(name in have for name in single)
        if column.required and column.name not in have and not apart:
            return column.name
    return None


@dataclass(frozen=True, slots=True)
class TableMap:
    """How one canonical table is made.

    ``relations`` name groups of file patterns; with ``sql`` they are what the query may read,
    without it there is one, called ``""``. ``where`` has, by column of the file (or of the
    query's result), the texts of a finished row. ``relation`` is a table or view of a database
    instead; with ``sql`` and neither, the database runs the query. ``order_by`` has the columns
    that give the rows of a database their order. ``encoding`` is a codec, None to detect it.
    """

    table: str
    relations: Mapping[str, tuple[str, ...]]
    sql: str | None
    cells: Mapping[str, Cell]
    where: Mapping[str, frozenset[str]]
    shoe_key: tuple[str, ...]
    cards: Cards
    times: Times
    money: Money
    maps: Mapping[str, Mapping[str, str]]
    paid: Paid
    commission_apart: bool
    relation: str | None = None
    order_by: tuple[str, ...] = ()
    encoding: str | None = None

    @property
    def stored(self) -> bool:
        """Whether a database keeps the rows, not files."""
        return not self.relations

    def present(self) -> frozenset[str]:
        """Canonical columns that the table has; ``PAID_WINNINGS`` where paid lacks the stake."""
        names = set(self.cells) - {DEAL}
        if DEAL in self.cells:
            names |= {"player_cards", "banker_cards"}
        if self.shoe_key:
            names.add("shoe_id")
        if self.paid == "winnings":
            names.add(PAID_WINNINGS)
        return frozenset(names)

    def wanted(self) -> tuple[str, ...]:
        """Columns of the file that are read, each once."""
        names = [name for cell in self.cells.values() for name in cell.columns]
        counts = self.cards.fifth or ()
        return tuple(dict.fromkeys((*names, *self.where, *self.shoe_key, *counts)))


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile as loaded; ``name`` and ``sha256`` are what the manifest says of it."""

    name: str
    sha256: str
    tables: Mapping[str, TableMap]
