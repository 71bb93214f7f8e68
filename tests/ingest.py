"""Small logs and files for the tests of ingest."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import polars as pl

from audit.normalise import Log, read_log
from audit.sources import open_source

ROUNDS = "table_id,shoe_id,round_no,started_at,player_cards,banker_cards"
BETS = "table_id,shoe_id,round_no,bet,stake,paid"
ONE = "T1,S1,1,2007-07-01 12:00,KS 9H,KD 7C"
"""A sound round of the columns ``ROUNDS``."""


def text_of(table: str) -> str:
    return dedent(table).strip("\n") + "\n"


def log(folder: Path, **tables: str) -> Log:
    """A log of CSV tables; without ``rounds`` it has one sound round."""
    tables = {"rounds": f"{ROUNDS}\n{ONE}\n", **tables}
    for name, table in tables.items():
        (folder / f"{name}.csv").write_text(text_of(table), encoding="utf-8")
    return read_log([folder])


def rounds(folder: Path, columns: str, *rows: str) -> Log:
    """A log whose rounds have the required columns (T1/S1, numbered) and ``columns``."""
    lines = [f"{ROUNDS},{columns}"]
    lines += [f"T1,S1,{n},2007-07-01 12:00,KS 9H,KD 7C,{row}" for n, row in enumerate(rows, 1)]
    return log(folder, rounds="\n".join(lines))


def faults(read: Log) -> list[tuple[int, str | None, str | None, str]]:
    return read.rejects.select("row", "column", "text", "reason").rows()


def read(
    path: Path, content: bytes | str
) -> tuple[list[tuple[str | None, ...]], list[tuple[int, str]]]:
    """Rows and (row, reason) of the damaged ones."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    source = open_source(path, path.name)
    rows: list[tuple[str | None, ...]] = []
    damaged: list[tuple[int, str]] = []
    for batch in source.batches():
        assert batch.first == len(rows) + 1
        assert batch.count == batch.rows.height
        assert all(dtype == pl.String for dtype in batch.rows.dtypes)
        rows += batch.rows.rows()
        damaged += [(damage.row, damage.reason) for damage in batch.damaged]
    return rows, damaged
