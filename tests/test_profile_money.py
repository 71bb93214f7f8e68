"""What a profile makes of money: scale, marks, and what the log means by paid."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.money import UNIT
from tests.profiles import BETS, audit, faults, read, rounds
from tests.support import BANKER_WINS, NATURAL, TIE, hands

CARDS = 'player_cards = "p"\nbanker_cards = "b"\nkind = "k"'
AT = "2007-07-01 12:00"


def log(
    folder: Path, bets: str, keys: str = "", columns: str = "", more: str = ""
) -> dict[str, str]:
    rows = [
        f"T1,S1,{n},{AT},{','.join(part.strip() for part in hand.split('/'))},{kind}"
        for n, (hand, kind) in enumerate(
            [(NATURAL, ""), (BANKER_WINS, ""), (TIE, ""), (NATURAL, "void")], 1
        )
    ]
    return {
        "toml": rounds(CARDS) + BETS.format(keys=keys, columns=columns),
        "rounds": "\n".join(["t,s,n,at,p,b,k", *rows]),
        "bets": f"t,s,n,on,staked,got{more}\n{bets}",
    }


def paid(folder: Path, *given: str, **more: str) -> list[float]:
    files = log(folder, *given, **more)
    found = read(folder, files["toml"], rounds=files["rounds"], bets=files["bets"])
    return [amount / UNIT for amount in found.tables["bets"]["paid"]]


def test_hands_are_what_the_tests_need() -> None:
    assert hands(NATURAL, BANKER_WINS, TIE).count("\n") == 3


@pytest.mark.parametrize(
    ("money", "text", "amount"),
    [
        ("scale = 100", "19550", 195.5),
        ('decimal = ","', '"195,5"', 195.5),
        ('decimal = ","\nthousands = "."', '"1.195,5"', 1195.5),
        ('thousands = ","', '"1,195.5"', 1195.5),
        ('thousands = ","', "1195.5", 1195.5),
        ('thousands = " "', "1 195.5", 1195.5),
    ],
)
def test_scale_and_marks(money: str, text: str, amount: float, tmp_path: Path) -> None:
    keys = "money = { " + money.replace("\n", ", ") + " }"
    assert paid(tmp_path, f"T1,S1,1,p,1000,{text}", keys) == [amount]


@pytest.mark.parametrize(
    ("money", "text"),
    [
        ("", "1,195"),
        ('decimal = ","', "195.5"),
        ('thousands = ","', "11,95"),
        ('thousands = ","', "1,195,5"),
        ("scale = 10000", "1.55"),
        ("scale = 100", "1.00000000000000000000000000001"),
    ],
)
def test_a_number_of_other_marks_is_a_reject(money: str, text: str, tmp_path: Path) -> None:
    files = log(tmp_path, f'T1,S1,1,p,10,"{text}"', "money = { " + money + " }")
    found = read(tmp_path, files["toml"], rounds=files["rounds"], bets=files["bets"])
    assert faults(found) == [(1, "paid", text, "not_money")]


def test_net(tmp_path: Path) -> None:
    bets = "T1,S1,1,p,100,100\nT1,S1,1,b,100,-100\nT1,S1,3,p,100,0\nT1,S1,2,b,100,95"
    assert paid(tmp_path, bets, 'paid = "net"') == [200, 0, 100, 195]


def test_winnings(tmp_path: Path) -> None:
    bets = "T1,S1,1,p,100,100\nT1,S1,1,b,100,0\nT1,S1,2,b,100,95\nT1,S1,1,jackpot,10,500"
    assert paid(tmp_path, bets, 'paid = "winnings"') == [200, 0, 195, 500]


def test_commission_apart(tmp_path: Path) -> None:
    files = log(
        tmp_path,
        "T1,S1,2,b,100,200,5\nT1,S1,2,p,100,0,",
        "commission_apart = true",
        'commission_taken = "kept"',
        ",kept",
    )
    found = read(tmp_path, files["toml"], rounds=files["rounds"], bets=files["bets"])
    assert [amount / UNIT for amount in found.tables["bets"]["paid"]] == [195, 0]


def test_more_lost_than_staked_is_a_reject(tmp_path: Path) -> None:
    files = log(tmp_path, "T1,S1,1,b,100,-150", 'paid = "net"')
    found = read(tmp_path, files["toml"], rounds=files["rounds"], bets=files["bets"])
    assert faults(found) == [(1, "paid", "-150", "negative")]


BETS_OF_ALL = (
    "T1,S1,1,p,100,100\nT1,S1,1,b,100,0\nT1,S1,2,b,100,50\nT1,S1,3,p,100,0\nT1,S1,3,b,100,20\n"
    "T1,S1,4,p,100,0\nT1,S1,1,b,100,0"
)


def test_winnings_do_not_tell_a_returned_stake(tmp_path: Path) -> None:
    files = log(tmp_path, BETS_OF_ALL, 'paid = "winnings"')
    tables = {"rounds.csv": files["rounds"], "bets.csv": files["bets"]}
    found = audit(tmp_path, files["toml"], tables, commission="commission", select=("A1", "A17"))
    assert found.rows("round_no", "code", "amount") == [
        (2, "A1701", "-45"),
        (3, "A1203", "20"),
        (4, "A1002", None),
    ]
    told = found.tables["not_applied"]
    for code in ("A1001", "A1202"):
        row = told.filter(code=code).select("reason", "rows").rows()
        assert row == [("missing:stake_back", 1)], code


def test_winnings_of_a_cancelled_bet(tmp_path: Path) -> None:
    files = log(
        tmp_path,
        "T1,S1,1,p,100,0,cancelled",
        'paid = "winnings"',
        'disposition = "what"',
        ",what",
    )
    tables = {"rounds.csv": files["rounds"], "bets.csv": files["bets"]}
    found = audit(tmp_path, files["toml"], tables, select=("A17",))
    assert found.rows("code") == []
    told = found.tables["not_applied"].filter(code="A1701")
    assert told.select("reason", "rows").rows() == [("undetermined", 1)]
