"""gzip and zip: read as a stream; what is damaged, absurd or unsafe is refused in a sentence."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import zipfile
import zlib
from pathlib import Path

import polars as pl
import pytest

from audit.errors import LogError
from audit.normalise import read_log
from audit.sources import open_source, packed
from tests.ingest import BETS, ONE, ROUNDS, read

CSV = f"{ROUNDS}\n{ONE}\n"


def archive(path: Path, *members: tuple[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(name, content)
    return path


def sources(*paths: Path) -> list[tuple[str, str, int, int]]:
    log = read_log(paths)
    return [
        tuple(row) for row in log.sources.select("name", "table", "rows_read", "audited").rows()
    ]  # type: ignore[misc]


def test_gzip(tmp_path: Path) -> None:
    packed_csv = gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n")  # two in one, as of cat
    assert read(tmp_path / "rounds.csv.gz", packed_csv) == ([("1", "2"), ("3", "4")], [])
    assert read(tmp_path / "rounds.tsv.gz", gzip.compress(b"a\tb\n1\t2,5\n"))[0] == [("1", "2,5")]
    assert read(tmp_path / "rounds.JSONL.GZ", gzip.compress(b'{"a":1.50}\n'))[0] == [("1.50",)]
    assert read(tmp_path / "rounds.json.gz", gzip.compress(b'[{"a":1.50}]'))[0] == [("1.50",)]
    big5 = gzip.compress("a,b\n1,2\n莊,2\n".encode("big5"))
    assert read(tmp_path / "rounds-2.csv.gz", big5)[0] == [("1", "2"), ("莊", "2")]


@pytest.mark.parametrize("where", [0, 5, 12, 30, -6, -1])
def test_damaged_gzip(tmp_path: Path, where: int) -> None:
    content = gzip.compress(b"a,b\n" + b"1,2\n" * 1000)
    cut = content[:where]
    with pytest.raises(
        LogError, match=r"rounds\.csv\.gz: (the packed data is damaged|the file is e)"
    ):
        read(tmp_path / "rounds.csv.gz", cut)
    garbled = bytearray(content)
    garbled[where if abs(where) > 9 or where < 0 else 1] ^= 0x55
    with pytest.raises(LogError, match=r"rounds\.csv\.gz: "):
        read(tmp_path / "rounds.csv.gz", bytes(garbled))


def test_gzip_bomb(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 10_000_000))
    with pytest.raises(LogError, match="more than 200 times its size"):
        list(open_source(path, path.name).batches())


def test_gzip_of_absurd_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MOST", 1000)
    path = tmp_path / "rounds.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 1000))
    with pytest.raises(LogError, match="unpacks to more than 0 GiB"):
        list(open_source(path, path.name).batches())


def test_zip_is_read_as_a_folder(tmp_path: Path) -> None:
    bets = io.BytesIO()
    row = ["T1", "S1", "1", "player", "100", "0"]
    pl.DataFrame([row], schema=BETS.split(","), orient="row").write_parquet(bets)
    members = (
        ("rounds.csv", CSV),
        ("bets/1.parquet", bets.getvalue()),
        ("README.md", "x"),
        ("deep/er/rounds.csv", CSV),
        ("__MACOSX/._rounds.csv", "x"),
    )
    path = archive(tmp_path / "log.zip", *members)
    expected = [("log.zip/bets/1.parquet", "bets", 1, 1), ("log.zip/rounds.csv", "rounds", 1, 1)]
    assert sources(path) == expected
    assert read_log([path]).ignored == (
        "log.zip/README.md",
        "log.zip/__MACOSX/._rounds.csv",
        "log.zip/deep/er/rounds.csv",
    )


def test_zip_with_one_folder_around_all(tmp_path: Path) -> None:
    path = archive(tmp_path / "july.zip", ("july/rounds.csv", CSV))
    assert sources(path) == [("july.zip/july/rounds.csv", "rounds", 1, 1)]


def test_zip_named_after_its_table(tmp_path: Path) -> None:
    archive(tmp_path / "rounds-2007.zip", ("export.csv", CSV))
    assert sources(tmp_path) == [("rounds-2007.zip/export.csv", "rounds", 1, 1)]


def test_zip_in_a_folder_is_named_in_the_remedy(tmp_path: Path) -> None:
    archive(tmp_path / "log.zip", ("rounds.csv", CSV))
    with pytest.raises(LogError, match=r"Give .*log\.zip by itself"):
        read_log([tmp_path])


def test_unpacked_files_go_with_the_source(tmp_path: Path) -> None:
    frame = io.BytesIO()
    pl.DataFrame({"a": [1]}).write_parquet(frame)
    path = archive(tmp_path / "log.zip", ("rounds.parquet", frame.getvalue()))
    source = open_source(path, "r", "rounds.parquet")
    folder = Path(source.scratch.name)  # type: ignore[attr-defined]
    assert [batch.rows.rows() for batch in source.batches()] == [[("1",)]]
    assert folder.is_dir()
    del source
    assert not folder.exists()


def refusal(path: Path) -> str:
    with pytest.raises(LogError) as caught:
        read_log([path])
    return caught.value.sentence()


@pytest.mark.parametrize(
    "name", ["../rounds.csv", "/etc/rounds.csv", "a/../../rounds.csv", "C:/rounds.csv"]
)
def test_zip_names_that_lead_out(tmp_path: Path, name: str) -> None:
    path = archive(tmp_path / "log.zip", ("rounds.csv", CSV), (name, CSV))
    assert "leads out of the archive" in refusal(path)


def test_zip_member_without_a_name(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.zip", ("rounds.csv", CSV), ("~", b"x"))
    path.write_bytes(path.read_bytes().replace(b"~", b"\0"))  # a name ends at its first NUL
    assert refusal(path) == "log.zip: the member '' has no name. Give the files unpacked."


def test_zip_whose_members_lie_before_its_beginning(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.zip", ("rounds.csv", CSV), ("bets.csv", f"{BETS}\n"))
    content = bytearray(path.read_bytes())
    (start,) = struct.unpack("<I", content[-6:-2])  # of the directory, as the end of it says
    content[-6:-2] = struct.pack("<I", start + 50)
    path.write_bytes(content)
    assert "log.zip" in refusal(path)


@pytest.mark.parametrize("name", ["rounds.csv.gz", "more.zip", "rounds.zip"])
def test_zip_in_zip(tmp_path: Path, name: str) -> None:
    path = archive(tmp_path / "log.zip", ("rounds.csv", CSV), (name, b"x"))
    assert f"the member '{name}' is itself packed" in refusal(path)


def test_zip_with_backslash_and_control_characters(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.zip", ("rounds.csv", CSV), ("a\\rounds.csv", CSV))
    assert "leads out" in refusal(path)
    path = archive(tmp_path / "log.zip", ("rounds.csv", CSV), ("a\x1b[31m.csv", CSV))
    assert "control characters" in refusal(path)


def test_zip_with_a_link(tmp_path: Path) -> None:
    path = tmp_path / "log.zip"
    with zipfile.ZipFile(path, "w") as file:
        info = zipfile.ZipInfo("rounds.csv")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(info, "/etc/passwd")
    assert "is a link" in refusal(path)


def test_encrypted_zip(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.zip", ("rounds.csv", CSV))
    content = bytearray(path.read_bytes())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    assert "is encrypted" in refusal(path)


def test_zip_of_other_methods(tmp_path: Path) -> None:
    path = tmp_path / "log.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("rounds.csv", CSV)
    assert "in a way that is not read" in refusal(path)


def test_zip_with_one_name_twice(tmp_path: Path) -> None:
    path = tmp_path / "log.zip"
    archive(path, ("rounds.csv", CSV), ("rounds.cs2", CSV))
    path.write_bytes(path.read_bytes().replace(b"rounds.cs2", b"rounds.csv"))
    assert "'rounds.csv' is in it twice" in refusal(path)


def test_zip_bomb(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.zip", ("rounds.csv", CSV + "\n" * 40_000_000))
    assert "more than 200 times its size" in refusal(path)


def test_zip_that_lies_about_its_size(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.zip", ("rounds.csv", CSV + "\n" * 40_000_000))
    content = bytearray(path.read_bytes())
    central = content.index(b"PK\x01\x02")
    struct.pack_into("<I", content, central + 24, len(CSV))
    struct.pack_into("<I", content, central + 16, zlib.crc32(CSV.encode()))
    struct.pack_into("<I", content, 22, len(CSV))
    struct.pack_into("<I", content, 14, zlib.crc32(CSV.encode()))
    path.write_bytes(content)
    # No more is unpacked than is promised: the blank lines behind are never seen.
    assert sources(path) == [("log.zip/rounds.csv", "rounds", 1, 1)]


def test_zip_without_tables(tmp_path: Path) -> None:
    assert "named after a table (found: a.csv)" in refusal(
        archive(tmp_path / "x.zip", ("a.csv", CSV))
    )
    assert "found: nothing" in refusal(archive(tmp_path / "y.zip"))


def test_zip_cut_short_or_garbled_anywhere(tmp_path: Path) -> None:
    whole = archive(tmp_path / "whole.zip", ("rounds.csv", CSV * 20)).read_bytes()
    path = tmp_path / "log.zip"
    for length in range(0, len(whole), 9):
        path.write_bytes(whole[:length])
        assert refusal(path).startswith("log.zip: this is no sound zip archive")
    for at in range(0, len(whole), 2):
        garbled = bytearray(whole)
        garbled[at] ^= 0xFF
        path.write_bytes(garbled)
        try:
            log = read_log([path])
        except LogError:
            continue
        assert log.sources["rows_read"].sum() == 39  # the header lines in it are rows too


def test_archive_opened_by_itself_holds_one_table(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.zip", ("export.csv", "a,b\n1,2\n"), ("README.md", "x"))
    assert [batch.rows.rows() for batch in open_source(path, "x.zip").batches()] == [[("1", "2")]]
    archive(path, ("a.csv", "a\n"), ("b.csv", "b\n"))
    with pytest.raises(LogError, match="it holds 2 tables, where one was expected"):
        open_source(path, "x.zip")
