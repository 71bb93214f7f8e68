"""The closed list of hand facts that a rule set's bets may speak of, as polars expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

_WON = pl.when(pl.col("winner") != "tie")

FACTS: dict[str, pl.Expr] = {
    "winner": pl.col("winner"),
    "player_total": pl.col("by_player_total"),
    "banker_total": pl.col("by_banker_total"),
    "winning_total": _WON.then(pl.max_horizontal("by_player_total", "by_banker_total")),
    "margin": _WON.then((pl.col("by_player_total") - pl.col("by_banker_total")).abs()),
    "player_cards": pl.col("player_n"),
    "banker_cards": pl.col("banker_n"),
    "winning_cards": _WON.then(
        pl.when(pl.col("winner") == "player").then("player_n").otherwise("banker_n")
    ),
    "cards": pl.col("player_n").cast(pl.Int64) + pl.col("banker_n").cast(pl.Int64),
    "player_pair": pl.col("by_player_pair"),
    "banker_pair": pl.col("by_banker_pair"),
    "player_natural": pl.col("player_natural"),
    "banker_natural": pl.col("banker_natural"),
}
"""Fact by name, over a frame of bets joined to their rounds; null where it is unknown."""


def condition(when: Mapping[str, Any]) -> pl.Expr:
    """All of the facts hold; null where one of them is unknown."""
    holds = pl.lit(True)
    for fact, wanted in when.items():
        value = FACTS[fact]
        options = wanted if isinstance(wanted, list | tuple) else [wanted]
        holds = holds & pl.any_horizontal(*(value == option for option in options))
    return holds
