"""A profile on archives, workbooks, SQLite and other encodings, by columns and by a query."""

from __future__ import annotations

import gzip
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import openpyxl
import polars as pl
import pytest

from audit.errors import AuditError, LogError, ProfileError
from audit.normalise import Log, read_log
from audit.profile import load_profile
from tests.profiles import hands, profile

AT = "2007-07-01 12:00"
HEAD = ["t", "s", "n", "began", "p", "b"]
ROWS = [["T1", "S1", "1", AT, "KS 9H", "KD 7C"], ["T1", "S1", "2", AT, "KS 7H", "KD 6C"]]
CSV = "\n".join(",".join(each) for each in [HEAD, *ROWS]) + "\n"
COLUMNS = (
    '[rounds.columns]\ntable_id = "t"\nshoe_id = "s"\nround_no = "n"\nstarted_at = "began"\n'
    'player_cards = "p"\nbanker_cards = "b"\n'
)
SELECT = (
    "SELECT t AS table_id, s AS shoe_id, n AS round_no, began AS started_at, p AS player_cards,"
    " b AS banker_cards, filename AS source FROM games"
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A folder with the same two rounds in every format."""
    folder = tmp_path / "log"
    folder.mkdir()
    (folder / "games.csv.gz").write_bytes(gzip.compress(CSV.encode()))
    objects = [dict(zip(HEAD, row, strict=True)) for row in ROWS]
    lines = "".join(json.dumps(each) + "\n" for each in objects)
    (folder / "games.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    pl.DataFrame(objects).write_parquet(folder / "games.parquet")
    with zipfile.ZipFile(folder / "log.zip", "w") as archive:
        archive.writestr("2007/games.csv", CSV)
        archive.writestr("2007/notes.txt", "nothing")
        archive.write(folder / "games.parquet", "2007/games.parquet")
        archive.writestr("games.json", json.dumps(objects))
    book = openpyxl.Workbook()
    book.active.title = "Cover"
    book.active.append(["nothing"])
    sheet = book.create_sheet("Games (all)")
    for row in [HEAD, *ROWS]:
        sheet.append(row)
    book.save(folder / "book.xlsx")
    with closing(sqlite3.connect(folder / "log.sqlite")) as connection, connection:
        connection.execute(f"CREATE TABLE games ({', '.join(HEAD)})")
        connection.execute("CREATE TABLE other (x)")
        connection.executemany("INSERT INTO games VALUES (?,?,?,?,?,?)", ROWS)
    return folder


def read(log: Path, toml: str) -> Log:
    return read_log([log], load_profile(profile(log.parent, toml)))


def refused(log: Path, toml: str) -> str:
    with pytest.raises(AuditError) as error:
        read(log, toml)
    return error.value.sentence()


FOUND = [("KS 9H", "KD 7C"), ("KS 7H", "KD 6C")]
PLACES = [
    "games.csv.gz",
    "log.zip/2007/games.csv",
    "book.xlsx/Games (all)",
    "log.sqlite/games",
]


@pytest.mark.parametrize(
    "place", [*PLACES, "games.parquet", "games.jsonl.gz", "log.zip/games.json"]
)
def test_by_columns(place: str, log: Path) -> None:
    found = read(log, f'[rounds]\nfiles = "{place}"\n{COLUMNS}')
    assert hands(found) == FOUND
    assert found.sources.select("name", "rows_read").rows() == [(place, 2)]
    assert found.tables["rounds"].select("source", "row").rows() == [(place, 1), (place, 2)]
    assert place.partition("/")[0] not in found.ignored
    assert "book.xlsx" in found.ignored or place.startswith("book.xlsx")


@pytest.mark.parametrize("place", [*PLACES, "games.parquet", "log.zip/2007/games.parquet"])
def test_by_a_query(place: str, log: Path) -> None:
    found = read(log, f'[rounds]\nfiles = {{ games = "{place}" }}\nsql = "{SELECT}"\n')
    assert hands(found) == FOUND
    assert found.sources["name"].to_list() == [place]


@pytest.mark.parametrize("place", ["games.jsonl.gz", "log.zip/games.json"])
def test_packed_documents_in_a_query(place: str, log: Path) -> None:
    each = "document" if "jsonl" in place else "unnest(CAST(document AS JSON[])) AS document"
    fields = ", ".join(f"document->>'$.{name}' AS {name}" for name in HEAD)
    sql = SELECT.replace(
        "FROM games", f"FROM (SELECT {fields}, filename FROM (SELECT {each}, filename FROM docs))"
    )
    found = read(log, f'[rounds]\nfiles = {{ docs = "{place}" }}\nsql = """{sql}"""\n')
    assert hands(found) == FOUND


def test_several_formats_in_one_query(log: Path) -> None:
    files = '{ games = ["games.csv.gz", "log.sqlite/games"], more = "games.parquet" }'
    sql = SELECT.replace("FROM games", "FROM games JOIN more USING (n)").replace(
        " t AS", " games.t AS"
    )
    for name in HEAD:
        sql = sql.replace(f" {name} AS", f" games.{name} AS") if name != "n" else sql
    sql = sql.replace("filename AS source", "games.filename AS source")
    found = read(log, f'[rounds]\nfiles = {files}\nsql = "{sql}"\n')
    assert found.sources.select("name", "rows_read").rows() == [
        ("games.csv.gz", 2),
        ("games.parquet", 0),
        ("log.sqlite/games", 2),
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM sqlite_scan('{log}/log.sqlite', 'other')",
        "SELECT * FROM read_blob('{log}/log.sqlite')",
        "SELECT * FROM read_csv('{log}/games.csv.gz')",
        "SELECT * FROM st_read('{log}/book.xlsx')",
        "SELECT * FROM read_xlsx('{log}/book.xlsx')",
        "SELECT * FROM glob('/tmp/**')",
        "SELECT * FROM read_parquet('{tmp}/baccarat-audit-*/games/*.parquet', filename = true)"
        " UNION ALL SELECT * FROM read_parquet('{log}/games.parquet')",
        "ATTACH '{log}/log.sqlite' (TYPE sqlite)",
        "COPY games TO '{log}/out.csv'",
    ],
)
def test_nothing_beside_the_named_parts(sql: str, log: Path) -> None:
    sql = sql.format(log=log, tmp="/tmp")
    toml = f'[rounds]\nfiles = {{ games = \'log.sqlite/games\' }}\nsql = """{sql}"""\n'
    before = sorted(path.name for path in log.iterdir())
    with pytest.raises(ProfileError):
        read(log, toml)
    assert sorted(path.name for path in log.iterdir()) == before


@pytest.mark.parametrize("kind", ["columns", "sql"])
def test_links_out_of_the_folder(kind: str, log: Path, tmp_path: Path) -> None:
    (log / "log.sqlite").rename(tmp_path / "outside.sqlite")
    (log / "log.sqlite").symlink_to(tmp_path / "outside.sqlite")
    toml = f'[rounds]\nfiles = "log.sqlite/games"\n{COLUMNS}'
    if kind == "sql":
        toml = f'[rounds]\nfiles = {{ games = "log.sqlite/games" }}\nsql = "{SELECT}"\n'
    assert "leads out of the log's folder" in refused(log, toml)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("log.zip/2007/none.csv", "no file of the log is named 'log.zip/2007/none.csv'"),
        ("log.sqlite/none", "no file of the log is named 'log.sqlite/none'"),
        ("log.sqlite", "it holds 2 tables, where one was expected"),
        ("log.zip/../games.csv", "does not stay in the log's folder"),
    ],
)
def test_parts_that_are_not_there(place: str, words: str, log: Path) -> None:
    assert words in refused(log, f'[rounds]\nfiles = "{place}"\n{COLUMNS}')


def test_a_query_needs_whole_rows(log: Path) -> None:
    (log / "games.csv").write_text(CSV + "T1,S1,3,x,KS 9H,KD 7C,too,many\n")
    toml = f'[rounds]\nfiles = {{ games = "games.csv" }}\nsql = "{SELECT}"\n'
    assert "games.csv: row 3 is broken" in refused(log, toml)
    (log / "games.csv").write_text(CSV.replace("t,s", "Filename,s"))
    assert "cannot read its column 'Filename'" in refused(log, toml)


def test_an_empty_cell_is_null_in_a_query(log: Path) -> None:
    (log / "games.csv").write_text(CSV.replace("KS 9H", ""))
    toml = f'[rounds]\nfiles = {{ games = "games.csv" }}\nsql = "{SELECT} WHERE p IS NOT NULL"\n'
    assert hands(read(log, toml)) == [("KS 7H", "KD 6C")]


WORD = "桌"
"""Too little for the encoding to be detected."""


@pytest.mark.parametrize(
    ("encoding", "codec"),
    [
        ("utf-8", "utf-8"),
        ("utf-8", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16", "utf-16-be"),
        ("utf-16-le", "utf-16-le"),
        ("big5", "big5"),
        ("gb18030", "gb18030"),
    ],
)
@pytest.mark.parametrize("kind", ["columns", "sql"])
def test_encodings(kind: str, encoding: str, codec: str, log: Path) -> None:
    (log / "games.csv").write_bytes(CSV.replace("T1", WORD).encode(codec))
    files = '"games.csv"' if kind == "columns" else '{ games = "games.csv" }'
    rest = COLUMNS if kind == "columns" else f'sql = "{SELECT}"'
    found = read(log, f'[rounds]\nfiles = {files}\nencoding = "{encoding}"\n{rest}')
    assert found.tables["rounds"]["table_id"].to_list() == [WORD, WORD]


def test_western_text(log: Path) -> None:
    (log / "games.csv").write_bytes(CSV.replace("T1", "Salão").encode("cp1252"))
    found = read(log, f'[rounds]\nfiles = "games.csv"\nencoding = "windows-1252"\n{COLUMNS}')
    assert found.tables["rounds"]["table_id"].to_list() == ["Salão", "Salão"]


@pytest.mark.parametrize(
    ("encoding", "content", "words"),
    [
        ("utf-8", CSV.replace("T1", WORD).encode("big5"), "line 2 is not UTF-8"),
        ("big5", CSV.replace("T1", WORD).encode("utf-8-sig"), "its first bytes are not of that"),
        ("utf-16", CSV.encode(), "its first bytes are not of that encoding"),
        ("big5", CSV.replace("T1", "\xff").encode("latin-1"), "is not the BIG5HKSCS that it is"),
    ],
)
def test_an_encoding_that_is_not_the_file_s(
    encoding: str, content: bytes, words: str, log: Path
) -> None:
    (log / "games.csv").write_bytes(content)
    told = refused(log, f'[rounds]\nfiles = "games.csv"\nencoding = "{encoding}"\n{COLUMNS}')
    assert words in told


def test_an_encoding_where_there_is_none(log: Path) -> None:
    toml = f'[rounds]\nfiles = "log.sqlite/games"\nencoding = "big5"\n{COLUMNS}'
    assert "for CSV and TSV only" in refused(log, toml)
    with pytest.raises(ProfileError, match="'latin'"):
        read(log, f'[rounds]\nfiles = "games.csv"\nencoding = "latin"\n{COLUMNS}')


def test_packed_files_are_hashed_as_they_are(log: Path) -> None:
    from audit.digests import file_sha256

    found = read(log, f'[rounds]\nfiles = "log.zip/2007/games.csv"\n{COLUMNS}')
    assert found.sources["sha256"].to_list() == [file_sha256(log / "log.zip")]
    with pytest.raises(LogError, match="no such file"):
        read_log([log / "log.zip", log / "none.csv"], load_profile(log.parent / "mine.toml"))
