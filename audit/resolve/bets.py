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

from audit.resolve.dues import add_dues
from audit.resolve.facts import condition
from audit.resolve.options import Options
from audit.resolve.rounds import KEY
from audit.resolve.rules import Rules

ROUND_COLUMNS = [
    "rid", "rs", "ruleset", "kind", "started_at", "complete", "outcome_only", "winner", "scheme",
    "scheme_recorded", "by_player_total", "by_banker_total", "by_player_pair", "by_banker_pair",
    "player_n", "banker_n", "player_natural", "banker_natural",
]  # fmt: skip


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
    facts = rounds.select(*KEY, *ROUND_COLUMNS)
    frame = (
        bets.with_row_index("bet_order")
        .join(facts, on=KEY, how="left", maintain_order="left")
        .join(
            rejected_rounds.select(*KEY).unique().with_columns(pl.lit(True).alias("rejected")),
            on=KEY, how="left", maintain_order="left",
        )
        .sort("rid", "bet_order", nulls_last=True)
    )  # fmt: skip
    frame = frame.with_columns(_rule_index(rules).alias("rule"))
    frame = frame.with_columns(_standing(rules).alias("standing"))
    return add_dues(frame, rules, options).drop("rejected")


def _rule_index(rules: Rules) -> pl.Expr:
    """Which of the distinct bet rules governs the row; null where the bet is not offered."""
    index = pl.lit(None, pl.UInt32)
    for i, (bet, where) in enumerate(rules.bet_rules):
        here = (pl.col("bet") == bet.id) & pl.col("rs").is_in(where)
        index = pl.when(here).then(pl.lit(i, pl.UInt32)).otherwise(index)
    return index


def _standing(rules: Rules) -> pl.Expr:
    wins, returns = pl.lit(None, pl.Boolean), pl.lit(None, pl.Boolean)
    jackpot = []
    for i, (bet, _) in enumerate(rules.bet_rules):
        here = pl.col("rule") == i
        if bet.kind == "jackpot":
            jackpot.append(i)
            continue
        wins = pl.when(here).then(condition(bet.wins)).otherwise(wins)
        if bet.pushes:
            returns = pl.when(here).then(condition(bet.pushes)).otherwise(returns)
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
        .when(pl.col("rule").is_in(jackpot)).then(pl.lit("jackpot"))
        .when(returns.fill_null(False)).then(pl.lit("returned"))
        .when(wins).then(pl.lit("won"))
        .when(~wins).then(pl.lit("lost"))
        .otherwise(pl.lit("unjudged"))
    )  # fmt: skip
