"""Art. 18: five per cent of a Banker win, or none and half the stake on a win with six."""

from __future__ import annotations

import pytest

from tests.support import BANKER_SIX, BANKER_WINS, NATURAL, audited, hands

WITH, WITHOUT = "commission", "no_commission"


def paid(hand: str, scheme: str | None, amount: str, **options: str) -> list[tuple[str, str]]:
    """Code and amount of a Banker bet of 100 that was paid so much."""
    bets = f"bet,paid\nbanker,{amount}\n"
    return audited(hands(hand), bets, show="code amount", commission=scheme, **options)


def test_18_1_five_per_cent_of_the_winnings() -> None:
    assert paid(BANKER_WINS, WITH, "195") == []
    assert paid(BANKER_SIX, WITH, "195") == []
    assert paid(BANKER_WINS, WITH, "200") == [("A1801", "5")]
    assert paid(BANKER_SIX, WITH, "200") == [("A1801", "5")]
    assert paid(BANKER_SIX, WITH, "150") == [("A1701", "-45")]


def test_18_2_no_commission_and_half_on_a_six() -> None:
    assert paid(BANKER_WINS, WITHOUT, "200") == []
    assert paid(BANKER_SIX, WITHOUT, "150") == []
    assert paid(BANKER_SIX, WITHOUT, "200") == [("A1802", "50")]
    assert paid(BANKER_WINS, WITHOUT, "195") == [("A1803", "-5")]
    assert paid(BANKER_SIX, WITHOUT, "195") == [("A1702", "45")]


def test_18_2_a_six_of_three_cards_is_a_six() -> None:
    # Player 7 5 is 2 and draws a 3: 5. Banker K 3 draws a 3 on it: 6.
    hand = "7S 5H 3C / KD 3C 3H"
    assert paid(hand, WITHOUT, "150") == []
    assert paid(hand, WITHOUT, "200") == [("A1802", "50")]


def test_18_2_three_cards_of_another_total_are_not_halved() -> None:
    assert paid("7S 5H 3C / KD 3C 4H", WITHOUT, "200") == []


def test_18_unknown_scheme_accepts_either_amount() -> None:
    assert paid(BANKER_WINS, None, "195") == []
    assert paid(BANKER_WINS, None, "200") == []
    assert paid(BANKER_SIX, None, "150") == []
    assert paid(BANKER_SIX, None, "195") == []
    assert paid(BANKER_WINS, None, "190") == [("A1701", None)]
    assert paid(BANKER_WINS, None, "196") == [("A1702", None)]
    assert paid(BANKER_WINS, None, "201") == [("A1702", None)]
    assert paid(BANKER_SIX, None, "200") == [("A1702", None)]
    assert paid(BANKER_WINS, None, "0") == [("A1703", None)]


@pytest.mark.parametrize("day", ["2004-05-18", "2005-11-28"])
def test_18_2_not_before_73_2005(day: str) -> None:
    rounds = hands("commission:", f"{BANKER_WINS} / no_commission")
    assert audited(rounds, "bet,paid\nbanker,200\n", day=day) == [(1, "A1804")]


def test_18_2_from_73_2005_on() -> None:
    rounds = hands("commission:", f"{BANKER_WINS} / no_commission")
    assert audited(rounds, "bet,paid\nbanker,200\n", day="2005-11-29") == []


def test_18_the_rounds_own_scheme_goes_before_the_shoes() -> None:
    rounds = hands("commission:", f"{BANKER_WINS} / commission", BANKER_WINS)
    bets = "round_no,bet,paid\n1,banker,195\n2,banker,200\n"
    shoes = "commission\nno_commission\n"
    assert audited(rounds, bets, shoes, commission="commission") == []


def test_18_1_the_commission_recorded() -> None:
    bets = "bet,paid,commission_taken\n{}\n"
    found = [
        audited(hands(BANKER_WINS), bets.format(row), commission=WITH)
        for row in ("banker,195,5", "banker,200,5", "banker,195,4", "banker,200,4", "player,0,1")
    ]
    assert found == [[], [], [(1, "A1805")], [(1, "A1801"), (1, "A1805")], [(1, "A1805")]]


def test_18_2_half_a_six_recorded_as_commission() -> None:
    bets = "bet,paid,commission_taken\nbanker,{}\n"
    found = [
        audited(hands(BANKER_SIX), bets.format(row), commission=WITHOUT)
        for row in ("150,50", "150,0", "200,50", "150,5")
    ]
    assert found == [[], [], [], [(1, "A1805")]]


def test_18_whole_units() -> None:
    # Due on a stake of 50: 97.50. Kept in whole units: 2 or 3.
    bets = "bet,stake,paid\nbanker,50,{}\n"
    found = {
        amount: audited(hands(BANKER_WINS), bets.format(amount), show="code", commission=WITH)
        for amount in ("97.5", "97", "98", "97.2", "96.9", "98.1")
    }
    assert found == {
        "97.5": [],
        "97": [("A1806",)],
        "98": [("A1806",)],
        "97.2": [("A1806",)],
        "96.9": [("A1701",)],
        "98.1": [("A1702",)],
    }


def test_18_a_configured_rounding_is_what_is_due() -> None:
    bets = "bet,stake,paid\nbanker,50,{}\n"

    def judged(amount: str) -> list[tuple[str, str]]:
        return audited(
            hands(BANKER_WINS),
            bets.format(amount),
            show="code amount",
            commission=WITH,
            rounding="1,down",
        )

    assert judged("98") == []
    assert judged("97.5") == [("A1701", "-0.5")]
    assert judged("99") == [("A1702", "1")]


def test_18_commission_is_of_the_banker_bet_only() -> None:
    bets = "bet,paid\nplayer,195\n"
    assert audited(hands(NATURAL), bets, commission=WITH) == [(1, "A1701")]
