"""Second rows of one key (L02, L11), and the running number of bets without an id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from audit.normalise.rejects import complete, raw
from audit.normalise.rows import READABLE
from audit.schema import Table
from audit.sources import Source, in_text

SHOE = ("casino", "table_id", "shoe_id")
KEYS: dict[str, tuple[str, ...]] = {
    "rounds": (*SHOE, "round_no"),
    "bets": (*SHOE, "round_no", "bet_id"),
    "shoes": SHOE,
}
"""What must be unique; tables not named here may repeat themselves."""

_WIDTH = 1 << 31
"""More than any round number of a real shoe."""

_COLUMNS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("p1", "p2", "p3", "player_n"), ("player_cards",)),
    **dict.fromkeys(("b1", "b2", "b3", "banker_n"), ("banker_cards",)),
    "extra": ("player_cards", "banker_cards"),
    "withdrawn": ("withdrawn_cards",),
}
"""Columns of the log that a typed column comes from, where it is called otherwise."""


@dataclass(frozen=True, slots=True)
class Split:
    """Rows to audit (helper columns gone), and the rejects of the others; None for none."""

    kept: pl.DataFrame
    duplicates: pl.DataFrame | None


def take_out(table: Table, rows: pl.DataFrame, place: pl.Series | None = None) -> Split:
    """Number the bets, drop unreadable rows, and part the second rows of a key from the first.

    ``rows`` is used up. ``place`` is a number for each key but for bet_id, where there is one
    already; the kept rows then have it as a column.
    """
    key = KEYS.get(table.name)
    # One number for each distinct key but for bet_id: far quicker to compare than its texts.
    code = place
    if code is None and key is not None:
        code = _code(rows, [name for name in key if name != "bet_id"])
    if table.name == "bets" and code is not None:
        rows.replace_column(rows.get_column_index("bet_id"), _bet_ids(rows, code))
    readable = rows.drop_in_place(READABLE)
    if not readable.all():
        rows = rows.filter(readable)
        code = None if code is None else code.filter(readable)
    if key is None or code is None:
        return Split(rows, None)
    if place is not None:
        rows = rows.hstack([code])
    if table.name == "bets":
        rows = rows.hstack(_twins(rows, code))
    again = _again(rows, code, table)
    if not again.any():
        return Split(rows, None)
    kept = rows.filter(~again)
    extra = rows.filter(again)
    first = kept.filter(pl.col("bet_id_recorded")) if table.name == "bets" else kept
    return Split(kept, _rejects(table, key, first, extra))


def _code(rows: pl.DataFrame, key: list[str]) -> pl.Series:
    """A number (Int64) that is the same for equal keys; null where a part of the key is null."""
    shoe = [pl.col(name) for name in SHOE]
    changes = rows.select(
        pl.any_horizontal(name.ne_missing(name.shift(1)) for name in shoe).alias("change")
    ).to_series()
    if changes.len():
        changes[0] = True
    # A real column, since a range inside a window would begin anew in every group.
    starts = (
        rows.filter(changes)
        .select(*SHOE)
        .with_row_index("index")
        .select(pl.col("index").cast(pl.Int64).first().over(SHOE))
        .to_series()
    )
    shoes = starts.gather(changes.cum_sum() - 1)
    frame = rows.select(*key, shoe=shoes).with_row_index("index")
    known = pl.all_horizontal(pl.col(name).is_not_null() for name in key)
    if "round_no" not in key:
        code = pl.col("shoe")
    elif not (frame["round_no"] >= _WIDTH).any():
        code = pl.col("shoe") * _WIDTH + pl.col("round_no")
    else:
        code = pl.col("index").cast(pl.Int64).first().over("shoe", "round_no")
    return frame.select(pl.when(known).then(code)).to_series()


def _bet_ids(rows: pl.DataFrame, code: pl.Series) -> pl.Series:
    """Ids of bets; what is not recorded is the running number of the row in its round.

    Every row whose round can be read takes a number, rejected or not.
    """
    ids = rows["bet_id"]
    recorded = rows["bet_id_recorded"]
    if recorded.all():
        return ids
    number = _running(code).cast(pl.String)
    number = number.zip_with(code.is_not_null(), pl.Series([None], dtype=pl.String))
    return ids.zip_with(recorded, number)


def _twins(rows: pl.DataFrame, code: pl.Series) -> list[pl.Series]:
    """``bet_id_twin``: bets whose running number is the recorded id of another bet of the round.

    Place and number do not tell the two apart; the ids of their findings must. No column where
    there is none, as in nearly all logs.
    """
    recorded = rows["bet_id_recorded"]
    if recorded.all() or not recorded.any():
        return []
    frame = pl.DataFrame({"code": code, "id": rows["bet_id"], "told": recorded})
    twin = ~pl.col("told") & pl.col("told").any().over("code", "id")
    twins = frame.select(twin.fill_null(False).alias("bet_id_twin")).to_series()
    return [twins] if twins.any() else []


def _running(code: pl.Series) -> pl.Series:
    """For each row its number, from 1, among the rows of the same code."""
    runs = code.rle().struct.unnest()
    if runs["value"].is_unique().all():
        # The rows of a round follow one another, as in most logs: far quicker than to group.
        return (
            runs.select(pl.int_ranges(1, pl.col("len") + 1, dtype=pl.Int64)).to_series().explode()
        )
    frame = pl.DataFrame({"code": code})
    return frame.select(pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("code")).to_series()


def _again(rows: pl.DataFrame, code: pl.Series, table: Table) -> pl.Series:
    """Whether a row has the key of an earlier one (for bets: of one with a recorded id)."""
    again = pl.Series([False]).new_from_index(0, rows.height)
    # To count the different ones is far quicker than to find the rows, and mostly enough.
    if table.name != "bets":
        return again if code.n_unique() == code.len() else ~code.is_first_distinct()
    frame = pl.DataFrame({"code": code, "id": rows["bet_id"]})
    if rows["bet_id_recorded"].all() and _ascending(frame):
        return again
    hashes = frame.hash_rows()
    places = rows["bet_id_recorded"].arg_true()
    recorded = hashes.gather(places)
    if recorded.n_unique() == recorded.len():
        return again
    # Equal rows have equal hashes, but not the other way round: look at the texts of those.
    places = places.filter(hashes.gather(places).is_duplicated())
    first = frame[places].select(pl.struct("code", "id").is_first_distinct()).to_series()
    return again.scatter(places.filter(~first), True)


def _ascending(frame: pl.DataFrame) -> bool:
    """Whether rounds follow one another, and ids in each, a longer one after a shorter one."""
    if not frame["code"].is_sorted():
        return False
    frame = frame.with_columns(pl.col("id").str.len_bytes().alias("size"))
    first, size, text = (pl.col(name) for name in ("code", "size", "id"))
    longer = size > size.shift(1)
    later = (size == size.shift(1)) & (text > text.shift(1))
    known = first.is_not_null() & text.is_not_null()
    follows = (first != first.shift(1)) | longer | later | (pl.int_range(pl.len()) == 0)
    return bool(frame.select((known & follows).fill_null(False).all()).item())


def _rejects(
    table: Table,
    key: tuple[str, ...],
    first: pl.DataFrame,
    extra: pl.DataFrame,
) -> pl.DataFrame:
    """Rejects for the rows ``extra``, each compared with the row of its key in ``first``.

    Their ``raw`` text is still to be read (``with_raw``).
    """
    skip = {*key, "source", "row", "bet_id_recorded", "bet_id_twin", "initial_missing", "place"}
    compared = [name for name in extra.columns if name not in skip]
    first = first.join(extra.select(key), on=key, how="semi", maintain_order="left")
    words = pl.col(pl.Categorical).cast(pl.String)
    extra, first = extra.with_columns(words), first.with_columns(words)
    pairs = extra.join(first, on=key, how="left", suffix="_first", maintain_order="left")
    unlike: dict[str, list[pl.Expr]] = {}
    for name in compared:
        differs = pl.col(name).ne_missing(pl.col(f"{name}_first"))
        for column in _COLUMNS.get(name, (name,)):
            unlike.setdefault(column, []).append(differs)
    differing = [
        pl.when(pl.any_horizontal(parts)).then(pl.lit(column)) for column, parts in unlike.items()
    ]
    return complete(
        pairs.with_columns(
            pl.lit(table.name).alias("table"),
            pl.lit(key[-1]).alias("column"),
            pl.col(key[-1]).cast(pl.String).alias("text"),
            pl.lit("duplicate").alias("reason"),
            pl.lit("one row for each " + ", ".join(key)).alias("expected"),
            pl.lit("duplicate").alias("kind"),
            pl.concat_str(differing, separator=",", ignore_nulls=True).alias("differs"),
        )
    )


def with_raw(rejects: pl.DataFrame, sources: Mapping[str, Source]) -> pl.DataFrame:
    """``rejects`` with the text of their rows, for which their files are read once more."""
    out: list[pl.DataFrame] = []
    for (name,), rows in rejects.group_by("source"):
        wanted = rows["row"]
        for batch in sources[str(name)].batches():
            here = wanted.filter(wanted.is_between(batch.first, batch.first + batch.count - 1))
            if here.len():
                texts = raw(in_text(batch.stored[here - batch.first]))
                out.append(
                    pl.DataFrame({"row": here, "raw": texts}).with_columns(source=pl.lit(name))
                )
    read = pl.concat(out)
    return complete(
        rejects.drop("raw").join(read, on=["source", "row"], how="left", maintain_order="left")
    )
