"""Rows that cannot be read: the first fault, and what a reject tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit.errors import LogError
from audit.normalise import read_log
from tests.ingest import BETS, ONE, ROUNDS, faults, log, rounds


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
        ("jackpot_pool", "1234567890123", "not_money"),
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
        authorisations="""
        option,requested_on
        art99,2007-01-01
        art12_carry,2007-02-30
        art12_carry,
        """,
        jackpot_prizes="""
        combination,amount,valid_from
        royal flush,5,2007-01-01
        paradise,-5,2007-01-01
        """,
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


def test_a_file_of_broken_json_lines(tmp_path: Path) -> None:
    (tmp_path / "rounds.jsonl").write_text("hello\nworld\n")
    with pytest.raises(LogError, match="no line is a JSON object"):
        read_log([tmp_path])


def test_key_of_a_json_line_that_is_no_object(tmp_path: Path) -> None:
    log(tmp_path)
    (tmp_path / "bets.jsonl").write_text(
        '{"table_id":"T1","shoe_id":"S1","round_no":1,"bet":"player","stake":1.50,"paid":3}\nhello\n'
    )
    read = read_log([tmp_path])
    assert read.tables["bets"].select("casino", "stake").rows() == [("-", 1_500000)]
    assert read.rejects.select("casino", "reason", "raw").rows() == [
        (None, "not_an_object", '{"(rest)":"hello"}')
    ]
