"""Art. 18: five per cent of a Banker win, or none and half the stake on a win with six."""

from __future__ import annotations

import pytest

from tests.support import BANKER_SIX, BANKER_WINS, NATURAL, audited, hands

WITH, WITHOUT = "commission", "no_commission"


def paid(hand: str, scheme: str | None, *amounts: str) -> dict[str, tuple[str, str | None]]:
    """Code and amount by what a Banker bet of 100 was paid, where there is a finding."""
    bets = "bet_id,bet,paid\n" + "".join(f"{amount},banker,{amount}\n" for amount in amounts)
    found = audited(hands(hand), bets, show="bet_id code amount", commission=scheme)
    return {amount: (code, difference) for amount, code, difference in found}


def test_18_1_five_per_cent_of_the_winnings() -> None:
    assert paid(BANKER_WINS, WITH, "195", "200") == {"200": ("A1801", "5")}
    assert paid(BANKER_SIX, WITH, "195", "200", "150") == {
        "200": ("A1801", "5"),
        "150": ("A1701", "-45"),
    }


def test_18_2_no_commission_and_half_on_a_six() -> None:
    assert paid(BANKER_WINS, WITHOUT, "200", "195") == {"195": ("A1803", "-5")}
    assert paid(BANKER_SIX, WITHOUT, "150", "200", "195") == {
        "200": ("A1802", "50"),
        "195": ("A1702", "45"),
    }


def test_18_2_a_six_of_three_cards_is_a_six() -> None:
    # Player 7 5 is 2 and draws a 3: 5. Banker K 3 draws a 3 on it: 6.
    assert paid("7S 5H 3C / KD 3C 3H", WITHOUT, "150", "200") == {"200": ("A1802", "50")}


def test_18_2_three_cards_of_another_total_are_not_halved() -> None:
    assert paid("7S 5H 3C / KD 3C 4H", WITHOUT, "200") == {}


def test_18_unknown_scheme_accepts_either_amount() -> None:
    assert paid(BANKER_WINS, None, "195", "200", "190", "196", "201", "0") == {
        "190": ("A1701", None),
        "196": ("A1702", None),
        "201": ("A1702", None),
        "0": ("A1703", None),
    }
    assert paid(BANKER_SIX, None, "150", "195", "200") == {"200": ("A1702", None)}


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


def judged(hand: str, scheme: str, bets: str, **options: str) -> list[tuple[str, str]]:
    return audited(hands(hand), bets, show="bet_id code", commission=scheme, **options)


def test_18_1_the_commission_recorded() -> None:
    bets = """
    bet,paid,commission_taken
    banker,195,5
    banker,200,5
    banker,195,4
    banker,200,4
    player,0,1
    """
    assert judged(BANKER_WINS, WITH, bets) == [
        ("4", "A1801"),
        ("3", "A1805"),
        ("4", "A1805"),
        ("5", "A1805"),
    ]


def test_18_2_half_a_six_recorded_as_commission() -> None:
    bets = "bet,paid,commission_taken\nbanker,150,50\nbanker,150,0\nbanker,200,50\nbanker,150,5\n"
    assert judged(BANKER_SIX, WITHOUT, bets) == [("4", "A1805")]


def test_18_whole_units() -> None:
    # Due on a stake of 50: 97.50. Kept in whole units: 2 or 3.
    amounts = ("97.5", "97", "98", "97.2", "96.9", "98.1")
    bets = "bet,stake,paid\n" + "".join(f"banker,50,{amount}\n" for amount in amounts)
    assert judged(BANKER_WINS, WITH, bets) == [
        ("5", "A1701"),
        ("6", "A1702"),
        ("2", "A1806"),
        ("3", "A1806"),
        ("4", "A1806"),
    ]


def test_18_a_configured_rounding_is_what_is_due() -> None:
    bets = "bet,stake,paid\nbanker,50,98\nbanker,50,97.5\nbanker,50,99\n"
    assert judged(BANKER_WINS, WITH, bets, rounding="1,down") == [("2", "A1701"), ("3", "A1702")]


def test_18_commission_is_of_the_banker_bet_only() -> None:
    assert judged(NATURAL, WITH, "bet,paid\nplayer,195\n") == [("1", "A1701")]
