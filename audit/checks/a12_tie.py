"""Art. 12: on a tie a Player or Banker bet never loses; it goes back, or stands."""

from __future__ import annotations

import polars as pl

from audit.checks.a09_draws import DEALT
from audit.checks.base import Breach, check
from audit.money import to_text

RETURNED = pl.col("standing") == "returned"
OVER_STAKE = pl.col("paid") - pl.col("stake")


@check("A1201", "12", "violation", record_only=True)
def tie_misrecorded() -> Breach:
    """The recorded outcome or the outcome by the cards, but not both, is a tie.

    What it checks: ties in the log against ties by the cards.
    Why it matters: a tie returns Player and Banker bets and pays the Tie bet; a tie that is
    missed or invented settles every bet of the round wrongly.
    Not flagged: void rounds and rounds without a recorded outcome. It is only a warning where
    the round has bets and all of them were settled by the cards.
    Example: Player 6, Banker 6, the log says Banker: it was a tie.
    """
    recorded, by_cards = pl.col("outcome"), pl.col("by_outcome")
    return Breach(
        scope=DEALT,
        needs=("outcome",),
        breaks=(recorded == "tie") != (by_cards == "tie"),
        basis=("tie",),
        expected=by_cards,
        recorded=recorded,
        variant=pl.when(by_cards == "tie").then(pl.lit("missed")).otherwise(pl.lit("invented")),
        evidence={"recorded": recorded, "expected": by_cards},
    )


def _after_tie(breaks: pl.Expr, needs: tuple[str, ...] = ()) -> Breach:
    return Breach(
        scope=RETURNED,
        needs=needs,
        breaks=breaks,
        basis=pl.col("basis"),
        expected=to_text(pl.col("stake")),
        recorded=to_text(pl.col("paid")),
        amount=OVER_STAKE,
        evidence={"bet": pl.col("bet")},
    )


@check("A1202", "12", "violation", over="bets")
def stake_lost_on_tie() -> Breach:
    """A Player or Banker bet on a tie got less than its stake back.

    What it checks: settled Player and Banker bets of a round that is a tie by the cards.
    Why it matters: a tie decides nothing between the two hands; the bet can be taken back,
    kept or changed, but not lost.
    Not flagged: bets carried to the next round (see A1204), cancelled bets, void rounds. A log
    that records winnings alone does not tell a returned stake: the check is then not applied.
    Example: a tie, a bet of 100 on Banker paid 0: short by 100.
    """
    return _after_tie(OVER_STAKE < 0, ("stake_back",))


@check("A1203", "12", "violation", over="bets")
def paid_on_tie() -> Breach:
    """A Player or Banker bet on a tie got more than its stake back.

    What it checks: settled Player and Banker bets of a round that is a tie by the cards.
    Why it matters: neither hand won, so there are no winnings to pay.
    Not flagged: bets that got exactly their stake; carried and cancelled bets.
    Example: a tie, a bet of 100 on Player paid 200: 100 too much.
    """
    return _after_tie(OVER_STAKE > 0)


@check("A1204", "12", "violation", over="bets")
def carried_without_tie() -> Breach:
    """A bet was carried that could not be.

    What it checks: bets marked carried: the round must be a tie, the bet on Player or Banker,
    and less than the whole stake taken back.
    Why it matters: only after a tie may a bet be left standing for the next round.
    Not flagged: a Player or Banker bet left standing, whole or reduced, after a tie.
    Example: Player wins and a Banker bet is marked carried: it had lost.
    """
    tie = pl.col("winner") == "tie"
    side = pl.col("bet").is_in(["player", "banker"])
    return Breach(
        scope=pl.col("standing") == "carried",
        breaks=~tie | ~side | (pl.col("paid") >= pl.col("stake")),
        basis=("tie",),
        expected=pl.lit("settled"),
        recorded=pl.lit("carried"),
        variant=pl.when(~tie)
        .then(pl.lit("no_tie"))
        .when(~side)
        .then(pl.lit("bet"))
        .otherwise(pl.lit("paid")),
        evidence={"bet": pl.col("bet"), "winner": pl.col("winner")},
    )


@check("A1205", "12", "violation", over="bets")
def carried_and_gone() -> Breach:
    """Money left standing after a tie that never comes back.

    What it checks: bets lawfully carried; the same holder (position, else patron) must have a
    Player or Banker bet in the next round of play of the shoe.
    Why it matters: what was not taken back still belongs to the bettor.
    Not flagged: bets without a holder; a carried bet that is the last of its shoe, or after
    which a round is missing from the log; bets with A1204.
    Example: seat 3 leaves 100 on Banker after a tie, and has no bet in the next round.
    """
    left = pl.col("stake") - pl.col("paid")
    lawful = (
        (pl.col("winner") == "tie")
        & pl.col("bet").is_in(["player", "banker"])
        & (pl.col("paid") < pl.col("stake"))
    )
    return Breach(
        scope=(pl.col("standing") == "carried") & lawful,
        needs=("comes_back",),
        breaks=~pl.col("comes_back"),
        basis=("tie_bets",),
        expected=to_text(left),
        recorded=pl.lit("0"),
        evidence={"bet": pl.col("bet"), "d": to_text(left)},
    )


CHECKS = (
    tie_misrecorded,
    stake_lost_on_tie,
    paid_on_tie,
    carried_without_tie,
    carried_and_gone,
)
