"""Art. 14: the difference between the two sides, and posted limits."""

from __future__ import annotations

from tests.support import NATURAL, hands, run_files

LIMITS = """
bet,min_stake,max_stake,valid_from
difference,,500,2007-01-01
player,100,5000,2007-01-01
"""


def found(bets: str, rounds: str = hands(NATURAL)) -> list[tuple[str, str, str | None]]:
    files = {"rounds.csv": rounds, "bets.csv": bets, "limits.csv": LIMITS}
    return run_files(files, select=["A14"]).rows("code", "severity", "bet_id")


def test_14_the_limit_is_on_the_difference() -> None:
    assert found("bet,stake,paid\nplayer,900,1800\nbanker,400,0\n") == []
    assert found("bet,stake,paid\nplayer,900,1800\nbanker,399,0\n") == [
        ("A1401", "violation", None)
    ]


def test_14_ties_pairs_and_cancelled_bets_are_no_side() -> None:
    bets = """
    bet,stake,paid,disposition
    player,500,1000,
    player,500,500,cancelled
    tie,900,0,
    player_pair,900,0,
    """
    assert found(bets) == []


def test_14_void_rounds_are_left_out() -> None:
    void = hands("kind:", f"{NATURAL} / void")
    assert found("bet,stake,paid\nplayer,900,900\n", void) == []


def test_14_a_single_stake_outside_the_posted_limits() -> None:
    assert found("bet,stake,paid\nplayer,99,198\nplayer,100,200\n") == [("A1402", "warning", "1")]
