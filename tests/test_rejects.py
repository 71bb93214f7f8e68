"""Rejects by kind, the limit on them, and what is read but serves nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LogError, OptionError
from audit.messages import catalogue
from audit.normalise import Log
from audit.rejects import Limit, grouped, refuse_many
from tests.ingest import BETS, ONE, ROUNDS, log
from tests.support import run_files

WRONG = f"""
{BETS}
T1,S1,1,player,100,x
T1,S1,1,player,100,1e9x
T1,S1,1,player,100,x
T1,S1,1,player,,200
T1,S1,1,player,100,200,300
T1,S1,1,player,100,200
"""


@pytest.fixture
def wrong(tmp_path: Path) -> Log:
    return log(tmp_path, bets=WRONG)


def test_kinds_by_number(wrong: Log) -> None:
    assert [(g.place, g.reason, g.rows) for g in grouped(wrong.rejects)] == [
        ("bets.paid", "not_money", 3),
        ("bets", "too_many_cells", 1),
        ("bets.stake", "missing", 1),
    ]


def test_examples_are_the_first_with_different_texts(wrong: Log) -> None:
    first = grouped(wrong.rejects)[0]
    assert [(e.source, e.row, e.text) for e in first.examples] == [
        ("bets.csv", 1, "x"),
        ("bets.csv", 2, "1e9x"),
    ]
    assert first.examples[0].raw.startswith('{"table_id":"T1","shoe_id":"S1","round_no":"1"')


@pytest.mark.parametrize("lang", ["en", "zh-Hant", "pt"])
def test_every_reason_has_a_remedy(lang: str) -> None:
    assert catalogue(lang)["remedy"].keys() == catalogue(lang)["reject"].keys()


@pytest.mark.parametrize(
    ("limit", "rejected", "read", "exceeded"),
    [
        ("0", 0, 10, False),
        ("0", 1, 10, True),
        ("5", 5, 10, False),
        ("5", 6, 10, True),
        ("10%", 1, 10, False),
        ("10%", 2, 10, True),
        ("33.333333%", 1, 3, True),
        ("100%", 3, 3, False),
        ("0%", 1, 10**12, True),
    ],
)
def test_limit(limit: str, rejected: int, read: int, exceeded: bool) -> None:
    assert Limit.parse(limit).exceeded(rejected, read) is exceeded


@pytest.mark.parametrize("limit", ["", "-1", "1.5", "101%", "5 %", "many", "%", "1e3", "٣"])
def test_what_is_no_limit(limit: str) -> None:
    with pytest.raises(OptionError, match=r"^--max-rejects: .* Write such as 20 or 0\.5%\.$"):
        Limit.parse(limit)


def test_too_many_are_refused_in_one_sentence(wrong: Log) -> None:
    refuse_many(wrong.rejects, wrong.rows_read, Limit.parse("5"))
    with pytest.raises(LogError) as caught:
        refuse_many(wrong.rejects, wrong.rows_read, Limit.parse("4"))
    assert caught.value.sentence() == (
        "5 of 7 rows were rejected, more than --max-rejects 4 lets through; the commonest reason "
        "(3, bets.paid) is: not an amount with at most four decimals, such as 'x' (bets.csv, row "
        "1), '1e9x' (bets.csv, row 2). Correct the log or its profile, or let more through; "
        "without the option they are reported and the rest is audited."
    )


# Columns that nothing reads


def unused(read: Log) -> list[tuple[str, str, str | None]]:
    return [(each.table, each.column, each.nearest) for each in read.unused]


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("comission_taken", "commission_taken"),
        ("Commission Taken", "commission_taken"),
        ("disposision", "disposition"),
        ("patron", "patron_id"),
        ("betid", "bet_id"),
        ("colour", None),
        ("stakes", None),  # the file has a stake already
        ("player_cards", None),
    ],
)
def test_unused_column_and_what_may_be_meant(
    tmp_path: Path, name: str, nearest: str | None
) -> None:
    read = log(tmp_path, bets=f"{BETS},{name}\nT1,S1,1,player,100,200,x\n")
    assert unused(read) == [("bets", name, nearest)]
    assert read.unused[0].sources == ("bets.csv",)


def test_sound_log_leaves_nothing_unused(tmp_path: Path) -> None:
    assert unused(log(tmp_path, rounds=f"{ROUNDS.upper()}, Dealer_ID\n{ONE},D1\n")) == []


def test_unused_column_of_one_file_of_two(tmp_path: Path) -> None:
    for number, column in enumerate(("cut_card", "cutcard"), 1):
        row = ONE.replace("S1,1", f"S1,{number}")
        (tmp_path / f"rounds-{number}.csv").write_text(f"{ROUNDS},{column}\n{row},1\n")
    read = log(tmp_path, shoes="table_id,shoe_id\nT1,S1", rounds=f"{ROUNDS}\n{ONE[:3]}S2{ONE[5:]}")
    assert unused(read) == [("rounds", "cutcard", "cut_card")]
    assert read.unused[0].sources == ("rounds-2.csv",)


def test_unused_names_of_json_lines(tmp_path: Path) -> None:
    (tmp_path / "bets.jsonl").write_text(
        '{"table_id":"T1","shoe_id":"S1","round_no":1,"bet":"player","stake":1,"paid":2}\n'
        '{"table_id":"T1","shoe_id":"S1","round_no":1,"bet":"tie","stake":1,"paid":0,"note":"x"}\n'
    )
    assert unused(log(tmp_path)) == [("bets", "note", None)]


# Rows that belong to no round

AUTHORISED = "option,requested_on,authorised_on"
GIVEN = "art12_carry,2004-06-01,2004-06-10"


def strange(read: Log) -> list[tuple[str, str, int, int, str, str, str]]:
    return [(s.table, s.level, s.rows, s.row, s.name, s.cause, s.other) for s in read.strangers]


def test_authorisation_of_a_casino_where_the_rounds_name_none(tmp_path: Path) -> None:
    read = log(tmp_path, authorisations=f"casino,{AUTHORISED}\nHarbour,{GIVEN}\nHarbour,{GIVEN}\n")
    assert strange(read) == [
        ("authorisations", "casino", 2, 1, "Harbour", "rounds_without_casino", "Harbour")
    ]


def test_authorisation_without_casino_where_the_rounds_name_one(tmp_path: Path) -> None:
    rounds = f"casino,{ROUNDS}\nHarbour,{ONE}\n"
    read = log(tmp_path, rounds=rounds, authorisations=f"{AUTHORISED}\n{GIVEN}\n")
    assert strange(read) == [
        ("authorisations", "casino", 1, 1, "-", "rows_without_casino", "Harbour")
    ]


def test_casino_written_in_two_ways(tmp_path: Path) -> None:
    rounds = f"casino,{ROUNDS}\nHarbour,{ONE}\n"
    prize = "paradise,1000,2007-05-01"
    prizes = f"casino,combination,amount,valid_from\nHarbour,{prize}\nHAR BOUR,{prize}\n"
    read = log(tmp_path, rounds=rounds, jackpot_prizes=prizes)
    assert strange(read) == [
        ("jackpot_prizes", "casino", 1, 2, "HAR BOUR", "casino_spelling", "Harbour")
    ]


def test_tables_and_shoes_that_are_not_in_the_log(tmp_path: Path) -> None:
    read = log(
        tmp_path,
        shoes="table_id,shoe_id\nT1,S1\nT1,S2\nT2,S1\n",
        limits="table_id,bet,max_stake,valid_from\n,tie,5,2007-01-01\nT3,tie,5,2007-01-01\n",
    )
    assert strange(read) == [
        ("shoes", "table", 1, 3, "T2", "", ""),
        ("shoes", "shoe", 1, 2, "T1/S2", "", ""),
        ("limits", "table", 1, 2, "T3", "", ""),
    ]


def test_shoe_whose_rounds_were_all_rejected_is_no_stranger(tmp_path: Path) -> None:
    bad = ONE.replace("S1", "S2").replace("KS", "XX")
    read = log(tmp_path, rounds=f"{ROUNDS}\n{ONE}\n{bad}\n", shoes="table_id,shoe_id\nT1,S2\n")
    assert strange(read) == []


def test_the_run_keeps_what_it_says() -> None:
    files = {
        "rounds.csv": f"{ROUNDS},cutcard\n{ONE},1\n{ONE.replace('KS', 'XX')},1\n",
        "limits.csv": "table_id,bet,max_stake,valid_from\nT3,tie,5,2007-01-01\n",
    }
    run = run_files(files)
    kept = dict(run.tables["run"].iter_rows())
    assert '"nearest": "cut_card"' in kept["unused_columns"]
    assert '"level": "table"' in kept["unmatched"]
    assert '"reason": "unknown_card"' in kept["rejected"]


# Logs that are refused whole


@pytest.mark.parametrize(
    ("amounts", "refused"),
    [
        (["1.480,50", "1.480"], True),
        (["1.480", "2.000.000,5"], True),
        (["1.480,50", "1.48"], False),
        (["1,480.50", "1.480"], False),
        (["1 480", "1.480"], False),
    ],
)
def test_amounts_whose_point_may_part_thousands(
    tmp_path: Path, amounts: list[str], refused: bool
) -> None:
    rows = [f'T1,S1,1,player,"{amount}",0' for amount in amounts]
    if refused:
        with pytest.raises(LogError, match=r"has points between thousands, so that '1\.480'"):
            log(tmp_path, bets="\n".join([BETS, *rows]))
    else:
        assert log(tmp_path, bets="\n".join([BETS, *rows])).rejects.height == 1


@pytest.mark.parametrize(("rounds", "refused"), [(9, False), (10, True)])
def test_cards_in_another_notation(tmp_path: Path, rounds: int, refused: bool) -> None:
    rows = [f"T1,S1,{n},2007-07-01 12:00,S13 H9,D13 C{n % 2}" for n in range(1, rounds + 1)]
    if refused:
        with pytest.raises(LogError, match=r"none of the 10 rounds can be read; player_cards hold"):
            log(tmp_path, rounds="\n".join([ROUNDS, *rows]))
    else:
        assert log(tmp_path, rounds="\n".join([ROUNDS, *rows])).rejects.height == rounds
