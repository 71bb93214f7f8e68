"""The second before each version comes into force, and the second it does.

A round belongs to the version of the calendar date, in Macau time, of its start; the gaming day
does not count, and an offset is converted.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.support import BANKER_WINS, NATURAL, audited, hands, run_files

FROM = {
    "2004-05-18": (None, "55-2004"),
    "2005-11-29": ("55-2004", "73-2005"),
    "2007-02-23": ("73-2005", "30-2007"),
    "2007-06-26": ("30-2007", "64-2007"),
    "2009-01-01": ("64-2007", "64-2007"),
}
"""First day, the version before it and the version on it."""

SECOND = timedelta(seconds=1)
OFFSETS = {"Z": 0, "+00:00": 0, "-05:00": -5, "+08:00": 8, "+14:00": 14, "-1200": -12}


def written(macau: datetime, offset: str) -> str:
    """A Macau moment as a clock elsewhere shows it."""
    hours = OFFSETS[offset] if offset else 8
    return f"{macau - timedelta(hours=8 - hours):%Y-%m-%dT%H:%M:%S}{offset}"


def moments() -> list[datetime]:
    days = [datetime.fromisoformat(day) for day in FROM]
    return [moment for day in days for moment in (day - SECOND, day)]


def rulesets(starts: list[str]) -> list[str | None]:
    """Version of each round, dealt in a shoe of its own."""
    rows = [f"S{n:03},1,{start},KS 9H,KD 7C" for n, start in enumerate(starts)]
    head = "shoe_id,round_no,started_at,player_cards,banker_cards"
    audit = run_files({"rounds.csv": "\n".join([head, *rows])})
    return audit.tables["rounds"].sort("shoe_id")["ruleset"].cast(str).to_list()


VERSIONS = [version for pair in FROM.values() for version in pair]


@pytest.mark.parametrize("offset", ["", *OFFSETS])
def test_the_second_before_and_the_second_of_each_version(offset: str) -> None:
    assert rulesets([written(moment, offset) for moment in moments()]) == VERSIONS


def test_fractions_of_a_second_do_not_carry_over() -> None:
    assert rulesets(["2007-06-25 23:59:59.999999", "2007-06-25T23:59:59.9999999999"]) == [
        "30-2007",
        "30-2007",
    ]


def test_no_gaming_day_and_no_daylight_saving() -> None:
    # Past midnight is the next day, whatever the house calls it; July is UTC+8 like December.
    starts = ["2007-06-26 00:30", "2007-06-26T05:59:59", "2007-06-25T16:00:00Z"]
    assert rulesets(starts) == ["64-2007"] * 3


def test_a_shoe_over_midnight_is_judged_by_two_versions() -> None:
    rounds = """
    started_at,player_cards,banker_cards
    2007-02-22 23:59:30,KS 9H,KD 7C
    2007-02-23 00:00:10,KS 9H,KD 7C
    """
    bets = "round_no,bet,paid\n1,jackpot,0\n2,jackpot,0\n"
    assert audited(rounds, bets, select=["A13"]) == [(1, "A1301")]


# What can be seen of each boundary


def at(moment: str, hand: str, bets: str = "", **options: str) -> list[tuple[str, str]]:
    rounds = f"started_at,{hands(hand)}".replace("\n", f"\n{moment},")
    return audited(rounds, bets, show="code severity", **options)


def test_2004_05_18_the_first_version() -> None:
    wrong = "2S 3H / KD 7C"
    assert at("2004-05-17 23:59:59", wrong) == [("L08", "warning")]
    assert at("2004-05-18 00:00:00", wrong) == [("A0901", "violation")]
    assert at("2004-05-17T16:00:00Z", wrong) == [("A0901", "violation")]
    assert at("2004-05-17T10:59:59-05:00", wrong) == [("L08", "warning")]


def test_2005_11_29_the_scheme_without_commission() -> None:
    bets = "bet,paid\nbanker,200\n"
    shoes = "commission\nno_commission\n"
    for moment, found in {
        "2005-11-28 23:59:59": ["A1804"],
        "2005-11-29 00:00:00": [],
        "2005-11-28T15:59:59Z": ["A1804"],
        "2005-11-28T11:00:00-05:00": [],
    }.items():
        rounds = f"started_at,{hands(BANKER_WINS)}".replace("\n", f"\n{moment},")
        assert [code for _, code in audited(rounds, bets, shoes)] == found


def test_2007_02_23_the_jackpot() -> None:
    bets = "bet,paid\njackpot,0\n"
    assert at("2007-02-22 23:59:59", NATURAL, bets) == [("A1301", "violation")]
    assert at("2007-02-23 00:00:00", NATURAL, bets) == []
    assert at("2007-02-22T16:00:00Z", NATURAL, bets) == []
    assert at("2007-02-22T10:59:59-05:00", NATURAL, bets) == [("A1301", "violation")]


def test_2007_06_26_payouts_are_stated_from_here_on() -> None:
    for moment, basis in {
        "2007-06-25 23:59:59": "inferred",
        "2007-06-26 00:00:00": "stated",
        "2007-06-25T15:59:59Z": "inferred",
        "2007-06-25T11:00:00-05:00": "stated",
    }.items():
        rounds = f"started_at,{hands(NATURAL)}".replace("\n", f"\n{moment},")
        found = audited(rounds, "bet,paid\nplayer,100\n", show="code basis")
        assert found == [("A1701", basis)]


def test_2009_01_01_later_acts_are_unknown() -> None:
    bets = "bet,paid\nplayer,100\n"
    assert at("2008-12-31 23:59:59", NATURAL, bets) == [("A1701", "violation")]
    for moment in ("2009-01-01 00:00:00", "2008-12-31T16:00:00Z", "2008-12-31T11:00:00-05:00"):
        assert at(moment, NATURAL, bets) == [("A1701", "warning"), ("L08", "warning")]


def test_2009_01_01_the_other_articles_are_not_capped() -> None:
    assert at("2009-01-01 00:00:00", "2S 3H / KD 7C") == [
        ("A0901", "violation"),
        ("L08", "warning"),
    ]


def test_a_forced_version_takes_no_notice_of_the_date() -> None:
    bets = "bet,paid\nplayer,100\n"
    forced = {"rules": "64-2007", "ignore": ["L08"]}
    for moment in ("2003-01-01 12:00:00", "2009-01-01 00:00:00", "2030-01-01 00:00:00"):
        assert at(moment, NATURAL, bets, **forced) == [("A1701", "violation")]
