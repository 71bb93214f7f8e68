"""Logs that are refused whole: read as they stand, they would accuse at every row."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from audit.errors import LogError
from audit.normalise import columns
from audit.schema import Kind, Table
from audit.sources import Source, as_text

_ENOUGH = 10
"""Rounds from which on wrong totals, or wrong cards, tell that all are meant otherwise."""

_OTHER = r"^\s*[+-]?\d{1,3}(?:\.\d{3})+,\d{1,4}\s*$"
"""An amount whose points part thousands: no amount of a canonical log."""

_OPEN = r"^\s*[+-]?\d{1,3}\.\d{3}\s*$"
"""An amount that is less than two, or above a thousand, by what its point means."""


_MONEY = (Kind.MONEY, Kind.MONEY_GAIN)


def two_ways(
    rejects: pl.DataFrame, shown: Mapping[str, pl.Series], table: Table, source: Source
) -> None:
    """Raise LogError where a reject shows that points part the thousands of a file's amounts.

    ``rejects`` and ``shown`` (texts by canonical column) are of one batch. Reading ``1.480`` as
    less than two, where 1480 is meant, would accuse at every bet.
    """
    names = [name for name in shown if table.column(name).kind in _MONEY]
    told = rejects.filter(pl.col("column").is_in(names) & pl.col("text").str.contains(_OTHER))
    if not told.height:
        return
    first = told.row(0, named=True)
    for name in names:
        unclear = shown[name].filter(shown[name].str.contains(_OPEN).fill_null(False))
        if unclear.len():
            raise source.fail(
                f"{first['text'].strip()!r} in the column {first['column']!r} (row {first['row']}) "
                f"has points between thousands, so that {unclear[0].strip()!r} in {name!r} can be "
                "two amounts",
                "Name the decimal and thousands marks in a profile (money)",
            )


def two_ways_in_file(rejects: pl.DataFrame, table: Table, source: Source) -> None:
    """``two_ways`` for all rejects of a file, whose rows were typed elsewhere."""
    of_money = [column.name for column in table.columns if column.kind in _MONEY]
    if rejects.filter(pl.col("column").is_in(of_money)).is_empty():
        return
    for batch in source.batches():
        last = batch.first + batch.count - 1
        here = rejects.filter(pl.col("row").is_between(batch.first, last))
        matched = columns.match(batch.stored.columns, table)
        shown = {name: as_text(batch.stored[own]) for name, own in matched.items()}
        two_ways(here, shown, table, source)


def other_games(rounds: int, rejected: pl.DataFrame) -> None:
    """Raise LogError where most recorded totals are beyond nine: no baccarat was dealt there.

    ``rounds``: rows of the rounds that are finished; ``rejected``: rejects of all tables.
    """
    beyond = rejected.filter(
        pl.col("column").is_in(["player_total", "banker_total"])
        & (pl.col("reason") == "out_of_range")
    )
    if rounds >= _ENOUGH and beyond.height * 2 > rounds:
        raise LogError(
            f"{beyond.height} of {rounds} rounds record a total beyond 9, such as "
            f"{beyond['text'][0]}: this is not baccarat",
            where=_files(beyond),
            hint="If the column is no total of art. 5, leave it out or map another",
        )


def other_cards(rounds: int, rejected: pl.DataFrame) -> None:
    """Raise LogError where no round has cards that can be read: they are written another way."""
    wrong = rejected.filter(
        (pl.col("table") == "rounds")
        & (pl.col("reason") == "unknown_card")
        & pl.col("text").is_not_null()
    )
    if rounds < _ENOUGH or wrong.height < rounds:
        return
    column, some = wrong["column"][0], wrong["text"].unique(maintain_order=True).head(3)
    examples = ", ".join(repr(text[:40]) for text in some)
    raise LogError(
        f"the cards of none of the {rounds} rounds can be read; {column} holds {examples}",
        where=_files(wrong),
        hint="Name their notation in a profile (cards); `baccarat-audit inspect FILE` tries them",
    )


def _files(rejected: pl.DataFrame) -> str:
    return ", ".join(rejected["source"].unique().sort())
