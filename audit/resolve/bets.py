"""Bets: joined to their round, with their standing and what was due.

``standing`` says how far a bet can be judged, first that applies: ``orphan`` (its round is not
in the log), ``round_rejected``, ``bad_stake``, ``no_rules`` (before the first rule set),
``not_offered``, ``demo``, ``void``, ``unjudged`` (cards or outcome not known), ``handpay``,
``cancelled``, ``carried``, ``jackpot``, and then for a settled bet ``won``, ``lost``,
``returned``.

What was due comes from ``audit.resolve.dues``.
"""

from __future__ import annotations

import polars as pl

from audit.resolve import words
from audit.resolve.dues import add_dues
from audit.resolve.facts import condition
from audit.resolve.options import Options
from audit.resolve.rounds import KEY
from audit.resolve.rules import Rules

ROUND_COLUMNS = [
    "rs", "ruleset", "kind", "started_at", "complete", "outcome_only", "winner", "scheme",
    "scheme_recorded", "by_player_total", "by_banker_total", "by_player_pair", "by_banker_pair",
    "player_n", "banker_n", "player_natural", "banker_natural",
]  # fmt: skip

_FACTS_DROPPED = [
    "rejected", "returns", "outcome_only", "scheme_recorded", "by_player_total",
    "by_banker_total", "by_player_pair", "by_banker_pair", "player_n", "banker_n",
    "player_natural", "banker_natural",
]  # fmt: skip
_RAW_COLUMNS = [
    "bet", "currency", "stake", "paid", "commission_taken", "disposition", "source",
]  # fmt: skip
_ROWS_AT_ONCE = 500_000


def resolve_bets(
    bets: pl.DataFrame,
    rounds: pl.DataFrame,
    rejected_rounds: pl.DataFrame,
    rules: Rules,
    options: Options,
) -> pl.DataFrame:
    """Bets in the order of their rounds, those without a round last.

    ``rejected_rounds`` holds the keys of rows that could not be read: a bet on one of them is
    no orphan.
    """
    facts = rounds.select(ROUND_COLUMNS)
    rejected = rejected_rounds.select(KEY).unique().with_columns(pl.lit(True).alias("rejected"))
    place = (
        bets.select(KEY)
        .join(rounds.select(*KEY, "rid"), on=KEY, how="left", maintain_order="left")
        .join(rejected, on=KEY, how="left", maintain_order="left")
        .select("rid", "rejected")
        .with_row_index("bet_row")
        .sort("rid", nulls_last=True, maintain_order=True)
    )
    # Row by row from here on, so that a part at a time is enough, and spares memory.
    parts = [
        _judged(bets[part["bet_row"]].hstack(part).hstack(_gathered(facts, part)), rules, options)
        for part in place.iter_slices(_ROWS_AT_ONCE)
    ]
    return (
        pl.concat(parts)
        if parts
        else _judged(bets.hstack(place).hstack(_gathered(facts, place)), rules, options)
    )


def judge_again(
    bets: pl.DataFrame, rounds: pl.DataFrame, rules: Rules, options: Options
) -> pl.DataFrame:
    """Resolved ``bets`` judged anew, as if their rounds had been as ``rounds`` says."""
    facts = rounds.select("rid", *ROUND_COLUMNS)
    raw = bets.select(*_RAW_COLUMNS, "bet_row", "rid", pl.lit(None, pl.Boolean).alias("rejected"))
    return _judged(raw.join(facts, on="rid", how="left", maintain_order="left"), rules, options)


def _gathered(facts: pl.DataFrame, place: pl.DataFrame) -> pl.DataFrame:
    """The facts of each bet's round, null where it has none."""
    return facts.select(pl.all().gather(place["rid"]))


def _judged(bets: pl.DataFrame, rules: Rules, options: Options) -> pl.DataFrame:
    frame = bets.with_columns(
        _rule_index(rules).alias("rule"),
        pl.col("disposition").cast(words.DISPOSITION),
        pl.col("source", "currency", "bet").cast(pl.Categorical),
    )
    frame = frame.with_columns(*_settled(rules))
    frame = frame.with_columns(_standing(rules).cast(words.STANDING).alias("standing"))
    return add_dues(frame, rules, options).drop(_FACTS_DROPPED)


def _rule_index(rules: Rules) -> pl.Expr:
    """Which of the distinct bet rules governs the row; null where the bet is not offered."""
    index = pl.lit(None, pl.UInt32)
    for i, (bet, where) in enumerate(rules.bet_rules):
        here = (pl.col("bet") == bet.id) & pl.col("rs").is_in(where)
        index = pl.when(here).then(pl.lit(i, pl.UInt32)).otherwise(index)
    return index


def _settled(rules: Rules) -> list[pl.Expr]:
    """Whether the hand wins the bet (arts. 11, 13) or gives it back (art. 12)."""
    wins, returns = pl.lit(None, pl.Boolean), pl.lit(None, pl.Boolean)
    for i, (bet, _) in enumerate(rules.bet_rules):
        here = pl.col("rule") == i
        if bet.kind == "fixed":
            wins = pl.when(here).then(condition(bet.wins)).otherwise(wins)
        if bet.pushes:
            returns = pl.when(here).then(condition(bet.pushes)).otherwise(returns)
    return [wins.alias("wins"), returns.fill_null(False).alias("returns")]


def _standing(rules: Rules) -> pl.Expr:
    jackpot = [i for i, (bet, _) in enumerate(rules.bet_rules) if bet.kind == "jackpot"]
    return (
        pl.when(pl.col("rid").is_null() & pl.col("rejected").is_null()).then(pl.lit("orphan"))
        .when(pl.col("stake") <= 0).then(pl.lit("bad_stake"))
        .when(pl.col("rid").is_null()).then(pl.lit("round_rejected"))
        .when(pl.col("rs").is_null()).then(pl.lit("no_rules"))
        .when(pl.col("rule").is_null()).then(pl.lit("not_offered"))
        .when(pl.col("kind") == "demo").then(pl.lit("demo"))
        .when(pl.col("kind") == "void").then(pl.lit("void"))
        .when(~pl.col("complete") & ~pl.col("outcome_only")).then(pl.lit("unjudged"))
        .when(pl.col("disposition").is_in(["handpay", "cancelled", "carried"]))
        .then(pl.col("disposition"))
        .when(pl.col("rule").is_in(jackpot) & pl.col("complete")).then(pl.lit("jackpot"))
        .when(pl.col("returns")).then(pl.lit("returned"))
        .when(pl.col("wins")).then(pl.lit("won"))
        .when(~pl.col("wins")).then(pl.lit("lost"))
        .otherwise(pl.lit("unjudged"))
    )  # fmt: skip
