"""Art. 12: on a tie a Player or Banker bet never loses; it goes back, or stands."""

from __future__ import annotations

import pytest

from tests.support import BANKER_WINS, NATURAL, TIE, audited, hands

T = hands(TIE)


def test_12_a_player_or_banker_bet_goes_back() -> None:
    assert audited(T, "bet,paid\nplayer,100\nbanker,100\n") == []


@pytest.mark.parametrize("bet", ["player", "banker"])
def test_12_it_never_loses_and_never_wins(bet: str) -> None:
    show = "code amount"
    assert audited(T, f"bet,paid\n{bet},0\n", show=show) == [("A1202", "-100")]
    assert audited(T, f"bet,paid\n{bet},99\n", show=show) == [("A1202", "-1")]
    assert audited(T, f"bet,paid\n{bet},200\n", show=show) == [("A1203", "100")]


def test_12_2_it_may_stand_whole_or_reduced() -> None:
    bets = "bet,paid,disposition\nplayer,0,carried\nbanker,40,carried\n"
    assert audited(T, bets) == []


@pytest.mark.parametrize("hand", [NATURAL, BANKER_WINS])
def test_12_2_only_a_tie_lets_a_bet_stand(hand: str) -> None:
    assert audited(hands(hand), "bet,paid,disposition\nbanker,0,carried\n") == [(1, "A1204")]


@pytest.mark.parametrize("bet", ["tie", "player_pair", "banker_pair", "jackpot"])
def test_12_2_only_player_and_banker_bets_stand(bet: str) -> None:
    assert audited(T, f"bet,paid,disposition\n{bet},0,carried\n") == [(1, "A1204")]


@pytest.mark.parametrize("paid", ["100", "200"])
def test_12_2_something_must_stand(paid: str) -> None:
    assert audited(T, f"bet,paid,disposition\nplayer,{paid},carried\n") == [(1, "A1204")]


def test_12_1_a_tie_bet_wins_all_the_same() -> None:
    assert audited(T, "bet,paid\ntie,900\n") == []
    assert audited(T, "bet,paid\ntie,100\n") == [(1, "A1701")]


def test_12_a_tie_missed_or_invented_by_the_record() -> None:
    assert audited(hands("outcome:", f"{TIE} / player", f"{NATURAL} / tie")) == [
        (1, "A1201"),
        (2, "A1201"),
    ]


def test_12_no_commission_is_taken_of_a_returned_bet() -> None:
    bets = "bet,paid,commission_taken\nbanker,100,5\n"
    assert audited(T, bets, commission="commission") == [(1, "A1805")]
