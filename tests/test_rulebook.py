"""The rule sets as shipped, version by version; what differs; who governs a day."""

from __future__ import annotations

import pickle
import re
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise

import pytest

from audit.errors import RulebookError
from audit.rulebook import Rulebook, facts_of, load_rulebook, matches
from audit.schema import OPTIONS

SHIPPED = ("55-2004", "73-2005", "30-2007", "64-2007")


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load_rulebook()


# Which version governs a day


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (date(2004, 5, 17), None),
        (date(2004, 5, 18), "55-2004"),
        (date(2005, 11, 28), "55-2004"),
        (date(2005, 11, 29), "73-2005"),
        (date(2007, 2, 22), "73-2005"),
        (date(2007, 2, 23), "30-2007"),
        (date(2007, 6, 25), "30-2007"),
        (date(2007, 6, 26), "64-2007"),
        (date(2099, 1, 1), "64-2007"),
    ],
)
def test_in_force_on_the_day(book: Rulebook, day: date, expected: str | None) -> None:
    found = book.in_force(day)
    assert (found.id if found else None) == expected


def test_in_force_takes_the_date_of_a_time(book: Rulebook) -> None:
    last_second = book.in_force(datetime(2007, 6, 25, 23, 59, 59))
    assert last_second is not None
    assert last_second.id == "30-2007"


def test_in_force_statuses(book: Rulebook) -> None:
    assert [(one.id, one.in_force_status) for one in book.sets] == [
        ("55-2004", "stated"),
        ("73-2005", "inferred"),
        ("30-2007", "inferred"),
        ("64-2007", "inferred"),
    ]


def test_instruments_carry_marks(book: Rulebook) -> None:
    act = book.get("30-2007").instrument
    assert (act.signed.value, act.signed.status) == (None, "unknown")
    assert (act.gazette.value, act.gazette.status) == ("8/2007", "stated")
    assert (act.published.value, act.published.status) == (date(2007, 2, 22), "stated")
    assert book.get("64-2007").instrument.gazette.status == "inferred"
    assert book.get("73-2005").instrument.signed.value == date(2005, 11, 23)


def test_later_acts_are_known_and_not_held(book: Rulebook) -> None:
    assert [one.id for one in book.later_acts] == ["2-2009", "69-2009", "83-2011", "56-2018"]
    assert book.later_acts[0].in_force.value is None
    assert book.later_acts[3].in_force.value == date(2018, 4, 24)


@pytest.mark.parametrize(
    ("what", "since"),
    [
        *((code, date(2009, 1, 1)) for code in ("A1301", "A1302", "A1715", "A1806", "A1902")),
        *((article, date(2009, 1, 1)) for article in ("13", "17(3)", "18(2)", "19")),
        ("A0201", date(2011, 9, 27)),
        ("2(1)", date(2011, 9, 27)),
        *((code, None) for code in ("A0202", "A0901", "A1001", "A1203", "A1401", "L08", "1", "9")),
    ],
)
def test_capped_from(book: Rulebook, what: str, since: date | None) -> None:
    assert book.get("64-2007").capped_from(what) == since


def test_known_incomplete_from(book: Rulebook) -> None:
    assert {one.known_incomplete_from for one in book.sets} == {date(2009, 1, 1)}


# Article by article


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_arts_1_to_8(book: Rulebook, ruleset: str) -> None:
    rules = book.get(ruleset)
    expected = {
        "decks_min": (6, "1(1)"),
        "decks_max": (12, "1(1)"),
        "burn_rules": (["decks", "first_card"], "2(1)"),
        "cut_card_from_end_min": (12, "2(1)"),
        "demonstration_max": (3, "2(2)"),
        "rounds_after_white_card": (1, "3(1)"),
        "hand_cards_max": (3, "9"),
        "working_days_before": (3, "19"),
    }
    for key, (value, article) in expected.items():
        assert (rules.value(key), rules.article(key)) == (value, article)


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_art_9_as_the_table_reads(book: Rulebook, ruleset: str) -> None:
    rules = book.get(ruleset)
    assert rules.player_draws == {0, 1, 2, 3, 4, 5}
    assert rules.naturals == {8, 9}
    rows = {0: "0123456789n", 1: "0123456789n", 2: "0123456789n", 3: "012345679n"}
    rows |= {4: "234567n", 5: "4567n", 6: "67", 7: "", 8: "", 9: ""}
    drawn = {
        (total, None if third == "n" else int(third))
        for total, thirds in rows.items()
        for third in thirds
    }
    assert {cell for cell, draws in rules.banker_draws.items() if draws} == drawn
    assert len(rules.banker_draws) == len(rules.banker_article) == 110


@pytest.mark.parametrize(
    ("total", "third", "article"),
    [
        (0, 8, "9(3)(1)"),
        (2, None, "9(3)(6)"),
        (3, 0, "9(3)(2)"),
        (3, 8, "9(4)(1)"),
        (4, 7, "9(3)(3)"),
        (4, 0, "9(4)(2)"),
        (5, 4, "9(3)(4)"),
        (5, 9, "9(4)(3)"),
        (5, None, "9(3)(6)"),
        (6, 6, "9(3)(5)"),
        (6, 8, "9(4)(4)"),
        (6, None, "9(4)(4)"),
        (7, None, "9(4)(5)"),
        (9, 1, "9(4)(5)"),
    ],
)
def test_art_9_citations(book: Rulebook, total: int, third: int | None, article: str) -> None:
    assert book.get("64-2007").banker_article[total, third] == article


def test_art_13_bets_by_version(book: Rulebook) -> None:
    five = {"player", "banker", "tie", "player_pair", "banker_pair"}
    offered = [set(one.bets) for one in book.sets]
    assert offered == [five, five, five | {"jackpot"}, five | {"jackpot"}]
    pairs = [one.bets["player_pair"].status for one in book.sets]
    assert pairs == ["inferred", "inferred", "stated", "stated"]
    jackpot = [one.status("bet.jackpot") for one in book.sets]
    assert jackpot == ["inferred", "inferred", "stated", "stated"]
    assert "bet.jackpot" in book.get("73-2005").absent
    assert "bet.jackpot" not in book.get("30-2007").absent


def test_art_13_combinations(book: Rulebook) -> None:
    found = book.get("64-2007").bets["jackpot"].combinations
    assert [(one.id, one.cards, one.prize, one.shared) for one in found] == [
        ("royal", "first_five", "pool", True),
        ("paradise", "first_five", "fixed_or_pool_part", True),
        ("four_of_a_kind", "first_four", "fixed", False),
        ("two_pairs", "first_four", "fixed", False),
        ("three_of_a_kind", "first_four", "fixed", False),
        ("single_pair", "first_four", "fixed", False),
    ]
    assert found[1].pool_part == Decimal("0.10")
    assert found[2].article == "13(1)(4)(2)(iii)"
    assert [one.prize_article for one in found[:3]] == ["17(4)", "17(5)", "17(6)"]


def test_art_17_odds_by_version(book: Rulebook) -> None:
    odds = {"player": 1, "banker": 1, "tie": 8, "player_pair": 11, "banker_pair": 11}
    marks = dict(zip(SHIPPED, ("inferred", "inferred", "inferred", "stated"), strict=True))
    for rules in book.sets:
        for bet, expected in odds.items():
            (pay,) = rules.bets[bet].pays
            assert (pay.odds, pay.status) == (Decimal(expected), marks[rules.id])
    assert book.get("30-2007").bets["jackpot"].payout_status == "inferred"
    assert book.get("64-2007").bets["jackpot"].payout_status == "stated"
    assert book.get("30-2007").status("jackpot_prize_approval") == "inferred"


def test_art_12_tie_gives_the_stake_back(book: Rulebook) -> None:
    for rules in book.sets:
        for bet in ("player", "banker"):
            pushes = rules.bets[bet].pushes
            assert pushes is not None
            assert matches(pushes, facts_of(4, 4))
        assert rules.bets["tie"].pushes is None


def test_art_18_schemes_by_version(book: Rulebook) -> None:
    assert list(book.get("55-2004").schemes) == ["commission"]
    assert book.get("55-2004").schemes["commission"].status == "inferred"
    absent = book.get("55-2004").absent["scheme.no_commission"]
    assert (absent.article, absent.status) == ("18", "inferred")
    for rules in book.sets[1:]:
        with_, without = rules.schemes["commission"], rules.schemes["no_commission"]
        assert (with_.rate, with_.article, with_.status) == (Decimal("0.05"), "18(1)", "stated")
        assert (without.rate, without.article) == (Decimal(0), "18(2)")
        (six,) = without.pays
        assert six.odds == Decimal("0.5")
        assert matches(six.when, facts_of(5, 6))
        assert matches(six.when, facts_of(0, 6, 3, 3))
        assert not matches(six.when, facts_of(6, 6))
        assert not matches(six.when, facts_of(6, 7))


def test_art_19_options_by_version(book: Rulebook) -> None:
    first = {*OPTIONS[:5]}
    assert [set(one.options) for one in book.sets] == [
        first,
        first | {"art18_no_commission"},
        first | {"art13_pairs", "art13_jackpot"},
        first | {"art13_pairs", "art13_jackpot"},
    ]
    assert {one.status for one in book.get("55-2004").options.values()} == {"inferred"}
    for rules in book.sets[1:]:
        assert {one.status for one in rules.options.values()} == {"stated"}
    repealed = book.get("64-2007").absent["option.art18_no_commission"]
    assert (repealed.article, repealed.status, repealed.ruleset) == ("19", "stated", "30-2007")


def test_first_naming(book: Rulebook) -> None:
    first = {option: book.first_naming(option) for option in OPTIONS}
    assert {option: one and one.id for option, one in first.items()} == {
        **dict.fromkeys(OPTIONS[:5], "55-2004"),
        "art13_pairs": "30-2007",
        "art13_jackpot": "30-2007",
        "art18_no_commission": "73-2005",
    }


def test_every_value_says_who_set_it(book: Rulebook) -> None:
    rules = book.get("64-2007")
    origin = {key: one.ruleset for key, one in rules.provisions.items()}
    assert origin["decks_min"] == "55-2004"
    assert origin["scheme.no_commission"] == "73-2005"
    assert origin["option.art13_pairs"] == "30-2007"
    assert origin["payout.tie"] == "64-2007"


def test_weak_marks_say_why(book: Rulebook) -> None:
    for rules in book.sets:
        for one in (*rules.provisions.values(), *rules.absent.values()):
            assert one.status == "stated" or one.note, one.key


def test_amendments_touch_what_their_instrument_says(book: Rulebook) -> None:
    for older, newer in pairwise(SHIPPED):
        touched = {change.article.split("(")[0] for change in book.diff(older, newer)}
        assert touched <= set(book.get(newer).instrument.touches)


def test_interpretations(book: Rulebook) -> None:
    readings = {one.id: one.readings for one in book.interpretations}
    assert readings == {
        "four_of_a_kind_suits": ("any", "distinct", "not_one_suit"),
        "burn_counts_first_card": ("included", "excluded"),
        "burn_value_of_ten": ("10", "0"),
        "jackpot_one_prize": ("highest", "each"),
        "jackpot_share": ("patrons", "bets"),
        "jackpot_fixed_prize": ("each", "round"),
        "art19_options": ("alternatives", "all"),
        "side_bet_needs_main_bet": ("no", "yes"),
    }
    assert {one.default for one in book.interpretations} == {"either"}
    with pytest.raises(RulebookError, match="The nearest is 'jackpot_share'"):
        book.interpretation("jackpot_shares")


# Differences


def test_diff_of_2005(book: Rulebook) -> None:
    changes = [(one.kind, one.key) for one in book.diff("55-2004", "73-2005")]
    assert ("restated", "scheme.commission") in changes
    assert ("added", "scheme.no_commission") in changes
    assert ("added", "option.art18_no_commission") in changes
    assert not [one for one in changes if one[0] in ("changed", "repealed")]


def test_diff_of_2007_names_the_repeal(book: Rulebook) -> None:
    (gone,) = [one for one in book.diff("73-2005", "30-2007") if one.kind == "repealed"]
    assert (gone.key, gone.article, gone.status) == ("option.art18_no_commission", "19", "stated")
    assert gone.old is not None
    assert gone.new is None


def test_diff_runs_in_order_of_articles(book: Rulebook) -> None:
    articles = [one.article for one in book.diff("73-2005", "64-2007")]
    numbers = [int(re.findall(r"\d+", article)[0]) for article in articles]
    assert numbers == sorted(numbers)


def test_diff_of_one_set_with_itself_is_empty(book: Rulebook) -> None:
    assert book.diff("64-2007", "64-2007") == ()


def test_the_hash_of_every_file_is_kept(book: Rulebook) -> None:
    names = [name for name, _ in book.files]
    assert names[:2] == ["sources.toml", "interpretations.toml"]
    assert sorted(names[2:]) == sorted(f"macau/{ruleset}.toml" for ruleset in SHIPPED)
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for _, digest in book.files)


def test_a_rulebook_travels_to_other_processes(book: Rulebook) -> None:
    copy = pickle.loads(pickle.dumps(book))
    assert copy.get("64-2007").banker_draws == book.get("64-2007").banker_draws


def test_unknown_names_get_the_nearest(book: Rulebook) -> None:
    with pytest.raises(RulebookError, match="The nearest is '64-2007'"):
        book.get("64-2006")
    with pytest.raises(RulebookError, match="The nearest is 'decks_min'"):
        book.get("64-2007").value("deck_min")


# Hand facts


def test_facts_of_a_tie_have_no_winner() -> None:
    facts = facts_of(6, 6)
    assert facts["winner"] == "tie"
    assert not matches({"winning_total": 6}, facts)
    assert not matches({"margin": 0}, facts)


def test_facts_of_a_hand() -> None:
    facts = facts_of(9, 4, 2, 3, player_pair=False, banker_pair=True)
    wanted = {"winner": "player", "winning_total": 9, "margin": 5, "winning_cards": 2, "cards": 5}
    assert matches({**wanted, "player_natural": True, "banker_natural": False}, facts)
    assert matches({"banker_total": [3, 4], "banker_pair": True}, facts)
    assert not matches({"banker_total": [3, 5]}, facts)
    assert matches({}, facts)
