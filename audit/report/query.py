"""Rows of a case as plain dictionaries."""

from __future__ import annotations

from typing import Any

import duckdb

Facts = dict[str, Any]


def plain(value: object) -> object:
    """``value`` as JSON can hold it: numbers, booleans, text and null stay, the rest is text."""
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def rows(connection: duckdb.DuckDBPyConnection, query: str, *values: object) -> list[Facts]:
    """Rows of ``query`` as dictionaries; decimals and dates become text."""
    cursor = connection.execute(query, list(values))
    names = [column[0] for column in cursor.description or ()]
    return [
        {name: plain(value) for name, value in zip(names, row, strict=True)}
        for row in cursor.fetchall()
    ]
