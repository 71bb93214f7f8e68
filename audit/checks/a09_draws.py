"""Art. 9: the third card. Banker is judged on what Player actually did."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check

DEALT = pl.col("kind").is_in(["play", "demo", "free"]) & pl.col("complete")
DRAWS_JUDGED = DEALT & ~pl.col("overfull")
CONSEQUENCE = pl.col("consequence")
DREW, STOOD = pl.lit("draw"), pl.lit("stand")


def _cite(article: pl.Expr) -> pl.Expr:
    """On a round of play art. 10 stands beside: the error was neither put right nor made void."""
    return pl.when(pl.col("kind") == "play").then(article + ", 10").otherwise(article)


def _third() -> dict[str, pl.Expr]:
    return {"t": pl.col("b_two"), "c": pl.col("p3_points")}


def _by_player() -> pl.Expr:
    """Wording: Player had drawn, or not."""
    return pl.when(pl.col("player_drew")).then(pl.lit("drew")).otherwise(pl.lit("stood"))


@check("A0901", "9(1)", "violation")
def player_owed_a_card() -> Breach:
    """Player must draw and did not.

    What it checks: rounds in which Player's first two cards total 0 to 5, neither hand has a
    natural, and Player received no third card.
    Why it matters: the card that Player owed went to somebody else, and every later card of
    the shoe with it.
    Not flagged: totals of 6 to 9; any total against a Banker natural; void rounds.
    Example: Player 2 3 (5) against Banker 4 3 (7), no third card: Player had to draw.
    """
    return Breach(
        scope=DRAWS_JUDGED,
        breaks=pl.col("player_must_draw") & ~pl.col("player_drew"),
        basis=("player_draws_on", "naturals"),
        article=_cite(pl.lit("9(1)")),
        consequence=CONSEQUENCE,
        expected=DREW,
        recorded=STOOD,
        evidence={"t": pl.col("p_two")},
    )


@check("A0902", "9(2)", "violation")
def player_had_to_stand() -> Breach:
    """Player must stand on 6 or 7 and drew.

    What it checks: rounds in which Player's first two cards total 6 or 7, neither hand has a
    natural, and Player received a third card.
    Why it matters: the card changes Player's total and Banker's duty.
    Not flagged: draws against a natural, which are A0903.
    Example: Player K 6 draws a 3: Player had to stand.
    """
    return Breach(
        scope=DRAWS_JUDGED,
        breaks=~pl.col("natural") & ~pl.col("player_must_draw") & pl.col("player_drew"),
        basis=("player_draws_on", "naturals"),
        article=_cite(pl.lit("9(2)")),
        consequence=CONSEQUENCE,
        expected=STOOD,
        recorded=DREW,
        evidence={"t": pl.col("p_two")},
    )


@check("A0903", "9(2)", "violation")
def player_drew_against_natural() -> Breach:
    """Player drew although either hand was 8 or 9 on two cards.

    What it checks: a third card of Player in a round where Player's or Banker's first two
    cards make 8 or 9.
    Why it matters: a natural ends the deal; the extra card can turn the winner.
    Not flagged: an 8 or 9 made with three cards, which is no natural.
    Example: Banker K 9 (natural 9), Player 2 3 draws a 4: no card was due.
    """
    return Breach(
        scope=DRAWS_JUDGED,
        breaks=pl.col("natural") & pl.col("player_drew"),
        basis=("naturals",),
        article=_cite(pl.lit("9(2)")),
        consequence=CONSEQUENCE,
        expected=STOOD,
        recorded=DREW,
        variant=pl.when(pl.col("banker_natural"))
        .then(pl.lit("banker"))
        .otherwise(pl.lit("player")),
        evidence={"t": pl.when(pl.col("banker_natural")).then(pl.col("b_two")).otherwise("p_two")},
    )


@check("A0904", "9(3)", "violation")
def banker_owed_a_card() -> Breach:
    """Banker must draw and did not.

    What it checks: Banker's two-card total and Player's third card, or its absence, against
    the draw table; Banker had to draw and received no third card.
    Why it matters: Banker's draw follows the points of Player's third card, never Player's
    total; a card withheld changes who wins.
    Not flagged: rounds with a natural; void rounds. If Player wrongly stood, Banker is judged
    by the column for a Player that did not draw.
    Example: Banker 2 2 (4), Player drew a 6: Banker had to draw.
    """
    return Breach(
        scope=DRAWS_JUDGED,
        breaks=pl.col("banker_must_draw") & ~pl.col("banker_drew"),
        basis=("banker_draws",),
        article=_cite(pl.col("banker_article")),
        consequence=CONSEQUENCE,
        expected=DREW,
        recorded=STOOD,
        variant=_by_player(),
        evidence=_third(),
    )


@check("A0905", "9(4)", "violation")
def banker_had_to_stand() -> Breach:
    """Banker must stand and drew, neither hand being 8 or 9.

    What it checks: Banker's two-card total and Player's third card, or its absence, against
    the draw table; Banker had to stand and received a third card.
    Why it matters: the card was not Banker's; it changes the total and every later card.
    Not flagged: draws against a natural, which are A0906.
    Example: Banker K 3 (3), Player drew an 8: Banker had to stand.
    """
    return Breach(
        scope=DRAWS_JUDGED,
        breaks=~pl.col("natural") & ~pl.col("banker_must_draw") & pl.col("banker_drew"),
        basis=("banker_draws",),
        article=_cite(pl.col("banker_article")),
        consequence=CONSEQUENCE,
        expected=STOOD,
        recorded=DREW,
        variant=_by_player(),
        evidence=_third(),
    )


@check("A0906", "9(4)", "violation")
def banker_drew_against_natural() -> Breach:
    """Banker drew although either hand was 8 or 9 on two cards.

    What it checks: a third card of Banker in a round where Player's or Banker's first two
    cards make 8 or 9.
    Why it matters: a natural ends the deal; the extra card can turn the winner.
    Not flagged: an 8 or 9 made with three cards, which is no natural.
    Example: Player 9 K (natural 9), Banker 2 3 draws a 4: no card was due.
    """
    return Breach(
        scope=DRAWS_JUDGED,
        breaks=pl.col("natural") & pl.col("banker_drew"),
        basis=("naturals",),
        article=_cite(
            pl.when(pl.col("player_natural")).then(pl.lit("9(4)(6)")).otherwise(pl.lit("9(4)(5)"))
        ),
        consequence=CONSEQUENCE,
        expected=STOOD,
        recorded=DREW,
        variant=pl.when(pl.col("player_natural"))
        .then(pl.lit("player"))
        .otherwise(pl.lit("banker")),
        evidence={"t": pl.when(pl.col("player_natural")).then(pl.col("p_two")).otherwise("b_two")},
    )


@check("A0907", "9", "violation")
def more_than_three_cards() -> Breach:
    """A hand holds more than three cards.

    What it checks: the number of cards of each hand; once a round.
    Why it matters: one additional card for each hand is the most that the article allows.
    Not flagged: hands of two or three cards. No other check of art. 9 is made on such a round.
    Example: Banker is recorded with 2 3 4 K: one card too many.
    """
    most = pl.max_horizontal("player_n", "banker_n")
    return Breach(
        scope=DEALT,
        breaks=pl.col("overfull"),
        basis=("hand_cards_max",),
        article=_cite(pl.lit("9")),
        expected=pl.lit("3"),
        recorded=most.cast(pl.String),
        variant=pl.when(pl.col("player_n") > 3).then(pl.lit("player")).otherwise(pl.lit("banker")),
        evidence={"n": most},
    )


CHECKS = (
    player_owed_a_card,
    player_had_to_stand,
    player_drew_against_natural,
    banker_owed_a_card,
    banker_had_to_stand,
    banker_drew_against_natural,
    more_than_three_cards,
)
