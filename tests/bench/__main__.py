"""Measures whole commands in processes of their own: seconds, peak memory, and ratios.

A figure in seconds says as much about the machine as about the program, so each is set against a
floor measured in the same run: polars reading every column of the log and writing it once.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from pypdf import PdfReader

ALL_LANGS = "zh-Hant,pt,en"
FLOOR = """
import sys, polars as pl
from pathlib import Path
log, out = Path(sys.argv[1]), Path(sys.argv[2])
for table in ("rounds", "bets"):
    here = sorted(log.glob(f"{table}*")) + sorted(log.glob(f"{table}/*.parquet"))
    files = [path for path in here if path.is_file()]
    if files[0].suffix == ".csv":
        frame = pl.concat([pl.read_csv(path, infer_schema=False) for path in files])
    else:
        frame = pl.concat([pl.read_parquet(path) for path in files])
    frame.write_parquet(out / f"{table}.parquet")
"""


@dataclass(frozen=True)
class Cost:
    """Wall seconds, processor seconds and peak megabytes of one process."""

    wall: float
    cpu: float
    memory: float


def measure(*command: str, verdict: bool = False) -> Cost:
    """Run a command to its end; where it gives a verdict the exit code may be 1."""
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ((0, 1) if verdict else (0,)):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    megabytes = usage.ru_maxrss / (1024 if sys.platform == "linux" else 1024 * 1024)
    return Cost(time.monotonic() - start, usage.ru_utime + usage.ru_stime, megabytes)


def sample(folder: Path, rounds: int, kind: str, faults: float = 0.0) -> Path:
    """A synthetic log, made once and kept."""
    log = folder / f"{rounds}-{kind}-{faults}"
    if not log.is_dir():
        options = ["--rounds", str(rounds), "--format", kind, "--faults", str(faults), "--quiet"]
        measure(sys.executable, "-m", "audit", "sample", str(log), *options)
    return log


def main() -> None:
    """Print one row for each figure, and JSON with ``--json``."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "audit-bench")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    chosen.folder.mkdir(exist_ok=True)
    audit = (sys.executable, "-m", "audit")
    costs: dict[str, Cost] = {"--help": measure(*audit, "--help")}
    with tempfile.TemporaryDirectory(dir=chosen.folder) as scratch:
        for kind in ("parquet", "csv"):
            log = sample(chosen.folder, chosen.rounds, kind)
            costs[f"floor, {kind}"] = measure(sys.executable, "-c", FLOOR, str(log), scratch)
            case = Path(scratch) / f"case-{kind}"
            costs[f"run, {kind}"] = measure(*audit, "run", str(log), "--case", str(case), "-q")
        faulty = sample(chosen.folder, 20_000, "csv", 0.3)
        case, pdf = Path(scratch) / "case", Path(scratch) / "report.pdf"
        costs["run, 20,000 faulty rounds"] = measure(
            *audit, "run", str(faulty), "--case", str(case), "-q", verdict=True
        )
        costs["findings of it"] = measure(*audit, "findings", str(case))
        reports = {"report of it": (case, "en"), "report of it, 3 languages": (case, ALL_LANGS)}
        large = Path(scratch) / "large"
        faulty = sample(chosen.folder, 400_000, "csv", 0.3)
        measure(*audit, "run", str(faulty), "--case", str(large), "-q", verdict=True)
        reports["report of 100,000 findings"] = (large, "en")
        pages: dict[str, int] = {}
        for name, (of, lang) in reports.items():
            options = ("-o", str(pdf), "--lang", lang, "-q")
            costs[name] = measure(*audit, "report", str(of), *options)
            pages[name] = len(PdfReader(pdf).pages)
    if chosen.json:
        told = {name: {**vars(cost), "pages": pages.get(name)} for name, cost in costs.items()}
        print(json.dumps(told, indent=2))
        return
    print(f"{chosen.rounds:,} rounds, {os.cpu_count()} processors")
    print(f"{'':28} {'seconds':>8} {'cpu':>8} {'MB':>7}  {'x floor':>8}")
    for name, cost in costs.items():
        floor = costs.get(name.replace("run", "floor"))
        ratio = f"{cost.wall / floor.wall:8.1f}" if floor and name.startswith("run") else ""
        if name in pages:
            ratio = f"{pages[name]} pages, {cost.cpu / pages[name]:.2f} cpu a page"
        print(f"{name:28} {cost.wall:8.1f} {cost.cpu:8.1f} {cost.memory:7.0f}  {ratio}")


if __name__ == "__main__":
    main()
