"""Art. 13(1)(4): pairs and the jackpot are bets made "additionally"; may one stand alone?

Columns added to the bets: ``alone``, whether the holder of a pair or jackpot bet has no bet on
Player, Banker or a tie in that round (null where the holder is not recorded), and the ``split_``
column of the interpretation. Where the reading that it may not is pinned, such a bet is not
offered.
"""

from __future__ import annotations

import polars as pl

from audit.resolve import words
from audit.resolve.frames import attach
from audit.resolve.rules import EITHER, Rules

INTERPRETATION = "side_bet_needs_main_bet"
PARAGRAPH = "13(1)(4)"

_JUDGED = ["jackpot", "won", "lost", "returned", "handpay", "carried", "cancelled", "unjudged"]


def holder() -> pl.Expr:
    """Who holds a bet: the position, else the patron; null where neither is recorded."""
    return pl.coalesce(
        pl.format("position {}", "position"), pl.format("patron {}", "patron_id")
    ).alias("holder")


def add_alone(bets: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """``bets`` with the columns above; ``standing`` changed where the reading is pinned."""
    reading = rules.readings[INTERPRETATION]
    added = [i for i, (bet, _) in enumerate(rules.bet_rules) if bet.article.startswith(PARAGRAPH)]
    additional = pl.col("rule").is_in(added) & pl.col("standing").cast(pl.String).is_in(_JUDGED)
    held = bets.lazy().select("rid", "rule", "bet_row", additional.alias("additional"), holder())
    held = held.filter(pl.col("holder").is_not_null())
    main = held.filter(~pl.col("rule").is_in(added)).select("rid", "holder").unique()
    lone = (
        held.filter(pl.col("additional"))
        .join(main.with_columns(pl.lit(False).alias("alone")), on=["rid", "holder"], how="left")
        .select("bet_row", pl.col("alone").fill_null(True))
        .collect()
    )
    frame = attach(bets, lone, ["bet_row"]).with_columns(
        (pl.col("alone").fill_null(False) & (reading == EITHER)).alias(f"split_{INTERPRETATION}")
    )
    if reading != "no":
        return frame.with_columns(pl.lit(None, pl.Boolean).alias("alone"))
    refused = pl.col("alone").fill_null(False)
    return frame.with_columns(
        pl.when(refused)
        .then(pl.lit("not_offered"))
        .otherwise(pl.col("standing").cast(pl.String))
        .cast(words.STANDING)
        .alias("standing"),
        *(pl.when(~refused).then(name).alias(name) for name in ("due", "due_other")),
    )
