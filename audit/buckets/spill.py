"""Typed rows by slot: in memory while they are few, else in files, the rows of each sorted.

A file is a row of Arrow IPC files of small record batches, so that the rows of a unit can be read
without the rest: within such a file all batches before a row are looked at to find it. Columns
that hold one value only are not in it; the index keeps them, how many rows of each slot the file
has, and where its pieces begin.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import polars as pl

from audit.buckets.slots import SLOTS, slots_in
from audit.errors import CaseError
from audit.normalise import cells
from audit.normalise.log import InMemory, stack
from audit.normalise.rows import READABLE, schema_of
from audit.schema import BETS, TABLES, Table

BULK = ("rounds", "bets")
"""The tables that grow with the log."""

UNIT = {"rounds": 250_000, "bets": 1_250_000}
"""Rows that one unit should hold at most. A log that has no more stays in memory."""

CHUNK = {"rounds": 400_000, "bets": 1_000_000}
"""Rows from which on what is held of a table goes into a file."""

FILES, LARGEST = 64, 4
"""Files after which the next ones are larger, and how many times as large they become at most.

A unit has rows in each file, and opening one costs as much as a thousand rows.
"""

BATCH = 2048
"""Rows of a record batch: what is read too much for a unit is a batch at either end."""

PIECE = 16 * BATCH
"""Rows of a piece of a file: a unit reads the pieces that it has rows in, and no other."""

_PLAIN = (pl.String, pl.Boolean, pl.Int64, pl.Int8, pl.UInt8, pl.UInt32)
"""Types whose values the index can hold."""

BY_NAME = {table.name: table for table in TABLES}

REPEATED = (*cells.REPEATED, "source")
"""Columns of text in which few values come again and again."""


@dataclass(frozen=True)
class Chunk:
    """One file of the spill: its place, the values of columns that are not in it, its slots.

    ``slots`` has a row for each slot in the file, sorted: ``slot`` and the number of ``rows``;
    ``pieces`` are the bytes at which its pieces begin, and its size.
    """

    table: str
    path: Path
    constant: Mapping[str, Any]
    slots: pl.DataFrame
    pieces: Sequence[int]

    def rows(self, start: int, count: int) -> Iterator[pl.DataFrame]:
        """``count`` rows from ``start`` on, in frames one after another."""
        with self.path.open("rb") as file:
            for piece in range(start // PIECE, (start + count - 1) // PIECE + 1):
                begins, ends = self.pieces[piece : piece + 2]
                file.seek(begins)
                there = max(start - piece * PIECE, 0)
                here = min(start + count - piece * PIECE, PIECE) - there
                data = file.read(ends - begins)
                yield pl.scan_ipc(data).slice(there, here).collect()


class Spill:
    """Keeps typed rows, in memory up to a unit's worth and in files of ``folder`` beyond."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.memory = InMemory()
        self.chunks: list[Chunk] = []
        self._rows = dict.fromkeys(BULK, 0)
        self._held: dict[str, list[pl.DataFrame]] = {name: [] for name in BULK}

    @property
    def spilled(self) -> bool:
        """Whether the log was too large for memory, so that it is in files now."""
        return bool(self.chunks)

    def add(self, table: str, frame: pl.DataFrame) -> None:
        """Keep the rows of one batch."""
        if table not in BULK:
            self.memory.add(table, frame)
            return
        self._rows[table] += frame.height
        self._held[table].append(short(frame) if self.spilled else frame)
        if self._rows[table] > UNIT[table]:
            held = sum(frame.height for frame in self._held[table])
            most = CHUNK[table] * min(1 + len(self.chunks) // FILES, LARGEST)
            if not self.spilled or held >= most:
                self._let_go(table)

    def close(self) -> None:
        """After the last batch: what is held goes to files too, or into memory for good."""
        for name in BULK:
            if self.spilled:
                self._let_go(name)
            else:
                self.memory.frames[name] = self._held[name]

    def _let_go(self, table: str) -> None:
        """Write what is held of a table; small batches together, so that files are not many."""
        held, self._held[table] = [short(frame) for frame in self._held[table]], []
        if held:
            self._write(table, stack(held, {**schema_of(BY_NAME[table]), READABLE: pl.Boolean()}))

    def _write(self, table: str, frame: pl.DataFrame) -> None:
        # Rows without a whole key are rejects, and nothing in any shoe hangs on them.
        slots = slots_in(frame)
        if slots.null_count():
            frame, slots = frame.filter(slots.is_not_null()), slots.drop_nulls()
        if frame.is_empty():
            return
        constant = {each.name: each[0] for each in frame.iter_columns() if _one_value(each)}
        kept = frame.drop(constant)
        if not slots.is_sorted():
            order = slots.to_frame().with_row_index("at").sort("slot", maintain_order=True)
            kept, slots = kept[order["at"]], order["slot"]
        counts = slots.rle().struct.unnest().select(slot="value", rows="len")
        path = self.folder / f"{table}-{len(self.chunks):06}.arrow"
        pieces = _write_pieces(kept, path)
        self.chunks.append(Chunk(table, path, constant, counts, pieces))


def short(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows whose words that come again and again are numbers of words, a fourth as large."""
    names = [name for name in REPEATED if name in frame.columns]
    return frame.with_columns(cells.numbered(frame[name])[0] for name in names)


def write_rows(frame: pl.DataFrame, path: Path) -> None:
    """Write a file of a run's own; CaseError where there is no room for it."""
    with room_for(path):
        frame.write_ipc(path, compression="lz4")


def _write_pieces(frame: pl.DataFrame, path: Path) -> list[int]:
    """Write a file of pieces; the bytes at which they begin, and its size."""
    places = [0]
    with room_for(path), path.open("wb") as file:
        for start in range(0, frame.height, PIECE):
            piece = io.BytesIO()
            rows = frame.slice(start, PIECE)
            rows.write_ipc(piece, compression="lz4", record_batch_size=BATCH)
            places.append(places[-1] + file.write(piece.getbuffer()))
    return places


@contextmanager
def room_for(path: Path) -> Iterator[None]:
    """CaseError where there is no room for the file of a run's own that the block writes."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        raise CaseError(
            f"what the run needs beside the case cannot be written ({str(error).splitlines()[0]})",
            where=str(path.parent.parent),
            hint="Make room there, or name another place",
        ) from error


def _one_value(values: pl.Series) -> bool:
    """Whether a column says the same in all rows, and the index can hold it."""
    if values.null_count():
        return values.null_count() == values.len()
    if values.dtype == pl.Categorical:
        values = values.to_physical()
    return values.dtype in _PLAIN and values[0] == values[-1] and (values == values[0]).all()


def rows_of(chunks: Iterable[Chunk], table: Table, first: int, last: int) -> pl.DataFrame:
    """All rows of the slots ``first`` to ``last``; those of a shoe are in the order of the log.

    Of bets, which are most of a log, the few words that come again and again stay numbers.
    """
    schema = {**schema_of(table), READABLE: pl.Boolean()}
    if table is BETS:
        schema |= {name: pl.Categorical() for name in REPEATED if name in schema}
    parts = []
    for chunk in chunks:
        if chunk.table != table.name:
            continue
        before = int(chunk.slots.filter(pl.col("slot") < first)["rows"].sum())
        here = chunk.slots.filter(pl.col("slot").is_between(first, last))
        count = int(here["rows"].sum())
        if count:
            told = [pl.lit(v).cast(schema[n]).alias(n) for n, v in chunk.constant.items()]
            rows = pl.concat(chunk.rows(before, count)).with_columns(*told)
            parts.append(rows.select(pl.col(n).cast(t) for n, t in schema.items()))
    return stack(parts, schema)


EVEN, FEW = 4, 32
"""Fewer units than ``FEW`` are made a multiple of ``EVEN``, so that processes share alike.

The number never hangs on the machine, since the bytes of the case hang on the units.
"""


def units_for(share: float) -> int:
    """Units for a log that fills so many (``UNIT``)."""
    number = max(1, ceil(share))
    return number if number >= FEW else -(-number // EVEN) * EVEN


def ranges(chunks: Iterable[Chunk]) -> list[tuple[int, int]]:
    """Ranges of slots, first and last, whose rows make a unit each."""
    counts = pl.concat(
        chunk.slots.select(
            "slot",
            (pl.col("rows") / UNIT[chunk.table]).alias("share"),
            pl.lit(chunk.table).alias("table"),
        )
        for chunk in chunks
    )
    shares = counts.group_by("slot", "table").agg(pl.col("share").sum())
    whole = max(share for _, share in shares.group_by("table").agg(pl.sum("share")).iter_rows())
    shares = shares.group_by("slot").agg(pl.col("share").max()).sort("slot")
    most = min(1.0, whole / units_for(whole) + (shares["share"].max() or 0))
    out: list[tuple[int, int]] = []
    start, held = 0, 0.0
    for slot, share in shares.iter_rows():
        if held and held + share > most:
            out.append((start, slot - 1))
            start, held = slot, 0.0
        held += share
    return [*out, (start, SLOTS - 1)]
