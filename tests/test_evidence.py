"""The evidence of a case: hands written out, and amounts as narrow as they can be."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from audit import evidence
from audit.money import DECIMAL, LOGGED
from tests import units
from tests.support import hands, run_files

HANDS = hands(
    "kind outcome:",
    "KS 9H / KD 7C / play / player",
    "10S 2H 10D / KD 6C / play / banker",
    "2S 2H 3D / 5D QC 10H / play / player",
    "2S 2H 3D 4C / 5D QC 10H AS / play / player",
    "2S / / void /",
    " / / play / tie",
)


def test_hands_are_written_the_same_from_either_table(monkeypatch: pytest.MonkeyPatch) -> None:
    few = run_files({"rounds.csv": HANDS}).tables["rounds"]
    monkeypatch.setattr(evidence, "_MANY", 0)
    assert run_files({"rounds.csv": HANDS}).tables["rounds"].equals(few)
    assert few.select("player_cards", "banker_cards").rows() == [
        ("KS 9H", "KD 7C"),
        ("10S 2H 10D", "KD 6C"),
        ("2S 2H 3D", "5D QC 10H"),
        ("2S 2H 3D 4C", "5D QC 10H AS"),
        ("2S", None),
        (None, None),
    ]


def test_an_absurd_amount_makes_the_column_wide_in_all_units(tmp_path: Path) -> None:
    log = units.sample(tmp_path / "log")
    usual = units.run(log, tmp_path / "usual")
    path = log / "bets.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    at = head.split(",").index("stake")
    for number, row in enumerate(rows[:50]):
        cells = row.split(",")
        rows[number] = ",".join([*cells[:at], "999999999999.9999", *cells[at + 1 :]])
    path.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    cut = units.run(log, tmp_path / "cut")
    whole = units.run(log, tmp_path / "whole", units={"rounds": 10**9, "bets": 10**9})
    assert due_of(usual) == LOGGED
    assert due_of(cut) == due_of(whole) == DECIMAL
    assert units.evidence(cut, "bets") == units.evidence(whole, "bets")


def due_of(case: Path) -> pl.DataType:
    """The type of what was due."""
    return pl.read_parquet_schema(case / "bets.parquet")["due"]
