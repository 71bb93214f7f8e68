"""Rule sets of a user's own: amendments of the shipped ones and whole ones."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from audit.errors import RulebookError
from audit.paths import data_dir
from audit.rulebook import Rulebook, facts_of, load_rulebook, matches

OWN = Path(__file__).parent / "data" / "rules"
HEAD = """
id = "1-2020"
amends = "64-2007"
in_force_from = 2020-01-01
in_force_status = "stated"
"""


def own(folder: Path, text: str, name: str = "own.toml") -> Rulebook:
    (folder / name).write_text(text, encoding="utf-8")
    return load_rulebook(folder)


def test_lucky_6_is_a_table_and_no_code() -> None:
    book = load_rulebook(OWN)
    rules = book.in_force(date(2018, 5, 1))
    assert rules is not None
    bet = rules.bets["lucky_6"]
    odds = [(pay.odds, dict(pay.when), pay.article) for pay in bet.pays]
    assert odds == [
        (Decimal(12), {"winning_cards": 2}, "17(8)"),
        (Decimal(20), {"winning_cards": 3}, "17(8)"),
    ]
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
    act = book.get("56-2018").instrument
    assert (act.gazette.value, act.in_force.status) == ("17/2018", "stated")


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
