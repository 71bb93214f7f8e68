"""Arts. 12 and 14: carried bets that come back, unequal stakes, and the limits posted."""

from __future__ import annotations

import polars as pl

from audit.money import WIDE
from audit.resolve.frames import as_one, attach, by_case, running, spread
from audit.resolve.terms import WANTED, in_force

SIDES = ("player", "banker")
DAY = pl.col("started_at").dt.date().alias("day")


def add_limits(bets: pl.DataFrame, rounds: pl.DataFrame, limits: pl.DataFrame) -> pl.DataFrame:
    """``bets`` with ``min_stake``, ``max_stake`` and ``limit_known`` of the limits in force."""
    if limits.is_empty():
        money, known = pl.lit(None, pl.Int64), pl.lit(None, pl.Boolean)
        return bets.with_columns(
            money.alias("min_stake"), money.alias("max_stake"), known.alias("limit_known")
        )
    day = rounds["table_day"].gather(bets["rid"])
    case, cases = by_case(bets.select("bet", day), ["table_day", "bet"])
    wanted = cases.join(table_days(rounds), on="table_day", how="left", maintain_order="left")
    wanted = wanted.rename({"bet": "item"}).with_columns(pl.col("item").cast(pl.String))
    found = in_force(
        wanted.select(WANTED).filter(pl.col("day").is_not_null()),
        _named(limits),
        ["min_stake", "max_stake"],
    )
    known = pl.when(pl.col("valid_from").is_not_null()).then(pl.lit(True)).alias("limit_known")
    terms = attach(wanted.select(WANTED), found.with_columns(known), WANTED)
    return bets.hstack(terms.select(pl.col("min_stake", "max_stake", "limit_known").gather(case)))


def table_days(rounds: pl.DataFrame) -> pl.DataFrame:
    """Each gaming table on each day of its rounds: ``casino``, ``table_id``, ``day``, once, with
    ``table_day``, the number that the rounds have for it."""
    return rounds.select("table_day", "casino", "table_id", DAY).unique("table_day", keep="any")


def add_difference(rounds: pl.DataFrame, bets: pl.DataFrame, limits: pl.DataFrame) -> pl.DataFrame:
    """``rounds`` with ``stake_difference`` between the two sides and ``difference_limit``.

    The difference is by currency, the greatest of them counts; null where nobody bet on a side.
    Cancelled bets are left out.
    """
    signed = pl.when(pl.col("bet") == "banker").then("stake").otherwise(-pl.col("stake"))
    sides = (
        bets.lazy()
        .filter(
            pl.col("rid").is_not_null()
            & pl.col("bet").is_in(SIDES)
            & (pl.col("disposition") != "cancelled")
        )
        .select("rid", "currency", signed.cast(WIDE).alias("signed"))
        .collect()
    )
    # Sorted, since groups that lie together are added up in a third of the time.
    differences = (
        sides.select("rid", "signed", as_one(sides, ["rid", "currency"]))
        .sort("code")
        .group_by("code")
        .agg(pl.col("rid").first(), pl.col("signed").sum().abs().alias("stake_difference"))
        .sort("rid")
        .group_by("rid")
        .agg(pl.col("stake_difference").max())
    )
    days = table_days(rounds)
    found = in_force(
        days.select("casino", "table_id", pl.lit("difference").alias("item"), "day"),
        _named(limits),
        ["max_stake"],
    )
    limit = attach(
        days, found.select("casino", "table_id", "day", "max_stake"), ["casino", "table_id", "day"]
    ).select("table_day", pl.col("max_stake").alias("difference_limit"))
    return attach(attach(rounds, differences, ["rid"]), limit, ["table_day"])


def add_carried(bets: pl.DataFrame, rounds: pl.DataFrame) -> pl.DataFrame:
    """``bets`` with ``comes_back``: whether a carried bet stands again in the next round of play.

    Null where that cannot be told: no holder, no such round in the log, a number missing before
    it, or no bet lawfully carried. The holder is the position, else the patron.
    """
    lawful = (
        (pl.col("standing") == "carried")
        & (pl.col("winner") == "tie")
        & pl.col("bet").is_in(SIDES)
        & (pl.col("paid") < pl.col("stake"))
        & pl.col("holder").is_not_null()
    )
    here = bets.select(lawful.fill_null(False)).to_series()
    if not here.any():
        return bets.with_columns(pl.lit(None, pl.Boolean).alias("comes_back"))
    carried = bets.select("rid", "holder").filter(here)
    carried = carried.join(_next_play(rounds), on="rid", how="left", maintain_order="left")
    following = pl.zeros(rounds.height, pl.Boolean, eager=True)
    following = following.scatter(carried["next"].drop_nulls(), True)
    there = (
        bets.select(pl.col("rid").alias("next"), "holder", "bet")
        .filter(following.gather(bets["rid"]))
        .filter(pl.col("bet").is_in(SIDES))
        .select("next", "holder", pl.lit(True).alias("comes_back"))
        .unique()
    )
    known = carried.join(there, on=["next", "holder"], how="left", maintain_order="left")
    return spread(
        bets,
        here,
        known.select(
            pl.when(pl.col("next").is_not_null())
            .then(pl.col("comes_back").fill_null(False))
            .alias("comes_back")
        ),
    )


def _next_play(rounds: pl.DataFrame) -> pl.DataFrame:
    """The next round of play of the same shoe, null where a number before it is missing."""
    play = pl.when(pl.col("kind") == "play").then("rid")
    gaps = running(pl.col("missing_before"))
    return (
        rounds.select("rid", "last_rid", play.shift(-1).backward_fill().alias("next"),
                      gaps.alias("gaps"))
        .with_columns(pl.when(pl.col("next") <= pl.col("last_rid")).then("next").alias("next"))
        .with_columns(pl.col("gaps").gather(pl.col("next")).alias("gaps_then"))
        .select("rid", pl.when(pl.col("gaps") == pl.col("gaps_then")).then("next").alias("next"))
    )  # fmt: skip


def _named(limits: pl.DataFrame) -> pl.DataFrame:
    return limits.rename({"bet": "item"})
