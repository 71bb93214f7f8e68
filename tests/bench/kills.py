"""Kills a run at random moments, again and again, until one comes to its end.

Each run goes on where the last was killed (``run --resume``). At the end the case must have the
same tables, to the hash, as that of a run nobody disturbed, no unit may have been done twice, and
nothing may be left beside the case.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from tests import units

WHOLE = {"rounds": 300, "bets": 1_500}


def main() -> None:
    """Print, for each uninterrupted end, how many kills came before it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kills", description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=4_000)
    parser.add_argument("--mixed", action="store_true", help="shoes lie through one another")
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        log = units.sample(folder / "log", chosen.rounds)
        if chosen.mixed:
            units.mixed(log)
        start = time.monotonic()
        wanted = units.tables(units.run(log, folder / "whole", units=WHOLE))
        length = time.monotonic() - start
        print(f"an undisturbed run takes {length:.1f} s")
        killed = ended = 0
        while killed < chosen.times:
            case = folder / f"case-{ended}"
            before = killed
            while _killed(units.command(log, case, "--resume", units=WHOLE), length, chance):
                killed += 1
                _whole_or_not_at_all(case)
            if units.tables(case) != wanted or units.left_behind(case):
                raise SystemExit(f"the run that followed {killed - before} kills differs")
            shutil.rmtree(case)
            ended += 1
            print(f"end {ended} after {killed - before} kills, {killed} in all: the same tables")


def _killed(line: list[str], length: float, chance: random.Random) -> bool:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        line, env=units.ENVIRONMENT, start_new_session=True, stdout=quiet, stderr=quiet
    ) as process:
        try:
            process.wait(chance.uniform(0, length * 1.3))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return True
        if process.returncode not in (0, 1):
            raise SystemExit(f"a run ended with {process.returncode}")
        return False


def _whole_or_not_at_all(case: Path) -> None:
    """A case that is there is whole: the kill came after it was put in its place."""
    if case.exists():
        units.tables(case)
        shutil.rmtree(case)


if __name__ == "__main__":
    main()
