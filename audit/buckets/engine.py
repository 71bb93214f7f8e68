"""The audit of a log of any size: in one go where it is small, in units where it is not."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from audit.buckets.pool import run_in_processes
from audit.buckets.spill import BULK, Spill, ranges
from audit.buckets.unit import Around, run_unit
from audit.buckets.whole import Audited, Parts, put_together
from audit.buckets.work import Ask, part_folder, write_ask
from audit.checks.base import Check
from audit.errors import OptionError
from audit.normalise import duplicates
from audit.normalise.intake import take_in
from audit.profile import Profile
from audit.resolve import Options, Rules
from audit.schema import BETS, ROUNDS, TABLES

UNIT_MEMORY = 1 << 30
"""Bytes that a process may need for one unit."""


@dataclass(frozen=True)
class Effort:
    """What a run may use: ``jobs`` processes at a time, ``memory`` bytes in all."""

    jobs: int | None = None
    memory: int | None = None

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


def _machine_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


@contextmanager
def audit_units(
    log: Sequence[Path],
    profile: Profile | None,
    rules: Rules,
    options: Options,
    selected: Sequence[Check],
    effort: Effort,
    folder: Path,
    rules_dir: Path | None = None,
) -> Iterator[Audited]:
    """The audited log, while the block runs: its evidence may lie in files of ``folder``."""
    spill = Spill(folder)
    intake = take_in(log, profile, spill)
    present = intake.present
    split = {
        table.name: duplicates.take_out(table, spill.memory.take(table))
        for table in TABLES
        if table.name not in BULK
    }
    small = {name: each.kept for name, each in split.items()}
    again = [each.duplicates for each in split.values() if each.duplicates is not None]
    if not spill.spilled:
        around = Around(small, present, rules, options)
        part = run_unit(spill.memory.take(ROUNDS), spill.memory.take(BETS), around)
        yield put_together(intake, small, again, Parts.held(part), rules, selected)
        return
    units = ranges(spill.chunks)
    write_ask(folder, Ask(units, present, options, rules_dir), spill.chunks, small)
    for _ in run_in_processes(folder, range(len(units)), effort.processes(len(units))):
        pass
    folders = [part_folder(folder, number) for number in range(len(units))]
    yield put_together(intake, small, again, Parts.saved(folders), rules, selected)
