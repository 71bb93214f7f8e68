"""A log as a whole: its files, its columns, and every row accounted for."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import AuditError, LogError
from audit.normalise import intake, read_log
from tests.ingest import BETS, ONE, ROUNDS, log

GENERATED = Path(os.environ.get("BACCARAT_AUDIT_CASES", "no such folder"))
"""A folder of generated tables with their `expected.csv`, where there is one."""


def test_sources_add_up(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        rounds=f"{ROUNDS}\n{ONE}\n\n{ONE}\nT1,S1,x,2007-07-01 12:00,KS 9H,KD 7C\n",
        bets=f"{BETS}\nT1,S1,1,player,1,0\n",
    )
    content = (tmp_path / "rounds.csv").read_bytes()
    assert read.sources.columns == [
        "name", "table", "sha256", "bytes", "rows_read", "audited", "rejected", "set_aside"
    ]  # fmt: skip
    assert read.sources["name"].to_list() == ["bets.csv", "rounds.csv"]
    assert read.sources.row(1) == (
        "rounds.csv", "rounds", hashlib.sha256(content).hexdigest(), len(content), 3, 1, 2, 0
    )  # fmt: skip


def test_a_lost_row_is_our_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = intake.type_batch

    def forgetful(*given: Any) -> Any:
        typed = real(*given)
        object.__setattr__(typed, "frame", typed.frame.head(0))
        return typed

    monkeypatch.setattr(intake, "type_batch", forgetful)
    with pytest.raises(AuditError, match=r"1 rows were read, but 0 audited"):
        log(tmp_path)


def test_ignored_files_are_listed(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("x")
    (tmp_path / "expected.csv").write_text("x")
    assert log(tmp_path).ignored == ("README.md", "expected.csv")


def test_the_same_log_in_every_kind_of_file(tmp_path: Path) -> None:
    text = f"{ROUNDS},burned,cut_card,jackpot_pool\n{ONE},3,1,50.5\n"
    text += "T1,S1,2,2007-07-01 12:01:30,10♦ 9H,KD 7C AS,0,0,\n"
    rows = list(csv.DictReader(text.splitlines()))
    for kind in ("csv", "tsv", "parquet", "jsonl", "utf16"):
        (tmp_path / kind).mkdir()
    (tmp_path / "csv/rounds.csv").write_text(text, encoding="utf-8-sig")
    (tmp_path / "tsv/rounds.tsv").write_text(text.replace(",", "\t"))
    (tmp_path / "utf16/rounds.csv").write_text(text, encoding="utf-16")
    (tmp_path / "jsonl/rounds.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    pl.DataFrame(
        {
            "table_id": ["T1", "T1"],
            "shoe_id": ["S1", "S1"],
            "round_no": [1, 2],
            "started_at": [datetime(2007, 7, 1, 12, 0), datetime(2007, 7, 1, 12, 1, 30)],
            "player_cards": [["KS", "9H"], ["10♦", "9H"]],
            "banker_cards": [["KD", "7C"], ["KD", "7C", "AS"]],
            "burned": [3.0, 0.0],
            "cut_card": [True, False],
            "jackpot_pool": pl.Series(["50.5", None], dtype=pl.Decimal(20, 4)),
        }
    ).write_parquet(tmp_path / "parquet/rounds.parquet")
    frames = {
        kind: read_log([tmp_path / kind]).tables["rounds"].drop("source")
        for kind in ("csv", "tsv", "parquet", "jsonl", "utf16")
    }
    assert frames["csv"].height == 2
    for kind, frame in frames.items():
        assert frame.equals(frames["csv"]), kind


@pytest.mark.parametrize(
    ("table", "header", "found"),
    [
        (
            "rounds",
            ROUNDS.replace("shoe_id", "shoe"),
            "'shoe_id' is missing .* nearest column found is 'shoe'",
        ),
        ("rounds", ROUNDS.replace(",banker_cards", ""), "'banker_cards' is missing"),
        ("rounds", ROUNDS.replace("player_cards", "player_1,player_2"), "'player_3' is missing"),
        (
            "bets",
            BETS.replace("paid", "payout"),
            "'paid' is missing .* nearest column found is 'payout'",
        ),
        ("bets", BETS + ",Stake", "'Stake' stands twice"),
        ("shoes", "table_id", "'shoe_id' is missing"),
    ],
)
def test_columns_that_are_missing_or_twice(
    tmp_path: Path, table: str, header: str, found: str
) -> None:
    with pytest.raises(LogError, match=rf"{table}\.csv: .*{found}"):
        log(tmp_path, **{table: header + "\n"})


def test_json_without_a_required_name(tmp_path: Path) -> None:
    (tmp_path / "rounds.jsonl").write_text('{"table_id":"T1","shoe_id":"S1","round":1}\n')
    with pytest.raises(LogError, match=r"'round_no' is missing .* nearest column found is 'round'"):
        read_log([tmp_path])


def test_a_log_without_rows(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no round in it"):
        log(tmp_path, rounds=ROUNDS)


def test_other_tables_may_be_without_rows(tmp_path: Path) -> None:
    read = log(tmp_path, bets=BETS)
    assert read.present["bets"] == set(BETS.split(","))
    assert read.tables["bets"].height == 0


def test_a_log_of_rejects_only(tmp_path: Path) -> None:
    read = log(tmp_path, rounds=f"{ROUNDS}\nT1,S1,x,2007-07-01 12:00,KS 9H,KD 7C\n")
    assert (read.tables["rounds"].height, read.rejects.height) == (0, 1)


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no such file or folder"):
        read_log([tmp_path / "nowhere"])


CELL = st.text(alphabet='KS5H 0-9,"\n\r莊x.:T', max_size=8)


@given(rows=st.lists(st.lists(CELL, max_size=8), max_size=8))
def test_every_row_is_accounted_for(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("log")
    with (folder / "rounds.csv").open("w", newline="", encoding="utf-8") as handle:
        handle.write(f"{ROUNDS}\n{ONE}\n")
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerows(rows)
    read = read_log([folder])
    (source,) = read.sources.to_dicts()
    numbers = [*read.tables["rounds"]["row"], *read.rejects["row"]]
    assert sorted(numbers) == list(range(1, source["rows_read"] + 1))
    # A row that a writer of CSV wrote soundly is one row, or is taken apart into rejects.
    written = sum(1 for row in rows if re.sub(r"[ \r]", "", "".join(row)) or len(row) > 1)
    assert source["rows_read"] >= written + 1


@pytest.mark.skipif(not GENERATED.is_dir(), reason="the generated cases are not here")
def test_rejects_of_the_generated_cases() -> None:
    read = read_log([GENERATED])
    kind = pl.when(pl.col("kind") == "unreadable").then(pl.lit("L01"))
    kind = kind.when(pl.col("table") == "rounds").then(pl.lit("L02")).otherwise(pl.lit("L11"))
    subject = pl.format("{}:{}", "source", "row")
    key = ["casino", "table_id", "shoe_id", "round_no"]
    got = read.rejects.select(kind, *key, "bet_id", subject).rows()
    expected = pl.read_csv(GENERATED / "expected.csv", infer_schema=False).filter(
        pl.col("code").is_in(["L01", "L02", "L11"])
    )
    wanted = set()
    for row in expected.select("code", *key, "bet_id", "subject").rows():
        code, casino, table, shoe, number, bet, where = row
        of_shoe = code == "L11" and where.startswith("shoes")  # anchored to a round only later
        number = int(number) if number and not of_shoe else None
        wanted.add((code, casino, table, shoe, number, bet if code == "L11" else None, where))
    assert {(*row[:5], row[5] if row[0] == "L11" else None, row[6]) for row in got} == wanted
