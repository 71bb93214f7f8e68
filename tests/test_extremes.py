"""Values at the edge of what a log may hold: exact where they are read, rejected where not."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from audit.resolve.authority import working_days
from tests.support import audited, run_files, run_folder

PAIR = "player_cards,banker_cards\nKS KH 2D,2S 5H"


@pytest.mark.parametrize(
    ("stake", "paid", "code", "amount"),
    [
        ("9999999999", "9999999999", "A1701", "-109999999989"),
        ("999999999999.9999", "0", "A1703", "-11999999999999.9988"),
        ("999999999999", "999999999999", "A1701", "-10999999999989"),
    ],
)
def test_great_stakes_do_not_wrap(stake: str, paid: str, code: str, amount: str) -> None:
    bets = f"bet,stake,paid\nplayer_pair,{stake},{paid}"
    assert audited(PAIR, bets, show="code amount") == [(code, amount)]


def test_sums_of_great_stakes_do_not_wrap() -> None:
    bets = "bet,stake,paid\n" + "player,999999999999,0\n" * 40
    limits = "table_id,bet,max_stake,valid_from\nT1,difference,1000,2007-01-01"
    found = run_files({"rounds.csv": PAIR, "bets.csv": bets, "limits.csv": limits})
    assert ("A1401", "39999999999960") in found.rows("code", "recorded")


@pytest.mark.parametrize("stake", [".5", "00000000000000.5", "+0.50000000", "0.5"])
def test_ways_to_write_a_half(stake: str) -> None:
    assert audited(PAIR, f"bet,stake,paid\nplayer_pair,{stake},6") == []


@pytest.mark.parametrize("stake", ["1000000000000", ".", "0.00005", "1e3", "- 5", "1,000", "NaN"])
def test_no_money(stake: str) -> None:
    bets = f'bet,stake,paid\nplayer_pair,"{stake}",0'
    assert audited(PAIR, bets, show="code") == [("L01",)]


@pytest.mark.parametrize("cards", [100, 300, 5000])
def test_no_hand_has_so_many_cards(cards: int) -> None:
    rounds = f"player_cards,banker_cards\n{'2S ' * cards},KS 2D\nKS 9H,KD 7C"
    assert audited(rounds, show="code round_no") == [("L01", 1), ("L03", 2)]


def test_ninety_cards_are_counted() -> None:
    rounds = f"player_cards,banker_cards\n{'2S ' * 99},{'3S ' * 99}\n{'2H ' * 99},{'3H ' * 99}"
    assert ("L07", 2) in audited(rounds, show="code round_no", decks=6)


@pytest.mark.parametrize(
    "moment",
    ["9999-12-31T23:59:59Z", "0000-01-01 00:00:00", "0001-01-01T00:00:00+14:00", "2201-01-01 0:00"],
)
def test_moments_of_no_calendar(moment: str) -> None:
    rounds = f"started_at,player_cards,banker_cards\n{moment},KS 9H,KD 7C\n2007-07-01 10:00,KS 9H,"
    assert ("L01", 1) in audited(rounds, show="code round_no")


def test_numbers_beyond_any_shoe() -> None:
    shoes = "device,decks,burned\nshoe,9223372036854775807,8"
    assert audited(PAIR, "", shoes, show="code") == [("L01",)]


def test_working_days_do_not_count_for_ever() -> None:
    assert working_days(date(2007, 1, 2), date(2199, 12, 31)) == 30


@pytest.mark.parametrize("odd", ['"\\ud800"', "[" * 900 + "]" * 900, '{"a": "\\udc00"}'])
def test_json_that_is_no_text(tmp_path: Path, odd: str) -> None:
    line = (
        '{"table_id":"T","shoe_id":"S","round_no":%d,"started_at":"2007-07-01 10:00",'
        '"player_cards":"KS 9H","banker_cards":"KD 7C","dealer_id":%s}\n'
    )
    (tmp_path / "rounds.jsonl").write_text(line % (1, '"D"') + line % (2, odd))
    found = run_folder(tmp_path)
    assert found.rows("code") in ([("L01",)], [])
    assert found.summary.tables["rounds"].read == 2
