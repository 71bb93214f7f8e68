"""Big5, GB18030 and UTF-16 without its mark: detected, read strictly, or refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LogError
from audit.sources import open_source
from audit.sources.delimited import Delimited
from tests.ingest import faults, read, rounds

TRADITIONAL = [
    ("一號桌", "貴賓廳東翼", "莊"),
    ("二號桌", "大堂西翼", "閒"),
    ("三號桌", "和局", "和"),
]
SIMPLIFIED = [
    ("一号桌", "贵宾厅东翼", "庄"),
    ("二号桌", "大堂西翼", "闲"),
    ("三号桌", "和局", "和"),
]


def text(rows: list[tuple[str, ...]]) -> str:
    return "a,b,c\n" + "".join(",".join(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("rows", "encoding"),
    [
        (TRADITIONAL, "big5"),
        (TRADITIONAL, "cp950"),
        (TRADITIONAL, "gb18030"),
        (SIMPLIFIED, "gb18030"),
        (SIMPLIFIED, "gbk"),
    ],
)
def test_known_words_tell_the_encoding(
    tmp_path: Path, rows: list[tuple[str, ...]], encoding: str
) -> None:
    assert read(tmp_path / "rounds.csv", text(rows).encode(encoding)) == (rows, [])
    tabs = text(rows).replace(",", "\t").encode(encoding)
    assert read(tmp_path / "rounds.tsv", tabs) == (rows, [])


@pytest.mark.parametrize(("rows", "encoding"), [(TRADITIONAL, "big5"), (SIMPLIFIED, "gb2312")])
def test_common_characters_tell_the_encoding(
    tmp_path: Path, rows: list[tuple[str, ...]], encoding: str
) -> None:
    bare = [(f"{row[0]}甲", f"{row[1]}乙", "x") for row in rows]
    assert read(tmp_path / "rounds.csv", text(bare).encode(encoding))[0] == bare


def test_chinese_far_down_and_in_small_pieces(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    body = "a,b,c\r\n" + "1,2,3\r\n" * 500 + "桌,貴賓廳,莊\r\n" * 500
    path.write_bytes(body.encode("big5"))
    for piece in (16, 33, 1000, 1 << 20):
        source = Delimited(path, "rounds.csv", piece=piece)
        for _ in range(2):  # what was found is remembered
            got = [row for batch in source.batches() for row in batch.rows.rows()]
            assert got == [("1", "2", "3")] * 500 + [("桌", "貴賓廳", "莊")] * 500


def test_cell_with_a_byte_that_looks_like_a_delimiter(tmp_path: Path) -> None:
    # The second byte of 育 and 功 in Big5 is that of | and of a backslash.
    rows = [("功育", "許功蓋", "莊")]
    assert read(tmp_path / "rounds.csv", text(rows).encode("big5")) == (rows, [])


def test_encoding_set_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_bytes("a,b\n桌,1\n".encode("big5"))
    with pytest.raises(LogError, match="not certain which encoding"):
        list(open_source(path, "rounds.csv").batches())
    source = Delimited(path, "rounds.csv", encoding="big5hkscs")
    assert [batch.rows.rows() for batch in source.batches()] == [[("桌", "1")]]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (
            "a,b\n桌,1\n".encode("big5"),
            "line 2 is not UTF-8: it holds the byte 0xAE, and it is not",
        ),
        ("a,b\nJOÃO,Salão\nMUNICÍPIO,três\n".encode("cp1252"), "neither Big5 nor GB18030"),
        ("a,b\n1,2\n莊,3\n".encode("big5") + b"\xff\xff,1\n", "line 3 is not UTF-8"),
        ("a,b\n莊,3\n".encode("big5") + "閒,3\n".encode(), "line 2 is not UTF-8"),
        ("a,b\n閒,3\n".encode() + "莊,3\n".encode("big5"), "line 3 is not UTF-8"),
        ("a,b\n莊,3\n".encode("big5")[:-4], "line 2 is not UTF-8"),
        ("\ufeffa,b\n".encode() + "莊,3\n".encode("big5"), "line 2 is not UTF-8"),
    ],
)
def test_what_is_not_certain_is_refused(tmp_path: Path, content: bytes, found: str) -> None:
    with pytest.raises(LogError) as caught:
        read(tmp_path / "rounds.csv", content)
    assert found in caught.value.sentence()
    assert "UTF-8 and run again" in caught.value.sentence()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_its_mark(tmp_path: Path, encoding: str) -> None:
    content = "table,b\r\n莊,K♠\r\nx,😀\r\n".encode(encoding)
    assert read(tmp_path / "rounds.csv", content)[0] == [("莊", "K♠"), ("x", "😀")]


def test_big5_log_from_end_to_end(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    folder.mkdir()
    rounds(folder, "outcome,dealer_id", "莊,陳大文", "閒,何")
    path = folder / "rounds.csv"
    path.write_bytes(path.read_text("utf-8").encode("big5"))
    from audit.normalise import read_log

    log = read_log([folder])
    assert faults(log) == []
    assert log.tables["rounds"]["outcome"].to_list() == ["banker", "player"]
    assert log.tables["rounds"]["dealer_id"].to_list() == ["陳大文", "何"]
