"""Terms in force on a day: posted limits, and fixed jackpot prizes.

The latest ``valid_from`` on or before the day counts; a row without a table is for all tables of
its casino, and on equal dates the table's own row goes first.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

WANTED = ["casino", "table_id", "item", "day"]


def in_force(wanted: pl.DataFrame, terms: pl.DataFrame, values: Sequence[str]) -> pl.DataFrame:
    """``wanted`` (columns ``WANTED``, each row once) with the ``values`` of its term, else null.

    ``terms`` has casino, table_id (null: all tables), item, valid_from and the values. Of two
    rows that say the same key and day the first counts. ``valid_from`` is kept beside them.
    """
    columns = ["valid_from", *values]
    terms = terms.unique(["casino", "table_id", "item", "valid_from"], keep="first").sort(
        "valid_from"
    )
    own = terms.filter(pl.col("table_id").is_not_null())
    general = terms.filter(pl.col("table_id").is_null()).drop("table_id")
    found = (
        wanted.sort("day")
        .join_asof(
            own, left_on="day", right_on="valid_from", by=["casino", "table_id", "item"],
            strategy="backward", check_sortedness=False,
        )
        .join_asof(
            general, left_on="day", right_on="valid_from", by=["casino", "item"],
            strategy="backward", suffix="_general", check_sortedness=False,
        )
    )  # fmt: skip
    general_from = pl.col("valid_from_general")
    mine = pl.col("valid_from") >= general_from.fill_null(pl.col("valid_from"))
    return found.select(
        *WANTED,
        *(pl.when(mine).then(name).otherwise(f"{name}_general").alias(name) for name in columns),
    )
