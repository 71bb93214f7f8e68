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


@check("A0201", "2(1)", "violation", tables=("shoes",))
def start_burn() -> Breach:
    """The cards burned at the start of a shoe are not as many as the rule gives.

    What it checks: burned cards of the shoe's row against its rule: as many as decks, or as
    many as the face value of the first card; at the shoe's first round.
    Why it matters: the burn decides which cards the shoe deals.
    Not flagged: shoes without a recorded rule or number; any number that one of the readings
    in dispute accepts, unless a reading is pinned. A rule that no version names is flagged.
    Example: eight decks, rule decks, three cards burned.
    """
    fixed = ~pl.col("burn_rule").cast(pl.String).is_in(["decks", "first_card"])
    return Breach(
        scope=IN_SHOE & pl.col("first_in_shoe"),
        in_shoes=True,
        needs=("burn_rule", "burn_known"),
        breaks=fixed | ~pl.col("burn_right").fill_null(True),
        basis=("burn_rules",),
        expected=pl.when(fixed).then(pl.lit("decks or first_card")).otherwise("burn_expected"),
        recorded=pl.when(fixed)
        .then(pl.col("burn_rule").cast(pl.String))
        .otherwise(pl.col("shoe_burned").cast(pl.String)),
        variant=pl.when(fixed).then(pl.lit("rule")).otherwise(pl.lit("")),
        evidence={
            "n": pl.col("shoe_burned"),
            "m": pl.col("burn_expected").str.replace_all(" | ", " or ", literal=True),
        },
    )


@check("A0202", "2(1)", "warning", tables=("shoes",))
def white_card_too_low() -> Breach:
    """The white card was put in fewer than about twelve cards from the end.

    What it checks: cards behind the white card, of the shoe's row, at its first round.
    Why it matters: the shoe must not run out in its last round.
    Not flagged: twelve or more. The wording is soft, so a shortfall is a warning only.
    Example: cut_card_from_end is 5.
    """
    return Breach(
        scope=IN_SHOE & pl.col("first_in_shoe"),
        in_shoes=True,
        needs=("cut_card_from_end",),
        breaks=pl.col("cut_card_from_end") < pl.col("cut_card_from_end_min"),
        basis=("cut_card_from_end_min",),
        expected=pl.col("cut_card_from_end_min").cast(pl.String),
        recorded=pl.col("cut_card_from_end").cast(pl.String),
        evidence={"n": pl.col("cut_card_from_end"), "min": pl.col("cut_card_from_end_min")},
    )


@check("A0207", "2(2)", "notice", tables=("bets",))
def opening_without_bets() -> Breach:
    """A shoe opens with demonstrations and rounds without bets, more than three together.

    What it checks: shoes that open with at least one demonstration and go on with at least one
    round of play on which nobody bet; the fourth of these rounds is noted.
    Why it matters: rounds of play without bets can serve as demonstrations beyond the third.
    Not flagged: shoes without any bet in the log, since bets may not have been logged.
    Example: two demonstrations, then two rounds of play without a bet: the fourth round.
    """
    return Breach(
        scope=IN_SHOE & (pl.col("opening_no") == 4) & (pl.col("bets_in_shoe") > 0),
        breaks=pl.col("idle_opening") > pl.col("demonstration_max"),
        basis=("demonstration_max",),
        expected=pl.col("demonstration_max").cast(pl.String),
        recorded=pl.col("idle_opening").cast(pl.String),
        evidence={"n": pl.col("idle_opening")},
    )


@check("A0208", "2(1)", "warning", tables=("shoes",))
def white_card_came_late() -> Breach:
    """Fewer than twelve cards were left when the white card came out.

    What it checks: decks, start burn and all cards dealt, burned and withdrawn before the round
    in which the white card first came out.
    Why it matters: the white card goes at least about twelve cards from the end; dealt cards
    tell where it really was.
    Not flagged: shoes whose decks or start burn are unknown, or with a round missing before.
    Example: eight decks, and nine cards left before the round of the white card.
    """
    return Breach(
        scope=IN_SHOE & (pl.col("round_no") == pl.col("white_no")),
        needs=("shoe_holds", "shoe_burned", "all_rounds_before"),
        breaks=pl.col("left_before") < pl.col("cut_card_from_end_min"),
        basis=("cut_card_from_end_min",),
        expected=pl.col("cut_card_from_end_min").cast(pl.String),
        recorded=pl.col("left_before").cast(pl.String),
        evidence={"n": pl.col("left_before"), "min": pl.col("cut_card_from_end_min")},
    )


CHECKS = (
    start_burn,
    white_card_too_low,
    too_many_demonstrations,
    demonstration_after_play,
    demonstration_on_automatic_device,
    bet_on_demonstration,
    opening_without_bets,
    white_card_came_late,
)
