"""One batch of a file's rows to typed rows, and the rows that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import polars as pl

from audit.normalise import cells, hands
from audit.normalise.rejects import ANCHOR, unreadable
from audit.profile import Translated
from audit.schema import CARD_COLUMNS, Column, Kind, Table
from audit.sources import Batch

READABLE = "_readable"


@dataclass(frozen=True, slots=True)
class Typed:
    """A batch after typing.

    ``frame`` has a row for each of the batch: the typed columns, ``source``, ``row`` and
    ``_readable``; of an unreadable row only the key columns mean anything. ``unreadable``: their
    rejects, None where there is none.
    """

    frame: pl.DataFrame
    unreadable: pl.DataFrame | None


def schema_of(table: Table) -> dict[str, pl.DataType]:
    """Names and types of a table's typed columns, ``source`` and ``row`` included."""
    out: dict[str, pl.DataType] = {}
    hand_cells = {*hands.DEALT, *CARD_COLUMNS} if table.name == "rounds" else set()
    for column in table.columns:
        if column.name == "withdrawn_cards":
            out["withdrawn"] = pl.List(pl.UInt8)
        elif column.name == "player_cards":
            out |= dict.fromkeys(("p1", "p2", "p3", "b1", "b2", "b3"), pl.UInt8())
            out |= {"player_n": pl.UInt8(), "banker_n": pl.UInt8()}
            out |= {"extra": pl.List(pl.UInt8), "initial_missing": pl.UInt8()}
        elif column.name not in hand_cells:
            out[column.name] = cells.POLARS[column.kind]
    if table.name == "bets":
        out["bet_id_recorded"] = pl.Boolean()
    return {**out, "source": pl.String(), "row": pl.Int64()}


def type_batch(
    batch: Batch,
    table: Table,
    names: Mapping[str, str],
    source: str,
    foreign: Translated | None = None,
    *,
    short: bool = False,
) -> Typed:
    """Type a batch; ``names`` maps canonical columns to the file's (``columns.match``).

    ``foreign``: the batch by a profile, which then tells its canonical texts. With ``short``
    some columns of words may be ``pl.Categorical``.
    """
    height = batch.stored.height
    empty = pl.Series([None], dtype=pl.String).new_from_index(0, height)
    shown = foreign.shown if foreign else {name: batch.stored[own] for name, own in names.items()}

    others: dict[str, pl.Series] = {}

    def read(column: Column) -> tuple[pl.Series, pl.Series]:
        if foreign is None:
            own = shown.get(column.name)
            if column.name in hands.DEALT and own is not None and own.dtype == pl.String:
                packed = hands.packed(own)
                if packed is not None:
                    others[column.name] = packed.others
                    return packed.text, packed.numbers
            return cells.read(column, shown.get(column.name, empty), nul=batch.nul, short=short)
        text = foreign.texts.get(column.name, empty)
        if column.name in foreign.hands:
            return cells.strip(text), foreign.hands[column.name]
        return cells.read(column, text)

    # Columns are typed side by side: polars lets go of the interpreter while it works.
    with ThreadPoolExecutor(pl.thread_pool_size()) as pool:
        pairs = list(pool.map(read, table.columns))
    texts = {column.name: text for column, (text, _) in zip(table.columns, pairs, strict=True)}
    values = {column.name: value for column, (_, value) in zip(table.columns, pairs, strict=True)}
    faults = _faults(table, texts, values)
    wrong = pl.Series([False]).new_from_index(0, height)
    for fault in faults.values():
        wrong |= fault
    if batch.damaged:
        wrong = wrong.scatter([damage.row - batch.first for damage in batch.damaged], True)
    dealt = {
        name: hands.Dealt(values[name], others.get(name)) for name in hands.DEALT if name in values
    }
    frame = _frame(batch, table, values, texts, source, ~wrong, dealt)
    if not wrong.any():
        return Typed(frame, None)
    anchors = frame.select(name for name in frame.columns if name in (*ANCHOR, "source", "row"))
    return Typed(frame, unreadable(batch, table, shown, faults, anchors, wrong))


def _faults(
    table: Table, texts: Mapping[str, pl.Series], values: Mapping[str, pl.Series]
) -> dict[str, pl.Series]:
    """For each column, in schema order, the rows whose cell is missing or does not fit, if any."""
    faults: dict[str, pl.Series] = {}
    none = pl.Series([False]).new_from_index(0, next(iter(values.values())).len())
    for column in table.columns:
        name = column.name
        if not values[name].null_count():
            fault = none
        elif column.required and column.kind is not Kind.CARDS:
            fault = values[name].is_null()
        else:
            fault = values[name].is_null() & texts[name].is_not_null()
        if name == "player_cards":
            fault |= _without_cards(texts, values)
        if name == "outcome" and "kind" in values:
            # On a void round the outcome is ignored, whatever it says.
            fault &= (values["kind"] != "void").fill_null(True)
        if fault.any():
            faults[name] = fault
    return faults


def _without_cards(texts: Mapping[str, pl.Series], values: Mapping[str, pl.Series]) -> pl.Series:
    """Rounds without any card that are neither void nor outcome-only."""
    bare = texts["outcome"].is_null() & (values["kind"] != "void").fill_null(True)
    for name in (*hands.DEALT, *CARD_COLUMNS):
        bare &= texts[name].is_null()
    return bare


def _frame(
    batch: Batch,
    table: Table,
    values: Mapping[str, pl.Series],
    texts: Mapping[str, pl.Series],
    source: str,
    readable: pl.Series,
    dealt: Mapping[str, hands.Dealt],
) -> pl.DataFrame:
    out: dict[str, pl.Series] = {}
    for column in table.columns:
        value = values[column.name]
        if column.kind is Kind.CARD:
            value = hands.card(value, 0)
        text = texts[column.name]
        if column.default is not None and text.null_count():
            default = pl.Series([column.default], dtype=pl.String).cast(value.dtype)
            value = value.zip_with(text.is_not_null(), default)
        out[column.name] = value
    if table.name == "rounds":
        out |= _cards(values, dealt)
    if table.name == "bets":
        out["bet_id_recorded"] = texts["bet_id"].is_not_null()
    height = readable.len()
    out["source"] = pl.Series([source]).new_from_index(0, height)
    out["row"] = pl.int_range(batch.first, batch.first + height, dtype=pl.Int64, eager=True)
    blank = [damage.row - batch.first for damage in batch.damaged if damage.lost]
    if blank:
        out["casino"] = out["casino"].scatter(blank, None)
    return pl.DataFrame({name: out[name] for name in schema_of(table)} | {READABLE: readable})


def _cards(
    values: Mapping[str, pl.Series], dealt: Mapping[str, hands.Dealt]
) -> dict[str, pl.Series]:
    """Card columns of rounds, from hands or from the six single columns."""
    out: dict[str, pl.Series] = {}
    height = values["player_cards"].len()
    missing = pl.Series([0], dtype=pl.UInt8).new_from_index(0, height)
    extras: list[pl.Series] = []
    for hand in ("player", "banker"):
        whole = dealt[f"{hand}_cards"]
        listed = values[f"{hand}_cards"].is_not_null()
        single = [values[f"{hand}_{place}"] for place in (1, 2, 3)]
        by_cell = [hands.card(card, 0) for card in single]
        total = whole.count()
        for place, cell in enumerate(by_cell):
            code = whole.card(place)
            if cell.null_count() < cell.len():
                code = code.zip_with(listed, cell)
            out[f"{hand[0]}{place + 1}"] = code
            total += (cell.is_not_null() & ~listed).cast(pl.UInt8)
            if place < 2:
                missing += code.is_null().cast(pl.UInt8)
        out[f"{hand}_n"] = total
        extras.append(whole.surplus())
    out["initial_missing"] = missing
    out["extra"] = _joined(*extras)
    out["withdrawn"] = hands.cards(values["withdrawn_cards"])
    return out


def _joined(first: pl.Series, second: pl.Series) -> pl.Series:
    if first.null_count() == first.len():
        return second
    if second.null_count() == second.len():
        return first
    pair = pl.DataFrame({"a": first, "b": second})
    none = pl.lit([], dtype=pl.List(pl.UInt8))
    both = pl.col("a").fill_null(none).list.concat(pl.col("b").fill_null(none))
    return pair.select(
        pl.when(pl.col("a").is_not_null() | pl.col("b").is_not_null()).then(both)
    ).to_series()
