"""The generator of sample logs: lawful, exact, repeatable; and its faults, which are findings."""

from __future__ import annotations

import csv
import json
from collections import Counter
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from typer import Typer
from typer.testing import CliRunner

from audit.cli.sample import sample
from audit.errors import OptionError
from audit.sample import Options, Written, write_sample
from audit.sample.faults import KINDS
from tests.oracle.audit import findings
from tests.support import run_folder

COLUMNS = ("code", "casino", "table_id", "shoe_id", "round_no", "bet_id", "subject", "amount")
Key = Counter[tuple[str, ...]]


def key_of(path: Path) -> Key:
    with path.open(encoding="utf-8") as file:
        return Counter(tuple(row[name] for name in COLUMNS) for row in csv.DictReader(file))


def by_oracle(folder: Path) -> Key:
    return Counter(
        tuple(str(getattr(found, name)) for name in COLUMNS) for found in findings(folder)
    )


def by_tool(folder: Path) -> Key:
    rows = run_folder(folder).rows(*COLUMNS)
    return Counter(tuple("" if cell is None else str(cell) for cell in row) for row in rows)


def rows_of(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / f"{table}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(folder: Path, **options: object) -> Written:
    return write_sample(folder, Options(**options))  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


# --- whole logs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "days"),
    [
        (date(2004, 5, 18), 20),
        (date(2005, 11, 15), 50),
        (date(2007, 2, 10), 45),
        (date(2007, 6, 20), 10),
        (date(2008, 12, 1), 31),
    ],
)
def test_a_log_without_faults_gives_no_finding(tmp_path: Path, start: date, days: int) -> None:
    folder = tmp_path / "log"
    written = write(folder, rounds=1200, seed=days, start=start, days=days)
    assert written.rounds == len(rows_of(folder, "rounds")) == 1200
    assert written.bets == len(rows_of(folder, "bets")) > 2400
    assert written.findings == 0
    assert not (folder / "faults.csv").exists()
    assert not by_oracle(folder)
    assert not by_tool(folder)


def test_options_are_used_from_the_versions_that_have_them(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    write(folder, rounds=1500, seed=3, start=date(2005, 10, 1), days=640)
    first: dict[str, str] = {}
    started = {}
    for row in rows_of(folder, "rounds"):
        place = (row["table_id"], row["shoe_id"], row["round_no"])
        started[place] = row["started_at"]
        if row["commission"] == "no_commission":
            first.setdefault("scheme", row["started_at"])
            first["scheme"] = min(first["scheme"], row["started_at"])
    for row in rows_of(folder, "bets"):
        at = started[row["table_id"], row["shoe_id"], row["round_no"]]
        first[row["bet"]] = min(first.get(row["bet"], at), at)
    assert date.fromisoformat(first["scheme"][:10]) >= date(2005, 11, 29)
    assert date.fromisoformat(first["jackpot"][:10]) >= date(2007, 2, 23)
    assert first["tie"] < "2005-11-29"
    assert first["player_pair"] < "2005-11-29"


def test_a_log_shows_what_happens_at_a_table(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    write(folder, rounds=6000, seed=1)
    rounds, bets, shoes = (rows_of(folder, name) for name in ("rounds", "bets", "shoes"))
    assert {row["kind"] for row in rounds} == {"play", "demo", "void", "free"}
    assert any(row["withdrawn_cards"] for row in rounds)
    assert any(row["burned"] for row in rounds)
    assert any(row["cut_card"] == "true" for row in rounds)
    assert {row["commission"] for row in rounds} == {"commission", "no_commission"}
    assert len({row["casino"] for row in rounds}) == 3
    assert {row["device"] for row in shoes} == {"shoe", "auto"}
    assert {row["burn_rule"] for row in shoes} == {"decks", "first_card", ""}
    assert {int(row["decks"]) for row in shoes} == {6, 7, 8}
    assert {row["currency"] for row in bets} == {"HKD", "MOP"}
    assert {row["disposition"] for row in bets} == {"settled", "carried", "cancelled"}
    assert any(row["bet"] == "jackpot" and row["paid"] != "0" for row in bets)
    assert any(row["disposition"] == "carried" and row["paid"] != "0" for row in bets)
    played = sum(row["kind"] in ("play", "void") for row in rounds)
    assert 2.7 < len(bets) / played < 3.3


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_the_same_options_give_the_same_bytes(tmp_path: Path, form: str) -> None:
    for name, seed in (("one", 5), ("two", 5), ("three", 6)):
        write(tmp_path / name, rounds=400, seed=seed, faults=0.1, format=form)
    one, two, three = (contents(tmp_path / name) for name in ("one", "two", "three"))
    assert one == two
    assert one["faults.csv"] != three["faults.csv"]
    assert one.keys() == three.keys()


def test_parquet_and_json_lines_hold_the_rows_of_the_csv(tmp_path: Path) -> None:
    for form in ("csv", "parquet", "jsonl"):
        write(tmp_path / form, rounds=700, seed=8, faults=0.2, format=form)
    for table in ("rounds", "bets", "shoes", "authorisations", "jackpot_prizes", "limits"):
        rows = rows_of(tmp_path / "csv", table)
        lines = (tmp_path / "jsonl" / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
        objects = [json.loads(line) for line in lines]
        assert [{name: cell for name, cell in row.items() if cell} for row in rows] == [
            {name: _text(cell) for name, cell in found.items()} for found in objects
        ]
        frame = pl.read_parquet(tmp_path / "parquet" / f"{table}.parquet")
        typed = pl.read_csv(tmp_path / "csv" / f"{table}.csv", infer_schema=False)
        for name in frame.columns:
            assert _as_text(frame[name]).equals(typed[name]), (table, name)


def _text(cell: object) -> str:
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _as_text(cells: pl.Series) -> pl.Series:
    if cells.dtype == pl.Datetime("us"):
        return cells.dt.strftime("%Y-%m-%d %H:%M:%S")
    text = cells.cast(pl.String)
    if cells.dtype != pl.Decimal(18, 4):
        return text
    short = text.str.strip_chars_end("0").str.strip_chars_end(".")
    return text.str.head(-2) if cells.name == "jackpot_pool" else short


def test_long_parquet_logs_come_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit.sample.writing.PIECE", 300)
    write(tmp_path / "log", rounds=650, seed=8, faults=0.2, format="parquet")
    files = sorted(path.name for path in (tmp_path / "log" / "rounds").iterdir())
    assert files == ["part-0001.parquet", "part-0002.parquet", "part-0003.parquet"]
    assert not (tmp_path / "log" / "rounds.parquet").exists()
    assert (tmp_path / "log" / "shoes.parquet").exists()
    twice = [key for key in key_of(tmp_path / "log" / "faults.csv") if key[0] == "L02"]
    for key in twice:
        file, _, row = key[6].rpartition(":")
        found = pl.read_parquet(tmp_path / "log" / file).row(int(row) - 1, named=True)
        assert (found["table_id"], found["shoe_id"], str(found["round_no"])) == key[2:5]
    assert any("part-0002" in key[6] for key in twice)


# --- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "rate", "start", "days"),
    [
        (1, 0.02, date(2007, 7, 1), 31),
        (2, 1.0, date(2007, 7, 1), 31),
        (3, 0.5, date(2004, 5, 18), 10),
        (4, 0.5, date(2005, 11, 20), 60),
        (5, 0.5, date(2007, 2, 10), 40),
    ],
)
def test_the_key_holds_exactly_the_findings(
    tmp_path: Path, seed: int, rate: float, start: date, days: int
) -> None:
    folder = tmp_path / "log"
    written = write(folder, rounds=1500, seed=seed, faults=rate, start=start, days=days)
    key = key_of(folder / "faults.csv")
    assert written.findings == key.total() > 10
    assert by_oracle(folder) == key
    assert by_tool(folder) == key


def test_every_kind_of_fault_is_planted(tmp_path: Path) -> None:
    write(tmp_path / "log", rounds=4000, seed=11, faults=1.0)
    planted = {key[0] for key in key_of(tmp_path / "log" / "faults.csv")}
    assert planted == set(KINDS)


def test_faults_do_not_change_the_shoes(tmp_path: Path) -> None:
    write(tmp_path / "clean", rounds=300, seed=4)
    write(tmp_path / "faulty", rounds=300, seed=4, faults=0.3)
    first, second = (rows_of(tmp_path / name, "shoes")[0] for name in ("clean", "faulty"))
    assert first == second


# --- options and command line ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"rounds": 0}, "--rounds"),
        ({"faults": 1.5}, "--faults"),
        ({"format": "xlsx"}, "--format"),
        ({"days": 0}, "--days"),
        ({"tables": 0}, "--tables"),
        ({"casinos": 9}, "--casinos"),
        ({"bets": 20}, "--bets"),
        ({"start": date(2004, 5, 17)}, "--start"),
        ({"start": date(2008, 12, 20)}, "--start"),
        ({"rounds": 10**9}, "--rounds"),
        ({"rounds": 10**6, "tables": 2}, "--tables"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], where: str) -> None:
    with pytest.raises(OptionError) as refused:
        Options(**options)  # type: ignore[arg-type]
    assert refused.value.where == where
    assert refused.value.hint


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OptionError):
        write(tmp_path, rounds=10)
    assert contents(tmp_path) == {"mine.txt": b"mine"}


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "log"):
        with pytest.raises(OptionError) as refused:
            write(folder, rounds=10)
        assert refused.value.where == str(folder)


def test_an_empty_folder_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".partial").mkdir()
    (tmp_path / ".partial" / "rounds.csv").write_text("cut short", encoding="utf-8")
    write(Path(), rounds=10)
    assert {"rounds.csv", "bets.csv", "shoes.csv"} < contents(tmp_path).keys()
    assert not (tmp_path / ".partial").exists()


def test_the_command_writes_a_log_and_says_what(tmp_path: Path) -> None:
    app = Typer()
    app.command()(sample)
    folder = tmp_path / "new" / "log"
    arguments = [str(folder), "--rounds", "120", "--faults", "0.2", "--start", "2006-03-01"]
    run = CliRunner().invoke(app, arguments)
    assert run.exit_code == 0, run.output
    assert "of bets" in run.output
    assert "faults.csv" in run.output
    assert rows_of(folder, "rounds")[0]["started_at"].startswith("2006-03")
    quiet = CliRunner().invoke(app, [str(tmp_path / "other"), "--rounds", "10", "--quiet"])
    assert quiet.output == ""
    assert "Example:" in CliRunner().invoke(app, ["--help"]).output
