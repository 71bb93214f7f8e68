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

from audit.normalise.duplicates import SHOE
from audit.resolve import words
from audit.resolve.dues import ODDS, add_dues, odds
from audit.resolve.facts import condition
from audit.resolve.frames import by_case
from audit.resolve.options import Options
from audit.resolve.places import PLACE, WIDTH
from audit.resolve.rules import Rules

_HAND = [
    "rs", "ruleset", "kind", "complete", "outcome_only", "winner", "scheme",
    "by_player_total", "by_banker_total", "by_player_pair", "by_banker_pair", "player_n",
    "banker_n", "player_natural", "banker_natural",
]  # fmt: skip
"""All that a bet's standing and odds can hang on in its round; there are few different ones."""

_CASE = ["hand", "bet", "disposition", "positive", "rejected"]
"""A hand, and all that standing and odds hang on in the bet itself."""

_CASE_COLUMNS = [
    "rs", "ruleset", "kind", "complete", "winner", "scheme", "rule", "wins",
    "standing", *ODDS,
]  # fmt: skip
_WORDS: dict[str, pl.DataType] = {
    "disposition": words.DISPOSITION,
    **dict.fromkeys((*SHOE, "source", "currency", "position", "bet"), pl.Categorical()),
}
"""Columns of few words, as numbers of one or four bytes."""

_RAW_COLUMNS = ["bet", "currency", "stake", "paid", "commission_taken", "disposition", "rid"]


def resolve_bets(
    bets: pl.DataFrame,
    rounds: pl.DataFrame,
    rejected_rounds: pl.DataFrame,
    rules: Rules,
    options: Options,
) -> pl.DataFrame:
    """Bets by shoe in the order of their rounds, those without a round last.

    ``rejected_rounds`` holds the places of rows that could not be read: a bet on one of them is
    no orphan.
    """
    found = _rounds_of(bets[PLACE], rounds, rejected_rounds).with_row_index("bet_row")
    last = pl.col(PLACE) // WIDTH * WIDTH + (WIDTH - 1)
    by = found.select(pl.when(pl.col("rid").is_null()).then(last).otherwise(PLACE).alias("by"))
    order = by.with_row_index("at").sort("by", maintain_order=True)["at"]
    found = found.drop(PLACE)[order]
    short = [pl.col(name).cast(kind) for name, kind in _WORDS.items() if name in bets.columns]
    ordered = bets.with_columns(short).select(pl.all().gather(order))
    started = rounds.select(pl.col("started_at").gather(found["rid"]))
    return _judged(ordered.hstack(found).hstack(started), rounds, rules, options).drop("rejected")


def judge_again(
    bets: pl.DataFrame, rounds: pl.DataFrame, rules: Rules, options: Options
) -> pl.DataFrame:
    """Resolved ``bets`` judged anew, as if their rounds had been as ``rounds`` says."""
    at = rounds.select("rid", pl.row_index("at"))
    raw = bets.select(*_RAW_COLUMNS, pl.lit(None, pl.Boolean).alias("rejected"))
    placed = raw.join(at, on="rid", how="left", maintain_order="left")
    return _judged(placed.with_columns(pl.col("at").alias("rid")), rounds, rules, options)


def _rounds_of(
    place: pl.Series, rounds: pl.DataFrame, rejected_rounds: pl.DataFrame
) -> pl.DataFrame:
    """``rid`` of each bet, null where its round is not in the log, ``rejected`` and its place.

    Bets of one round mostly follow one another, so only the first of each run is looked up.
    """
    first = (place != place.shift(1)).fill_null(True)
    found = (
        place.filter(first)
        .to_frame()
        .join(rounds.select(PLACE, "rid"), on=PLACE, how="left", maintain_order="left")
        .with_columns(
            pl.when(pl.col(PLACE).is_in(rejected_rounds[PLACE].implode()))
            .then(pl.lit(True))
            .alias("rejected")
        )
    )
    return found.select(
        pl.col("rid", "rejected", PLACE).gather(first.cast(pl.UInt32).cum_sum() - 1)
    )


def _judged(
    bets: pl.DataFrame, rounds: pl.DataFrame, rules: Rules, options: Options
) -> pl.DataFrame:
    """``bets``, whose ``rid`` is a row of ``rounds``, with what became of them and was due.

    Standing and odds are worked out once for each different case, of which there are thousands,
    not for each bet.
    """
    hand, hands = by_case(rounds, _HAND)
    cased = bets.select(
        "bet",
        "disposition",
        "rejected",
        hand.gather(bets["rid"]).alias("hand"),
        (pl.col("stake") > 0).alias("positive"),
    )
    case, cases = by_case(cased, _CASE)
    facts = cases.hstack(hands.select(pl.all().gather(cases["hand"])))
    facts = facts.with_columns(_rule_index(rules).alias("rule"))
    facts = facts.with_columns(*_settled(rules), *odds(rules))
    facts = facts.with_columns(_standing(rules).cast(words.STANDING).alias("standing"))
    with_facts = bets.hstack(facts.select(pl.col(_CASE_COLUMNS).gather(case)))
    return add_dues(with_facts, options)


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
        pl.when(pl.col("hand").is_null() & pl.col("rejected").is_null()).then(pl.lit("orphan"))
        .when(~pl.col("positive")).then(pl.lit("bad_stake"))
        .when(pl.col("hand").is_null()).then(pl.lit("round_rejected"))
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
