"""The slot of a shoe: a number from 0 to 65,535 that its casino, table and id decide."""

from __future__ import annotations

import zlib

import polars as pl

from audit.resolve.rounds import SHOE_KEY

SLOTS = 1 << 16
"""As many as UInt16 holds: fine enough to cut any log into units of about the same size."""


def with_slots(rows: pl.DataFrame) -> pl.DataFrame:
    """``rows`` with their ``slot`` (UInt16); null where a part of the key is null."""
    shoes = rows.select(SHOE_KEY).unique()
    # Our own arithmetic on each shoe once: the hashes of a library may change with its version.
    slots = [_slot(shoe) for shoe in shoes.iter_rows()]
    numbered = shoes.with_columns(pl.Series("slot", slots, dtype=pl.UInt16))
    return rows.join(numbered, on=SHOE_KEY, how="left", maintain_order="left")


def _slot(shoe: tuple[str | None, ...]) -> int | None:
    if None in shoe:
        return None
    return zlib.crc32("\0".join(map(str, shoe)).encode()) % SLOTS
