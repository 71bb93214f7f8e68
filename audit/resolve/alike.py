"""Bets that are alike: one of each is judged, and the others with it.

Most bets of a log repeat a few thousand combinations of a fate and sums of money. To find them is
most of the work of judging, so they are found by a number that is mixed from all of these, and
then proved to be alike.
"""

from __future__ import annotations

from typing import cast

import polars as pl

from audit.resolve.frames import by_case

SAMPLE = 1 << 16
"""So many rows are looked at to see whether many are alike."""

_MIX = (1, 0x9E3779B97F4A7C1, 0x2545F4914F6CDD1, 0x5851F42D4C957F2)
"""What the columns are multiplied with; products may wrap."""

_DIVISORS = (16_381, 262_139, 4_194_217, 4_194_247, 4_194_271, 4_194_277, 4_194_287, 4_194_301)
"""Prime numbers: one of them leaves a different rest of each number, if these are not many."""


def alike(frame: pl.DataFrame) -> tuple[pl.Series, pl.DataFrame]:
    """The ``case`` (UInt32) of each row of up to four columns of whole numbers, and the cases.

    Rows of one case are alike; where hardly two are, each row is a case of its own.
    """
    if frame.head(SAMPLE).n_unique() * 2 > SAMPLE:
        return pl.int_range(frame.height, dtype=pl.UInt32, eager=True).alias("case"), frame
    mixed = pl.lit(0, pl.Int64)
    for name, by in zip(frame.columns, _MIX, strict=False):
        mixed = mixed + pl.col(name).cast(pl.Int64).fill_null(-1) * by
    number = frame.select(mixed.alias("mixed")).to_series().reinterpret(signed=False)
    rows = number.arg_unique()
    case = _numbered(number, number.gather(rows))
    if case is None:
        return by_case(frame, frame.columns)
    cases = frame[rows]
    if _same(cases.select(pl.all().gather(case)), frame):
        return case, cases
    return by_case(frame, frame.columns)


def one_of_each(case: pl.Series) -> pl.Series:
    """A row of each case, by its number."""
    most = cast(int | None, case.max())
    rows = pl.int_range(case.len(), dtype=pl.UInt32, eager=True)
    return pl.zeros(0 if most is None else most + 1, pl.UInt32, eager=True).scatter(case, rows)


def whole(rows: pl.DataFrame, cases: pl.DataFrame) -> pl.DataFrame:
    """``rows`` with all that their ``cases``, by the number ``case``, have in common."""
    others = cases.select(pl.all().exclude(rows.columns))
    return rows.hstack(others.select(pl.all().gather(rows["case"])))


def _same(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    return all(one[name].equals(other[name], null_equal=True) for name in one.columns)


def _numbered(number: pl.Series, different: pl.Series) -> pl.Series | None:
    """For each number which of the different ones it is.

    None where these are too many to be told apart by what a division leaves.
    """
    for divisor in _DIVISORS:
        rest = different % divisor
        if different.len() ** 2 < 4 * divisor and rest.n_unique() == different.len():
            which = pl.int_range(different.len(), dtype=pl.UInt32, eager=True)
            table = pl.zeros(divisor, pl.UInt32, eager=True).scatter(rest, which)
            return table.gather(number % divisor).alias("case")
    return None
