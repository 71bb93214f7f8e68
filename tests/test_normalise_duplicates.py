"""Second rows of one key, and the running number of bets without an id."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.normalise import read_log
from tests.ingest import BETS, ONE, ROUNDS, log


def test_second_round_of_one_number(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        rounds=f"""
        {ROUNDS},kind
        T1,S1,1,never,KS 9H,KD 7C,
        T1,S1,1,2007-07-01 12:00,KS 9H,KD 7C,
        T1,S1,01,2007-07-01T04:00Z,K♠9♥,KD-7C,play
        T1,S1,1,2007-07-01 12:00,KS 8H,KD 7C 2S,demo
        T2,S1,1,2007-07-01 12:00,KS 9H,KD 7C,
        """,
    )
    assert read.tables["rounds"]["row"].to_list() == [2, 5]
    columns = ("row", "kind", "reason", "differs")
    assert read.rejects.select(columns).rows() == [
        (1, "unreadable", "not_a_time", None),
        (3, "duplicate", "duplicate", ""),
        (4, "duplicate", "duplicate", "kind,player_cards,banker_cards"),
    ]
    assert json.loads(read.rejects["raw"][1])["player_cards"] == "K♠9♥"


def test_second_round_that_differs_in_a_fourth_card(tmp_path: Path) -> None:
    rows = [f"T1,S1,1,2007-07-01 12:00,2S 3S 4S {card},KD 7C" for card in ("5S", "6S")]
    read = log(tmp_path, rounds="\n".join([ROUNDS, *rows]))
    assert read.rejects["differs"].to_list() == ["player_cards,banker_cards"]


def test_duplicates_across_files_in_name_order(tmp_path: Path) -> None:
    (tmp_path / "rounds-2.csv").write_text(f"{ROUNDS}\n{ONE}\n")
    (tmp_path / "rounds-1.csv").write_text(f"{ROUNDS},kind\n{ONE},free\n")
    read = read_log([tmp_path])
    assert read.tables["rounds"].select("source", "kind").rows() == [("rounds-1.csv", "free")]
    assert read.rejects.select("source", "row", "differs").rows() == [("rounds-2.csv", 1, "kind")]


def test_second_bet_of_one_recorded_id(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        bets=f"""
        {BETS},bet_id
        T1,S1,1,player,x,200,1
        T1,S1,1,player,100,200,1
        T1,S1,1,player,100,200,1
        T1,S1,1,player,100,0,1
        T1,S1,1,player,x,0,1
        T1,S1,1,player,100,200,
        T1,S1,2,player,100,200,1
        T1,S1,1,player,100,200,6
        """,
    )
    assert read.tables["bets"].select("row", "bet_id", "bet_id_recorded").rows() == [
        (2, "1", True),
        (6, "6", False),
        (7, "1", True),
        (8, "6", True),
    ]
    assert read.rejects.select("row", "kind", "differs", "bet_id").rows() == [
        (1, "unreadable", None, "1"),
        (3, "duplicate", "", "1"),
        (4, "duplicate", "paid", "1"),
        (5, "unreadable", None, "1"),
    ]


@pytest.mark.parametrize("apart", [False, True])
def test_running_number_over_all_rows_of_a_round(tmp_path: Path, apart: bool) -> None:
    between = "T1,S1,8,tie,1,0" if apart else ""
    read = log(
        tmp_path,
        bets=f"""
        {BETS},bet_id
        T1,S1,7,player,1,0,
        T1,S1,7,player,x,0,
        {between}
        T1,S1,7,player,1,0,own
        T1,S1,7,player,1,0,,,,
        T1,,7,player,1,0,
        T1,S1,07,player,1,0,
        """,
    )
    ids = read.tables["bets"].filter(pl.col("round_no") == 7)["bet_id"].to_list()
    assert ids == ["1", "own", "5"]


def test_running_number_goes_on_in_the_next_file(tmp_path: Path) -> None:
    log(tmp_path)
    for name in ("bets-2.csv", "bets-1.csv"):
        (tmp_path / name).write_text(f"{BETS}\n" + "T1,S1,7,player,1,0\n" * 2)
    read = read_log([tmp_path])
    assert read.tables["bets"].select("source", "bet_id").rows() == [
        ("bets-1.csv", "1"),
        ("bets-1.csv", "2"),
        ("bets-2.csv", "3"),
        ("bets-2.csv", "4"),
    ]


def test_second_row_of_a_shoe(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        shoes="""
        table_id,shoe_id,decks
        T1,S1,many
        T1,S1,8
        T1,S1,6
        T1,S2,8
        """,
    )
    assert read.tables["shoes"]["row"].to_list() == [2, 4]
    assert read.rejects.select("row", "kind", "differs", "shoe_id").rows() == [
        (1, "unreadable", None, "S1"),
        (3, "duplicate", "decks", "S1"),
    ]


def test_other_tables_may_repeat_themselves(tmp_path: Path) -> None:
    read = log(tmp_path, limits="bet,valid_from\n" + "player,2007-01-01\n" * 2)
    assert read.tables["limits"].height == 2


KEY = st.tuples(st.sampled_from(["T1", "T2", ""]), st.sampled_from(["1", "2", "x", "01"]))


@given(
    keys=st.lists(KEY, min_size=1, max_size=12),
    ids=st.lists(st.sampled_from(["", "1", "2"]), min_size=12),
)
def test_numbers_and_duplicates_against_a_plain_loop(
    tmp_path_factory: pytest.TempPathFactory, keys: list[tuple[str, str]], ids: list[str]
) -> None:
    rows = [
        f"{table},S1,{number},player,1,0,{name}"
        for (table, number), name in zip(keys, ids, strict=False)
    ]
    read = log(tmp_path_factory.mktemp("log"), bets="\n".join([f"{BETS},bet_id", *rows]))
    count: dict[tuple[str, int], int] = {}
    seen: set[tuple[str, int, str]] = set()
    kept, twice = [], []
    for row, ((table, number), name) in enumerate(zip(keys, ids, strict=False), 1):
        if not table or number == "x":
            continue
        key = (table, int(number))
        count[key] = count.get(key, 0) + 1
        if name and (*key, name) in seen:
            twice.append(row)
            continue
        if name:
            seen.add((*key, name))
        kept.append((row, name or str(count[key])))
    assert read.tables["bets"].select("row", "bet_id").rows() == kept
    assert read.rejects.filter(kind="duplicate")["row"].to_list() == twice
