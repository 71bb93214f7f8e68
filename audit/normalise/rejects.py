"""Rows that are not audited, each with its place, its text and the reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import polars as pl

REJECTS: dict[str, pl.DataType] = {
    "table": pl.String(),
    "source": pl.String(),
    "row": pl.Int64(),
    "column": pl.String(),
    "text": pl.String(),
    "reason": pl.String(),
    "expected": pl.String(),
    "raw": pl.String(),
    "kind": pl.String(),
    "differs": pl.String(),
    "casino": pl.String(),
    "table_id": pl.String(),
    "shoe_id": pl.String(),
    "round_no": pl.Int64(),
    "bet_id": pl.String(),
    "occurrence": pl.Int64(),
}
"""Columns of the rejects: ``kind`` is ``unreadable`` or ``duplicate``.

``column`` is null for a row broken as a whole; ``differs`` is null but for a duplicate.
``occurrence`` counts rejects of one table with the same ``raw`` text from 1, in file order.
"""

ANCHOR = ("casino", "table_id", "shoe_id", "round_no", "bet_id")


def raw_text(cells: Mapping[str, str | None], extra: str = "") -> str:
    """A row as JSON: its cells that are not empty in file column order, then ``extra``."""
    record = {name: text for name, text in cells.items() if text and text.strip()}
    if extra:
        record["(rest)"] = extra
    return json.dumps(record, ensure_ascii=False)


def frame(records: list[dict[str, Any]]) -> pl.DataFrame:
    """Records with the keys of ``REJECTS`` (absent ones null) as a frame, in the same order."""
    rejects = pl.DataFrame(records, schema=REJECTS, orient="row")
    number = pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("table", "raw")
    return rejects.with_columns(occurrence=number)
