"""``rules list``, ``rules show`` and ``rules diff`` on the terminal and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from audit.cli.rules import app
from audit.errors import RulebookError

OWN = Path(__file__).parent / "data" / "rules"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "100"})
    if result.exception is not None:
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


def as_json(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--format", "json"))


def test_list_names_sets_dates_marks_and_later_acts() -> None:
    text = run("list")
    row = next(line.split() for line in text.splitlines() if line.startswith("30-2007"))
    assert row[:4] == ["30-2007", "2007-02-23", "2007-06-25", "inferred"]
    assert "64-2007    2007-06-26   open" in text
    for act in ("2-2009", "69-2009", "83-2011", "56-2018"):
        assert f"\n{act} " in text
    assert "From 2009-01-01, arts. 13, 17, 18, 19 cannot be verified" in text
    assert "From 2011-09-27, art. 2(1) cannot be verified" in text


def test_list_shows_own_sets() -> None:
    text = run("list", "--rules-dir", str(OWN))
    assert "900-2018 (own)" in text
    assert "declared complete" in text


def test_show_prints_the_draw_table_and_marks() -> None:
    text = run("show", "55-2004")
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line[:1].isdigit()}
    assert lines["6"][1:12] == [*".....", ".", "D", "D", ".", ".", "."]
    assert "Odds of tie: 8 to 1" in text
    assert "inferred [" in text
    assert "[1] soft wording" in text
    assert "Scheme no_commission" in text


def test_diff_reads_like_the_amendment() -> None:
    text = run("diff", "73-2005", "30-2007")
    assert "30-2007 against 73-2005" in text
    assert "+ 13(1)(4)(2)  Bet jackpot: added (stated)" in text
    assert "- 19  Option art18_no_commission: repealed (stated)" in text
    assert "= 13(1)(4)(1)  Bet player_pair: restated (stated; inferred before)" in text
    assert text.index("Article 13") < text.index("Article 17") < text.index("Article 19")


def test_diff_of_a_changed_value(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'id = "1-2020"\namends = "64-2007"\nin_force_from = 2020-01-01\n'
        'in_force_status = "stated"\n[payout.tie]\npays = [{ odds = 9 }]\n'
        'article = "17(2)"\nstatus = "stated"\n'
    )
    text = run("diff", "64-2007", "1-2020", "--rules-dir", str(tmp_path))
    assert "~ 17(2)  Odds of tie: changed (stated)" in text
    assert "was: 8 to 1" in text
    assert "now: 9 to 1" in text
    assert "Nothing is different" in run("diff", "64-2007", "64-2007")


def test_json() -> None:
    listed = as_json("list")
    assert [one["id"] for one in listed["rulesets"]][-1] == "64-2007"
    assert listed["later_acts"][0]["in_force"]["value"] is None
    shown = {one["key"]: one for one in as_json("show", "64-2007")["provisions"]}
    assert shown["payout.tie"]["value"][0]["odds"] == 8
    assert shown["scheme.commission"]["value"]["rate"] == 0.05
    assert shown["decks_min"]["set_by"] == "55-2004"
    changes = as_json("diff", "64-2007", "900-2018", "--rules-dir", str(OWN))["changes"]
    assert [(one["kind"], one["key"]) for one in changes] == [
        ("added", "bet.lucky_6"),
        ("added", "payout.lucky_6"),
    ]


def test_quiet_is_for_other_programs() -> None:
    assert run("list", "--quiet").split() == ["55-2004", "73-2005", "30-2007", "64-2007"]
    assert "decks_min" in run("show", "64-2007", "-q").split()
    assert "- option.art18_no_commission" in run("diff", "73-2005", "30-2007", "-q").splitlines()


def test_unknown_id_names_the_nearest() -> None:
    with pytest.raises(RulebookError, match="The nearest is '64-2007'"):
        run("show", "64-2006")


def test_text_of_an_own_set_is_no_markup(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'id = "1-2020"\namends = "64-2007"\nin_force_from = 2020-01-01\n'
        'in_force_status = "inferred"\nin_force_note = "[bold]guess[/red]"\n'
    )
    assert "[bold]guess[/red]" in run("show", "1-2020", "--rules-dir", str(tmp_path))


def test_help_shows_an_example() -> None:
    for command in ("list", "show", "diff"):
        assert "baccarat-audit rules" in run(command, "--help")
