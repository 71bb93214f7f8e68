"""The slot of a shoe: a number from 0 to 65,535 that its casino, table and id decide."""

from __future__ import annotations

import zlib

import polars as pl

from audit.resolve.places import runs
from audit.resolve.rounds import SHOE_KEY

SLOTS = 1 << 16
"""As many as UInt16 holds: fine enough to cut any log into units of about the same size."""


def slots_in(rows: pl.DataFrame) -> pl.Series:
    """The ``slot`` (UInt16) of each row; null where a part of the key is null."""
    run, shoes = runs(rows)
    different = shoes.unique()
    slots = different.with_columns(slots_of(different))
    found = shoes.join(slots, on=SHOE_KEY, how="left", maintain_order="left", nulls_equal=True)
    return found["slot"].gather(run)


def slots_of(shoes: pl.DataFrame) -> pl.Series:
    """The ``slot`` of each of some shoes."""
    # Our own arithmetic on each shoe once: the hashes of a library may change with its version.
    slots = [_slot(shoe) for shoe in shoes.select(SHOE_KEY).iter_rows()]
    return pl.Series("slot", slots, dtype=pl.UInt16)


def _slot(shoe: tuple[str | None, ...]) -> int | None:
    if None in shoe:
        return None
    return zlib.crc32("\0".join(map(str, shoe)).encode()) % SLOTS
