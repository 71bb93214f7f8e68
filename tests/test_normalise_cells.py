"""A column is typed as it is stored, or by its different texts: always as cell by cell."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.normalise import cells
from audit.schema import BETS, ROUNDS, SHOES, TABLES, Column, Kind
from audit.sources import as_text
from audit.sources.texts import is_exact

EVERY = {column.kind: column for table in TABLES for column in table.columns}
"""A column of each kind."""

STORED = [
    pl.Series([0, 1, 9, 10, -1, 10**9, 10**9 + 1, 10**12 - 1, 10**12, -(2**63), 2**63 - 1, None]),
    pl.Series([0, 5, 2**64 - 1, None], dtype=pl.UInt64),
    pl.Series([0, 5, 2**100, -(2**100), None], dtype=pl.Int128),
    pl.Series([0, -128, 127, None], dtype=pl.Int8),
    pl.Series([True, False, None]),
    *(
        pl.Series([Decimal(text) if text else None for text in texts], dtype=pl.Decimal(38, scale))
        for scale, texts in [
            (0, ["0", "-7", "999999999999", "1000000000000", "9" * 38, None]),
            (2, ["0.01", "-0.5", "999999999999.99", "-1000000000000.00", "123456789.1", None]),
            (4, ["0.0001", "-5", "999999999999.9999", "1000000000000", "9" * 30, None]),
        ]
    ),
    *(
        pl.Series([0, -1, 1_182_787_199_999, 7_289_654_400_000, -(2**63), 2**63 - 1, None]).cast(
            pl.Datetime(unit)
        )
        for unit in ("ms", "us")
    ),
    pl.Series(
        [
            datetime(1899, 12, 31, 23, 59, 59, 999_999),
            datetime(1900, 1, 1),
            datetime(1969, 12, 31, 23, 59, 59, 5),
            datetime(2007, 6, 25, 23, 59, 59, 999_999),
            datetime(2200, 12, 31, 23, 59, 59, 999_999),
            datetime(2201, 1, 1),
        ],
        dtype=pl.Datetime("us"),
    ),
    pl.Series([date(1, 1, 1), date(2007, 6, 26), date(9999, 12, 31), None]),
    pl.Series([-(2**31), 2**31 - 1, -719_163, 2_932_897], dtype=pl.Int32).cast(pl.Date),
]


def cell_by_cell(column: Column, own: pl.Series) -> tuple[pl.Series, pl.Series]:
    text = cells.strip(as_text(own))
    return text, cells.typed(column, text)


@pytest.mark.parametrize("own", STORED, ids=lambda own: str(own.dtype))
@pytest.mark.parametrize("column", EVERY.values(), ids=lambda column: column.kind.name)
def test_what_is_stored_is_typed_as_its_text_is(column: Column, own: pl.Series) -> None:
    assert is_exact(own.dtype)
    text, values = cells.read(column, own)
    by_text, by_cell = cell_by_cell(column, own)
    assert values.dtype == by_cell.dtype
    assert values.to_list() == by_cell.to_list()
    assert text.is_null().to_list() == by_text.is_null().to_list()


WORDS = [
    "",
    " ",
    "\0",
    "a",
    " a",
    "A ",
    "Banker",
    "莊",
    "banker",
    "p",
    "0",
    "1.50",
    " 7",
    "-2",
    "1e3",
    "x\0",
]


@given(st.lists(st.sampled_from(WORDS) | st.none(), min_size=1, max_size=6), st.integers(1, 40))
def test_few_different_texts_are_typed_as_each_cell_is(few: list[str | None], times: int) -> None:
    for own in (few * times, [each for each in few for _ in range(times)]):
        series = pl.Series(own, dtype=pl.String)
        for column in (
            BETS.column("bet"),
            BETS.column("bet_id"),
            BETS.column("paid"),
            ROUNDS.column("outcome"),
            ROUNDS.column("jackpot_pool"),
            SHOES.column("device"),
        ):
            text, values = cells.read(column, series)
            by_text, by_cell = cell_by_cell(column, series)
            assert (text.to_list(), values.to_list()) == (by_text.to_list(), by_cell.to_list())
            assert values.dtype == by_cell.dtype


def test_what_a_type_cannot_be_is_read_by_its_text() -> None:
    assert cells.stored(EVERY[Kind.TIME], pl.Series([5])) is None
    assert not is_exact(pl.Datetime("ns"))
    assert not is_exact(pl.Datetime("us", "UTC"))
    assert not is_exact(pl.Decimal(18, 6))
    assert not is_exact(pl.Float64())
