"""Art. 13: the bets on offer, and pairs."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check


@check("A1301", "13", "violation", over="bets")
def bet_not_offered() -> Breach:
    """A bet that the rule set in force does not offer.

    What it checks: the kind of each bet against the bets of the rule set of its round.
    Why it matters: only the bets that the article lists may be taken; what another bet pays is
    nobody's rule, so its payout is then not judged.
    Not flagged: bets whose stake is zero or negative (L10 goes first). A pair or jackpot bet
    without another bet of the same holder is flagged only where that reading is pinned.
    Example: a bet on lucky_6 in 2007: no version of that year has it.
    """
    return Breach(
        scope=~pl.col("standing").is_in(["orphan", "bad_stake", "round_rejected"]),
        breaks=pl.col("standing") == "not_offered",
        basis=pl.when(pl.col("bet") == "jackpot")
        .then(pl.lit("inferred"))
        .otherwise(pl.lit("stated")),
        expected=pl.lit("offered_bet"),
        recorded=pl.col("bet"),
        variant=pl.when(pl.col("alone").fill_null(False))
        .then(pl.lit("alone"))
        .otherwise(pl.lit("")),
        evidence={"bet": pl.col("bet")},
    )


def _pair(hand: str) -> Breach:
    recorded, by_cards = pl.col(f"{hand}_pair"), pl.col(f"by_{hand}_pair")
    return Breach(
        scope=pl.col("complete"),
        needs=(f"{hand}_pair", f"by_{hand}_pair"),
        breaks=recorded != by_cards,
        basis=(f"bet.{hand}_pair",),
        subject=pl.lit(hand),
        expected=by_cards.cast(pl.String),
        recorded=recorded.cast(pl.String),
        variant=pl.concat_str(
            pl.lit(f"{hand}_"),
            pl.when(by_cards).then(pl.lit("missed")).otherwise(pl.lit("invented")),
        ),
    )


@check("A1302", "13(1)(4)(1)", "violation", record_only=True)
def wrong_pair_flag() -> tuple[Breach, Breach]:
    """The recorded Player or Banker pair differs from the cards.

    What it checks: each pair flag of the log against the first two cards of that hand; one
    finding for each wrong flag.
    Why it matters: pair bets are settled by it.
    Not flagged: flags that are not recorded; hands whose ranks are not known. A pair is two
    cards of one rank, whatever their suit: J J is one, J Q is none. It is only a warning where
    the round has bets and all of them were settled by the cards.
    Example: Banker holds J Q and the log records a Banker pair: there was none.
    """
    return _pair("player"), _pair("banker")


CHECKS = (bet_not_offered, wrong_pair_flag)
