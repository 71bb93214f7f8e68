"""Facts that run through a shoe: its first round, the white card, the cards that have left it.

Columns added, for every round: ``first_in_shoe``; ``decks_recorded``; ``burned_before`` cards
burned just before it, the start burn counted once; ``cards_out`` cards dealt, burned and
withdrawn up to and with it; ``left_before`` cards in the shoe before its deal, ``shoe_holds``
all of them;
``all_rounds_before`` true where no round is missing up to here; ``white_no`` the
round in which the white card first came out; ``after_white`` which round after it this is, not
counting logged rounds that are no play; ``missing_since_white``; ``idle_opening`` how many
demonstrations and rounds without bets open the shoe, ``opening_no`` which round of the shoe this
is, ``bets_in_shoe``; ``excess_cards`` the cards of which one copy too many was dealt here,
``suits_known`` true where rank and suit of all cards are known (or such a card was found anyhow).
"""

from __future__ import annotations

import polars as pl

from audit import cards
from audit.resolve.burn import add_burn
from audit.resolve.frames import attach, first_in_shoes, number, running
from audit.resolve.rules import Rules

_DEAL_ORDER = ("p1", "b1", "p2", "b2", "p3", "b3")
_LISTS = ("extra", "withdrawn")
_STEP = 64
"""Shoe and card in one number: ``shoe * _STEP + card``, as a card of known suit is below 52."""
_HOLDS, _OUT = pl.col("shoe_holds"), pl.col("cards_out")
PLAY, DEMO = pl.col("kind") == "play", pl.col("kind") == "demo"


def add_shoe_facts(rounds: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """``rounds`` (sorted, with their bets counted) with the columns above."""
    first = pl.col("rid") == pl.col("first_rid")
    start = first & pl.col("shoe_burned").is_not_null()
    frame = (
        rounds.with_columns(
            first.alias("first_in_shoe"),
            pl.when(start)
            .then("shoe_burned")
            .otherwise(pl.col("burned").fill_null(0))
            .alias("burned_before"),
        )
        .with_columns(*_cards_out(rules), _all_rounds_before(rounds))
        .with_columns((_HOLDS - _OUT + pl.col("dealt_here")).alias("left_before"))
        .drop("dealt_here")
        .pipe(_with_white_card)
        .pipe(add_burn, rules)
        .pipe(_with_opening)
    )
    return attach(frame, excess_copies(frame), ["rid"]).with_columns(_suits_known())


def _suits_known() -> pl.Expr:
    """Whether the copies of the round's cards can be counted: rank and suit of all are known."""
    of_hands = pl.any_horizontal(pl.col(name) >= cards.DECK for name in _DEAL_ORDER)
    of_lists = [pl.col(name).list.eval(pl.element() >= cards.DECK).list.any() for name in _LISTS]
    half_known = pl.any_horizontal(each.fill_null(False) for each in (of_hands, *of_lists))
    told = ~half_known | pl.col("excess_cards").is_not_null()
    return pl.when(told).then(pl.lit(True)).alias("suits_known")


def _cards_out(rules: Rules) -> list[pl.Expr]:
    dealt = pl.col("player_n").cast(pl.Int64) + pl.col("banker_n").cast(pl.Int64)
    withdrawn = pl.col("withdrawn").list.len().fill_null(0).cast(pl.Int64)
    here = pl.col("burned_before") + dealt + withdrawn
    out = running(here)
    deck = rules.each(lambda each: each.value("deck_cards"), pl.Int64).fill_null(cards.DECK)
    holds = pl.col("decks") * deck
    return [
        out.alias("cards_out"),
        here.alias("cards_left_here"),
        holds.alias("shoe_holds"),
        (dealt + withdrawn).alias("dealt_here"),
    ]


def _all_rounds_before(rounds: pl.DataFrame) -> pl.Expr:
    missing = first_in_shoes(rounds["missing_before"] > 0, rounds["shoe"]).gather(rounds["shoe"])
    none = pl.lit(missing.is_null()) | (pl.col("rid") < missing)
    return pl.when(none).then(pl.lit(True)).alias("all_rounds_before")


def _with_white_card(rounds: pl.DataFrame) -> pl.DataFrame:
    """Art. 3(1): numbers missing from the log count as play."""
    shoe = rounds["shoe"]
    white = first_in_shoes(rounds["cut_card"], shoe)
    white_no = rounds["round_no"].gather(white).gather(shoe)
    rounds = rounds.with_columns(
        pl.when(pl.col("rid") >= white.gather(shoe)).then(white_no).alias("white_no")
    )
    # Few rounds come later, so that sums are made of these alone.
    later = rounds.select("rid", "shoe", "kind", "round_no", "white_no", "missing_before").filter(
        pl.col("round_no") > pl.col("white_no")
    )
    others = number(~PLAY).cum_sum().over("shoe")
    after = pl.col("round_no") - pl.col("white_no") - others
    told = later.select(
        "rid",
        pl.when(PLAY).then(after).alias("after"),
        pl.col("missing_before").cum_sum().over("shoe").alias("missing"),
    )
    none = pl.repeat(None, rounds.height, dtype=pl.Int64, eager=True)
    nothing = pl.zeros(rounds.height, pl.Int64, eager=True)
    return rounds.with_columns(
        none.scatter(told["rid"], told["after"]).alias("after_white"),
        nothing.scatter(told["rid"], told["missing"]).alias("missing_since_white"),
    )


def _with_opening(rounds: pl.DataFrame) -> pl.DataFrame:
    """Demonstrations at the very start of a shoe, and play without bets right after them."""
    demo, idle = (
        rounds.select(flag.fill_null(False)).to_series()
        for flag in (DEMO, PLAY & (pl.col("bet_count") == 0))
    )
    begin = rounds["first_rid"].unique(maintain_order=True)
    end = begin.shift(-1, fill_value=rounds.height)
    played = _next(~demo, begin, end)
    opened = _next(~idle, played, end)
    opening = (opened - begin).cast(pl.Int64)
    none = pl.zeros(opening.len(), pl.Int64, eager=True)
    opening = opening.zip_with((played > begin) & (opened > played), none)
    bets = rounds["bet_count"].cast(pl.Int64).cum_sum().gather(end - 1)
    bets = bets - bets.shift(1, fill_value=0)
    return rounds.with_columns(
        (pl.col("rid") - pl.col("first_rid") + 1).alias("opening_no"),
        bets.gather(rounds["shoe"]).alias("bets_in_shoe"),
        opening.gather(rounds["shoe"]).alias("idle_opening"),
    )


def _next(flag: pl.Series, start: pl.Series, end: pl.Series) -> pl.Series:
    """The first row with the ``flag`` of those from ``start`` on; ``end`` if that comes before."""
    rows = flag.arg_true().append(pl.Series([flag.len()], dtype=pl.UInt32))
    found = rows.gather(rows.search_sorted(start))
    return found.zip_with(found < end, end)


def excess_copies(rounds: pl.DataFrame) -> pl.DataFrame:
    """Rounds in which a shoe shows one copy of a card too many: ``rid``, ``excess_cards``.

    Art. 1: a shoe of n decks holds n copies of each card. All cards of the log are counted in
    one pass; only the shoes that have too many are then gone through in dealing order.
    """
    known = {"rid": rounds.schema["rid"], "excess_cards": pl.List(pl.UInt8)}
    shoes = rounds.select("rid", "shoe", "device", "decks", *_DEAL_ORDER, *_LISTS).filter(
        (pl.col("device") == "shoe") & pl.col("decks").is_not_null()
    )
    suspects = _with_too_many(shoes)
    if suspects.is_empty():
        return pl.DataFrame(schema=known)
    dealt = pl.concat_list(*_DEAL_ORDER, "extra_or_none", "withdrawn_or_none").list.drop_nulls()
    empty = pl.lit([], pl.List(pl.UInt8))
    return (
        shoes.filter(pl.col("shoe").is_in(suspects.implode()))
        .with_columns(
            pl.col("extra").fill_null(empty).alias("extra_or_none"),
            pl.col("withdrawn").fill_null(empty).alias("withdrawn_or_none"),
        )
        .select("rid", "shoe", "decks", dealt.alias("card"))
        .explode("card")
        .filter(pl.col("card") < cards.DECK)
        .filter(pl.col("card").cum_count().over("shoe", "card") == pl.col("decks") + 1)
        .group_by("rid", maintain_order=True)
        .agg(pl.col("card").alias("excess_cards"))
    )


def _with_too_many(shoes: pl.DataFrame) -> pl.Series:
    """The shoes that show more copies of some card than they have decks, in no fixed order."""
    single = [shoes.select("shoe", pl.col(name).alias("card")) for name in _DEAL_ORDER]
    several = [
        shoes.select("shoe", pl.col(name).alias("card")).drop_nulls().explode("card")
        for name in _LISTS
    ]
    numbered = pl.when(pl.col("card") < cards.DECK).then(pl.col("shoe") * _STEP + pl.col("card"))
    dealt = pl.concat(each.select(numbered.alias("dealt")) for each in (*single, *several))
    # Sorted, the copies of a card lie side by side, which is quicker to count than by groups.
    copies = dealt.to_series().drop_nulls().sort().rle().struct.unnest()
    decks = shoes.group_by("shoe").agg(pl.col("decks").first())
    return (
        copies.with_columns((pl.col("value") // _STEP).alias("shoe"))
        .join(decks, on="shoe")
        .filter(pl.col("len") > pl.col("decks"))["shoe"]
        .unique()
    )
