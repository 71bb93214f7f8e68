"""The analyst's script: ``analyst.sql`` run by DuckDB over a log; prints its seconds as JSON."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import duckdb

SCRIPT = Path(__file__).with_suffix(".sql")


def main() -> None:
    """Run the script and print the seconds it took and what it found."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.analyst", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("out", type=Path)
    chosen = parser.parse_args()
    text = SCRIPT.read_text(encoding="utf-8")
    text = text.replace("{log}", str(chosen.log)).replace("{out}", str(chosen.out))
    with duckdb.connect() as connection:
        start = time.monotonic()
        connection.execute(text)
        seconds = time.monotonic() - start
        found = connection.execute(
            f"SELECT what, count(*) FROM '{chosen.out}' GROUP BY ALL ORDER BY ALL"
        ).fetchall()
    print(json.dumps({"seconds": seconds, "found": dict(found)}))


if __name__ == "__main__":
    main()
