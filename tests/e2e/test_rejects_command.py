"""``rejects`` and ``run --max-rejects`` as a user meets them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

Tool = Callable[..., subprocess.CompletedProcess[str]]

ROUNDS = """table_id,shoe_id,round_no,started_at,player_cards,banker_cards,cutcard
T1,S1,1,2007-07-01 12:00:00,KS 9H,KD 7C,
T1,S1,2,2007-07-01 12:00:40,KS XX,KD 7C,
T1,S1,3,2007-07-01 12:01:20,KS \u202e9H,KD 7C,
"""
BETS = """table_id,shoe_id,round_no,bet,stake,paid
T1,S1,1,player,100,200
T1,S1,1,player,100,two
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, tool: Tool) -> Path:
    folder = tmp_path_factory.mktemp("rejects")
    (folder / "log").mkdir()
    (folder / "log" / "rounds.csv").write_text(ROUNDS, encoding="utf-8")
    (folder / "log" / "bets.csv").write_text(BETS)
    assert tool("run", "log", "--case", "case", cwd=folder).returncode == 0
    return folder


def test_kinds_with_examples_and_remedy(tool: Tool, folder: Path) -> None:
    done = tool("rejects", "case", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "3 rows were rejected; 5 were read."
    assert "2  rounds.player_cards: card not known (unknown_card)" in done.stdout
    assert "rounds.csv, row 2: KS XX" in done.stdout
    assert "KS ‹U+202E›9H" in done.stdout
    assert "\u202e" not in done.stdout
    assert "Write the amount in plain digits" in done.stdout


def test_kinds_alone(tool: Tool, folder: Path) -> None:
    done = tool("rejects", "case", "-q", cwd=folder)
    assert done.stdout == "2  rounds.player_cards  unknown_card\n1  bets.paid  not_money\n"


@pytest.mark.parametrize(
    ("filters", "rows"),
    [
        (["--table", "bets"], [2]),
        (["--reason", "unknown_card"], [2, 3]),
        (["--reason", "unknown_card,not_money"], [2, 2, 3]),
        (["--table", "bets", "--reason", "unknown_card"], []),
    ],
)
def test_filters_and_csv(tool: Tool, folder: Path, filters: list[str], rows: list[int]) -> None:
    done = tool("rejects", "case", *filters, "--format", "csv", cwd=folder)
    assert [int(row["row"]) for row in csv.DictReader(io.StringIO(done.stdout))] == rows


@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_export_by_the_ending_of_the_file(tool: Tool, folder: Path, kind: str) -> None:
    done = tool("rejects", "case", "-o", f"out.{kind}", cwd=folder)
    assert done.stdout == f"3 rejected rows written to out.{kind}\n"
    path = folder / f"out.{kind}"
    read = {"csv": pl.read_csv, "json": pl.read_json, "parquet": pl.read_parquet}[kind]
    assert read(path)["text"].to_list() == ["two", "KS XX", "KS \u202e9H"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--reason", "bad"], "there is no reason 'bad' here. Choose among missing, "),
        (["--table", "T1"], "there is no table 'T1' here. Choose among bets, rounds."),
        (["--format", "text", "-o", "x"], "text is for the terminal."),
        (["-o", "nowhere/x.csv"], "its folder is not there or cannot be written."),
    ],
)
def test_what_is_refused(tool: Tool, folder: Path, options: list[str], sentence: str) -> None:
    done = tool("rejects", "case", *options, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_log_without_rejects(tool: Tool, logs: Path, tmp_path: Path) -> None:
    tool("run", "clean", "--case", tmp_path / "case", cwd=logs)
    done = tool("rejects", tmp_path / "case", cwd=logs)
    assert done.stdout.startswith("No row was rejected; ")


@pytest.mark.parametrize(("limit", "code"), [("2", 2), ("3", 0), ("59%", 2), ("60%", 0)])
def test_max_rejects(tool: Tool, folder: Path, tmp_path: Path, limit: str, code: int) -> None:
    case = tmp_path / "case"
    done = tool("run", "log", "--case", case, "--max-rejects", limit, cwd=folder)
    assert (done.returncode, case.exists()) == (code, code == 0)
    if code:
        assert f"3 of 5 rows were rejected, more than --max-rejects {limit} lets" in done.stderr
        assert "(2, rounds.player_cards) is: card not known, such as 'KS XX'" in done.stderr


def test_summary_names_unused_columns_and_rejects(tool: Tool, folder: Path, tmp_path: Path) -> None:
    text = tool("run", "log", "--case", tmp_path / "a", cwd=folder).stdout
    assert "The column cutcard of rounds is not read (rounds.csv). If cut_card is" in text
    assert "2  rounds.player_cards: card not known, such as KS XX (rounds.csv, row 2)" in text
    done = tool("run", "log", "--case", tmp_path / "b", "--format", "json", cwd=folder)
    plain = json.loads(done.stdout)
    assert plain["unused_columns"] == [
        {
            "table": "rounds",
            "column": "cutcard",
            "nearest": "cut_card",
            "sources": ["rounds.csv"],
        }
    ]
    assert [(kind["column"], kind["rows"]) for kind in plain["rejected"]] == [
        ("player_cards", 2),
        ("paid", 1),
    ]
    assert plain["unmatched"] == []
