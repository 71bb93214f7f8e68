"""One command in a process of its own, to its end: seconds and peak memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

HERE = (sys.executable, "-m")
AUDIT = (*HERE, "audit")
_UNIT = 1024 if sys.platform == "linux" else 1024 * 1024


@dataclass(frozen=True)
class Cost:
    """Wall seconds, processor seconds of all its processes, megabytes of the largest of them."""

    wall: float
    cpu: float
    memory: float


def measure(command: Sequence[str], *, verdict: bool = False) -> Cost:
    """Run a command; where it gives a verdict the exit code may be 1."""
    return _run(command, verdict=verdict)[0]


def told(command: Sequence[str]) -> tuple[Cost, dict[str, Any]]:
    """Run a command that prints one object of JSON; the object too."""
    cost, out = _run(command, verdict=False)
    said: dict[str, Any] = json.loads(out)
    return cost, said


def _run(command: Sequence[str], *, verdict: bool) -> tuple[Cost, str]:
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ((0, 1) if verdict else (0,)):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    wall = time.monotonic() - start
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / _UNIT), out


def asked(query: str) -> str:
    """One value of a query, asked by a process of its own: see ``tests.bench.logs.made``."""
    script = "import duckdb, sys; print(duckdb.execute(sys.argv[1]).fetchall()[0][0])"
    command = [sys.executable, "-c", script, query]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
