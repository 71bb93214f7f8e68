"""Arts. 12 and 14: carried bets that come back, unequal stakes, and the limits posted."""

from __future__ import annotations

from typing import cast

import polars as pl

from audit.money import WIDE
from audit.resolve.alike import one_of_each
from audit.resolve.bets import Bets, with_facts
from audit.resolve.frames import as_one, attach, by_case, running
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
    ``table_day``, the number that the rounds have for it; by that number."""
    facts = rounds.select("table_day", "casino", "table_id", "started_at")
    return facts.select(pl.all().gather(one_of_each(rounds["table_day"]))).with_columns(DAY)


def add_difference(rounds: pl.DataFrame, bets: pl.DataFrame, limits: pl.DataFrame) -> pl.DataFrame:
    """``rounds`` with ``stake_difference`` between the two sides and ``difference_limit``.

    The difference is by currency, the greatest of them counts; null where nobody bet on a side.
    Cancelled bets are left out.
    """
    differences = _differences(bets)
    days = table_days(rounds)
    found = in_force(
        days.select("casino", "table_id", pl.lit("difference").alias("item"), "day"),
        _named(limits),
        ["max_stake"],
    )
    limit = attach(
        days, found.select("casino", "table_id", "day", "max_stake"), ["casino", "table_id", "day"]
    )
    greatest = pl.repeat(None, rounds.height, dtype=WIDE, eager=True)
    return rounds.with_columns(
        greatest.scatter(differences["rid"], differences["difference"]).alias("stake_difference"),
        limit["max_stake"].gather(rounds["table_day"]).alias("difference_limit"),
    )


def _differences(bets: pl.DataFrame) -> pl.DataFrame:
    """``rid``, once for each round with bets on a side, and the greatest ``difference``."""
    sides = bets.select("rid", "currency", "bet", "stake", "disposition").filter(
        pl.col("rid").is_not_null()
        & pl.col("bet").is_in(SIDES)
        & (pl.col("disposition") != "cancelled")
    )
    if sides.is_empty():
        return pl.DataFrame(schema={"rid": pl.UInt32, "difference": WIDE})
    signed = pl.when(pl.col("bet") == "banker").then("stake").otherwise(-pl.col("stake"))
    # The greatest sum there can be is that of all stakes.
    greatest = cast(int, sides["stake"].abs().max())
    kind = pl.Int64() if greatest * sides.height < 2**62 else WIDE()
    pool = sides.select("rid", as_one(sides, ["rid", "currency"]), signed.cast(kind).alias("sum"))
    if not pool["code"].is_sorted():
        pool = pool.sort("code")
    # Sums of what lies together are differences of one running sum.
    last = pool["code"].rle().struct.field("len").cum_sum() - 1
    sums = pool.select("rid", pl.col("sum").cum_sum()).select(pl.all().gather(last))
    difference = pl.col("sum") - pl.col("sum").shift(1, fill_value=0)
    sums = sums.select("rid", difference.abs().cast(WIDE).alias("difference"))
    if not (sums["rid"] == sums["rid"].shift(1)).any():  # by round, as the codes are
        return sums
    return sums.group_by("rid").agg(pl.col("difference").max())


def add_carried(bets: Bets, rounds: pl.DataFrame) -> Bets:
    """``bets`` with ``comes_back``: whether a carried bet stands again in the next round of play.

    Null where that cannot be told: no holder, no such round in the log, a number missing before
    it, or no bet lawfully carried. The holder is the position, else the patron.
    """
    rows = bets.rows
    lawful = bets.cases.select(
        (pl.col("standing") == "carried")
        & (pl.col("winner") == "tie")
        & pl.col("bet").is_in(SIDES)
        & (pl.col("paid") < pl.col("stake"))
    ).to_series()
    at = lawful.gather(rows["case"]).arg_true()
    carried = rows.select(pl.col("rid", "holder").gather(at)).hstack([at.alias("at")])
    carried = carried.filter(pl.col("holder").is_not_null())
    carried = carried.join(_next_play(rounds), on="rid").filter(pl.col("next").is_not_null())
    following = pl.zeros(rounds.height, pl.Boolean, eager=True)
    following = following.scatter(carried["next"], True)
    there = (
        rows.select(pl.col("rid").alias("next"), "holder", "bet")
        .filter(following.gather(rows["rid"]))
        .filter(pl.col("bet").is_in(SIDES))
        .select("next", "holder", pl.lit(1, pl.UInt32).alias("stands"))
        .unique()
    )
    known = carried.join(there, on=["next", "holder"], how="left")
    either = pl.DataFrame({"comes_back": [False, True]})
    return with_facts(bets, known["at"], known["stands"].fill_null(0), either)


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
