"""The log as a whole: read, sort out duplicates, and account for every row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from audit.errors import AuditError, LogError
from audit.normalise import duplicates, refusals, rejects, strangers, unused
from audit.normalise.intake import Intake, take_in
from audit.normalise.rows import READABLE, schema_of
from audit.normalise.strangers import Strangers
from audit.normalise.unused import Unused
from audit.profile import Profile, files_of, log_database
from audit.schema import TABLES, Table
from audit.sources import Database

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
    alone, ``unused`` the columns that nothing reads, ``strangers`` the rows that belong to no
    round. ``sources`` is sorted by name and satisfies, for each file of a table,
    ``rows_read = audited + rejected + set_aside``.
    """

    tables: dict[str, pl.DataFrame]
    present: Mapping[str, frozenset[str]]
    rejects: pl.DataFrame
    sources: pl.DataFrame
    ignored: tuple[str, ...] = ()
    unused: tuple[Unused, ...] = ()
    strangers: tuple[Strangers, ...] = ()

    @property
    def rows_read(self) -> int:
        """Rows of all tables together."""
        return int(self.sources["rows_read"].sum())


@dataclass
class InMemory:
    """Typed rows kept as they come, by table."""

    frames: dict[str, list[pl.DataFrame]] = field(default_factory=dict)

    def add(self, table: str, frame: pl.DataFrame) -> None:
        """Keep the rows of one batch."""
        self.frames.setdefault(table, []).append(frame)

    def take(self, table: Table) -> pl.DataFrame:
        """All rows of a table; they are used up, so that no row is held twice."""
        schema = {**schema_of(table), READABLE: pl.Boolean()}
        return stack(self.frames.pop(table.name, []), schema)


def read_log(paths: Sequence[Path | Database], profile: Profile | None = None) -> Log:
    """Read a log from folders and files, or one database; LogError where it cannot be read.

    With a ``profile`` it is read as that says; ProfileError where the two do not fit.
    """
    with log_database(paths) as server:
        store = InMemory()
        return _read(take_in(server or files_of(paths), profile, store), store)


def _read(intake: Intake, store: InMemory) -> Log:
    splits = {table.name: duplicates.take_out(table, store.take(table)) for table in TABLES}
    tables = {name: split.kept for name, split in splits.items()}
    again = [split.duplicates for split in splits.values() if split.duplicates is not None]
    out = rejected(intake, again)
    audited = {name: audited_of(frame) for name, frame in tables.items()}
    return Log(
        tables,
        intake.present,
        out,
        account(intake, audited, out),
        intake.ignored,
        unused.of(intake.files),
        strangers.strangers(tables, tables["rounds"], out),
    )


def refused_later(intake: Intake, unreadable: pl.DataFrame) -> Intake:
    """``intake`` with the rejects of rows that were read apart from it, in units.

    LogError where these show that the amounts of a file can be meant in two ways.
    """
    if unreadable.is_empty():
        return intake
    found = {
        (str(table), str(source)): rows
        for (table, source), rows in unreadable.group_by("table", "source", maintain_order=True)
    }
    files = []
    for file in intake.files:
        rows = found.get((file.table.name, file.source.name))
        if rows is not None:
            refusals.two_ways_in_file(rows, file.table, file.source)
            file.unreadable.append(rows.sort("row"))
        files.append(file)
    return replace(intake, files=tuple(files))


def rejected(intake: Intake, again: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """All rejects of a log: its unreadable rows, and the duplicates of each table (``again``).

    LogError where there is no round in the log, or the game is another one.
    """
    _refuse_without_rounds(intake)
    frames = []
    for table in TABLES:
        mine = [part for file in intake.files if file.table is table for part in file.unreadable]
        twice = [part for part in again if part["table"][0] == table.name]
        if twice:
            mine.append(duplicates.with_raw(pl.concat(twice), intake.sources(table.name)))
        if mine:
            frames.append(pl.concat(mine))
    out = rejects.collect(frames)
    rounds = sum(file.rows - file.aside for file in intake.files if file.table.name == "rounds")
    refusals.other_games(rounds, out)
    refusals.other_cards(rounds, out)
    return out


def audited_of(rows: pl.DataFrame) -> dict[str, int]:
    """Rows by the name of their file."""
    runs = rows["source"].rle().struct.unnest()  # far fewer: those of a file follow one another
    counts = runs.group_by(pl.col("value").cast(pl.String)).agg(pl.col("len").sum())
    return dict(counts.sort("value").iter_rows())


def _refuse_without_rounds(intake: Intake) -> None:
    rounds = [file for file in intake.files if file.table.name == "rounds"]
    if not any(file.rows for file in rounds):
        names = ", ".join(file.source.name for file in rounds)
        raise LogError("there is no round in it", where=names, hint="Give a log with rounds")


def stack(frames: list[pl.DataFrame], schema: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """One frame of all; the given ones are used up, so that no row is held twice."""
    if not frames:
        return pl.DataFrame(schema=schema)
    return pl.DataFrame(
        [
            pl.concat([frame.drop_in_place(name) for frame in frames], rechunk=True)
            for name in schema
        ]
    )


def account(
    intake: Intake, audited: Mapping[str, Mapping[str, int]], rejected: pl.DataFrame
) -> pl.DataFrame:
    """Count rows by file; raises AuditError where a row was lost, which is our own failure.

    ``audited`` counts the rows kept, by table and file.
    """
    out = {
        (table, source): count
        for table, source, count in rejected.group_by("table", "source").len().iter_rows()
    }
    rows = []
    for file in sorted(intake.files, key=lambda file: file.source.name):
        name, aside = file.source.name, file.aside
        kept = audited.get(file.table.name, {}).get(name, 0)
        lost = out.get((file.table.name, name), 0)
        if file.rows != kept + lost + aside:
            raise AuditError(
                f"{file.rows} rows were read, but {kept} audited, {lost} rejected and "
                f"{aside} set aside",
                where=name,
                hint="This is a defect of the program; please report it",
            )
        rows.append((name, file.table.name, file.sha256, file.size, file.rows, kept, lost, aside))
    return pl.DataFrame(rows, schema=SOURCES, orient="row")
