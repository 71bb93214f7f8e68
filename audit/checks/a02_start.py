"""Art. 2: the start of a shoe and its demonstration hands."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check

IN_SHOE = pl.col("device") == "shoe"
DEMO = pl.col("kind") == "demo"


@check("A0203", "2(2)", "violation")
def too_many_demonstrations() -> Breach:
    """A demonstration hand beyond the third of its shoe.

    What it checks: the demonstration hands of each shoe, counted in the order of their round
    numbers; every one from the fourth on is a finding.
    Why it matters: at the start of a shoe the house may deal three at the most; more of them
    let players watch the shoe without risk.
    Not flagged: the first three; hands on an automatic shuffler-dispenser (see A0205).
    Example: rounds 1 to 5 of a shoe are demonstrations: rounds 4 and 5 are flagged.
    """
    return Breach(
        scope=IN_SHOE & DEMO,
        breaks=pl.col("demo_no") > pl.col("demonstration_max"),
        basis=("demonstration_max",),
        expected=pl.col("demonstration_max").cast(pl.String),
        recorded=pl.col("demo_no").cast(pl.String),
        evidence={"n": pl.col("demo_no"), "max": pl.col("demonstration_max")},
    )


@check("A0204", "2(2)", "violation")
def demonstration_after_play() -> Breach:
    """A demonstration hand after play had begun in the shoe.

    What it checks: whether a demonstration follows a round of play, or a free hand, in the
    same shoe.
    Why it matters: demonstrations belong to the start of a shoe only.
    Not flagged: demonstrations before the first such round, or after void rounds only.
    Example: rounds 1 to 9 are play and round 10 is a demonstration: round 10 is flagged.
    """
    return Breach(
        scope=IN_SHOE & DEMO,
        breaks=pl.col("after_play"),
        basis=("demonstration_max",),
        expected=pl.lit("before_play"),
        recorded=pl.lit("after_play"),
    )


@check("A0205", "2(2)", "notice")
def demonstration_on_automatic_device() -> Breach:
    """A demonstration hand on an automatic shuffler-dispenser.

    What it checks: demonstration hands of sessions whose device is automatic.
    Why it matters: the paragraph that allows demonstrations speaks of shoes only; with such a
    device there is no start of a shoe.
    Not flagged: demonstrations from a shoe.
    Example: a session of device auto opens with one demonstration: it is noted.
    """
    return Breach(
        scope=(pl.col("device") == "auto") & DEMO,
        breaks=pl.lit(True),
        basis=("demonstration_max",),
        expected=pl.lit("none"),
        recorded=pl.lit("demo"),
    )


@check("A0206", "2(2)", "violation", over="bets")
def bet_on_demonstration() -> Breach:
    """A bet on a demonstration hand.

    What it checks: bets whose round is a demonstration, whatever they were paid.
    Why it matters: a demonstration shows how the game goes; it is no round on which money can
    be won. The text does not say so in words, so the finding rests on inference.
    Not flagged: a bet that the rule set does not offer at all (A1301 goes first).
    Example: round 2 is a demonstration and bet 1 stakes 100 on Banker: the bet is flagged.
    """
    return Breach(
        scope=pl.col("standing") == "demo",
        breaks=pl.lit(True),
        basis=pl.lit("inferred"),
        expected=pl.lit("none"),
        recorded=pl.col("bet"),
        evidence={"bet": pl.col("bet")},
    )


CHECKS = (
    too_many_demonstrations,
    demonstration_after_play,
    demonstration_on_automatic_device,
    bet_on_demonstration,
)
