"""Large synthetic logs: a dealt sample, and copies of it at other gaming tables.

To deal ten million rounds one by one takes a quarter of an hour. A copy has the same shoes at
tables of its own, which to the program are other shoes; so a log of any size is made in seconds,
and what it costs to audit does not know the difference.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl

BASE = 1_000_000
"""Rounds that are dealt; larger logs are made of copies."""

TABLES = ("rounds", "bets", "shoes", "authorisations", "limits", "jackpot_prizes")
PIECE = 1_000_000
"""Rows of a file."""


def base(folder: Path, rounds: int, bets: float, faults: float = 0.0) -> Path:
    """A dealt log in Parquet, made once and kept."""
    log = folder / f"dealt-{rounds}-{bets:g}-{faults:g}"
    if not log.is_dir():
        building = log.with_name(f".{log.name}")
        shutil.rmtree(building, ignore_errors=True)
        command = ["sample", str(building), "--rounds", str(rounds), "--bets", f"{bets:g}"]
        command += ["--format", "parquet", "--faults", str(faults), "--quiet"]
        subprocess.run([sys.executable, "-m", "audit", *command], check=True)
        building.rename(log)
    return log


def large(
    folder: Path, rounds: int, bets: float = 5.0, kind: str = "parquet", skew: int = 0
) -> Path:
    """A log of ``rounds`` rounds as ``parquet`` or ``csv``, made once and kept.

    ``skew``: one gaming table gets so many times the rounds of its copies' tables, in shoes of
    its own.
    """
    dealt = base(folder, min(rounds, BASE), bets)
    log = folder / f"{kind}-{rounds}-{bets:g}" if not skew else folder / f"skew-{rounds}-{skew}"
    if log.is_dir():
        return log
    building = log.with_name(f".{log.name}")
    shutil.rmtree(building, ignore_errors=True)
    copies = -(-rounds // BASE)
    for table in TABLES:
        for number, rows in enumerate(_copies(dealt, table, copies, skew)):
            _write(rows, building / table, number, kind)
    building.rename(log)
    return log


def _copies(dealt: Path, table: str, copies: int, skew: int) -> Iterator[pl.DataFrame]:
    found = sorted(dealt.glob(f"{table}/*.parquet")) or sorted(dealt.glob(f"{table}.parquet"))
    if not found:
        return
    rows = pl.concat([pl.read_parquet(each) for each in found])
    for copy in range(copies):
        yield rows if not copy else _elsewhere(rows, f"{copy:03}")
    if skew and table in ("rounds", "bets", "shoes"):
        first = (pl.col("casino") + "/" + pl.col("table_id")).alias("name")
        here = rows.filter(first == rows.select(first.min()).item())
        for again in range(skew - 1):
            yield here.with_columns(pl.col("shoe_id") + f"/{again:03}")


def _elsewhere(rows: pl.DataFrame, copy: str) -> pl.DataFrame:
    """The same at other tables; what holds of a whole casino is in the log already."""
    return rows.filter(pl.col("table_id").is_not_null()).with_columns(
        pl.col("table_id") + f"-{copy}"
    )


def _write(rows: pl.DataFrame, folder: Path, number: int, kind: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for place, start in enumerate(range(0, rows.height, PIECE)):
        path = folder / f"part-{number:04}-{place:03}.{kind}"
        piece = rows.slice(start, PIECE)
        if kind == "csv":
            piece.write_csv(path)
        else:
            piece.write_parquet(path)


def made(
    folder: Path, rounds: int, bets: float = 5.0, kind: str = "parquet", skew: int = 0
) -> Path:
    """The same as ``large``, by a process of its own.

    A process that is started counts the memory of the one that starts it as its own for a moment,
    and its peak with it: what measures others must stay small.
    """
    words = (str(folder), str(rounds), str(bets), kind, str(skew))
    command = [sys.executable, "-m", "tests.bench.logs", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Path(done.stdout.strip())


if __name__ == "__main__":
    print(
        large(
            Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4], int(sys.argv[5])
        )
    )
