"""What every kind of source delivers: rows of cells, numbered, in file order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Literal, Protocol

import polars as pl

from audit.errors import LogError
from audit.sources.texts import as_text


@dataclass(frozen=True, slots=True)
class Damage:
    """A row that is broken as a whole, whatever its cells say.

    ``row`` is its number in the file, ``reason`` a stable code, ``text`` the part at fault,
    ``expected`` an English phrase. The row's cells, as far as they could be told apart, are in
    the batch.
    """

    row: int
    reason: str
    text: str
    expected: str
    lost: bool = False
    """No cell could be told apart: the row says nothing, not even where it belongs."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some consecutive rows of one file.

    ``first`` numbers its first row, counting data rows of the file from 1; ``count`` is the
    number of rows, found without looking at them. Each column of ``stored`` is called as in the
    file and is text, numbers of words (``pl.Categorical``), or what ``is_exact`` lets through; an
    absent cell is null.
    """

    first: int
    count: int
    stored: pl.DataFrame
    damaged: tuple[Damage, ...] = ()
    nul: bool = True
    """Whether a cell may hold the NUL character, which is in no text."""

    @property
    def rows(self) -> pl.DataFrame:
        """All rows as text."""
        return in_text(self.stored)


def in_text(stored: pl.DataFrame) -> pl.DataFrame:
    """Every column as ``pl.String``."""
    return stored.select(as_text(values) for values in stored.iter_columns())


class Content(Protocol):
    """Where bytes come from: a ``Path``, or a part of a packed file."""

    @property
    def suffix(self) -> str:
        """Ending of the name, with its dot."""

    def open(self, mode: Literal["rb"]) -> BinaryIO:
        """Open at the first byte."""


class Source(ABC):
    """One file of a log, read as text. ``name`` is what findings call it.

    ``encoding`` is a codec where the first bytes do not say which it is: set by hand, or found.
    """

    def __init__(self, path: Content, name: str, encoding: str | None = None) -> None:
        self.path = path
        self.name = name
        self.encoding = encoding
        self.scratch: object = None
        """What must live as long as the source does, such as a folder for unpacked files."""

    @property
    @abstractmethod
    def header(self) -> tuple[str, ...] | None:
        """Column names in file order, or None where only the rows can tell (JSON Lines)."""

    @abstractmethod
    def batches(self) -> Iterator[Batch]:
        """Read the file from its beginning; may be called again. Raises LogError."""

    def to_type(self) -> Iterator[Batch]:
        """``batches`` as they are quickest to type: some columns may be ``pl.Categorical``."""
        return self.batches()

    def fail(self, what: str, hint: str = "") -> LogError:
        """Build the error that this file cannot be read."""
        return LogError(what, where=self.name, hint=hint)


CHANGED, AT_REST = "the file changed while it was read", "Run again on a copy at rest"
"""What is said of a file that is another one by now, and what to do."""

MOST_COLUMNS = 1_000
"""More names than this are values that stand where names should; each would cost a column."""

CELLS = 20_000_000
"""Cells, the empty ones counted, that one batch may have: rows that leave most columns out
take next to no room in a file, but as much as any other in memory."""


def refuse_many(columns: int, source: Source) -> None:
    """Raise LogError for more columns than any table has."""
    if columns > MOST_COLUMNS:
        raise source.fail(
            f"it has {columns:,} columns, more than the {MOST_COLUMNS:,} that are read",
            "Leave out what no check needs, or write values under names that stay the same",
        )


def unlike(names: Collection[str], source: Source) -> None:
    """Raise LogError where two names differ by case only, or not at all, or there are too many."""
    refuse_many(len(names), source)
    seen: dict[str, str] = {}
    for name in names:
        key = name.strip().casefold()
        if key and key in seen:
            raise source.fail(
                f"the column {name.strip()!r} stands twice (upper and lower case are alike)",
                "Rename or remove one of the two",
            )
        seen[key] = name
