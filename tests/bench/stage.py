"""The tool's own stage for what ``analyst.sql`` does: prints its seconds as JSON.

Rounds and bets are read and typed beforehand, and not counted, as DuckDB's reading is a small part
of its script. Counted are the rounds resolved, the bets joined to them and judged, and the checks
of draws, totals, winners and payments made, over all units of the log, which are shared out among
processes as in a run: as many as there are processors. With ``--all`` it is everything that a
unit goes through: all checks and the evidence too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import polars as pl

from audit.allocator import keeping
from audit.buckets import engine
from audit.buckets.spill import Spill
from audit.buckets.unit import Around, run_unit
from audit.buckets.work import Workshop, units_of
from audit.checks import CHECKS
from audit.checks.runner import make_checks
from audit.normalise import duplicates
from audit.pipeline import Job
from audit.resolve import Options, Rules
from audit.resolve.bets import resolve_bets, with_numbers
from audit.resolve.places import as_they_lie, places
from audit.resolve.rounds import resolve_rounds
from audit.rulebook import load_rulebook
from audit.schema import BETS, ROUNDS
from tests.bench.measuring import HERE

CORES = os.cpu_count() or 1

CODES = ("A05", "A090", "A11", "A1201", "A1202", "A170")
"""What the script checks too."""


def main() -> None:
    """Take the log in, have its units read, then time the stage over them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.stage", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--all", action="store_true", help="the whole of each unit")
    parser.add_argument("--share", nargs=2, type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.share:
        first, step = chosen.share
        shop = Workshop(chosen.log)
        numbers = range(first, units_of(shop.rows), step)
        read = [(shop.rows.rows(number)[:2], shop.around_of(number)) for number in numbers]
        units = read if chosen.all else [(_placed(unit), around) for unit, around in read]
        print("ready", flush=True)
        sys.stdin.readline()
        print(json.dumps(_share(units, whole=chosen.all)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        begun = Spill(Path(scratch))
        taken = engine.read_log(Job([chosen.log], Path(scratch) / "case"), None, begun, None)
        if not taken.units:
            options = Options()
            rules = Rules.of(load_rulebook(None), options)
            around = Around(taken.small, taken.intake.present, rules, options)
            unit = (begun.memory.take(ROUNDS), begun.memory.take(BETS))
            units = [(unit if chosen.all else _placed(unit), around)]
            start = time.monotonic()
            told = [_share(units, whole=chosen.all)]
        else:
            with ExitStack() as stack:
                shares = [_begun(stack, scratch, number, chosen.all) for number in range(CORES)]
                start = time.monotonic()
                told = _ended(shares)
        seconds = time.monotonic() - start
    total = {name: sum(each[name] for each in told) for name in ("rounds", "bets", "found")}
    print(json.dumps({"seconds": seconds, **total}))


def _begun(stack: ExitStack, folder: str, number: int, whole: bool) -> subprocess.Popen[str]:
    """A process that has read its share of the units, and waits."""
    command = [*HERE, "tests.bench.stage", folder, "--share", str(number), str(CORES)]
    own = {"POLARS_MAX_THREADS": "1", **keeping(1)}
    process = stack.enter_context(
        subprocess.Popen(
            [*command, "--all"] if whole else command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **own},
        )
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def _ended(shares: list[subprocess.Popen[str]]) -> list[dict[str, int]]:
    for process in shares:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return [json.loads(process.stdout.readline()) for process in shares if process.stdout]


Unit = tuple[pl.DataFrame, pl.DataFrame]
"""Rounds and bets."""


def _share(units: list[tuple[Unit, Around]], *, whole: bool) -> dict[str, int]:
    told = {"rounds": 0, "bets": 0, "found": 0}
    while units:
        unit, around = units.pop()
        told["rounds"] += unit[0].height
        told["bets"] += unit[1].height
        told["found"] += _all(unit, around) if whole else _same(unit, around)
    return told


def _placed(unit: Unit) -> Unit:
    """Rows of a unit with their places; duplicates, which the script has not, are out."""
    rounds, bets = (
        duplicates.take_out(table, rows, place).kept
        for table, rows, place in zip((ROUNDS, BETS), unit, places(unit, as_they_lie), strict=True)
    )
    return rounds, bets


def _same(unit: Unit, around: Around) -> int:
    rounds, bets = unit
    checks = [check for check in CHECKS if check.code.startswith(CODES)]
    resolved = resolve_rounds(rounds, around.small["shoes"], around.rules, around.options)
    none = pl.DataFrame(schema={"place": pl.Int64})
    judged = with_numbers(resolve_bets(bets, resolved, none, around.rules, around.options))
    cases = judged.cases.with_columns(pl.lit(True).alias("stake_back"))
    frames = {"rounds": resolved, "bets": judged.rows, "cases": cases}
    made = make_checks(checks, frames, around.present, around.rules)
    failed = {code: each.error for code, each in made.accounts.items() if each.error}
    if failed:
        raise SystemExit(f"the stage needs a clean log: {failed}")
    return made.findings.height


def _all(unit: Unit, around: Around) -> int:
    return run_unit(unit[0], unit[1], around).frames["findings"].height


if __name__ == "__main__":
    main()
