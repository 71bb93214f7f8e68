"""The tables of a case, from what a run has in memory: evidence, findings and accounts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, cast

import polars as pl

from audit import cards
from audit.baseline import Compared
from audit.checks.runner import Result
from audit.money import DECIMAL, LOGGED, MOST_LOGGED, to_decimal
from audit.resolve import Rules
from audit.resolve.bets import Bets
from audit.resolve.frames import by_case, spread
from audit.resolve.rounds import SHOE_KEY
from audit.resolve.rules import gather
from audit.rulebook import RuleSet

if TYPE_CHECKING:
    from audit.buckets.whole import Audited
    from audit.case import Table
    from audit.summary import Summary

ROUND_COLUMNS = (
    "casino", "table_id", "shoe_id", "round_no", "started_at", "kind", "void_reason",
    "player_cards", "banker_cards", "withdrawn_cards", "player_total", "banker_total", "outcome",
    "player_pair", "banker_pair", "commission", "burned", "cut_card", "jackpot_pool", "dealer_id",
    "ruleset", "device", "decks", "by_player_total", "by_banker_total", "by_outcome", "scheme",
    "source", "row",
)  # fmt: skip
BET_COLUMNS = (
    "casino", "table_id", "shoe_id", "round_no", "bet_id", "currency", "position", "patron_id",
    "bet", "stake", "paid", "commission_taken", "disposition", "due", "standing", "source", "row",
)  # fmt: skip


_CARDS = cards.CODES + 1
_TWO = pl.Series(
    [" ".join(filter(None, pair)) or None for pair in product((*cards.TEXT, None), repeat=2)]
)
"""The text of every first and second card, either of which may be missing."""

_MANY = 100_000
"""Rounds for which it pays to have the text of every three cards."""


def case_tables(
    audited: Audited, compared: Compared, rules: Rules, summary: Summary
) -> dict[str, Table]:
    """Every table of the case by name, in a fixed order of rows and columns."""
    findings = compared.findings
    return {
        "rounds": audited.rounds,
        "bets": audited.bets,
        "findings": findings.with_columns(to_decimal(pl.col("amount"))),
        "rejects": audited.rejects,
        "at_stake": audited.at_stake.with_columns(
            to_decimal(pl.col("paid", "due_dealt", "due_replayed", "due_void"))
        ),
        "shoes": _counted(audited.shoes, findings),
        "outcomes": audited.outcomes,
        "rulesets": _rulesets(audited.rulesets, rules),
        "provisions": _provisions(audited.rulesets, rules),
        "interpretations": _interpretations(rules, audited.undecided),
        "checks": _checks(audited.results),
        "not_applied": _not_applied(audited.results),
        "baseline": compared.entries(),
        "sources": audited.sources,
        "run": _run(summary),
    }


def rounds_evidence(rounds: pl.DataFrame) -> pl.DataFrame:
    """Normalised rounds with their cards written out and what the cards say."""
    # Few rounds have withdrawn cards or a fourth one: lists are dear.
    withdrawn, more = (rounds[name].is_not_null() for name in ("withdrawn", "extra"))
    frame = spread(
        rounds,
        withdrawn,
        rounds.select("withdrawn")
        .filter(withdrawn)
        .select(_listed(pl.col("withdrawn")).alias("withdrawn_cards")),
    )
    lists = rounds.select("player_n", "extra").filter(more)
    frame = spread(frame, more, lists.select(_surplus("p"), _surplus("b")))
    return frame.with_columns(
        _hand(frame, "p").alias("player_cards"),
        _hand(frame, "b").alias("banker_cards"),
        to_decimal(pl.col("jackpot_pool")).cast(LOGGED),
    ).select(ROUND_COLUMNS)


def bets_evidence(bets: Bets) -> pl.DataFrame:
    """Normalised bets with what was due; money as exact decimals.

    What is due is ``LOGGED`` like the stake, unless an amount is too great for that.
    """
    # Sums of money that are alike are made once and then repeated.
    due = pl.when(pl.col("due_other").is_null()).then("due").alias("due")  # open: two amounts
    sums = bets.cases.select("stake", "paid", "commission_taken", due)
    most = cast(int | None, sums["due"].abs().max()) or 0
    money = sums.select(
        to_decimal(pl.col("stake", "paid", "commission_taken")).cast(LOGGED),
        to_decimal(pl.col("due")).cast(LOGGED if most < MOST_LOGGED else DECIMAL),
    )
    money = money.select(pl.all().gather(bets.rows["case"]))
    return bets.rows.with_columns(*money).select(BET_COLUMNS)


def _hand(rounds: pl.DataFrame, side: str) -> pl.Expr:
    """The cards of a hand, a fourth and later one included, separated by blanks."""
    one, two, three = (pl.col(f"{side}{n}") for n in (1, 2, 3))
    first, more = _or_none(one) * _CARDS + _or_none(two), pl.col(f"{side}_more")
    if rounds.height >= _MANY:
        hand = pl.lit(_three()).gather(first * _CARDS + _or_none(three))
    else:
        hand = _listed_apart(pl.lit(_TWO).gather(first), _text(three))
    if rounds[f"{side}_more"].null_count() == rounds.height:
        return hand
    return _listed_apart(hand, more)


def _listed_apart(*texts: pl.Expr) -> pl.Expr:
    """The texts that are there, separated by blanks; null where there is none."""
    known = pl.any_horizontal(text.is_not_null() for text in texts)
    return pl.when(known).then(pl.concat_str(texts, separator=" ", ignore_nulls=True))


@cache
def _three() -> pl.Series:
    """``_TWO`` with a third card, or none, after each."""
    three = pl.DataFrame({"two": _TWO}).join(
        pl.DataFrame({"one": [*cards.TEXT, None]}), how="cross"
    )
    return three.select(_listed_apart(pl.col("two"), pl.col("one"))).to_series()


def _surplus(side: str) -> pl.Expr:
    """The fourth and later cards of a hand; null for none."""
    of_player = (pl.col("player_n").cast(pl.Int64) - 3).clip(0)
    cards = pl.col("extra")
    mine = cards.list.head(of_player) if side == "p" else cards.list.slice(of_player)
    return _listed(mine).replace("", None).alias(f"{side}_more")


def _or_none(card: pl.Expr) -> pl.Expr:
    """The code of a card as a place in ``_TWO``; the last one where there is none."""
    return card.cast(pl.UInt32).fill_null(_CARDS - 1)


def _text(code: pl.Expr) -> pl.Expr:
    return gather(cards.TEXT, code, pl.String)


def _listed(codes: pl.Expr) -> pl.Expr:
    return codes.list.eval(_text(pl.element())).list.join(" ")


def shoes_of(rounds: pl.DataFrame) -> pl.DataFrame:
    """The shoes of resolved rounds, with their counts and the number of their first round."""
    first = rounds["first_rid"].unique(maintain_order=True)
    last = first.cast(pl.Int64).shift(-1, fill_value=rounds.height) - 1
    bets = rounds.select(pl.col("bet_count").cast(pl.Int64).cum_sum().gather(last)).to_series()
    return rounds.select(
        pl.col(*SHOE_KEY, "device", "decks").gather(first),
        pl.lit((last - first + 1).cast(pl.UInt32)).alias("rounds"),
        pl.lit((bets - bets.shift(1, fill_value=0)).cast(pl.UInt32)).alias("bets"),
        pl.col("round_no").gather(first).alias("first_round"),
    )


OUTCOME_KEY = ["day", "ruleset", "decks", "kind", "by_outcome"]
"""What the rounds of a log are counted by in the table ``outcomes``."""


def outcomes_of(rounds: pl.DataFrame) -> pl.DataFrame:
    """How many rounds there are of each day, rule set, number of decks, kind and result."""
    day = rounds["started_at"].dt.date().alias("day")
    case, cases = by_case(rounds.select(OUTCOME_KEY[1:]).hstack([day]), OUTCOME_KEY)
    number = case.value_counts(name="rounds").sort("case")["rounds"].cast(pl.Int64)
    return cases.with_columns(pl.col("ruleset", "kind", "by_outcome").cast(pl.String), number)


def _counted(shoes: pl.DataFrame, findings: pl.DataFrame) -> pl.DataFrame:
    counts = findings.group_by(SHOE_KEY).agg(pl.len().alias("findings"))
    return shoes.join(counts, on=SHOE_KEY, how="left", maintain_order="left").with_columns(
        pl.col("findings").fill_null(0)
    )


def _rulesets(counts: Mapping[int | None, int], rules: Rules) -> pl.DataFrame:
    rows = [
        {
            "id": each.id,
            "in_force_from": each.in_force_from,
            "in_force_status": each.in_force_status,
            "gazette": each.instrument.gazette.value,
            "forced": rules.forced,
            "rounds": counts[rs],
            "acts": ",".join(act.instrument.despacho for act in _amended(each, rules)),
            "incomplete_from": each.known_incomplete_from,
        }
        for rs, each in enumerate(rules.sets)
        if rs in counts
    ]
    return pl.DataFrame(
        rows,
        schema={
            "id": pl.String,
            "in_force_from": pl.Date,
            "in_force_status": pl.String,
            "gazette": pl.String,
            "forced": pl.Boolean,
            "rounds": pl.Int64,
            "acts": pl.String,
            "incomplete_from": pl.Date,
        },
    )


def _amended(last: RuleSet, rules: Rules) -> list[RuleSet]:
    """The rule set, with those that it amends before it, oldest first."""
    chain = [last]
    while base := chain[0].amends:
        chain.insert(0, rules.book.get(base))
    return chain


def _provisions(counts: Mapping[int | None, int], rules: Rules) -> pl.DataFrame:
    names = ("ruleset", "key", "value", "article", "status", "set_by", "note")
    rows = [
        (each.id, key, json.dumps(p.value, default=str), p.article, p.status, p.ruleset, p.note)
        for each in (rules.sets[rs] for rs in counts if rs is not None)
        for key, p in each.provisions.items()
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def _interpretations(rules: Rules, undecided: Mapping[str, int]) -> pl.DataFrame:
    """``undecided``: rows that the readings decide differently, null where one is pinned."""
    rows = [
        (i.id, i.article, i.question, rules.readings[i.id], undecided.get(i.id))
        for i in rules.book.interpretations
    ]
    names = ("id", "article", "question", "reading")
    schema = {**dict.fromkeys(names, pl.String), "undecided": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _checks(results: Sequence[Result]) -> pl.DataFrame:
    rows = [
        (
            r.check.code, r.check.severity, r.check.article, r.state, r.error,
            r.examined, sum(r.not_applied.values()), r.violating,
        )
        for r in results
    ]  # fmt: skip
    return pl.DataFrame(
        rows,
        schema={
            "code": pl.String,
            "severity": pl.String,
            "article": pl.String,
            "state": pl.String,
            "reason": pl.String,
            "examined": pl.Int64,
            "not_applied": pl.Int64,
            "violating": pl.Int64,
        },
        orient="row",
    )


def _not_applied(results: Sequence[Result]) -> pl.DataFrame:
    rows = [
        (r.check.code, reason, number) for r in results for reason, number in r.not_applied.items()
    ]
    schema = {"code": pl.String, "reason": pl.String, "rows": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _run(summary: Summary) -> pl.DataFrame:
    """Keys and values; what is no plain text is JSON."""
    values = {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in summary.as_json().items()
        if key not in ("case_id", "sources")
    }
    schema = {"key": pl.String, "value": pl.String}
    return pl.DataFrame(list(values.items()), schema=schema, orient="row")
