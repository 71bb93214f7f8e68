"""Art. 9: the third card, paragraph by paragraph, for every total and every third card.

Each test deals the lawful hand and its opposite. Totals and winner are not recorded here, so
that a draw is all that can be wrong.
"""

from __future__ import annotations

import pytest

from tests.support import audited, hands

RANK = ("K", "A", "2", "3", "4", "5", "6", "7", "8", "9")
"""A card of each number of points."""


def two(points: int, suits: str) -> str:
    """Two cards of so many points."""
    return f"Q{suits[0]} {RANK[points]}{suits[1]}"


def deal(player: int, third: int | None, banker: int, banker_third: int | None) -> str:
    """A hand by its two-card totals and the points of its third cards."""
    cards = ["" if card is None else f" {RANK[card]}C" for card in (third, banker_third)]
    return f"{two(player, 'SH')}{cards[0]} / {two(banker, 'DC')}{cards[1]}"


def found(*rounds: str) -> list[tuple[int, str]]:
    return audited(hands(*rounds))


def articles(*rounds: str, kind: str = "free") -> list[tuple[str, str]]:
    return audited(hands("kind:", *(f"{each} / {kind}" for each in rounds)), show="code article")


# 9(1) and 9(2): Player


def test_9_1_player_must_draw_on_0_to_5() -> None:
    drew = [deal(total, 0, 7, None) for total in range(6)]
    stood = [deal(total, None, 7, None) for total in range(6)]
    assert found(*drew) == []
    assert found(*stood) == [(n, "A0901") for n in range(1, 7)]
    assert articles(stood[0]) == [("A0901", "9(1)")]


def test_9_2_player_must_not_draw_on_6_or_7() -> None:
    assert found(deal(6, None, 7, None), deal(7, None, 7, None)) == []
    assert found(deal(6, 0, 7, None), deal(7, 9, 7, None)) == [(1, "A0902"), (2, "A0902")]
    assert articles(deal(6, 0, 7, None)) == [("A0902", "9(2)")]


def test_9_2_player_must_not_draw_on_8_or_9() -> None:
    assert found(deal(8, None, 0, None), deal(9, None, 0, None)) == []
    assert found(deal(8, 0, 0, None), deal(9, 0, 0, None)) == [(1, "A0903"), (2, "A0903")]


@pytest.mark.parametrize("natural", [8, 9])
def test_9_2_player_must_not_draw_against_a_banker_natural(natural: int) -> None:
    stood = [deal(total, None, natural, None) for total in range(10)]
    drew = [deal(total, 0, natural, None) for total in range(10)]
    assert found(*stood) == []
    assert found(*drew) == [(n, "A0903") for n in range(1, 11)]


# 9(3) and 9(4): Banker. Player has 0 and draws the card in question.

TABLE = {
    0: ("0123456789", "9(3)(1)", ""),
    1: ("0123456789", "9(3)(1)", ""),
    2: ("0123456789", "9(3)(1)", ""),
    3: ("012345679", "9(3)(2)", "9(4)(1)"),
    4: ("234567", "9(3)(3)", "9(4)(2)"),
    5: ("4567", "9(3)(4)", "9(4)(3)"),
    6: ("67", "9(3)(5)", "9(4)(4)"),
    7: ("", "", "9(4)(5)"),
}
"""Banker's two cards: Player's third cards on which Banker draws, and the paragraphs."""


def judge_banker(banker: int) -> None:
    """Both ways to play each third card of Player, against the law's table."""
    draws_on, owed, forbidden = TABLE[banker]
    rounds = [deal(0, third, banker, last) for third in range(10) for last in (0, None)]
    expected = []
    for third in range(10):
        if str(third) in draws_on:
            expected.append((2 * third + 2, "A0904", owed))
        else:
            expected.append((2 * third + 1, "A0905", forbidden))
    log = hands("kind:", *(f"{each} / free" for each in rounds))
    assert audited(log, show="round_no code article") == expected


@pytest.mark.parametrize("banker", [0, 1, 2])
def test_9_3_1_banker_with_0_1_2_always_draws(banker: int) -> None:
    judge_banker(banker)


def test_9_3_2_and_9_4_1_banker_with_3_stands_on_8_only() -> None:
    judge_banker(3)


def test_9_3_3_and_9_4_2_banker_with_4_draws_on_2_to_7() -> None:
    judge_banker(4)


def test_9_3_4_and_9_4_3_banker_with_5_draws_on_4_to_7() -> None:
    judge_banker(5)


def test_9_3_5_and_9_4_4_banker_with_6_draws_on_6_and_7() -> None:
    judge_banker(6)


def test_9_4_5_banker_with_7_never_draws() -> None:
    judge_banker(7)


def test_9_3_6_banker_with_0_to_5_draws_when_player_stood() -> None:
    drew = [deal(6, None, banker, 0) for banker in range(6)]
    stood = [deal(6, None, banker, None) for banker in range(6)]
    assert found(*drew) == []
    assert found(*stood) == [(n, "A0904") for n in range(1, 7)]
    assert set(articles(*stood)) == {("A0904", "9(3)(6)")}


def test_9_4_4_and_9_4_5_banker_with_6_or_7_stands_when_player_stood() -> None:
    assert found(deal(6, None, 6, None), deal(7, None, 7, None)) == []
    drew = (deal(6, None, 6, 0), deal(7, None, 7, 0))
    assert articles(*drew) == [("A0905", "9(4)(4)"), ("A0905", "9(4)(5)")]


def test_9_4_5_banker_with_8_or_9_never_draws() -> None:
    drew = (deal(3, None, 8, 0), deal(3, None, 9, 0))
    assert articles(*drew) == [("A0906", "9(4)(5)"), ("A0906", "9(4)(5)")]


@pytest.mark.parametrize("natural", [8, 9])
def test_9_4_6_banker_must_not_draw_against_a_player_natural(natural: int) -> None:
    stood = [deal(natural, None, banker, None) for banker in range(8)]
    drew = [deal(natural, None, banker, 0) for banker in range(8)]
    assert found(*stood) == []
    assert articles(*drew) == [("A0906", "9(4)(6)")] * 8


def test_9_one_additional_card_at_most() -> None:
    # Whatever else was wrong with either hand, this alone is reported, and once.
    assert found("2S 2H 3D 4C / KD 7C", "KS 7H / 2D 2C 3H 4S", "2S 2H 2D 2C 2S / KD KC KH KS") == [
        (1, "A0907"),
        (2, "A0907"),
        (3, "A0907"),
    ]


# Banker is judged on what Player did, and the article cites art. 10 on a round of play


def test_9_3_6_one_mistake_of_player_is_one_finding() -> None:
    # Player stood on 4 wrongly. Banker, with 6, stands: right for a Player that did not draw.
    assert found(deal(4, None, 6, None)) == [(1, "A0901")]


def test_9_3_5_banker_follows_the_card_that_player_took_wrongly() -> None:
    assert found(deal(6, 7, 6, 0)) == [(1, "A0902")]
    assert found(deal(6, 7, 6, None)) == [(1, "A0902"), (1, "A0904")]


def test_10_is_cited_beside_9_on_a_round_of_play() -> None:
    assert articles(deal(0, None, 7, None), kind="play") == [("A0901", "9(1), 10")]
    assert articles(deal(0, None, 7, None), kind="demo") == [("A0901", "9(1)")]


# The classic mistakes


def test_classic_banker_follows_the_third_card_and_not_players_total() -> None:
    # Player 2 3 draws a 6: its total is 1, its card 6. Banker, with 6, must draw on the card.
    assert found("2S 3H 6C / QD 6S KC") == []
    assert found("2S 3H 6C / QD 6S") == [(1, "A0904")]
    # Player A A draws a 5: its total is 7. Banker, with 6, must not draw on a 5.
    assert found("AS AH 5C / QD 6S KC") == [(1, "A0905")]


def test_classic_eight_or_nine_with_three_cards_is_no_natural() -> None:
    # Player 2 3 draws a 4 and has 9: Banker, with 5, must still draw on the 4.
    assert found("2S 3H 4C / QD 5S KC") == []
    assert found("2S 3H 4C / QD 5S") == [(1, "A0904")]
    # Banker's 8 with three cards does not stop a Player that drew before it.
    assert found("2S 3H 4C / QD 4S 4H") == []


def test_classic_standing_is_no_third_card_of_zero() -> None:
    # Banker with 5: draws when Player stood, stands when Player's third card counts zero.
    assert found(deal(6, None, 5, 0), deal(0, 0, 5, None)) == []
    assert found(deal(6, None, 5, None), deal(0, 0, 5, 0)) == [(1, "A0904"), (2, "A0905")]
    assert found(deal(7, None, 4, None), deal(0, 0, 4, 0)) == [(1, "A0904"), (2, "A0905")]


def test_classic_ties_do_not_lose_player_and_banker_bets() -> None:
    tie = hands(deal(7, None, 7, None))
    assert audited(tie, "bet,paid\nplayer,100\nbanker,100\n") == []
    assert audited(tie, "bet,paid\nplayer,0\nbanker,0\n") == [(1, "A1202"), (1, "A1202")]
