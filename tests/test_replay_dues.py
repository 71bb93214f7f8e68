"""What a bet is due: arts. 11 to 13, 17 and 18, and how the house rounds."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.cards import TEXT
from audit.replay import Hand, replay_hand
from audit.replay.dues import BetDue, Rounding, bet_due, settle
from audit.replay.record import RecordedBet
from audit.replay.rounds import schemes_of
from audit.replay.words import money
from audit.rulebook import RuleSet, Scheme, load_rulebook

RULEBOOK = load_rulebook()
NEWEST = RULEBOOK.get("64-2007")
CODE = {text: code for code, text in enumerate(TEXT)}


@pytest.fixture(params=[one.id for one in RULEBOOK.sets])
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return RULEBOOK.get(request.param)


def judge(player: str, banker: str) -> Hand:
    return replay_hand([CODE[c] for c in player.split()], [CODE[c] for c in banker.split()], NEWEST)


def schemes(name: str | None = None, rules: RuleSet = NEWEST) -> tuple[Scheme, ...]:
    return schemes_of(name, rules, RULEBOOK.sets)


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
    got = bet_due(bet, Decimal(100), facts, rules, schemes("commission", rules))  # type: ignore[arg-type]
    assert (got.standing, got.due, got.article) == (standing, Decimal(due), article)


def test_article_18_1_commission_is_exact() -> None:
    due = bet_due("banker", Decimal("33.33"), BANKER_WINS, NEWEST, schemes("commission"))
    assert (due.due, due.commission) == (Decimal("64.9935"), Decimal("1.6665"))


def test_article_18_2_a_banker_six_pays_half_without_commission() -> None:
    six = bet_due("banker", Decimal(25), BANKER_SIX, NEWEST, schemes("no_commission"))
    assert (six.due, six.commission, six.article) == (Decimal("37.5"), 0, "18(2)")
    other = bet_due("banker", Decimal(25), BANKER_WINS, NEWEST, schemes("no_commission"))
    assert (other.due, other.article) == (Decimal(50), "17(1)")


def test_article_18_unknown_scheme_leaves_both_amounts_open(rules: RuleSet) -> None:
    # Also under the version that knows one scheme only: which was used is not known.
    due = bet_due("banker", Decimal(100), BANKER_SIX, rules, schemes(None, rules))
    assert (due.standing, due.due) == ("won", None)
    assert due.accepted == (Decimal(150), Decimal(195))
    # Where no scheme makes a difference nothing is open.
    assert bet_due("player", Decimal(100), PLAYER_WINS, rules, schemes(None, rules)).due == 200
    assert bet_due("banker", Decimal(100), TIE, rules, schemes(None, rules)).due == 100


def test_a_scheme_recorded_that_the_version_does_not_have_is_judged_by_all_the_same() -> None:
    old = RULEBOOK.get("55-2004")
    due = bet_due("banker", Decimal(100), BANKER_SIX, old, schemes("no_commission", old))
    assert due.due == 150


def test_article_13_a_bet_that_the_version_does_not_offer() -> None:
    due = bet_due("jackpot", Decimal(100), TIE, RULEBOOK.get("55-2004"), ())
    assert (due.standing, due.due, due.basis) == ("not_offered", None, "inferred")
    assert bet_due("dragon", Decimal(100), TIE, NEWEST, ()).standing == "not_offered"


def test_an_unknown_rank_leaves_a_pair_bet_open() -> None:
    facts = judge("5p 5p KD", "KC 6D").facts()
    assert bet_due("player_pair", Decimal(1), facts, NEWEST, ()).standing == "unjudged"
    assert bet_due("banker", Decimal(100), facts, NEWEST, schemes("commission")).due == 195


# Rounding


@pytest.mark.parametrize(
    ("how", "amount", "rounded"),
    [
        ("1,down", "2.775", "2"),
        ("1,up", "2.775", "3"),
        ("1,up", "3", "3"),
        ("1,nearest", "2.5", "3"),
        ("1,nearest", "2.4999", "2"),
        ("0.5,nearest", "0.0625", "0"),
        ("0.5,nearest", "0.25", "0.5"),
        ("0.3,up", "1.25", "1.5"),
    ],
)
def test_rounding(how: str, amount: str, rounded: str) -> None:
    assert Rounding.parse(how)(Decimal(amount)) == Decimal(rounded)


@given(
    st.decimals(0, 10**10, places=4),
    st.sampled_from(["0.01", "0.25", "0.3", "1", "5"]),
    st.sampled_from(["up", "down", "nearest"]),
)
def test_rounding_gives_one_of_the_two_steps_beside(amount: Decimal, step: str, mode: str) -> None:
    got = Rounding.parse(f"{step},{mode}")(amount)
    assert got % Decimal(step) == 0
    assert abs(got - amount) < Decimal(step)
    if mode == "nearest":
        assert abs(got - amount) * 2 <= Decimal(step)


def test_article_18_the_commission_or_the_half_on_a_six_is_what_is_rounded() -> None:
    down = Rounding.parse("1,down")
    due = bet_due("banker", Decimal("55.5"), BANKER_WINS, NEWEST, schemes("commission"), down)
    assert (due.due, due.commission) == (Decimal(109), 2)
    six = bet_due("banker", Decimal(25), BANKER_SIX, NEWEST, schemes("no_commission"), down)
    assert six.due == 37
    whole = bet_due("player", Decimal("55.5"), PLAYER_WINS, NEWEST, schemes("commission"), down)
    assert whole.due == 111


@pytest.mark.parametrize("text", ["1", "1,sideways", "0,up", "-1,up"])
def test_what_is_no_rounding(text: str) -> None:
    with pytest.raises(ValueError, match="rounding"):
        Rounding.parse(text)


# What the log says of a bet

BET = RecordedBet(
    bet_id="1",
    bet="banker",
    currency="MOP",
    position="",
    patron_id="",
    stake=Decimal(100),
    paid=Decimal(195),
    commission_taken=None,
    disposition="settled",
    due=None,
    standing="",
)


@pytest.mark.parametrize(
    ("changed", "kind", "standing", "due"),
    [
        ({}, "play", "won", 195),
        ({}, "demo", "demo", None),
        ({}, "void", "void", 100),
        ({"disposition": "carried"}, "void", "void", 100),
        ({"disposition": "carried"}, "play", "carried", None),
        ({"disposition": "cancelled"}, "free", "cancelled", 100),
        ({"disposition": "handpay"}, "play", "handpay", None),
        ({"bet": "dragon"}, "void", "not_offered", None),
        ({"stake": Decimal(0)}, "void", "bad_stake", None),
    ],
)
def test_what_is_asked_first(
    changed: dict[str, object], kind: str, standing: str, due: int | None
) -> None:
    bet = replace(BET, **changed)  # type: ignore[arg-type]
    got = settle(bet, kind, BANKER_WINS, NEWEST, schemes("commission"))
    assert (got.standing, got.due) == (standing, due)


def test_paid_before_commission_is_right_where_the_commission_taken_is() -> None:
    due = bet_due("banker", Decimal(100), BANKER_WINS, NEWEST, schemes("commission"))
    before = replace(BET, paid=Decimal(200), commission_taken=Decimal(5))
    assert due.fits(before)
    assert due.difference(before) == 0
    assert not due.fits(replace(before, commission_taken=Decimal(3)))
    assert not due.fits(replace(before, commission_taken=None))
    six = bet_due("banker", Decimal(100), BANKER_SIX, NEWEST, schemes("no_commission"))
    assert six.fits(replace(before, commission_taken=Decimal(50)))


def test_a_difference_is_signed_and_needs_a_due() -> None:
    due = bet_due("banker", Decimal(100), BANKER_WINS, NEWEST, schemes("commission"))
    assert due.difference(replace(BET, paid=Decimal(190))) == -5
    assert BetDue("unjudged").difference(BET) is None
    either = bet_due("banker", Decimal(100), BANKER_SIX, NEWEST, schemes(None))
    assert either.difference(BET) == 0
    assert either.difference(replace(BET, paid=Decimal(190))) is None


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        ("0", "0.00"),
        ("-0.5", "-0.50"),
        ("-1234.5", "-1,234.50"),
        ("0.0625", "0.0625"),
        ("333.33333333333", "≈ 333.33"),
    ],
)
def test_money_for_reading(amount: str, text: str) -> None:
    assert money(Decimal(amount)) == text
