"""Art. 18: commission, and the option to take none."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check
from audit.money import to_text

BANKER_WON = (pl.col("standing") == "won") & pl.col("scheme_matters")
WITH = pl.col("scheme") == "commission"
WITHOUT = pl.col("scheme") == "no_commission"
PAID, DUE = pl.col("paid"), pl.col("due")


def _named(slip: str, scope: pl.Expr, article: str) -> Breach:
    return Breach(
        scope=BANKER_WON & (scope | pl.col("scheme").is_null()),
        needs=("scheme", "due"),
        breaks=(pl.col("slip") == slip).fill_null(False),
        basis=pl.col("basis"),
        article=pl.lit(article),
        expected=to_text(DUE),
        recorded=to_text(PAID),
        amount=PAID - DUE,
        evidence={"d": to_text((PAID - DUE).abs())},
    )


@check("A1801", "18(1)", "violation", over="bets")
def commission_not_taken() -> Breach:
    """Scheme with commission: a won Banker bet was paid without taking it.

    What it checks: won Banker bets paid exactly twice the stake under the scheme commission.
    Why it matters: five per cent of the winnings belong to the house.
    Not flagged: bets whose row records exactly the due commission as taken apart.
    Example: Banker won, stake 100, paid 200: due were 195.
    """
    return _named("not_taken", WITH, "18(1)")


@check("A1802", "18(2)", "violation", over="bets")
def six_not_halved() -> Breach:
    """Scheme without commission: a Banker win with six was paid in full.

    What it checks: Banker bets won with 6 points and paid exactly twice the stake under the
    scheme no_commission.
    Why it matters: without commission a Banker win with six pays half the stake.
    Not flagged: bets whose row records half the stake as taken apart.
    Example: Banker won 6 to 4, stake 100, paid 200: due were 150.
    """
    return _named("not_halved", WITHOUT & pl.col("halved"), "18(2)")


@check("A1803", "18(2)", "violation", over="bets")
def commission_taken_all_the_same() -> Breach:
    """Scheme without commission: commission was taken all the same.

    What it checks: Banker bets won, not with 6, and paid exactly 1.95 times the stake under
    the scheme no_commission.
    Why it matters: the option gives up the commission; the bettor was short-changed.
    Not flagged: wins with 6, which are judged by A1802 and art. 17.
    Example: Banker won 8 to 4, stake 100, paid 195: due were 200.
    """
    return _named("taken_all_the_same", WITHOUT & ~pl.col("halved"), "18(2)")


@check("A1804", "18(2)", "violation", tables=("bets",))
def scheme_not_available() -> Breach:
    """The scheme without commission under a rule set that has none.

    What it checks: rounds of play with a Banker bet whose recorded scheme is no_commission,
    dealt before the version that brought that option.
    Why it matters: before it every Banker win owed five per cent.
    Not flagged: rounds without a Banker bet. The bets are judged by the scheme recorded.
    Example: a round of 2005-11-28 is recorded as no_commission: the option began next day.
    """
    return Breach(
        scope=(pl.col("kind") == "play") & (pl.col("banker_bets") > 0),
        needs=("scheme_recorded",),
        breaks=(pl.col("scheme_recorded") == "no_commission") & ~pl.col("has_no_commission"),
        basis=("scheme.commission",),
        expected=pl.lit("commission"),
        recorded=pl.lit("no_commission"),
    )


@check("A1805", "18", "violation", over="bets")
def wrong_commission_recorded() -> Breach:
    """The commission recorded as taken differs from what is due.

    What it checks: commission_taken of every judged bet on a round of play whose scheme is
    known: 5 % of the stake on a won Banker bet under commission, nothing on any other.
    Why it matters: the commission is the house's income; a wrong record hides what was kept.
    Not flagged: half the stake on a Banker win with six under no_commission; an amount that
    agrees with the payment and is only rounded to whole units (A1806).
    Example: Banker won, stake 100, commission taken 4: due were 5.
    """
    taken = pl.col("commission_taken")
    # A prize paid elsewhere is not judged, but the commission on it is due all the same.
    won = pl.col("wins").fill_null(False) & pl.col("scheme_matters")
    won = won & pl.col("disposition").is_in(["settled", "handpay"])
    owed = pl.when(won & WITH).then(pl.col("commission_due")).otherwise(0)
    # Half the stake kept, or what a configured rounding leaves of it.
    kept = pl.col("gross") - pl.col("due_without")
    half = won & WITHOUT & pl.col("halved") & ((taken * 2 == pl.col("stake")) | (taken == kept))
    agreed = (pl.col("slip") == "whole_units") & (taken + PAID == pl.col("gross"))
    return Breach(
        scope=(pl.col("kind") == "play")
        & pl.col("complete")
        & ~pl.col("standing").is_in(["orphan", "bad_stake", "not_offered"]),
        needs=("scheme", "commission_taken"),
        breaks=(taken != owed) & ~half.fill_null(False) & ~agreed.fill_null(False),
        basis=("scheme.commission",),
        expected=to_text(owed),
        recorded=to_text(taken),
        evidence={"bet": pl.col("bet")},
    )


@check("A1806", "18", "notice", over="bets")
def commission_in_whole_units() -> Breach:
    """Commission kept, or half paid, in whole units instead of the exact amount.

    What it checks: won Banker bets whose commission kept is not exact but one of the two whole
    units beside the exact amount, or between them; likewise half the stake on a win with six.
    Why it matters: tables round to the smallest chip; the article knows no rounding.
    Not flagged: any bet where a rounding was configured, which makes the due exact instead.
    Example: stake 50, commission due 2.50, kept 3: noted.
    """
    return _named("whole_units", pl.lit(True), "18")


CHECKS = (
    commission_not_taken,
    six_not_halved,
    commission_taken_all_the_same,
    scheme_not_available,
    wrong_commission_recorded,
    commission_in_whole_units,
)
