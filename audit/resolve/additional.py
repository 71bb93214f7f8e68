"""Art. 13(1)(4): pairs and the jackpot are bets made "additionally"; may one stand alone?

Columns added to the bets: ``alone``, whether the holder of a pair or jackpot bet has no bet on
Player, Banker or a tie in that round (null where the holder is not recorded), and the ``split_``
column of the interpretation. Where the reading that it may not is pinned, such a bet is not
offered.
"""

from __future__ import annotations

import polars as pl

from audit.resolve import words
from audit.resolve.bets import Bets
from audit.resolve.frames import as_one, spread
from audit.resolve.rules import EITHER, Rules

INTERPRETATION = "side_bet_needs_main_bet"
PARAGRAPH = "13(1)(4)"

_JUDGED = ["jackpot", "won", "lost", "returned", "handpay", "carried", "cancelled", "unjudged"]


def with_holder(bets: pl.DataFrame) -> pl.DataFrame:
    """``bets`` with ``holder``, a number for the position, else the patron; null for neither."""
    position, patron = (
        pl.col(name).cast(pl.Categorical).to_physical().cast(pl.Int64)
        for name in ("position", "patron_id")
    )
    if not bets["position"].null_count():
        return bets.with_columns((position * 2).alias("holder"))
    return bets.with_columns(pl.coalesce(position * 2, patron * 2 + 1).alias("holder"))


def add_alone(bets: Bets, rules: Rules) -> Bets:
    """``bets`` with the columns above; ``standing`` changed where the reading is pinned."""
    rows, cases = bets.rows, bets.cases
    reading = rules.readings[INTERPRETATION]
    added = [i for i, (bet, _) in enumerate(rules.bet_rules) if bet.article.startswith(PARAGRAPH)]
    of_cases = cases.select(
        (~pl.col("rule").is_in(added)).alias("main"),
        (pl.col("rule").is_in(added) & pl.col("standing").is_in(_JUDGED)).alias("additional"),
    )
    own = as_one(rows, ["rid", "holder"])
    known = pl.col("rid").is_not_null() & pl.col("holder").is_not_null()
    held = rows.select(known.alias("known"), *of_cases.select(pl.all().gather(rows["case"])))
    main = own.filter(held.select(pl.col("main") & pl.col("known")).to_series())
    here = held.select(pl.col("additional") & pl.col("known")).to_series()
    lone = ~own.filter(here).is_in(main.implode())
    rows = spread(rows, here, lone.alias("alone").to_frame()).with_columns(
        (pl.col("alone").fill_null(False) & (reading == EITHER)).alias(f"split_{INTERPRETATION}")
    )
    if reading != "no":
        return Bets(rows.with_columns(pl.lit(None, pl.Boolean).alias("alone")), cases)
    # Each case once more, for those of its bets that are not offered.
    refused = cases.with_columns(
        pl.lit("not_offered", words.STANDING).alias("standing"),
        *(pl.lit(None, cases.schema[name]).alias(name) for name in ("due", "due_other")),
    )
    other = rows["alone"].fill_null(False).cast(pl.UInt32) * cases.height
    rows = rows.with_columns(case=rows["case"] + other)
    cases = pl.concat([cases, refused])
    return Bets(rows.with_columns(cases["standing"].gather(rows["case"])), cases)
