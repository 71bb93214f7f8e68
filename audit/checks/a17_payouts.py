"""Art. 17: what won and lost bets get."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check
from audit.money import to_text

WON = pl.col("standing") == "won"
PAID, DUE = pl.col("paid"), pl.col("due")
OPEN = pl.col("due_other").is_not_null()
NAMED = pl.col("slip").is_not_null()
"""A payment error that art. 18 names by itself."""
GREATEST = pl.col("due_other").fill_null(DUE)


def _payment(scope: pl.Expr, breaks: pl.Expr) -> Breach:
    return Breach(
        scope=scope,
        needs=("due",),
        breaks=breaks,
        basis=pl.col("basis"),
        article=pl.when(pl.col("standing") == "cancelled")
        .then(pl.lit("17"))
        .otherwise(pl.col("pay_article")),
        expected=pl.when(OPEN)
        .then(pl.concat_str(to_text(DUE), pl.lit(" | "), to_text(GREATEST)))
        .otherwise(to_text(DUE)),
        recorded=to_text(PAID),
        amount=pl.when(~OPEN).then(PAID - DUE),
        variant=pl.when(OPEN).then(pl.lit("open")).otherwise(pl.lit("")),
        evidence={"bet": pl.col("bet"), "d": to_text((PAID - DUE).abs())},
    )


CANCELLED = pl.col("standing") == "cancelled"


def _of_cancelled(breaks: pl.Expr) -> pl.expr.whenthen.Then:
    """Of a cancelled bet, null where the log does not tell whether its stake went back."""
    return pl.when(CANCELLED).then(breaks & pl.col("stake_back"))


@check("A1701", "17", "violation", over="bets")
def won_bet_underpaid() -> Breach:
    """A won bet got less than due, but more than nothing.

    What it checks: won bets against stake and winnings at the odds of the rule set, less the
    commission of the scheme in use; bets cancelled before the deal against their stake.
    Why it matters: the bettor was short-changed.
    Not flagged: a commission kept in whole units (A1806), and the errors that art. 18 names.
    Where the scheme is unknown, either scheme's amount is right.
    Example: Tie won, stake 100, paid 800: due were 900.
    """
    short = (PAID > 0) & (PAID < DUE) & ~pl.col("as_due") & ~NAMED
    return _payment(WON | CANCELLED, _of_cancelled(PAID < DUE).otherwise(short))


@check("A1702", "17", "violation", over="bets")
def won_bet_overpaid() -> Breach:
    """A won bet got more than due.

    What it checks: won bets against stake and winnings at the odds of the rule set, less the
    commission of the scheme in use; bets cancelled before the deal against their stake.
    Why it matters: money left the house that the rules did not award.
    Not flagged: a commission kept in whole units (A1806), and the errors that art. 18 names.
    Example: Player pair won, stake 100, paid 1300: due were 1200.
    """
    over = (PAID > DUE) & ~pl.col("as_due") & ~NAMED
    return _payment(WON | CANCELLED, _of_cancelled(PAID > DUE).otherwise(over))


@check("A1703", "17", "violation", over="bets")
def won_bet_unpaid() -> Breach:
    """A won bet got nothing.

    What it checks: won bets whose payment is zero.
    Why it matters: the bettor lost stake and winnings of a bet that had won.
    Not flagged: prizes paid by hand elsewhere, carried bets, bets of unjudged rounds.
    Example: Player won, stake 100 on Player, paid 0: due were 200.
    """
    return _payment(WON, (PAID == 0) & (DUE > 0))


@check("A1704", "17", "violation", over="bets")
def lost_bet_paid() -> Breach:
    """A lost bet got something back.

    What it checks: lost bets whose payment is not zero.
    Why it matters: money left the house without a win.
    Not flagged: bets of void rounds, cancelled bets, Player and Banker bets on a tie.
    Example: Banker won, stake 100 on Player, paid 100: nothing was due.
    """
    return _payment(pl.col("standing") == "lost", PAID > 0)


CHECKS = (won_bet_underpaid, won_bet_overpaid, won_bet_unpaid, lost_bet_paid)
