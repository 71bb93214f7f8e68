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


def burns(*rows: str) -> list[tuple[int, str]]:
    """Findings on shoes 1, 2 ... of these rows: rule, first card, cards burned."""
    numbers = range(1, len(rows) + 1)
    rounds = "".join(f"{n},1,KS 9H,KD 7C\n" for n in numbers)
    shoes = "".join(f"{n},8,{row}\n" for n, row in zip(numbers, rows, strict=True))
    found = audited(
        f"shoe_id,round_no,player_cards,banker_cards\n{rounds}",
        shoes=f"shoe_id,decks,burn_rule,first_card,burned\n{shoes}",
        show="shoe_id code",
    )
    return [(int(shoe), code) for shoe, code in found]


def test_2_1_as_many_burned_as_there_are_decks() -> None:
    assert burns("decks,,8", "decks,,7", "decks,,9") == [(2, "A0201"), (3, "A0201")]


def test_2_1_or_as_many_as_the_face_value_of_the_first_card() -> None:
    # Whether the first card is itself one of them is disputed: its value, or one more.
    assert burns("first_card,7S,7", "first_card,7S,8") == []
    assert burns("first_card,7S,6", "first_card,7S,9") == [(1, "A0201"), (2, "A0201")]
    # So is the value of a ten or a face card: ten, or zero.
    assert burns(*(f"first_card,KS,{n}" for n in (0, 1, 10, 11))) == []
    assert burns("first_card,KS,2", "first_card,KS,13") == [(1, "A0201"), (2, "A0201")]


def test_2_1_no_other_rule() -> None:
    assert burns("fixed,,8") == [(1, "A0201")]


def test_2_1_about_twelve_cards_behind_the_white_card() -> None:
    show = "code severity"
    rounds = kinds("play")
    assert audited(rounds, shoes="cut_card_from_end\n12\n", show=show) == []
    assert audited(rounds, shoes="cut_card_from_end\n11\n", show=show) == [("A0202", "warning")]


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


def test_2_2_rounds_without_bets_at_the_opening_are_noted() -> None:
    rounds = kinds("demo", "demo", "play", "play", "play")
    show = "round_no code severity"
    assert audited(rounds, "round_no,bet,paid\n5,player,200\n", show=show) == [
        (4, "A0207", "notice")
    ]
    assert audited(rounds, "round_no,bet,paid\n4,player,200\n", show=show) == []


def test_2_3_an_automatic_device_has_no_start_of_a_shoe() -> None:
    rounds = kinds("demo", "demo", "demo", "demo", "play", "demo")
    assert audited(rounds, shoes=AUTO) == [(n, "A0205") for n in (1, 2, 3, 4, 6)]
