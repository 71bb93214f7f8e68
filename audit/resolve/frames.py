"""Small tools on sorted frames: sums that run through a shoe, and joins that copy nothing.

The running tools need a frame whose rows are numbered by position and sorted by shoe, with
``first_rid`` and ``last_rid``, the rows at which the row's shoe begins and ends. They go over the
column once and need no grouping, which is what makes many of them cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import polars as pl

_MOST = 2**62
"""Above this, numbers are renumbered before they are put together, so that none is too great."""

_TABLE = 1 << 22
"""More codes than this are not looked up in a table of all of them."""

_NOT_SET = (pl.Int128, pl.String, pl.List)
"""Types of which single values are set more slowly than a whole column is gathered."""

FIRST, LAST = pl.col("first_rid"), pl.col("last_rid")


def number(flag: pl.Expr) -> pl.Expr:
    """A flag as 0 or 1, unknown as 0."""
    return flag.fill_null(False).cast(pl.Int64)


def running(value: pl.Expr) -> pl.Expr:
    """Sum of an Int64 value over the rows of the shoe up to this one."""
    total = value.cum_sum()
    return total - (total - value).gather(FIRST)


def previous(value: pl.Expr) -> pl.Expr:
    """The value one row before in the same shoe, null at its first row."""
    return pl.when(pl.col("rid") != FIRST).then(value.shift(1))


def following(value: pl.Expr) -> pl.Expr:
    """The value one row after in the same shoe, null at its last row."""
    return pl.when(pl.col("rid") != LAST).then(value.shift(-1))


def beginnings(frame: pl.DataFrame, keys: Sequence[str]) -> pl.Series:
    """The rows (UInt32) at which other ``keys`` begin than those of the row before, from the first.

    For each key its runs are found apart: far fewer than rows, and quicker than to compare these.
    """
    ends = pl.concat(frame[key].rle().struct.field("len").cum_sum() for key in keys)
    starts = pl.concat([pl.Series([0], dtype=pl.UInt32), ends.unique().sort()])
    return starts.head(starts.len() - 1)


def first_in_shoes(flag: pl.Series, shoe: pl.Series) -> pl.Series:
    """The first row with the ``flag`` of each ``shoe`` (a number from 0); null for none."""
    rows = flag.arg_true()
    having = shoe.gather(rows)
    first = beginnings(having.to_frame(), [having.name])
    shoes = cast(int | None, shoe.max())
    none = pl.repeat(None, 0 if shoes is None else shoes + 1, dtype=pl.UInt32, eager=True)
    return none.scatter(having.gather(first), rows.gather(first))


def attach(frame: pl.DataFrame, other: pl.DataFrame, on: Sequence[str]) -> pl.DataFrame:
    """A left join that keeps the rows of ``frame`` as they lie and copies none of its columns."""
    found = frame.select(on).join(other, on=on, how="left", maintain_order="left")
    return frame.hstack(found.drop(on))


def spread(frame: pl.DataFrame, here: pl.Series, part: pl.DataFrame) -> pl.DataFrame:
    """``frame`` beside ``part``, which has a row for each of its rows that ``here`` picks.

    Both are in one order; the other rows get nulls.
    """
    at = here.arg_true()
    nth = _nulls(here.len(), pl.UInt32()).scatter(at, pl.int_range(at.len(), eager=True))
    columns = [
        each.gather(nth).alias(each.name)
        if each.dtype in _NOT_SET
        else _nulls(here.len(), each.dtype).scatter(at, each).alias(each.name)
        for each in part.iter_columns()
        if each.name not in frame.columns
    ]
    return frame.hstack(columns)


def _nulls(length: int, dtype: pl.DataType) -> pl.Series:
    return pl.repeat(None, length, dtype=dtype, eager=True)


def as_one(frame: pl.DataFrame, keys: Sequence[str]) -> pl.Series:
    """Several ``keys`` (words, flags, days, whole numbers) as one number, ``code``.

    It is equal for two rows if and only if all of the keys are; UInt32 where that is enough, else
    Int64. One number is joined and grouped by in a fraction of the time that several columns take.
    """
    numbers = [_number(frame[key]) for key in keys]
    code, size = pl.zeros(frame.height, pl.UInt32, eager=True), 1
    for number, span in numbers:
        if size * span > _MOST:
            code, size = code.rank("dense").cast(pl.Int64), frame.height + 1
            number, span = number.rank("dense").cast(pl.Int64), frame.height + 1
        if span == 1:
            continue
        if size == 1:
            code = number
        else:
            kind = pl.UInt32 if size * span < 2**32 else pl.Int64
            code = code.cast(kind) * pl.Series([span], dtype=kind) + number.cast(kind)
        size *= span
    return code.alias("code")


def _number(key: pl.Series) -> tuple[pl.Series, int]:
    """A key as numbers from 0 on, null as the last of them, and how many they could be.

    The numbers are UInt32 where they fit it, else Int64.
    """
    if key.null_count() == key.len():
        return pl.zeros(key.len(), pl.UInt32, eager=True), 1
    if key.dtype == pl.Boolean:
        number, span = key.cast(pl.UInt32), 2
    else:
        number, span = _from_zero(key)
    if number.null_count():
        return number.fill_null(span), span + 1
    return number, span


def _from_zero(key: pl.Series) -> tuple[pl.Series, int]:
    if key.dtype == pl.String:
        key = key.cast(pl.Categorical)
    if key.dtype == pl.Int128:
        key = key.rank("dense")
    number = key.to_physical()
    least, most = cast(int, number.min()), cast(int, number.max())
    span = most - least + 1
    if least:
        number = (number if number.dtype == pl.UInt32 else number.cast(pl.Int64)) - least
    return number.cast(pl.UInt32 if span < 2**31 else pl.Int64), span


def by_case(frame: pl.DataFrame, keys: Sequence[str]) -> tuple[pl.Series, pl.DataFrame]:
    """The different combinations of ``keys``, and for each row of ``frame`` which one it has.

    What hangs on the keys alone can then be worked out on the few and gathered for the many.
    """
    code = as_one(frame, keys)
    most = cast(int | None, code.max()) or 0
    if most >= _TABLE:
        code = code.rank("dense").cast(pl.Int64) - 1
        most = code.len()
    rows = code.arg_unique()
    which = pl.int_range(rows.len(), dtype=pl.UInt32, eager=True)
    # Which of the different ones a code is, is looked up in a table of all codes.
    table = pl.zeros(most + 1, pl.UInt32, eager=True).scatter(code.gather(rows), which)
    return table.gather(code).alias("case"), frame.select(pl.col(keys).gather(rows))
