"""The generator of sample logs: lawful, exact, repeatable; and its faults, which are findings."""

from __future__ import annotations

import csv
import json
from collections import Counter
from datetime import date
from pathlib import Path
from random import Random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer import Typer
from typer.testing import CliRunner

from audit.cards import POINTS, code_of
from audit.cli.sample import sample
from audit.errors import OptionError
from audit.sample import Options, Written, write_sample
from audit.sample.bets import due
from audit.sample.dealing import (
    BANKER_DRAWS,
    Dispenser,
    Shoe,
    banker_draws,
    combination,
    deal,
    misdeal,
    total,
)
from audit.sample.faults import KINDS
from audit.sample.records import Truth, money
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


# --- dealing -----------------------------------------------------------------------------------

MUST_STAND = {3: {8}, 4: {0, 1, 8, 9}, 5: {0, 1, 2, 3, 8, 9}, 6: {0, 1, 2, 3, 4, 5, 8, 9}}
"""Art. 9(4)(1)-(4): the same table as 9(3), told from the other side."""


@pytest.mark.parametrize("third", range(10))
@pytest.mark.parametrize("banker", range(8))
def test_banker_table_says_what_art_9_4_says(banker: int, third: int) -> None:
    stands = banker == 7 or third in MUST_STAND.get(banker, set())
    assert banker_draws(banker, third) is not stands
    assert banker_draws(banker, None) is (banker <= 5)
    assert len(BANKER_DRAWS) == 8


@given(seed=st.integers(0, 10**6))
def test_dealt_rounds_obey_art_9(seed: int) -> None:
    hand = deal(Shoe(8, Random(seed)).draw)
    player, banker = total(hand.player[:2]), total(hand.banker[:2])
    natural = player >= 8 or banker >= 8
    assert (len(hand.player) == 3) is (not natural and player <= 5)
    if natural:
        assert len(hand.banker) == 2
    elif len(hand.player) == 2:
        assert (len(hand.banker) == 3) is (banker <= 5)
    else:
        stands = banker == 7 or POINTS[hand.player[2]] in MUST_STAND.get(banker, set())
        assert (len(hand.banker) == 2) is stands


@given(seed=st.integers(0, 10**6))
def test_cards_come_alternately_from_the_front_of_the_shoe(seed: int) -> None:
    shoe = Shoe(6, Random(seed))
    front = shoe.cards[:6]
    hand = deal(shoe.draw)
    p, b = hand.player, hand.banker
    assert [p[0], b[0], p[1], b[1], *p[2:], *b[2:]] == front[: shoe.at]


@given(seed=st.integers(0, 10**6), code=st.sampled_from([f"A090{n}" for n in range(1, 8)]))
def test_a_wrong_deal_is_wrong_in_the_way_asked_for(seed: int, code: str) -> None:
    hand = deal(Shoe(8, Random(seed)).draw, (code,))
    player, banker = total(hand.player[:2]), total(hand.banker[:2])
    natural = player >= 8 or banker >= 8
    third = POINTS[hand.player[2]] if len(hand.player) > 2 else None
    wrong = {
        "A0901": not natural and player <= 5 and len(hand.player) == 2,
        "A0902": not natural and player >= 6 and len(hand.player) == 3,
        "A0903": natural and len(hand.player) == 3,
        "A0904": not natural and banker_draws(banker, third) and len(hand.banker) == 2,
        "A0905": not natural and not banker_draws(banker, third) and len(hand.banker) == 3,
        "A0906": natural and len(hand.banker) == 3,
        "A0907": max(len(hand.player), len(hand.banker)) > 3,
    }
    if hand.error == "A0907":
        # A fourth card comes last: nothing before it was wrong.
        assert wrong["A0907"]
        return
    assert [name for name, is_so in wrong.items() if is_so] == ([code] if hand.error else [])


@given(seed=st.integers(0, 10**6))
def test_a_misdeal_shows_a_card_that_must_not_be(seed: int) -> None:
    hand = misdeal(Shoe(8, Random(seed)).draw)
    player, banker = total(hand.player[:2]), total(hand.banker[:2])
    stands = player >= 6 or banker >= 8
    third = POINTS[hand.player[2]]
    if stands:
        assert (len(hand.player), len(hand.banker)) == (3, 2)
    else:
        assert len(hand.banker) == (4 if banker_draws(banker, third) else 3)


def test_a_dispenser_takes_its_cards_back() -> None:
    device = Dispenser(6, Random(1))
    for _ in range(200):
        device.next_round()
        for _ in range(6):
            device.draw()
    assert Counter(device.cards) == dict.fromkeys(range(52), 6)


def hand_of(text: str) -> list[int]:
    ranks = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}
    return [
        code_of(ranks.get(card[0]) or int(card[0]), "SHDC".index(card[1])) for card in text.split()
    ]


@pytest.mark.parametrize(
    ("player", "banker", "name"),
    [
        ("AS QS TS", "KS JS", "royal"),
        ("AS QS", "KS JS TS", "royal"),
        ("AH QS TS", "KS JS", "paradise"),
        ("AS QH TS", "KS JS", ""),
        ("AS QS", "KS JS", ""),
        ("9S 9S", "9S 9H", "four_of_a_kind"),
        ("9S 9H", "8D 8D", "two_pairs"),
        ("9S 9H", "9D 8D", "three_of_a_kind"),
        ("9S 8H", "9D 9C", "three_of_a_kind"),
        ("JS JH", "2D 8D", "single_pair"),
        ("2S 8H", "JD JC", "single_pair"),
        ("JS QH", "JD QC", ""),
    ],
)
def test_jackpot_combinations_of_art_13(player: str, banker: str, name: str) -> None:
    assert combination(hand_of(player), hand_of(banker)) == name


@pytest.mark.parametrize(
    ("bet", "truth", "scheme", "back"),
    [
        ("player", Truth(9, 6, "player", False, False), "commission", 200_00),
        ("banker", Truth(9, 6, "player", False, False), "commission", 0),
        ("banker", Truth(5, 6, "banker", False, False), "commission", 195_00),
        ("banker", Truth(5, 6, "banker", False, False), "no_commission", 150_00),
        ("banker", Truth(5, 7, "banker", False, False), "no_commission", 200_00),
        ("banker", Truth(6, 6, "tie", False, False), "no_commission", 100_00),
        ("player", Truth(6, 6, "tie", False, False), "commission", 100_00),
        ("tie", Truth(6, 6, "tie", False, False), "commission", 900_00),
        ("tie", Truth(5, 6, "banker", True, True), "commission", 0),
        ("player_pair", Truth(5, 6, "banker", True, False), "commission", 1200_00),
        ("banker_pair", Truth(5, 6, "banker", True, False), "commission", 0),
    ],
)
def test_what_a_bet_of_100_gets_back(bet: str, truth: Truth, scheme: str, back: int) -> None:
    assert due(bet, 100_00, truth, scheme) == back


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "0"), (97_50, "97.5"), (7_05, "7.05"), (-20_00, "-20"), (-50, "-0.5")]
)
def test_money_is_exact_text(cents: int, text: str) -> None:
    assert money(cents) == text


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
