"""Art. 2: the start of a shoe and its demonstration hands."""

from __future__ import annotations

from tests.support import BANKER_WINS, NATURAL, audited, hands

AUTO = """
device
auto
"""


def kinds(*names: str) -> str:
    """A shoe of rounds of these kinds, all dealt alike."""
    return hands("kind:", *(f"{NATURAL} / {name}" for name in names))


def test_2_1_does_not_apply_to_a_shoe_without_demonstrations() -> None:
    assert audited(kinds("play", "play")) == []


def test_2_2_three_demonstrations_are_allowed() -> None:
    assert audited(kinds("demo", "demo", "demo", "play")) == []


def test_2_2_each_demonstration_from_the_fourth_on() -> None:
    rounds = kinds("demo", "demo", "demo", "demo", "demo", "play")
    assert audited(rounds) == [(4, "A0203"), (5, "A0203")]


def test_2_2_demonstrations_are_counted_by_shoe() -> None:
    rounds = """
    shoe_id,round_no,kind,player_cards,banker_cards
    S1,1,demo,KS 9H,KD 7C
    S1,2,demo,KS 9H,KD 7C
    S2,1,demo,KS 9H,KD 7C
    S2,2,demo,KS 9H,KD 7C
    """
    assert audited(rounds) == []


def test_2_2_a_demonstration_belongs_to_the_start() -> None:
    assert audited(kinds("demo", "play", "demo")) == [(3, "A0204")]


def test_2_2_a_free_hand_begins_play_and_is_no_demonstration() -> None:
    assert audited(kinds("free", "free", "free", "free", "demo")) == [(5, "A0204")]


def test_2_2_a_void_round_does_not_begin_play() -> None:
    rounds = "kind,player_cards,banker_cards\nvoid,,\ndemo,KS 9H,KD 7C\n"
    assert audited(rounds) == []


def test_2_2_no_bet_on_a_demonstration() -> None:
    bets = "bet,paid\nplayer,200\nbanker,0\n"
    assert audited(kinds("demo"), bets) == [(1, "A0206"), (1, "A0206")]


def test_2_2_the_draws_of_a_demonstration_are_judged() -> None:
    # Banker stands on 7 whatever happens: the draw of the king is the only mistake.
    rounds = hands("kind:", "KS 7H / KD 7C KH / demo", f"{BANKER_WINS} / play")
    assert audited(rounds) == [(1, "A0905")]


def test_2_3_an_automatic_device_has_no_start_of_a_shoe() -> None:
    rounds = kinds("demo", "demo", "demo", "demo", "play", "demo")
    assert audited(rounds, shoes=AUTO) == [(n, "A0205") for n in (1, 2, 3, 4, 6)]
