"""Art. 17: payouts, net odds on top of the stake."""

from __future__ import annotations

import pytest

from tests.support import BANKER_WINS, NATURAL, TIE, audited, hands

PAIRS = "9S 9H / 4D 4C"
"""Both hands are pairs, and naturals of 8."""


def money(hand: str, *bets: str) -> list[tuple[str, str, str]]:
    """Bet, code and amount of each finding on bets of 100, written ``bet,paid``."""
    log = "bet_id,bet,paid\n" + "".join(f"{n},{bet}\n" for n, bet in enumerate(bets, 1))
    rounds = hands("commission:", f"{hand} / commission")
    return audited(rounds, log, show="bet_id code amount")


WINS = [
    (NATURAL, "player", 200),
    (BANKER_WINS, "banker", 195),
    (TIE, "tie", 900),
    (PAIRS, "player_pair", 1200),
    (PAIRS, "banker_pair", 1200),
]
"""Paragraphs (1), (1) with art. 18(1), (2), (3) and (3): what a stake of 100 gets back."""
IDS = ["17_1_player", "17_1_banker", "17_2_tie", "17_3_player_pair", "17_3_banker_pair"]


@pytest.mark.parametrize(("hand", "bet", "due"), WINS, ids=IDS)
def test_17_a_won_bet(hand: str, bet: str, due: int) -> None:
    amounts = (due, due - 0.5, due + 20, 0)
    assert sorted(money(hand, *(f"{bet},{amount}" for amount in amounts))) == [
        ("2", "A1701", "-0.5"),
        ("3", "A1702", "20"),
        ("4", "A1703", f"-{due}"),
    ]


LOST = [
    (BANKER_WINS, "player"),
    (NATURAL, "banker"),
    (NATURAL, "tie"),
    (NATURAL, "player_pair"),
    ("9S 9H / KD 7C", "banker_pair"),
]


@pytest.mark.parametrize(("hand", "bet"), LOST, ids=[bet for _, bet in LOST])
def test_17_a_lost_bet(hand: str, bet: str) -> None:
    assert money(hand, f"{bet},0", f"{bet},0.0001", f"{bet},100") == [
        ("2", "A1704", "0.0001"),
        ("3", "A1704", "100"),
    ]


def test_17_the_articles_cited() -> None:
    rounds = hands(NATURAL, BANKER_WINS, TIE, PAIRS, NATURAL)
    bets = """
    round_no,bet,paid
    1,player,1
    2,banker,1
    3,tie,1
    4,player_pair,1
    4,banker_pair,1
    """
    assert audited(rounds, bets, show="article") == [
        ("17(1)",), ("17(1)",), ("17(2)",), ("17(3)",), ("17(3)",)
    ]  # fmt: skip


def test_17_the_outcome_by_the_cards_decides_and_not_the_record() -> None:
    rounds = hands("outcome:", f"{NATURAL} / banker")
    assert audited(rounds, "bet,paid\nbanker,195\n") == [(1, "A1101"), (1, "A1704")]


def test_17_a_bet_taken_back_before_the_deal_gets_its_stake() -> None:
    bets = "bet,paid,disposition\n" + "".join(f"player,{n},cancelled\n" for n in (100, 0, 60, 200))
    assert audited(hands(NATURAL), bets, show="code bet_id amount") == [
        ("A1701", "2", "-100"),
        ("A1701", "3", "-40"),
        ("A1702", "4", "100"),
    ]


def test_17_a_prize_paid_elsewhere_is_not_judged() -> None:
    assert audited(hands(NATURAL), "bet,paid,disposition\nplayer,0,handpay\n") == []


def test_17_money_is_exact() -> None:
    # 0.0003 at 11 to 1 is 0.0036; binary floating point would not have it so.
    bets = "bet,stake,paid\nplayer_pair,0.0003,0.0036\nplayer_pair,0.0003,0.0037\n"
    assert audited(hands(PAIRS), bets, show="bet_id code amount") == [("2", "A1702", "0.0001")]
