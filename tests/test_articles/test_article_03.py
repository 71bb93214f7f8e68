"""Arts. 3 and 4: the last round of a shoe, and exposed cards."""

from __future__ import annotations

from tests.support import NATURAL, audited, hands


def shoe(*rounds: str) -> str:
    """Rounds by kind, ``*`` after the one in which the white card came out."""
    rows = (f"{NATURAL} / {kind.rstrip('*')} / {int(kind.endswith('*'))}" for kind in rounds)
    return hands("kind cut_card:", *rows)


def test_3_1_the_round_of_the_white_card_is_the_last_or_one_more_follows() -> None:
    assert audited(shoe("play", "play*")) == []
    assert audited(shoe("play", "play*", "play")) == []
    assert audited(shoe("play", "play*", "play", "play", "play")) == [(4, "A0301"), (5, "A0301")]


def test_3_1_what_is_no_round_of_play_does_not_count() -> None:
    assert audited(shoe("play*", "free", "play", "free")) == []
    assert audited(shoe("play*", "free", "play", "free", "play")) == [(5, "A0301")]


def test_3_1_a_missing_round_counts_as_play_and_makes_it_a_warning() -> None:
    rounds = """
    round_no,player_cards,banker_cards,cut_card
    1,KS 9H,KD 7C,yes
    3,KS 9H,KD 7C,
    """
    assert audited(rounds, show="round_no code severity") == [
        (3, "A0301", "warning"),
        (3, "L03", "warning"),
    ]


def test_3_2_the_shoe_may_be_changed_after_any_round() -> None:
    rounds = "shoe_id,round_no,player_cards,banker_cards\nS1,1,KS 9H,KD 7C\nS2,1,KS 9H,KD 7C\n"
    assert audited(rounds) == []


def test_3_1_an_automatic_device_has_no_last_round() -> None:
    assert audited(shoe("play*", "play", "play"), shoes="device\nauto\n") == []


def test_4_an_exposed_card_is_valid() -> None:
    rounds = """
    kind,void_reason,player_cards,banker_cards
    void,exposed_card,KS 6H 9D,KD 7C
    void,misdeal,KS 6H 9D,KD 7C
    """
    assert audited(rounds, show="round_no code severity") == [(1, "A0401", "notice")]
