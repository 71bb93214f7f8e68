"""What a long step shows while it works, on standard error.

On a terminal a spinner or a bar with the speed and the time left; elsewhere a plain line now and
then, and none at all for what is done quickly.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from audit.progress import Progress, silent

_EVERY = 15.0
"""Seconds from one plain line to the next."""


@contextmanager
def stage(what: str, *, quiet: bool) -> Iterator[None]:
    """Show ``what`` with a spinner while the block runs."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} ..."):
        yield


@contextmanager
def shown(*, quiet: bool) -> Iterator[Progress]:
    """A progress to hand to a run while the block runs."""
    if quiet:
        yield silent
    elif sys.stderr.isatty():
        with _bar() as progress:
            yield progress
    else:
        yield _Lines()


class _Lines:
    """Plain lines, for logs of a scheduler."""

    def __init__(self) -> None:
        self._stage = ""
        self._begun = self._last = time.monotonic()
        self._first = 0

    def __call__(self, stage: str, done: int, total: int | None, unit: str) -> None:
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._begun, self._first = stage, now, done
        if now - self._last < _EVERY:
            return
        self._last = now
        speed = (done - self._first) / max(now - self._begun, 1e-9)
        text = f"{stage}: {done:,}{f' of {total:,}' if total else ''} {unit}, {speed:,.0f} a second"
        if total and speed:
            text += f", {_left((total - done) / speed)} left"
        print(text, file=sys.stderr, flush=True)


def _left(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        SpinnerColumn,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(compact=True),
    )
    tasks: dict[str, TaskID] = {}
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:

        def progress(stage: str, done: int, total: int | None, unit: str) -> None:
            if stage not in tasks:
                for other in tasks.values():
                    bars.update(other, visible=False)
                tasks[stage] = bars.add_task(stage, total=total, told="")
            speed = bars.tasks[tasks[stage]].speed
            told = f"{done:,} {unit}" + (f", {speed:,.0f} a second" if speed else "")
            bars.update(tasks[stage], completed=done, total=total, told=told)

        yield progress
