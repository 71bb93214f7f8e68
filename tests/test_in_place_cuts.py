"""Where a log in place may be cut: against a plain look at every pair of rows."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.buckets import spill
from audit.buckets.cuts import _LARGEST, stretches, ways
from audit.buckets.cuts import cuts as cuts_of

Rows = Sequence[int | None]
"""The shoe of each row of a table, by number; None where its key cannot be read."""

ANY = st.lists(st.sampled_from([None, *range(7)]), max_size=14)


@st.composite
def in_order(draw: st.DrawFn) -> tuple[Rows, Rows]:
    """Tables whose shoes follow one another, some of them in one table only."""
    rounds: list[int | None] = []
    bets: list[int | None] = []
    for shoe in range(draw(st.integers(1, 9))):
        for table in (rounds, bets):
            table += [None] * draw(st.integers(0, 1))
            table += [shoe] * draw(st.integers(0, 4))
    return rounds, bets


def runs(rows: Rows) -> pl.DataFrame:
    found: list[list[int | None]] = []
    for place, shoe in enumerate(rows):
        if place and rows[place - 1] == shoe:
            found[-1][2] = (found[-1][2] or 0) + 1
        else:
            found.append([shoe, place, 1])
    schema = {"shoe": pl.UInt64, "first": pl.Int64, "rows": pl.Int64}
    return pl.DataFrame(found, schema=schema, orient="row")


def ended(rounds: Rows, bets: Rows, cut: tuple[int, int]) -> set[int | None]:
    return {*rounds[: cut[0]], *bets[: cut[1]]} - {None}


def parts_none(rounds: Rows, bets: Rows, cut: tuple[int, int]) -> bool:
    begun = {*rounds[cut[0] :], *bets[cut[1] :]}
    return not ended(rounds, bets, cut) & begun


def ways_of(rounds: Rows, bets: Rows) -> list[tuple[int, int]]:
    height = {"rounds": len(rounds), "bets": len(bets)}
    return ways({"rounds": runs(rounds), "bets": runs(bets)}, height).rows()


@settings(max_examples=300)
@given(ANY, ANY)
def test_no_way_parts_a_shoe(rounds: Rows, bets: Rows) -> None:
    ways = ways_of(rounds, bets)
    assert ways[-1] == (len(rounds), len(bets))
    assert all(parts_none(rounds, bets, cut) for cut in ways)
    for place in (0, 1):
        assert [cut[place] for cut in ways] == sorted(cut[place] for cut in ways)


@settings(max_examples=200)
@given(ANY, ANY)
def test_every_way_is_found_where_all_shoes_have_rounds(rounds: Rows, bets: Rows) -> None:
    bets = [shoe for shoe in bets if shoe in {*rounds, None}]
    every = [(row, bet) for row in range(len(rounds) + 1) for bet in range(len(bets) + 1)]
    found = [frozenset(ended(rounds, bets, cut)) for cut in ways_of(rounds, bets)]
    possible = {
        frozenset(ended(rounds, bets, cut)) for cut in every if parts_none(rounds, bets, cut)
    }
    assert {*found} - {frozenset()} == possible - {frozenset()}


@settings(max_examples=300)
@given(in_order(), st.integers(1, 12), st.integers(1, 12))
def test_cuts_are_ways_and_units_are_of_their_size(
    tables: tuple[Rows, Rows], most_rounds: int, most_bets: int
) -> None:
    unit = {"rounds": most_rounds, "bets": most_bets}
    height = dict(zip(spill.BULK, map(len, tables), strict=True))
    found = {name: runs(rows) for name, rows in zip(spill.BULK, tables, strict=True)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spill, "UNIT", unit)
        cuts = cuts_of(found, height)
        if cuts is None:
            return
        assert cuts[-1] == tuple(height.values())
        assert set(cuts) <= set(ways_of(*tables))
        before = (0, 0)
        for cut in cuts:
            for name, begin, end in zip(spill.BULK, before, cut, strict=True):
                assert 0 <= end - begin <= unit[name] * _LARGEST
            before = cut


def test_units_are_as_large_as_asked_where_shoes_are_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spill, "UNIT", {"rounds": 100, "bets": 1_000})
    rounds = [row // 5 for row in range(1_000)]
    bets = [row // 15 for row in range(3_000)]
    height = {"rounds": len(rounds), "bets": len(bets)}
    cuts = cuts_of({"rounds": runs(rounds), "bets": runs(bets)}, height)
    # Twelve, so that four processes share alike.
    assert cuts is not None
    assert [end for end, _ in cuts] == [85, 170, 250, 335, 420, 500, 585, 670, 750, 835, 920, 1_000]
    assert [end for _, end in cuts] == [3 * end for end, _ in cuts]


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=5),
    st.lists(st.integers(0, 6), max_size=5),
    st.data(),
)
def test_stretches_hold_every_row_once(
    rounds: list[int], bets: list[int], data: st.DataObject
) -> None:
    files = [("bets", rows) for rows in bets] + [("rounds", rows) for rows in rounds]
    files = data.draw(st.permutations(files))
    heights = sum(rounds), sum(bets)
    ends = [sorted(data.draw(st.lists(st.integers(0, h), min_size=3, max_size=3))) for h in heights]
    cuts = [*zip(*ends, strict=True), heights]
    units = stretches(cuts, files)
    seen: dict[str, list[tuple[int, int]]] = {name: [] for name in spill.BULK}
    before = (0, 0)
    for cut, unit in zip(cuts, units, strict=True):
        for name, begin, end in zip(spill.BULK, before, cut, strict=True):
            mine = [
                (number, row)
                for number, first, count in unit
                for row in range(first, first + count)
                if files[number][0] == name
            ]
            assert len(mine) == end - begin
            seen[name] += mine
        before = cut
    for name in spill.BULK:
        every = [
            (n, row)
            for n, (table, rows) in enumerate(files)
            for row in range(rows)
            if table == name
        ]
        assert seen[name] == every
