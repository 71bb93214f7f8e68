"""Parquet files made one: what both readers find in it, where it says that things are, and what
is refused."""

from __future__ import annotations

import hashlib
import itertools
import random
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from audit import Job, parquet_join, run_audit
from audit.evidence import BET_COLUMNS, ROUND_COLUMNS
from audit.parquet_join import Joined, join_parquet
from audit.sources.parquet_footer import _Thrift, examine

SAMPLES = Path(__file__).resolve().parent.parent / "sample_logs"
MONEY, TIME = pl.Decimal(38, 6), pl.Datetime("us")


def part(path: Path, frame: pl.DataFrame, group: int = 262_144) -> Path:
    frame.lazy().sink_parquet(path, compression="zstd", row_group_size=group, statistics=True)
    return path


def parts(folder: Path, frame: pl.DataFrame, cuts: list[int], group: int = 262_144) -> list[Path]:
    ends = [0, *sorted(cuts), frame.height]
    spans = itertools.pairwise(ends)
    return [
        part(folder / f"{n}.parquet", frame[first:last], group)
        for n, (first, last) in enumerate(spans)
    ]


def moment(minutes: int) -> datetime:
    return datetime(2007, 7, 1) + timedelta(minutes=minutes)


def some(rows: int, seed: int = 1) -> pl.DataFrame:
    """Rows of all types that evidence has, with nulls, empty texts and a column of nulls alone."""
    chance = random.Random(seed)

    def column(dtype: pl.DataType | type[pl.DataType], *values: Any) -> pl.Series:
        cells = [chance.choice((*values, None)) for _ in range(rows)]
        return pl.Series(cells, dtype=dtype, strict=False)

    return pl.DataFrame(
        {
            "row": pl.Series(range(rows), dtype=pl.Int64),
            "shoe": pl.Series([f"S{n // 7:05d}" for n in range(rows)], dtype=pl.String),
            "text": column(pl.String, "", "KS 9H", "莊", "a" * 300),
            "at": pl.Series([moment(n) if n % 5 else None for n in range(rows)], dtype=TIME),
            "paid": column(MONEY, Decimal("-1.5"), Decimal("0"), Decimal(10) ** 30),
            "total": column(pl.Int8, -128, 0, 9),
            "code": column(pl.UInt8, 0, 255),
            "number": column(pl.Int64, -(2**63), 2**63 - 1, 0),
            "half": column(pl.Float64, 0.5, float("inf"), -0.0),
            "pair": column(pl.Boolean, True, False),
            "outcome": column(pl.Enum(["player", "banker", "tie"]), "player", "banker", "tie"),
            "source": column(pl.Categorical, "rounds.csv", "more.csv"),
            "day": pl.Series([datetime(2007, 7, 1).date()] * rows, dtype=pl.Date),
            "never": pl.Series([None] * rows, dtype=pl.String),
        }
    )  # fmt: skip


def described(path: Path) -> dict[int, Any]:
    """The description at the end of a file, decoded by the guard's own reader."""
    content = path.read_bytes()
    size = int.from_bytes(content[-8:-4], "little")
    return _Thrift(content[-8 - size : -8]).struct()


def in_duckdb(path: Path, query: str = "SELECT *") -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(f"{query} FROM read_parquet('{path}')").fetchall()


def plain(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    """As DuckDB gives it: words of a category are texts."""
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String)).rows()


def check_same(target: Path, frame: pl.DataFrame) -> None:
    """Both readers find the rows of ``frame``, all places are right, and our guard lets it pass."""
    assert_frame_equal(pl.read_parquet(target), frame, categorical_as_str=True)
    assert in_duckdb(target) == plain(frame)
    check_places(target)
    examine(target)


def check_places(path: Path) -> None:
    """Every place that the file names holds what is said to be there."""
    content = path.read_bytes()
    end = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    file = described(path)
    before = 4
    for number, group in enumerate(file[4]):
        assert group.get(7, number) == number
        assert group[5] == min(c[3].get(11, c[3][9]) for c in group[1])
        for chunk in group[1]:
            said = chunk[3]
            start = said.get(11, said[9])
            assert before <= start
            before = start + said[7]
            assert chunk[2] == 0  # what polars repeats behind the pages says where they were
            bounds = _Thrift(content[chunk[6] : chunk[6] + chunk[7]])
            pages = _Thrift(content[chunk[4] : chunk[4] + chunk[5]])
            located = pages.struct()[1]
            assert len(bounds.struct()[1]) == len(located)
            assert (bounds.at, pages.at) == (chunk[7], chunk[5])
            assert max(chunk[6] + chunk[7], chunk[4] + chunk[5]) <= end
            assert located[0][1] == said[9]
            for page in located:
                reader = _Thrift(content[page[1] :])
                header = reader.struct()
                assert 5 in header or 8 in header  # a page of values
                assert reader.at + header[3] == page[2]
                assert page[1] + page[2] <= before
            assert sum(page[2] for page in located) + said[9] - start == said[7]


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    case = tmp_path_factory.mktemp("join") / "case"
    run_audit(Job([SAMPLES / "wrong-payouts"], case))
    return {name: pl.read_parquet(case / f"{name}.parquet") for name in ("rounds", "bets")}


@pytest.mark.parametrize(("name", "columns"), [("rounds", ROUND_COLUMNS), ("bets", BET_COLUMNS)])
def test_evidence(
    tmp_path: Path, evidence: dict[str, pl.DataFrame], name: str, columns: tuple[str, ...]
) -> None:
    frame = evidence[name]
    assert tuple(frame.columns) == columns
    target = tmp_path / "joined.parquet"
    third = frame.height // 3
    joined = join_parquet(parts(tmp_path, frame, [third, third, 2 * third], 10), target)
    assert joined == Joined(frame.height, hashlib.sha256(target.read_bytes()).hexdigest())
    assert pl.read_parquet_schema(target) == frame.schema
    check_same(target, frame)


def test_all_types_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    frame = some(1000)
    each = parts(tmp_path, frame, [0, 300, 301, 999], 128)
    first, second = tmp_path / "first", tmp_path / "second"
    assert join_parquet(each, first) == join_parquet(each, second)
    assert first.read_bytes() == second.read_bytes()
    check_same(first, frame)


@given(
    cuts=st.lists(st.integers(0, 60), max_size=6),
    rows=st.integers(0, 60),
    group=st.sampled_from([1, 7, 50]),
    seed=st.integers(0, 5),
)
def test_any_cuts(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], rows: int, group: int, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("cuts")
    frame = some(rows, seed)
    target = folder / "joined.parquet"
    each = parts(folder, frame, [min(cut, rows) for cut in cuts], group)
    assert join_parquet(each, target).rows == rows
    check_same(target, frame)


def test_filters_by_statistics(tmp_path: Path) -> None:
    frame = some(5000)
    target = tmp_path / "joined.parquet"
    join_parquet(parts(tmp_path, frame, [700, 1400, 4100], 500), target)
    for chosen, where in [
        (pl.col("row").is_between(1399, 1401), "row BETWEEN 1399 AND 1401"),
        (pl.col("row") == 4999, "row = 4999"),
        (pl.col("row") > 5000, "row > 5000"),
        (pl.col("shoe") == "S00200", "shoe = 'S00200'"),
        (pl.col("text") == "", "text = ''"),
        (pl.col("at") >= datetime(2007, 7, 4, 10), "\"at\" >= '2007-07-04 10:00:00'"),
        (pl.col("paid") < 0, "paid < 0"),
        (pl.col("code") == 255, "code = 255"),
        (pl.col("total") == -128, "total = -128"),
        (pl.col("pair") & (pl.col("row") > 4000), "pair AND row > 4000"),
        (pl.col("outcome") == "tie", "outcome = 'tie'"),
        (pl.col("source") == "more.csv", "source = 'more.csv'"),
        (pl.col("never").is_not_null(), "never IS NOT NULL"),
        (pl.col("text").is_null(), "text IS NULL"),
    ]:
        rows = frame.filter(chosen)["row"].to_list()
        assert pl.scan_parquet(target).filter(chosen).collect()["row"].to_list() == rows
        with duckdb.connect() as connection:
            found = connection.execute(f"SELECT row FROM '{target}' WHERE {where} ORDER BY row")
            assert [row for (row,) in found.fetchall()] == rows


def test_what_is_said_of_each_column_stays(tmp_path: Path) -> None:
    each = parts(tmp_path, some(900), [100, 500], 200)
    target = tmp_path / "joined.parquet"
    join_parquet(each, target)
    query = """SELECT path_in_schema, row_group_num_rows, num_values, type, stats_min_value,
        stats_max_value, stats_null_count, compression, encodings, total_compressed_size,
        total_uncompressed_size FROM parquet_metadata(?)"""
    with duckdb.connect() as connection:
        alone = [r for path in each for r in connection.execute(query, [str(path)]).fetchall()]
        joined = connection.execute(query, [str(target)]).fetchall()
        assert joined == alone
        numbers = "SELECT DISTINCT row_group_id FROM parquet_metadata(?) ORDER BY 1"
        groups = connection.execute(numbers, [str(target)]).fetchall()
    assert groups == [(n,) for n in range(1 + 2 + 2)]
    file, first = described(target), described(each[0])
    assert {key: file[key] for key in (1, 2, 5, 6, 7)} == {
        key: first[key] for key in (1, 2, 5, 6, 7)
    }


def test_pages_are_copied_byte_for_byte(tmp_path: Path) -> None:
    each = parts(tmp_path, some(900), [100, 500], 200)
    target = tmp_path / "joined.parquet"
    join_parquet(each, target)
    pages = b"PAR1"
    for path in each:
        chunks = [chunk for group in described(path)[4] for chunk in group[1]]
        pages += path.read_bytes()[4 : min(min(c[4], c[6]) for c in chunks)]
    assert target.read_bytes().startswith(pages)


def test_several_pages_in_a_column(tmp_path: Path) -> None:
    frame = pl.DataFrame({"row": range(20_000), "text": [f"text {n}" for n in range(20_000)]})
    each = [tmp_path / f"{n}.parquet" for n in range(2)]
    for n, path in enumerate(each):
        frame[n::2].write_parquet(path, compression="zstd", data_page_size=4096)
    target = tmp_path / "joined.parquet"
    join_parquet(each, target)
    first = described(target)[4][0][1][0]
    content = target.read_bytes()[first[4] : first[4] + first[5]]
    assert len(_Thrift(content).struct()[1]) > 1
    check_places(target)
    assert pl.read_parquet(target)["row"].to_list() == [*range(0, 20_000, 2), *range(1, 20_000, 2)]


def test_a_dictionary_longer_than_what_follows(tmp_path: Path) -> None:
    """polars then names a place behind the end of the file where a column would be said again."""
    words = [f"{n:040d}" for n in range(3000)] * 2
    path = part(tmp_path / "words", pl.DataFrame({"word": words}).cast(pl.Categorical))
    target = tmp_path / "joined"
    join_parquet([path, path], target)
    check_places(target)
    assert pl.read_parquet(target)["word"].to_list() == words * 2
    assert in_duckdb(target) == [(word,) for word in words * 2]


def test_joined_files_joined_again(tmp_path: Path) -> None:
    frame = some(700)
    each = parts(tmp_path, frame, [100, 350, 400], 60)
    once, again, more = (tmp_path / name for name in ("once", "again", "more"))
    join_parquet(each, once)
    join_parquet([once], again)
    assert again.read_bytes() == once.read_bytes()
    halves = [tmp_path / "left", tmp_path / "right"]
    join_parquet(each[:2], halves[0])
    join_parquet(each[2:], halves[1])
    join_parquet(halves, more)
    assert more.read_bytes() == once.read_bytes()


def test_parts_without_rows(tmp_path: Path) -> None:
    none = part(tmp_path / "none", some(0))
    rows = part(tmp_path / "rows", some(9))
    alone, among, empty = tmp_path / "alone", tmp_path / "among", tmp_path / "empty"
    join_parquet([rows], alone)
    assert join_parquet([none, rows, none], among).rows == 9
    assert among.read_bytes() == alone.read_bytes()
    assert join_parquet([none, none], empty).rows == 0
    assert pl.read_parquet(empty).schema == some(0).schema
    assert in_duckdb(empty) == []
    examine(empty)


def test_more_row_groups_than_can_be_numbered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_join, "_MOST_NUMBERED", 8)
    four = part(tmp_path / "four", some(20), 5)
    at_most, beyond = tmp_path / "most", tmp_path / "beyond"
    join_parquet([four, four], at_most)
    assert [group[7] for group in described(at_most)[4]] == list(range(8))
    assert join_parquet([at_most, four], beyond).rows == 60
    assert not any(7 in group for group in described(beyond)[4])
    check_places(beyond)
    examine(beyond)
    assert in_duckdb(beyond) == plain(some(20)) * 3
    assert_frame_equal(pl.read_parquet(beyond), pl.concat([some(20)] * 3), categorical_as_str=True)


@pytest.mark.parametrize(
    "other",
    [
        pl.DataFrame({"a": ["1"], "b": [1]}),
        pl.DataFrame({"b": [1], "a": [1]}),
        pl.DataFrame({"a": [1]}),
        pl.DataFrame({"a": [1], "c": [1]}),
        pl.DataFrame({"a": [1], "b": [1]}, schema={"a": pl.Int64, "b": pl.UInt64}),
        pl.DataFrame(schema={"a": pl.Int64, "b": pl.Int32}),
    ],
)
def test_other_columns(tmp_path: Path, other: pl.DataFrame) -> None:
    each = [
        part(tmp_path / "one.parquet", pl.DataFrame({"a": [1], "b": [1]})),
        part(tmp_path / "other.parquet", other),
    ]
    target = tmp_path / "joined.parquet"
    message = r"^other\.parquet has other columns than one\.parquet$"
    with pytest.raises(ValueError, match=message):
        join_parquet(each, target)
    assert not target.exists()


def test_words_of_another_list_are_another_type(tmp_path: Path) -> None:
    """Only what is written for Arrow tells them apart, and all rows would be read by the first."""
    each = [
        part(tmp_path / f"{n}", pl.DataFrame({"a": ["x"]}, schema={"a": pl.Enum(words)}))
        for n, words in enumerate((["x", "y"], ["y", "x"]))
    ]
    with pytest.raises(ValueError, match="1 has other columns than 0"):
        join_parquet(each, tmp_path / "joined")


def test_what_cannot_be_joined(tmp_path: Path) -> None:
    target = tmp_path / "joined"
    with pytest.raises(ValueError, match="there is no Parquet file to join"):
        join_parquet([], target)
    with pytest.raises(FileNotFoundError):
        join_parquet([tmp_path / "missing"], target)
    rows = part(tmp_path / "rows", some(9))
    with pytest.raises(IsADirectoryError):
        join_parquet([rows], tmp_path)
    before = rows.read_bytes()
    with pytest.raises(ValueError, match="rows would be joined with itself"):
        join_parquet([part(tmp_path / "more", some(9)), rows], rows)
    assert rows.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1PAR1", b"PAR1\xff\xff\xff\x7fPAR1"])
def test_no_parquet(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "no").write_bytes(content)
    with pytest.raises(ValueError, match="no: "):
        join_parquet([tmp_path / "no"], tmp_path / "joined")


def test_damage_is_a_sentence_or_a_file(tmp_path: Path) -> None:
    """Whatever byte of a description is changed, nothing but a ValueError comes of it."""
    content = part(tmp_path / "whole", some(40), 15).read_bytes()
    start = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    chance = random.Random(7)
    refused = 0
    for _ in range(400):
        damaged = bytearray(content)
        damaged[chance.randrange(start, len(content) - 8)] = chance.randrange(256)
        (tmp_path / "damaged").write_bytes(damaged)
        try:
            join_parquet([tmp_path / "damaged"], tmp_path / "joined")
        except ValueError as error:
            refused += str(error).startswith("damaged: ")
    assert refused > 50
