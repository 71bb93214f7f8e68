"""The files of a log: find, read and type them, a batch at a time, and keep the typed rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

import polars as pl

from audit.ahead import ahead
from audit.digests import file_sha256
from audit.errors import LogError
from audit.normalise import columns, refusals
from audit.normalise.rows import Typed, type_batch
from audit.profile import Profile, TableMap, find_files, run_query, stored_tables, translate
from audit.progress import Progress, silent
from audit.schema import TABLES, Table
from audit.sources import (
    SUFFIXES,
    Batch,
    Server,
    Source,
    Stored,
    as_text,
    discover,
    open_source,
)
from audit.sources.base import AT_REST, CHANGED


class Store(Protocol):
    """Where typed rows go, those that cannot be read among them (``_readable``)."""

    def add(self, table: str, frame: pl.DataFrame) -> None:
        """Keep the rows of one batch; batches come in the order of the log."""


@dataclass(frozen=True)
class File:
    """One file as read: what it is and has, its rejects, and the count of its rows.

    ``unused`` are its own names of the columns that nothing reads.
    """

    source: Source
    table: Table
    unreadable: list[pl.DataFrame]
    present: frozenset[str]
    unused: tuple[str, ...]
    rows: int
    aside: int
    sha256: str
    size: int


@dataclass(frozen=True)
class Intake:
    """All files of a log as read; ``ignored`` names those of its folders that were left alone."""

    files: tuple[File, ...]
    ignored: tuple[str, ...]

    @property
    def present(self) -> dict[str, frozenset[str]]:
        """The columns that the log has for each table that is there."""
        return {
            table.name: frozenset().union(*(f.present for f in self.files if f.table is table))
            for table in TABLES
            if any(file.table is table for file in self.files)
        }

    def sources(self, table: str) -> dict[str, Source]:
        """The files of one table, by name."""
        return {file.source.name: file.source for file in self.files if file.table.name == table}


@dataclass(frozen=True)
class Given:
    """A file to read as ``table``: as it is, or by the ``mapping`` of a profile.

    ``source`` is open already where its rows come from a query or a server, which has no path;
    ``member`` is what is meant of an archive, a workbook or a database.
    """

    path: Path | None
    name: str
    table: Table
    mapping: TableMap | None = None
    source: Source | None = None
    member: str = ""

    def open(self) -> Source:
        """Its rows; LogError where the file cannot be read at all."""
        if self.source is not None or self.path is None:
            return cast(Source, self.source)
        encoding = self.mapping.encoding if self.mapping else None
        try:
            return open_source(self.path, self.name, self.member, encoding)
        except OSError as error:
            raise unreadable(error, self.name) from None


Places = Sequence[Path] | Server
"""Folders and files, or the connection to a database, which must stay open meanwhile."""


Lie = Callable[[Sequence[Given], Callable[[int], None]], Mapping[int, File]]
"""Chooses files whose rows stay where they are, by number, and tells what they are and have."""


def take_in(
    log: Places,
    profile: Profile | None,
    store: Store,
    progress: Progress = silent,
    lie: Lie | None = None,
) -> Intake:
    """Read a log into ``store``; LogError where a file or table cannot be read at all.

    With a ``profile`` it is read as that says; ProfileError where the two do not fit. Rows of
    the files that ``lie`` chooses are not read.
    """
    inputs, ignored = _inputs(log, profile)
    rows = 0

    def count(more: int) -> None:
        nonlocal rows
        rows += more
        progress("Reading", rows, None, "rows")

    lying = {} if lie is None else lie(inputs, count)
    if not lying:
        rows = 0  # all are read now, whether looked at before or not
    files = (lying.get(n) or _read(each, store, count) for n, each in enumerate(inputs))
    return Intake(tuple(files), ignored)


def open_inputs(paths: Sequence[Path], profile: Profile | None) -> list[tuple[Source, Table]]:
    """The files that ``take_in`` reads, in its order, opened only."""
    return [(each.open(), each.table) for each in _inputs(paths, profile)[0]]


def _inputs(log: Places, profile: Profile | None) -> tuple[list[Given], tuple[str, ...]]:
    """What is to be read, in order, and the names of what is left alone."""
    if isinstance(log, Server):
        return [Given(None, *each) for each in stored_tables(log, profile)], ()
    return _by_profile(log, profile) if profile else _by_name(log)


def _read(given: Given, store: Store, count: Callable[[int], None]) -> File:
    try:
        return _read_open(given, store, count)
    except OSError as error:
        raise unreadable(error, given.name) from None


def unreadable(error: OSError, name: str) -> LogError:
    """The sentence for a file that the system does not let us read."""
    return LogError(f"the file cannot be read ({error.strerror})", where=name)


def _read_open(given: Given, store: Store, count: Callable[[int], None]) -> File:
    table, mapping = given.table, given.mapping
    source = given.open()
    stamp = stamp_of(given.path)
    names: dict[str, None] = {}
    present: set[str] = set()
    if source.header is not None:
        names = dict.fromkeys(source.header)
        present = set() if mapping else set(columns.match(names, table))
        _require(present, names, table, source, mapping)
    rejects: list[pl.DataFrame] = []
    rows = aside = 0

    def typed(batch: Batch) -> tuple[Typed, int]:
        if mapping is not None:
            return _by_mapping(batch, table, mapping, given.name)
        matched = columns.match(batch.stored.columns, table)
        done = type_batch(batch, table, matched, given.name)
        if done.unreadable is not None:
            shown = {name: as_text(batch.stored[own]) for name, own in matched.items()}
            refusals.two_ways(done.unreadable, shown, table, source)
        return done, 0

    def seen(batch: Batch) -> Batch:
        nonlocal rows, names, present
        if mapping is None:
            present |= set(columns.match(batch.stored.columns, table))
        names |= dict.fromkeys(batch.stored.columns)
        rows += batch.count
        return batch

    with ThreadPoolExecutor(max_workers=1 + (os.cpu_count() or 1)) as pool:
        digest = pool.submit(file_sha256, given.path) if given.path is not None else None
        batches = source.batches() if mapping else source.to_type()
        for each, away in ahead(pool, typed, (seen(batch) for batch in batches)):
            store.add(table.name, each.frame)
            count(each.frame.height + away)
            aside += away
            if each.unreadable is not None:
                rejects.append(each.unreadable)
    _require(present, names, table, source, mapping)
    if stamp_of(given.path) != stamp:
        raise source.fail(CHANGED, AT_REST)
    have = frozenset(present) if mapping is None else mapping.present()
    told = (source.sha256, source.size) if isinstance(source, Stored) else ("", 0)
    if digest is not None:
        told = digest.result(), stamp[0]
    used = {name.strip().casefold() for name in (mapping.wanted() if mapping else present)}
    if isinstance(source, Stored):
        used |= source.order
    left = tuple(name for name in names if name.strip().casefold() not in used)
    return File(source, table, rejects, have, left, rows, aside, *told)


def stamp_of(path: Path | None) -> tuple[int, int]:
    """Size and time of a file, by which a change would show; zeros for the rows of a server."""
    if path is None:
        return 0, 0
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _by_name(paths: Sequence[Path]) -> tuple[list[Given], tuple[str, ...]]:
    found = discover(paths, SUFFIXES)
    by_name = {table.name: table for table in TABLES}
    inputs = [
        Given(file.path, file.name, by_name[file.table], member=file.member) for file in found.files
    ]
    return inputs, found.ignored


def _by_profile(paths: Sequence[Path], profile: Profile) -> tuple[list[Given], tuple[str, ...]]:
    files, ignored = find_files(paths, profile)
    inputs: list[Given] = []
    for table in TABLES:
        mapping = profile.tables.get(table.name)
        if mapping is None:
            continue
        relations = files[table.name]
        if mapping.sql is None:
            inputs += [
                Given(each.path, each.name, table, mapping, member=each.member)
                for each in relations[""]
            ]
            continue
        told, sources = run_query(profile, mapping, table, relations)
        for each in sources:
            inputs.append(Given(each.file.path, each.name, table, told, each))
    return inputs, ignored


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
