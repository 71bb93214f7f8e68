"""The columns of a query's result, which are called as in the canonical table."""

from __future__ import annotations

from collections.abc import Sequence

from audit.errors import ProfileError
from audit.profile.model import DEAL, Cell, TableMap, lacking
from audit.rulebook.types import nearest
from audit.schema import Table

SOURCE = "source"
"""Column of a query's result that says which file a row is of."""


def cells_of(
    mapping: TableMap, table: Table, columns: Sequence[str], where: str
) -> dict[str, Cell]:
    """A query names its columns as the canonical table does; others serve where and shoe_key."""
    known = [column.name for column in table.columns]
    if mapping.table == "rounds":
        known.append(DEAL)
    cells = {name: Cell((name,)) for name in columns if name in known}
    if mapping.shoe_key:
        cells.pop("shoe_id", None)
    own = (*mapping.where, *mapping.shoe_key, *mapping.order_by, *(mapping.cards.fifth or ()))
    have = {*cells, *(("shoe_id",) if mapping.shoe_key else ())}
    for name in own:
        if name not in columns:
            raise ProfileError(
                f"the result has no column {name!r}",
                where=where,
                hint=nearest(name, tuple(columns)),
            )
    for name in columns:
        if name not in (*known, SOURCE, *own):
            raise ProfileError(
                f"the result has a column {name!r} that {mapping.table} does not have",
                where=where,
                hint=nearest(name, tuple(known)),
            )
    absent = lacking(table, have)
    if absent is not None:
        raise ProfileError(f"the result lacks the column {absent!r}", where=where)
    if DEAL in have and mapping.cards.deal_order is None:
        raise ProfileError("a list of both hands needs cards.deal_order", where=where)
    if DEAL in have and mapping.cards.fifth == () and not {"player_total", "banker_total"} <= have:
        raise ProfileError("cards.fifth needs the columns of both totals", where=where)
    if mapping.commission_apart and "commission_taken" not in have:
        raise ProfileError("commission_apart needs the column commission_taken", where=where)
    return cells
