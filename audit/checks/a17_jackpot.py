"""Arts. 13(1)(4)(2) and 17(4)-(7): the progressive jackpot."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check
from audit.money import to_text

JUDGED = pl.col("standing") == "jackpot"
KNOWN = pl.col("jackpot_known").is_not_null()
"""Whether the ranks and suits recorded tell which combination was dealt."""

PAID, DUE = pl.col("paid"), pl.col("jackpot_due")


def _prize(wrong: str, article: str, scope: pl.Expr | None = None, *, money: bool = True) -> Breach:
    return Breach(
        scope=JUDGED if scope is None else JUDGED & (scope | ~KNOWN),
        needs=("jackpot_known",),
        breaks=(pl.col("jackpot") == wrong).fill_null(False),
        basis=("payout.jackpot",),
        article=pl.lit(article),
        expected=to_text(DUE) if money else pl.lit("approval"),
        recorded=to_text(PAID),
        amount=PAID - DUE if money else None,
        evidence={"combination": pl.col("combination"), "d": to_text(PAID)},
    )


DEALT = pl.col("combination").is_not_null()


@check("A1711", "17(4)-(6)", "violation", over="bets")
def jackpot_unpaid() -> Breach:
    """A jackpot combination was dealt and the bet got nothing.

    What it checks: settled jackpot bets of rounds whose dealt cards make one of the six
    combinations.
    Why it matters: every jackpot bet of such a round has a prize to get.
    Not flagged: prizes paid elsewhere by hand; a person paid in one sum for several bets.
    Example: Player holds two queens, the jackpot bet was paid 0: the single pair was due.
    """
    return _prize("unpaid", "17", DEALT)


@check("A1712", "13(1)(4)(2)", "violation", over="bets")
def jackpot_not_dealt() -> Breach:
    """A jackpot prize was paid and no combination was dealt.

    What it checks: settled jackpot bets of rounds whose dealt cards make none of the six.
    Why it matters: money left the pool or the house without a win.
    Not flagged: prizes paid elsewhere by hand.
    Example: no pair and no run, and 1000 was paid on the jackpot bet.
    """
    return _prize("not_dealt", "13(1)(4)(2)", ~DEALT)


@check("A1713", "17(6)", "violation", over="bets", tables=("jackpot_prizes",))
def wrong_fixed_prize() -> Breach:
    """A fixed jackpot prize differs from the approved amount in force.

    What it checks: prizes for four of a kind, two pairs, three of a kind and a single pair
    against the amounts in force on that day, under every open reading.
    Why it matters: the concessionaire sets the amounts once and pays them alike to everybody.
    Not flagged: an amount that any open reading makes right; prizes not approved (A1715).
    Example: the amount for a single pair is 66, and 60 was paid.
    """
    return _prize("fixed", "17(6)", DEALT)


@check("A1714", "17(4)", "violation", over="bets")
def wrong_share() -> Breach:
    """A share of the jackpot differs from the rule.

    What it checks: the royal's share of the whole pool, the paradise straight's share of the
    higher of its fixed amount and a tenth of the pool, under every open reading.
    Why it matters: the pool belongs to the winners of the round in equal shares.
    Not flagged: a remainder of the division below one cent; rounds without a recorded pool.
    Example: a pool of 90000, two winners, and one was paid 40000: due were 45000.
    """
    return _prize("share", "17(4), 17(5)", DEALT)


@check("A1715", "17(7)", "violation", over="bets", tables=("jackpot_prizes",))
def prize_not_approved() -> Breach:
    """A fixed jackpot prize was paid whose amount was not approved beforehand.

    What it checks: the approval date of the amount in force, against the date of the round.
    Why it matters: the fixed amounts need DICJ's approval before they are paid.
    Not flagged: amounts approved on the round's own date; the royal, which has no fixed amount.
    Example: the amount was approved on 2007-07-10 and paid on 2007-07-08.
    """
    return _prize("unapproved", "17(7)", DEALT, money=False)


CHECKS = (
    jackpot_unpaid,
    jackpot_not_dealt,
    wrong_fixed_prize,
    wrong_share,
    prize_not_approved,
)
