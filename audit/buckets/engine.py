"""The audit of a log of any size: in one go where it is small, in units where it is not."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import polars as pl

from audit.buckets.cluster import check_cluster, run_in_cluster
from audit.buckets.in_place import InPlace, Lying
from audit.buckets.pool import Ready, run_in_processes, workers_ready
from audit.buckets.resume import keep_intake, recall_intake
from audit.buckets.spill import BULK, Spill, ranges
from audit.buckets.survey import Survey, survey
from audit.buckets.unit import Around, run_unit
from audit.buckets.whole import Audited, Parts, put_together
from audit.buckets.work import (
    ASK,
    Ask,
    Spilled,
    Workshop,
    all_shoes,
    few_columns,
    part_folder,
    share,
    units_of,
    write_ask,
)
from audit.checks.base import Check
from audit.errors import OptionError
from audit.normalise import duplicates
from audit.normalise.intake import File, Given, Intake, take_in
from audit.profile import Profile, files_of
from audit.resolve import Rules
from audit.schema import BETS, ROUNDS, SHOES, TABLES
from audit.sources import Server

if TYPE_CHECKING:
    from audit.pipeline import Job

UNIT_MEMORY = 1 << 30
"""Bytes that a process may need for one unit."""


_MANY = 1 << 20
"""More units than there are processors on any machine."""

_LARGE = 150_000_000
"""Bytes of text above which a log has more rows than one unit, as logs usually are."""

_PACKED = {".parquet": 15, ".pq": 15, ".gz": 8, ".zip": 8}
"""How many bytes of text a byte of such a file stands for."""


@dataclass(frozen=True)
class Effort:
    """What a run may use: ``jobs`` processes at a time, ``memory`` bytes in all.

    ``engine``: ``local``, or ``ray`` for the machines of a cluster.
    """

    jobs: int | None = None
    memory: int | None = None
    engine: Literal["local", "ray"] = "local"

    def processes(self, units: int) -> int:
        """Processes to start for so many units."""
        memory = self.memory or _machine_memory() // 2
        wanted = self.jobs or os.cpu_count() or 1
        return max(1, min(wanted, units, memory // UNIT_MEMORY))

    def __post_init__(self) -> None:
        if self.memory is not None and self.memory < UNIT_MEMORY:
            raise OptionError(
                "a run needs 1 GB at least", where="--memory", hint="Give 1GB or more"
            )


def size_of(text: str) -> int:
    """Bytes of such as ``4GB``, ``1.5 GB`` or ``800MB``."""
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)\s*([MGT])i?B?", text.strip(), re.IGNORECASE)
    if match is None:
        raise OptionError(
            f"{text!r} is not a size", where="--memory", hint="Write such as 4GB or 800MB"
        )
    return int(float(match[1]) * 1024 ** (2 + "MGT".index(match[2].upper())))


def _machine_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


@dataclass(frozen=True)
class Read:
    """A log that was read: what its files are, and what is to be done with its rows.

    ``units`` are none where all is in memory; ``lying`` are the files that units read themselves.
    """

    intake: Intake
    small: Mapping[str, pl.DataFrame]
    again: Sequence[pl.DataFrame]
    units: int = 0
    lying: Sequence[Lying] = ()


@contextmanager
def audit_units(
    job: Job,
    profile: Profile | None,
    rules: Rules,
    selected: Sequence[Check],
    folder: Path,
    server: Server | None = None,
) -> Iterator[Audited]:
    """The audited log, while the block runs: its evidence may lie in files of ``folder``.

    ``server`` is the connection to a log that is a database. What of the work is in ``folder``
    already is not done again.
    """
    if job.effort.engine == "ray":
        check_cluster()
    spill = Spill(folder)
    begun = (folder / ASK).exists()
    with workers_ready() as ready:
        if job.effort.engine == "local" and (begun or _seems_large(files_of(job.log))):
            ready.start(job.effort.processes(_MANY))
        read = _recall(job, profile, folder) if begun else read_log(job, profile, spill, server)
        if not read.units:
            ready.end()
            around = Around(read.small, read.intake.present, rules, job.options)
            rounds, bets = spill.memory.take(ROUNDS), spill.memory.take(BETS)
            parts = Parts.held(run_unit(rounds, bets, around))
        else:
            folders = [part_folder(folder, number) for number in range(read.units)]
            _do(job, read, folder, folders, ready)
            parts = Parts.saved(folders)
            for file in read.lying:
                file.check()
    yield put_together(read.intake, read.small, read.again, parts, rules, selected)


def read_log(job: Job, profile: Profile | None, spill: Spill, server: Server | None) -> Read:
    """Read a log, into ``spill`` where units cannot read it themselves; what is to be done."""
    lies: Survey | None = None

    def lie(given: Sequence[Given], count: Callable[[int], None]) -> Mapping[int, File]:
        nonlocal lies
        lies = survey(given, count)
        return lies.files if lies else {}

    intake = take_in(server or files_of(job.log), profile, spill, job.progress, lie)
    spill.close()
    split = {
        table.name: duplicates.take_out(table, spill.memory.take(table))
        for table in TABLES
        if table.name not in BULK
    }
    small = {name: each.kept for name, each in split.items()}
    again = [each.duplicates for each in split.values() if each.duplicates is not None]
    if lies is None and not spill.spilled:
        return Read(intake, small, again)
    rows: Spilled | InPlace
    if lies is None:
        rows = Spilled(spill.chunks, ranges(spill.chunks))
        homes = rows.units_of(small[SHOES.name])
    else:
        rows = lies.rows.copied(spill.folder) if job.effort.engine == "ray" else lies.rows
        homes = lies.units_of(small[SHOES.name])
    keep_intake(spill.folder, intake, again)
    write_ask(spill.folder, Ask(rows, intake.present, job.options, job.rules_dir), small, homes)
    small[SHOES.name] = few_columns(small[SHOES.name])
    return Read(intake, small, again, units_of(rows), lies.rows.files if lies else ())


def _seems_large(log: Sequence[Path]) -> bool:
    """Whether a log will have units, by the size of its files: a guess, for which work begins."""
    files = (path for given in log for path in (given.rglob("*") if given.is_dir() else [given]))
    sizes = (path.stat().st_size * _PACKED.get(path.suffix.lower(), 1) for path in files)
    with suppress(OSError):
        return sum(sizes) > _LARGE
    return False


def _recall(job: Job, profile: Profile | None, folder: Path) -> Read:
    intake, again = recall_intake(folder, files_of(job.log), profile)
    shop = Workshop(folder)
    lying: Sequence[Lying] = ()
    if isinstance(shop.rows, InPlace):
        lying = shop.rows.files
        if job.effort.engine == "ray":
            share(folder, shop.rows)  # the run that was stopped may have been on one machine
    small = {**shop.around.small, SHOES.name: all_shoes(folder)}
    return Read(intake, small, again, units_of(shop.rows), lying)


def _do(job: Job, read: Read, folder: Path, parts: Sequence[Path], ready: Ready) -> None:
    """Have all units done that are not done yet."""
    total = sum(file.rows for file in read.intake.files if file.table is ROUNDS)
    open_units = [number for number, part in enumerate(parts) if not part.exists()]
    done = len(parts) - len(open_units)
    job.progress("Auditing", total * done // len(parts), total, "rounds")
    jobs = job.effort.processes(len(parts))
    of_cluster = job.effort.engine == "ray"
    run = run_in_cluster if of_cluster else partial(run_in_processes, ready=ready)
    for _ in run(folder, open_units, jobs):
        done += 1
        job.progress("Auditing", total * done // len(parts), total, "rounds")
