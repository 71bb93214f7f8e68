"""A log audited in one go, through the spill and in place, by one process: what comes of each."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import polars as pl

from audit import open_case
from audit.buckets import cuts, engine, spill
from audit.buckets import survey as surveys
from audit.buckets.work import Workshop
from audit.errors import AuditError
from audit.normalise.intake import Given
from audit.pipeline import Job, run_audit

UNITS = {"rounds": 100, "bets": 400}
_PLACES = ("rounds_from", "bets_from")
"""Columns that say where in the evidence something is, and so how it was cut."""


@dataclass(frozen=True)
class Made:
    """What a run made: all rows of its case, or one sentence; ``units`` as rows of each table.

    ``way`` is ``one go``, ``spill`` or ``in place``; ``left`` what lies beside the case.
    """

    way: str
    tables: Mapping[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    refusal: str = ""
    left: Sequence[str] = ()
    stretches: Sequence[Sequence[cuts.Stretch]] = ()

    def column(self, table: str, *names: int) -> list[tuple[Any, ...]]:
        """Some columns of a table, by number."""
        return [tuple(row[name] for name in names) for row in self.tables[table]]


def audit(log: Path, way: str = "", units: Mapping[str, int] = UNITS, **options: Any) -> Made:
    """Audit a log by the ``way`` it goes by itself, or by ``one go`` or ``spill``."""
    went = ["one go"]
    stretches: list[Sequence[cuts.Stretch]] = []

    def survey(given: Sequence[Given], count: Callable[[int], None]) -> surveys.Survey | None:
        found = None if way == "spill" else surveys.survey(given, count)
        stretches.extend(found.rows.units if found else [])
        return found

    def run(folder: Path, numbers: Iterable[int], _: int, **__: Any) -> Iterator[int]:
        went.append("in place" if stretches else "spill")
        return done_here(folder, numbers, 1)

    with (
        tempfile.TemporaryDirectory() as temporary,
        of_size(dict.fromkeys(spill.BULK, 10**9) if way == "one go" else units),
        patch.object(engine, "survey", survey),
        patch.object(engine, "run_in_processes", run),
    ):
        case, refusal = Path(temporary) / "case", ""
        try:
            run_audit(Job([log], case, made_at=datetime(2026, 1, 1), **options))
        except AuditError as error:
            refusal = str(error)
        left = [path.name for path in case.parent.iterdir() if refusal or path != case]
        return Made(went[-1], {} if refusal else rows_of(case), refusal, left, stretches)


@contextmanager
def of_size(units: Mapping[str, int]) -> Iterator[None]:
    """Units of a size, while the block runs."""
    chunk = dict.fromkeys(spill.BULK, 100)
    with patch.object(spill, "UNIT", dict(units)), patch.object(spill, "CHUNK", chunk):
        yield


def done_here(folder: Path, numbers: Iterable[int], _: int) -> Iterator[int]:
    """Do units in this process."""
    shop = Workshop(folder)
    for number in numbers:
        shop.do(number)
        yield number


def rows_of(case: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of a case by table; those of the evidence whatever their order."""
    opened = open_case(case)
    told: dict[str, list[tuple[Any, ...]]] = {}
    query = "select table_name from information_schema.tables where table_type = 'BASE TABLE'"
    for (name,) in opened.connection.execute(query).fetchall():
        found = opened.connection.execute(f'select * from "{name}"')
        kept = [n for n, each in enumerate(found.description or []) if each[0] not in _PLACES]
        told[name] = [tuple(row[n] for n in kept) for row in found.fetchall()]
    opened.close()
    for name in spill.BULK:
        told[name] = sorted(pl.read_parquet(case / f"{name}.parquet").rows(), key=repr)
    return told


def write(folder: Path, files: Mapping[str, pl.DataFrame], rows: int | None = None) -> Path:
    """A log of files by name, CSV or Parquet; ``rows`` of a row group."""
    for name, frame in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".csv":
            frame.write_csv(path)
        else:
            frame.write_parquet(path, row_group_size=rows)
    return folder
