"""The place of a row: its shoe and its round as one number, by which rows are sorted and joined.

Words are dear to sort and to compare. A log has few shoes, whose rows mostly follow one another,
so the words of a shoe are looked at once for each run of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from audit.normalise.duplicates import SHOE
from audit.resolve.frames import as_one, beginnings

PLACE = "place"
WIDTH = 1 << 31
"""More than any round number that is read. A place is the number of the shoe times this, and
the round's number."""

Order = Callable[[pl.DataFrame], pl.Series]
"""A number for each of some shoes, which go by it first, and only then by their names."""


def by_name(shoes: pl.DataFrame) -> pl.Series:
    """Shoes go by their names alone."""
    return pl.zeros(shoes.height, eager=True)


def as_they_lie(shoes: pl.DataFrame) -> pl.Series:
    """Shoes stay in the order of the log: where it is sorted, no row need be moved."""
    return pl.int_range(shoes.height, eager=True)


def places(frames: Sequence[pl.DataFrame], order: Order = by_name) -> list[pl.Series]:
    """``PLACE`` (Int64) of the rows of each frame, which has the columns of a key.

    Rows of one key have one place in all frames, and places are sorted as keys are: by ``order``
    (which is given the shoes in the order of their first rows), casino, table, shoe and round
    number. Null where a part of the key is null.
    """
    found_runs = [runs(frame) for frame in frames]
    keys = pl.concat([key for _, key in found_runs])
    coded = keys.with_columns(as_one(keys, SHOE))
    shoes = coded.unique("code", keep="first", maintain_order=True).drop_nulls()
    shoes = shoes.with_columns(order(shoes).alias("first")).sort("first", *SHOE)
    ranks = shoes.select("code", pl.int_range(pl.len(), dtype=pl.Int64).alias("shoe"))
    rank = coded.select("code").join(ranks, on="code", how="left", maintain_order="left")["shoe"]
    found, start = [], 0
    for frame, (run, key) in zip(frames, found_runs, strict=True):
        shoe = rank.slice(start, key.height).gather(run)
        found.append((shoe * WIDTH + frame["round_no"]).alias(PLACE))
        start += key.height
    return found


def runs(frame: pl.DataFrame) -> tuple[pl.Series, pl.DataFrame]:
    """Rows of one shoe that follow one another: which run each row is in, and their shoes."""
    first = beginnings(frame, SHOE)
    number = pl.zeros(frame.height, pl.UInt32, eager=True).scatter(first, 1).cum_sum() - 1
    return number, frame.select(pl.col(SHOE).gather(first).cast(pl.String))
