"""Workbooks: cells as a person sees them; formulas by the value last computed."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import date, datetime
from pathlib import Path

import pytest

from audit.errors import LogError
from audit.normalise import read_log
from audit.sources import open_source, xlsx
from tests.ingest import BETS, ONE, ROUNDS

pytest.importorskip("fastexcel")
openpyxl = pytest.importorskip("openpyxl")


def workbook(path: Path, **sheets: list[list[object]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def rows(
    path: Path, sheet: str = "rounds"
) -> tuple[tuple[str, ...] | None, list[tuple[object, ...]]]:
    source = open_source(path, path.name, sheet)
    return source.header, [row for batch in source.batches() for row in batch.rows.rows()]


TABLE: list[list[object]] = [[*ROUNDS.split(",")], [*ONE.split(",")]]


def test_cells_as_a_person_sees_them(tmp_path: Path) -> None:
    cells: list[object] = [
        "007",
        278.0,
        1.5,
        0.1,
        datetime(2007, 7, 1, 12, 0, 5),
        True,
        None,
        123456789012345,
    ]
    path = workbook(tmp_path / "l.xlsx", rounds=[[*"abcdefgh"], cells])
    text = ("007", "278", "1.5", "0.1", "2007-07-01 12:00:05", "true", None, "123456789012345")
    assert rows(path) == (tuple("abcdefgh"), [text])


def test_dates_are_dates(tmp_path: Path) -> None:
    limits: list[list[object]] = [
        ["table_id", "bet", "min_stake", "max_stake", "valid_from"],
        ["T1", "tie", 100, 0.5 + 5000, date(2007, 1, 1)],
    ]
    log = read_log([workbook(tmp_path / "l.xlsx", rounds=TABLE, limits=limits)])
    assert log.rejects.height == 0
    assert log.tables["limits"].select("min_stake", "max_stake", "valid_from").row(0) == (
        100_000_000,
        5_000_500_000,
        date(2007, 1, 1),
    )


def test_sheets_named_after_tables(tmp_path: Path) -> None:
    bets: list[list[object]] = [[*BETS.split(",")], ["T1", "S1", 1, "player", 100, 200]]
    path = workbook(tmp_path / "July.xlsx", Notes=[["x"]], Rounds=TABLE, bets=bets)
    log = read_log([path])
    assert log.sources.select("name", "table", "audited").rows() == [
        ("July.xlsx/Rounds", "rounds", 1),
        ("July.xlsx/bets", "bets", 1),
    ]
    assert log.ignored == ("July.xlsx/Notes",)
    assert log.tables["bets"].select("round_no", "stake", "paid").row(0) == (1, 10**8, 2 * 10**8)


def test_first_sheet_of_a_file_named_after_its_table(tmp_path: Path) -> None:
    workbook(tmp_path / "rounds-07.xlsx", Sheet1=TABLE, Sheet2=[["x"]])
    log = read_log([tmp_path])
    assert log.sources["name"].to_list() == ["rounds-07.xlsx/Sheet1"]
    (tmp_path / "rounds-07.csv").write_text(f"{ROUNDS}\n{ONE}\n")
    with pytest.raises(LogError, match="are the rounds table"):
        read_log([tmp_path])


def test_blank_rows_and_unnamed_columns(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "l.xlsx",
        rounds=[[], ["a", None, "b", None], [], ["1", "2", None, None], [" "], ["3"]],
    )
    assert rows(path) == (("a", "column 2", "b"), [("1", "2", None), ("3", None, None)])


@pytest.mark.parametrize("error", [False, True])
def test_formula_cells(tmp_path: Path, error: bool) -> None:
    path = workbook(
        tmp_path / "l.xlsx", rounds=[["a", "b", "c"], ["=1+1", "=1/0" if error else "x", "=A2"]]
    )
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    # With lxml there, openpyxl writes an empty element otherwise.
    sheet = parts["xl/worksheets/sheet1.xml"].decode().replace("<v/>", "<v />")
    sheet = sheet.replace("<v></v>", "<v />")
    for old, value in (("1+1", "2"), ("1/0", "#DIV/0!"))[: 1 + error]:
        assert f"<f>{old}</f><v />" in sheet
        sheet = sheet.replace(f"<f>{old}</f><v />", f"<f>{old}</f><v>{value}</v>")
    if error:
        sheet = sheet.replace('<c r="B2"', '<c r="B2" t="e"')
    parts["xl/worksheets/sheet1.xml"] = sheet.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    if error:
        with pytest.raises(LogError, match="the cell B2 of the sheet 'rounds' holds an error"):
            rows(path)
    else:  # the value last computed; a formula that never was is empty
        assert rows(path)[1] == [("2", "x", None)]


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook(tmp_path / "l.xlsx", rounds=TABLE)

    def absent(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(xlsx.importlib, "import_module", absent)
    with pytest.raises(LogError) as caught:
        read_log([path])
    assert caught.value.sentence() == (
        "l.xlsx: workbooks need the package fastexcel, which is not installed. "
        "pip install 'baccarat-audit[xlsx]', or save the sheets as CSV."
    )


@pytest.mark.parametrize(
    ("sheets", "found"),
    [
        ({"rounds": [[]]}, "sheet 'rounds' is empty"),
        ({"rounds": [["a", "A"]]}, "stands twice"),
        ({"x": [["a"]], "y": [["a"]]}, r"named after a table \(found: x, y\)"),
    ],
)
def test_what_is_no_log(tmp_path: Path, sheets: dict[str, list[list[object]]], found: str) -> None:
    with pytest.raises(LogError, match=found):
        read_log([workbook(tmp_path / "l.xlsx", **sheets)])


def test_no_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "l.xlsx"
    for content, found in (
        (b"", "this is no XLSX workbook"),
        (b"a,b\n", "this is no XLSX workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "old or encrypted"),
    ):
        path.write_bytes(content)
        with pytest.raises(LogError, match=found):
            read_log([path])
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * 40_000_000)
    path.write_bytes(other.getvalue())
    with pytest.raises(LogError, match="200 times its size"):
        read_log([path])
    monkeypatch.setattr(xlsx, "MOST", 1000)
    with pytest.raises(LogError, match="unpacks to more than"):
        read_log([workbook(path, rounds=TABLE)])


def test_damaged_workbook(tmp_path: Path) -> None:
    path = tmp_path / "l.xlsx"
    whole = workbook(path, rounds=TABLE + [TABLE[1]] * 50).read_bytes()
    chance = random.Random(7)
    for _ in range(80):
        content = bytearray(whole)
        if chance.random() < 0.2:
            del content[chance.randrange(len(content)) :]
        else:
            for _ in range(chance.choice((1, 8))):
                content[chance.randrange(len(content))] = chance.randrange(256)
        path.write_bytes(content)
        try:
            log = read_log([path])
        except LogError as error:
            assert "l.xlsx" in str(error)  # noqa: PT017
            continue
        assert log.sources["rows_read"].to_list() == [51]
