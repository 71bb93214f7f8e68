"""The rule sets as shipped, version by version, and every way in which the loader refuses one."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from audit.errors import RulebookError
from audit.paths import data_dir
from audit.rulebook import Rulebook, facts_of, load_rulebook, matches
from audit.schema import OPTIONS

OWN = Path(__file__).parent / "data" / "rules"
SHIPPED = ("55-2004", "73-2005", "30-2007", "64-2007")
HEAD = """
id = "1-2020"
amends = "64-2007"
in_force_from = 2020-01-01
in_force_status = "stated"
"""


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load_rulebook()


def own(folder: Path, text: str, name: str = "own.toml") -> Rulebook:
    (folder / name).write_text(text, encoding="utf-8")
    return load_rulebook(folder)


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
            assert (pay.odds, pay.status) == (expected, marks[rules.id])
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
        assert (without.rate, without.article) == (0, "18(2)")
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
    with pytest.raises(RulebookError, match="Did you mean 'jackpot_share'"):
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


# Own rule sets


def test_lucky_6_is_a_table_and_no_code() -> None:
    book = load_rulebook(OWN)
    rules = book.in_force(date(2018, 5, 1))
    assert rules is not None
    bet = rules.bets["lucky_6"]
    odds = [(pay.odds, dict(pay.when), pay.article) for pay in bet.pays]
    assert odds == [(12, {"winning_cards": 2}, "17(8)"), (20, {"winning_cards": 3}, "17(8)")]
    assert matches(bet.wins, facts_of(5, 6))
    assert not matches(bet.wins, facts_of(6, 5))
    assert bet.titles["zh-Hant"] == "幸運6"
    assert (rules.own, rules.complete, rules.capped_from("A1701")) == (True, True, None)
    assert rules.bets["tie"].pays == book.get("64-2007").bets["tie"].pays
    assert book.files[-1][0] == "rules-dir/900-2018.toml"
    changes = [(one.kind, one.key) for one in book.diff("64-2007", "900-2018")]
    assert changes == [("added", "bet.lucky_6"), ("added", "payout.lucky_6")]


def test_own_set_without_complete_is_capped(tmp_path: Path) -> None:
    book = own(tmp_path, HEAD)
    assert book.get("1-2020").capped_from("A1701") == date(2009, 1, 1)
    assert book.get("1-2020").instrument.despacho == "1/2020"


def test_own_set_that_holds_a_later_act_replaces_it(tmp_path: Path) -> None:
    text = HEAD.replace("1-2020", "56-2018").replace("2020-01-01", "2018-04-24")
    book = own(tmp_path, text)
    assert "56-2018" not in [one.id for one in book.later_acts]


def test_own_set_may_be_whole(tmp_path: Path) -> None:
    text = (data_dir("rulesets") / "macau" / "55-2004.toml").read_text(encoding="utf-8")
    text = text.replace('"55-2004"', '"1-2003"', 1).replace("2004-05-18", "2003-01-01", 1)
    book = own(tmp_path, text)
    assert [one.id for one in book.sets][:2] == ["1-2003", "55-2004"]
    assert book.get("1-2003").amends is None


def test_own_sources_describe_the_instrument(tmp_path: Path) -> None:
    sources = """
    [[instrument]]
    id = "1-2020"
    despacho = "1/2020"
    touches = ["13"]
    signed = { status = "unknown" }
    gazette = { value = "1/2020", status = "stated" }
    published = { value = 2019-12-31, status = "stated" }
    in_force = { value = 2020-01-01, status = "stated" }
    """
    (tmp_path / "sources.toml").write_text(sources, encoding="utf-8")
    assert own(tmp_path, HEAD).get("1-2020").instrument.gazette.value == "1/2020"
    (tmp_path / "sources.toml").write_text(sources.replace("2020-01-01", "2020-01-02"))
    with pytest.raises(RulebookError, match=r"own\.toml, in_force_from: date or status differ"):
        load_rulebook(tmp_path)


def test_an_empty_cell_repeals_nothing_but_repeals_does(tmp_path: Path) -> None:
    text = HEAD + 'repeals = [{ key = "option.art13_pairs", article = "19", status = "stated" }]'
    rules = own(tmp_path, text).get("1-2020")
    assert "art13_pairs" not in rules.options
    assert "option.art13_pairs" in rules.absent


def test_the_readme_example_loads(tmp_path: Path) -> None:
    readme = (data_dir("rulesets") / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)
    rules = own(tmp_path, example).get("900-2018")
    assert "lucky_6" in rules.bets
    assert "art13_pairs" not in rules.options


def test_the_hash_of_every_file_is_kept(book: Rulebook) -> None:
    names = [name for name, _ in book.files]
    assert names[:2] == ["sources.toml", "interpretations.toml"]
    assert sorted(names[2:]) == sorted(f"macau/{ruleset}.toml" for ruleset in SHIPPED)
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for _, digest in book.files)


# What the loader refuses, each time naming file and key

PAY = 'article = "17"\nstatus = "stated"\n'
BET = f'[bet.x]\nkind = "fixed"\n{PAY}wins = '
ODDS = f"[payout.x]\n{PAY}pays = "
ROW = '[banker_draws]\n6 = { draws = [6, 7], stands = [0, 1, 2, 3, 4, 5, 8, 9], no_third = "stands"'
CITES = '{ draws = "9(3)(5)", stands = "9(4)(4)", no_third = "9(4)(4)" }'


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        # unknown keys, duplicates, forms
        ("decks_min = 6", "decks_min", "unknown key"),
        ("in_force_form = 2020-01-01", "in_force_form", "Did you mean 'in_force_from'"),
        (f"[provision.decks_mim]\nvalue = 6\n{PAY}", "provision.decks_mim", "mean 'decks_min'"),
        (f"[provision.decks_min]\nvalue = 6\nnote2 = ''\n{PAY}", "decks_min.note2", "unknown key"),
        (f"[provision.decks_min]\nvalue = '6'\n{PAY}", "decks_min.value", "whole number"),
        (f"[provision.decks_min]\nvalue = true\n{PAY}", "decks_min.value", "whole number"),
        (f"[provision.decks_min]\n{PAY}", "decks_min.value", "missing"),
        ("[provision]\ndecks_min = 6", "provision.decks_min", "is not a table"),
        (f"[provision.decks_min]\nvalue = 13\n{PAY}", "decks_min", "more decks"),
        (f"[provision.naturals]\nvalue = [8, 8]\n{PAY}", "naturals.value", "there twice"),
        (f"[provision.naturals]\nvalue = [5]\n{PAY}", "naturals", "would draw on a natural"),
        (f"[provision.player_draws_on]\nvalue = [0]\n{PAY}", "player_draws_on", "total is missing"),
        (f"[provision.winner]\nvalue = 'lower'\n{PAY}", "winner.value", "cannot be judged"),
        (f"[provision.burn_rules]\nvalue = ['all']\n{PAY}", "burn_rules.value", "'all' is none of"),
        ("amends = '64-2007'", "amends", "there twice"),
        (f"[bet.tie]\n{PAY}[bet.tie]\n", "bet.tie", "there twice"),
        # citations and marks
        ("[provision.decks_min]\nvalue = 6\nstatus = 'stated'", "decks_min.article", "no citation"),
        ("[provision.decks_min]\nvalue = 6\narticle = '1'", "decks_min.status", "no status"),
        (
            "[provision.decks_min]\nvalue = 6\narticle = '1'\nstatus = 'sated'",
            "decks_min.status",
            "Did you mean 'stated'",
        ),
        (
            "[provision.decks_min]\nvalue = 6\narticle = '1'\nstatus = 'inferred'",
            "decks_min.note",
            "inferred without a note",
        ),
        (
            "[provision.decks_min]\nvalue = 6\narticle = 'first'\nstatus = 'stated'",
            "decks_min.article",
            "'first' is no citation",
        ),
        # the Banker table
        (f'{ROW}, article = {CITES}, status = "stat" }}', "banker_draws.6.status", "none of"),
        (f"{ROW}, article = {CITES} }}", "banker_draws.6.status", "no status"),
        (f'{ROW}, status = "stated" }}', "banker_draws.6.article", "no citation"),
        (
            f'{ROW}, article = {{ draws = "9(3)(5)" }}, status = "stated" }}',
            "banker_draws.6.article.stands",
            "no citation",
        ),
        (ROW.replace("8, 9", "9") + " }", "banker_draws.6", "card 8 is missing"),
        (ROW.replace("[6, 7]", "[6, 7, 8]") + " }", "banker_draws.6", "card 8 stands both"),
        (ROW.replace("[6, 7]", "[6, 7, 10]") + " }", "banker_draws.6.draws", "10 is none of"),
        (ROW.replace('"stands"', '"wait"') + " }", "banker_draws.6.no_third", "'wait' is none of"),
        (ROW.replace("6 =", "10 =") + " }", "banker_draws.10", "no Banker total"),
        # bets and odds
        (f'{BET}{{ wimner = "tie" }}', "bet.x.wins.wimner", "Did you mean 'winner'"),
        (f"{BET}{{ banker_total = 10 }}", "bet.x.wins.banker_total", "10 is none of"),
        (f"{BET}{{ banker_total = '6' }}", "bet.x.wins.banker_total", "'6' is none of"),
        (f"{BET}{{ player_pair = 1 }}", "bet.x.wins.player_pair", "1 is none of true, false"),
        (f"{BET}{{ banker_total = [] }}", "bet.x.wins.banker_total", "none of"),
        (f"{BET}{{ }}", "bet.x.wins", "empty"),
        (f'{BET}{{ winner = "tie" }}', "bet.x", "no [payout.x]"),
        (f"{ODDS}[{{ odds = 2 }}]", "payout.x", "not on offer"),
        (f"{ODDS}[{{ odds = 0.555 }}]", "payout.x.pays[1].odds", "more than two decimals"),
        (f"{ODDS}[{{ odds = 901 }}]", "payout.x.pays[1].odds", "not between 0 and 900"),
        (f"{ODDS}[{{ odds = -1 }}]", "payout.x.pays[1].odds", "not between"),
        (f"{ODDS}[{{ odds = nan }}]", "payout.x.pays[1].odds", "not between"),
        (f"{ODDS}[{{ odds = '2' }}]", "payout.x.pays[1].odds", "not a number"),
        (f"{ODDS}[{{ when = {{ x = 1 }}, odds = 1 }}]", "payout.x.pays[1].when.x", "unknown fact"),
        (f"{ODDS}[]", "payout.x.pays", "missing or empty"),
        (
            f'{BET}{{ winner = "banker" }}\n{ODDS}[{{ when = {{ winning_cards = 2 }}, odds = 2 }}]',
            "payout.x.pays",
            "a hand that wins has no odds. For instance winning_cards = 3",
        ),
        (
            f'{BET}{{ winner = "tie" }}\n{ODDS}[{{ odds = 2 }}, {{ odds = 3 }}]',
            "payout.x.pays[2]",
            "no winning hand comes to these odds",
        ),
        (
            f'{BET}{{ winner = "tie", margin = 1 }}\n{ODDS}[{{ odds = 2 }}]',
            "bet.x.wins",
            "no hand can win",
        ),
        (
            f'{BET}{{ winner = "tie" }}\npushes = {{ banker_total = 6 }}\n{ODDS}[{{ odds = 2 }}]',
            "bet.x.pushes",
            "would also give the stake back",
        ),
        (f'{BET}{{ winner = "tie" }}'.replace("bet.x", "bet.X"), "bet.X", "no id for a bet"),
        (f'{BET}{{ winner = "tie" }}'.replace("bet.x", "bet.b"), "bet.b", "read as banker"),
        # schemes, options, repeals, absences
        (f"[scheme.free]\nbet = 'banker'\nrate = 0\n{PAY}", "scheme.free", "unknown scheme"),
        (
            f"[scheme.commission]\nbet = 'bankers'\nrate = 0\n{PAY}",
            "scheme.commission.bet",
            "Did you mean 'banker'",
        ),
        (
            f"[scheme.commission]\nbet = 'banker'\nrate = 0.055\n{PAY}",
            "scheme.commission.rate",
            "more than two decimals",
        ),
        (
            f"[scheme.commission]\nbet = 'banker'\nrate = 5\n{PAY}",
            "scheme.commission.rate",
            "not between 0 and 1",
        ),
        (f"[option.art7_auton]\nof = '7'\n{PAY}", "option.art7_auton", "mean 'art7_auto'"),
        ("repeals = ['bet.tie']", "repeals", "needs its citation"),
        ("repeals = [{ key = 'bet.tie' }]", "repeals[1].article", "no citation"),
        (
            "repeals = [{ key = 'bet.ties', article = '13', status = 'stated' }]",
            "repeals",
            "bet.ties is not in 64-2007. Did you mean 'bet.tie'",
        ),
        (
            "repeals = [{ key = 'bet.tie', article = '13', status = 'stated' }]",
            "payout.tie",
            "not on offer",
        ),
        (
            "repeals = [{ key = 'decks_min', article = '1', status = 'stated' }]",
            "own.toml",
            "has no decks_min",
        ),
        (f"[not_provided.'bet.tie']\n{PAY}", "not_provided", "is provided by 64-2007"),
        (f"[not_provided.'bets.tie']\n{PAY}", "not_provided.bets.tie", "no such key"),
    ],
)
def test_refused(tmp_path: Path, text: str, where: str, what: str) -> None:
    with pytest.raises(RulebookError) as refused:
        own(tmp_path, f"{HEAD}{text}\n")
    sentence = refused.value.sentence()
    assert "own.toml" in refused.value.where
    assert where in refused.value.where
    assert what in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("2020-01-01", "2020-13-01", "in_force_from", "no such date"),
        ("2020-01-01", '"2020-01-01"', "in_force_from", "not a date"),
        ("2020-01-01", "2020-01-01T00:00:00", "in_force_from", "not a date"),
        ("in_force_from = 2020-01-01", "", "in_force_from", "missing"),
        ("2020-01-01", "2007-06-26", "in_force_from", "already that of rulesets/macau/64-2007"),
        ("2020-01-01", "2006-01-01", "in_force_from", "in force only from 2007-06-26"),
        ('"64-2007"', '"64-2008"', "amends", "no rule set '64-2008' to amend. Did you mean"),
        ('"1-2020"', '"64-2007"', "id", "already that of rulesets/macau/64-2007.toml"),
        ('"1-2020"', '"a b"', "id", "no id"),
        ('"1-2020"', '"auto"', "id", "no id"),
        ('"stated"', '"sure"', "in_force_status", "'sure' is none of"),
        ('"stated"', '"inferred"', "in_force_status", "without an in_force_note"),
        ('amends = "64-2007"', "", "own.toml", "has no decks_min"),
        ("id =", "id", "id", "no TOML"),
    ],
)
def test_refused_heads(tmp_path: Path, old: str, new: str, where: str, what: str) -> None:
    with pytest.raises(RulebookError) as refused:
        own(tmp_path, HEAD.replace(old, new, 1))
    assert where in refused.value.where
    assert what in refused.value.sentence()


def test_two_own_sets_with_one_date(tmp_path: Path) -> None:
    (tmp_path / "another.toml").write_text(HEAD.replace("1-2020", "2-2020"))
    with pytest.raises(RulebookError, match=r"own\.toml, in_force_from: .*another\.toml"):
        own(tmp_path, HEAD)


def test_refused_folders(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="no such folder"):
        load_rulebook(tmp_path / "absent")
    with pytest.raises(RulebookError, match="holds no rule set"):
        load_rulebook(tmp_path)
    (tmp_path / "own.toml").write_bytes("id = '規'".encode("big5"))
    with pytest.raises(RulebookError, match="not UTF-8"):
        load_rulebook(tmp_path)


def test_own_interpretations_and_shipped_instruments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="own interpretations are not possible"):
        own(tmp_path, "", "interpretations.toml")
    (tmp_path / "interpretations.toml").unlink()
    shipped = (data_dir("rulesets") / "sources.toml").read_text(encoding="utf-8")
    with pytest.raises(RulebookError, match=r"sources\.toml, later_act: unknown key"):
        own(tmp_path, shipped, "sources.toml")
    only_acts = shipped[: shipped.index("# Later acts are known")]
    with pytest.raises(RulebookError, match="55-2004 is a shipped instrument"):
        own(tmp_path, only_acts, "sources.toml")


def test_unknown_names_get_the_nearest(book: Rulebook) -> None:
    with pytest.raises(RulebookError, match="Did you mean '64-2007'"):
        book.get("64-2006")
    with pytest.raises(RulebookError, match="Did you mean 'decks_min'"):
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
