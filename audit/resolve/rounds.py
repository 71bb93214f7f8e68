"""Rounds: sorted by shoe, with the rule set in force and what the cards say.

Columns added here, for every round of the log (null where the cards or the rule set are not
known):

``rid`` row number in the sorted frame; ``shoe`` number of its shoe, ``first_rid`` and
``last_rid`` where it begins and ends; ``table_day`` number of its gaming table and day; ``rs``,
``ruleset`` the rule set in force; ``device``, ``decks``, ``scheme`` with the shoe's row and the
user's options filled in; ``p_two``, ``b_two`` two-card totals; ``p3_points``; ``natural``;
``player_must_draw``, ``player_drew`` and the same for Banker; ``by_player_total``,
``by_banker_total``, ``by_outcome``, ``by_player_pair``, ``by_banker_pair`` by the cards; and the
running facts of the shoe (``demo_no``, ``after_play``, ``missing_before``, ``previous_start``,
``next_start``).
"""

from __future__ import annotations

from operator import methodcaller

import polars as pl

from audit import cards
from audit.normalise.cells import numbered
from audit.normalise.duplicates import SHOE
from audit.resolve import words
from audit.resolve.frames import (
    attach,
    by_case,
    first_in_shoes,
    following,
    number,
    previous,
    running,
)
from audit.resolve.options import Options
from audit.resolve.places import PLACE, WIDTH
from audit.resolve.rules import Rules, gather

_NUMBERS = (
    "decks_min",
    "decks_max",
    "cut_card_from_end_min",
    "demonstration_max",
    "rounds_after_white_card",
)
"""Provisions that checks compare with; each becomes a column."""

_WINNERS = [
    "tie" if player == banker else "player" if player > banker else "banker"
    for player in range(10)
    for banker in range(10)
]
"""The winner by Player's total and Banker's (arts. 11 and 12)."""

KEY = ["casino", "table_id", "shoe_id", "round_no"]
SHOE_KEY = list(SHOE)


def resolve_rounds(
    rounds: pl.DataFrame, shoes: pl.DataFrame, rules: Rules, options: Options
) -> pl.DataFrame:
    """All rounds, sorted by their place, with the columns above."""
    ordered = rounds if rounds[PLACE].is_sorted() else rounds.sort(PLACE)
    frame = (
        _with_shoes(ordered.with_row_index("rid"), shoes)
        .with_columns(
            pl.col("kind").cast(words.KIND),
            pl.col("outcome").cast(words.OUTCOME),
            pl.col("commission").cast(words.SCHEME),
            numbered(ordered["source"])[0],
        )
        .with_columns(
            pl.col("decks").alias("decks_recorded"),
            pl.col("decks").fill_null(pl.lit(options.decks, pl.Int64)),
            pl.coalesce(
                "commission", "shoe_commission", pl.lit(options.commission, words.SCHEME)
            ).alias("scheme"),
            pl.coalesce("commission", "shoe_commission").alias("scheme_recorded"),
            rules.index_on(pl.col("started_at").dt.date()).alias("rs"),
        )
    )
    days = frame.select("table", pl.col("started_at").dt.date().alias("day"))
    table_day, _ = by_case(days, ["table", "day"])
    return (
        frame.drop("table")
        .with_columns(table_day.alias("table_day"), *_rules_in_force(rules), *_points(), *_hands())
        .with_columns(*_totals(frame["extra"]))
        .with_columns(*_player(rules))
        .with_columns(*_banker(rules), *_result())
        .with_columns(
            pl.when("outcome_only").then("outcome").otherwise("by_outcome").alias("winner")
        )
        .with_columns(*_shoe_order(frame))
    )


def add_bet_counts(rounds: pl.DataFrame, bets: pl.DataFrame) -> pl.DataFrame:
    """``bet_count`` and ``banker_bets``: audited bets of each round."""
    of_banker = bets.select(pl.col("rid").filter(pl.col("bet") == "banker")).to_series()
    return rounds.with_columns(
        _counted(bets["rid"], rounds.height).alias("bet_count"),
        _counted(of_banker, rounds.height).alias("banker_bets"),
    )


def _counted(rids: pl.Series, rounds: int) -> pl.Series:
    """How many of ``rids``, which are sorted, name each of so many rounds."""
    runs = rids.drop_nulls().rle().struct.unnest()
    counts = pl.zeros(rounds, pl.UInt32, eager=True)
    return counts.scatter(runs["value"], runs["len"]) if runs.height else counts


def _with_shoes(rounds: pl.DataFrame, shoes: pl.DataFrame) -> pl.DataFrame:
    """``rounds`` (sorted) with the bounds and facts of their shoes, and a number of the ``table``.

    The words of a shoe are looked at once for each shoe, not for each round.
    """
    rounds = rounds.with_columns(pl.col(SHOE_KEY).cast(pl.String)).with_columns(
        *_shoe_bounds(rounds[PLACE])
    )
    first = rounds["first_rid"].unique(maintain_order=True)
    keys = rounds.select(pl.col(SHOE_KEY).gather(first))
    table, _ = by_case(keys, ["casino", "table_id"])
    # A unit has few of the shoes of a long log; those of one id are those of some tables.
    mine = shoes.filter(pl.col("shoe_id").is_in(keys["shoe_id"].unique().implode()))
    facts = attach(keys, _shoe_facts(mine), SHOE_KEY).drop(SHOE_KEY)
    facts = facts.with_columns(pl.col("device").fill_null("shoe"), table.alias("table"))
    return rounds.hstack(facts.select(pl.all().gather(rounds["shoe"])))


def _shoe_facts(shoes: pl.DataFrame) -> pl.DataFrame:
    return shoes.select(
        *SHOE_KEY,
        pl.col("device").cast(words.DEVICE),
        "decks",
        pl.col("burn_rule").cast(pl.Categorical),
        "first_card",
        pl.col("burned").alias("shoe_burned"),
        "cut_card_from_end",
        pl.col("commission").cast(words.SCHEME).alias("shoe_commission"),
        pl.col("source").cast(pl.Categorical).alias("shoe_source"),
        pl.col("row").alias("shoe_row"),
    )


def _rules_in_force(rules: Rules) -> list[pl.Expr]:
    """What depends on the rule set alone."""
    day = pl.col("started_at").dt.date()
    since = rules.each(lambda each: each.known_incomplete_from, pl.Date)
    gap = pl.lit(False) if rules.forced else pl.col("rs").is_null() | (day >= since)
    return [
        rules.each(lambda each: each.id, pl.Enum([each.id for each in rules.sets])).alias(
            "ruleset"
        ),
        *(rules.each(methodcaller("value", key), pl.Int64).alias(key) for key in _NUMBERS),
        rules.each(lambda each: "no_commission" in each.schemes, pl.Boolean).alias(
            "has_no_commission"
        ),
        gap.fill_null(False).alias("rs_gap"),
    ]


def _points() -> list[pl.Expr]:
    return [
        gather(cards.POINTS, pl.col(card), pl.Int8).alias(f"{card}_points")
        for card in ("p1", "p2", "p3", "b1", "b2", "b3")
    ]


def _hands() -> list[pl.Expr]:
    """How much of the round is recorded."""
    return [
        (pl.col("initial_missing") == 0).alias("complete"),
        pl.when((pl.col("player_n") > 0) | (pl.col("banker_n") > 0))
        .then(pl.lit(True))
        .alias("any_card"),
        (_hole("p") | _hole("b")).alias("hole"),
        ((pl.col("player_n") > 3) | (pl.col("banker_n") > 3)).alias("overfull"),
        pl.col("p3").is_not_null().alias("player_drew"),
        pl.col("b3").is_not_null().alias("banker_drew"),
    ]


def _hole(hand: str) -> pl.Expr:
    """A card recorded after one that is missing, which six columns can show."""
    first, second, third = (pl.col(f"{hand}{n}").is_not_null() for n in (1, 2, 3))
    return (~first & (second | third)) | (~second & third)


def _totals(extra: pl.Series) -> list[pl.Expr]:
    """Totals modulo ten (art. 5), each hand by itself: null unless its first two cards are known.

    Fourth and later cards count too: the totals are judged on the cards as dealt.
    """
    player_surplus, banker_surplus = _surplus(extra)

    def total(hand: str, surplus: pl.Expr | None) -> pl.Expr:
        first = pl.col(f"{hand}1_points") + pl.col(f"{hand}2_points")
        three = first + pl.col(f"{hand}3_points").fill_null(0)
        # Of three cards it fits the eight bits of points, which are quicker to divide.
        return ((three if surplus is None else three + surplus) % 10).cast(pl.Int64)

    def two(hand: str) -> pl.Expr:
        return (pl.col(f"{hand}1_points") + pl.col(f"{hand}2_points")) % 10

    return [
        two("p").cast(pl.Int64).alias("p_two"),
        two("b").cast(pl.Int64).alias("b_two"),
        total("p", player_surplus).alias("by_player_total"),
        total("b", banker_surplus).alias("by_banker_total"),
        _pair("p").alias("by_player_pair"),
        _pair("b").alias("by_banker_pair"),
    ]


def _surplus(extra: pl.Series) -> tuple[pl.Expr, pl.Expr] | tuple[None, None]:
    """Points (Int64) of Player's and of Banker's fourth and later cards; None: there are none."""
    if extra.null_count() == extra.len():
        return None, None
    excess = pl.col("extra").list.eval(gather(cards.POINTS, pl.element(), pl.Int64))
    of_player = (pl.col("player_n").cast(pl.Int64) - 3).clip(0)
    return (
        excess.list.head(of_player).list.sum().fill_null(0),
        excess.list.slice(of_player).list.sum().fill_null(0),
    )


def _pair(hand: str) -> pl.Expr:
    """Whether the first two cards have one rank, whatever their suit (art. 13)."""
    first, second = (gather(cards.RANK, pl.col(f"{hand}{n}"), pl.Int8) for n in (1, 2))
    return first == second


def _player(rules: Rules) -> list[pl.Expr]:
    """Art. 9(1) and (2): Player, and the naturals that forbid any further card."""
    player_natural = rules.by_total(lambda each, total: total in each.naturals, pl.col("p_two"))
    banker_natural = rules.by_total(lambda each, total: total in each.naturals, pl.col("b_two"))
    draws = rules.by_total(lambda each, total: total in each.player_draws, pl.col("p_two"))
    return [
        player_natural.alias("player_natural"),
        banker_natural.alias("banker_natural"),
        (player_natural | banker_natural).alias("natural"),
        (draws & ~(player_natural | banker_natural)).alias("player_must_draw"),
    ]


def _banker(rules: Rules) -> list[pl.Expr]:
    """Art. 9(3) and (4): Banker, judged on what Player actually did."""
    draws = rules.by_draw(lambda each, total, third: each.banker_draws[total, third], pl.Boolean)
    article = rules.by_draw(
        lambda each, total, third: each.banker_article[total, third], pl.Categorical
    )
    return [
        (draws & ~pl.col("natural")).alias("banker_must_draw"),
        article.alias("banker_article"),
    ]


def _result() -> list[pl.Expr]:
    """Arts. 11 and 12: the higher total wins, equal totals are a tie."""
    outcome = gather(
        _WINNERS, pl.col("by_player_total") * 10 + pl.col("by_banker_total"), words.OUTCOME
    )
    outcome_only = pl.col("any_card").is_null() & pl.col("outcome").is_not_null()
    return [
        pl.when("complete").then(outcome).alias("by_outcome"),
        outcome_only.alias("outcome_only"),
    ]


def _shoe_bounds(place: pl.Series) -> list[pl.Series]:
    """Rows at which each shoe begins and ends, in the sorted frame."""
    number = place // WIDTH
    shoe, rows = number.rle_id(), number.rle().struct.field("len")
    end = rows.cum_sum()
    return [
        (end - rows).gather(shoe).alias("first_rid"),
        (end - 1).gather(shoe).alias("last_rid"),
        shoe.alias("shoe"),
    ]


def _shoe_order(rounds: pl.DataFrame) -> list[pl.Expr]:
    """Running facts of a shoe, in the order of its round numbers."""
    dealt = rounds.select(pl.col("kind").is_in(["play", "free"])).to_series()
    first_dealt = pl.lit(first_in_shoes(dealt, rounds["shoe"]).gather(rounds["shoe"]))
    before = previous(pl.col("round_no")).fill_null(0)
    return [
        running(number(pl.col("kind") == "demo")).alias("demo_no"),
        (pl.col("rid") > first_dealt).fill_null(False).alias("after_play"),
        (pl.col("round_no") - before - 1).alias("missing_before"),
        previous(pl.col("started_at")).alias("previous_start"),
        following(pl.col("started_at")).alias("next_start"),
    ]
