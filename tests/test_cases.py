"""Small logs for each check, in ``cases/CODE``: the file name is the assertion.

``NAME.fail`` lists, under ``# expect``, every finding of its log, and CODE is among them.
``NAME.pass`` gives no finding of CODE; if it has ``# expect``, that is the complete list too.
A pass counts only where the check looked at a row, unless it says ``looked = false``.

A file holds the tables under ``# rounds.csv`` and the like (columns that do not matter may be
left out, see ``tests.support``) and options of the run, as TOML, under ``# options``.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from audit.checks import CHECKS
from tests.support import run_files

FOLDER = Path(__file__).parent / "cases"
FILES = sorted(path for path in FOLDER.rglob("*.*") if path.suffix in (".pass", ".fail"))
HEADING = re.compile(r"^# (options|expect|\S+\.(?:csv|tsv|jsonl))$", re.MULTILINE)


def sections(path: Path) -> dict[str, str]:
    """The parts of a case file by heading; what stands before the first is a comment."""
    _, *parts = HEADING.split(path.read_text(encoding="utf-8"))
    return {name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2], strict=True)}


def expected(text: str) -> tuple[list[str], list[tuple[str, ...]]]:
    """Columns and rows under ``# expect``."""
    header, *rows = csv.reader(io.StringIO(text))
    return header, sorted(tuple(row) for row in rows)


def options(parts: Mapping[str, str]) -> dict[str, object]:
    return tomllib.loads(parts.get("options", ""))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_case(path: Path) -> None:
    code, fails = path.parent.name, path.suffix == ".fail"
    parts = sections(path)
    chosen = options(parts)
    looked = chosen.pop("looked", True)
    files = {name: text for name, text in parts.items() if name not in ("options", "expect")}
    audit = run_files(files, **chosen)
    if "expect" in parts:
        header, rows = expected(parts["expect"])
        found = audit.rows(*header)
        assert sorted(tuple("" if c is None else str(c) for c in row) for row in found) == rows
    assert fails <= ("expect" in parts), "a failing log lists all that it gives"
    assert (code in [found for (found,) in audit.rows("code")]) is fails
    assert not looked or audit.examined(code) > 0, "the check did not look at any row"
    assert not audit.summary.crashed


@pytest.mark.parametrize("code", [check.code for check in CHECKS])
@pytest.mark.parametrize("kind", ["pass", "fail"])
def test_every_check_has_cases(code: str, kind: str) -> None:
    assert list((FOLDER / code).glob(f"*.{kind}")), f"tests/cases/{code} has no .{kind} file"


def test_every_case_is_of_a_check() -> None:
    assert {path.parent.name for path in FILES} <= {check.code for check in CHECKS}
