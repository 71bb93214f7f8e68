"""Measures whole commands in processes of their own: seconds, peak memory, and ratios.

A figure in seconds says as much about the machine as about the program, so each is set against
something measured in the same run: what polars needs to read and write the log once, an analyst's
script in SQL, a plain loop.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from pypdf import PdfReader

from tests.bench.logs import base, made
from tests.bench.measuring import AUDIT, HERE, Cost, asked, measure, told

LANGS = "zh-Hant,pt,en"
FAULTS = 0.3
LOOPED = 20_000
"""Rounds judged by plain loops."""
FAULTY = 360_000
"""Rounds dealt with ``FAULTS``, which make some 100,000 findings."""


@dataclass(frozen=True)
class Line:
    """One figure: what was run, what it cost, and what that is beside something else."""

    what: str
    cost: Cost
    beside: str = ""


@dataclass(frozen=True)
class Bench:
    """Where logs are kept and cases are made, and how large the largest log is."""

    logs: Path
    scratch: Path
    rounds: int

    def run(self, log: Path, name: str, *options: str) -> tuple[Path, Cost]:
        """A case of ``log`` and its cost."""
        case = self.scratch / name
        shutil.rmtree(case, ignore_errors=True)
        command = (*AUDIT, "run", str(log), "--case", str(case), "-q", *options)
        return case, measure(command, verdict=True)


def speed(bench: Bench) -> Iterator[Line]:
    """The whole run against the floor, from Parquet and from CSV."""
    for kind, most in (("parquet", 3), ("csv", 2)):
        log = made(bench.logs, bench.rounds, kind=kind)
        floor = measure((*HERE, "tests.bench.floor", str(log), str(bench.scratch)))
        yield Line(f"floor, {kind}", floor)
        _, cost = bench.run(log, f"case-{kind}")
        yield Line(f"run, {kind}", cost, f"{cost.wall / floor.wall:.1f} x floor (wanted: {most})")


def others(bench: Bench) -> Iterator[Line]:
    """Against an analyst's script, and against plain loops."""
    log = made(bench.logs, min(bench.rounds, 1_000_000))
    out = bench.scratch / "found.parquet"
    cost, script = told((*HERE, "tests.bench.analyst", str(log), str(out)))
    yield Line("analyst's script in DuckDB", cost, f"{script['seconds']:.1f} s of work")
    cost, stage = told((*HERE, "tests.bench.stage", str(log)))
    ratio = script["seconds"] / stage["seconds"]
    yield Line("the same work of ours", cost, f"{ratio:.1f} x as fast (wanted: 2)")
    cost, loop = told((*HERE, "tests.bench.loop", str(log)))
    each = (loop["seconds"] / loop["rounds"]) / (stage["seconds"] / stage["rounds"])
    yield Line("the script as a plain loop, 100,000 rounds", cost, f"ours {each:.0f} x as fast")
    cost, whole = told((*HERE, "tests.bench.stage", str(log), "--all"))
    yield Line("all that a unit goes through", cost, f"{whole['seconds']:.1f} s of work")
    small = made(bench.logs, LOOPED, kind="csv")
    cost, loops = told((*HERE, "tests.bench.loops", str(small)))
    each = (loops["judging"] / loops["rounds"]) / (whole["seconds"] / whole["rounds"])
    yield Line(
        f"the whole audit as plain loops, {LOOPED:,} rounds", cost,
        f"ours {each:.0f} x as fast (wanted: 100)",
    )  # fmt: skip
    rows = made(bench.logs, min(bench.rounds, 1_000_000), kind="csv")
    _, cost = bench.run(rows, "case-others")
    seconds = (loops["reading"] + loops["judging"]) / loops["rounds"] * whole["rounds"]
    yield Line(
        "whole run from CSV, case written", cost,
        f"the loops, with their reading: {seconds / cost.wall:.0f} x as long",
    )  # fmt: skip
    _, cost = bench.run(log, "case-others")
    yield Line(
        "whole run on the same log", cost,
        f"{cost.wall / script['seconds']:.1f} x the script (wanted: 2)",
    )  # fmt: skip


def growth(bench: Bench) -> Iterator[Line]:
    """Time for each round, and memory, as the log grows tenfold."""
    first = 0.0
    for rounds in (bench.rounds // 100, bench.rounds // 10, bench.rounds):
        if rounds < 100_000:
            continue
        _, cost = bench.run(made(bench.logs, rounds), "case-growth")
        each = cost.wall / rounds * 1e6
        first = first or each
        yield Line(f"run, {rounds:,} rounds", cost, f"{each:.1f} us a round, {each / first:.2f} x")


def cases(bench: Bench) -> Iterator[Line]:
    """What is asked of a large case."""
    log = made(bench.logs, bench.rounds)
    case, _ = bench.run(log, "case-large")
    place = _a_round(log)
    yield Line("findings", measure((*AUDIT, "findings", str(case))), "wanted: 1 s")
    yield Line("replay", measure((*AUDIT, "replay", str(case), place)), "wanted: 1 s")
    pdf = str(bench.scratch / "large.pdf")
    yield Line("report", measure((*AUDIT, "report", str(case), "-o", pdf, "-q")), "wanted: 20 s")
    shutil.rmtree(case)


def _a_round(log: Path) -> str:
    query = f"""SELECT concat_ws('/', casino, table_id, shoe_id, round_no)
        FROM '{log}/rounds/*.parquet' LIMIT 1 OFFSET 1000"""
    return asked(query)


def reports(bench: Bench) -> Iterator[Line]:
    """Reports of many findings and of many pages."""
    case, _ = bench.run(base(bench.logs, FAULTY, 3.0, FAULTS), "case-faulty")
    small, _ = bench.run(base(bench.logs, 20_000, 3.0, FAULTS), "case-small")
    pdf, page = bench.scratch / "report.pdf", bench.scratch / "report.html"
    for what, of, lang, wanted in (
        ("report of 100,000 findings", case, "en", "wanted: 20 s, 500 MB"),
        ("report in three languages", small, LANGS, "wanted: 15 s for 100 pages"),
    ):
        cost = measure((*AUDIT, "report", str(of), "-o", str(pdf), "--lang", lang, "-q"))
        pages = len(PdfReader(pdf).pages)
        yield Line(what, cost, f"{pages} pages, {cost.wall / pages:.2f} s a page ({wanted})")
    yield Line(
        "web report of 100,000 findings",
        measure((*AUDIT, "report", str(case), "-o", str(page), "-q")),
        f"{page.stat().st_size / 1e6:.1f} MB",
    )


def skew(bench: Bench) -> Iterator[Line]:
    """One gaming table with a hundred times the rounds of any other."""
    rounds = min(bench.rounds, 1_000_000)
    log = made(bench.logs, rounds, skew=100)
    _, plain = bench.run(made(bench.logs, rounds), "case-even")
    _, cost = bench.run(log, "case-skew")
    yield Line(
        f"run, {rounds:,} rounds, even", plain, f"{plain.wall / rounds * 1e6:.1f} us a round"
    )
    number = _rounds(log)
    yield Line(
        f"run, {number:,} rounds, one table x 100",
        cost,
        f"{cost.wall / number * 1e6:.1f} us a round",
    )


def _rounds(log: Path) -> int:
    query = f"SELECT count(*) FROM '{log}/rounds/*.parquet'"
    return int(asked(query))


def small(_: Bench) -> Iterator[Line]:
    """What a person waits for first."""
    yield Line("--help", measure((*AUDIT, "--help")))


PARTS: dict[str, Callable[[Bench], Iterator[Line]]] = {
    "small": small,
    "speed": speed,
    "others": others,
    "growth": growth,
    "cases": cases,
    "reports": reports,
    "skew": skew,
}


def main() -> None:
    """Print a table of the figures, and JSON with ``--json``."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000, help="of the largest log")
    parser.add_argument("--only", choices=PARTS, action="append", help="one part; can be repeated")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "audit-bench")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    chosen.folder.mkdir(exist_ok=True)
    lines: list[Line] = []
    if not chosen.json:
        print(f"{chosen.rounds:,} rounds, five bets each, {os.cpu_count()} processors\n")
        print("| | seconds | processor seconds | MB | |\n|---|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory(dir=chosen.folder) as scratch:
        bench = Bench(chosen.folder, Path(scratch), chosen.rounds)
        for part in chosen.only or PARTS:
            for line in PARTS[part](bench):
                lines.append(line)
                cost = line.cost
                row = (line.what, f"{cost.wall:.1f}", f"{cost.cpu:.1f}", f"{cost.memory:.0f}")
                if not chosen.json:
                    print(f"| {' | '.join((*row, line.beside))} |", flush=True)
    if chosen.json:
        print(json.dumps([asdict(line) for line in lines], indent=2))


if __name__ == "__main__":
    main()
