"""Going on where a run was stopped: what it had read, and whether it was the same run."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from audit.buckets.spill import write_rows
from audit.buckets.work import ASK, write_whole
from audit.case import beside, clear_leftovers, leftovers, of_this_process
from audit.errors import LogError
from audit.normalise.intake import File, Intake, open_inputs
from audit.profile import Profile, files_of
from audit.sources import Database

_READ, _RUN = "read.json", "run.json"


def fingerprint(log: Sequence[Path | Database], decided: Mapping[str, Any]) -> str:
    """What a run is: its options and rules (``decided``), and its files, by size and time."""
    files: list[list[object]] = [[str(each)] for each in log if isinstance(each, Database)]
    for given in files_of(log):
        for path in sorted(given.rglob("*")) if given.is_dir() else [given]:
            if path.is_file():
                told = path.stat()
                files.append([str(path.resolve()), told.st_size, told.st_mtime_ns])
    text = json.dumps([decided, files], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def workspace(case: Path, mark: str, *, resume: bool, lasting: bool = True) -> Iterator[Path]:
    """A hidden folder beside the case to be, for what a large log needs; gone after the block.

    With ``resume`` it is the one that a killed run with the same fingerprint (``mark``) left
    behind, if there is one. What is left of other runs goes. ``lasting``: whether the log will be
    the same then, which is not said of a database.
    """
    case = case.resolve()
    folder = next((each for each in leftovers(case) if resume and _is_of(each, mark)), None)
    ours = beside(case)
    if folder is not None:
        ours.rmdir()
        folder.rename(ours)
    clear_leftovers(case)
    try:
        write_whole(ours / _RUN, {"mark": mark})
        yield ours
    except BaseException as error:
        # Where the log was read whole the work is worth keeping: the user may go on with it.
        if not lasting or isinstance(error, LogError) or not (ours / ASK).exists():
            shutil.rmtree(ours, ignore_errors=True)
        raise
    shutil.rmtree(ours, ignore_errors=True)


def work_left(case: Path) -> bool:
    """Whether this process, which was stopped, has left work that ``--resume`` goes on with."""
    return any((each / ASK).exists() for each in of_this_process(case.resolve()))


def _is_of(folder: Path, mark: str) -> bool:
    """Whether a folder has the work of the run with this fingerprint, its log read whole."""
    try:
        told = json.loads((folder / _RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(told == {"mark": mark} and (folder / ASK).exists())


def keep_intake(folder: Path, intake: Intake, again: Sequence[pl.DataFrame]) -> None:
    """Keep what was read besides the rows: the account of each file, its rejects, duplicates."""
    for number, file in enumerate(intake.files):
        if file.unreadable:
            write_rows(pl.concat(file.unreadable), folder / f"rejects-{number:06}.arrow")
    for number, frame in enumerate(again):
        write_rows(frame, folder / f"again-{number}.arrow")
    told = [
        {
            "name": file.source.name,
            "table": file.table.name,
            "present": sorted(file.present),
            "unused": list(file.unused),
            "rows": file.rows,
            "aside": file.aside,
            "sha256": file.sha256,
            "size": file.size,
        }
        for file in intake.files
    ]
    write_whole(folder / _READ, {"files": told, "ignored": list(intake.ignored)})


def recall_intake(
    folder: Path, log: Sequence[Path], profile: Profile | None
) -> tuple[Intake, list[pl.DataFrame]]:
    """What ``keep_intake`` kept; the files are opened, in case a row's text is wanted."""
    told = json.loads((folder / _READ).read_text(encoding="utf-8"))
    opened = open_inputs(log, profile)
    files = []
    for number, (each, (source, table)) in enumerate(zip(told["files"], opened, strict=True)):
        rejects = folder / f"rejects-{number:06}.arrow"
        files.append(
            File(
                source,
                table,
                [pl.read_ipc(rejects)] if rejects.exists() else [],
                frozenset(each["present"]),
                tuple(each["unused"]),
                each["rows"],
                each["aside"],
                each["sha256"],
                each["size"],
            )
        )
    again = [pl.read_ipc(path) for path in sorted(folder.glob("again-*.arrow"))]
    return Intake(tuple(files), tuple(told["ignored"])), again
