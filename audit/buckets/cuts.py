"""Where a log can be cut: rows before which every shoe has ended or not begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import polars as pl

from audit.buckets import spill

_LARGEST = 1.25
"""Shares of a unit (``spill.UNIT``) that one may have where shoes are long."""

Stretch = tuple[int, int, int]
"""Number of the file, its first row, counted from 0, and the number of rows."""


def cuts(
    runs: Mapping[str, pl.DataFrame], height: Mapping[str, int]
) -> list[tuple[int, int]] | None:
    """Rows of rounds and of bets before which a unit ends; None where shoes lie too far apart."""
    found = ways(runs, height)
    share = pl.max_horizontal(pl.col(name) / spill.UNIT[name] for name in spill.BULK)
    shares = found.select(share).to_series()
    number = spill.units_for(shares[-1])
    wanted = [shares[-1] * part / number for part in range(1, number)]
    at = sorted({*shares.search_sorted(pl.Series(wanted, dtype=pl.Float64)), found.height - 1})
    at_rows: list[tuple[int, int]] = [(0, 0), *found[at].iter_rows()]
    for before, after in pairwise(at_rows):
        parts = zip(spill.BULK, before, after, strict=True)
        if any(end - start > spill.UNIT[name] * _LARGEST for name, start, end in parts):
            return None
    return at_rows[1:]


def ways(runs: Mapping[str, pl.DataFrame], height: Mapping[str, int]) -> pl.DataFrame:
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
    found = ordered.select(*begins, free.alias("free")).filter("free").drop("free")
    last = pl.DataFrame({name: [height[name]] for name in spill.BULK}, found.schema)
    return found if found.height else last


def stretches(
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
