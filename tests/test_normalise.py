"""Text to canonical tables: types, rejects with their first fault, duplicates, running numbers."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from datetime import date, datetime, timedelta
from pathlib import Path
from textwrap import dedent
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.cards import TEXT
from audit.errors import AuditError, LogError
from audit.normalise import REJECTS, Log, read_log
from audit.normalise import log as log_module
from audit.normalise.hands import cards, compact
from audit.normalise.moments import dates, times
from audit.normalise.rows import schema_of
from audit.schema import TABLES

ROUNDS = "table_id,shoe_id,round_no,started_at,player_cards,banker_cards"
BETS = "table_id,shoe_id,round_no,bet,stake,paid"
ONE = "T1,S1,1,2007-07-01 12:00,KS 9H,KD 7C"
GENERATED = Path("/work/shared/cases/generated")


def text_of(table: str) -> str:
    return dedent(table).strip("\n") + "\n"


def log(folder: Path, **tables: str) -> Log:
    """A log of CSV tables; without ``rounds`` it has one sound round."""
    tables = {"rounds": f"{ROUNDS}\n{ONE}\n", **tables}
    for name, table in tables.items():
        (folder / f"{name}.csv").write_text(text_of(table), encoding="utf-8")
    return read_log([folder])


def rounds(folder: Path, columns: str, *rows: str) -> Log:
    """A log whose rounds have the required columns (T1/S1, numbered) and ``columns``."""
    lines = [f"{ROUNDS},{columns}"]
    lines += [f"T1,S1,{n},2007-07-01 12:00,KS 9H,KD 7C,{row}" for n, row in enumerate(rows, 1)]
    return log(folder, rounds="\n".join(lines))


def faults(read: Log) -> list[tuple[int, str | None, str | None, str]]:
    return read.rejects.select("row", "column", "text", "reason").rows()


# --- values ------------------------------------------------------------------------------------


def test_every_table_has_its_columns_and_types(tmp_path: Path) -> None:
    read = log(tmp_path)
    for table in TABLES:
        assert dict(read.tables[table.name].schema) == schema_of(table)
    assert dict(read.rejects.schema) == REJECTS
    assert set(read.present) == {"rounds"}
    assert read.present["rounds"] == set(ROUNDS.split(","))


def test_defaults_and_blanks(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        rounds=f"{ROUNDS},kind,casino\n T1 ,S1,1,2007-07-01 12:00,KS 9H,KD 7C,, ",
        bets=f"{BETS},disposition\nT1,S1,1,player,100,200,",
        shoes="table_id,shoe_id,decks\nT1,S1,8",
    )
    assert read.tables["rounds"].select("casino", "table_id", "kind").rows() == [
        ("-", "T1", "play")
    ]
    assert read.tables["bets"]["disposition"].to_list() == ["settled"]
    assert read.tables["shoes"].select("casino", "device", "decks").rows() == [("-", "shoe", 8)]


def test_column_names_in_any_case_and_unknown_ones(tmp_path: Path) -> None:
    header = "Colour,TABLE_ID,Shoe_Id, Round_No ,started_at,player_cards,BANKER_CARDS"
    read = log(tmp_path, rounds=f"{header}\nred,{ONE}\n")
    assert read.tables["rounds"]["table_id"].to_list() == ["T1"]
    assert read.present["rounds"] == set(ROUNDS.split(","))


def test_leading_zeros_stay(tmp_path: Path) -> None:
    read = log(tmp_path, rounds=f"{ROUNDS}\n007,0010,01,2007-07-01 12:00,KS 9H,KD 7C\n")
    assert read.tables["rounds"].select("table_id", "shoe_id", "round_no").rows() == [
        ("007", "0010", 1)
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2007-06-25 23:59:59", datetime(2007, 6, 25, 23, 59, 59)),
        ("2007-06-25T23:59", datetime(2007, 6, 25, 23, 59)),
        ("2007-06-25T23:59:59.5", datetime(2007, 6, 25, 23, 59, 59, 500000)),
        ("2007-06-25 23:59:59,123456789", datetime(2007, 6, 25, 23, 59, 59, 123456)),
        ("2007-06-25T15:59:59Z", datetime(2007, 6, 25, 23, 59, 59)),
        ("2007-06-25t15:59z", datetime(2007, 6, 25, 23, 59)),
        ("2007-06-25T23:59:59+08:00", datetime(2007, 6, 25, 23, 59, 59)),
        ("2007-06-25T23:59:59+0800", datetime(2007, 6, 25, 23, 59, 59)),
        ("2007-06-25 23:59:59 +08", datetime(2007, 6, 25, 23, 59, 59)),
        ("2007-06-25T18:30:00-05:00", datetime(2007, 6, 26, 7, 30)),
        ("2007-06-25T18:30:00.25-0330", datetime(2007, 6, 26, 6, 0, 0, 250000)),
        ("2007-06-30T20:00+05:30", datetime(2007, 6, 30, 22, 30)),
        ("2008-02-29 00:00", datetime(2008, 2, 29)),
        ("2007-02-29 00:00", None),
        ("2007-13-01 10:00", None),
        ("2007-06-25 24:00", None),
        ("2007-06-25 23:60", None),
        ("2007-06-25 23:59:60", None),
        ("2007-06-25", None),
        ("2007-6-25 12:00", None),
        ("25/06/2007 12:00", None),
        ("2007-06-25T12:00+15:00", None),
        ("2007-06-25T12:00+08:60", None),
        ("2007-06-25T12:00 Macau", None),
        ("x2007-06-25 12:00", None),
        ("yesterday", None),
    ],
)
def test_times(text: str, value: datetime | None) -> None:
    for others in ([], ["2007-06-25 23:59:59"], ["2007-06-25T23:59:59Z", None]):
        assert times(pl.Series([text, *others], dtype=pl.String))[0] == value


@given(
    moment=st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)),
    minutes=st.integers(-14 * 60, 14 * 60),
)
def test_offsets_lead_to_macau_time(moment: datetime, minutes: int) -> None:
    sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
    there = moment + timedelta(minutes=minutes)
    text = f"{there.isoformat(timespec='microseconds')}{sign}{hours:02}:{rest:02}"
    assert times(pl.Series([text]))[0] == moment + timedelta(hours=8)


def test_dates() -> None:
    texts = [
        "2007-06-25",
        "2007-06-25 00:00:00",
        "2007-02-30",
        "25.6.2007",
        "2007-06-25 10:00",
        None,
    ]
    assert dates(pl.Series(texts)).to_list() == [date(2007, 6, 25)] * 2 + [None] * 4


@pytest.mark.parametrize(
    "text",
    [
        "KS 5H 10D", "ks 5h 10d", "KS5HTD", "KS,5H,10D", "KS;5H;TD", "KS-5H-10D", "KS|5H|10D",
        "K♠ 5♥ 10♦", "K♠5♥T♦", "K♤ 5♡ 10♢", "K♠️ 5♥️ 10♦️", " KS ,  5H -10D ", "kS5h10♦", "KS\t5H\u300010D",
    ],
)  # fmt: skip
def test_hands(text: str) -> None:
    for others in ([], ["AS 2C"], ["x", None]):
        hand = compact(pl.Series([text, *others], dtype=pl.String))
        assert [TEXT[code] for code in cards(hand)[0]] == ["KS", "5H", "10D"]


@pytest.mark.parametrize(
    "text",
    [
        "KS 5",
        "KS 5X",
        "1S 5H",
        "11S",
        "SK",
        "KS 1 0H",
        "K S",
        "KS/5H",
        "no cards",
        "-",
        "KSS",
        "0H",
        "K",
        "KſH",
    ],
)
def test_no_hands(text: str) -> None:
    assert compact(pl.Series([text]))[0] is None


def test_every_card_in_both_notations() -> None:
    for code in range(52):
        rank, suit = TEXT[code][:-1], TEXT[code][-1]
        symbol = "♠♥♦♣"["SHDC".index(suit)]
        for text in (rank + suit, rank.lower() + suit.lower(), rank + symbol):
            assert cards(compact(pl.Series([text])))[0].to_list() == [code]


def test_more_than_three_cards_and_missing_ones(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        rounds=f"""
        {ROUNDS},withdrawn_cards,outcome,kind
        T1,S1,1,2007-07-01 12:00,2S 3S 4S 5S,6S 7S 8S 9S TS,,,
        T1,S1,2,2007-07-01 12:01,2S,,AH AD,,
        T1,S1,3,2007-07-01 12:02,,,,tie,
        T1,S1,4,2007-07-01 12:03,,,,,void
        """,
    )
    columns = ("p1", "p2", "p3", "b1", "b2", "b3", "player_n", "banker_n", "initial_missing")
    assert read.tables["rounds"].select(columns).rows() == [
        (1, 2, 3, 5, 6, 7, 4, 5, 0),
        (1, None, None, None, None, None, 1, 0, 3),
        (None, None, None, None, None, None, 0, 0, 4),
        (None, None, None, None, None, None, 0, 0, 4),
    ]
    assert read.tables["rounds"]["extra"].to_list() == [[4, 8, 9], None, None, None]
    assert read.tables["rounds"]["withdrawn"].to_list() == [None, [13, 26], None, None]
    assert read.rejects.height == 0


def test_six_columns_of_single_cards(tmp_path: Path) -> None:
    cells = ",".join(f"{hand}_{n}" for hand in ("player", "banker") for n in (1, 2, 3))
    read = log(
        tmp_path,
        rounds=f"""
        table_id,shoe_id,round_no,started_at,{cells},outcome
        T1,S1,1,2007-07-01 12:00,K♠,5h,,10D,7C,AS,
        T1,S1,2,2007-07-01 12:01,KS,,5H,10D,7C,,
        T1,S1,3,2007-07-01 12:02,,,,,,,player
        T1,S1,4,2007-07-01 12:03,,,,,,,
        T1,S1,5,2007-07-01 12:03,KS 5H,,,10D,7C,,
        """,
    )
    columns = ("p1", "p2", "p3", "b1", "b2", "b3", "player_n", "banker_n", "initial_missing")
    assert read.tables["rounds"].select(columns).rows() == [
        (12, 17, None, 35, 45, 0, 2, 3, 0),
        (12, None, 17, 35, 45, None, 2, 2, 1),
        (None, None, None, None, None, None, 0, 0, 4),
    ]
    assert faults(read) == [
        (4, "player_cards", None, "no_cards"),
        (5, "player_1", "KS 5H", "unknown_card"),
    ]


def test_a_hand_may_be_listed_and_the_other_in_cells(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        rounds="""
        table_id,shoe_id,round_no,started_at,player_cards,banker_1,banker_2,banker_3
        T1,S1,1,2007-07-01 12:00,KS 5H,10D,7C,AS
        """,
    )
    assert read.tables["rounds"].select("p1", "p2", "b1", "b2", "b3").rows() == [
        (12, 17, 35, 45, 0)
    ]


@pytest.mark.parametrize(
    ("text", "millionths"),
    [
        ("100", 100_000000),
        ("278.0", 278_000000),
        ("+3.", 3_000000),
        ("0.0001", 100),
        ("1.950000", 1_950000),
    ],
)
def test_money(tmp_path: Path, text: str, millionths: int) -> None:
    read = log(tmp_path, bets=f"{BETS}\nT1,S1,1,player,{text},{text}\n")
    assert read.tables["bets"].select("stake", "paid").rows() == [(millionths, millionths)]


def test_words(tmp_path: Path) -> None:
    read = rounds(
        tmp_path,
        "outcome,player_pair,commission",
        "莊,YES,Commission",
        "Empate,f,",
        "p,1,no_commission",
    )
    assert read.tables["rounds"].select("outcome", "player_pair", "commission").rows() == [
        ("banker", True, "commission"),
        ("tie", False, None),
        ("player", True, "no_commission"),
    ]


def test_bet_words_and_bets_not_offered(tmp_path: Path) -> None:
    rows = [f"T1,S1,1,{bet},1,0" for bet in ("閒", "B", "Banker_Pair", "Lucky Six")]
    read = log(tmp_path, bets="\n".join([BETS, *rows]))
    assert read.tables["bets"]["bet"].to_list() == ["player", "banker", "banker_pair", "lucky six"]


@pytest.mark.parametrize("text", ["7", "07", "+7", "7.0", "7."])
def test_whole_numbers(tmp_path: Path, text: str) -> None:
    read = rounds(tmp_path, "burned,player_total", f"{text},{text}")
    assert read.tables["rounds"].select("burned", "player_total").rows() == [(7, 7)]


# --- rejects -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "text", "reason"),
    [
        ("kind", "practice", "unknown_word"),
        ("withdrawn_cards", "KX", "unknown_card"),
        ("player_total", "10", "out_of_range"),
        ("banker_total", "-1", "out_of_range"),
        ("banker_total", "five", "not_a_number"),
        ("banker_total", "5.5", "not_a_number"),
        ("outcome", "nobody", "unknown_word"),
        ("player_pair", "maybe", "unknown_word"),
        ("banker_pair", "2", "unknown_word"),
        ("commission", "5%", "unknown_word"),
        ("burned", "-1", "negative"),
        ("burned", "99999999999999999999", "out_of_range"),
        ("cut_card", "perhaps", "unknown_word"),
        ("jackpot_pool", "1.23456", "not_money"),
        ("jackpot_pool", "12345678901", "not_money"),
        ("dealer_id", "D\0", "not_text"),
    ],
)
def test_a_cell_that_does_not_fit(tmp_path: Path, column: str, text: str, reason: str) -> None:
    read = rounds(tmp_path, column, "", text)
    assert faults(read) == [(2, column, text, reason)]
    assert read.rejects["kind"].to_list() == ["unreadable"]
    assert read.tables["rounds"]["row"].to_list() == [1]


@pytest.mark.parametrize(
    ("row", "column", "reason"),
    [
        (",S1,1,2007-07-01 12:00,KS 9H,KD 7C", "table_id", "missing"),
        ("T1,,1,2007-07-01 12:00,KS 9H,KD 7C", "shoe_id", "missing"),
        ("T1,S1,,2007-07-01 12:00,KS 9H,KD 7C", "round_no", "missing"),
        ("T1,S1,0,2007-07-01 12:00,KS 9H,KD 7C", "round_no", "out_of_range"),
        ("T1,S1,-1,2007-07-01 12:00,KS 9H,KD 7C", "round_no", "out_of_range"),
        ("T1,S1,x,2007-07-01 12:00,KS 9H,KD 7C", "round_no", "not_a_number"),
        ("T1,S1,1.5,2007-07-01 12:00,KS 9H,KD 7C", "round_no", "not_a_number"),
        ("T1,S1,1,,KS 9H,KD 7C", "started_at", "missing"),
        ("T1,S1,1,2007-07-32 12:00,KS 9H,KD 7C", "started_at", "not_a_time"),
        ("T1,S1,1,2007-07-01 12:00,KS 9,KD 7C", "player_cards", "unknown_card"),
        ("T1,S1,1,2007-07-01 12:00,KS 9H,KD 17C", "banker_cards", "unknown_card"),
        ("T1,S1,1,2007-07-01 12:00,,", "player_cards", "no_cards"),
        ("T1,S1,1,2007-07-01 12:00,KS 9H,KD 7C,x", None, "too_many_cells"),
        ('T1,S1,1,2007-07-01 12:00,KS 9H,"KD 7C', None, "broken_quotes"),
        ("T1,S1", "round_no", "missing"),
        ("x,,zero,never,?,?", "shoe_id", "missing"),
    ],
)
def test_the_first_fault_in_column_order(
    tmp_path: Path, row: str, column: str | None, reason: str
) -> None:
    read = log(tmp_path, rounds=f"{ROUNDS}\n{row}\n{ONE}\n")
    assert [(r, c, why) for r, c, _, why in faults(read)] == [(1, column, reason)]
    assert read.tables["rounds"]["row"].to_list() == [2]


def test_schema_order_goes_before_file_order(tmp_path: Path) -> None:
    header = "banker_cards,player_cards,started_at,round_no,shoe_id,table_id"
    read = log(
        tmp_path, rounds=f"{header}\n?,?,never,0,S1,T1\nKD 7C,KS 9H,2007-07-01 12:00,1,S1,T1\n"
    )
    assert faults(read) == [(1, "round_no", "0", "out_of_range")]
    assert list(json.loads(read.rejects["raw"][0])) == header.split(",")


def test_bets_and_other_tables(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        bets=f"""
        {BETS},commission_taken,disposition
        T1,S1,1,player,-5,0,,
        T1,S1,1,player,5,-1,,
        T1,S1,1,player,5,0,-0.5,
        T1,S1,1,,5,0,,
        T1,S1,1,player,abc,0,,
        T1,S1,1,player,5,,,
        T1,S1,1,player,5,5,,lost
        """,
        shoes="""
        table_id,shoe_id,device,decks,burn_rule,first_card,opened_at
        T1,S1,box,8,decks,KS,
        T1,S2,auto,0,decks,KS,
        T1,S3,auto,8,none,KS,
        T1,S4,auto,8,decks,1S,
        T1,S5,auto,8,decks,KS QS,
        T1,S6,auto,8,decks,KS,soon
        """,
        authorisations="option,requested_on\nart99,2007-01-01\nart12_carry,2007-02-30\nart12_carry,",
        jackpot_prizes="combination,amount,valid_from\nroyal flush,5,2007-01-01\nparadise,-5,2007-01-01",
        limits="bet,min_stake,valid_from\nplayer,low,2007-01-01\ndifference,,01/02/2007",
    )
    assert faults(read) == [
        (2, "paid", "-1", "negative"),
        (3, "commission_taken", "-0.5", "negative"),
        (4, "bet", None, "missing"),
        (5, "stake", "abc", "not_money"),
        (6, "paid", None, "missing"),
        (7, "disposition", "lost", "unknown_word"),
        (1, "device", "box", "unknown_word"),
        (2, "decks", "0", "out_of_range"),
        (3, "burn_rule", "none", "unknown_word"),
        (4, "first_card", "1S", "unknown_card"),
        (5, "first_card", "KS QS", "unknown_card"),
        (6, "opened_at", "soon", "not_a_time"),
        (1, "option", "art99", "unknown_word"),
        (2, "requested_on", "2007-02-30", "not_a_date"),
        (3, "requested_on", None, "missing"),
        (1, "combination", "royal flush", "unknown_word"),
        (2, "amount", "-5", "negative"),
        (1, "min_stake", "low", "not_money"),
        (2, "valid_from", "01/02/2007", "not_a_date"),
    ]
    assert read.tables["bets"]["stake"].to_list() == [-5_000000]


def test_void_rounds_ignore_their_outcome(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        rounds=f"""
        {ROUNDS},kind,outcome
        T1,S1,1,2007-07-01 12:00,,,void,cancelled
        T1,S1,2,2007-07-01 12:00,KS 9H,KD 7C,void,player
        T1,S1,3,2007-07-01 12:00,KS 9H,KD 7C,play,cancelled
        T1,S1,4,2007-07-01 12:00,,,play,cancelled
        """,
    )
    assert read.tables["rounds"]["row"].to_list() == [1, 2]
    assert [(row, column) for row, column, _, _ in faults(read)] == [(3, "outcome"), (4, "outcome")]


def test_what_a_reject_tells(tmp_path: Path) -> None:
    bad = "Lotus,T1,S1,9,2007-07-01 12:00, KS ?,KD 7C,,note"
    read = log(tmp_path, rounds=f"casino,{ROUNDS},kind,remark\n{bad}\nLotus,{ONE},,\n{bad}\n")
    raw = {
        "casino": "Lotus",
        "table_id": "T1",
        "shoe_id": "S1",
        "round_no": "9",
        "started_at": "2007-07-01 12:00",
        "player_cards": " KS ?",
        "banker_cards": "KD 7C",
        "remark": "note",
    }
    first, second = read.rejects.to_dicts()
    assert json.loads(first["raw"]) == raw
    assert {**first, "raw": None} == {
        "table": "rounds",
        "source": "rounds.csv",
        "row": 1,
        "column": "player_cards",
        "text": " KS ?",
        "reason": "unknown_card",
        "expected": "cards such as KS 5H 7D",
        "raw": None,
        "kind": "unreadable",
        "differs": None,
        "casino": "Lotus",
        "table_id": "T1",
        "shoe_id": "S1",
        "round_no": 9,
        "bet_id": None,
        "occurrence": 1,
    }
    assert (second["row"], second["occurrence"]) == (3, 2)


def test_expected_words_are_named(tmp_path: Path) -> None:
    read = rounds(tmp_path, "outcome", "nobody")
    assert read.rejects["expected"].to_list() == ["one of player, banker, tie"]


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ("Lotus,,S1,6,1,player,5,x", ("Lotus", None, "S1", 6, "1")),
        ("Lotus,T1,,6,1,player,5,5", ("Lotus", "T1", None, 6, "1")),
        ("Lotus,T1,S1,six,1,player,5,5", ("Lotus", "T1", "S1", None, "1")),
        (",T1,S1,6,,player,5,x", ("-", "T1", "S1", 6, None)),
        ("Lotus,T1,S1,6,1,player,5,5,7", ("Lotus", "T1", "S1", 6, "1")),
        ('Lotus,T1,S1,6,"1,player,5,5', (None, None, None, None, None)),
    ],
)
def test_key_of_a_reject_as_far_as_it_can_be_read(
    tmp_path: Path, row: str, key: tuple[object, ...]
) -> None:
    read = log(tmp_path, bets=f"casino,table_id,shoe_id,round_no,bet_id,bet,stake,paid\n{row}\n")
    columns = ("casino", "table_id", "shoe_id", "round_no", "bet_id")
    assert read.rejects.select(columns).rows() == [key]


def test_key_of_a_json_line_that_is_no_object(tmp_path: Path) -> None:
    log(tmp_path)
    (tmp_path / "bets.jsonl").write_text(
        '{"table_id":"T1","shoe_id":"S1","round_no":1,"bet":"player","stake":1.50,"paid":3}\nhello\n'
    )
    read = read_log([tmp_path])
    assert read.tables["bets"].select("casino", "stake").rows() == [("-", 1_500000)]
    assert read.rejects.select("casino", "reason", "raw").rows() == [
        (None, "not_an_object", '{"(rest)": "hello"}')
    ]


# --- duplicates and running numbers ------------------------------------------------------------


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


# --- sources -----------------------------------------------------------------------------------


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
    real = log_module.type_batch

    def forgetful(*given: Any) -> Any:
        typed = real(*given)
        object.__setattr__(typed, "frame", typed.frame.head(0))
        return typed

    monkeypatch.setattr(log_module, "type_batch", forgetful)
    with pytest.raises(AuditError, match=r"1 rows were read, but 0 audited"):
        log(tmp_path)


def test_ignored_files_are_listed(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("x")
    (tmp_path / "expected.csv").write_text("x")
    assert log(tmp_path).ignored == ("README.md", "expected.csv")


def test_the_same_log_in_every_kind_of_file(tmp_path: Path) -> None:
    text = f"{ROUNDS},burned,cut_card,jackpot_pool\n{ONE},3,1,50.5\nT1,S1,2,2007-07-01 12:01:30,10♦ 9H,KD 7C AS,0,0,\n"
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
    with pytest.raises(LogError, match="'round_no' is missing .* nearest column found is 'round'"):
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


# --- property: whatever the cells say, every row is accounted for --------------------------------

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
