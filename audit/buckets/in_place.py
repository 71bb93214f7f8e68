"""Rows that stay where they are: Parquet files in which one shoe lies after another.

Such a log needs no sorting. Its keys alone are read to find where its shoes begin and end; a unit
is then a stretch of each file, which the worker reads and types itself. Where shoes lie through
one another, or a unit would be far too large, the rows go through the spill instead.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import cast

import polars as pl

from audit.buckets import spill
from audit.digests import file_sha256
from audit.errors import LogError
from audit.normalise import cells, columns
from audit.normalise.duplicates import SHOE
from audit.normalise.intake import File, Given, ahead, stamp_of
from audit.normalise.log import stack
from audit.normalise.rejects import REJECTS
from audit.normalise.rows import READABLE, schema_of, type_batch
from audit.schema import BETS, ROUNDS, Table
from audit.sources.parquet import MOST_OF_FEW, Parquet

ENDINGS = (".parquet", ".pq")

_MANY = 16
"""A shoe is looked at once for each run of its rows; runs of fewer rows than this are no runs."""

_LARGEST = 1.25
"""Shares of a unit (``spill.UNIT``) that one may have where shoes are long."""


@dataclass(frozen=True)
class Lying:
    """A file whose rows stay in it: where it is, what findings call it, its size and time."""

    table: str
    path: Path
    name: str
    stamp: tuple[int, int]

    def check(self) -> None:
        """LogError where the file is not what it was when its keys were read, or is gone."""
        try:
            same = stamp_of(self.path) == self.stamp
        except OSError:
            same = False
        if not same:
            raise LogError(
                "the file changed while it was read",
                where=self.name,
                hint="Run again on a copy at rest",
            )


Stretch = tuple[int, int, int]
"""Number of the file, its first row, counted from 0, and the number of rows."""


@dataclass(frozen=True)
class InPlace:
    """A log that is not copied: its files, and the stretches that each unit consists of."""

    files: Sequence[Lying]
    units: Sequence[Sequence[Stretch]]

    def copied(self, folder: Path) -> InPlace:
        """The same with its files in ``folder``, where all machines of a cluster see them."""
        files = []
        for number, file in enumerate(self.files):
            copy = folder / f"log-{number:06}.parquet"
            file.check()
            with spill.room_for(copy):
                shutil.copyfile(file.path, copy)
            files.append(replace(file, path=copy, stamp=stamp_of(copy)))
        return replace(self, files=files)

    def rows(self, unit: int) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
        """Typed rounds and bets of a unit, and the rejects of rows that cannot be read."""
        typed: dict[str, list[pl.DataFrame]] = {ROUNDS.name: [], BETS.name: []}
        rejects = [pl.DataFrame(schema=REJECTS)]
        for number, first, count in self.units[unit]:
            file = self.files[number]
            file.check()
            table = spill.BY_NAME[file.table]
            source = Parquet(file.path, file.name, examined=True)
            names = columns.match(source.header, table)
            for batch in source.between(first, count):
                done = type_batch(batch, table, names, file.name, short=table is BETS)
                typed[table.name].append(spill.short(done.frame) if table is BETS else done.frame)
                if done.unreadable is not None:
                    rejects.append(done.unreadable)
        rounds, bets = (
            stack(typed[table.name], {**schema_of(table), READABLE: pl.Boolean()})
            for table in (ROUNDS, BETS)
        )
        return rounds, bets, pl.concat(rejects)


def survey(
    given: Sequence[Given], count: Callable[[int], None]
) -> tuple[InPlace, Mapping[int, File]] | None:
    """How a log can be audited in place, and its files by number; None where that cannot be.

    ``count`` is told how many rows were looked at. LogError as for files that are read whole.
    """
    mine = {n: each for n, each in enumerate(given) if each.table in (ROUNDS, BETS)}
    if not all(_may_lie(each) for each in mine.values()):
        return None
    sources = {n: cast(Parquet, each.open()) for n, each in mine.items()}
    height = dict.fromkeys(spill.BULK, 0)
    for n, source in sources.items():
        height[mine[n].table.name] += source.height
    if not any(height[name] > spill.UNIT[name] for name in height):
        return None
    files = [
        Lying(each.table.name, each.path, each.name, stamp_of(each.path))
        for each in mine.values()
        if each.path is not None
    ]
    tables = [each.table for each in mine.values()]
    runs = _all_runs(list(zip(tables, sources.values(), strict=True)), count)
    cuts = None if runs is None else _cuts(runs, height)
    if cuts is None:
        return None
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        hashes = pool.map(file_sha256, [file.path for file in files])
        told = {
            n: _file(mine[n].table, sources[n], sha256, file.stamp[0])
            for n, file, sha256 in zip(mine, files, hashes, strict=True)
        }
    rows = [source.height for source in sources.values()]
    units = _stretches(cuts, [(file.table, n) for file, n in zip(files, rows, strict=True)])
    return InPlace(files, units), told


def _may_lie(given: Given) -> bool:
    """Whether it is a Parquet file as it is."""
    by_name = given.mapping is None and given.source is None and not given.member
    return by_name and given.path is not None and given.path.suffix.lower() in ENDINGS


def _file(table: Table, source: Parquet, sha256: str, size: int) -> File:
    present = columns.match(source.header, table)
    unused = tuple(name for name in source.header if name not in present.values())
    return File(source, table, [], frozenset(present), unused, source.height, 0, sha256, size)


def _all_runs(
    sources: Sequence[tuple[Table, Parquet]], count: Callable[[int], None]
) -> Mapping[str, pl.DataFrame] | None:
    """For each table the ``runs`` of all its files together; None where they are too many."""
    for table, source in sources:
        columns.require(columns.match(source.header, table), source.header, table, source)
    found: dict[str, list[pl.DataFrame]] = {name: [] for name in spill.BULK}
    start = dict.fromkeys(spill.BULK, 0)
    seen = dict.fromkeys(spill.BULK, 0)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for table, runs, rows in ahead(pool, _runs_of_part, _parts(sources)):
            found[table.name].append(runs.with_columns(pl.col("first") + start[table.name]))
            start[table.name] += rows
            seen[table.name] += runs.height
            if seen[table.name] * _MANY > start[table.name] + spill.UNIT[table.name]:
                return None
            count(rows)
    empty = pl.DataFrame(schema={"shoe": pl.UInt64, "first": pl.Int64, "rows": pl.Int64})
    return {name: pl.concat([empty, *frames]) for name, frames in found.items()}


Part = tuple[Table, Parquet, int, int]
"""Some rows of a file: the first, counted from 0, and how many."""


def _parts(sources: Sequence[tuple[Table, Parquet]]) -> Iterator[Part]:
    for table, source in sources:
        for first in range(0, source.height, MOST_OF_FEW):
            yield table, source, first, min(MOST_OF_FEW, source.height - first)


def _runs_of_part(part: Part) -> tuple[Table, pl.DataFrame, int]:
    table, source, first, rows = part
    names = columns.match(source.header, table)
    (batch,) = source.between(first, rows, _keys(names))
    return table, _runs(batch.stored, table, names), rows


def _keys(names: Mapping[str, str]) -> list[str]:
    return [names[name] for name in SHOE if name in names]


def _runs(stored: pl.DataFrame, table: Table, names: Mapping[str, str]) -> pl.DataFrame:
    """Rows of one shoe that follow one another: a number for the ``shoe``, ``first``, ``rows``.

    Two shoes may have one number, which then are never parted: that does no harm.
    """
    begins = stored.select(
        pl.any_horizontal(pl.all().ne_missing(pl.all().shift(1))) | (pl.int_range(pl.len()) == 0)
    ).to_series()
    first = begins.arg_true().cast(pl.Int64)
    some = stored.filter(begins)
    typed = {}
    for name in SHOE:
        column = table.column(name)
        default = pl.Series([column.default], dtype=pl.String)
        if name in names:
            text, value = cells.read(column, some[names[name]])
            typed[name] = value.zip_with(text.is_not_null(), default)
        else:
            typed[name] = default.new_from_index(0, some.height)
    shoes = pl.DataFrame(typed)
    whole = shoes.select(pl.all_horizontal(pl.all().is_not_null())).to_series()
    return pl.DataFrame(
        {
            "shoe": shoes.hash_rows().zip_with(whole, pl.Series([None], dtype=pl.UInt64)),
            "first": first,
            "rows": first.shift(-1, fill_value=stored.height) - first,
        }
    )


def _cuts(
    runs: Mapping[str, pl.DataFrame], height: Mapping[str, int]
) -> list[tuple[int, int]] | None:
    """Rows of rounds and of bets before which a unit ends; None where shoes lie too far apart."""
    ways = _ways(runs, height)
    share = pl.max_horizontal(pl.col(name) / spill.UNIT[name] for name in spill.BULK)
    shares = ways.select(share).to_series()
    number = spill.units_for(shares[-1])
    wanted = [shares[-1] * part / number for part in range(1, number)]
    at = sorted({*shares.search_sorted(pl.Series(wanted, dtype=pl.Float64)), ways.height - 1})
    cuts: list[tuple[int, int]] = [(0, 0), *ways[at].iter_rows()]
    for before, after in pairwise(cuts):
        parts = zip(spill.BULK, before, after, strict=True)
        if any(end - start > spill.UNIT[name] * _LARGEST for name, start, end in parts):
            return None
    return cuts[1:]


def _ways(runs: Mapping[str, pl.DataFrame], height: Mapping[str, int]) -> pl.DataFrame:
    """All rows, of ``rounds`` and ``bets``, before which every shoe has ended or not begun."""
    rounds, bets = (
        runs[name]
        .drop_nulls("shoe")
        .group_by("shoe")
        .agg(
            pl.col("first").min().alias(f"{name}_first"),
            (pl.col("first") + pl.col("rows")).max().alias(f"{name}_end"),
        )
        for name in spill.BULK
    )
    shoes = rounds.join(bets, on="shoe", how="full", coalesce=True)
    # A shoe of bets alone goes before the shoe whose bets come next.
    with_bets = shoes.filter(pl.col("bets_first").is_not_null()).sort("bets_first")
    placed = with_bets.with_columns(pl.col("rounds_first").backward_fill().alias("by"))
    rest = shoes.filter(pl.col("bets_first").is_null())
    ordered = pl.concat([placed, rest.with_columns(pl.col("rounds_first").alias("by"))]).sort(
        "by", pl.col("rounds_first").is_not_null(), "bets_first", nulls_last=True
    )
    ends = [pl.col(f"{name}_end").fill_null(0).cum_max() for name in spill.BULK]
    begins = [
        pl.col(f"{name}_first")
        .fill_null(height[name])
        .cum_min(reverse=True)
        .shift(-1, fill_value=height[name])
        .alias(name)
        for name in spill.BULK
    ]
    free = pl.all_horizontal(end <= begin for end, begin in zip(ends, begins, strict=True))
    ways = ordered.select(*begins, free.alias("free")).filter("free").drop("free")
    last = pl.DataFrame({name: [height[name]] for name in spill.BULK}, ways.schema)
    return ways if ways.height else last


def _stretches(
    cuts: Sequence[tuple[int, int]], files: Sequence[tuple[str, int]]
) -> list[list[Stretch]]:
    """The stretches of each unit, which ends before the rows ``cuts`` of rounds and bets.

    ``files`` has the table and the rows of each file, in the order of the log.
    """
    units: list[list[Stretch]] = [[] for _ in cuts]
    for place, name in enumerate(spill.BULK):
        ends = [cut[place] for cut in cuts]
        start = 0
        for number, (table, rows) in enumerate(files):
            if table != name:
                continue
            for unit, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
                low, high = max(begin, start), min(end, start + rows)
                if low < high:
                    units[unit].append((number, low - start, high - low))
            start += rows
    return units
