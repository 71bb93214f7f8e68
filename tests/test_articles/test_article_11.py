"""Art. 11: the higher total wins."""

from __future__ import annotations

import pytest

from tests.support import audited, hands


@pytest.mark.parametrize(
    ("hand", "winner"),
    [
        ("KS 9H / KD 8C", "player"),
        ("KS 6H / KD 7C", "banker"),
        ("2S 2H 4D / KD 7C", "player"),  # 8 with three cards beats 7
        ("2S 2H 4D / KD 9C", "banker"),  # naturals are compared like any other total
    ],
)
def test_11_the_higher_total_wins(hand: str, winner: str) -> None:
    other = {"player": "banker", "banker": "player"}[winner]
    select = ["A11", "A12"]
    assert audited(hands("outcome:", f"{hand} / {winner}"), select=select) == []
    assert audited(hands("outcome:", f"{hand} / {other}"), select=select) == [(1, "A1101")]


def test_11_a_natural_does_not_beat_the_same_total_with_three_cards() -> None:
    # Player drew against a Banker natural 9 and has 9 too: a tie by the cards.
    rounds = hands("outcome:", "2S 3H 4D / KD 9C / tie")
    assert audited(rounds) == [(1, "A0903")]


def test_11_the_cards_as_dealt_decide_and_not_those_that_should_have_been() -> None:
    rounds = hands("outcome:", "2S 3H / KD 7C / banker")
    assert audited(rounds) == [(1, "A0901")]


def test_11_the_record_is_a_warning_where_the_money_is_right() -> None:
    rounds = hands("outcome:", "KS 9H / KD 8C / banker")
    show = "code severity"
    assert audited(rounds, show=show) == [("A1101", "violation")]
    assert audited(rounds, "bet,paid\nplayer,200\n", show=show) == [("A1101", "warning")]
    assert audited(rounds, "bet,paid\nbanker,195\n", show=show) == [
        ("A1101", "violation"),
        ("A1704", "violation"),
    ]


def test_11_void_rounds_have_no_winner() -> None:
    rounds = hands("kind outcome:", "KS 9H / KD 8C / void / banker")
    assert audited(rounds) == [(1, "A1002")]
