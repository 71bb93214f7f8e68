"""Rows of the side tables that belong to no casino, table or shoe of the log's rounds.

They are read and counted as audited, but no round asks for them. Where a name is written in two
ways, or in one table only, an authorisation that was given is then not found. What the checks
say does not change; the reader is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from audit.schema import AUTHORISATIONS, JACKPOT_PRIZES, LIMITS, SHOES

NOBODY = "-"
"""The casino of a row that names none."""

Level = Literal["casino", "table", "shoe"]
Cause = Literal["", "rounds_without_casino", "rows_without_casino", "casino_spelling"]

_LEVELS: tuple[tuple[Level, str], ...] = (
    ("casino", "casino"), ("table", "table_id"), ("shoe", "shoe_id"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Strangers:
    """``rows`` rows of ``table`` whose casino, table or shoe is not in the rounds.

    ``source``, ``row`` and ``name`` are those of the first. ``cause`` says what is behind it,
    where that is plain; ``other`` is then the casino's name on the other side.
    """

    table: str
    level: Level
    rows: int
    source: str
    row: int
    name: str
    cause: Cause = ""
    other: str = ""


def strangers(
    tables: Mapping[str, pl.DataFrame], shoes: pl.DataFrame, rejects: pl.DataFrame
) -> tuple[Strangers, ...]:
    """What belongs to no round, by table and level; rejected rounds count as far as readable.

    ``shoes`` has the places of the audited rounds: casino, table_id and shoe_id.
    """
    places = pl.concat(
        [
            shoes.select("casino", "table_id", "shoe_id").unique(),
            rejects.filter(pl.col("table") == "rounds").select("casino", "table_id", "shoe_id"),
        ]
    ).unique()
    found: list[Strangers] = []
    for table in (SHOES, AUTHORISATIONS, JACKPOT_PRIZES, LIMITS):
        found += _of_table(table.name, tables[table.name], places)
    return tuple(found)


def _of_table(table: str, rows: pl.DataFrame, places: pl.DataFrame) -> Iterator[Strangers]:
    """Level by level: a row whose casino is unknown is not asked for its table."""
    key: list[str] = []
    levels = [column for _, column in _LEVELS if column in rows.columns]
    rows = rows.select(*levels, "source", "row")
    for level, column in _LEVELS:
        if column not in levels:
            return
        key.append(column)
        known = places.select(key).unique()
        # An authorisation, a prize or a limit without a table is for all tables.
        strange = rows.filter(pl.col(column).is_not_null()).join(known, on=key, how="anti")
        if strange.height:
            first = strange.sort("source", "row").row(0, named=True)
            name = "/".join(str(first[each]) for each in key if first[each] != NOBODY) or NOBODY
            cause, other = _cause(level, rows, places, name)
            yield Strangers(
                table, level, strange.height, first["source"], first["row"], name, cause, other
            )
            rows = rows.join(strange.select("source", "row"), on=["source", "row"], how="anti")


def _cause(level: Level, rows: pl.DataFrame, places: pl.DataFrame, name: str) -> tuple[Cause, str]:
    if level != "casino":
        return "", ""
    here = sorted(places["casino"].drop_nulls().unique())
    theirs = sorted(rows["casino"].drop_nulls().unique())
    if here == [NOBODY] and len(theirs) == 1:
        return "rounds_without_casino", theirs[0]
    if theirs == [NOBODY] and len(here) == 1:
        return "rows_without_casino", here[0]
    alike = [each for each in here if _folded(each) == _folded(name)]
    return ("casino_spelling", alike[0]) if alike else ("", "")


def _folded(name: str) -> str:
    return "".join(name.casefold().split())
