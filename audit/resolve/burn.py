"""Art. 2(1): how many cards are burned at the start of a shoe, under every open reading.

Columns added: ``burn_known`` (true where rule and numbers are recorded, null elsewhere),
``burn_right``, ``burn_expected`` (text) and, for each interpretation, ``split_...``: whether its
readings decide the row differently.
"""

from __future__ import annotations

import polars as pl

from audit import cards
from audit.resolve.frames import spread
from audit.resolve.rules import Rules, gather

COUNTS, TEN = "burn_counts_first_card", "burn_value_of_ten"
_SURPLUS = {"included": 0, "excluded": 1}
_FACE_VALUES = [cards.face_value_of(code) for code in range(cards.CODES)]


def add_burn(rounds: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """``rounds`` (with ``first_in_shoe``) with the columns above; null but on first rounds."""
    first = rounds["first_in_shoe"]
    facts = rounds.select("device", "decks", "burn_rule", "first_card", "shoe_burned")
    return spread(rounds, first, _judged(facts.filter(first), rules))


def _judged(rounds: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    by_decks, by_card = pl.col("burn_rule") == "decks", pl.col("burn_rule") == "first_card"
    here = pl.col("device") == "shoe"
    burned = pl.col("shoe_burned")
    named = pl.when(by_decks).then("decks").when(by_card).then(_value(0))
    told = pl.when(by_decks | by_card).then(named.is_not_null() & burned.is_not_null())
    right = pl.when(by_decks).then(burned == pl.col("decks")).when(by_card).then(_right(rules))
    expected = (
        pl.when(by_decks).then(pl.col("decks").cast(pl.String)).when(by_card).then(_expected(rules))
    )
    splits = [
        (here & by_card & (_right(rules, {name: one}) != _right(rules, {name: two})))
        .fill_null(False)
        .alias(f"split_{name}")
        for name, (one, two) in ((COUNTS, ("included", "excluded")), (TEN, ("10", "0")))
    ]
    # Any other rule is wrong in itself, whatever was burned.
    known = told.fill_null(pl.col("burn_rule").is_not_null())
    return rounds.select(
        pl.when(known).then(pl.lit(True)).alias("burn_known"),
        right.alias("burn_right"),
        expected.alias("burn_expected"),
        *splits,
    )


def _value(ten: int) -> pl.Expr:
    """Value of the first card, a ten or a face card counting ``ten``."""
    face = gather(_FACE_VALUES, pl.col("first_card"), pl.Int64)
    return pl.when(face == 10).then(pl.lit(ten, pl.Int64)).otherwise(face)


def _accepted(rules: Rules, pinned: dict[str, str]) -> list[pl.Expr]:
    """Each number that an open reading accepts."""
    return [
        _value(int(ten)) + _SURPLUS[counts]
        for counts in rules.open_readings(COUNTS, pinned)
        for ten in rules.open_readings(TEN, pinned)
    ]


def _right(rules: Rules, pinned: dict[str, str] | None = None) -> pl.Expr:
    accepted = _accepted(rules, pinned or {})
    return pl.any_horizontal(pl.col("shoe_burned") == number for number in accepted)


def _expected(rules: Rules) -> pl.Expr:
    numbers = pl.concat_list(_accepted(rules, {})).list.unique().list.sort()
    return numbers.cast(pl.List(pl.String)).list.join(" | ")
