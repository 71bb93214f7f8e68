"""Art. 17: payouts, net odds on top of the stake."""

from __future__ import annotations

import pytest

from tests.support import BANKER_WINS, NATURAL, TIE, audited, hands

PAIRS = "9S 9H / 4D 4C"
"""Both hands are pairs, and naturals of 8."""


def money(hand: str, bet: str, paid: str, **options: str) -> list[tuple[str, str]]:
    bets = f"bet,paid\n{bet},{paid}\n"
    return audited(hands(hand), bets, show="code amount", **options)


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
    scheme = {"commission": "commission"}
    assert money(hand, bet, str(due), **scheme) == []
    assert money(hand, bet, f"{due - 1}.5", **scheme) == [("A1701", "-0.5")]
    assert money(hand, bet, f"{due + 20}", **scheme) == [("A1702", "20")]
    assert money(hand, bet, "0", **scheme) == [("A1703", f"-{due}")]


@pytest.mark.parametrize(
    ("hand", "bet"),
    [
        (BANKER_WINS, "player"),
        (NATURAL, "banker"),
        (NATURAL, "tie"),
        (NATURAL, "player_pair"),
        ("9S 9H / KD 7C", "banker_pair"),
    ],
)
def test_17_a_lost_bet(hand: str, bet: str) -> None:
    assert money(hand, bet, "0") == []
    assert money(hand, bet, "0.0001") == [("A1704", "0.0001")]
    assert money(hand, bet, "100") == [("A1704", "100")]


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
    bets = "bet,paid,disposition\nplayer,{},cancelled\n"
    found = [
        audited(hands(NATURAL), bets.format(paid), show="code amount")
        for paid in ("100", "0", "60", "200")
    ]
    assert found == [[], [("A1701", "-100")], [("A1701", "-40")], [("A1702", "100")]]


def test_17_a_prize_paid_elsewhere_is_not_judged() -> None:
    assert audited(hands(NATURAL), "bet,paid,disposition\nplayer,0,handpay\n") == []


def test_17_money_is_exact() -> None:
    # 0.0003 at 11 to 1 is 0.0036; binary floating point would not have it so.
    bets = "bet,stake,paid\nplayer_pair,0.0003,{}\n"
    assert audited(hands(PAIRS), bets.format("0.0036")) == []
    assert audited(hands(PAIRS), bets.format("0.0037"), show="code amount") == [("A1702", "0.0001")]
