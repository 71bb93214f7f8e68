"""The whole audit as plain Python loops, which ``tests.oracle`` has; its seconds as JSON.

It was written to be compared with the program and shares no code with it: every check of a log,
round after round and bet after bet, from the rows as they were read to the findings. Reading them
from CSV, by plain Python too, is told apart.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from tests.oracle.audit import judged
from tests.oracle.reader import read
from tests.oracle.rules import Options


def main() -> None:
    """Read a log of CSV files and judge it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.loops", description=__doc__)
    parser.add_argument("log", type=Path)
    chosen = parser.parse_args()
    start = time.monotonic()
    log = read(chosen.log)
    between = time.monotonic()
    found = judged(log, Options())
    told = {"reading": between - start, "judging": time.monotonic() - between}
    print(json.dumps({**told, "rounds": len(log.rounds), "found": len(found)}))


if __name__ == "__main__":
    main()
