"""What a year of the territory needs, computed from costs measured here; prints Markdown.

Two logs of as many rounds, with few and with many bets, tell what a round and what a bet cost.
Taking the log in and putting the case together go on in one process, whatever the number of
cores; the units between them are shared out.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.bench.logs import made
from tests.bench.measuring import HERE, asked, told

FEW, MANY = 2.0, 5.0
"""Mean number of bets on a round in the two logs."""

YEARS = {"3.5 million rounds a day": 3.5e6 * 365, "9 million rounds a day": 9e6 * 365}
BETS = 4
"""Bets on a round in the year that is computed."""

CORES = (2, 8, 32, 128)


@dataclass(frozen=True)
class Measured:
    """Of one log: its size, and seconds and bytes for the whole of it."""

    rounds: int
    bets: int
    taking_in: float
    units: float
    together: float
    log: int
    spilled: int
    case: int
    memory: float


@dataclass(frozen=True)
class Each:
    """What a round and a bet cost of something, in microseconds or bytes."""

    round: float
    bet: float

    def of(self, rounds: float, bets: float) -> float:
        """Seconds or megabytes."""
        return (self.round * rounds + self.bet * bets) / 1e6


def main() -> None:
    """Measure, then compute."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.plan", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "audit-bench")
    chosen = parser.parse_args()
    chosen.folder.mkdir(exist_ok=True)
    few, many = (_measured(chosen.folder, chosen.rounds, bets) for bets in (FEW, MANY))
    costs = {
        "taking the log in, microseconds": _each(few, many, "taking_in", 1e6),
        "the units, microseconds of one core": _each(few, many, "units", 1e6),
        "putting the case together, microseconds": _each(few, many, "together", 1e6),
    }
    sizes = {name: _each(few, many, name, 1.0) for name in ("log", "spilled", "case")}
    print(
        f"Measured on {os.cpu_count()} cores; {few.memory:.0f} to {many.memory:.0f} MB a process.\n"
    )
    print("| | a round | a bet |\n|---|--:|--:|")
    for name, each in costs.items():
        print(f"| {name} | {each.round:.1f} | {each.bet:.2f} |")
    for name, each in sizes.items():
        print(f"| {name}, bytes | {each.round:.0f} | {each.bet:.1f} |")
    _years(costs, sizes)


def _years(costs: dict[str, Each], sizes: dict[str, Each]) -> None:
    first, shared, last = costs.values()
    for name, rounds in YEARS.items():
        bets = rounds * BETS
        alone = first.of(rounds, bets) + last.of(rounds, bets)
        work = shared.of(rounds, bets)
        disk = {what: each.of(rounds, bets) / 1e3 for what, each in sizes.items()}
        print(f"\n### {name}: {rounds / 1e9:.2f} thousand million rounds, {BETS} bets on each\n")
        print(
            f"{(alone + work) / 3600:.1f} core hours. Storage: log {disk['log']:.0f} GB, while it "
            f"runs {disk['spilled'] + disk['case']:.0f} GB more, case {disk['case']:.0f} GB.\n"
        )
        print(
            "| cores | hours in one run | of these in one process | hours in 12 runs, a month "
            "each, side by side |\n|--:|--:|--:|--:|"
        )
        for cores in CORES:
            one = (alone + work / cores) / 3600
            beside = min(12, cores)
            twelve = (alone / beside + work / cores) / 3600
            print(f"| {cores} | {one:.1f} | {alone / 3600:.1f} | {twelve:.1f} |")


def _measured(folder: Path, rounds: int, bets: float) -> Measured:
    log = made(folder, rounds, bets)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        case = Path(scratch) / "case"
        cost, line = told((*HERE, "tests.bench.timeline", str(log), str(case)))
        size = _size(case)
    query = f"SELECT count(*) FROM '{log}/{{}}/*.parquet'"
    of_rounds, of_bets = (int(asked(query.format(table))) for table in ("rounds", "bets"))
    return Measured(
        of_rounds, of_bets, line["taking_in"], line["units"] * line["jobs"], line["together"],
        _size(log), line["spilled"], size, cost.memory,
    )  # fmt: skip


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


def _each(few: Measured, many: Measured, what: str, scale: float) -> Each:
    """Two equations, one for each log, for what a round and a bet take."""
    a, b = getattr(few, what) * scale, getattr(many, what) * scale
    bet = max(0.0, (b - a) / (many.bets - few.bets))  # where it costs nothing it is noise
    return Each((a - bet * few.bets) / few.rounds, bet)


if __name__ == "__main__":
    main()
