"""Read-only SQL on a case, locked to its own files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from audit.case import EVIDENCE, Case, quoted
from audit.errors import OptionError

_TABLES = re.compile(r"\s*show\s+tables\b", re.IGNORECASE)
_READING = ("SELECT", "EXPLAIN", "RELATION")


def query(case: Case, sql: str) -> tuple[tuple[str, ...], Sequence[tuple[Any, ...]]]:
    """Column names and rows of one statement that only reads.

    The connection sees the tables of the case and the two files of its evidence, and nothing
    else: no other file, no network, no extension, no writing. OptionError for a statement that
    is not one question, or that DuckDB refuses.
    """
    import duckdb

    connection = case.connection
    try:
        statements = connection.extract_statements(sql)
        if len(statements) != 1 or statements[0].type.name not in _READING:
            raise OptionError(
                "this is not one statement that only reads",
                where="sql",
                hint="Write one SELECT, such as SELECT code, count(*) FROM findings GROUP BY ALL",
            )
        _lock(case)
        result = connection.execute(statements[0])
        names = tuple(str(column[0]) for column in result.description or ())
        rows = result.fetchall()
        # The evidence is there twice, in the database and by its full name: say it once.
        return names, list(dict.fromkeys(rows)) if _TABLES.match(sql) else rows
    except duckdb.Error as error:
        first = next((line for line in str(error).splitlines() if line.strip()), "no reason given")
        raise OptionError(
            f"DuckDB refuses the statement ({first})",
            where="sql",
            hint="`SHOW TABLES` lists the tables, `DESCRIBE findings` the columns of one",
        ) from error


def _lock(case: Case) -> None:
    """No way to any file but those of the evidence."""
    files = [quoted((case.path / f"{name}.parquet").resolve()) for name in EVIDENCE]
    for setting in (
        f"allowed_paths = [{', '.join(files)}]",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        case.connection.execute(f"SET {setting}")
