"""Art. 13(1)(4)(2): which combinations of the jackpot the cards of a round make."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

import polars as pl

from audit import cards
from audit.money import WIDE
from audit.resolve.rules import Rules, gather
from audit.rulebook import Combination

_FOUR = ("p1", "b1", "p2", "b2")
_FIVE = (*_FOUR, "fifth")
_FACTS = [
    "rid", "table_day", "jackpot_pool", *_FOUR, "p3", "b3",
    "p_two", "b_two", "p3_points", "b3_points", "by_player_pair", "by_banker_pair",
]  # fmt: skip
_SUIT = tuple(cards.suit_of(code) for code in range(cards.CODES))
_ROYAL = sum(1 << rank for rank in (1, 10, 11, 12, 13))
"""Ace, ten, jack, queen and king, one bit for each rank."""


def combinations(rules: Rules) -> tuple[Combination, ...]:
    """In the law's order, the highest first; the versions that have a jackpot have the same."""
    for each in reversed(rules.sets):
        for bet in each.bets.values():
            if bet.kind == "jackpot":
                return bet.combinations
    return ()


def dealt(
    rounds: pl.DataFrame, rids: pl.Series, law: Sequence[Combination]
) -> tuple[pl.DataFrame, pl.Series]:
    """The rounds ``rids`` in which a combination was dealt, and for each of ``rids`` (which may
    name a round several times) whether its cards tell that none was.

    Columns: ``rid``, ``table_day``, ``pool`` in millionths, ``suits`` how many suits the first
    four cards have, and a flag of each combination's id.
    """
    here = rounds.select(pl.col(_FACTS).gather(rids.unique().sort()))
    seen = here.select(_plainly_none()).to_series()
    facts = _told_rounds(here.filter(~seen), law)
    any_dealt = facts.select(pl.any_horizontal(each.id for each in law)).to_series()
    none = pl.repeat(False, rounds.height, dtype=pl.Boolean, eager=True)
    for part in (here["rid"].filter(seen), facts["rid"].filter(~any_dealt)):
        none = none.scatter(part, True) if part.len() else none
    return facts.filter(any_dealt), none.gather(rids)


def _plainly_none() -> pl.Expr:
    """No hand begins with a pair, and the cards are no run to the ace: nothing was dealt.

    All other combinations need a pair, as two of three cards of one rank are in one hand. A run
    of the five cards has one point in all. In most rounds this is all that must be looked at.
    """
    third = pl.coalesce("p3", "b3")
    points = pl.col("p_two") + pl.col("b_two") + pl.coalesce("p3_points", "b3_points")
    no_run = third.is_null() | ((third < cards.POINTS_ONLY) & (points != 1))
    plain = ~pl.col("by_player_pair") & ~pl.col("by_banker_pair") & no_run
    return plain.fill_null(False)


def _told_rounds(rounds: pl.DataFrame, law: Sequence[Combination]) -> pl.DataFrame:
    """The columns of ``dealt`` for the rounds whose cards tell which combinations were dealt."""
    ranked = rounds.select(
        "rid", "table_day", "jackpot_pool", *_FOUR,
        pl.coalesce("p3", "b3").alias("fifth"),
    ).with_columns(
        *(gather(cards.RANK, pl.col(card), pl.Int8).alias(f"{card}_rank") for card in _FIVE),
        *(gather(_SUIT, pl.col(card), pl.Int8).alias(f"{card}_suit") for card in _FIVE),
    )  # fmt: skip
    frame = ranked.with_columns(_alike().alias("alike"), _run().alias("run")).filter(_told())
    patterns = _patterns()
    suits = reduce(or_, (_bit(pl.col(f"{card}_suit")) for card in _FOUR))
    return frame.select(
        "rid", "table_day",
        pl.col("jackpot_pool").cast(WIDE).alias("pool"),
        suits.bitwise_count_ones().alias("suits"),
        *(patterns[each.pattern].fill_null(False).alias(each.id) for each in law),
    )  # fmt: skip


def _bit(number: pl.Expr) -> pl.Expr:
    """Two to the power of a rank or a suit."""
    return gather([1 << n for n in range(14)], number, pl.Int32)


def _alike() -> pl.Expr:
    """Most cards of one rank among the first four."""
    ranks = [pl.col(f"{card}_rank") for card in _FOUR]
    return pl.max_horizontal(
        pl.sum_horizontal((one == other).cast(pl.Int8) for other in ranks) for one in ranks
    )


def _run() -> pl.Expr:
    """The first five cards are ace, ten, jack, queen and king: five bits add up to this number
    in no other way."""
    return pl.sum_horizontal(_bit(pl.col(f"{card}_rank")) for card in _FIVE) == _ROYAL


def _patterns() -> dict[str, pl.Expr]:
    """Whether the cards make a pattern, by its name in the rule sets."""
    rank = {card: pl.col(f"{card}_rank") for card in _FIVE}
    suit = {card: pl.col(f"{card}_suit") for card in _FIVE}
    player, banker = rank["p1"] == rank["p2"], rank["b1"] == rank["b2"]
    of_ace = pl.coalesce(pl.when(rank[card] == 1).then(suit[card]) for card in _FIVE)
    others = [pl.when(rank[card] != 1).then(suit[card]) for card in _FIVE]
    lowest = pl.min_horizontal(others)
    run = pl.col("run") & (lowest == pl.max_horizontal(others))
    return {
        "royal_one_suit": run & (of_ace == lowest),
        "royal_ace_apart": run & (of_ace != lowest),
        "four_alike": pl.col("alike") == 4,
        "both_pairs_unlike": player & banker & (rank["p1"] != rank["b1"]),
        "three_alike": pl.col("alike") >= 3,
        "any_pair": player | banker,
    }


def _told() -> pl.Expr:
    """Whether what is known of the cards decides which combinations were dealt.

    A rank must be known; a suit only where four of a kind or a run to the ace hang on it.
    """

    def unknown(what: str) -> pl.Expr:
        return pl.any_horizontal(
            pl.col(card).is_not_null() & pl.col(f"{card}_{what}").is_null() for card in _FIVE
        )

    hangs = pl.col("run") | (pl.col("alike") == 4)
    return ~unknown("rank") & ~(hangs & unknown("suit"))
