"""Art. 19: options of the house need authorisation, asked for three working days before."""

from __future__ import annotations

import pytest

from tests.support import NATURAL, TIE, hands, run_files

HEAD = "option,requested_on,authorised_on,planned_for,adopted_on,ended_on,table_id\n"
OTHER = f"{HEAD}art2_first_card,2004-06-01,2004-06-10,2004-07-01,,,\n"
"""An authorisation of something that is not used here."""
PAIRS = "bet,paid\nplayer_pair,0\n"


def found(day: str, authorisations: str, **files: str) -> list[tuple[str, str, str]]:
    tables = {f"{name}.csv": text for name, text in files.items()}
    tables = {"rounds.csv": hands(NATURAL), **tables, "authorisations.csv": authorisations}
    return run_files(tables, day=day, select=["A19"]).rows("code", "severity", "subject")


@pytest.mark.parametrize(
    ("day", "named"),
    [("2005-11-28", False), ("2007-02-22", False), ("2007-02-23", True), ("2007-06-26", True)],
)
def test_19_pairs_are_named_from_30_2007_on(day: str, named: bool) -> None:
    expected = [("A1901", "violation", "art13_pairs")] if named else []
    assert found(day, OTHER, bets=PAIRS) == expected


@pytest.mark.parametrize(
    ("day", "named"), [("2005-11-28", False), ("2005-11-29", True), ("2007-02-23", False)]
)
def test_19_the_scheme_without_commission_under_73_2005_only(day: str, named: bool) -> None:
    rounds = hands("commission:", f"{NATURAL} / no_commission")
    expected = [("A1901", "violation", "art18_no_commission")] if named else []
    assert found(day, OTHER, rounds=rounds) == expected


def test_19_arts_3_and_7_in_every_version() -> None:
    rounds = hands("cut_card:", f"{NATURAL} / 1", f"{NATURAL} / 0")
    for day in ("2004-08-02", "2006-08-02", "2007-03-02", "2007-08-02"):
        assert found(day, OTHER, rounds=rounds) == [("A1901", "violation", "art3_one_more")]
        auto = found(day, OTHER, shoes="device\nauto\n")
        assert auto == [("A1901", "violation", "art7_auto")]


def test_19_demonstrations_and_carried_bets_are_disputed() -> None:
    rounds = hands("kind:", f"{NATURAL} / demo", f"{TIE} / play")
    bets = "round_no,bet,paid,disposition\n2,player,0,carried\n"
    assert found("2007-07-01", OTHER, rounds=rounds, bets=bets) == [
        ("A1901", "notice", "art2_demonstration"),
        ("A1901", "notice", "art12_carry"),
    ]


def test_19_an_authorisation_in_force() -> None:
    row = "art13_pairs,2007-03-01,2007-03-05,2007-03-09,2007-03-09,2007-03-20,\n"
    days = ("2007-03-08", "2007-03-09", "2007-03-19", "2007-03-20")
    assert [bool(found(day, HEAD + row, bets=PAIRS)) for day in days] == [True, False, False, True]


@pytest.mark.parametrize(
    ("asked", "planned", "late"),
    [
        ("2007-03-05", "2007-03-07", True),  # Monday to Wednesday: two days
        ("2007-03-05", "2007-03-08", False),
        ("2007-03-08", "2007-03-12", True),  # Thursday, Friday; the weekend does not count
        ("2007-03-08", "2007-03-13", False),
        ("2007-04-30", "2007-05-03", True),  # 1 May
        ("2007-04-30", "2007-05-04", False),
    ],
)
def test_19_asked_for_three_working_days_before(asked: str, planned: str, late: bool) -> None:
    row = f"art3_one_more,{asked},{asked},{planned},,,\n"
    expected = [("A1902", "violation", "art3_one_more")] if late else []
    assert found("2007-07-01", HEAD + row) == expected
