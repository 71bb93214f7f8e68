"""Findings as a workbook: typed, nothing in it runs, the same bytes, nothing lost at its limits."""

from __future__ import annotations

import io
import json
import subprocess
import zipfile
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import export_xlsx
from audit.checks.findings import COLUMNS
from audit.export_xlsx import LONGEST, cell_text, workbook
from audit.pipeline import Job, run_audit
from tests.e2e.conftest import environment, script
from tests.support import complete, hands

MADE = datetime.fromisoformat("2026-01-01T08:00:00+08:00")
NAMES = [*COLUMNS[:11], "started_at", *COLUMNS[11:16], "currency", *COLUMNS[16:]]
TYPES = {"round_no": pl.Int64(), "row": pl.Int64(), "started_at": pl.Datetime("us")}
HOSTILE = (
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "=cmd|' /C calc'!A0", '=HYPERLINK("http://x","y")',
    "http://example.com", "mailto:a@b.c", "internal:Summary!A1", "external:x.xlsx", "007", "1e5",
    "TRUE", "#REF!", "{=1}", "_x003D_1", "<b>&amp;", " padded ", "\x00\x1b[31m\r\ufffe\u202e",
)  # fmt: skip


def frame(*rows: dict[str, Any]) -> pl.DataFrame:
    schema = {name: TYPES.get(name, pl.String()) for name in NAMES}
    plain: dict[str, Any] = {"code": "A0901", "severity": "violation", "status": "new"}
    return pl.DataFrame([{**dict.fromkeys(NAMES), **plain, **row} for row in rows], schema=schema)


def made(*rows: dict[str, Any]) -> bytes:
    return workbook(frame(*rows), [("case", "abc")], MADE)


def sheets(content: bytes) -> dict[str, list[dict[str, Any]]]:
    """The cells of each article's sheet by the names in its first row."""
    book = openpyxl.load_workbook(io.BytesIO(content))
    found = {}
    for sheet in book.worksheets[1:]:
        head, *rows = sheet.iter_rows(values_only=True)
        assert list(head) == NAMES
        found[sheet.title] = [dict(zip(NAMES, row, strict=True)) for row in rows]
    return found


def summary(content: bytes) -> list[tuple[Any, ...]]:
    sheet = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]
    assert sheet.title == "Summary"
    return list(sheet.iter_rows(values_only=True))


def parts(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_columns_have_types() -> None:
    moment = datetime(2007, 7, 1, 12, 0, 40)
    content = made({"round_no": 7, "started_at": moment, "amount": "-12.5", "currency": "MOP"})
    (row,) = sheets(content)["Art. 9"]
    assert (row["round_no"], row["started_at"], row["amount"]) == (7, moment, -12.5)
    assert (row["currency"], row["bet_id"]) == ("MOP", None)
    sheet = openpyxl.load_workbook(io.BytesIO(content))["Art. 9"]
    assert sheet["Q2"].number_format == "0.00####"
    assert sheet["L2"].number_format == "yyyy-mm-dd hh:mm:ss"
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:V2")


@pytest.mark.parametrize("amount", ["123456789012.123456", "-999999999999.999999"])
def test_money_that_no_number_holds_is_text(amount: str) -> None:
    assert sheets(made({"amount": amount}))["Art. 9"][0]["amount"] == amount


@given(st.integers(1 - 10**15, 10**15 - 1))
def test_money_as_a_number_is_exact(millionths: int) -> None:
    amount = Decimal(millionths).scaleb(-6)
    cell = sheets(made({"amount": f"{amount:f}"}))["Art. 9"][0]["amount"]
    assert Decimal(f"{cell:.15g}") == amount


def test_numbers_and_days_that_a_sheet_cannot_hold_are_text() -> None:
    content = made({"round_no": 10**17 + 1, "started_at": datetime(1850, 1, 1)})
    (row,) = sheets(content)["Art. 9"]
    assert row["round_no"] == "100000000000000001"
    assert row["started_at"] == "1850-01-01 00:00:00"


def test_no_cell_runs_or_links() -> None:
    content = made(*({"code": "L01", "message": each, "casino": each} for each in HOSTILE))
    inside = parts(content)
    for name, text in inside.items():
        assert "<f>" not in text
        assert "<f " not in text
        assert "<hyperlink" not in text
        assert "external" not in name.lower()
        assert "relationships/hyperlink" not in text
    data = inside["xl/worksheets/sheet2.xml"]
    assert data.count('t="inlineStr"') == len(NAMES) + len(HOSTILE) * 5
    cells = [row["message"] for row in sheets(content)["Log"]]
    # A sheet reads _x003D_ as an equals sign, unless its first stroke is itself written so.
    assert cells[:19] == [*HOSTILE[:16], "_x005F_x003D_1", *HOSTILE[17:19]]
    assert cells[19] == "‹U+0000›‹U+001B›[31m‹U+000D›‹U+FFFE›‹U+202E›"


def test_the_same_findings_give_the_same_bytes() -> None:
    rows = [{"message": each, "amount": "1.5", "code": code} for each in HOSTILE for code in "LA"]
    rows = [{**row, "code": "A1801" if row["code"] == "A" else "L01"} for row in rows]
    assert made(*rows) == made(*rows)
    assert "2026-01-01T00:00:00Z" in parts(made(*rows))["docProps/core.xml"]


def test_one_sheet_for_each_article_and_a_summary() -> None:
    content = made(
        {"code": "L01", "severity": "warning"},
        {"code": "A1801", "amount": "5", "currency": "MOP"},
        {"code": "A1801", "amount": "-0.1", "currency": "MOP", "status": "accepted"},
        {"code": "A1801", "amount": "0.2", "currency": "HKD"},
        {"code": "A0901"},
    )
    assert {name: len(rows) for name, rows in sheets(content).items()} == {
        "Art. 9": 1, "Art. 18": 3, "Log": 1,
    }  # fmt: skip
    rows = summary(content)
    assert rows[0][:2] == ("case", "abc")
    assert rows[2][0] == "sheet"
    told = [(row[0], row[1], *row[3:]) for row in rows[3:]]
    assert told == [
        ("Art. 9", "A0901", "violation", 1, 0, None, None, None),
        ("Art. 18", "A1801", "violation", 1, 0, "HKD", 0.2, 0),
        ("Art. 18", "A1801", "violation", 2, 1, "MOP", 5, 0.1),
        ("Log", "L01", "warning", 1, 0, None, None, None),
    ]
    assert all(row[2] for row in rows[3:])


def test_a_full_sheet_goes_on_and_the_summary_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_xlsx, "ROWS", 3)
    content = made(*({"row": number} for number in range(5)), {"code": "L01"})
    assert {name: [row["row"] for row in rows] for name, rows in sheets(content).items()} == {
        "Art. 9": [0, 1], "Art. 9 (2)": [2, 3], "Art. 9 (3)": [4], "Log": [None],
    }  # fmt: skip
    note = ("Art. 9 goes on", "on Art. 9 (2), Art. 9 (3): a sheet holds 3 rows")
    assert note in [row[:2] for row in summary(content)]


def test_a_long_text_is_cut_and_said_to_be() -> None:
    whole = "x" * LONGEST
    content = made(
        {"message": whole}, {"message": whole + "y"}, {"message": "\U0001f0a1" * LONGEST}
    )
    cells = [row["message"] for row in sheets(content)["Art. 9"]]
    assert cells[0] == whole
    for cell in cells[1:]:
        assert cell.endswith("x… (cut here; whole in the CSV file)") or cell[0] == "\U0001f0a1"
        assert len(cell.encode("utf-16-le")) // 2 <= LONGEST
    assert ("cells cut", "2, longer than the 32,767 characters that a cell holds") in [
        row[:2] for row in summary(content)
    ]
    assert cell_text("\x00" * LONGEST).startswith("‹U+0000›‹U+0000›")


def test_no_findings_are_a_workbook_too() -> None:
    content = workbook(frame().clear(), [("findings", 0)], MADE)
    assert sheets(content) == {}
    assert summary(content)[0][:2] == ("findings", 0)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("xlsx")
    log = folder / "log"
    log.mkdir()
    rounds = hands("outcome commission:", "KS 7H / 9D KC / banker / commission")
    (log / "rounds.csv").write_text(complete("rounds.csv", rounds))
    bets = "currency,bet,stake,paid\nHKD,banker,102,204"
    (log / "bets.csv").write_text(complete("bets.csv", bets))
    run_audit(Job(log=[log], case=folder / "case"))
    return folder / "case"


def findings(case: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    command = [script(), "findings", str(case), *options]
    return subprocess.run(command, capture_output=True, check=False, env=environment())


def test_the_command_writes_it(case: Path, tmp_path: Path) -> None:
    done = findings(case, "--format", "xlsx", "-o", str(tmp_path / "f.xlsx"), "--code", "A18")
    assert done.returncode == 0, done.stderr
    content = (tmp_path / "f.xlsx").read_bytes()
    (rows,) = sheets(content).values()
    told = [(row["currency"], row["amount"], row["started_at"]) for row in rows]
    assert told == [("HKD", 5.1, datetime(2007, 7, 1, 12, 0, 40))]
    assert ("only", "--code A18") in [row[:2] for row in summary(content)]
    assert findings(case, "--format", "xlsx", "--code", "A18").stdout == content


def test_json_has_the_currency_and_csv_the_columns_agreed(case: Path) -> None:
    rows = json.loads(findings(case, "--format", "json").stdout)
    assert {row["currency"] for row in rows} == {"HKD"}
    assert list(rows[0]) == [*COLUMNS[:16], "currency", *COLUMNS[16:]]
    csv = findings(case, "--format", "csv").stdout.decode()
    assert csv.splitlines()[0] == ",".join(COLUMNS)
