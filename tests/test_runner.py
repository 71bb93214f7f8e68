"""How checks are run: those of bets together, and each by itself where one of them cannot be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import polars as pl
import pytest

from audit.checks import CHECKS
from audit.checks.base import Breach
from tests.support import BANKER_SIX, hands, run_files

BROKEN = "A1701"
LOG = {
    "rounds.csv": hands(BANKER_SIX),
    "bets.csv": "bet,paid\nplayer,0\nbanker,200\ntie,900\n",
}


def unevaluable() -> Breach:
    """A breach of which polars cannot make anything: a stake is no text."""
    return Breach(breaks=pl.col("stake").str.len_bytes() > 0)


def unbuildable() -> Breach:
    """A breach that fails before it is one."""
    raise ValueError("a defect")


@pytest.mark.parametrize("function", [unevaluable, unbuildable])
def test_a_check_that_crashes_takes_no_other_with_it(
    function: Callable[[], Breach], monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = run_files(LOG)
    assert not sound.summary.crashed
    assert sound.rows("code", "bet_id") == [("A1702", "2"), ("A1704", "3")]
    broken = [replace(c, function=function) if c.code == BROKEN else c for c in CHECKS]
    monkeypatch.setattr("audit.buckets.unit.CHECKS", tuple(broken))
    told = run_files(LOG)
    assert [code for code, _ in told.summary.crashed] == [BROKEN]
    others = [row for row in sound.rows("code", "bet_id", "amount") if row[0] != BROKEN]
    assert told.rows("code", "bet_id", "amount") == others
