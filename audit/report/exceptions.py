"""What became of the registered exceptions: the entries of the baseline of a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb

from audit.report.query import Facts, rows

STATES = ("expired", "vanished", "unchecked", "persisting")
"""Of an entry; those that accept nothing first."""

SHOWN = 30
"""Entries shown in each state."""


def exceptions(connection: duckdb.DuckDBPyConnection, manifest: Mapping[str, Any]) -> Facts | None:
    """Name and hash of the baseline, its entries counted by state, the first of each state.

    None where the case was made without a baseline.
    """
    baseline = manifest.get("baseline")
    if not baseline:
        return None
    counts = {row["state"]: row["n"] for row in rows(connection, _COUNTS)}
    return {
        "name": str(baseline["name"]),
        "sha256": str(baseline["sha256"]),
        "counts": {state: counts.get(state, 0) for state in STATES},
        "entries": {
            state: rows(connection, _ENTRIES, state, SHOWN) for state in STATES if counts.get(state)
        },
    }


_COUNTS = "select state, count(*) as n from baseline group by state"
_ENTRIES = """
select id, code, casino, table_id, shoe_id, round_no, bet_id, subject, owner, reason, expires
from baseline where state = ? order by expires, code, casino nulls first, table_id nulls first,
  shoe_id nulls first, round_no nulls first, bet_id nulls first, id limit ?"""
