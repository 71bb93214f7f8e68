"""Art. 13(1)(4): pairs and the jackpot are bets made "additionally"; may one stand alone?

Columns added to the bets: ``alone``, whether the holder of a pair or jackpot bet has no bet on
Player, Banker or a tie in that round (null where the holder is not recorded), and the ``split_``
column of the interpretation. Where the reading that it may not is pinned, such a bet is not
offered.
"""

from __future__ import annotations

import polars as pl

from audit.resolve import words
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


def add_alone(bets: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """``bets`` with the columns above; ``standing`` changed where the reading is pinned."""
    reading = rules.readings[INTERPRETATION]
    added = [i for i, (bet, _) in enumerate(rules.bet_rules) if bet.article.startswith(PARAGRAPH)]
    own = as_one(bets, ["rid", "holder"])
    known = pl.col("rid").is_not_null() & pl.col("holder").is_not_null()
    held = bets.select("rule", "standing", own.alias("own"), known.alias("known"))
    main = held.filter(~pl.col("rule").is_in(added) & pl.col("known"))["own"]
    additional = pl.col("rule").is_in(added) & pl.col("standing").is_in(_JUDGED)
    here = held.select(additional & pl.col("known")).to_series()
    lone = held.filter(here).select((~pl.col("own").is_in(main.implode())).alias("alone"))
    frame = spread(bets, here, lone).with_columns(
        (pl.col("alone").fill_null(False) & (reading == EITHER)).alias(f"split_{INTERPRETATION}")
    )
    if reading != "no":
        return frame.with_columns(pl.lit(None, pl.Boolean).alias("alone"))
    refused = pl.col("alone").fill_null(False)
    return frame.with_columns(
        pl.when(refused)
        .then(pl.lit("not_offered"))
        .otherwise("standing")
        .cast(words.STANDING)
        .alias("standing"),
        *(pl.when(~refused).then(name).alias(name) for name in ("due", "due_other")),
        (pl.col("case") * 2 + refused.cast(pl.UInt32)).alias("case"),
    )
