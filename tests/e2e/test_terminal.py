"""Small things that a user reads on the terminal."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

Tool = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("explain", "ZZ99"), "there is no check 'ZZ99'. `baccarat-audit explain` lists the codes"),
        (("explain", "A0990"), "; `baccarat-audit explain` lists the codes."),
        (
            ("run", "clean", "--case", "x", "--interpret", "zz"),
            "`baccarat-audit rules list` lists the ids.",
        ),
        (
            ("run", "clean", "--case", "x", "--interpret", "zz=1"),
            "`baccarat-audit rules list` lists them.",
        ),
        (("run", "clean", "--case", "x", "--report", "a.txt"), "Name it a.pdf."),
        (("report", "case", "-o", "report"), "Name it report.pdf."),
    ],
)
def test_refusals_say_what_to_do(
    tool: Tool, logs: Path, case: Path, command: tuple[str, ...], sentence: str
) -> None:
    done = tool(*command, cwd=logs)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert case.exists()
    assert not (logs / "x").exists()


def test_rules_list_has_the_readings(tool: Tool, tmp_path: Path) -> None:
    text = tool("rules", "list", cwd=tmp_path).stdout
    assert "jackpot_share=bets  an equal share for each bet" in text
    plain = json.loads(tool("rules", "list", "--format", "json", cwd=tmp_path).stdout)
    readings = {one["id"]: list(one["readings"]) for one in plain["interpretations"]}
    assert readings["jackpot_share"] == ["patrons", "bets"]


def test_rules_diff_in_either_order(tool: Tool, tmp_path: Path) -> None:
    said = [
        tool("rules", "diff", *ids, cwd=tmp_path).stdout
        for ids in (("55-2004", "73-2005"), ("73-2005", "55-2004"))
    ]
    assert said[0] == said[1]
    assert "repealed" not in said[0]


def test_tables_of_a_case_are_listed_once(tool: Tool, logs: Path, case: Path) -> None:
    done = tool("sql", case, "show TABLES", "--format", "csv", cwd=logs)
    names = done.stdout.split()[1:]
    assert sorted(set(names)) == sorted(names)
    assert {"rounds", "bets", "findings", "rejects"} <= set(names)


VOID = """table_id,shoe_id,round_no,started_at,kind,player_cards,banker_cards,outcome
T1,S1,1,2007-07-01 12:00:00,void,KS 9H 2C,KD 6C,player
"""


@pytest.mark.parametrize("form", ["text", "svg"])
def test_nobody_wins_a_void_round(tool: Tool, tmp_path: Path, form: str) -> None:
    (tmp_path / "rounds.csv").write_text(VOID)
    tool("run", "rounds.csv", "--case", "case", cwd=tmp_path)
    text = tool("replay", "case", "T1/S1/1", "--format", form, cwd=tmp_path).stdout
    assert "wins" not in text.replace("Player wins 1 to 1", "")
    assert ("As dealt  void" in text) is (form == "text")
    assert "A0903" in text  # the error that makes it void is shown all the same


def test_money_has_two_decimals(tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "rounds.csv").write_text(VOID.replace("void", "play").replace(" 2C", ""))
    (tmp_path / "bets.csv").write_text(
        "table_id,shoe_id,round_no,bet,stake,paid\nT1,S1,1,player,1000,2000.5\n"
        "T1,S1,1,tie,1000,0.125\n"
    )
    text = tool("run", "rounds.csv", "bets.csv", "--case", "case", cwd=tmp_path).stdout
    assert "overpaid 0.625, short-changed 0.00" in text


def test_selection_is_in_the_json(tool: Tool, logs: Path, tmp_path: Path) -> None:
    run = ("run", "clean", "--case", tmp_path / "case", "--format", "json")
    plain = json.loads(tool(*run, "--select", "A09", "--ignore", "A0907", cwd=logs).stdout)
    assert plain["selected"]["checks"] == 6 < plain["selected"]["of"]


def test_files_where_the_user_is_are_not_the_case(tool: Tool, logs: Path, tmp_path: Path) -> None:
    elsewhere, here = tmp_path / "elsewhere", tmp_path / "here"
    elsewhere.mkdir()
    here.mkdir()
    for name in ("rounds", "bets", "findings", "rejects", "shoes", "sources"):
        pl.DataFrame({"x": [name]}).write_parquet(here / f"{name}.parquet")
    (here / "run.parquet").write_text("no Parquet")
    run = ("run", logs / "faulty", "--case", tmp_path / "case", "--force", "--format", "json")
    said = []
    for folder in (elsewhere, here):
        made = tool(*run, cwd=folder, SOURCE_DATE_EPOCH="1767225600")
        shown = tool("findings", tmp_path / "case", cwd=folder)
        asked = tool("sql", tmp_path / "case", "SELECT * FROM bets", cwd=folder)
        proved = tool("verify", tmp_path / "case", cwd=folder)
        rounds = [line.split(",") for line in shown.stdout.splitlines() if ",A0" in line]
        place = "/".join(rounds[0][7:11])
        played = tool("replay", tmp_path / "case", place, cwd=folder)
        said.append([each.stdout for each in (made, shown, asked, proved, played)])
        assert [each.stderr for each in (made, shown, asked, proved, played)] == [""] * 5
    assert said[0] == said[1]
