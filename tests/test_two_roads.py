"""The resolver against the replay, which were written apart, over every sequence of points.

Six points in dealing order, P1 B1 P2 B2 and the next two cards, make 1,000,000 sequences. Dealt
rightly or wrongly (each hand draws or does not), they come to 1,210,000 different hands: 10,000
times eleven third cards of Player, none included, times eleven of Banker. All of them go through
the resolver and the checks of art. 9.
"""

from __future__ import annotations

from datetime import datetime
from itertools import product
from random import Random

import polars as pl
import pytest

from audit.cards import POINTS_ONLY
from audit.checks import CHECKS
from audit.normalise.rows import schema_of
from audit.replay import draws, replay_hand
from audit.resolve import Options, Rules, resolve_shoes
from audit.resolve.places import places
from audit.rulebook import load_rulebook
from audit.schema import ROUNDS, TABLES

OPTIONS = Options(rules="64-2007")
RULES = Rules.of(load_rulebook(), OPTIONS)
RULE_SET = RULES.sets[0]
CODES = [f"A090{n}" for n in range(1, 8)]
NONE = 10
"""Stands for "no third card" beside the points 0-9."""
SHOE = 1000
"""Rounds of one shoe in the frame."""


def every_hand() -> pl.DataFrame:
    """Each of the 1,210,000 hands once, in the order of ``number``; the rest is empty."""
    first = [pl.DataFrame({name: range(10)}) for name in ("p1", "b1", "p2", "b2")]
    third = [pl.DataFrame({name: range(11)}) for name in ("p3", "b3")]
    frame = first[0]
    for other in (*first[1:], *third):
        frame = frame.join(other, how="cross", maintain_order="left_right")
    number = pl.int_range(pl.len())
    cards = {name: pl.col(name) for name in ("p1", "b1", "p2", "b2")}
    cards |= {name: pl.when(pl.col(name) < NONE).then(name) for name in ("p3", "b3")}
    frame = frame.select(
        *((POINTS_ONLY + card).cast(pl.UInt8).alias(name) for name, card in cards.items()),
        *(
            (2 + (pl.col(f"{hand}3") < NONE)).cast(pl.UInt8).alias(f"{name}_n")
            for hand, name in (("p", "player"), ("b", "banker"))
        ),
        casino=pl.lit("-"),
        table_id=pl.lit("T"),
        shoe_id=(number // SHOE).cast(pl.String).str.zfill(4),
        round_no=number % SHOE + 1,
        started_at=pl.lit(datetime(2007, 7, 1), pl.Datetime("us")),
        kind=pl.lit("play"),
        initial_missing=pl.lit(0, pl.UInt8),
        source=pl.lit("rounds.csv"),
        row=number + 1,
    )
    return frame.select(
        pl.col(name) if name in frame.columns else pl.lit(None, dtype).alias(name)
        for name, dtype in schema_of(ROUNDS).items()
    )


def number_of(p1: int, b1: int, p2: int, b2: int, p3: int, b3: int) -> int:
    """Place of a hand in ``every_hand``."""
    return (((p1 * 10 + b1) * 10 + p2) * 10 + b2) * 121 + p3 * 11 + b3


def flag_bits(codes: tuple[str, ...]) -> int:
    return sum(1 << CODES.index(code) for code in codes)


@pytest.fixture(scope="module")
def resolved() -> pl.DataFrame:
    """Totals, winner and the broken codes (as bits) of every hand, by the resolver."""
    tables = {table.name: pl.DataFrame(schema=schema_of(table)) for table in TABLES}
    tables["bets"] = tables["bets"].with_columns(bet_id_recorded=pl.lit(None, pl.Boolean))
    tables["rounds"], tables["bets"] = (
        frame.with_columns(place)
        for frame, place in zip(
            (every_hand(), tables["bets"]), places((every_hand(), tables["bets"])), strict=True
        )
    )
    present = {"rounds": frozenset(schema_of(ROUNDS))}
    none = pl.DataFrame(schema={"place": pl.Int64})
    rounds = resolve_shoes(tables, none, present, RULES, OPTIONS).rounds
    assert rounds["row"].is_sorted()
    bits = pl.lit(0)
    for check in CHECKS:
        if check.code in CODES:
            (breach,) = check.breaches()
            broken = (breach.scope & breach.breaks).fill_null(False)
            bits = bits + broken.cast(pl.Int64) * flag_bits((check.code,))
    return rounds.select(
        bits.alias("bits"),
        pl.col("by_player_total", "by_banker_total").cast(pl.Int64),
        pl.col("by_outcome").cast(pl.String),
    )


def test_a_million_sequences_dealt_by_the_rules(resolved: pl.DataFrame) -> None:
    places, player_totals, banker_totals, winners = [], [], [], []
    for points in product(range(10), repeat=6):
        player_cards, banker_cards, player, banker, winner = draws(points, RULE_SET)
        fifth, sixth = points[4:]
        third = fifth if player_cards == 3 else NONE
        last = NONE if banker_cards == 2 else fifth if third == NONE else sixth
        places.append(number_of(*points[:4], third, last))
        player_totals.append(player)
        banker_totals.append(banker)
        winners.append(winner)
    found = resolved.select(pl.all().gather(pl.Series(places)))
    expected = pl.DataFrame(
        {
            "bits": pl.repeat(0, len(places), dtype=pl.Int64, eager=True),
            "by_player_total": player_totals,
            "by_banker_total": banker_totals,
            "by_outcome": winners,
        }
    )
    assert found.equals(expected)


def judged(p1: int, b1: int, p2: int, b2: int, p3: int, b3: int) -> tuple[int, int, int, str]:
    """What the replay says of one hand, in the columns of ``resolved``."""
    player = [POINTS_ONLY + card for card in (p1, p2, p3) if card != NONE]
    banker = [POINTS_ONLY + card for card in (b1, b2, b3) if card != NONE]
    hand = replay_hand(player, banker, RULE_SET)
    assert hand.player_total is not None
    assert hand.banker_total is not None
    assert hand.winner is not None
    return flag_bits(hand.breaches), hand.player_total, hand.banker_total, hand.winner


def test_every_wrong_way_to_draw_has_the_code_that_the_replay_gives(
    resolved: pl.DataFrame,
) -> None:
    # The replay's verdict depends on two-card totals, on Player's third card and on whether
    # Banker drew: each of these 2,200 situations is replayed once, with cards chosen at random.
    random = Random(1)
    rows = []
    for player, banker, third, drew in product(range(10), range(10), range(11), range(2)):
        p1, b1 = random.randrange(10), random.randrange(10)
        last = random.randrange(10) if drew else NONE
        hand = (p1, b1, (player - p1) % 10, (banker - b1) % 10, third, last)
        rows.append((player, banker, third, drew, judged(*hand)[0]))
    names = ["p_two", "b_two", "p3", "drew", "expected"]
    situations = pl.DataFrame(rows, schema=names, orient="row")
    number = pl.int_range(pl.len())
    p1, b1, p2, b2 = (number // 121 // 10**n % 10 for n in (3, 2, 1, 0))
    compared = resolved.select(
        "bits",
        p_two=(p1 + p2) % 10,
        b_two=(b1 + b2) % 10,
        p3=number // 11 % 11,
        drew=(number % 11 < NONE).cast(pl.Int64),
    ).join(situations, on=names[:4], how="left", maintain_order="left")
    assert compared.height == 1_210_000
    assert compared.filter(pl.col("bits").ne_missing(pl.col("expected"))).is_empty()
    # Lawful: for each of the 10,000 first four cards one way to go on, with any further cards.
    lawful = (resolved["bits"] == 0).sum()
    assert lawful == len(_lawful_places())


def _lawful_places() -> set[int]:
    """Places of the hands that can be dealt by the rules."""
    places = set()
    for first in product(range(10), repeat=4):
        player_cards, *_ = draws((*first, 0, 0), RULE_SET)
        for third in range(10) if player_cards == 3 else (NONE,):
            fifth = 0 if third == NONE else third
            _, banker_cards, *_ = draws((*first, fifth, 0), RULE_SET)
            lasts = range(10) if banker_cards == 3 else (NONE,)
            places |= {number_of(*first, third, last) for last in lasts}
    return places


def test_hands_replayed_whole(resolved: pl.DataFrame) -> None:
    random = Random(2)
    hands = [
        (*(random.randrange(10) for _ in range(4)), random.randrange(11), random.randrange(11))
        for _ in range(5000)
    ]
    found = resolved.select(pl.all().gather(pl.Series([number_of(*hand) for hand in hands])))
    assert found.rows() == [judged(*hand) for hand in hands]
