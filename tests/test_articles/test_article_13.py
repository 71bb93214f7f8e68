"""Art. 13: the bets on offer, version by version, and what a pair is."""

from __future__ import annotations

import pytest

from tests.support import NATURAL, audited, hands

R = hands(NATURAL)
DAYS = {
    "55-2004": "2005-11-28",
    "73-2005": "2007-02-22",
    "30-2007": "2007-06-25",
    "64-2007": "2007-06-26",
}


@pytest.mark.parametrize("day", DAYS.values(), ids=DAYS)
def test_13_1_1_to_3_player_banker_and_tie_always(day: str) -> None:
    assert audited(R, "bet,paid\nplayer,200\nbanker,0\ntie,0\n", day=day) == []


@pytest.mark.parametrize("day", DAYS.values(), ids=DAYS)
def test_13_1_4_1_pairs_in_every_version(day: str) -> None:
    basis = "inferred" if day < "2007-02-23" else "stated"
    rounds = hands("player_pair:", f"{NATURAL} / true")
    show = "code basis"
    assert audited(rounds, "bet,paid\nplayer_pair,0\n", day=day, select=["A13"], show=show) == [
        ("A1302", basis)
    ]


def test_13_1_4_2_the_jackpot_from_30_2007_on() -> None:
    bets = "bet,paid\njackpot,0\n"
    found = {name: audited(R, bets, day=day, select=["A13"]) for name, day in DAYS.items()}
    assert found == {
        "55-2004": [(1, "A1301")],
        "73-2005": [(1, "A1301")],
        "30-2007": [],
        "64-2007": [],
    }


def test_13_no_other_bet() -> None:
    # Its payout is nobody's rule: whatever it was paid, there is one finding.
    bets = "bet,paid\nlucky_6,1300\nsuper6,0\ndragon,100\n任何,5\n"
    assert audited(R, bets, show="code bet_id amount") == [
        ("A1301", str(n), None) for n in range(1, 5)
    ]


def test_13_1_1_player_by_any_of_its_names() -> None:
    words = ("P", "閒", "闲", "Jogador", "ponto", "PLAYER")
    bets = "bet,paid\n" + "".join(f"{word},0\n" for word in words)
    assert audited(R, bets, show="code bet_id") == [("A1703", str(n)) for n in range(1, 7)]


PAIRS = {
    "JS JH": True,
    "JS JS": True,  # the suits do not matter
    "JS QH": False,  # equal points are no equal rank
    "10S KH": False,
    "4S 5H 5D": False,  # only the first two cards
    "AS AH KC": True,
}


def test_13_1_4_1_a_pair_is_two_first_cards_of_one_rank() -> None:
    right = hands(
        "player_pair:", *(f"{cards} / KD 9C / {int(is_)}" for cards, is_ in PAIRS.items())
    )
    wrong = hands(
        "player_pair:", *(f"{cards} / KD 9C / {int(not is_)}" for cards, is_ in PAIRS.items())
    )
    assert audited(right, select=["A13"]) == []
    assert audited(wrong, select=["A13"], show="round_no subject") == [
        (n, "player") for n in range(1, 7)
    ]


def test_13_1_4_1_each_hand_has_its_own_flag() -> None:
    rounds = hands("player_pair banker_pair:", "9S 9H / KD 7C / 0 / 1")
    assert audited(rounds, show="code subject") == [("A1302", "banker"), ("A1302", "player")]
