"""Rows of the evidence by the places at which they stand, not by a search of the whole log.

A case knows at which rows of its files the rounds and the bets of a shoe begin. Of a file no
more is read than the parts in which the shoes asked for stand, and of those the columns asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from duckdb import DuckDBPyConnection

from audit.case import quoted


def rows_of(
    connection: DuckDBPyConnection, name: str, shoes: str, columns: Sequence[str] = ()
) -> str:
    """A query for the rows of ``name`` (``rounds`` or ``bets``) of some shoes, to select from.

    ``shoes`` is a query for their casino, table and shoe, which come with the ``columns``
    (all where none are named). Bets that belong to no round stand with no shoe and are left out.
    """
    ((folder,),) = connection.execute("select current_setting('file_search_path')").fetchall()
    file = quoted(Path(folder) / f"{name}.parquet")
    own = (
        ", ".join(f"e.{each}" for each in columns)
        if columns
        else ("e.* exclude (file_row_number, casino, table_id, shoe_id)")
    )
    return f"""(
        select p.* exclude place, {own}
        from read_parquet({file}, file_row_number = true) as e
        join (
          select casino, table_id, shoe_id,
            unnest(range({name}_from, {name}_from + {name})) as place
          from shoes semi join ({shoes}) s using (casino, table_id, shoe_id)
          where {name}_from is not null) as p
        on e.file_row_number = p.place)"""
