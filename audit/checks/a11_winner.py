"""Art. 11: the higher total wins."""

from __future__ import annotations

import polars as pl

from audit.checks.a09_draws import DEALT
from audit.checks.base import Breach, check


@check("A1101", "11", "violation", record_only=True)
def wrong_winner() -> Breach:
    """The recorded winner differs from the cards, neither being a tie.

    What it checks: the outcome of the log against the totals by the cards.
    Why it matters: Player and Banker bets are settled by the winner.
    Not flagged: void rounds, rounds without a recorded outcome, and those where the log or the
    cards say tie, which are A1201. It is only a warning where the round has bets and all of
    them were settled by the cards.
    Example: Player 7, Banker 5, the log says Banker: Player won.
    """
    recorded, by_cards = pl.col("outcome"), pl.col("by_outcome")
    return Breach(
        scope=DEALT,
        needs=("outcome",),
        breaks=(recorded != "tie") & (by_cards != "tie") & (recorded != by_cards),
        basis=("winner",),
        expected=by_cards,
        recorded=recorded,
        variant=recorded,
        evidence={
            "a": pl.max_horizontal("by_player_total", "by_banker_total"),
            "b": pl.min_horizontal("by_player_total", "by_banker_total"),
        },
    )


CHECKS = (wrong_winner,)
