"""Text to typed values: times, cards, money, words and numbers."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.cards import TEXT
from audit.normalise import REJECTS
from audit.normalise.hands import cards, compact
from audit.normalise.moments import dates, times
from audit.normalise.rows import schema_of
from audit.schema import TABLES
from tests.ingest import BETS, ONE, ROUNDS, faults, log, rounds


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
        ("2007-06-25 23:59+08", datetime(2007, 6, 25, 23, 59)),
        ("2007-06-25 23:59:59,25", datetime(2007, 6, 25, 23, 59, 59, 250_000)),
        ("2007-06-25T23:59:59.1234567", datetime(2007, 6, 25, 23, 59, 59, 123_456)),
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
        "K♠ 5♥ 10♦", "K♠5♥T♦", "K♤ 5♡ 10♢", "K♠️ 5♥️ 10♦️", " KS ,  5H -10D ", "kS5h10♦",
        "KS\t5H\u300010D",
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
