"""Several columns as one number, and a part spread over the frame that it was taken from."""

from __future__ import annotations

from datetime import date

import polars as pl

from audit.resolve.frames import as_one, by_case, spread


def alike(frame: pl.DataFrame) -> list[list[bool]]:
    """Which rows have one number."""
    code = as_one(frame, frame.columns)
    return [[one == other for other in code] for one in code]


def test_one_number_for_rows_that_are_alike() -> None:
    frame = pl.DataFrame(
        {
            "word": ["a", "b", "a", None, None, "a"],
            "flag": [True, True, True, None, None, False],
            "day": [date(1969, 12, 31), date(2007, 7, 1), date(1969, 12, 31), None, None, None],
            "number": [-1, 2, -1, 0, 0, -1],
        }
    )
    rows = frame.rows()
    assert alike(frame) == [[one == other for other in rows] for one in rows]


def test_null_is_no_value_beside_others() -> None:
    frame = pl.DataFrame({"a": [None, 0, 1, None], "b": [1, None, None, 0]})
    assert as_one(frame, ["a", "b"]).n_unique() == 4


def test_numbers_too_great_together_stay_apart() -> None:
    far = 2**62
    frame = pl.DataFrame({"a": [0, far, 0, far], "b": [0, 0, far, far], "c": [7, 7, 7, 7]})
    assert as_one(frame, ["a", "b", "c"]).n_unique() == 4
    assert as_one(pl.concat([frame, frame]), ["a", "b", "c"]).n_unique() == 4


def test_a_frame_without_rows_has_no_cases() -> None:
    case, cases = by_case(pl.DataFrame(schema={"a": pl.String, "b": pl.Int64}), ["a", "b"])
    assert case.to_list() == []
    assert cases.height == 0


def test_cases_come_in_the_order_of_their_first_rows() -> None:
    frame = pl.DataFrame({"a": ["y", "x", "y", None], "b": [1, 1, 1, None], "c": [1, 2, 3, 4]})
    case, cases = by_case(frame, ["a", "b"])
    assert case.to_list() == [0, 1, 0, 2]
    assert cases.rows() == [("y", 1), ("x", 1), (None, None)]


def test_a_part_is_spread_over_its_rows() -> None:
    frame = pl.DataFrame({"n": [1, 2, 3, 4]})
    here = pl.Series([False, True, None, True])
    part = pl.DataFrame({"word": ["two", "four"]})
    assert spread(frame, here, part).rows() == [(1, None), (2, "two"), (3, None), (4, "four")]
