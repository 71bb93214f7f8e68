"""CSV and TSV to rows of text: no row lost, whatever the quotes, line ends and encodings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import LogError
from audit.sources import open_source
from audit.sources.delimited import Delimited
from tests.ingest import read


def csv(
    tmp_path: Path, content: bytes | str
) -> tuple[list[tuple[str | None, ...]], list[tuple[int, str]]]:
    return read(tmp_path / "rounds.csv", content)


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


def test_one_empty_cell_too_many_at_the_very_end(tmp_path: Path) -> None:
    assert csv(tmp_path, "a,b\n1,2,")[1] == [(1, "too_many_cells")]


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
        (b"a,b\n1,caf\xe9s\n", "line 2 is not UTF-8: it holds the byte 0xE9, and the text is nei"),
        (b"a,b\n1,2\n3,\xff\n", "line 3 is not UTF-8: it holds the byte 0xFF"),
        (b"a,b\0\0\0\0\n\0\0\0\0\n", "NUL bytes"),
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
@given(text=CELLS, words=st.sets(st.sampled_from("xyz")))
def test_both_roads_give_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory, text: str, words: set[str]
) -> None:
    path = tmp_path_factory.mktemp("csv") / "rounds.csv"
    path.write_bytes(b"x,y,z\n" + text.encode())
    source = Delimited(path, "rounds.csv")
    quick = source.quick(text.encode(), 1, words=words) if text else None
    slow, _ = source.careful(text.encode(), 1, last=True, words=words)
    if quick is not None:
        assert quick.rows.rows() == slow.rows.rows()
        assert quick.stored.schema == slow.stored.schema
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
