"""What a round would have been had the draw rules been followed: the shoe's own order replayed.

The third cards that were dealt go back in front, Player's before Banker's, then the next round's
cards follow, whatever its kind; the hand is drawn again by the rules. Columns added:
``should_player_total``, ``should_banker_total``, ``should_outcome`` (null where a card is needed
that is not known), ``should_player_n`` and ``should_banker_n`` cards, and ``consequence``:
``same_outcome``, ``changed:OUTCOME``, ``undetermined``.
"""

from __future__ import annotations

import polars as pl

from audit.resolve import words
from audit.resolve.frames import spread
from audit.resolve.rules import Rules

DRAWN_WRONGLY = (
    (pl.col("player_must_draw") != pl.col("player_drew"))
    | (pl.col("banker_must_draw") != pl.col("banker_drew"))
).fill_null(False)
"""A hand got a third card against the rules, or did not get one (art. 9)."""

_AFTER = [
    "round_no", "complete", "overfull", "burned", "withdrawn", "p1_points", "b1_points",
]  # fmt: skip
_ADDED = [
    "should_player_n", "should_banker_n", "should_player_total", "should_banker_total",
    "should_outcome", "consequence",
]  # fmt: skip


def add_consequence(rounds: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """``rounds`` (sorted by shoe) with the columns above, null where the draws were right."""
    wrong = rounds.select(DRAWN_WRONGLY).to_series()
    here = rounds.lazy().filter(wrong).collect()
    following = here.select(pl.when(pl.col("rid") != pl.col("last_rid")).then(pl.col("rid") + 1))
    after = rounds.select(pl.col(_AFTER).gather(following.to_series()).name.prefix("next_"))
    return spread(rounds, wrong, _replayed(here.hstack(after), rules))


def _replayed(rounds: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """The columns above for rounds with what they need of the round after, as ``next_...``."""
    after = {name: pl.col(f"next_{name}") for name in _AFTER}
    undisturbed = (after["burned"].fill_null(0) == 0) & after["withdrawn"].is_null()
    follows = (
        (pl.col("device") == "shoe")
        & (after["round_no"] == pl.col("round_no") + 1)
        & after["complete"]
        & ~after["overfull"]
        & undisturbed
    )
    # A card withdrawn in the round itself leaves nothing of the order certain.
    whole = pl.col("withdrawn").is_null()
    p3, b3 = pl.col("p3_points"), pl.col("b3_points")
    next_one, next_two = (pl.when(follows).then(after[c]) for c in ("p1_points", "b1_points"))
    first = pl.coalesce(p3, b3, next_one)
    second = (
        pl.when(p3.is_not_null())
        .then(pl.coalesce(b3, next_one))
        .when(b3.is_not_null())
        .then(next_one)
        .otherwise(next_two)
    )
    draws = pl.col("player_must_draw")
    return (
        rounds.with_columns(
            pl.when(whole & draws).then(first).alias("should_p3"),
            pl.when(whole).then(pl.when(draws).then(second).otherwise(first)).alias("should_b3"),
        )
        .with_columns(_banker_draws(rules).alias("should_banker_draw"))
        .with_columns(
            (2 + draws.cast(pl.UInt8)).alias("should_player_n"),
            (2 + pl.col("should_banker_draw").cast(pl.UInt8)).alias("should_banker_n"),
        )
        .with_columns(
            _total("p_two", draws, "should_p3").alias("should_player_total"),
            # Where Player's card is not known, what Banker owes is not known either.
            pl.when(~draws | pl.col("should_p3").is_not_null())
            .then(_total("b_two", pl.col("should_banker_draw"), "should_b3"))
            .alias("should_banker_total"),
        )
        .with_columns(_outcome().cast(words.OUTCOME).alias("should_outcome"))
        .with_columns(_consequence().cast(pl.Categorical).alias("consequence"))
        .select(_ADDED)
    )


def _banker_draws(rules: Rules) -> pl.Expr:
    by_table = rules.by_draw(
        lambda each, total, third: each.banker_draws[total, third],
        pl.Boolean,
        third=pl.col("should_p3"),
    )
    return by_table & ~pl.col("natural")


def _total(two_cards: str, draws: pl.Expr, third: str) -> pl.Expr:
    drawn = (pl.col(two_cards) + pl.col(third)) % 10
    return pl.when(draws).then(drawn).when(~draws).then(pl.col(two_cards))


def _outcome() -> pl.Expr:
    player, banker = pl.col("should_player_total"), pl.col("should_banker_total")
    return (
        pl.when(player > banker)
        .then(pl.lit("player"))
        .when(banker > player)
        .then(pl.lit("banker"))
        .when(player == banker)
        .then(pl.lit("tie"))
    )


def _consequence() -> pl.Expr:
    should = pl.col("should_outcome")
    return (
        pl.when(pl.col("by_outcome").is_null())
        .then(None)
        .when(should.is_null())
        .then(pl.lit("undetermined"))
        .when(should == pl.col("by_outcome"))
        .then(pl.lit("same_outcome"))
        .otherwise(pl.concat_str(pl.lit("changed:"), should.cast(pl.String)))
    )
