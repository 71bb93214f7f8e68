"""Worker processes on this machine: each takes the next unit that nobody has begun."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from audit.allocator import keeping
from audit.errors import AuditError, LogError
from audit.paths import running

WORKER = running("audit.buckets.worker")
"""What the interpreter is started with."""


Worker = subprocess.Popen[str]


class Ready:
    """Workers that were started before there is anything to do, since they take a while for it."""

    def __init__(self) -> None:
        self._jobs = 0
        self._idle: list[Worker] = []

    def start(self, jobs: int) -> None:
        """Start as many as are to work side by side."""
        self._jobs = jobs
        for _ in range(jobs):
            self._idle.append(_started(jobs))  # one by one, so that an interrupt finds them

    def take(self, jobs: int, folder: Path) -> Worker | None:
        """One of them for a workshop; None where there is none for so many ``jobs``."""
        if jobs != self._jobs or not self._idle:
            return None
        worker = self._idle.pop()
        assert worker.stdin is not None
        with suppress(BrokenPipeError):  # who asks it for a unit will see that it ended
            worker.stdin.write(f"{json.dumps(str(folder))}\n")
            worker.stdin.flush()
        return worker

    def end(self) -> None:
        """End those that were not needed."""
        for worker in self._idle:
            worker.kill()
        for worker in self._idle:
            worker.communicate()
        self._idle.clear()


@contextmanager
def workers_ready() -> Iterator[Ready]:
    """None at first; those that are started and not needed end with the block."""
    ready = Ready()
    try:
        yield ready
    finally:
        ready.end()


def run_in_processes(
    folder: Path, units: Iterable[int], jobs: int, ready: Ready | None = None
) -> Iterator[int]:
    """Have ``units`` of a workshop done by ``jobs`` processes; yields each when it is done."""
    waiting: SimpleQueue[int] = SimpleQueue()
    for unit in units:
        waiting.put(unit)
    done: SimpleQueue[int | None] = SimpleQueue()
    begun = [ready.take(jobs, folder) if ready else None for _ in range(jobs)]
    workers = [each or _started(jobs, folder) for each in begun]
    with ThreadPoolExecutor(jobs) as pool:
        driven = [pool.submit(_drive, worker, waiting, done) for worker in workers]
        try:
            for _ in workers:
                yield from iter(done.get, None)  # a worker that ends, however, says None
            for each in driven:
                each.result()
        except KeyboardInterrupt:
            for worker in workers:
                worker.kill()
            raise
        finally:
            _empty(waiting)


def _started(jobs: int, folder: Path | None = None) -> Worker:
    threads = max(1, (os.cpu_count() or 1) // jobs)
    command = [sys.executable, *WORKER, *([str(folder)] if folder else [])]
    # What polars sets for itself when it is loaded, as here, is in the environment already.
    own = {"POLARS_MAX_THREADS": str(threads), **keeping(threads)}
    # An interrupt of the keyboard goes to the run alone, which then ends its workers: one that is
    # still loading its libraries would have a word of its own to say.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **own},
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _drive(worker: Worker, waiting: SimpleQueue[int], done: SimpleQueue[int | None]) -> None:
    """One process to its end, fed with units; None when it ends."""
    try:
        _feed(worker, waiting, done)
    except LogError:
        _empty(waiting)  # the log is refused: what others would begin now is in vain
        raise
    finally:
        done.put(None)


def _feed(worker: Worker, waiting: SimpleQueue[int], done: SimpleQueue[int | None]) -> None:
    with worker as process:
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
