"""Runs of logs that are small for us and large for them: units of some hundred rounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

SMALL = {"rounds": 150, "bets": 500}
_SCRIPT = """
import sys, audit.buckets.spill as spill
spill.UNIT, spill.CHUNK = {units!r}, dict.fromkeys(spill.BULK, 100)
from audit.cli import main
main()
"""
ENVIRONMENT = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}


def sample(folder: Path, rounds: int = 1_000, seed: int = 3, options: Sequence[str] = ()) -> Path:
    """A faulty synthetic log."""
    command = [sys.executable, "-m", "audit", "sample", str(folder), "--quiet", *options]
    command += ["--rounds", str(rounds), "--seed", str(seed), "--faults", "0.2"]
    subprocess.run(command, check=True)
    return folder


def command(log: Path, case: Path, *options: str, units: dict[str, int] | None = None) -> list[str]:
    """The command line of a run with units of a size."""
    script = _SCRIPT.format(units=units or SMALL)
    return [sys.executable, "-c", script, "run", str(log), "--case", str(case), "-q", *options]


def run(log: Path, case: Path, *options: str, units: dict[str, int] | None = None) -> Path:
    """A case made in units."""
    line = command(log, case, *options, units=units)
    done = subprocess.run(line, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return case


def tables(case: Path) -> dict[str, Any]:
    """Rows and hash of every table of a case."""
    told: dict[str, Any] = json.loads((case / "manifest.json").read_text(encoding="utf-8"))
    return dict(told["tables"])


def evidence(case: Path, name: str) -> list[tuple[Any, ...]]:
    """The rows of a table of evidence, whatever their order."""
    return sorted(pl.read_parquet(case / f"{name}.parquet").rows(), key=repr)


def left_behind(case: Path) -> list[str]:
    """Hidden folders beside a case."""
    return [path.name for path in case.parent.iterdir() if path.name.startswith(f".{case.name}")]
