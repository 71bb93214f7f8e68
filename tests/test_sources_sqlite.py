"""SQLite: tables as they stand, read only; what is damaged or in use is refused in a sentence."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from audit.errors import LogError
from audit.normalise import read_log
from audit.sources import open_source
from audit.sources.sqlite import SqliteTable
from tests.ingest import ONE, ROUNDS


def database(path: Path, *statements: str | tuple[str, Sequence[object]]) -> Path:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            if isinstance(statement, str):
                connection.execute(statement)
            else:
                connection.execute(*statement)
    return path


def with_rounds(path: Path, count: int = 1, name: str = "rounds") -> Path:
    statements: list[str | tuple[str, Sequence[object]]] = [f'CREATE TABLE "{name}" ({ROUNDS})']
    for number in range(1, count + 1):
        row = [*ONE.split(",")]
        row[2] = str(number)
        statements.append((f'INSERT INTO "{name}" VALUES (?,?,?,?,?,?)', row))
    return database(path, *statements)


def test_values_as_text(tmp_path: Path) -> None:
    values = ["007", 12345678901234567, 278.0, 0.1, 1e-7, None, "莊".encode(), "", -5, 1e21]
    path = database(
        tmp_path / "game.db",
        f"CREATE TABLE rounds ({', '.join('abcdefghij')})",
        ("INSERT INTO rounds VALUES (?,?,?,?,?,?,?,?,?,?)", values),
    )
    (batch,) = open_source(path, "r", "rounds").batches()
    first = ("007", "12345678901234567", "278", "0.1", "0.0000001")
    assert batch.rows.rows() == [(*first, None, "莊", "", "-5", "1" + "0" * 21)]


@pytest.mark.parametrize("ending", [".sqlite", ".sqlite3", ".db"])
def test_tables_and_views_named_after_tables(tmp_path: Path, ending: str) -> None:
    path = with_rounds(tmp_path / f"Game Day{ending}", 3, "Rounds-2007")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE other (x)")
        connection.execute("CREATE VIEW shoes AS SELECT 'T1' AS table_id, 'S1' AS shoe_id")
    before = path.read_bytes()
    log = read_log([path])
    assert log.sources.select("name", "rows_read", "audited").rows() == [
        (f"Game Day{ending}/Rounds-2007", 3, 3),
        (f"Game Day{ending}/shoes", 1, 1),
    ]
    assert log.ignored == (f"Game Day{ending}/other",)
    assert (path.read_bytes(), sorted(tmp_path.iterdir())) == (before, [path])


def test_only_table_of_a_file_named_after_it(tmp_path: Path) -> None:
    with_rounds(tmp_path / "rounds.db", 2, "export")
    assert read_log([tmp_path]).sources["rows_read"].to_list() == [2]


def test_rows_in_the_order_of_the_table(tmp_path: Path) -> None:
    path = database(
        tmp_path / "g.db",
        "CREATE TABLE rounds (a)",
        "CREATE INDEX backwards ON rounds (a)",
        *(("INSERT INTO rounds VALUES (?)", [str(n)]) for n in (3, 1, 2)),
    )
    source = SqliteTable(path, "rounds", "r", rows=2)
    assert [(b.first, b.count, b.rows.rows()) for b in source.batches()] == [
        (1, 2, [("3",), ("1",)]),
        (3, 1, [("2",)]),
    ]


def test_hostile_names(tmp_path: Path) -> None:
    name = 'rounds"; DROP TABLE x; --'
    path = database(tmp_path / "g.db", 'CREATE TABLE "rounds""; DROP TABLE x; --" ("a b", "c""d")')
    assert open_source(path, "r", name).header == ("a b", 'c"d')


def test_database_in_use(tmp_path: Path) -> None:
    path = with_rounds(tmp_path / "g.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO rounds SELECT * FROM rounds")
        connection.commit()
        with pytest.raises(LogError, match=r"in use, or was not closed \(g\.db-wal"):
            read_log([path])
    assert read_log([path]).sources["rows_read"].to_list() == [2]


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (("CREATE TABLE x (a)",), "nothing in the SQLite database is named after a table"),
        ((), "this is no SQLite database"),
        (("CREATE TABLE rounds (table_id, b)",), "column"),
        (("CREATE TABLE t (a)", "CREATE VIEW rounds AS SELECT b FROM t"), "no sound SQLite"),
    ],
)
def test_what_is_no_log(tmp_path: Path, statements: tuple[str, ...], found: str) -> None:
    with pytest.raises(LogError, match=found):
        read_log([database(tmp_path / "g.db", *statements)])


def test_blob_that_is_no_text(tmp_path: Path) -> None:
    path = database(
        tmp_path / "g.db", "CREATE TABLE rounds (a)", ("INSERT INTO rounds VALUES (?)", [b"\xff"])
    )
    with pytest.raises(LogError, match="no sound SQLite database"):
        list(open_source(path, "g.db", "rounds").batches())


def test_damaged_database(tmp_path: Path) -> None:
    whole = with_rounds(tmp_path / "whole.db", 500).read_bytes()
    path = tmp_path / "g.db"
    chance = random.Random(7)
    read = 0
    for _ in range(80):
        content = bytearray(whole)
        if chance.random() < 0.3:
            del content[chance.randrange(len(content)) :]
        else:
            for _ in range(chance.choice((1, 8, 64))):
                content[chance.randrange(len(content))] = chance.randrange(256)
        path.write_bytes(content)
        try:
            log = read_log([path])
        except LogError as error:
            assert str(error).startswith("g.db")  # noqa: PT017
            continue
        read += 1
        rows, audited, rejected = log.sources.select("rows_read", "audited", "rejected").row(0)
        assert rows == audited + rejected
    assert read > 3
