"""Art. 1: the material of the game."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check


@check("A0101", "1(1)", "violation", tables=("shoes",))
def number_of_decks() -> Breach:
    """A shoe's recorded number of decks is outside 6 to 12.

    What it checks: the decks of each row of the shoes table, at the shoe's first round.
    Why it matters: the number of decks changes the odds of every bet.
    Not flagged: shoes without a recorded number; a number given with --decks.
    Example: shoe 14 is recorded with 5 decks.
    """
    return Breach(
        scope=pl.col("first_in_shoe"),
        in_shoes=True,
        needs=("decks_recorded",),
        breaks=~pl.col("decks_recorded").is_between(pl.col("decks_min"), pl.col("decks_max")),
        basis=("decks_min", "decks_max"),
        expected=pl.format("{}-{}", "decks_min", "decks_max"),
        recorded=pl.col("decks_recorded").cast(pl.String),
        evidence={
            "n": pl.col("decks_recorded"),
            "a": pl.col("decks_min"),
            "b": pl.col("decks_max"),
        },
    )


CHECKS = (number_of_decks,)
