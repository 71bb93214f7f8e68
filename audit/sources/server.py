"""Rows that a database server keeps, as a source of text: in a stated order, hashed as they pass.

The server writes every value as its text, so that nothing is rounded on the way. What is not yet
how a file would say it is put so here: an array of cards becomes a hand, a float loses its
exponent.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import polars as pl

from audit.errors import LogError
from audit.sources.address import Database
from audit.sources.base import Batch, Source, unlike
from audit.sources.tally import Tally

ROWS = 50_000
"""Rows fetched at a time."""

_FLOATS = ("real", "double precision", "float", "double")
_ITEM = re.compile(r'"((?:[^"\\]|\\.)*)"|([^,{}"]+)')


@dataclass(frozen=True, slots=True)
class Field:
    """A column as the server describes it: its ``type``, and whether that sorts by a collation."""

    name: str
    type: str
    collates: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """What rows are read from: ``sql`` stands after FROM; ``key`` is the primary key, if any."""

    name: str
    sql: str
    fields: tuple[Field, ...]
    key: tuple[str, ...] = ()

    def field(self, name: str) -> Field | None:
        """A column by name, upper and lower case alike."""
        folded = name.strip().casefold()
        return next((each for each in self.fields if each.name.casefold() == folded), None)


class Server(ABC):
    """A connection that reads one moment of a database and can write nothing."""

    database: Database

    @abstractmethod
    def tables(self) -> tuple[str, ...]:
        """Names of the tables and views in the schema of the connection."""

    @abstractmethod
    def table(self, name: str) -> Origin:
        """A table or view, ``schema.table`` or by its name alone; LogError where there is none."""

    @abstractmethod
    def query(self, sql: str, where: str) -> Origin:
        """One SELECT, not run yet; ProfileError at ``where`` where the server refuses it."""

    @abstractmethod
    def rows(
        self, origin: Origin, fields: Sequence[Field], order: Sequence[Field], where: str
    ) -> Iterator[pl.DataFrame]:
        """All rows as the server's text, sorted; LogError about ``where`` for any failure."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the connection."""


class Stored(Source):
    """Rows of a table, view or query in the order of ``order``, numbered from 1; without one
    they come as the server likes, which is for a first look only.

    Of the columns only those ``wanted`` are read, and those of the order; ``header`` has all.
    ``sha256`` and ``size`` are those of ``Tally`` over the rows last read.
    """

    def __init__(
        self,
        server: Server,
        origin: Origin,
        name: str,
        order: Sequence[str],
        wanted: Collection[str],
    ) -> None:
        super().__init__(Path(name), name)  # a name like that of a file, which nobody opens
        unlike([each.name for each in origin.fields], self)
        self._server = server
        self._origin = origin
        self._order = tuple(self._field(each) for each in order)
        folded = {each.strip().casefold() for each in wanted}
        self._fields = tuple(
            each for each in origin.fields if each.name.casefold() in folded or each in self._order
        )
        self.sha256 = ""
        self.size = 0

    def _field(self, name: str) -> Field:
        found = self._origin.field(name)
        if found is None:
            names = ", ".join(each.name for each in self._origin.fields)
            raise self.fail(f"there is no column {name!r} to order by (found: {names})")
        return found

    @property
    def header(self) -> tuple[str, ...]:
        """Names of all columns, read or not."""
        return tuple(each.name for each in self._origin.fields)

    def batches(self) -> Iterator[Batch]:
        """Read the rows; LogError where the server fails, or two rows stand at one place."""
        names = tuple(each.name for each in self._fields)
        tally = Tally(names)
        first = 1
        last: pl.DataFrame | None = None
        for rows in self._server.rows(self._origin, self._fields, self._order, self.name):
            tally.add(rows)
            places = rows.select(each.name for each in self._order)
            if self._order:
                self._refuse_ties(places if last is None else pl.concat([last, places]))
            last = places.tail(1)
            shown = [_shown(field, rows[field.name]) for field in self._fields]
            yield Batch(first, rows.height, pl.DataFrame(shown))
            first += rows.height
        self.sha256, self.size = tally.sha256, tally.size

    def _refuse_ties(self, places: pl.DataFrame) -> None:
        same = pl.all_horizontal(pl.all().eq_missing(pl.all().shift(1)))
        tied = places.with_row_index("\0").filter(
            (pl.col("\0") > 0) & places.select(same).to_series()
        )
        if tied.height:
            order = ", ".join(each.name for each in self._order)
            values = ", ".join(str(each) for each in tied.row(0)[1:])
            raise self.fail(
                f"two rows have the same {order} ({values[:80]}), so that their order is not told",
                "Name more columns in order_by of the profile, which no two rows share",
            )

    def digest(self) -> str:
        """SHA-256 of the rows, for which they are all read."""
        for _ in self.batches():
            pass
        return self.sha256


def _shown(field: Field, text: pl.Series) -> pl.Series:
    """A column as a file would say it."""
    if field.type.endswith("[]"):
        return _each(text, text.str.starts_with("{"), _array)
    if field.type in ("json", "jsonb"):
        return _each(text, text.str.starts_with("["), _json_array)
    if field.type in _FLOATS:
        plain = _each(text, text.str.contains("[eE]"), lambda each: f"{Decimal(each):f}")
        return plain.replace({"NaN": None})
    return text


def _each(text: pl.Series, which: pl.Series, function: Callable[[str], str]) -> pl.Series:
    """A function of the texts ``which`` marks; the others as they are."""
    odd = text.filter(which.fill_null(False)).unique()
    return text.replace({each: function(each) for each in odd}) if odd.len() else text


def _array(text: str) -> str:
    """An array's items with a space between; one with arrays in it stays as it is."""
    if "{" in text[1:-1]:
        return text
    items = [
        re.sub(r"\\(.)", r"\1", quoted) if quoted else bare for quoted, bare in _ITEM.findall(text)
    ]
    return " ".join(item for item in items if item != "NULL")


def _json_array(text: str) -> str:
    items = json.loads(text, parse_float=str, parse_int=str)
    if not all(item is None or isinstance(item, str) for item in items):
        return text
    return " ".join(item for item in items if item)


def no_such_table(name: str, found: Sequence[str], database: Database) -> LogError:
    """The error that a database has no table or view of a name."""
    seen = ", ".join(found[:10]) or "none"
    return LogError(
        f"there is no table or view {name!r} (found: {seen})",
        where=str(database),
        hint="Name it as schema.table where it is in another schema",
    )
