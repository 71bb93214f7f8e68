"""Runs of logs that are small for us and large for them: units of some hundred rounds."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from audit import open_case

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


def mixed(log: Path) -> Path:
    """The same log of CSV, a round of each shoe in turn: its shoes lie through one another."""
    for name in ("rounds.csv", "bets.csv"):
        head, *lines = (log / name).read_text(encoding="utf-8").splitlines()
        at = head.split(",").index("round_no")
        lines.sort(key=lambda line: int(line.split(",")[at]))
        (log / name).write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    return log


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


def check_places(case: Path) -> None:
    """A shoe says where in the evidence its rounds and bets stand."""
    opened = open_case(case)
    shoes = opened.connection.execute(
        "select casino, table_id, shoe_id, rounds, bets, rounds_from, bets_from from shoes"
    ).fetchall()
    opened.close()
    frames = {name: pl.read_parquet(case / f"{name}.parquet") for name in ("rounds", "bets")}
    assert len(shoes) > 10
    for *shoe, rounds, bets, rounds_from, bets_from in shoes:
        for name, first, count in (("rounds", rounds_from, rounds), ("bets", bets_from, bets)):
            of_shoe = frames[name].slice(first or 0, count).select("casino", "table_id", "shoe_id")
            assert set(of_shoe.rows()) <= {tuple(shoe)}
            assert of_shoe.height == count


def left_behind(case: Path) -> list[str]:
    """Hidden folders beside a case."""
    return [path.name for path in case.parent.iterdir() if path.name.startswith(f".{case.name}")]


def parts_done(case: Path) -> list[Path]:
    """The units of a run that are done; a folder may be gone while it is looked into."""
    try:
        return list(case.parent.glob(".case.*/unit-*"))
    except FileNotFoundError:
        return []


def kill_after_a_unit(line: list[str], case: Path, chance: random.Random) -> None:
    """Kill a run as a unit is done, or a little later."""
    before = len(parts_done(case))
    with subprocess.Popen(line, env=ENVIRONMENT, start_new_session=True) as process:
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until:
            if len(parts_done(case)) > before:
                time.sleep(chance.random() / 4)
                break
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)


CLUSTER = """
import sys, threading, time
from pathlib import Path
import ray
from ray.cluster_utils import Cluster
import audit.buckets.spill as spill
spill.UNIT, spill.CHUNK = {units!r}, dict.fromkeys(spill.BULK, 100)
head = {{"num_cpus": 1, "include_dashboard": False}}
cluster = Cluster(initialize_head=True, head_node_args=head)
second = cluster.add_node(num_cpus=1)
ray.init(address=cluster.address, logging_level="error", log_to_driver=False)
from audit import open_case
from audit.buckets import Effort
from audit.pipeline import Job, run_audit

def lose(stage, done, total, unit):
    if stage == "Auditing" and done and cluster.worker_nodes:
        cluster.remove_node(second, allow_graceful=False)
        print("lost a node", flush=True)

run_audit(Job([Path(sys.argv[1])], Path(sys.argv[2]), effort=Effort(engine="ray"), progress=lose))
"""


def run_in_cluster(log: Path, case: Path, units: dict[str, int] | None = None) -> Path:
    """A case made by a cluster of two nodes that loses one of them on the way."""
    line = [sys.executable, "-c", CLUSTER.format(units=units or SMALL), str(log), str(case)]
    done = subprocess.run(
        line, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "lost a node" in done.stdout
    return case
