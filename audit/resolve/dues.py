"""What each bet was due, exact, in millionths (arts. 10, 12, 17 and 18).

Columns: ``due`` (null where it is not judged or open), ``due_other`` the second amount that an
unknown commission scheme allows, ``gross`` the stake and the winnings before any commission,
``commission_due`` the commission within ``due``, ``halved`` where a scheme's own odds apply (a
Banker win with six under art. 18(2)), ``due_without`` what is then due, ``as_due``,
``slip`` (how the commission went wrong: ``not_taken``, ``not_halved``, ``taken_all_the_same``,
``whole_units``),
``pay_article`` and ``basis``, the weakest status of the rules applied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

import polars as pl

from audit.errors import RulebookError
from audit.money import UNIT, WIDE, rate
from audit.resolve import words
from audit.resolve.facts import condition
from audit.resolve.options import Options, Rounding
from audit.resolve.rules import Rules, gather
from audit.rulebook import BetRule, Pay, RuleSet, Scheme, weakest

WITH, WITHOUT = "commission", "no_commission"
"""The two schemes of art. 18."""


ODDS = ["odds", "rate", "scheme_odds", "scheme_matters", "basis", "pay_article"]


def odds(rules: Rules) -> list[pl.Expr]:
    """``ODDS``, which hang on the bet's rule and the hand, and not on money."""
    bases = [_bet_basis(bet) for bet, _ in rules.bet_rules]
    articles = [_pay_article(bet) for bet, _ in rules.bet_rules]
    return [
        _by_rule(rules, lambda bet, _: _odds(bet.pays)).alias("odds"),
        _scheme_rate(rules).alias("rate"),
        _by_rule(rules, lambda bet, sets: _own_odds(bet, sets, rules)).alias("scheme_odds"),
        _by_rule(rules, lambda bet, _: pl.lit(_both_schemes(bet, rules)), pl.Boolean)
        .fill_null(False)
        .alias("scheme_matters"),
        gather(bases, pl.col("rule"), words.MARK).alias("basis"),
        gather(articles, pl.col("rule"), pl.Categorical).alias("pay_article"),
    ]  # fmt: skip


def add_dues(bets: pl.DataFrame, options: Options) -> pl.DataFrame:
    """``bets``, with ``ODDS``, with the columns above."""
    money = _money_type(bets)
    stake = pl.col("stake").cast(money)
    winnings = stake * pl.col("odds") // 100
    frame = bets.lazy().with_columns(
        (stake + winnings).alias("gross"),
        (winnings * pl.col("rate") // 100).alias("exact_commission"),
        # A rounding takes no more than there is.
        pl.min_horizontal(winnings, _rounded(winnings * pl.col("rate") // 100, options.rounding))
        .alias("commission_due"),
        _rounded(stake * pl.col("scheme_odds") // 100, options.rounding)
        .alias("half"),
        (pl.col("scheme_odds") != pl.col("odds")).alias("halved"),
    )  # fmt: skip
    frame = frame.with_columns(
        (pl.col("gross") - pl.col("commission_due")).alias("due_with"),
        pl.when(pl.col("halved"))
        .then(pl.col("stake") + pl.col("half"))
        .when(~pl.col("halved"))  # null where the points are not known: the due is open
        .then(pl.col("gross"))
        .alias("due_without"),
    )
    frame = frame.with_columns(_due(money), _due_other())
    return (
        frame.with_columns(_as_due())
        .with_columns(_slip(options))
        .drop("odds", "scheme_odds", "rate", "due_with", "exact_commission", "half")
        .collect(engine="in-memory")  # the other engine leaves columns in pieces
    )


def _money_type(bets: pl.DataFrame) -> pl.DataType:
    """Int64 where all that is multiplied here fits it, which is twice as fast; else ``WIDE``."""
    stake, *rates = bets.select(
        pl.col("stake").abs().max(), pl.max("odds"), pl.max("scheme_odds")
    ).row(0)
    hundredths = max((each for each in rates if each is not None), default=0) + 100
    return pl.Int64() if (stake or 0) * hundredths < 2**62 else WIDE()


def _by_rule(
    rules: Rules,
    of: Callable[[BetRule, Sequence[RuleSet]], pl.Expr],
    dtype: type[pl.DataType] = pl.Int64,
) -> pl.Expr:
    """An expression for each distinct bet rule, chosen by the row's ``rule``."""
    chosen = pl.lit(None, dtype)
    for i, (bet, where) in enumerate(rules.bet_rules):
        if bet.kind == "fixed":
            sets = [rules.sets[rs] for rs in where]
            chosen = pl.when(pl.col("rule") == i).then(of(bet, sets)).otherwise(chosen)
    return chosen


def _odds(pays: Sequence[Pay], base: pl.Expr | None = None) -> pl.Expr:
    """Odds in hundredths of the first payment whose condition holds; null where unknown."""
    odds = pl.lit(None, pl.Int64) if base is None else base
    for pay in reversed(pays):
        holds = condition(pay.when)
        amount = pl.lit(rate(pay.odds), pl.Int64)
        odds = pl.when(holds).then(amount).when(holds.is_null()).then(None).otherwise(odds)
    return odds


def _scheme(sets: Sequence[RuleSet], bet: BetRule, scheme: str) -> Scheme | None:
    for each in sets:
        found = each.schemes.get(scheme)
        if found is not None and found.bet == bet.id:
            return found
    return None


def _scheme_rate(rules: Rules) -> pl.Expr:
    """Commission in hundredths of the winnings under the scheme that takes one, 0 for others."""

    def of(bet: BetRule, _: Sequence[RuleSet]) -> pl.Expr:
        scheme = _scheme(rules.book.sets, bet, WITH)
        if scheme is None:
            return pl.lit(0, pl.Int64)
        for pay in bet.pays:
            _must_be_exact(bet, pay.odds * scheme.rate)
        return pl.lit(rate(scheme.rate), pl.Int64)

    return _by_rule(rules, of)


def _must_be_exact(bet: BetRule, product: Decimal) -> None:
    if product * 100 != (product * 100).to_integral_value():
        raise RulebookError(
            f"the odds of bet {bet.id!r} times its commission have more than two decimals",
            hint="Choose odds and a commission whose product has at most two decimals",
        )


def _own_odds(bet: BetRule, sets: Sequence[RuleSet], rules: Rules) -> pl.Expr:
    """Odds of a bet under the scheme without commission: its own overrides, then the bet's.

    A rule set that has no such scheme borrows it from the first that does: a bet recorded under
    it is judged by the scheme recorded, and the scheme itself is a finding of its own (A1804).
    """
    scheme = _scheme((*sets, *rules.book.sets), bet, WITHOUT)
    return _odds(scheme.pays if scheme else (), _odds(bet.pays))


def _both_schemes(bet: BetRule, rules: Rules) -> bool:
    return all(_scheme(rules.book.sets, bet, scheme) for scheme in (WITH, WITHOUT))


def _bet_basis(bet: BetRule) -> str:
    return weakest(bet.status, bet.payout_status, *(pay.status for pay in bet.pays))


def _pay_article(bet: BetRule) -> str:
    return bet.pays[0].article if bet.pays else bet.article


def _rounded(exact: pl.Expr, rounding: Rounding | None) -> pl.Expr:
    """``exact`` to the step of the casino's configured rounding, half a step going up."""
    if rounding is None:
        return exact
    shift = {"up": rounding.step - 1, "down": 0, "nearest": rounding.step // 2}[rounding.mode]
    return (exact + shift) // rounding.step * rounding.step


def _due(money: pl.DataType) -> pl.Expr:
    standing, scheme = pl.col("standing"), pl.col("scheme")
    won = (
        pl.when(~pl.col("scheme_matters"))
        .then(pl.col("gross"))
        .when(scheme == WITH)
        .then(pl.col("due_with"))
        .when(scheme == WITHOUT)
        .then(pl.col("due_without"))
        # Unknown: open, unless both amounts can be told; the smaller one comes first.
        .when(pl.col("due_without").is_not_null())
        .then(pl.min_horizontal("due_with", "due_without"))
    )
    return (
        pl.when(standing == "won")
        .then(won)
        .when(standing == "lost")
        .then(pl.lit(0, money))
        .when(standing.is_in(["returned", "void", "cancelled"]))
        .then(pl.col("stake").cast(money))
        .alias("due")
    )


def _due_other() -> pl.Expr:
    unknown = (pl.col("standing") == "won") & pl.col("scheme_matters") & pl.col("scheme").is_null()
    other = pl.max_horizontal("due_with", "due_without")
    return pl.when(unknown & pl.col("due_without").is_not_null()).then(other).alias("due_other")


def _as_due() -> pl.Expr:
    """Paid as due, or before a commission that was recorded apart and is exactly right."""
    won = pl.col("standing") == "won"
    paid, net = pl.col("paid"), pl.col("paid") - pl.col("commission_taken")
    agreed = (net == pl.col("due")) | (net == pl.col("due_other")).fill_null(False)
    apart = pl.col("scheme_matters") & (paid == pl.col("gross")) & agreed
    exact = (paid == pl.col("due")) | (paid == pl.col("due_other")).fill_null(False)
    return (exact | (won & apart.fill_null(False))).alias("as_due")


def _slip(options: Options) -> pl.Expr:
    """How the commission went wrong, where art. 18 names the way; null elsewhere."""
    paid, gross = pl.col("paid"), pl.col("gross")
    with_scheme, without = pl.col("scheme") == WITH, pl.col("scheme") == WITHOUT
    won = (pl.col("standing") == "won") & pl.col("scheme_matters")
    amount = (
        pl.when(with_scheme)
        .then(gross - paid)
        .when(without & pl.col("halved"))
        .then(paid - pl.col("stake"))
    )
    exact = pl.when(with_scheme).then(pl.col("commission_due")).otherwise("half")
    below, above = exact // UNIT * UNIT, (exact + (UNIT - 1)) // UNIT * UNIT
    beside = (amount >= below) & (amount <= above)
    units = beside & pl.lit(options.rounding is None)
    return (
        pl.when(~won | pl.col("as_due") | (paid == 0))
        .then(None)
        .when(with_scheme & (paid == gross))
        .then(pl.lit("not_taken"))
        .when(without & pl.col("halved") & (paid == gross))
        .then(pl.lit("not_halved"))
        .when(without & ~pl.col("halved") & (gross - paid == pl.col("exact_commission")))
        .then(pl.lit("taken_all_the_same"))
        .when(units)
        .then(pl.lit("whole_units"))
        .cast(words.SLIP)
        .alias("slip")
    )
