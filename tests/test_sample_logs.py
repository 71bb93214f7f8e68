"""The logs in ``sample_logs``: what they must give, and that their READMEs say the same."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from tests.oracle.audit import findings
from tests.support import run_folder
from tests.tools.make_sample_logs import FOLDER, main

COLUMNS = ("code", "casino", "table_id", "shoe_id", "round_no", "bet_id", "subject", "amount")
STORIES = sorted(path.parent.name for path in FOLDER.glob("*/expected.csv"))


def expected(story: str) -> list[dict[str, str]]:
    with (FOLDER / story / "expected.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def key(story: str) -> Counter[tuple[str, ...]]:
    return Counter(tuple(row[name] for name in COLUMNS) for row in expected(story))


@pytest.mark.parametrize("story", STORIES)
def test_the_audit_gives_what_is_expected(story: str) -> None:
    rows = run_folder(FOLDER / story).rows(*COLUMNS)
    found = Counter(tuple("" if cell is None else str(cell) for cell in row) for row in rows)
    assert found == key(story)


@pytest.mark.parametrize("story", STORIES)
def test_the_slow_audit_gives_the_same(story: str) -> None:
    found = findings(FOLDER / story)
    rows = Counter(tuple(str(getattr(one, name)) for name in COLUMNS) for one in found)
    assert rows == key(story)


@pytest.mark.parametrize("story", STORIES)
def test_the_readme_lists_what_is_expected(story: str) -> None:
    listed: Counter[tuple[str, ...]] = Counter()
    header: list[str] = []
    for line in (FOLDER / story / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            header = []
        elif not header:
            header = cells
        elif "code" in header and set(line) - set("|-"):
            row = dict(zip(header, cells, strict=True))
            listed[row["round"], row["code"].strip("`"), row["amount"]] += 1
    wanted = ((row["round_no"] or "-", row["code"], row["amount"]) for row in expected(story))
    assert listed == Counter(wanted)


def test_the_overview_names_every_story() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for story in STORIES:
        count = len(expected(story)) or "none"
        assert any(f"`{story}`" in line and f"| {count} |" in line for line in text.splitlines())


def test_the_logs_are_what_the_script_writes(tmp_path: Path) -> None:
    main(tmp_path)
    for story in STORIES:
        here = {path.name: path.read_bytes() for path in (FOLDER / story).glob("*.csv")}
        assert here == {path.name: path.read_bytes() for path in (tmp_path / story).iterdir()}


def test_the_foreign_log_is_read_by_its_profile() -> None:
    foreign = FOLDER / "foreign"
    found = run_folder(foreign, profile=foreign / "profile.toml")
    assert found.rows("code") == []
    rounds, bets = found.summary.tables["rounds"], found.summary.tables["bets"]
    assert (rounds.read, rounds.audited, rounds.set_aside) == (6, 5, 1)
    assert (bets.read, bets.audited) == (6, 6)
