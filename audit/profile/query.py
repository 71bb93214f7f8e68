"""The one query of a profile's table, run locked to the files that the profile names.

Each group of files is a relation of the query, called as in the profile. No path stands in the
query, and none would work: the connection can open these files and no other, has no network,
loads no extension and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from audit.errors import LogError, ProfileError
from audit.profile.find import Matched
from audit.profile.model import Profile, TableMap
from audit.profile.relations import make_relations
from audit.profile.result import SOURCE, cells_of
from audit.schema import Table
from audit.sources import Batch, Source
from audit.sources.packed import scratch_folder


class Rows(Source):
    """Rows of a query's result that count to one file, numbered from 1 in its order."""

    def __init__(self, file: Matched, rows: pl.DataFrame) -> None:
        super().__init__(file.path, file.name)
        self.file = file
        self._rows = rows

    @property
    def header(self) -> tuple[str, ...]:
        """Column names of the result."""
        return tuple(self._rows.columns)

    def batches(self) -> Iterator[Batch]:
        """All rows at once."""
        if self._rows.height:
            yield Batch(1, self._rows.height, self._rows)


def run_query(
    profile: Profile, mapping: TableMap, table: Table, files: Mapping[str, Sequence[Matched]]
) -> tuple[TableMap, list[Rows]]:
    """Rows of the query by file, and the table's map with the columns that it gave.

    ProfileError for a query that is not one SELECT, that DuckDB refuses, or whose result is not
    the table; LogError for a file that cannot be read.
    """
    where = f"{profile.name}, {mapping.table}.sql"
    result = _result(mapping, files, where)
    cells = cells_of(mapping, table, result.columns, where)
    every = {each.name: each for group in files.values() for each in group}
    if SOURCE not in result.columns:
        if len(every) > 1:
            raise ProfileError(
                "the result does not say which file a row is of",
                where=where,
                hint=f"Select the filename of one relation AS {SOURCE}",
            )
        result = result.with_columns(pl.lit(next(iter(every))).alias(SOURCE))
    strange = result.filter(~pl.col(SOURCE).is_in(list(every)).fill_null(False))
    if strange.height:
        raise ProfileError(
            f"the column {SOURCE} holds {strange[SOURCE][0]!r}, which is no file of the query",
            where=where,
            hint=f"Select the filename of one relation AS {SOURCE}",
        )
    parts = {
        str(name): rows.drop(SOURCE)
        for (name,), rows in result.group_by(SOURCE, maintain_order=True)
    }
    empty = result.drop(SOURCE).clear()
    rows = [Rows(each, parts.get(name, empty)) for name, each in sorted(every.items())]
    return replace(mapping, cells=cells), rows


def _result(mapping: TableMap, files: Mapping[str, Sequence[Matched]], where: str) -> pl.DataFrame:
    """The result as text, sorted by its columns from the first on, so that it is always one."""
    import duckdb

    with duckdb.connect() as connection, scratch_folder() as scratch:
        try:
            paths = make_relations(connection, files, Path(scratch), mapping.encoding)
        except duckdb.Error as error:
            raise LogError(
                f"the files of the query cannot be read ({_first(error)})", where=where
            ) from None
        _lock(connection, [str(path) for path in paths])
        try:
            statements = connection.extract_statements(str(mapping.sql))
            if len(statements) != 1 or statements[0].type.name != "SELECT":
                raise ProfileError("this is not one SELECT", where=where, hint="Write one SELECT")
            query = str(mapping.sql).strip().rstrip(";")
            result = connection.execute(
                "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM "
                f"(SELECT * FROM (\n{query}\n) ORDER BY ALL)"
            )
            names = [str(column[0]) for column in result.description or ()]
            rows = result.fetchall()
        except duckdb.Error as error:
            raise ProfileError(
                f"DuckDB refuses the query ({_first(error)})",
                where=where,
                hint=f"It may read {', '.join(files)} and nothing else",
            ) from None
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def _lock(connection: Any, files: Sequence[str]) -> None:
    listed = ", ".join(_quoted(file) for file in dict.fromkeys(files))
    for setting in (
        "TimeZone = 'UTC'",
        "threads = 1",
        "python_enable_replacements = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "temp_directory = ''",
        f"allowed_paths = [{listed}]",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _first(error: Exception) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), "no reason given")
