"""How sample logs are dealt and paid: by art. 9's own words, and wrongly only as asked."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.cards import POINTS, code_of
from audit.sample.bets import due
from audit.sample.dealing import (
    BANKER_DRAWS,
    Dispenser,
    Shoe,
    banker_draws,
    combination,
    deal,
    misdeal,
    total,
)
from audit.sample.records import Truth, money

MUST_STAND = {3: {8}, 4: {0, 1, 8, 9}, 5: {0, 1, 2, 3, 8, 9}, 6: {0, 1, 2, 3, 4, 5, 8, 9}}
"""Art. 9(4)(1)-(4): the same table as 9(3), told from the other side."""


@pytest.mark.parametrize("third", range(10))
@pytest.mark.parametrize("banker", range(8))
def test_banker_table_says_what_art_9_4_says(banker: int, third: int) -> None:
    stands = banker == 7 or third in MUST_STAND.get(banker, set())
    assert banker_draws(banker, third) is not stands
    assert banker_draws(banker, None) is (banker <= 5)
    assert len(BANKER_DRAWS) == 8


@given(seed=st.integers(0, 10**6))
def test_dealt_rounds_obey_art_9(seed: int) -> None:
    hand = deal(Shoe(8, Random(seed)).draw)
    player, banker = total(hand.player[:2]), total(hand.banker[:2])
    natural = player >= 8 or banker >= 8
    assert (len(hand.player) == 3) is (not natural and player <= 5)
    if natural:
        assert len(hand.banker) == 2
    elif len(hand.player) == 2:
        assert (len(hand.banker) == 3) is (banker <= 5)
    else:
        stands = banker == 7 or POINTS[hand.player[2]] in MUST_STAND.get(banker, set())
        assert (len(hand.banker) == 2) is stands


@given(seed=st.integers(0, 10**6))
def test_cards_come_alternately_from_the_front_of_the_shoe(seed: int) -> None:
    shoe = Shoe(6, Random(seed))
    front = shoe.cards[:6]
    hand = deal(shoe.draw)
    p, b = hand.player, hand.banker
    assert [p[0], b[0], p[1], b[1], *p[2:], *b[2:]] == front[: shoe.at]


@given(seed=st.integers(0, 10**6), code=st.sampled_from([f"A090{n}" for n in range(1, 8)]))
def test_a_wrong_deal_is_wrong_in_the_way_asked_for(seed: int, code: str) -> None:
    hand = deal(Shoe(8, Random(seed)).draw, (code,))
    player, banker = total(hand.player[:2]), total(hand.banker[:2])
    natural = player >= 8 or banker >= 8
    third = POINTS[hand.player[2]] if len(hand.player) > 2 else None
    wrong = {
        "A0901": not natural and player <= 5 and len(hand.player) == 2,
        "A0902": not natural and player >= 6 and len(hand.player) == 3,
        "A0903": natural and len(hand.player) == 3,
        "A0904": not natural and banker_draws(banker, third) and len(hand.banker) == 2,
        "A0905": not natural and not banker_draws(banker, third) and len(hand.banker) == 3,
        "A0906": natural and len(hand.banker) == 3,
        "A0907": max(len(hand.player), len(hand.banker)) > 3,
    }
    if hand.error == "A0907":
        # A fourth card comes last: nothing before it was wrong.
        assert wrong["A0907"]
        return
    assert [name for name, is_so in wrong.items() if is_so] == ([code] if hand.error else [])


@given(seed=st.integers(0, 10**6))
def test_a_misdeal_shows_a_card_that_must_not_be(seed: int) -> None:
    hand = misdeal(Shoe(8, Random(seed)).draw)
    player, banker = total(hand.player[:2]), total(hand.banker[:2])
    stands = player >= 6 or banker >= 8
    third = POINTS[hand.player[2]]
    if stands:
        assert (len(hand.player), len(hand.banker)) == (3, 2)
    else:
        assert len(hand.banker) == (4 if banker_draws(banker, third) else 3)


def test_a_dispenser_takes_its_cards_back() -> None:
    device = Dispenser(6, Random(1))
    for _ in range(200):
        device.next_round()
        for _ in range(6):
            device.draw()
    assert Counter(device.cards) == dict.fromkeys(range(52), 6)


def hand_of(text: str) -> list[int]:
    ranks = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}
    return [
        code_of(ranks.get(card[0]) or int(card[0]), "SHDC".index(card[1])) for card in text.split()
    ]


@pytest.mark.parametrize(
    ("player", "banker", "name"),
    [
        ("AS QS TS", "KS JS", "royal"),
        ("AS QS", "KS JS TS", "royal"),
        ("AH QS TS", "KS JS", "paradise"),
        ("AS QH TS", "KS JS", ""),
        ("AS QS", "KS JS", ""),
        ("9S 9S", "9S 9H", "four_of_a_kind"),
        ("9S 9H", "8D 8D", "two_pairs"),
        ("9S 9H", "9D 8D", "three_of_a_kind"),
        ("9S 8H", "9D 9C", "three_of_a_kind"),
        ("JS JH", "2D 8D", "single_pair"),
        ("2S 8H", "JD JC", "single_pair"),
        ("JS QH", "JD QC", ""),
    ],
)
def test_jackpot_combinations_of_art_13(player: str, banker: str, name: str) -> None:
    assert combination(hand_of(player), hand_of(banker)) == name


@pytest.mark.parametrize(
    ("bet", "truth", "scheme", "back"),
    [
        ("player", Truth(9, 6, "player", False, False), "commission", 200_00),
        ("banker", Truth(9, 6, "player", False, False), "commission", 0),
        ("banker", Truth(5, 6, "banker", False, False), "commission", 195_00),
        ("banker", Truth(5, 6, "banker", False, False), "no_commission", 150_00),
        ("banker", Truth(5, 7, "banker", False, False), "no_commission", 200_00),
        ("banker", Truth(6, 6, "tie", False, False), "no_commission", 100_00),
        ("player", Truth(6, 6, "tie", False, False), "commission", 100_00),
        ("tie", Truth(6, 6, "tie", False, False), "commission", 900_00),
        ("tie", Truth(5, 6, "banker", True, True), "commission", 0),
        ("player_pair", Truth(5, 6, "banker", True, False), "commission", 1200_00),
        ("banker_pair", Truth(5, 6, "banker", True, False), "commission", 0),
    ],
)
def test_what_a_bet_of_100_gets_back(bet: str, truth: Truth, scheme: str, back: int) -> None:
    assert due(bet, 100_00, truth, scheme) == back


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "0"), (97_50, "97.5"), (7_05, "7.05"), (-20_00, "-20"), (-50, "-0.5")]
)
def test_money_is_exact_text(cents: int, text: str) -> None:
    assert money(cents) == text
