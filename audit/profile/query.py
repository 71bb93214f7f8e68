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
from audit.profile.model import DEAL, Cell, Profile, TableMap, lacking
from audit.rulebook.types import nearest
from audit.schema import Table
from audit.sources import Batch, Source

SOURCE = "source"
"""Column of a query's result that says which file a row is of."""

_KINDS = {
    (".parquet", ".pq"): "SELECT * FROM read_parquet({files}, filename = true, "
    "union_by_name = true, hive_partitioning = false)",
    (".csv", ".tsv", ".tab"): "SELECT * FROM read_csv({files}, filename = true, "
    "all_varchar = true, header = true, union_by_name = true, hive_partitioning = false)",
    (".json",): "SELECT content::JSON AS document, filename FROM read_text({files})",
    (".jsonl", ".ndjson"): "SELECT json AS document, filename "
    "FROM read_ndjson_objects({files}, filename = true)",
}


class Rows(Source):
    """Rows of a query's result that count to one file, numbered from 1 in its order."""

    path: Path

    def __init__(self, path: Path, name: str, rows: pl.DataFrame) -> None:
        super().__init__(path, name)
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
    cells = _cells(mapping, table, result.columns, where)
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
    rows = [Rows(each.path, name, parts.get(name, empty)) for name, each in sorted(every.items())]
    return replace(mapping, cells=cells), rows


def _cells(mapping: TableMap, table: Table, columns: Sequence[str], where: str) -> dict[str, Cell]:
    """A query names its columns as the canonical table does; others serve where and shoe_key."""
    known = [column.name for column in table.columns]
    if mapping.table == "rounds":
        known.append(DEAL)
    cells = {name: Cell((name,)) for name in columns if name in known}
    if mapping.shoe_key:
        cells.pop("shoe_id", None)
    have = {*cells, *(("shoe_id",) if mapping.shoe_key else ())}
    for name in (*mapping.where, *mapping.shoe_key):
        if name not in columns:
            raise ProfileError(
                f"the result has no column {name!r}",
                where=where,
                hint=nearest(name, tuple(columns)),
            )
    for name in columns:
        if name not in (*known, SOURCE, *mapping.where, *mapping.shoe_key):
            raise ProfileError(
                f"the result has a column {name!r} that {mapping.table} does not have",
                where=where,
                hint=nearest(name, tuple(known)),
            )
    absent = lacking(table, have)
    if absent is not None:
        raise ProfileError(f"the result lacks the column {absent!r}", where=where)
    if DEAL in have and mapping.cards.deal_order is None:
        raise ProfileError("a list of both hands needs cards.deal_order", where=where)
    if mapping.commission_apart and "commission_taken" not in have:
        raise ProfileError("commission_apart needs the column commission_taken", where=where)
    return cells


def _result(mapping: TableMap, files: Mapping[str, Sequence[Matched]], where: str) -> pl.DataFrame:
    """The result as text, sorted by its columns from the first on, so that it is always one."""
    import duckdb

    with duckdb.connect() as connection:
        try:
            for name, group in files.items():
                _relation(connection, name, group)
        except duckdb.Error as error:
            raise LogError(
                f"the files of {name} cannot be read ({_first(error)})", where=where
            ) from None
        _lock(connection, [str(each.path) for group in files.values() for each in group])
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


def _relation(connection: Any, name: str, group: Sequence[Matched]) -> None:
    kinds = {each.path.suffix.lower() for each in group}
    form = next((form for ends, form in _KINDS.items() if kinds <= set(ends)), None)
    if form is None:
        raise LogError(
            f"the files of {name} are of no single kind ({', '.join(sorted(kinds))})",
            hint="A query reads CSV, Parquet, JSON or JSON Lines; give each kind a name of its own",
        )
    # The view's own filename would be a path of this machine.
    names = ", ".join(f"{_quoted(str(each.path))}: {_quoted(each.name)}" for each in group)
    listed = ", ".join(_quoted(str(each.path)) for each in group)
    connection.execute(
        f'CREATE VIEW "{name}" AS SELECT * REPLACE (MAP {{{names}}}[filename] AS filename) '
        f"FROM ({form.format(files=f'[{listed}]')})"
    )


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
