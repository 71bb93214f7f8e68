"""Small tools on sorted frames: sums that run through a shoe, and joins that copy nothing.

The running tools need a frame whose rows are numbered by position and sorted by shoe, with
``first_rid`` and ``last_rid``, the rows at which the row's shoe begins and ends. They go over the
column once and need no grouping, which is what makes many of them cheap.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

FIRST, LAST = pl.col("first_rid"), pl.col("last_rid")


def number(flag: pl.Expr) -> pl.Expr:
    """A flag as 0 or 1, unknown as 0."""
    return flag.fill_null(False).cast(pl.Int64)


def running(value: pl.Expr) -> pl.Expr:
    """Sum of an Int64 value over the rows of the shoe up to this one."""
    total = value.cum_sum()
    return total - (total - value).gather(FIRST)


def whole(value: pl.Expr) -> pl.Expr:
    """Sum of an Int64 value over all rows of the shoe."""
    total = value.cum_sum()
    return total.gather(LAST) - (total - value).gather(FIRST)


def previous(value: pl.Expr) -> pl.Expr:
    """The value one row before in the same shoe, null at its first row."""
    return pl.when(pl.col("rid") != FIRST).then(value.shift(1))


def following(value: pl.Expr) -> pl.Expr:
    """The value one row after in the same shoe, null at its last row."""
    return pl.when(pl.col("rid") != LAST).then(value.shift(-1))


def attach(frame: pl.DataFrame, other: pl.DataFrame, on: Sequence[str]) -> pl.DataFrame:
    """A left join that keeps the rows of ``frame`` as they lie and copies none of its columns."""
    found = frame.select(on).join(other, on=on, how="left", maintain_order="left")
    return frame.hstack(found.drop(on))
