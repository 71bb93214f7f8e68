"""The money that hangs on draw errors: for each round with one, what its bets got, against what
they would have been due had the round been replayed rightly, and had it been made void (art. 10).

One row for each round and currency: ``bets`` judged, ``open`` bets whose due cannot be told,
``paid``, ``due_dealt`` by the cards as dealt, ``due_replayed`` and ``due_void``, in millionths.
Jackpot bets are open: what their prize would have been hangs on cards that were not dealt.
"""

from __future__ import annotations

import polars as pl

from audit.money import WIDE
from audit.resolve.alike import whole
from audit.resolve.bets import Bets, judge_again
from audit.resolve.consequence import DRAWN_WRONGLY
from audit.resolve.options import Options
from audit.resolve.rules import Rules

SCHEMA = {
    "casino": pl.String(),
    "table_id": pl.String(),
    "shoe_id": pl.String(),
    "round_no": pl.Int64(),
    "dealer_id": pl.String(),
    "currency": pl.String(),
    "consequence": pl.String(),
    "bets": pl.Int64(),
    "open": pl.Int64(),
    "paid": WIDE(),
    "due_dealt": WIDE(),
    "due_replayed": WIDE(),
    "due_void": WIDE(),
}
_ROUND = ["casino", "table_id", "shoe_id", "round_no", "dealer_id", "consequence"]


def money_at_stake(
    rounds: pl.DataFrame, bets: Bets, rules: Rules, options: Options
) -> pl.DataFrame:
    """The table above for the rounds of play that break art. 9 on two or three cards a hand."""
    wrong = rounds.filter(
        (pl.col("kind") == "play") & pl.col("complete") & DRAWN_WRONGLY & ~pl.col("overfull")
    )
    there = bets.rows.filter(pl.col("rid").is_in(wrong["rid"].implode()))
    if there.is_empty():
        return pl.DataFrame(schema=SCHEMA)
    there = whole(there, bets.cases)
    again = judge_again(there, _as_it_should_have_been(wrong), rules, options)
    replayed = whole(again.rows, again.cases)
    due, due_replayed = pl.col("due"), replayed["due"]
    known = due.is_not_null() & pl.col("due_other").is_null() & pl.col("due_replayed").is_not_null()
    sums = ("paid", "due_dealt", "due_replayed", "due_void")
    return (
        there.with_columns(
            due_replayed.alias("due_replayed"),
            replayed["due_other"].alias("replayed_other"),
        )
        .with_columns((known & pl.col("replayed_other").is_null()).alias("known"))
        .with_columns(due.alias("due_dealt"), pl.col("stake").alias("due_void"))
        .group_by("rid", "currency", maintain_order=True)
        .agg(
            pl.col("known").sum().alias("bets"),
            (~pl.col("known")).sum().alias("open"),
            *(pl.col(name).cast(WIDE).filter(pl.col("known")).sum() for name in sums),
        )
        .join(wrong.select("rid", *_ROUND), on="rid", maintain_order="left")
        .select(pl.col(name).cast(dtype) for name, dtype in SCHEMA.items())
    )


def _as_it_should_have_been(rounds: pl.DataFrame) -> pl.DataFrame:
    """The rounds with the hand that should have been in place of the one dealt."""
    return rounds.with_columns(
        pl.col("should_outcome").alias("winner"),
        pl.col("should_player_total").alias("by_player_total"),
        pl.col("should_banker_total").alias("by_banker_total"),
        pl.col("should_player_n").alias("player_n"),
        pl.col("should_banker_n").alias("banker_n"),
    )
