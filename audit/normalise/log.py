"""The log as a whole: find, read, type, sort out duplicates, and account for every row."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from audit.errors import AuditError, LogError
from audit.normalise import columns, duplicates, rejects
from audit.normalise.rows import READABLE, schema_of, type_batch
from audit.schema import TABLES, Table
from audit.sources import SUFFIXES, Found, Source, discover, open_source

SOURCES: dict[str, pl.DataType] = {
    "name": pl.String(),
    "table": pl.String(),
    "sha256": pl.String(),
    "bytes": pl.Int64(),
    "rows_read": pl.Int64(),
    "audited": pl.Int64(),
    "rejected": pl.Int64(),
    "set_aside": pl.Int64(),
}


@dataclass(frozen=True)
class Log:
    """A log after normalisation.

    ``tables`` has a frame for every canonical table, ``present`` the columns that the log has
    for each table that is there. ``ignored`` names the files of its folders that were left
    alone. ``sources`` is sorted by name and satisfies, for each file,
    ``rows_read = audited + rejected + set_aside``.
    """

    tables: dict[str, pl.DataFrame]
    present: Mapping[str, frozenset[str]]
    rejects: pl.DataFrame
    sources: pl.DataFrame
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True)
class _File:
    """One file as read: typed rows, readable or not, and what cannot be read."""

    source: Source
    table: Table
    frames: list[pl.DataFrame]
    unreadable: list[pl.DataFrame]
    present: frozenset[str]
    rows: int
    sha256: str
    size: int


def read_log(paths: Sequence[Path]) -> Log:
    """Read a log from folders and files; raises LogError where a file cannot be read at all."""
    found = discover(paths, SUFFIXES)
    by_name = {table.name: table for table in TABLES}
    files = [_read(file, by_name[file.table]) for file in found.files]
    tables: dict[str, pl.DataFrame] = {}
    rejected: list[pl.DataFrame] = []
    for table in TABLES:
        mine = [file for file in files if file.table is table]
        every = _stack([frame for file in mine for frame in file.frames], table)
        split = duplicates.take_out(table, every, {file.source.name: file.source for file in mine})
        tables[table.name] = split.kept
        of_table = [frame for file in mine for frame in file.unreadable]
        if split.duplicates is not None:
            of_table.append(split.duplicates)
        if of_table:
            rejected.append(pl.concat(of_table))
    out = rejects.collect(rejected)
    present = {
        table.name: frozenset().union(*(file.present for file in files if file.table is table))
        for table in TABLES
        if any(file.table is table for file in files)
    }
    if not any(file.rows for file in files if file.table.name == "rounds"):
        names = ", ".join(file.source.name for file in files if file.table.name == "rounds")
        raise LogError("there is no round in it", where=names, hint="Give a log with rounds")
    return Log(tables, present, out, _account(files, tables, out), found.ignored)


def _stack(frames: list[pl.DataFrame], table: Table) -> pl.DataFrame:
    """One frame of all; the given ones are used up, so that no row is held twice."""
    schema = {**schema_of(table), READABLE: pl.Boolean()}
    if not frames:
        return pl.DataFrame(schema=schema)
    return pl.DataFrame(
        [
            pl.concat([frame.drop_in_place(name) for frame in frames], rechunk=True)
            for name in schema
        ]
    )


def _read(found: Found, table: Table) -> _File:
    try:
        return _read_open(found, table)
    except OSError as error:
        raise LogError(f"the file cannot be read ({error.strerror})", where=found.name) from None


def _read_open(found: Found, table: Table) -> _File:
    source = open_source(found.path, found.name, found.member)
    before = found.path.stat()
    with found.path.open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
    names: dict[str, None] = {}
    present: set[str] = set()
    if source.header is not None:
        names = dict.fromkeys(source.header)
        present = set(columns.match(names, table))
        columns.require(present, names, table, source)
    frames: list[pl.DataFrame] = []
    unreadable: list[pl.DataFrame] = []
    rows = 0
    for batch in source.batches():
        mapping = columns.match(batch.rows.columns, table)
        names |= dict.fromkeys(batch.rows.columns)
        present |= set(mapping)
        typed = type_batch(batch, table, mapping, found.name)
        frames.append(typed.frame)
        if typed.unreadable is not None:
            unreadable.append(typed.unreadable)
        rows += batch.count
    columns.require(present, names, table, source)
    after = found.path.stat()
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise source.fail("the file changed while it was read", "Run again on a copy at rest")
    return _File(
        source, table, frames, unreadable, frozenset(present), rows, digest, before.st_size
    )


def _account(
    files: list[_File], tables: Mapping[str, pl.DataFrame], rejected: pl.DataFrame
) -> pl.DataFrame:
    """Count rows by file; raises AuditError where a row was lost, which is our own failure."""
    kept = {
        name: dict(frame.group_by("source").len().iter_rows()) for name, frame in tables.items()
    }
    out = dict(rejected.group_by("source").len().iter_rows())
    rows = []
    for file in sorted(files, key=lambda file: file.source.name):
        name = file.source.name
        audited, lost, aside = kept[file.table.name].get(name, 0), out.get(name, 0), 0
        if file.rows != audited + lost + aside:
            raise AuditError(
                f"{file.rows} rows were read, but {audited} audited, {lost} rejected and "
                f"{aside} set aside",
                where=name,
                hint="This is a defect of the program; please report it",
            )
        rows.append(
            (name, file.table.name, file.sha256, file.size, file.rows, audited, lost, aside)
        )
    return pl.DataFrame(rows, schema=SOURCES, orient="row")
