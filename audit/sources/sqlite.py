"""SQLite databases: tables and views named after canonical ones, every value as its text."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote

import polars as pl

from audit.errors import LogError
from audit.sources.base import Batch, Source, unlike

ROWS = 100_000
"""Rows read at a time."""

_DAMAGED = (sqlite3.Error, UnicodeDecodeError, OverflowError)
_MAGIC = b"SQLite format 3\0"


def tables_of(path: Path, name: str) -> tuple[str, ...]:
    """Names of the tables and views of a database; raises LogError where it is none."""
    with closing(_open(path, name)) as connection:
        try:
            found = connection.execute(
                "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
                " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
            ).fetchall()
        except _DAMAGED as error:
            raise _broken(error, name) from None
    return tuple(str(table) for (table,) in found)


def _open(path: Path, name: str) -> sqlite3.Connection:
    with path.open("rb") as handle:
        if handle.read(len(_MAGIC)) != _MAGIC:
            raise LogError(
                "this is no SQLite database", where=name, hint="Its ending says that it is one"
            )
    for beside in ("-wal", "-journal"):
        left = path.with_name(path.name + beside)
        # An immutable database is read without them: rows would be missing, or half written.
        if left.exists() and left.stat().st_size:
            raise LogError(
                f"the database is in use, or was not closed ({left.name} is beside it)",
                where=name,
                hint="Close what writes to it, or make a copy with: sqlite3 IN '.backup OUT'",
            )
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(address, uri=True)
        # Damage must show as an error, and a hostile schema must not run anything.
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
    except _DAMAGED as error:
        raise _broken(error, name) from None
    return connection


def _broken(error: Exception, name: str) -> LogError:
    return LogError(
        f"this is no sound SQLite database ({str(error)[:120]})",
        where=name,
        hint="Restore it from a copy, or export the tables as CSV",
    )


class SqliteTable(Source):
    """One table of a database, in the order of its rows.

    Integers and text come as they stand; reals as the shortest decimal that stands for them,
    as in Parquet; a blob must be UTF-8 text.
    """

    def __init__(self, path: Path, table: str, name: str, rows: int = ROWS) -> None:
        super().__init__(path, name)
        self._file = path
        self._table = table
        self._rows = rows
        with closing(_open(path, name)) as connection:
            try:
                cursor = connection.execute(f"SELECT * FROM {_quoted(table)} LIMIT 0")
                self._header = tuple(str(each[0]) for each in cursor.description)
            except _DAMAGED as error:
                raise _broken(error, name) from None
        unlike(self._header, self)

    @property
    def header(self) -> tuple[str, ...]:
        """Column names of the table."""
        return self._header

    def batches(self) -> Iterator[Batch]:
        """Read the rows; raises LogError where a page of the database is damaged."""
        schema = dict.fromkeys(self._header, pl.String)
        first = 1
        with closing(_open(self._file, self.name)) as connection:
            try:
                cursor = self._select(connection)
                while rows := cursor.fetchmany(self._rows):
                    texts = [[self._text(value) for value in row] for row in rows]
                    yield Batch(first, len(rows), pl.DataFrame(texts, schema=schema, orient="row"))
                    first += len(rows)
            except _DAMAGED as error:
                raise _broken(error, self.name) from None

    def _select(self, connection: sqlite3.Connection) -> sqlite3.Cursor:
        every = f"SELECT * FROM {_quoted(self._table)}"
        try:
            return connection.execute(f"{every} ORDER BY _rowid_")
        except sqlite3.OperationalError:
            return connection.execute(every)  # a view, or a table without row numbers

    def _text(self, value: object) -> str | None:
        match value:
            case None | str():
                return value
            case bytes():
                return value.decode("utf-8")
            case float():
                text = format(Decimal(repr(value)), "f")
                return text.rstrip("0").rstrip(".") if "." in text else text
            case _:
                return str(value)


def _quoted(table: str) -> str:
    return '"' + table.replace('"', '""') + '"'
