"""Rows that stay where they are: CSV and Parquet files in which one shoe lies after another.

Such a log needs no sorting: a unit is a stretch of each file, which the worker reads and types
itself. Where they begin and end is found by ``survey``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from audit.buckets import spill
from audit.buckets.cuts import Stretch
from audit.errors import LogError
from audit.normalise import columns
from audit.normalise.intake import stamp_of
from audit.normalise.log import stack
from audit.normalise.rejects import REJECTS
from audit.normalise.rows import READABLE, schema_of, type_batch
from audit.schema import BETS, ROUNDS
from audit.sources import Batch
from audit.sources.base import AT_REST, CHANGED
from audit.sources.delimited import DELIMITERS, Delimited
from audit.sources.parquet import Parquet
from audit.sources.pieces import ROWS, Piece, rows_in

_HEAD = 1 << 16
"""Bytes in which the header of a file of text is looked for at a time."""

ENDINGS = (".parquet", ".pq", *DELIMITERS)


@dataclass(frozen=True)
class Lying:
    """A file whose rows stay in it: where it is, what findings call it, its size and time.

    ``pieces`` say where the rows of a text are; a Parquet file says that itself.
    """

    table: str
    path: Path
    name: str
    stamp: tuple[int, int]
    pieces: Sequence[Piece] = ()

    def check(self) -> None:
        """LogError where the file is not what it was when its keys were read, or is gone."""
        try:
            same = stamp_of(self.path) == self.stamp
        except OSError:
            same = False
        if not same:
            raise LogError(CHANGED, where=self.name, hint=AT_REST)

    def open(self) -> Parquet | Delimited:
        """Open the file, which was looked over before; LogError where it is another by now."""
        self.check()
        if self.path.suffix.lower() in DELIMITERS:
            return Delimited(self.path, self.name, _HEAD)
        return Parquet(self.path, self.name, ROWS, examined=True)

    def rows(self, source: Parquet | Delimited, first: int, count: int) -> Iterator[Batch]:
        """``count`` rows from ``first`` on, counted from 0, of the opened file."""
        if isinstance(source, Parquet):
            return source.between(first, count)
        return rows_in(source, self.pieces, first, count)


@dataclass(frozen=True)
class InPlace:
    """A log that is not copied: its files, and the stretches that each unit consists of."""

    files: Sequence[Lying]
    units: Sequence[Sequence[Stretch]]

    def copied(self, folder: Path) -> InPlace:
        """The same with its files in ``folder``, where all machines of a cluster see them."""
        files = []
        for number, file in enumerate(self.files):
            copy = folder / f"log-{number:06}{file.path.suffix.lower()}"
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
            table = spill.BY_NAME[file.table]
            source = file.open()
            names = columns.match(source.header, table)
            for batch in file.rows(source, first, count):
                done = type_batch(batch, table, names, file.name, short=table is BETS)
                typed[table.name].append(spill.short(done.frame) if table is BETS else done.frame)
                if done.unreadable is not None:
                    rejects.append(done.unreadable)
        rounds, bets = (
            stack(typed[table.name], {**schema_of(table), READABLE: pl.Boolean()})
            for table in (ROUNDS, BETS)
        )
        return rounds, bets, pl.concat(rejects)
