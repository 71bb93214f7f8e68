"""Bets: joined to their round, with their standing and what was due.

``standing`` says how far a bet can be judged, first that applies: ``orphan`` (its round is not
in the log), ``round_rejected``, ``bad_stake``, ``no_rules`` (before the first rule set),
``not_offered``, ``demo``, ``void``, ``unjudged`` (cards or outcome not known), ``handpay``,
``cancelled``, ``carried``, ``jackpot``, and then for a settled bet ``won``, ``lost``,
``returned``.

What was due comes from ``audit.resolve.dues``.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from audit.normalise.duplicates import SHOE
from audit.resolve import words
from audit.resolve.alike import alike
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

_BET = ["hand", "bet", "disposition", "positive", "rejected"]
"""A hand, and all that standing and odds hang on in the bet itself."""

_FATE = [
    "bet", "disposition", "rs", "ruleset", "kind", "complete", "winner", "scheme", "rule", "wins",
    "standing", *ODDS,
]  # fmt: skip
"""What then becomes of a bet, whatever its money: of this there are some hundreds."""

_MONEY = ["stake", "paid", "commission_taken"]

_IN_ROWS = ["disposition", "standing", "rs"]
"""What of a case is beside each of its bets too, since much hangs on it."""

_WORDS: dict[str, pl.DataType] = dict.fromkeys(
    (*SHOE, "source", "currency", "position", "bet", "disposition"), pl.Categorical()
)
"""Columns of few words, as numbers of four bytes."""


@dataclass(frozen=True)
class Bets:
    """Resolved bets: ``rows``, and by the number that a row has as ``case`` the ``cases``.

    Bets of one case are alike in stake, payment and all that became of them; what they have in
    common is kept once, since a log has millions of bets and some thousands of cases.
    """

    rows: pl.DataFrame
    cases: pl.DataFrame


def with_facts(bets: Bets, at: pl.Series, which: pl.Series, facts: pl.DataFrame) -> Bets:
    """``bets`` with the columns of ``facts``: the rows ``at`` have the line ``which`` of them.

    All others have nulls. Those that are alike in this too become a case of their own.
    """
    rows, cases = bets.rows, bets.cases
    mine = pl.DataFrame({"case": rows["case"].gather(at), "which": which})
    number, apart = by_case(mine, ["case", "which"])
    more = cases[apart["case"]].hstack(facts[apart["which"]])
    none = (pl.lit(None, dtype).alias(name) for name, dtype in facts.schema.items())
    case = rows["case"].clone().scatter(at, number + cases.height)  # it changes what it is given
    return Bets(rows.with_columns(case), pl.concat([cases.with_columns(none), more]))


def with_numbers(bets: Bets) -> Bets:
    """``bets`` whose cases have the ``number`` of rows that are of each."""
    found = bets.rows["case"].value_counts(name="number")
    number = pl.zeros(bets.cases.height, pl.UInt32, eager=True)
    number = number.scatter(found["case"], found["number"]) if found.height else number
    numbered = bets.cases.with_columns(number.alias("number"), case=pl.row_index().cast(pl.UInt32))
    return Bets(bets.rows, numbered)


def resolve_bets(
    bets: pl.DataFrame,
    rounds: pl.DataFrame,
    rejected_rounds: pl.DataFrame,
    rules: Rules,
    options: Options,
) -> Bets:
    """Bets by shoe in the order of their rounds, those without a round last.

    ``rejected_rounds`` holds the places of rows that could not be read: a bet on one of them is
    no orphan.
    """
    bets = _in_order(bets.drop("bet_id_recorded"), rounds, rejected_rounds)
    bets = bets.with_columns(
        pl.col(name).cast(kind) for name, kind in _WORDS.items() if name in bets.columns
    )
    started = rounds["started_at"].gather(bets["rid"])
    return _judged(bets.with_columns(started), rounds, rules, options)


def judge_again(bets: pl.DataFrame, rounds: pl.DataFrame, rules: Rules, options: Options) -> Bets:
    """Resolved ``bets`` judged anew, as if their rounds had been as ``rounds`` says."""
    at = rounds.select("rid", pl.row_index("at"))
    raw = bets.select("bet", "disposition", *_MONEY, "rid", rejected=pl.lit(None, pl.Boolean))
    placed = raw.join(at, on="rid", how="left", maintain_order="left")
    return _judged(placed.with_columns(pl.col("at").alias("rid")), rounds, rules, options)


def _in_order(
    bets: pl.DataFrame, rounds: pl.DataFrame, rejected_rounds: pl.DataFrame
) -> pl.DataFrame:
    """Bets in the order of ``resolve_bets``, with ``rid`` and ``rejected``."""
    place = bets[PLACE]
    bets = bets.hstack(_rounds_of(place, rounds, rejected_rounds))
    if bets["rid"].null_count():
        last = pl.col(PLACE) // WIDTH * WIDTH + (WIDTH - 1)
        place = bets.select(
            pl.when(pl.col("rid").is_null()).then(last).otherwise(PLACE)
        ).to_series()
    bets = bets.drop(PLACE)
    if place.is_sorted():
        return bets
    order = place.to_frame("by").with_row_index("at").sort("by", maintain_order=True)["at"]
    return bets.select(pl.all().gather(order))


def _rounds_of(
    place: pl.Series, rounds: pl.DataFrame, rejected_rounds: pl.DataFrame
) -> pl.DataFrame:
    """``rid`` of each bet, null where its round is not in the log, and ``rejected``.

    Bets of one round mostly follow one another, so only the first of each run is looked up.
    """
    run, first = place.rle_id(), place.rle().struct.field("value")
    there = pl.concat([rounds[PLACE], pl.Series(PLACE, [None], dtype=pl.Int64)])
    at = _found_in_order(first, rounds[PLACE])
    found = pl.DataFrame({PLACE: first, "at": at}).select(
        pl.when(there.gather(at) == first).then("at").cast(pl.UInt32).alias("rid"),
        pl.when(pl.col(PLACE).is_in(rejected_rounds[PLACE].implode()))
        .then(pl.lit(True))
        .alias("rejected"),
    )
    return found.select(pl.all().gather(run))


def _found_in_order(wanted: pl.Series, places: pl.Series) -> pl.Series:
    """Where each of some ``places``, which are sorted, is; anywhere if it is not there."""
    here = places.is_in(wanted.implode())
    # In nearly all logs bets lie in the order of their rounds, and each has one.
    if here.sum() == wanted.len() and (wanted > wanted.shift(1)).all():
        return here.arg_true()
    return places.search_sorted(wanted)


def _judged(bets: pl.DataFrame, rounds: pl.DataFrame, rules: Rules, options: Options) -> Bets:
    """``bets``, whose ``rid`` is a row of ``rounds``, with what became of them and was due.

    Standing and odds are worked out once for each different hand and bet, of which there are
    thousands, and dues once for each different ``case``: a fate and sums of money.
    """
    hand, hands = by_case(rounds, _HAND)
    placed = bets.select(
        "bet",
        "disposition",
        "rejected",
        hand.gather(bets["rid"]).alias("hand"),
        (pl.col("stake") > 0).alias("positive"),
    )
    bet, different = by_case(placed, _BET)
    facts = different.hstack(hands.select(pl.all().gather(different["hand"])))
    facts = facts.with_columns(_rule_index(rules).alias("rule"))
    facts = facts.with_columns(*_settled(rules), *odds(rules))
    facts = facts.with_columns(
        _standing(rules).cast(words.STANDING).alias("standing"),
        pl.col("disposition").cast(words.DISPOSITION),
    )
    fate, fates = by_case(facts, _FATE)
    case, cases = alike(bets.select(*_MONEY, fate=fate.gather(bet)))
    cases = cases.hstack(fates.select(pl.all().gather(cases["fate"])))
    cases = add_dues(cases, options).drop("fate")
    in_rows = cases.select(pl.col(_IN_ROWS).gather(case))
    return Bets(bets.drop("disposition", "rejected").hstack([case, *in_rows]), cases)


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
