"""One hand replayed: art. 9 paragraph by paragraph, and the mistakes that are easily made."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.cards import POINTS_ONLY, TEXT
from audit.replay import Hand, Step, draws, play_out, replay_hand
from audit.replay.dues import bet_due
from audit.replay.rounds import schemes_of
from audit.rulebook import FACTS, RuleSet, load_rulebook

RULEBOOK = load_rulebook()
VERSIONS = ("55-2004", "73-2005", "30-2007", "64-2007")
NEWEST = RULEBOOK.get("64-2007")
CODE = {text: code for code, text in enumerate(TEXT)}

# The law's table once more, by hand: Banker's two cards, and Player's third cards on which
# Banker draws.
BANKER_DRAWS = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


@pytest.fixture(params=VERSIONS)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return RULEBOOK.get(request.param)


def cards(text: str) -> tuple[int, ...]:
    """``KS 5H`` to codes; ``7p`` is a card of which only the points are known."""
    return tuple(CODE[word] for word in text.split())


def points(*values: int) -> tuple[int, ...]:
    return tuple(POINTS_ONLY + value for value in values)


def judge(player: str, banker: str, rules: RuleSet = NEWEST, **how: bool) -> Hand:
    return replay_hand(cards(player), cards(banker), rules, **how)


def decision(hand: Hand, seat: str) -> Step:
    """The step at which ``seat`` drew or stood."""
    return next(step for step in hand.steps if step.seat == seat and step.action != "deal")


def banker_step(banker: int, third: int | None, drew: bool, rules: RuleSet) -> Step:
    """Banker's decision on ``banker`` after Player took ``third``, or on 7 took none."""
    player = (0, 7) if third is None else (0, 5, third)
    dealt = (0, banker, 0) if drew else (0, banker)
    return decision(replay_hand(points(*player), points(*dealt), rules), "banker")


def commanded(step: Step) -> tuple[str | None, str, str]:
    return step.required, step.article, step.breach


# Art. 9, paragraph by paragraph


def test_article_9_one_additional_card_at_most(rules: RuleSet) -> None:
    hand = judge("2S 3H 4C 5D", "KC 4H", rules)
    assert hand.breaches == ("A0907",)
    last = hand.steps[-1]
    assert (last.action, last.article, last.before, last.after) == ("extra", "9", 9, 4)
    assert (hand.player_total, hand.winner) == (4, "tie")


def test_article_9_a_hand_of_four_cards_ends_all_other_judging_of_both_hands() -> None:
    # Player drew on 9 and Banker drew on 8, but there is one finding.
    hand = judge("4S 5H 4C", "KC 8H 2D 3D 4D")
    assert hand.breaches == ("A0907",)
    assert [step.card for step in hand.steps[4:]] == list(cards("4C 2D 3D 4D"))
    assert {step.why for step in hand.steps[4:]} == {"not_judged", "limit"}


def test_article_9_player_is_served_first() -> None:
    hand = play_out(cards("2S 3S 3H KH 4C 5C"), NEWEST)
    assert hand.player == cards("2S 3H 4C")
    assert hand.banker == cards("3S KH 5C")
    assert [step.seat for step in hand.steps] == ["player", "banker"] * 3


@pytest.mark.parametrize("total", range(6))
def test_article_9_1_player_must_draw_on_0_to_5(total: int, rules: RuleSet) -> None:
    drew = replay_hand(points(0, total, 8), points(0, 7), rules)
    stood = replay_hand(points(0, total), points(0, 7), rules)
    assert commanded(decision(drew, "player")) == ("draw", "9(1)", "")
    assert commanded(decision(stood, "player")) == ("draw", "9(1)", "A0901")


@pytest.mark.parametrize("total", [6, 7])
def test_article_9_2_player_must_not_draw_on_6_or_7(total: int, rules: RuleSet) -> None:
    stood = replay_hand(points(0, total), points(0, 7), rules)
    drew = replay_hand(points(0, total, 0), points(0, 7), rules)
    assert commanded(decision(stood, "player")) == ("stand", "9(2)", "")
    assert commanded(decision(drew, "player")) == ("stand", "9(2)", "A0902")


@pytest.mark.parametrize("total", [8, 9])
def test_article_9_2_player_must_not_draw_on_8_or_9(total: int, rules: RuleSet) -> None:
    drew = replay_hand(points(0, total, 0), points(0, 7), rules)
    assert commanded(decision(drew, "player")) == ("stand", "9(2)", "A0903")


@pytest.mark.parametrize(("player", "banker"), [*product(range(8), (8, 9))])
def test_article_9_2_player_must_not_draw_when_banker_has_a_natural(
    player: int, banker: int, rules: RuleSet
) -> None:
    stood = replay_hand(points(0, player), points(0, banker), rules)
    drew = replay_hand(points(0, player, 1), points(0, banker), rules)
    assert stood.breaches == ()
    assert drew.breaches == ("A0903",)
    assert decision(drew, "player").why == "banker_natural"


@pytest.mark.parametrize("banker", [0, 1, 2])
def test_article_9_3_1_banker_draws_on_0_to_2_whatever_player_drew(
    banker: int, rules: RuleSet
) -> None:
    for third in range(10):
        assert commanded(banker_step(banker, third, True, rules)) == ("draw", "9(3)(1)", "")
        assert commanded(banker_step(banker, third, False, rules)) == ("draw", "9(3)(1)", "A0904")


@pytest.mark.parametrize(
    ("paragraph", "banker"), [("9(3)(2)", 3), ("9(3)(3)", 4), ("9(3)(4)", 5), ("9(3)(5)", 6)]
)
def test_article_9_3_2_to_5_banker_draws_on_these_third_cards(
    paragraph: str, banker: int, rules: RuleSet
) -> None:
    for third in map(int, BANKER_DRAWS[banker]):
        assert commanded(banker_step(banker, third, True, rules)) == ("draw", paragraph, "")
        assert commanded(banker_step(banker, third, False, rules)) == ("draw", paragraph, "A0904")


@pytest.mark.parametrize("banker", range(6))
def test_article_9_3_6_banker_draws_on_0_to_5_when_player_did_not(
    banker: int, rules: RuleSet
) -> None:
    assert commanded(banker_step(banker, None, True, rules)) == ("draw", "9(3)(6)", "")
    assert commanded(banker_step(banker, None, False, rules)) == ("draw", "9(3)(6)", "A0904")


@pytest.mark.parametrize(
    ("paragraph", "banker"), [("9(4)(1)", 3), ("9(4)(2)", 4), ("9(4)(3)", 5), ("9(4)(4)", 6)]
)
def test_article_9_4_1_to_4_banker_must_not_draw_on_these_third_cards(
    paragraph: str, banker: int, rules: RuleSet
) -> None:
    for third in set(range(10)) - set(map(int, BANKER_DRAWS[banker])):
        assert commanded(banker_step(banker, third, False, rules)) == ("stand", paragraph, "")
        assert commanded(banker_step(banker, third, True, rules)) == ("stand", paragraph, "A0905")


def test_article_9_4_4_banker_must_not_draw_on_6_when_player_did_not(rules: RuleSet) -> None:
    assert commanded(banker_step(6, None, False, rules)) == ("stand", "9(4)(4)", "")
    assert commanded(banker_step(6, None, True, rules)) == ("stand", "9(4)(4)", "A0905")


@pytest.mark.parametrize("third", [None, *range(10)])
def test_article_9_4_5_banker_must_not_draw_on_7(third: int | None, rules: RuleSet) -> None:
    assert commanded(banker_step(7, third, False, rules)) == ("stand", "9(4)(5)", "")
    assert commanded(banker_step(7, third, True, rules)) == ("stand", "9(4)(5)", "A0905")


@pytest.mark.parametrize("banker", [8, 9])
def test_article_9_4_5_banker_must_not_draw_on_8_or_9(banker: int, rules: RuleSet) -> None:
    hand = replay_hand(points(0, 6), points(0, banker, 1), rules)
    assert commanded(decision(hand, "banker")) == ("stand", "9(4)(5)", "A0906")


@pytest.mark.parametrize(("player", "banker"), [*product((8, 9), range(8))])
def test_article_9_4_6_banker_must_not_draw_when_player_has_a_natural(
    player: int, banker: int, rules: RuleSet
) -> None:
    stood = replay_hand(points(0, player), points(0, banker), rules)
    drew = replay_hand(points(0, player), points(0, banker, 1), rules)
    assert commanded(decision(stood, "banker")) == ("stand", "9(4)(6)", "")
    assert commanded(decision(drew, "banker")) == ("stand", "9(4)(6)", "A0906")


# Errors that hang on one another: Banker is judged on what Player did


def test_player_stood_wrongly_then_banker_is_judged_as_if_player_had_to_stand() -> None:
    # With 6 Banker draws on no card of Player, so its standing is right: one mistake, one breach.
    assert judge("2S 3H", "KC 6H").breaches == ("A0901",)
    assert judge("2S 3H", "KC 5H").breaches == ("A0901", "A0904")


def test_player_drew_wrongly_then_banker_is_judged_by_that_card() -> None:
    assert judge("2S 4H 6C", "KC 6H 2D").breaches == ("A0902",)
    assert judge("2S 4H 6C", "KC 6H").breaches == ("A0902", "A0904")


def test_player_drew_on_a_natural_then_banker_still_must_not_draw() -> None:
    assert judge("2S 6H 6C", "KC 3H").breaches == ("A0903",)
    assert judge("2S 6H 6C", "KC 3H 2D").breaches == ("A0903", "A0906")


# The four mistakes that programs make


def test_the_third_card_decides_and_not_players_total() -> None:
    # Player's 2 and a third card of 8 make 0. Banker's 3 must not draw on an 8; on 0 it would.
    hand = judge("KS 2H 8C", "KC 3H")
    assert hand.breaches == ()
    assert hand.player_total == 0
    # And the other way about: a third card of 6 makes 8.
    assert judge("KS 2H 6C", "KC 3H").breaches == ("A0904",)


def test_8_or_9_on_three_cards_is_no_natural() -> None:
    hand = judge("KS 2H 6C", "KC 3H 5D")
    assert hand.player_total == hand.banker_total == 8
    assert (hand.player_natural, hand.banker_natural) == (False, False)
    assert hand.breaches == ()
    natural = judge("KS 8H", "KC 3H")
    assert (natural.player_natural, natural.banker_natural) == (True, False)


def test_player_stood_is_not_a_third_card_of_zero_points() -> None:
    # On 4 and 5 Banker draws if Player stood, and must not against a third card of 0.
    assert judge("KS 6H", "KC 4H 2D").breaches == ()
    assert judge("KS 5H KD", "KC 4H").breaches == ()
    assert judge("KS 6H", "KC 4H").breaches == ("A0904",)
    assert judge("KS 5H KD", "KC 4H 2D").breaches == ("A0905",)


@pytest.mark.parametrize("bet", ["player", "banker"])
def test_a_tie_gives_player_and_banker_bets_back(bet: str, rules: RuleSet) -> None:
    hand = judge("KS 6H", "KC 6D", rules)
    due = bet_due(bet, Decimal("12.5"), hand.facts(), rules, schemes_of("commission", rules))
    assert (due.standing, due.due, due.article) == ("returned", Decimal("12.5"), "12")


# Totals, pairs, facts, hands that cannot be judged


def test_articles_5_11_12_totals_and_winner() -> None:
    assert judge("KS 6H", "10C 7D").winner == "banker"
    assert judge("KS 9H", "8C 8D").winner == "player"
    hand = judge("9S 9H", "9C 9D")
    assert (hand.player_total, hand.banker_total, hand.winner) == (8, 8, "tie")


@pytest.mark.parametrize(
    ("player", "pair"),
    [("JS JH", True), ("JS QH", False), ("JS JS", True), ("5 5", True), ("5p 5p", None)],
)
def test_article_13_a_pair_has_one_rank(player: str, pair: bool | None) -> None:
    assert judge(player, "KC 7D").player_pair is pair


def test_the_facts_are_those_that_rule_sets_may_name() -> None:
    assert set(judge("KS 2H 6C", "KC 3H 5D").facts()) == set(FACTS)
    assert set(judge("KS", "").facts().values()) == {None}
    banker = judge("KS 2H 4C", "KC 3H 5D").facts()
    assert (banker["winning_total"], banker["margin"], banker["winning_cards"]) == (8, 2, 3)
    assert banker["cards"] == 6


def test_a_missing_initial_card_leaves_everything_open() -> None:
    for hand in (judge("KS", "KC 3H"), judge("KS 3H", "KC 3H", missing=True)):
        assert (hand.winner, hand.player_total, hand.player_natural) == (None, None, None)
        # A hand of two may be one of the first cards and a third: no pair can be told.
        assert (hand.player_pair, hand.banker_pair) == (None, None)
        assert hand.breaches == ()
        assert all(step.required is None for step in hand.steps)
    assert judge("KS KH", "KC", missing=True).breaches == ()


def test_article_10_a_void_deal_may_stop_while_a_card_is_owed() -> None:
    assert judge("2S 3H", "KC 4H", stopped=True).breaches == ()
    assert judge("2S 3H", "KC 4H", stopped=True).steps[-1].action == "stop"
    assert judge("2S 3H 6D", "KC 4H", stopped=True).breaches == ()
    # But none to Banker while Player's is owed, and none that must not be dealt.
    assert judge("2S 3H", "KC 4H 5D", stopped=True).breaches == ("A0901",)
    assert judge("2S 4H 5D", "KC 4H", stopped=True).breaches == ("A0902",)
    assert judge("2S 3H 8D", "KC 3H 5D", stopped=True).breaches == ("A0905",)


# Dealing by the rules


def test_play_out_and_draws_agree_on_every_decision_and_break_nothing(rules: RuleSet) -> None:
    for p, b, fifth in product(range(10), repeat=3):
        sequence = (0, 0, p, b, fifth, (p + 3 * b + 7 * fifth) % 10)
        hand = play_out(points(*sequence), rules)
        sizes = len(hand.player), len(hand.banker)
        assert draws(sequence, rules) == (*sizes, hand.player_total, hand.banker_total, hand.winner)
        assert hand.breaches == ()


def test_draws_follow_the_table_written_by_hand() -> None:
    for p, b, fifth, sixth in product(range(10), repeat=4):
        sizes = draws((0, 0, p, b, fifth, sixth), NEWEST)[:2]
        if p >= 8 or b >= 8:
            assert sizes == (2, 2)
        elif p >= 6:
            assert sizes == (2, 3 if b <= 5 else 2)
        else:
            assert sizes == (3, 3 if str(fifth) in BANKER_DRAWS[b] else 2)


@given(st.lists(st.integers(0, 51), min_size=6, max_size=9))
def test_a_hand_dealt_by_the_rules_takes_the_stack_in_order(stack: list[int]) -> None:
    hand = play_out(stack, NEWEST)
    dealt = [step.card for step in hand.steps if step.card is not None]
    assert dealt == stack[: len(dealt)]
    assert replay_hand(hand.player, hand.banker, NEWEST) == hand


@given(
    st.lists(st.integers(0, 51), min_size=2, max_size=3),
    st.lists(st.integers(0, 51), min_size=2, max_size=3),
)
def test_a_hand_breaks_nothing_exactly_when_the_rules_would_have_dealt_it(
    player: list[int], banker: list[int]
) -> None:
    hand = replay_hand(player, banker, NEWEST)
    dealt = [step.card for step in hand.steps if step.card is not None]
    lawful = play_out([*dealt, 0, 0], NEWEST)
    same = (lawful.player, lawful.banker) == (tuple(player), tuple(banker))
    assert (hand.breaches == ()) is same


def test_play_out_says_when_the_stack_ends_too_early() -> None:
    with pytest.raises(IndexError):
        play_out(cards("2S 3S 3H KH 4C"), NEWEST)
    assert play_out(cards("8S 3S KH KH"), NEWEST).winner == "player"
