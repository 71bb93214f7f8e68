"""Arts. 3 and 4: the last round of a shoe, and exposed cards."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check


@check("A0301", "3(1)", "violation")
def play_after_last_round() -> Breach:
    """Play went on after the last round that the white card allows.

    What it checks: rounds of play after the one in which the white card first came out, by
    their numbers, less the logged demonstrations, free and void hands between.
    Why it matters: the round of the white card is the last, or only one more may follow; then
    the cards are reshuffled.
    Not flagged: the first round of play after it; sessions of an automatic device. A warning
    where a number between is missing, since the missing round may not have been play.
    Example: the white card comes out in round 60 and rounds 61 to 63 are played: 62 and 63.
    """
    after = pl.col("after_white")
    return Breach(
        scope=(pl.col("device") == "shoe") & after.is_not_null(),
        breaks=after > pl.col("rounds_after_white_card"),
        basis=("rounds_after_white_card",),
        severity=pl.when(pl.col("missing_since_white") > 0)
        .then(pl.lit("warning"))
        .otherwise(pl.lit("violation")),
        expected=pl.col("rounds_after_white_card").cast(pl.String),
        recorded=after.cast(pl.String),
        evidence={"n": after},
    )


@check("A0401", "4", "notice")
def void_for_exposed_card() -> Breach:
    """A round was made void for an exposed card.

    What it checks: void rounds whose recorded reason is an exposed card.
    Why it matters: an exposed card stays valid, and so do the bets; the round goes on.
    Not flagged: void rounds with any other reason, or none.
    Example: round 17 is void, reason exposed_card.
    """
    reason = pl.col("void_reason").str.to_lowercase().str.replace_all(r"[\s_-]+", "_")
    return Breach(
        scope=pl.col("kind") == "void",
        needs=("void_reason",),
        breaks=reason == "exposed_card",
        basis=("exposed_card_valid",),
        expected=pl.lit("valid"),
        recorded=pl.col("void_reason"),
    )


CHECKS = (play_after_last_round, void_for_exposed_card)
