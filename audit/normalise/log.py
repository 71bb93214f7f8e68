"""The log as a whole: find, read, type, sort out duplicates, and account for every row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from audit.digests import file_sha256
from audit.errors import AuditError, LogError
from audit.normalise import columns, duplicates, rejects
from audit.normalise.rows import READABLE, Typed, schema_of, type_batch
from audit.profile import (
    Profile,
    TableMap,
    files_of,
    find_files,
    log_database,
    run_query,
    stored_tables,
    translate,
)
from audit.schema import TABLES, Table
from audit.sources import SUFFIXES, Batch, Database, Source, Stored, discover, open_source

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

_ENOUGH = 10
"""Rounds from which on wrong totals tell that the game is another one."""


@dataclass(frozen=True)
class Log:
    """A log after normalisation.

    ``tables`` has a frame for every canonical table, ``present`` the columns that the log has
    for each table that is there. ``ignored`` names the files of its folders that were left
    alone. ``sources`` is sorted by name and satisfies, for each file of a table,
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
    aside: int
    sha256: str
    size: int


@dataclass(frozen=True)
class _Input:
    """A file to read as ``table``: as it is, or by the ``mapping`` of a profile.

    ``source`` is open already where its rows come from a query or a server, which has no path;
    ``member`` is what is meant of an archive, a workbook or a database.
    """

    path: Path
    name: str
    table: Table
    mapping: TableMap | None = None
    source: Source | None = None
    member: str = ""


def read_log(paths: Sequence[Path | Database], profile: Profile | None = None) -> Log:
    """Read a log from folders and files, or one database; LogError where it cannot be read.

    With a ``profile`` it is read as that says; ProfileError where the two do not fit.
    """
    with _inputs(paths, profile) as (inputs, ignored):
        return _read_all(inputs, ignored)


@contextmanager
def _inputs(
    paths: Sequence[Path | Database], profile: Profile | None
) -> Iterator[tuple[list[_Input], tuple[str, ...]]]:
    """What is to be read, and the names of what is left alone; a database is open meanwhile."""
    with log_database(paths) as server:
        if server is not None:
            yield [_Input(Path(), *each) for each in stored_tables(server, profile)], ()
        elif profile is not None:
            yield _by_profile(files_of(paths), profile)
        else:
            yield _by_name(files_of(paths))


def _read_all(inputs: Sequence[_Input], ignored: tuple[str, ...]) -> Log:
    files = [_read(each) for each in inputs]
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
    _refuse_other_games(files, out)
    return Log(tables, present, out, _account(files, tables, out), ignored)


def _refuse_other_games(files: list[_File], rejected: pl.DataFrame) -> None:
    """Raise LogError where most recorded totals are beyond nine: no baccarat was dealt there."""
    read = sum(file.rows - file.aside for file in files if file.table.name == "rounds")
    beyond = rejected.filter(
        pl.col("column").is_in(["player_total", "banker_total"])
        & (pl.col("reason") == "out_of_range")
    )
    if read >= _ENOUGH and beyond.height * 2 > read:
        raise LogError(
            f"{beyond.height} of {read} rounds record a total beyond 9, such as "
            f"{beyond['text'][0]}: this is not baccarat",
            where=", ".join(beyond["source"].unique().sort()),
            hint="If the column is no total of art. 5, leave it out or map another",
        )


def _by_name(paths: Sequence[Path]) -> tuple[list[_Input], tuple[str, ...]]:
    found = discover(paths, SUFFIXES)
    by_name = {table.name: table for table in TABLES}
    inputs = [
        _Input(file.path, file.name, by_name[file.table], member=file.member)
        for file in found.files
    ]
    return inputs, found.ignored


def _by_profile(paths: Sequence[Path], profile: Profile) -> tuple[list[_Input], tuple[str, ...]]:
    files, ignored = find_files(paths, profile)
    inputs: list[_Input] = []
    for table in TABLES:
        mapping = profile.tables.get(table.name)
        if mapping is None:
            continue
        relations = files[table.name]
        if mapping.sql is None:
            inputs += [
                _Input(each.path, each.name, table, mapping, member=each.member)
                for each in relations[""]
            ]
            continue
        told, sources = run_query(profile, mapping, table, relations)
        for each in sources:
            inputs.append(_Input(each.file.path, each.name, table, told, each))
    return inputs, ignored


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


def _read(given: _Input) -> _File:
    try:
        return _read_open(given)
    except OSError as error:
        raise LogError(f"the file cannot be read ({error.strerror})", where=given.name) from None


def _read_open(given: _Input) -> _File:
    table, mapping = given.table, given.mapping
    encoding = mapping.encoding if mapping else None
    source = given.source or open_source(given.path, given.name, given.member, encoding)
    stamp = _stamp(given.path)
    digest = "" if stamp is None else file_sha256(given.path)
    names: dict[str, None] = {}
    present: set[str] = set()
    if source.header is not None:
        names = dict.fromkeys(source.header)
        present = set() if mapping else set(columns.match(names, table))
        _require(present, names, table, source, mapping)
    frames: list[pl.DataFrame] = []
    unreadable: list[pl.DataFrame] = []
    rows = aside = 0
    for batch in source.batches():
        matched = {} if mapping else columns.match(batch.rows.columns, table)
        names |= dict.fromkeys(batch.rows.columns)
        present |= set(matched)
        if mapping is None:
            typed = type_batch(batch, table, matched, given.name)
        else:
            typed, away = _by_mapping(batch, table, mapping, given.name)
            aside += away
        frames.append(typed.frame)
        if typed.unreadable is not None:
            unreadable.append(typed.unreadable)
        rows += batch.count
    _require(present, names, table, source, mapping)
    if _stamp(given.path) != stamp:
        raise source.fail("the file changed while it was read", "Run again on a copy at rest")
    size = stamp[0] if stamp is not None else 0
    if isinstance(source, Stored):
        digest, size = source.sha256, source.size
    have = frozenset(present) if mapping is None else mapping.present()
    return _File(source, table, frames, unreadable, have, rows, aside, digest, size)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Size and time of a file, by which a change would show; None for the rows of a database."""
    if path == Path():
        return None
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _require(
    present: set[str],
    names: Mapping[str, None],
    table: Table,
    source: Source,
    mapping: TableMap | None,
) -> None:
    if mapping is None:
        columns.require(present, names, table, source)
    else:
        columns.require_own(mapping.wanted(), names, source)


def _by_mapping(batch: Batch, table: Table, mapping: TableMap, name: str) -> tuple[Typed, int]:
    """Type a batch by a profile, without the rows that are set aside, which are counted."""
    foreign = translate(mapping, table, batch.rows)
    typed = type_batch(batch, table, {}, name, foreign)
    if foreign.aside is None:
        return typed, 0
    # A row that is broken as a whole does not say whether it is finished.
    broken = [damage.row - batch.first for damage in batch.damaged]
    keep = (~foreign.aside).scatter(broken, True)
    rejected = typed.unreadable
    if rejected is not None:
        kept = keep.gather(rejected["row"] - batch.first)
        rejected = rejected.filter(kept) if kept.any() else None
    return Typed(typed.frame.filter(keep), rejected), int((~keep).sum())


def _account(
    files: list[_File], tables: Mapping[str, pl.DataFrame], rejected: pl.DataFrame
) -> pl.DataFrame:
    """Count rows by file; raises AuditError where a row was lost, which is our own failure."""
    kept = {
        name: dict(frame.group_by("source").len().iter_rows()) for name, frame in tables.items()
    }
    out = {
        (table, source): count
        for table, source, count in rejected.group_by("table", "source").len().iter_rows()
    }
    rows = []
    for file in sorted(files, key=lambda file: file.source.name):
        name, aside = file.source.name, file.aside
        audited = kept[file.table.name].get(name, 0)
        lost = out.get((file.table.name, name), 0)
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
