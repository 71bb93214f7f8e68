"""The files of a query as relations of DuckDB, whatever their format and however packed.

Delimited text, sheets and SQLite tables are read as everywhere else, so that an encoding or a
cell is the same in a query, and laid down as Parquet in a scratch folder; an empty cell is null.
Parquet and JSON are read by DuckDB itself, unpacked where they are packed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from audit.errors import LogError
from audit.profile.find import Matched
from audit.sources import content_of, open_source
from audit.sources.packed import spool

FILENAME = "filename"
"""Column of each relation with the file that a row is of, by the name that findings call it."""

_PARQUET = (
    "SELECT * FROM read_parquet({files}, filename = true, union_by_name = true, "
    "hive_partitioning = false)"
)
_OWN: Mapping[tuple[str, ...], str] = {
    (".parquet", ".pq"): _PARQUET,
    (".json",): "SELECT content::JSON AS document, filename FROM read_text({files})",
    (".jsonl", ".ndjson"): "SELECT json AS document, filename "
    "FROM read_ndjson_objects({files}, filename = true)",
}
"""What DuckDB reads by itself, by ending."""

_LAID_DOWN = "SELECT * FROM read_parquet({files}, union_by_name = true, hive_partitioning = false)"


def make_relations(
    connection: Any,
    files: Mapping[str, Sequence[Matched]],
    scratch: Path,
    encoding: str | None = None,
) -> list[Path]:
    """Create a view for each name, and return the files that the views read.

    LogError for a file that cannot be read; duckdb.Error for one that DuckDB cannot read.
    """
    every = []
    for name, group in files.items():
        place = scratch / name
        place.mkdir()
        kinds = {each: _kind(each) for each in group}
        if len(set(kinds.values())) != 1:
            raise LogError(
                f"the files of {name} are of no single kind",
                hint="Give tables, Parquet, JSON and JSON Lines each a name of its own",
            )
        form = kinds[group[0]]
        if form is None:
            paths = [path for each in group for path in _lay_down(each, place, encoding)]
            view = _LAID_DOWN.format(files=_listed(paths))
        else:
            own = {each.name: _unpacked(each, place) for each in group}
            paths = list(own.values())
            # The view's own filename would be a path of this machine.
            names = ", ".join(f"{_quoted(str(path))}: {_quoted(of)}" for of, path in own.items())
            view = (
                f"SELECT * REPLACE (MAP {{{names}}}[filename] AS filename) "
                f"FROM ({form.format(files=_listed(paths))})"
            )
        connection.execute(f'CREATE VIEW "{name}" AS {view}')
        every += paths
    return every


def _kind(file: Matched) -> str | None:
    """The query by which DuckDB reads a file; None where it is laid down first."""
    ending = content_of(file.path, file.name, file.member)[1]
    return next((form for endings, form in _OWN.items() if ending in endings), None)


def _lay_down(file: Matched, place: Path, encoding: str | None) -> list[Path]:
    source = open_source(file.path, file.name, file.member, encoding)
    names = [name for name in source.header or () if name.casefold() == FILENAME]
    if names:
        raise source.fail(f"a query cannot read its column {names[0]!r}", "Give it another name")
    own = pl.lit(file.name).alias(FILENAME)
    paths = []
    for batch in source.batches():
        for damage in batch.damaged:
            raise source.fail(
                f"row {damage.row} is broken ({damage.text[:60]!r}), and a query needs whole rows",
                "Correct it, or read the file by columns: the row is then a reject",
            )
        rows = batch.rows.with_columns(pl.when(pl.all() != "").then(pl.all()))
        paths.append(_part(rows.with_columns(own), place))
    if not paths:
        none = pl.DataFrame(schema=dict.fromkeys(source.header or (), pl.String))
        paths.append(_part(none.with_columns(own), place))
    return paths


def _part(rows: pl.DataFrame, place: Path) -> Path:
    path = place / f"{len(list(place.iterdir())):06}.parquet"
    rows.write_parquet(path, statistics=False)
    return path


def _unpacked(file: Matched, place: Path) -> Path:
    content, _ = content_of(file.path, file.name, file.member)
    if isinstance(content, Path):
        return content
    own = place / f"{len(list(place.iterdir())):06}"
    own.mkdir()
    return spool(content, own)


def _listed(paths: Sequence[Path]) -> str:
    return "[" + ", ".join(_quoted(str(path)) for path in paths) + "]"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
