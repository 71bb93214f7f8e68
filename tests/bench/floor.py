"""The floor: polars reads every column of rounds and bets, and writes both tables once."""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl


def main() -> None:
    """``python -m tests.bench.floor LOG OUT``; a stream, so that memory is no limit."""
    log, out = Path(sys.argv[1]), Path(sys.argv[2])
    for table in ("rounds", "bets"):
        if list(log.glob(f"{table}/*.csv")):
            rows = pl.scan_csv(log / table / "*.csv", infer_schema=False)
        else:
            rows = pl.scan_parquet(log / table / "*.parquet")
        rows.sink_parquet(out / f"{table}.parquet")


if __name__ == "__main__":
    main()
