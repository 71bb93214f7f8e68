"""Rows that are not audited, each with its place, its text and the reason."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import polars as pl

from audit.normalise import cells
from audit.schema import Table
from audit.sources import Batch, as_text, in_text

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
NO_CARDS = "cards of at least one hand, or an outcome, or a void round"
_DAMAGE = ("reason", "text", "expected")


def unreadable(
    batch: Batch,
    table: Table,
    shown: Mapping[str, pl.Series],
    faults: Mapping[str, pl.Series],
    anchors: pl.DataFrame,
    wrong: pl.Series,
) -> pl.DataFrame:
    """Rejects of a batch, in file order, without their occurrence.

    ``shown`` has the file's texts by canonical column, ``faults`` says for each column that has
    any, in schema order, which rows of the batch do not fit, ``wrong`` which rows cannot be read.
    ``anchors`` has the key columns, ``source`` and ``row`` of the whole batch.
    """
    places = wrong.arg_true()
    rows = in_text(batch.stored[places])
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, rows.height)
    flags = pl.DataFrame({name: fault.gather(places) for name, fault in faults.items()})
    named = (pl.when(name).then(pl.lit(name)) for name in faults)
    column = flags.select(pl.coalesce(*named, nothing).alias("column")).to_series()
    own = pl.DataFrame(
        {name: as_text(shown[name].gather(places)) for name in faults if name in shown}
    )
    texts = [pl.when(column == name).then(name) for name in own.columns]
    text = own.select(text=pl.coalesce(*texts, nothing)).to_series()
    kinds = {name: table.column(name) for name in column.unique().drop_nulls()}
    reasons: list[str | None] = []
    expected: list[str | None] = []
    for name, cell in zip(column, text, strict=True):
        bare = (cell or "").strip() or None
        if name is None:
            reasons.append(None)
            expected.append(None)
        elif name == "player_cards" and bare is None:
            reasons.append("no_cards")
            expected.append(NO_CARDS)
        else:
            reasons.append(cells.reason(kinds[name], bare))
            expected.append(cells.expected(kinds[name]))
    out = anchors[places].with_columns(
        column,
        text,
        pl.Series("reason", reasons, dtype=pl.String),
        pl.Series("expected", expected, dtype=pl.String),
        raw(rows),
        table=pl.lit(table.name),
        kind=pl.lit("unreadable"),
    )
    return complete(out if not batch.damaged else _with_damage(out, batch))


def _with_damage(rejects: pl.DataFrame, batch: Batch) -> pl.DataFrame:
    """Say of damaged rows what is wrong with them as a whole, whatever their cells say."""
    found = pl.DataFrame(
        [(damage.row, damage.reason, damage.text, damage.expected) for damage in batch.damaged],
        schema={"row": pl.Int64, **dict.fromkeys(_DAMAGE, pl.String)},
        orient="row",
    )
    both = rejects.join(found, on="row", how="left", suffix="_new", maintain_order="left")
    broken = pl.col("reason_new").is_not_null()
    whole = pl.col("raw").str.strip_suffix("}")
    comma = pl.when(pl.col("raw") == "{}").then(pl.lit("")).otherwise(pl.lit(","))
    rest = _pair("(rest)", pl.col("text_new"))
    return both.with_columns(
        column=pl.when(~broken).then("column"),
        raw=pl.when(broken).then(whole + comma + rest + "}").otherwise("raw"),
        **{name: pl.when(broken).then(f"{name}_new").otherwise(name) for name in _DAMAGE},
    )


def _pair(name: str, text: pl.Expr) -> pl.Expr:
    """``"name":"text"`` as in JSON; null where there is no text."""
    encoded = pl.struct(text.alias("x")).struct.json_encode()
    value = encoded.str.strip_prefix('{"x":').str.strip_suffix("}")
    return pl.when(text.is_not_null()).then(
        pl.lit(json.dumps(name, ensure_ascii=False) + ":") + value
    )


def raw(rows: pl.DataFrame) -> pl.Series:
    """Each row as JSON: its cells that are not empty, in file column order."""
    some = [pl.when(pl.col(name).str.strip_chars() != "").then(name) for name in rows.columns]
    pairs = [_pair(name, text) for name, text in zip(rows.columns, some, strict=True)]
    body = pl.concat_str(pairs, separator=",", ignore_nulls=True)
    return rows.select(("{" + body + "}").alias("raw")).to_series()


def complete(rows: pl.DataFrame) -> pl.DataFrame:
    """Rejects with every column of ``REJECTS``, in its order; absent ones are null."""
    return rows.select(
        (pl.col(name) if name in rows.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in REJECTS.items()
    )


def collect(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """All rejects of a log, given one frame a table: by file and row, with their occurrence."""
    ordered = [frame.sort("source", "row") for frame in frames]
    every = pl.concat([pl.DataFrame(schema=REJECTS), *ordered])
    number = pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("table", "raw")
    return every.with_columns(occurrence=number)
