"""Files to rows of text: no row lost, no digit changed, and clear words where nothing can be read."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import LogError
from audit.sources import SUFFIXES, discover, open_source
from audit.sources.delimited import Delimited
from audit.sources.jsonl import JsonLines


def read(
    path: Path, content: bytes | str
) -> tuple[list[tuple[str | None, ...]], list[tuple[int, str]]]:
    """Rows and (row, reason) of the damaged ones."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    source = open_source(path, path.name)
    rows: list[tuple[str | None, ...]] = []
    damaged: list[tuple[int, str]] = []
    for batch in source.batches():
        assert batch.first == len(rows) + 1
        assert batch.count == batch.rows.height
        assert all(dtype == pl.String for dtype in batch.rows.dtypes)
        rows += batch.rows.rows()
        damaged += [(damage.row, damage.reason) for damage in batch.damaged]
    return rows, damaged


def csv(
    tmp_path: Path, content: bytes | str
) -> tuple[list[tuple[str | None, ...]], list[tuple[int, str]]]:
    return read(tmp_path / "rounds.csv", content)


# --- CSV ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "end"])
def test_line_ends(tmp_path: Path, end: str, last: str) -> None:
    text = end.join(["a,b,c", "1,2,3", "4,5,6"]) + (end if last else "")
    assert csv(tmp_path, text) == ([("1", "2", "3"), ("4", "5", "6")], [])


def test_mixed_line_ends(tmp_path: Path) -> None:
    assert csv(tmp_path, "a,b\r\n1,2\n3,4\r\n") == ([("1", "2"), ("3", "4")], [])


@pytest.mark.parametrize("blank", ["\n", "\r\n", "  \n", "\n\n\n", " \r\n"])
def test_blank_lines_are_no_rows(tmp_path: Path, blank: str) -> None:
    rows, damaged = csv(tmp_path, f"{blank}a,b\n{blank}1,2\n{blank}3,4\n{blank}")
    assert (rows, damaged) == ([("1", "2"), ("3", "4")], [])


def test_a_row_of_delimiters_only_is_a_row(tmp_path: Path) -> None:
    rows, _ = csv(tmp_path, "a,b\n,\n1,2\n")
    assert len(rows) == 2


def test_too_few_cells_are_empty(tmp_path: Path) -> None:
    assert csv(tmp_path, "a,b,c\n1,2\n3\n4,5,6\n") == (
        [("1", "2", None), ("3", None, None), ("4", "5", "6")],
        [],
    )


@pytest.mark.parametrize("row", ["4,5,6,7", "4,5,6,", '4,"5",6,7'])
def test_too_many_cells_damage_the_row(tmp_path: Path, row: str) -> None:
    rows, damaged = csv(tmp_path, f"a,b,c\n1,2,3\n{row}\n8,9,0\n")
    assert rows == [("1", "2", "3"), ("4", "5", "6"), ("8", "9", "0")]
    assert damaged == [(2, "too_many_cells")]


def test_too_many_cells_beside_too_few(tmp_path: Path) -> None:
    rows, damaged = csv(tmp_path, "a,b,c\n1,2,3,4\n5,6\n")
    assert (len(rows), damaged) == (2, [(1, "too_many_cells")])


def test_quoted_cells(tmp_path: Path) -> None:
    rows, damaged = csv(tmp_path, 'a,b,c\n"1","2,x","3"\n4,"5 ""q""",6\n"",7,""\n')
    assert rows[:2] == [("1", "2,x", "3"), ("4", '5 "q"', "6")]
    assert rows[2][1] == "7"
    assert damaged == []


def test_line_break_inside_quotes(tmp_path: Path) -> None:
    rows, damaged = csv(tmp_path, 'a,b,c\n1,"two\r\nlines",3\n4,"x\n\ny",6\n7,8,9\n')
    assert rows == [("1", "two\nlines", "3"), ("4", "x\n\ny", "6"), ("7", "8", "9")]
    assert damaged == []


def test_line_break_inside_quotes_across_pieces(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    body = "".join(f'{n},"line one of {n}\nline two",x\n' for n in range(200))
    path.write_text("a,b,c\n" + body)
    rows = [row for batch in Delimited(path, "r", piece=64).batches() for row in batch.rows.rows()]
    assert rows == [(str(n), f"line one of {n}\nline two", "x") for n in range(200)]


@pytest.mark.parametrize(
    "broken",
    ['4,"5,6', '4,"5"x,6', '4,5"x,6', '"4,5,6', '4,5,"6', '4, "5",6'],
)
def test_broken_quotes_damage_one_row_only(tmp_path: Path, broken: str) -> None:
    rows, damaged = csv(tmp_path, f"a,b,c\n1,2,3\n{broken}\n7,8,9\n0,1,2\n")
    assert rows == [("1", "2", "3"), (None, None, None), ("7", "8", "9"), ("0", "1", "2")]
    assert damaged == [(2, "broken_quotes")]


def test_quote_left_open_at_the_end(tmp_path: Path) -> None:
    rows, damaged = csv(tmp_path, 'a,b,c\n1,2,3\n4,"5')
    assert (rows[0], len(rows), damaged) == (("1", "2", "3"), 2, [(2, "broken_quotes")])


def test_two_quotes_left_open_swallow_nothing(tmp_path: Path) -> None:
    rows, damaged = csv(tmp_path, 'a,b,c\n1,"2,3\n4,5,6\n7,8",9\n0,1,2\n')
    assert damaged == [(1, "broken_quotes"), (3, "broken_quotes")]
    assert (rows[1], rows[3]) == (("4", "5", "6"), ("0", "1", "2"))


def test_a_cell_of_endless_lines_was_never_closed(tmp_path: Path) -> None:
    rows, damaged = csv(tmp_path, 'a,b,c\n1,"2\n' + "word\n" * 500 + "7,8,9\n")
    assert damaged[0] == (1, "broken_quotes")
    assert len(rows) == 502


@pytest.mark.parametrize("bom", [b"\xef\xbb\xbf", b""])
def test_utf8(tmp_path: Path, bom: bytes) -> None:
    rows, _ = csv(tmp_path, bom + "a,b\n莊,K♠\n".encode())
    assert rows == [("莊", "K♠")]
    assert open_source(tmp_path / "rounds.csv", "r").header == ("a", "b")


@pytest.mark.parametrize(
    ("encoding", "bom"), [("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")]
)
def test_utf16_with_mark(tmp_path: Path, encoding: str, bom: bytes) -> None:
    rows, _ = csv(tmp_path, bom + "a,b\r\n莊,K♠\r\nx,😀\r\n".encode(encoding))
    assert rows == [("莊", "K♠"), ("x", "😀")]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "empty"),
        (b"\n\n  \n", "blank lines only"),
        (b"\xef\xbb\xbf", "blank lines only"),
        ("a,b\n莊,1\n".encode("big5"), "line 2 is not UTF-8: it holds the byte 0xB2"),
        (b"a,b\n1,2\n3,\xff\n", "line 3 is not UTF-8: it holds the byte 0xFF"),
        ("a,b\n1,2\n".encode("utf-16-le"), "NUL bytes"),
        (b"\xff\xfe" + "a,b\n1,2\n".encode("utf-16-le") + b"x", "not the UTF-16"),
        ("a,b\n1,2\n".encode("utf-32"), "UTF-32"),
        (b"PK\x03\x04rest of a zip file", "no text file"),
        (b'a,"b\n1,2\n', "header line has quotes"),
        (b"a,b,A\n1,2,3\n", "stands twice"),
        (b"a,b, a \n1,2,3\n", "stands twice"),
    ],
)
def test_unreadable_text(tmp_path: Path, content: bytes, found: str) -> None:
    with pytest.raises(LogError) as caught:
        csv(tmp_path, content)
    assert found in caught.value.sentence()
    assert "rounds.csv" in caught.value.sentence()


def test_bad_byte_far_down_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 1000 + b"\xe9,2\n")
    with pytest.raises(LogError, match="line 1002 is not UTF-8"):
        list(Delimited(path, "rounds.csv", piece=100).batches())


def test_nul_stays_in_its_cell(tmp_path: Path) -> None:
    assert csv(tmp_path, b"a,b\n1,2\x00\n3,4\n") == ([("1", "2\0"), ("3", "4")], [])


def test_unnamed_columns_are_numbered(tmp_path: Path) -> None:
    csv(tmp_path, ",b,\n1,2,3\n")
    assert open_source(tmp_path / "rounds.csv", "r").header == ("column 1", "b", "column 3")


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_another_delimiter_is_seen_in_the_header(tmp_path: Path, delimiter: str) -> None:
    rows, _ = csv(tmp_path, f'a{delimiter}b\n1{delimiter}2\n3{delimiter}"x{delimiter}y"\n')
    assert rows == [("1", "2"), ("3", f"x{delimiter}y")]


def test_tsv(tmp_path: Path) -> None:
    rows, damaged = read(tmp_path / "rounds.tsv", 'a\tb\tc\n1\t2,5\t3\n\t\t\n4\t"5"\t6\t7\n')
    assert rows[0] == ("1", "2,5", "3")
    assert rows[2] == ("4", "5", "6")
    assert len(rows) == 3
    assert damaged == [(3, "too_many_cells")]


def test_everything_is_text(tmp_path: Path) -> None:
    rows, _ = csv(tmp_path, "a,b,c\n007,1.10,NA\ntrue,null,2007-01-01\n#x,NaN,1e5\n")
    assert rows == [("007", "1.10", "NA"), ("true", "null", "2007-01-01"), ("#x", "NaN", "1e5")]


CELLS = st.text(alphabet='ab1 ;,"\n\r\t莊', max_size=60)


@settings(max_examples=300, deadline=None)
@given(text=CELLS)
def test_both_roads_give_the_same_rows(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("csv") / "rounds.csv"
    path.write_bytes(b"x,y,z\n" + text.encode())
    source = Delimited(path, "rounds.csv")
    quick = source._quick(text.encode(), 1) if text else None
    slow, _ = source._line_by_line(text.encode(), 1, last=True)
    if quick is not None:
        blank = pl.all().fill_null("")
        assert quick.rows.select(blank).rows() == slow.rows.select(blank).rows()
        assert slow.damaged == ()


@settings(max_examples=200, deadline=None)
@given(text=CELLS, size=st.integers(4, 40))
def test_no_line_is_lost(tmp_path_factory: pytest.TempPathFactory, text: str, size: int) -> None:
    path = tmp_path_factory.mktemp("csv") / "rounds.csv"
    path.write_bytes(b"x,y,z\n" + text.encode())
    whole = [b.rows.rows() for b in Delimited(path, "r").batches()]
    pieces = [b.rows.rows() for b in Delimited(path, "r", piece=size).batches()]

    def cells(batches: list[list[tuple[str | None, ...]]]) -> list[list[str]]:
        return [[cell or "" for cell in row] for batch in batches for row in batch]

    assert cells(whole) == cells(pieces)
    if '"' not in text and "\r" not in text:
        lines = [line for line in text.split("\n") if line.strip(" ")]
        assert [row[0] for row in cells(whole)] == [line.split(",")[0] for line in lines]


# --- Parquet -----------------------------------------------------------------------------------


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
    from audit.sources.parquet import Parquet

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


def test_parquet_cut_short_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    pl.DataFrame({"x": range(100), "y": ["text"] * 100}).write_parquet(path)
    content = path.read_bytes()
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        with pytest.raises(LogError, match="empty|no sound Parquet"):
            list(open_source(path, path.name).batches())


# --- JSON Lines --------------------------------------------------------------------------------


def jsonl(tmp_path: Path, content: str) -> tuple[list[dict[str, str]], list[tuple[int, str]]]:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(content.encode())
    rows: list[dict[str, str]] = []
    damaged: list[tuple[int, str]] = []
    for batch in open_source(path, path.name).batches():
        assert batch.first == len(rows) + 1
        rows += [{k: v for k, v in row.items() if v is not None} for row in batch.rows.to_dicts()]
        damaged += [(damage.row, damage.reason) for damage in batch.damaged]
    return rows, damaged


def test_json_numbers_keep_their_text(tmp_path: Path) -> None:
    line = '{"a": 278.0, "b":1.10,"c":-5,"d":12345678901234567890.1234,"e":0,"f":"007"}\n'
    rows, _ = jsonl(tmp_path, line)
    assert rows == [
        {
            "a": "278.0",
            "b": "1.10",
            "c": "-5",
            "d": "12345678901234567890.1234",
            "e": "0",
            "f": "007",
        }
    ]


def test_json_exponents_are_written_out(tmp_path: Path) -> None:
    rows, _ = jsonl(tmp_path, '{"a":1e3,"b":2.50E-1,"c":1E999999999}\n')
    assert rows == [{"a": "1000", "b": "0.250", "c": "1E999999999"}]


def test_json_values(tmp_path: Path) -> None:
    line = '{"a":true,"b":false,"c":null,"d":["KS","5H",null],"e":[1,2.50],"f":{"x":[1]},"g":"\\u838a"}'
    rows, _ = jsonl(tmp_path, line)
    assert rows == [
        {"a": "true", "b": "false", "d": "KS 5H", "e": "1 2.50", "f": '{"x": ["1"]}', "g": "莊"}
    ]


def test_json_names_may_be_absent_or_come_late(tmp_path: Path) -> None:
    rows, _ = jsonl(tmp_path, '{"a":1}\n{"b":2,"a":3}\n\n{}\n{"c":"x"}')
    assert rows == [{"a": "1"}, {"a": "3", "b": "2"}, {}, {"c": "x"}]


@pytest.mark.parametrize(
    "broken",
    ["hello", "[1]", "5", '{"a":', '{"a":1}{"a":2}', '{"a":1,"a":2}', '{"a":01}', '{"a":1,}'],
)
def test_json_line_that_is_no_object(tmp_path: Path, broken: str) -> None:
    rows, damaged = jsonl(tmp_path, f'{{"a":1}}\n{broken}\n{{"a":3}}\n')
    assert rows == [{"a": "1"}, {}, {"a": "3"}]
    assert damaged == [(2, "not_an_object")]


def test_json_name_twice_with_one_value_loses_nothing(tmp_path: Path) -> None:
    rows, damaged = jsonl(tmp_path, '{"a":1,"a":null}\n{"a":null,"a":2}\n')
    assert (rows, damaged) == ([{"a": "1"}, {"a": "2"}], [])


def test_json_names_that_differ_by_case(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="stands twice"):
        jsonl(tmp_path, '{"a":1}\n{"A":2}\n')


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_json_without_any_object(tmp_path: Path, content: str) -> None:
    with pytest.raises(LogError, match=r"empty|blank"):
        jsonl(tmp_path, content)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.text(alphabet='ab:,"{}[]\\1 -.莊\n\0', max_size=6),
    st.sampled_from(["1.10", "5", ":5,", "x:null", '":1', "null"]),
)
OBJECTS = st.dictionaries(st.sampled_from(["a", "b", "c", "d:", "null"]), SCALARS, max_size=4)


@settings(max_examples=300, deadline=None)
@given(objects=st.lists(OBJECTS, min_size=1, max_size=5), ascii_only=st.booleans())
def test_both_roads_give_the_same_objects(
    tmp_path_factory: pytest.TempPathFactory, objects: list[dict[str, object]], ascii_only: bool
) -> None:
    import json

    path = tmp_path_factory.mktemp("json") / "rounds.jsonl"
    lines = [json.dumps(record, ensure_ascii=ascii_only) for record in objects]
    path.write_text("\n".join(lines))
    source = JsonLines(path, "r")
    quick = source._quick("\n".join(lines), 1, {})
    slow = source._one_by_one(lines, 1)
    if quick is not None:
        names = [name for name in quick.rows.columns if name in slow.rows.columns]
        assert quick.rows.select(names).rows() == slow.rows.select(names).rows()
        assert set(slow.rows.columns) - set(names) <= {
            name for record in objects for name, value in record.items() if value is None
        } | {"column 1"}


# --- which files -------------------------------------------------------------------------------


def names(*paths: Path) -> list[tuple[str, str]]:
    return [(found.name, found.table) for found in discover(paths, SUFFIXES).files]


def touch(folder: Path, *files: str) -> Path:
    for file in files:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    return folder


def test_files_of_a_folder(tmp_path: Path) -> None:
    log = touch(
        tmp_path,
        "rounds.csv",
        "Rounds-2007-07.CSV",
        "rounds_2.tsv",
        "rounds2007.parquet",
        "bets/b.parquet",
        "bets/a.parquet",
        "bets/README.md",
        "jackpot_prizes.jsonl",
        "expected.csv",
        "roundsman.csv",
        "rounds.txt",
        ".rounds.csv",
        "other/rounds.csv",
        "README.md",
    )
    found = discover([log], SUFFIXES)
    assert [(file.name, file.table) for file in found.files] == [
        ("Rounds-2007-07.CSV", "rounds"),
        ("bets/a.parquet", "bets"),
        ("bets/b.parquet", "bets"),
        ("jackpot_prizes.jsonl", "jackpot_prizes"),
        ("rounds.csv", "rounds"),
        ("rounds2007.parquet", "rounds"),
        ("rounds_2.tsv", "rounds"),
    ]
    assert found.ignored == (
        ".rounds.csv",
        "README.md",
        "bets/README.md",
        "expected.csv",
        "other/",
        "rounds.txt",
        "roundsman.csv",
    )


def test_single_files(tmp_path: Path) -> None:
    log = touch(tmp_path, "rounds.csv", "bets-1.csv", "rounds/1.csv", "bets/1.csv")
    assert names(log / "rounds.csv", log / "bets-1.csv") == [
        ("bets-1.csv", "bets"),
        ("rounds.csv", "rounds"),
    ]
    assert names(log / "rounds/1.csv", log / "bets/1.csv") == [
        ("bets/1.csv", "bets"),
        ("rounds/1.csv", "rounds"),
    ]
    assert names(log / "rounds.csv", log / "rounds.csv") == [("rounds.csv", "rounds")]
    assert names(log / "rounds") == [("1.csv", "rounds")]


@pytest.mark.parametrize(
    ("files", "given_paths", "found"),
    [
        ([], ["missing"], "no such file"),
        ([], [], "no log was given"),
        (["bets.csv"], ["."], "no rounds table (found: bets.csv)"),
        (["data.csv"], ["."], "no rounds table (found: no table)"),
        (["data.csv"], ["data.csv"], "does not say which table"),
        (["rounds.doc"], ["rounds.doc"], "ending '.doc'"),
        (["a/rounds.csv", "b/rounds.csv"], ["a", "b"], "are the rounds table"),
        (["rounds.csv", "rounds.parquet"], ["."], "are the rounds table"),
    ],
)
def test_what_is_no_log(
    tmp_path: Path, files: list[str], given_paths: list[str], found: str
) -> None:
    touch(tmp_path, *files)
    with pytest.raises(LogError) as caught:
        discover([tmp_path / path for path in given_paths], SUFFIXES)
    assert found in caught.value.sentence()
