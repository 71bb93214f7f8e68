"""Art. 14: unequal stakes, and the limits that the house posts."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check
from audit.money import to_text


@check("A1401", "14", "violation", tables=("bets", "limits"))
def unequal_stakes() -> Breach:
    """The Banker and Player stakes of a round differ by more than the limit in force.

    What it checks: the sum of Banker stakes against the sum of Player stakes of each round, by
    currency, and the limit named difference that was in force at that table.
    Why it matters: the house takes unequal stakes up to the posted limit only.
    Not flagged: void rounds, cancelled bets, tables without such a limit.
    Example: the limit is 50000, Banker stakes 90000, Player stakes 30000.
    """
    return Breach(
        scope=(pl.col("kind") != "void") & pl.col("stake_difference").is_not_null(),
        needs=("difference_limit",),
        breaks=pl.col("stake_difference") > pl.col("difference_limit"),
        basis=("stakes_capped_by",),
        expected=to_text(pl.col("difference_limit")),
        recorded=to_text(pl.col("stake_difference")),
        evidence={
            "d": to_text(pl.col("stake_difference")),
            "max": to_text(pl.col("difference_limit")),
        },
    )


@check("A1402", "14", "warning", over="bets", tables=("limits",))
def stake_outside_limits() -> Breach:
    """A single stake is outside the posted limits in force.

    What it checks: each stake against the least and greatest stake posted for its bet.
    Why it matters: the limits are the offer to every bettor; the article sets no minimum, so
    this is a warning only.
    Not flagged: bets without posted limits; stakes of zero or less (L10).
    Example: the least stake on Tie is 100, and 50 was staked.
    """
    low = (pl.col("stake") < pl.col("min_stake")).fill_null(False)
    high = (pl.col("stake") > pl.col("max_stake")).fill_null(False)
    return Breach(
        scope=~pl.col("standing").is_in(["orphan", "bad_stake", "round_rejected"]),
        needs=("limit_known",),
        breaks=low | high,
        basis=("stakes_capped_by",),
        expected=pl.concat_str(
            to_text(pl.col("min_stake")).fill_null(""),
            pl.lit("-"),
            to_text(pl.col("max_stake")).fill_null(""),
        ),
        recorded=to_text(pl.col("stake")),
        variant=pl.when(low).then(pl.lit("low")).otherwise(pl.lit("high")),
        evidence={
            "bet": pl.col("bet"),
            "stake": to_text(pl.col("stake")),
            "limit": to_text(pl.when(low).then("min_stake").otherwise("max_stake")),
        },
    )


CHECKS = (unequal_stakes, stake_outside_limits)
