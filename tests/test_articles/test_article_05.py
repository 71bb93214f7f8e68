"""Art. 5: face cards, tens and totals of ten count zero; a total is taken modulo ten."""

from __future__ import annotations

from tests.support import audited

HEAD = "player_cards,banker_cards,player_total,banker_total\n"


def test_5_1_tens_and_face_cards_count_zero() -> None:
    rows = [f"{card} 7H,KD 7C,7,7\nKD 7C,{card} 7H,7,8\n" for card in ("10S", "JS", "QS", "KS")]
    assert audited(HEAD + "".join(rows)) == [(n, "A0502") for n in (2, 4, 6, 8)]


def test_5_1_the_rest_count_their_face_value() -> None:
    # Banker's 9 is a natural, so that Player stands on whatever it has.
    ranks = ["A", *map(str, range(2, 10))]
    right = [f"{rank}S KH,KD 9C,{points},9\n" for points, rank in enumerate(ranks, 1)]
    wrong = [f"{rank}S KH,KD 9C,{points},9\n" for points, rank in enumerate(ranks)]
    assert audited(HEAD + "".join(right)) == []
    assert audited(HEAD + "".join(wrong)) == [(n, "A0501") for n in range(1, 10)]


def test_5_2_totals_are_modulo_ten() -> None:
    assert audited(f"{HEAD}9S 9H,9D 8C,8,7\n") == []
    assert audited(f"{HEAD}5S 5H 6D,8D 8C 4H,6,0\n") == [], "ten, and twenty, are zero"
    assert audited(f"{HEAD}5S 5H 6D,8D 8C 4H,5,9\n") == [(1, "A0501"), (1, "A0502")]


def test_5_nine_is_best() -> None:
    assert audited("player_cards,banker_cards,outcome\n9S KH,KD 8C,player\n") == []
    assert audited("player_cards,banker_cards,outcome\n9S KH,KD 8C,banker\n") == [(1, "A1101")]


def test_5_a_total_of_a_hand_of_four_cards_counts_them_all() -> None:
    assert audited(f"{HEAD}2S 2H 3D 4C,KD 7C,1,7\n") == [(1, "A0907")]


def test_5_a_wrong_record_with_right_money_is_a_warning() -> None:
    rounds = f"{HEAD}KS 9H,KD 7C,8,7\n"
    right, wrong = "bet,paid\nplayer,200\n", "bet,paid\nplayer,190\n"
    show = "code severity"
    assert audited(rounds, show=show) == [("A0501", "violation")]
    assert audited(rounds, right, show=show) == [("A0501", "warning")]
    assert audited(rounds, wrong, show=show) == [("A0501", "violation"), ("A1701", "violation")]
