"""The tables of a log that a database server keeps: by their canonical names, or by a profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from audit.errors import LogError, ProfileError
from audit.profile.model import Profile, TableMap
from audit.profile.result import cells_of
from audit.schema import TABLES, Table
from audit.sources import Database, Server, Stored, open_server

Named = tuple[str, Table, TableMap | None, Stored]
"""The name that findings call a source by, the canonical table, its map, and its rows."""


def files_of(log: Sequence[Path | Database]) -> list[Path]:
    """The paths of a log."""
    return [each for each in log if isinstance(each, Path)]


@contextmanager
def log_database(log: Sequence[Path | Database]) -> Iterator[Server | None]:
    """The server of a log that is one database, connected; None for a log of files.

    LogError where the two are mixed, or where there is no connection.
    """
    found = [each for each in log if isinstance(each, Database)]
    if not found:
        yield None
        return
    if len(log) > 1:
        raise LogError(
            "a database is a log by itself",
            where=str(found[0]),
            hint="Give it alone, or export its tables as files",
        )
    server = open_server(found[0])
    try:
        yield server
    finally:
        server.close()


def stored_tables(server: Server, profile: Profile | None) -> list[Named]:
    """The tables to read, in canonical order; nothing of them is read yet."""
    if profile is not None:
        return [
            _mapped(server, profile, profile.tables[table.name], table)
            for table in TABLES
            if table.name in profile.tables
        ]
    names = {name.casefold(): name for name in server.tables()}
    if "rounds" not in names:
        seen = ", ".join(list(names.values())[:10]) or "no table"
        raise LogError(
            f"the database has no table rounds (found: {seen})",
            where=str(server.database),
            hint="Say in a profile which table the rounds are in",
        )
    return [_canonical(server, names[table.name], table) for table in TABLES if table.name in names]


def _canonical(server: Server, name: str, table: Table) -> Named:
    origin = server.table(name)
    if not origin.key:
        raise LogError(
            "it has no primary key, so that the order of its rows is not told",
            where=origin.name,
            hint="Give it one, or name columns in order_by of a profile",
        )
    known = [column.name for column in table.columns]
    return origin.name, table, None, Stored(server, origin, origin.name, origin.key, known)


def _mapped(server: Server, profile: Profile, mapping: TableMap, table: Table) -> Named:
    where = f"{profile.name}, {table.name}"
    if not mapping.stored:
        raise ProfileError(
            "the profile reads files, and the log is a database",
            where=where,
            hint="Write table instead of files, or sql and order_by",
        )
    if mapping.sql is not None:
        origin = server.query(mapping.sql, f"{where}.sql")
        names = [each.name for each in origin.fields]
        mapping = replace(mapping, cells=cells_of(mapping, table, names, f"{where}.sql"))
        name, order = f"{server.database.name}/{table.name} (query)", mapping.order_by
    else:
        origin = server.table(str(mapping.relation))
        name, order = origin.name, mapping.order_by or origin.key
    if not order:
        raise ProfileError(
            f"{origin.name} has no primary key, so that the order of its rows is not told",
            where=where,
            hint="Name columns that no two rows share in order_by",
        )
    return name, table, mapping, Stored(server, origin, name, order, mapping.wanted())
