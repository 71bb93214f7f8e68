"""One hand replayed: art. 9 paragraph by paragraph, what bets are due, a round out of a case."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from typer.testing import CliRunner

from audit.cards import POINTS_ONLY, TEXT
from audit.cli.replay import find_round, read_round, replay
from audit.errors import OptionError
from audit.replay import Hand, Step, draws, play_out, replay_hand
from audit.replay_round import bet_due, replay_round
from audit.replay_text import clean, money, render
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
    due = bet_due(bet, Decimal("12.5"), hand.facts(), rules, "commission")
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
    for p, b, fifth, sixth in product(range(10), repeat=4):
        sequence = (0, 0, p, b, fifth, sixth)
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


# What bets are due

BANKER_WINS = judge("KS 6H", "KC 7D").facts()
BANKER_SIX = judge("KS 5H KD", "KC 6D").facts()
PLAYER_WINS = judge("KS 7H", "KC 6D").facts()
TIE = judge("7S 7H 2C", "KC 6D").facts()


@pytest.mark.parametrize(
    ("bet", "facts", "standing", "due", "article"),
    [
        ("player", PLAYER_WINS, "won", "200", "17(1)"),
        ("player", BANKER_WINS, "lost", "0", "13(1)(1)"),
        ("banker", BANKER_WINS, "won", "195.00", "17(1), 18(1)"),
        ("banker", PLAYER_WINS, "lost", "0", "13(1)(2)"),
        ("tie", TIE, "won", "900", "17(2)"),
        ("tie", PLAYER_WINS, "lost", "0", "13(1)(3)"),
        ("player_pair", TIE, "won", "1200", "17(3)"),
        ("banker_pair", TIE, "lost", "0", "13(1)(4)(1)"),
    ],
)
def test_articles_13_and_17_bets_under_commission(
    bet: str, facts: dict[str, object], standing: str, due: str, article: str, rules: RuleSet
) -> None:
    got = bet_due(bet, Decimal(100), facts, rules, "commission")  # type: ignore[arg-type]
    assert (got.standing, got.due, got.article) == (standing, Decimal(due), article)


def test_article_18_1_commission_is_exact() -> None:
    due = bet_due("banker", Decimal("33.33"), BANKER_WINS, NEWEST, "commission")
    assert (due.due, due.commission) == (Decimal("64.9935"), Decimal("1.6665"))


def test_article_18_2_a_banker_six_pays_half_without_commission() -> None:
    six = bet_due("banker", Decimal(25), BANKER_SIX, NEWEST, "no_commission")
    assert (six.due, six.commission, six.article) == (Decimal("37.5"), 0, "18(2)")
    other = bet_due("banker", Decimal(25), BANKER_WINS, NEWEST, "no_commission")
    assert (other.due, other.article) == (Decimal(50), "17(1)")


def test_article_18_unknown_scheme_leaves_both_amounts_open() -> None:
    due = bet_due("banker", Decimal(100), BANKER_SIX, NEWEST, None)
    assert (due.standing, due.due) == ("won", None)
    assert due.accepted == (Decimal(150), Decimal(195))
    # Where no scheme makes a difference nothing is open.
    assert bet_due("player", Decimal(100), PLAYER_WINS, NEWEST, None).due == 200
    assert bet_due("banker", Decimal(100), TIE, NEWEST, None).due == 100


def test_article_13_a_bet_that_the_version_does_not_offer() -> None:
    due = bet_due("jackpot", Decimal(100), TIE, RULEBOOK.get("55-2004"), None)
    assert (due.standing, due.due, due.basis) == ("not_offered", None, "inferred")
    assert bet_due("jackpot", Decimal(100), TIE, NEWEST, None).standing == "jackpot"
    assert bet_due("dragon", Decimal(100), TIE, NEWEST, None).standing == "not_offered"


def test_an_unknown_rank_leaves_a_pair_bet_open() -> None:
    facts = judge("5p 5p KD", "KC 6D").facts()
    assert bet_due("player_pair", Decimal(1), facts, NEWEST, None).standing == "unjudged"
    assert bet_due("banker", Decimal(100), facts, NEWEST, "commission").due == 195


def test_a_scheme_that_the_rule_set_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="no_commission"):
        bet_due("banker", Decimal(1), BANKER_SIX, RULEBOOK.get("55-2004"), "no_commission")
    scheme = NEWEST.schemes["no_commission"]
    due = bet_due("banker", Decimal(100), BANKER_SIX, RULEBOOK.get("55-2004"), scheme)
    assert due.due == 150


# A round out of a case

ROUND = """casino, table_id, shoe_id, round_no, started_at, kind, player_cards, banker_cards,
    outcome, scheme, ruleset"""
ROUNDS = [
    # Banker had to draw: recorded as a Player win.
    "('Alto', 'T1', 'S/1', 1, '2007-06-25 23:59:59', 'play', '2S 3H 6D', 'KC 4H', 'player',"
    " 'commission', '30-2007')",
    "('Alto', 'T1', 'S/1', 3, '2007-06-26 00:01:00', 'void', '2S 3H', 'KC 4H', null,"
    " null, '64-2007')",
    "('Baixo', 'T1', 'S/1', 1, '2005-01-01 12:00:00', 'play', 'KS 5H KD', 'KC 6D', 'banker',"
    " 'no_commission', '55-2004')",
    "('-', 'VIP 2', '2009-01-01/3', 7, '2009-01-02 12:00:00', 'play', null, null, 'banker',"
    " null, '64-2007')",
    "('-', 'VIP 2', '2009-01-01/3', 8, '2003-01-02 12:00:00', 'play', 'KS 7H', 'KC 6D', 'player',"
    " null, null)",
    "('-', 'VIP 2', '2009-01-01/3', 9, '2009-01-02 12:02:00', 'play', 'KS 7H', 'KC', 'player',"
    " null, '64-2007')",
]
BET = (
    "casino, table_id, shoe_id, round_no, bet_id, currency, position, bet, stake, paid, disposition"
)
BETS = [
    "('Alto', 'T1', 'S/1', 1, '1', 'MOP', '3', 'banker', 1000, 0, 'settled')",
    "('Alto', 'T1', 'S/1', 1, '2', 'HKD', null, 'player', 9999999999.9999, 19999999999.9998,"
    " 'settled')",
    "('Alto', 'T1', 'S/1', 1, '3', 'MOP', '[red]', 'jackpot', 50, 0, 'settled')",
    "('Alto', 'T1', 'S/1', 3, '1', 'MOP', null, 'player', 100, 0, 'settled')",
    "('Baixo', 'T1', 'S/1', 1, '1', 'MOP', null, 'banker', 100, 150, 'settled')",
    "('Baixo', 'T1', 'S/1', 1, '2', 'MOP', null, 'player', 100, 100, 'cancelled')",
    "('Baixo', 'T1', 'S/1', 1, '3', 'MOP', null, 'player', 100, 0, 'carried')",
    "('-', 'VIP 2', '2009-01-01/3', 7, '1', 'MOP', null, 'banker', 100, 190, 'settled')",
    "('-', 'VIP 2', '2009-01-01/3', 7, '2', 'MOP', null, 'player', 100, 0, 'settled')",
]


def case_tables() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    key = "casino text, table_id text, shoe_id text, round_no bigint"
    money_type = "decimal(38, 6)"
    connection.execute(f"""
        create table rounds ({key}, started_at timestamp, kind text, void_reason text,
            player_cards text, banker_cards text, withdrawn_cards text, player_total tinyint,
            banker_total tinyint, outcome text, player_pair boolean, banker_pair boolean,
            scheme text, burned bigint, cut_card boolean, dealer_id text, ruleset text,
            device text default 'shoe', decks bigint, by_outcome text default 'player',
            source text default 'rounds.csv', "row" bigint default 1);
        create table bets ({key}, bet_id text, currency text, position text, patron_id text,
            bet text, stake {money_type}, paid {money_type}, commission_taken {money_type},
            disposition text, due {money_type}, standing text);
        create table findings (id text, code text, severity text, status text, article text,
            {key}, bet_id text, subject text, amount {money_type}, consequence text, message text);
        create table rulesets (id text, forced boolean);
        create table rejects ("table" text, source text, "row" bigint, {key});
        insert into rounds ({ROUND}) values {", ".join(ROUNDS)};
        insert into bets ({BET}) values {", ".join(BETS)};
        insert into findings values ('a', 'A0904', 'violation', 'new', '9(3)(3)', 'Alto', 'T1',
            'S/1', 1, null, null, null, 'changed:banker', 'Banker had to draw on 4.');
        insert into findings values ('b', 'L05', 'warning', 'new', null, '-', 'VIP 2',
            '2009-01-01/3', 9, null, null, null, null, 'A card is missing.');
        insert into rejects values ('rounds', 'rounds.csv', 4, 'Alto', 'T1', 'S/1', 2);
    """)
    return connection


def replayed(path: str, ruleset: str) -> tuple[Hand, list[tuple[str, Decimal | None]]]:
    connection = case_tables()
    recorded = read_round(connection, *find_round(connection, path))
    done = replay_round(recorded, RULEBOOK.get(ruleset), "", RULEBOOK.sets)
    return done.hand, [(due.standing, due.due) for due in done.dues]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("Alto/T1/S/1/3", (("Alto", "T1", "S/1"), 3)),
        ("VIP 2/2009-01-01/3/7", (("-", "VIP 2", "2009-01-01/3"), 7)),
        ("-/VIP 2/2009-01-01/3/7", (("-", "VIP 2", "2009-01-01/3"), 7)),
    ],
)
def test_a_path_is_resolved_although_ids_hold_slashes(path: str, found: object) -> None:
    assert find_round(case_tables(), path) == found


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("T1/S/1/1", "2 casinos have this shoe: Alto, Baixo. Name the casino: Alto/T1/S/1/1 or"),
        ("Alto/T1/S/1/9", "no such round in this shoe. Rounds of this shoe run from 1 to 3; the"),
        ("Alto/T1/S/1/2", "the row of this round was rejected (rounds.csv, row 4)"),
        ("Alto/T1/S1/1", "no such shoe in this case. Nearest: Alto/T1/S/1/1"),
        ("zzz/1", "no such shoe in this case. Write it as TABLE/SHOE/ROUND"),
        ("T1/S/last", "the round's number, a whole number, must come last"),
        ("12", "the round's number, a whole number, must come last"),
    ],
)
def test_a_path_that_names_no_round_gets_a_hint(path: str, said: str) -> None:
    with pytest.raises(OptionError) as caught:
        find_round(case_tables(), path)
    assert said in str(caught.value)


def test_bets_of_a_recorded_round_are_settled_as_the_log_says() -> None:
    assert replayed("Alto/T1/S/1/3", "64-2007")[1] == [("void", Decimal(100))]
    _, dues = replayed("Baixo/T1/S/1/1", "55-2004")
    # The scheme recorded counts, although this version has none without commission.
    assert dues == [("won", Decimal(150)), ("cancelled", Decimal(100)), ("carried", None)]


def test_an_outcome_without_cards_settles_what_it_can() -> None:
    hand, dues = replayed("VIP 2/2009-01-01/3/7", "64-2007")
    assert (hand.steps, hand.winner) == ((), None)
    # Two schemes, and under one of them the total, which nobody recorded, decides.
    assert dues == [("won", None), ("lost", Decimal(0))]


def page(path: str, width: int) -> list[str]:
    connection = case_tables()
    recorded = read_round(connection, *find_round(connection, path))
    done = replay_round(recorded, NEWEST, "for a test", RULEBOOK.sets)
    console = Console(width=width, record=True, file=sys.stderr)
    console.print(render(recorded, [done]))
    return console.export_text(styles=False).splitlines()


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("path", ["Alto/T1/S/1/1", "Alto/T1/S/1/3", "VIP 2/2009-01-01/3/7"])
def test_a_page_fits_and_cuts_nothing(path: str, width: int) -> None:
    lines = page(path, width)
    assert max(map(len, lines)) <= width
    assert "…" not in "".join(lines)


def test_a_breach_is_marked_where_it_happened() -> None:
    lines = page("Alto/T1/S/1/1", 80)
    step = next(at for at, line in enumerate(lines) if line.startswith("6   Banker   stands"))
    assert "9(3)(3)" in lines[step]
    assert any("✗ A0904" in line for line in lines[step : step + 3])
    text = "\n".join(lines)
    assert "Had the rules been followed, Banker would have won." in text
    assert "1,950.00" in text
    assert "position [red]" in text


def test_a_hand_that_was_not_judged_is_not_called_clean() -> None:
    text = "\n".join(page("VIP 2/2009-01-01/3/9", 80))
    assert "An initial card is missing" in text
    assert "✗" not in text


def test_what_a_log_says_cannot_steer_the_terminal() -> None:
    assert clean("a\x1b[31m\nb") == "a�[31m�b"


@pytest.mark.parametrize(
    ("amount", "text"),
    [("0", "0.00"), ("-0.5", "-0.50"), ("-1234.5", "-1,234.50"), ("0.0625", "0.0625")],
)
def test_money_for_reading(amount: str, text: str) -> None:
    assert money(Decimal(amount)) == text


# The command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> object:
    case = SimpleNamespace(open_case=lambda path: SimpleNamespace(connection=case_tables()))
    monkeypatch.setitem(sys.modules, "audit.case", case)
    app = typer.Typer()
    app.command()(replay)
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *words: CliRunner().invoke(app, ["july.case", *words])


def test_json_has_money_as_text_and_every_step(run) -> None:  # type: ignore[no-untyped-def]
    result = run("Alto/T1/S/1/1", "--format", "json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["recorded"]["player_cards"] == ["2S", "3H", "6D"]
    (one,) = told["replays"]
    assert (one["ruleset"], one["outcome"], one["breaches"]) == ("30-2007", "banker", ["A0904"])
    assert one["why"] == "in force on 2007-06-25, from 2007-02-23 on (inferred)"
    assert [step["action"] for step in one["steps"]] == ["deal"] * 4 + ["draw", "stand"]
    money_of = [(bet["paid"], bet["due"], bet["difference"]) for bet in one["bets"]]
    assert money_of == [
        ("0", "1950", "-1950"),
        ("19999999999.9998", "0", "19999999999.9998"),
        ("0", None, None),
    ]
    assert told["findings"][0]["consequence"] == "changed:banker"


def test_several_rule_sets_are_compared(run) -> None:  # type: ignore[no-untyped-def]
    result = run("Alto/T1/S/1/1", "--rules", "64-2007,55-2004")
    assert result.exit_code == 0
    assert "asked for with --rules; in force that day: 30-2007" in result.stdout
    row = next(line for line in result.stdout.splitlines() if line.startswith("Bet 3, jackpot"))
    assert row.split()[3:] == ["jackpot,", "not", "replayed", "not", "on", "offer", "differs"]


def test_quiet_is_one_line(run) -> None:  # type: ignore[no-untyped-def]
    result = run("Alto/T1/S/1/1", "--quiet")
    assert result.stdout == (
        "Alto/T1/S/1/1: Banker, Player 1, Banker 4; art. 9 broken: A0904; "
        "2 of 3 bets not paid as due\n"
    )
    assert "not judged" in run("VIP 2/2009-01-01/3/9", "--quiet").stdout


def test_no_colour_where_none_is_wanted(run, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run("Alto/T1/S/1/1").stdout
    assert "\x1b[31m" not in out
    assert ";31m" not in out


def test_why_the_rules_govern(run) -> None:  # type: ignore[no-untyped-def]
    later = " ".join(run("VIP 2/2009-01-01/3/7").stdout.replace("┃", "").split())
    assert "known to be incomplete from 2009-01-01 on" in later
    before = run("VIP 2/2009-01-01/3/8")
    assert isinstance(before.exception, OptionError)
    assert "no rule set was in force on 2003-01-02" in str(before.exception)
    assert run("VIP 2/2009-01-01/3/8", "--rules", "55-2004").exit_code == 0


def test_help_shows_an_example(run) -> None:  # type: ignore[no-untyped-def]
    assert "Example: baccarat-audit replay" in " ".join(run("--help").stdout.split())


def test_nothing_heavy_is_imported_with_the_command() -> None:
    source = Path(sys.modules["audit.cli.replay"].__file__ or "").read_text(encoding="utf-8")
    tops = [line for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert not [line for line in tops if any(w in line for w in ("duckdb", "polars", "rich"))]
