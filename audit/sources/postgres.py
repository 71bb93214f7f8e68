"""PostgreSQL through ADBC: one read-only transaction, so that all tables are of one moment."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import polars as pl

from audit.errors import AuditError, LogError, ProfileError
from audit.sources.address import Database, hide
from audit.sources.server import ROWS, Field, Origin, Server, no_such_table

_SETTINGS = (
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL DateStyle = 'ISO, YMD'",
    "SET LOCAL extra_float_digits = 1",
    "SET LOCAL standard_conforming_strings = on",
    "SET LOCAL cursor_tuple_fraction = 1",
    # A policy that hides rows from this user must show as an error, not as rows that are missing.
    "SET LOCAL row_security = off",
    # Once anything is read, the transaction can no longer be made one that writes.
    "SELECT 1 AS one",
)
_KINDS = "('r', 'v', 'm', 'f', 'p')"
_LOST = ("closed the connection", "connection to client lost", "no connection to the server",
         "terminating connection", "could not receive data", "SSL SYSCALL")  # fmt: skip


class Postgres(Server):
    """A connection to PostgreSQL; LogError where there is none to be had."""

    def __init__(self, database: Database) -> None:
        self.database = database
        try:
            self._dbapi: Any = importlib.import_module("adbc_driver_postgresql.dbapi")
            self._arrow: Any = importlib.import_module("nanoarrow")
        except ImportError:
            raise LogError(
                "PostgreSQL needs packages that are not installed",
                where=str(database),
                hint="pip install 'baccarat-audit[postgres]', or export the tables as CSV",
            ) from None
        given = {"connect_timeout": "10", **database.parameters}
        try:
            self._connection = self._dbapi.connect(replace(database, parameters=given).uri())
        except self._dbapi.Error as error:
            raise _not_connected(str(error), database) from None
        try:
            for setting in _SETTINGS:
                self._run(setting, str(database))
        except AuditError:
            self.close()
            raise

    def close(self) -> None:
        """End the transaction and the connection."""
        with suppress(self._dbapi.Error, RuntimeError):  # it may be gone already
            self._connection.close()

    def _run(self, sql: str, where: str) -> pl.DataFrame:
        cursor = self._connection.cursor()
        try:
            # COPY, the driver's usual way, knows no cursors, and would give all rows at once.
            cursor.adbc_statement.set_options(**{"adbc.postgresql.use_copy": "false"})
            cursor.execute(sql)
            found: pl.DataFrame = cursor.fetch_polars()
        except self._dbapi.Error as error:
            raise self._refused(error, sql, where) from None
        finally:
            cursor.close()
        return found

    def _refused(self, error: Any, sql: str, where: str) -> LogError:
        state = getattr(error, "sqlstate", None) or ""
        told = hide(_told(str(error), sql), self.database)
        if (
            state[:2] == "08"
            or state in ("57P01", "57P02", "57P03")
            or any(each in str(error) for each in _LOST)
        ):
            return LogError(
                f"the connection to {self.database} was lost", where=where, hint="Run again"
            )
        if state == "42501" and "row" in told and "security" in told:
            return LogError(
                f"a policy of the database hides rows from this user ({told})",
                where=where,
                hint="Give a user who sees all rows (BYPASSRLS)",
            )
        if state == "42501":
            return LogError(
                f"the user has no right to read it ({told})",
                where=where,
                hint="GRANT SELECT on it to that user",
            )
        if state == "25006":
            return LogError(
                f"it would write to the database ({told})", where=where, hint="Read only"
            )
        return LogError(f"the server refuses it ({told})", where=where)

    def tables(self) -> tuple[str, ...]:
        """Tables and views of the current schema; the parts of a partitioned one left out."""
        found = self._run(
            "SELECT c.relname::text AS name FROM pg_catalog.pg_class AS c"
            " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
            f" WHERE n.nspname = current_schema() AND c.relkind IN {_KINDS}"
            ' AND NOT c.relispartition ORDER BY c.relname::text COLLATE "C"',
            str(self.database),
        )
        return tuple(found["name"]) if found.height else ()

    def table(self, name: str) -> Origin:
        """A table or view that the search path shows, or ``schema.table``."""
        sought = _literal(name)
        found = self._run(
            "SELECT c.oid::int8 AS oid, n.nspname::text AS space, c.relname::text AS name"
            " FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n"
            f" ON n.oid = c.relnamespace WHERE c.relkind IN {_KINDS} AND ("
            f"lower(c.relname) = lower({sought}) AND pg_catalog.pg_table_is_visible(c.oid)"
            f" OR lower(n.nspname || '.' || c.relname) = lower({sought}))",
            str(self.database),
        ).rows()
        exact = [each for each in found if name in (each[2], f"{each[1]}.{each[2]}")]
        found = exact or found
        if not found:
            raise no_such_table(name, self.tables(), self.database)
        if len(found) > 1:
            both = " and ".join(f"{space}.{each}" for _, space, each in found[:2])
            raise LogError(f"{name!r} may be {both}", where=str(self.database), hint="Name one")
        oid, space, own = found[0]
        where = f"{self.database.name}/{space}.{own}"
        fields = self._fields(
            "SELECT a.attnum::int8 AS place, a.attname::text AS name, a.atttypid AS type"
            f" FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = {oid} AND a.attnum > 0"
            " AND NOT a.attisdropped",
            where,
        )
        key = self._run(
            "SELECT a.attname::text AS name FROM pg_catalog.pg_index AS i"
            " CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(place, at)"
            " JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.place"
            f" WHERE i.indrelid = {oid} AND i.indisprimary ORDER BY k.at",
            where,
        )
        keys = tuple(key["name"]) if key.height else ()
        return Origin(where, f"{_quoted(space)}.{_quoted(own)}", fields, keys)

    def query(self, sql: str, where: str) -> Origin:
        """One SELECT of the user's: its columns are asked for, nothing is run."""
        origin = f"(\n{sql.strip().rstrip(';')}\n)"
        try:
            names = self._names(f"SELECT * FROM {origin} AS q", where)
            if not names or len(set(names)) < len(names):
                raise ProfileError(
                    "the query gives no columns, or two of one name",
                    where=where,
                    hint="Name each column with AS",
                )
            places = range(1, len(names) + 1)
            # Joined to nothing: the types are told, and no row is made.
            types = self._run(
                f"SELECT {', '.join(f'pg_typeof(q.c{n})::oid::int8 AS c{n}' for n in places)}"
                f" FROM (SELECT 1) AS one LEFT JOIN {origin}"
                f" AS q ({', '.join(f'c{n}' for n in places)}) ON false",
                where,
            ).row(0)
        except LogError as error:
            raise ProfileError(error.what, where=where, hint=error.hint) from None
        listed = ", ".join(
            f"({n}, {_literal(name)}, {oid}::oid)"
            for n, name, oid in zip(places, names, types, strict=True)
        )
        fields = self._fields(f"SELECT v.* FROM (VALUES {listed}) AS v (place, name, type)", where)
        return Origin(f"{self.database.name}/query", origin, fields)

    def _names(self, sql: str, where: str) -> list[str]:
        cursor = self._connection.cursor()
        try:
            cursor.adbc_statement.set_sql_query(sql)
            schema = self._arrow.c_schema(cursor.adbc_statement.execute_schema())
            return [str(each.name) for each in schema.children]
        except self._dbapi.Error as error:
            raise self._refused(error, sql, where) from None
        finally:
            cursor.close()

    def _fields(self, select: str, where: str) -> tuple[Field, ...]:
        """Columns of a SELECT of place, name and type; a domain counts as what it is made of."""
        found = self._run(
            "SELECT d.name::text AS name, format_type("
            "coalesce(nullif(t.typbasetype, 0::oid), t.oid), NULL) AS type,"
            " t.typcollation <> 0::oid AS collates"
            f" FROM ({select}) AS d JOIN pg_catalog.pg_type AS t ON t.oid = d.type"
            " ORDER BY d.place",
            where,
        )
        return tuple(Field(*row) for row in found.iter_rows())

    def rows(
        self, origin: Origin, fields: Sequence[Field], order: Sequence[Field], where: str
    ) -> Iterator[pl.DataFrame]:
        """Fetch through a cursor on the server, so that no more than a part is ever held."""
        texts = ", ".join(f"{_as_text(each)} AS {_quoted(each.name)}" for each in fields)
        by = ", ".join(_sorted(each) for each in order)
        select = f"SELECT {texts} FROM {origin.sql} AS q" + (f" ORDER BY {by}" if by else "")
        self._run(f"DECLARE log NO SCROLL CURSOR FOR {select}", where)
        names = [each.name for each in fields]
        try:
            while True:
                rows = self._run(f"FETCH FORWARD {ROWS} FROM log", where)
                if not rows.height:
                    break
                yield rows.select(pl.col(name).cast(pl.String) for name in names)
        finally:
            with suppress(LogError):  # what failed before is told
                self._run("CLOSE log", where)


def _as_text(field: Field) -> str:
    name = f"q.{_quoted(field.name)}"
    return f"{name}::numeric::text" if field.type == "money" else f"{name}::text"


def _sorted(field: Field) -> str:
    """Text by its bytes: the order of a language is another on another machine."""
    name = f"q.{_quoted(field.name)}"
    return f'{name}::text COLLATE "C"' if field.collates else name


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _told(message: str, sql: str) -> str:
    """The server's own words, without the query that the driver repeats."""
    message = message.replace(sql, "")
    line = next((each for each in message.splitlines() if ":  " in each), "")
    return " ".join((line.partition(":  ")[2] or message).split())[:160]


def _not_connected(message: str, database: Database) -> LogError:
    told = hide(" ".join(message.partition("failed: ")[2].split()) or message, database)
    hint = "Check host, port and database, and that the server runs"
    if "password" in message:
        hint = "Check the user, and put the password into PGPASSWORD or ~/.pgpass"
    return LogError(f"there is no connection ({told[:160]})", where=str(database), hint=hint)
