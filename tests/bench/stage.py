"""The tool's own stage for what ``analyst.sql`` does: prints its seconds as JSON.

Rounds and bets are read and typed beforehand, a unit at a time, and not counted, as DuckDB's
reading is a small part of its script. Counted are the rounds resolved, the bets joined to them
and judged, and the checks of draws, totals, winners and payments made. With ``--all`` it is
everything that a unit goes through: all checks and the evidence too.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import polars as pl

from audit.buckets import engine
from audit.buckets.slots import slots_of
from audit.buckets.spill import Spill
from audit.buckets.unit import Around, run_unit
from audit.buckets.work import Workshop
from audit.checks import CHECKS
from audit.checks.runner import make_checks
from audit.normalise import duplicates
from audit.pipeline import Job
from audit.resolve import Options, Rules
from audit.resolve.bets import resolve_bets
from audit.resolve.places import places
from audit.resolve.rounds import resolve_rounds
from audit.rulebook import load_rulebook
from audit.schema import BETS, ROUNDS

CODES = ("A05", "A090", "A11", "A1201", "A1202", "A170")
"""What the script checks too."""


def main() -> None:
    """Take the log in, then time the stage over its units."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.stage", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--all", action="store_true", help="the whole of each unit")
    chosen = parser.parse_args()
    options = Options()
    rules = Rules.of(load_rulebook(None), options)
    with tempfile.TemporaryDirectory() as scratch:
        begun = Spill(Path(scratch))
        job = Job([chosen.log], Path(scratch) / "case")
        read = engine.read_log(job, None, begun, None)
        if read.units:
            shop = Workshop(Path(scratch))
            units = (shop.rows.rows(number)[:2] for number in range(read.units))
            around = shop.around
        else:
            units = iter([(begun.memory.take(ROUNDS), begun.memory.take(BETS))])
            around = Around(read.small, read.intake.present, rules, options)
        seconds, rounds, bets, found = 0.0, 0, 0, 0
        for unit in units:
            rounds, bets = rounds + unit[0].height, bets + unit[1].height
            spent, some = _all(unit, around) if chosen.all else _same(unit, around)
            seconds, found = seconds + spent, found + some
    print(json.dumps({"seconds": seconds, "rounds": rounds, "bets": bets, "found": found}))


def _same(unit: tuple[pl.DataFrame, pl.DataFrame], around: Around) -> tuple[float, int]:
    given = places(unit, slots_of)
    rounds, bets = (
        duplicates.take_out(table, rows, place).kept
        for table, rows, place in zip((ROUNDS, BETS), unit, given, strict=True)
    )
    checks = [check for check in CHECKS if check.code.startswith(CODES)]
    start = time.monotonic()
    resolved = resolve_rounds(rounds, around.small["shoes"], around.rules, around.options)
    none = pl.DataFrame(schema={"place": pl.Int64})
    judged = resolve_bets(bets, resolved, none, around.rules, around.options)
    cases = judged.cases.with_columns(pl.lit(True).alias("stake_back"))
    frames = {"rounds": resolved, "bets": judged.rows, "cases": cases}
    made = make_checks(checks, frames, around.present, around.rules)
    seconds = time.monotonic() - start
    failed = {code: each.error for code, each in made.accounts.items() if each.error}
    if failed:
        raise SystemExit(f"the stage needs a clean log: {failed}")
    return seconds, made.findings.height


def _all(unit: tuple[pl.DataFrame, pl.DataFrame], around: Around) -> tuple[float, int]:
    start = time.monotonic()
    part = run_unit(unit[0], unit[1], around)
    return time.monotonic() - start, part.frames["findings"].height


if __name__ == "__main__":
    main()
