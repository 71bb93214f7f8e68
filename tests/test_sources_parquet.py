"""Parquet: values as a person would write them; damaged files are named."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from audit.errors import LogError
from audit.sources import open_source
from audit.sources.parquet import Parquet
from audit.sources.texts import as_text


def parquet(tmp_path: Path, frame: pl.DataFrame) -> pl.DataFrame:
    path = tmp_path / "rounds.parquet"
    frame.write_parquet(path)
    batches = list(open_source(path, path.name).batches())
    assert [batch.count for batch in batches] == [batch.rows.height for batch in batches]
    return pl.concat([batch.rows for batch in batches])


@pytest.mark.parametrize(
    ("values", "dtype", "texts"),
    [
        (["007", " x ", None], pl.String, ["007", " x ", None]),
        (["a", "b"], pl.Categorical, ["a", "b"]),
        ([1, -2, None], pl.Int32, ["1", "-2", None]),
        ([2**64 - 1], pl.UInt64, ["18446744073709551615"]),
        ([5.0, 0.1, 1.95, -0.5, None], pl.Float64, ["5", "0.1", "1.95", "-0.5", None]),
        (
            [1e21, 1e-7, 123456789.0, float("nan")],
            pl.Float64,
            ["1" + "0" * 21, "0.0000001", "123456789", None],
        ),
        ([0.1, 278.0], pl.Float32, ["0.1", "278"]),
        ([Decimal("1.50"), Decimal("100.00"), None], pl.Decimal(10, 2), ["1.5", "100", None]),
        ([Decimal("100")], pl.Decimal(10, 0), ["100"]),
        ([True, False, None], pl.Boolean, ["true", "false", None]),
        ([date(2007, 6, 25)], pl.Date, ["2007-06-25"]),
        ([b"K\xe2\x99\xa0"], pl.Binary, ["K♠"]),
        ([None, None], pl.Null, [None, None]),
        ([["KS", "5H"], [], None, ["7D", None]], pl.List(pl.String), ["KS 5H", None, None, "7D"]),
        ([["KS", "5H"]], pl.Array(pl.String, 2), ["KS 5H"]),
        ([[1, 2]], pl.List(pl.Int64), ["1 2"]),
    ],
)
def test_parquet_values_as_a_person_would_write_them(
    tmp_path: Path, values: list[object], dtype: pl.DataType, texts: list[str | None]
) -> None:
    assert (
        parquet(tmp_path, pl.DataFrame({"x": pl.Series(values, dtype=dtype)}))["x"].to_list()
        == texts
    )


def test_parquet_times(tmp_path: Path) -> None:
    moment = datetime(2007, 6, 25, 23, 59, 59, 120000)
    aware = datetime(2007, 6, 25, 23, 59, 59, tzinfo=ZoneInfo("Asia/Macau"))
    frame = pl.DataFrame(
        {
            "us": pl.Series([moment, moment.replace(microsecond=0)], dtype=pl.Datetime("us")),
            "ms": pl.Series([moment, None], dtype=pl.Datetime("ms")),
            "ns": pl.Series([moment, moment], dtype=pl.Datetime("ns")),
            "aware": pl.Series([aware, aware], dtype=pl.Datetime("us", "Asia/Macau")),
        }
    )
    got = parquet(tmp_path, frame)
    assert got["us"][1] == "2007-06-25 23:59:59"
    assert got["us"][0].startswith("2007-06-25 23:59:59.12")
    assert got["ms"].to_list()[1] is None
    assert got["ns"][0].startswith("2007-06-25 23:59:59.12")
    assert got["aware"][0] == "2007-06-25 15:59:59Z"


def test_parquet_in_slices(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    pl.DataFrame({"x": range(10)}).write_parquet(path)
    batches = list(Parquet(path, "r", rows=4).batches())
    assert [(batch.first, batch.count) for batch in batches] == [(1, 4), (5, 4), (9, 2)]
    assert [x for batch in batches for x in batch.rows["x"]] == [str(n) for n in range(10)]


def test_binary_that_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="column 'x' holds Binary values that are no text"):
        parquet(tmp_path, pl.DataFrame({"x": [b"\xff"]}))


def test_broken_parquet(tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    pl.DataFrame({"x": range(1000), "y": ["text"] * 1000}).write_parquet(whole)
    content = whole.read_bytes()
    for broken in (b"", b"PAR1", b"not parquet", content[:-20], content[: len(content) // 2]):
        path = tmp_path / "rounds.parquet"
        path.write_bytes(broken)
        with pytest.raises(LogError, match=r"rounds\.parquet: .*(empty|no sound Parquet)"):
            list(open_source(path, path.name).batches())


def test_more_words_in_a_dictionary_than_rows(tmp_path: Path) -> None:
    """polars writes all words of an Enum, whether a row has them or not."""
    path = tmp_path / "rounds.parquet"
    words = pl.Enum([f"word {n}" for n in range(15)])
    pl.DataFrame({"x": ["word 3", None]}, schema={"x": words}).write_parquet(path)
    (batch,) = open_source(path, path.name).batches()
    assert batch.stored["x"].to_list() == ["word 3", None]


def test_parquet_cut_short_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    pl.DataFrame({"x": range(100), "y": ["text"] * 100}).write_parquet(path)
    content = path.read_bytes()
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        with pytest.raises(LogError, match=r"empty|no sound Parquet"):
            list(open_source(path, path.name).batches())


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_moments_beyond_any_calendar_stay_numbers(unit: Literal["ms", "us", "ns"]) -> None:
    stored = pl.Series("t", [2**62, 0, None, -(2**62)])
    texts = as_text(stored.cast(pl.Datetime(unit))).to_list()
    assert texts[1:3] == ["1970-01-01 00:00:00", None]
    if unit != "ns":  # nanoseconds do not reach so far
        assert (texts[0], texts[3]) == (str(2**62), str(-(2**62)))
    days = pl.Series("d", [2**31 - 1, 0], dtype=pl.Int32).cast(pl.Date)
    assert as_text(days).to_list() == ["2147483647", "1970-01-01"]
