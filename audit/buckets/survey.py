"""Whether units can read a log themselves: what its keys say, which alone are read for that.

Where shoes lie through one another, or a unit would be far too large, the rows go through the
spill instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple, cast

import polars as pl

from audit.ahead import ahead
from audit.buckets import spill
from audit.buckets.cuts import cuts, stretches
from audit.buckets.in_place import ENDINGS, InPlace, Lying
from audit.digests import file_sha256, hashing
from audit.normalise import cells, columns
from audit.normalise.duplicates import SHOE
from audit.normalise.intake import File, Given, stamp_of, unreadable
from audit.resolve.frames import beginnings
from audit.schema import BETS, ROUNDS, Table
from audit.sources.delimited import Delimited
from audit.sources.parquet import MOST_OF_FEW, Parquet
from audit.sources.pieces import Keys, OtherEncodingError, Piece, about, look_over

_MANY = 16
"""A shoe is looked at once for each run of its rows; runs of fewer rows than this are no runs."""

_NEARLY = 0.75
"""Units that a log must seem to fill before its keys are read: what it seems is not exact."""

_TOGETHER = 1 << 16
"""Runs that are looked at together, more or less: few steps, and little memory."""

_NO_RUNS = pl.DataFrame(schema={"shoe": pl.UInt64, "first": pl.Int64, "rows": pl.Int64})


class _TooManyError(Exception):
    """Shoes lie through one another."""


class Begins(NamedTuple):
    """The ``keys`` of rows at which another shoe begins than before, and which rows: ``first``."""

    keys: pl.DataFrame
    first: pl.Series


@dataclass
class _Seen:
    """A file of rounds or bets, and what its keys told so far."""

    table: Table
    path: Path
    source: Parquet | Delimited
    stamp: tuple[int, int]
    begins: list[Begins] = field(default_factory=list)
    rows: int = 0
    pieces: list[Piece] = field(default_factory=list)
    sha256: str = ""

    @property
    def names(self) -> dict[str, str]:
        return columns.match(self.source.header, self.table)

    @property
    def keys(self) -> list[str]:
        return [self.names[name] for name in SHOE if name in self.names]

    def add(self, begins: Begins, rows: int) -> None:
        """Where shoes begin among the next rows."""
        self.begins.append(Begins(begins.keys, begins.first + self.rows))
        self.rows += rows

    @property
    def like(self) -> object:
        """Alike for files whose keys can be put together."""
        return self.names, self.begins[0].keys.schema

    def file(self) -> File:
        """As one that was read, its rejects still to come."""
        present = self.names
        unused = tuple(name for name in self.source.header if name not in present.values())
        have = frozenset(present)
        told = (self.sha256, self.stamp[0])
        return File(self.source, self.table, [], have, unused, self.rows, 0, *told)


@dataclass(frozen=True)
class Survey:
    """How a log can be audited in place: its ``rows``, its files by number, and where shoes are.

    ``homes`` has the unit of each ``shoe`` with rounds, by the number that ``_runs`` gives it.
    """

    rows: InPlace
    files: Mapping[int, File]
    homes: pl.DataFrame

    def units_of(self, shoes: pl.DataFrame) -> pl.Series:
        """The unit that each of some shoes is in, null where it has no round."""
        number = shoes.select(SHOE).hash_rows().alias("shoe").to_frame()
        return number.join(self.homes, on="shoe", how="left", maintain_order="left")["unit"]


def survey(given: Sequence[Given], count: Callable[[int], None]) -> Survey | None:
    """How a log can be audited in place; None where that cannot be.

    ``count`` is told how many rows were looked at. LogError as for files that are read whole.
    """
    mine = {n: each for n, each in enumerate(given) if each.table in (ROUNDS, BETS)}
    if not all(_may_lie(each) for each in mine.values()):
        return None
    seen = {n: _opened(each) for n, each in mine.items()}
    if not _large([(each.table, _about(each)) for each in seen.values()], _NEARLY):
        return None
    for each in seen.values():
        columns.require(each.names, each.source.header, each.table, each.source)
    try:
        _look_at(list(seen.values()), count)
    except (OtherEncodingError, _TooManyError):
        return None
    heights = [(each.table, each.rows) for each in seen.values()]
    runs = _all_runs(seen.values())
    at = cuts(runs, _heights(heights)) if _large(heights, 1) else None
    if at is None:
        return None
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for each, sha256 in zip(seen.values(), pool.map(_hashed, seen.values()), strict=True):
            each.sha256 = sha256
    files = [
        Lying(each.table.name, each.path, each.source.name, each.stamp, each.pieces)
        for each in seen.values()
    ]
    units = stretches(at, [(table.name, rows) for table, rows in heights])
    ends = pl.Series([rounds for rounds, _ in at])
    rounds = runs[ROUNDS.name]
    unit = ends.search_sorted(rounds["first"], side="right").cast(pl.UInt32).alias("unit")
    homes = rounds.select("shoe").hstack([unit]).drop_nulls().unique("shoe")
    return Survey(InPlace(files, units), {n: each.file() for n, each in seen.items()}, homes)


def _may_lie(given: Given) -> bool:
    """Whether it is a file of such an ending, as it is."""
    by_name = given.mapping is None and given.source is None and not given.member
    return by_name and given.path is not None and given.path.suffix.lower() in ENDINGS


def _opened(given: Given) -> _Seen:
    path = cast(Path, given.path)
    return _Seen(given.table, path, cast(Parquet | Delimited, given.open()), stamp_of(path))


def _about(seen: _Seen) -> int:
    """How many rows a file has, or seems to have."""
    source = seen.source
    return source.height if isinstance(source, Parquet) else about(source, seen.stamp[0])


def _heights(files: Iterable[tuple[Table, int]]) -> dict[str, int]:
    """Rows of each table."""
    height = dict.fromkeys(spill.BULK, 0)
    for table, rows in files:
        height[table.name] += rows
    return height


def _large(files: Iterable[tuple[Table, int]], units: float) -> bool:
    """Whether a table fills more than so many units."""
    height = _heights(files)
    return any(height[name] > spill.UNIT[name] * units for name in height)


def _look_at(files: Sequence[_Seen], count: Callable[[int], None]) -> None:
    """Read the keys of all files; ``_TooManyError`` where their shoes lie through one another."""
    runs, rows = dict.fromkeys(spill.BULK, 0), dict.fromkeys(spill.BULK, 0)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        stored = [each for each in files if isinstance(each.source, Parquet)]
        of_text = [_pieces(each, pool) for each in files if isinstance(each.source, Delimited)]
        for seen, found, more in chain(ahead(pool, _begins_of_part, _parts(stored)), *of_text):
            seen.add(found, more)
            name = seen.table.name
            runs[name] += found.first.len()
            rows[name] += more
            if runs[name] * _MANY > rows[name] + spill.UNIT[name]:
                raise _TooManyError
            count(more)


Part = tuple[_Seen, int, int]
"""Some rows of a Parquet file: the first, counted from 0, and how many."""


def _parts(files: Iterable[_Seen]) -> Iterator[Part]:
    for seen in files:
        height = cast(Parquet, seen.source).height
        for first in range(0, height, MOST_OF_FEW):
            yield seen, first, min(MOST_OF_FEW, height - first)


def _begins_of_part(part: Part) -> tuple[_Seen, Begins, int]:
    seen, first, rows = part
    (batch,) = cast(Parquet, seen.source).between(first, rows, seen.keys)
    return seen, _begins(Keys(batch.stored, rows)), rows


def _pieces(seen: _Seen, pool: ThreadPoolExecutor) -> Iterator[tuple[_Seen, Begins, int]]:
    """The same of a file of text, whose pieces are noted."""
    source = cast(Delimited, seen.source)
    try:
        with hashing() as digest:
            for piece, found in look_over(source, seen.keys, _begins, digest.update, pool):
                if piece.rows:
                    seen.pieces.append(piece)
                    yield seen, found, piece.rows
            seen.sha256 = digest.hexdigest()
    except OSError as error:
        raise unreadable(error, source.name) from None


def _hashed(seen: _Seen) -> str:
    return seen.sha256 or file_sha256(seen.path)


def _all_runs(files: Collection[_Seen]) -> dict[str, pl.DataFrame]:
    """For each table the runs of all its files together."""
    return {
        name: _of_table([each for each in files if each.table.name == name]) for name in spill.BULK
    }


def _of_table(files: Iterable[_Seen]) -> pl.DataFrame:
    """The runs of a table's files, of which like ones are looked at together, some at a time."""
    found = [_NO_RUNS]
    rows = 0
    for _, alike in groupby((each for each in files if each.rows), lambda each: each.like):
        held: list[Begins] = []
        count = 0
        for seen in alike:
            held += (Begins(each.keys, each.first + rows) for each in seen.begins)
            count += sum(each.first.len() for each in seen.begins)
            rows += seen.rows
            if count > _TOGETHER:
                found.append(_runs(held, rows, seen))
                held, count = [], 0
        if held:
            found.append(_runs(held, rows, seen))
    return pl.concat(found)


def _begins(keys: Keys) -> Begins:
    """Where another shoe begins than before (Int64), and its keys."""
    if keys.at is not None:
        return Begins(keys.stored, keys.at)
    first = beginnings(keys.stored, keys.stored.columns)
    return Begins(keys.stored[first], first.cast(pl.Int64))


def _runs(held: Sequence[Begins], end: int, like: _Seen) -> pl.DataFrame:
    """Rows of one shoe that follow one another: a number for the ``shoe``, ``first``, ``rows``.

    ``held`` are from files that are ``like`` one another, ``end`` is where the last run ends. Two
    shoes may have one number, which then are never parted: that does no harm.
    """
    begins = Begins(*(pl.concat(each) for each in zip(*held, strict=True)))
    table, names = like.table, like.names
    typed = {}
    for name in SHOE:
        column = table.column(name)
        default = pl.Series([column.default], dtype=pl.String)
        if name in names:
            text, value = cells.read(column, begins.keys[names[name]])
            typed[name] = value.zip_with(text.is_not_null(), default)
        else:
            typed[name] = default.new_from_index(0, begins.first.len())
    shoes = pl.DataFrame(typed)
    whole = shoes.select(pl.all_horizontal(pl.all().is_not_null())).to_series()
    return pl.DataFrame(
        {
            "shoe": shoes.hash_rows().zip_with(whole, pl.Series([None], dtype=pl.UInt64)),
            "first": begins.first,
            "rows": begins.first.shift(-1, fill_value=end) - begins.first,
        }
    )
