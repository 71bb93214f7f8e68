"""Worker processes on this machine: each takes the next unit that nobody has begun."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue

from audit.allocator import keeping
from audit.errors import AuditError, LogError
from audit.paths import running

WORKER = running("audit.buckets.worker")
"""What the interpreter is started with."""


def run_in_processes(folder: Path, units: Iterable[int], jobs: int) -> Iterator[int]:
    """Have ``units`` of a workshop done by ``jobs`` processes; yields each when it is done."""
    waiting: SimpleQueue[int] = SimpleQueue()
    for unit in units:
        waiting.put(unit)
    done: SimpleQueue[int | None] = SimpleQueue()
    with ThreadPoolExecutor(jobs) as pool:
        workers = [pool.submit(_drive, folder, waiting, done, jobs) for _ in range(jobs)]
        try:
            for _ in workers:
                yield from iter(done.get, None)  # a worker that ends, however, says None
            for worker in workers:
                worker.result()
        finally:
            _empty(waiting)


def _drive(
    folder: Path, waiting: SimpleQueue[int], done: SimpleQueue[int | None], jobs: int
) -> None:
    """One process from its start to its end, fed with units; None when it ends."""
    try:
        _feed(folder, waiting, done, jobs)
    except LogError:
        _empty(waiting)  # the log is refused: what others would begin now is in vain
        raise
    finally:
        done.put(None)


def _feed(
    folder: Path, waiting: SimpleQueue[int], done: SimpleQueue[int | None], jobs: int
) -> None:
    threads = max(1, (os.cpu_count() or 1) // jobs)
    command = [sys.executable, *WORKER, str(folder)]
    # What polars sets for itself when it is loaded, as here, is in the environment already.
    own = {"POLARS_MAX_THREADS": str(threads), **keeping(threads)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **own}
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for unit in iter(lambda: _next(waiting), None):
            try:
                process.stdin.write(f"{unit}\n")
                process.stdin.flush()
                answer = process.stdout.readline()
            except BrokenPipeError:
                answer = ""
            if not answer:
                raise AuditError(
                    f"the process that worked on unit {unit} ended before it was done",
                    hint="It may have run out of memory: give --jobs 1, or a smaller --memory, "
                    "then --resume",
                )
            told = json.loads(answer)
            if "refused" in told:
                raise LogError(**told["refused"])
            if "failed" in told:
                raise AuditError(**told["failed"])
            if "error" in told:
                raise AuditError(
                    f"unit {unit} could not be done ({told['error']})",
                    hint="This is a defect of the program; please report it",
                )
            done.put(unit)
        process.stdin.close()


def _empty(waiting: SimpleQueue[int]) -> None:
    while _next(waiting) is not None:
        pass


def _next(waiting: SimpleQueue[int]) -> int | None:
    try:
        return waiting.get_nowait()
    except Empty:
        return None
