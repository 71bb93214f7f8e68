"""Art. 10: dealing errors that can no longer be put right make the round void."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check
from audit.money import to_text

VOID = pl.col("kind") == "void"


@check("A1001", "10", "violation", over="bets")
def void_stake_not_returned() -> Breach:
    """A bet on a void round did not get exactly its stake back.

    What it checks: bets on rounds of kind void, whatever became of them.
    Why it matters: a void round counts as not dealt; every stake goes back, no more, no less.
    Not flagged: bets that got exactly their stake. A log that records winnings alone does not
    tell whether a stake went back: the check is then not applied to bets without winnings.
    Example: a void round, a bet of 100 on Tie paid 0: short by 100.
    """
    return Breach(
        scope=pl.col("standing") == "void",
        needs=("stake_back",),
        breaks=pl.col("paid") != pl.col("stake"),
        basis=("error_not_put_right",),
        expected=to_text(pl.col("stake")),
        recorded=to_text(pl.col("paid")),
        amount=pl.col("paid") - pl.col("stake"),
    )


@check("A1002", "10", "notice")
def void_without_error() -> Breach:
    """A void round whose cards as recorded show no error.

    What it checks: whether the cards of a void round break the order of dealing, the limit of
    three cards or the rules of art. 9.
    Why it matters: only an error that cannot be put right makes a round void; a round made
    void without one may have been made void for its result.
    Not flagged: rounds whose cards show an error. A hand cut short where a lawful deal could
    still have gone on shows none. Without any card recorded the check is not applied.
    Example: a void round with Player 9 K and Banker 2 7, both standing: nothing was wrong.
    """
    player, banker = (pl.col(f"{hand}_n").cast(pl.Int64) for hand in ("player", "banker"))
    initial = pl.col("complete")
    alternating = (player == banker) | (player == banker + 1)
    player_wrong = pl.col("player_drew") & ~pl.col("player_must_draw")
    banker_early = pl.col("banker_drew") & pl.col("player_must_draw") & ~pl.col("player_drew")
    banker_wrong = pl.col("banker_drew") & ~pl.col("banker_must_draw")
    third = player_wrong | banker_early | banker_wrong
    early = (player > 2) | (banker > 2) | ~alternating
    error = pl.col("overfull") | pl.col("hole") | pl.when(initial).then(third).otherwise(early)
    return Breach(
        scope=VOID,
        needs=("any_card",),
        breaks=~error,
        basis=("error_not_put_right",),
        expected=pl.lit("error"),
        recorded=pl.lit("none"),
    )


CHECKS = (void_stake_not_returned, void_without_error)
