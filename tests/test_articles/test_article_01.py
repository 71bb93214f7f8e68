"""Art. 1: six to twelve decks."""

from __future__ import annotations

from tests.support import audited

ROUNDS = "shoe_id,round_no,player_cards,banker_cards\n"


def test_1_1_six_to_twelve_decks() -> None:
    numbers = (5, 6, 8, 12, 13)
    rounds = ROUNDS + "".join(f"S{n:02},1,KS 9H,KD 7C\n" for n in numbers)
    shoes = "shoe_id,decks\n" + "".join(f"S{n:02},{n}\n" for n in numbers)
    assert audited(rounds, "", shoes, show="shoe_id code") == [("S05", "A0101"), ("S13", "A0101")]


def test_1_1_a_number_given_with_the_run_is_no_record() -> None:
    assert audited(ROUNDS + "S1,1,KS 9H,KD 7C\n", decks=5) == []
