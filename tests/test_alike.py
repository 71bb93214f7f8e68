"""Rows that are alike get one case, whichever way they are found."""

from __future__ import annotations

import polars as pl
import pytest

from audit.resolve import alike as module
from audit.resolve.alike import alike, one_of_each, whole

MONEY = pl.DataFrame(
    {
        "fate": [0, 1, 0, 0, 1, 0],
        "stake": [100, 100, 100, 2**59, -100, 100],
        "paid": [0, 200, 0, 0, 0, 0],
        "commission_taken": [None, 0, None, None, -1, -1],
    },
    schema_overrides={"fate": pl.UInt32},
)
"""Rows 0 and 2 are alike; a commission that is not known is no commission of any amount."""


def sound(frame: pl.DataFrame) -> bool:
    """Whether each row has the case of its like, and no other row has it."""
    case, cases = alike(frame)
    told = cases.select(pl.all().gather(case))
    return told.equals(frame) and case.n_unique() == frame.unique().height


def test_rows_that_are_alike_have_one_case() -> None:
    assert sound(MONEY)
    assert sound(MONEY.clear())


def test_rows_that_are_mixed_to_one_number_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MIX", (0, 0, 0, 0))
    assert sound(MONEY)


def test_more_cases_than_can_be_told_apart_by_a_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_DIVISORS", (2,))
    assert sound(MONEY)


def test_where_hardly_two_are_alike_each_row_is_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAMPLE", 4)
    case, cases = alike(MONEY.select("stake", "paid"))
    assert case.to_list() == list(range(MONEY.height))
    assert cases.height == MONEY.height


def test_what_a_case_has_in_common_goes_beside_its_rows() -> None:
    rows = pl.DataFrame({"bet": ["a", "b", "c"], "case": [1, 0, 1]})
    cases = pl.DataFrame({"due": [5, 7], "bet": ["?", "?"]})
    assert whole(rows, cases).rows() == [("a", 1, 7), ("b", 0, 5), ("c", 1, 7)]


def test_one_row_of_each_case() -> None:
    case = pl.Series([2, 0, 1, 0], dtype=pl.UInt32)
    assert case.gather(one_of_each(case)).to_list() == [0, 1, 2]
    assert one_of_each(case.clear()).to_list() == []
