"""Integrity of the log: what cannot be relied on, whatever the regulation says."""

from __future__ import annotations

import polars as pl

from audit import cards
from audit.checks.base import Breach, check
from audit.money import to_text
from audit.resolve.rules import gather

DEALT_KINDS = pl.col("kind").is_in(["play", "demo", "free"])
SHOWN = 120
"""Characters of an unreadable cell that a finding shows; the rejects keep all of it."""

REUSE_HOURS = 18
"""A shoe lasts an hour or two; neighbours further apart than this are two shoes."""


def _at_row() -> pl.Expr:
    return pl.format("{}:{}", "source", "row")


@check("L01", "", "warning", over="rejects")
def unreadable_row() -> Breach:
    """A row of the log could not be read.

    What it checks: every row of every table: required values, words, numbers, dates, cards. A
    list of five cards must tell whose the fifth is, by an empty place or by the profile: the
    drawing rules, which are what is audited, do not decide it.
    Why it matters: what cannot be read cannot be audited; the row is kept apart and counted.
    Not flagged: empty optional cells; second copies of a row, which are L02 and L11.
    Example: a round whose banker_cards are KS 5: the second card has no suit.
    """
    text = pl.when(pl.col("text").str.strip_chars() != "").then("text")
    too_long = text.str.len_chars() > SHOWN
    shown = pl.when(too_long).then(text.str.slice(0, SHOWN) + " ...").otherwise(text)
    return Breach(
        breaks=pl.col("kind") == "unreadable",
        subject=_at_row(),
        expected=pl.col("expected"),
        recorded=shown,
        variant=pl.when(pl.col("column").is_null())
        .then(pl.lit("whole"))
        .when(text.is_null())
        .then(pl.lit("missing"))
        .otherwise(pl.lit("")),
        evidence={
            "column": pl.col("column"),
            "text": shown,
            "reason": pl.col("reason"),
        },
    )


@check("L02", "", "warning", over="rejects")
def duplicate_round() -> Breach:
    """A second row with the same casino, table, shoe and round number.

    What it checks: the keys of all readable rounds; each extra row is a finding.
    Why it matters: one of the rows is wrong, or the shoe's number was used again.
    Not flagged: the first readable row in file order, which is the one audited.
    Example: round 8 of a shoe is there twice, with other Banker cards the second time.
    """
    return Breach(
        breaks=(pl.col("kind") == "duplicate") & (pl.col("table") == "rounds"),
        subject=_at_row(),
        expected=pl.lit("one"),
        recorded=pl.when(pl.col("differs") == "").then(pl.lit("identical")).otherwise("differs"),
        variant=pl.when(pl.col("differs") == "").then(pl.lit("")).otherwise(pl.lit("differs")),
        evidence={"columns": pl.col("differs")},
    )


@check("L03", "", "warning")
def missing_rounds() -> Breach:
    """Round numbers are missing.

    What it checks: the run of readable round numbers of each shoe from 1 on; one finding for
    each run of missing numbers, anchored to the round after it.
    Why it matters: a round that is not in the log cannot be judged, and demonstrations, cards
    and bets may have gone with it.
    Not flagged: missing rounds after the last one, which no log can show.
    Example: a shoe has rounds 1 to 9 and 12 on: 10 and 11 are missing.
    """
    first = pl.col("round_no") - pl.col("missing_before")
    return Breach(
        breaks=pl.col("missing_before") > 0,
        subject=first.cast(pl.String),
        expected=first.cast(pl.String),
        recorded=pl.col("round_no").cast(pl.String),
        variant=pl.when(pl.col("missing_before") == 1).then(pl.lit("one")).otherwise(pl.lit("")),
        evidence={"a": first, "b": pl.col("round_no") - 1},
    )


@check("L04", "", "warning")
def time_runs_backwards() -> Breach:
    """A round starts earlier than the one before it in its shoe.

    What it checks: the start times of neighbouring rounds of a shoe, by round number.
    Why it matters: the clock or the numbering is wrong, and with it perhaps the rule set.
    Not flagged: rounds that start in the same second.
    Example: round 7 starts at 14:03:10 and round 8 at 14:02:30.
    """
    start = pl.col("started_at").dt.to_string("%Y-%m-%d %H:%M:%S")
    before = pl.col("previous_start").dt.to_string("%Y-%m-%d %H:%M:%S")
    return Breach(
        scope=pl.col("previous_start").is_not_null(),
        breaks=pl.col("started_at") < pl.col("previous_start"),
        expected=before,
        recorded=start,
        evidence={"start": start, "before": before},
    )


@check("L05", "", "warning")
def initial_card_missing() -> Breach:
    """Some but not all of the four initial cards are missing.

    What it checks: rounds of play, demonstrations and free hands for Player's and Banker's
    first two cards.
    Why it matters: without them neither draws nor winner nor bets of the round can be judged.
    Not flagged: rounds with an outcome and no card at all; void rounds.
    Example: Player K 5, Banker 9: Banker's second card is missing.
    """
    known = 4 - pl.col("initial_missing")
    return Breach(
        scope=DEALT_KINDS,
        breaks=~pl.col("complete") & pl.col("any_card").fill_null(False),
        expected=pl.lit("4"),
        recorded=known.cast(pl.String),
        evidence={"n": known},
    )


@check("L06", "", "violation")
def excess_copies() -> Breach:
    """More copies of one card in a shoe than recorded decks.

    What it checks: the cards of all hands of a shoe, and those withdrawn, counted by rank and
    suit; one finding for each card, at the round in which the first copy too many was dealt.
    Why it matters: a shoe of eight decks holds eight aces of spades; a ninth means that cards
    were added, or that the log is not of one shoe.
    Not flagged: sessions of an automatic device; shoes whose number of decks is unknown. The
    burned first card is not counted. Cards without a rank or suit are not counted, and their
    rounds are reported as not applied.
    Example: a shoe of six decks shows seven kings of hearts.
    """
    return Breach(
        scope=pl.col("device") == "shoe",
        needs=("decks", "suits_known"),
        breaks=pl.col("excess_cards").is_not_null(),
        each="excess_cards",
        subject=gather(cards.TEXT, pl.col("excess_cards"), pl.String),
        expected=pl.col("decks").cast(pl.String),
        recorded=(pl.col("decks") + 1).cast(pl.String),
        evidence={
            "card": gather(cards.TEXT, pl.col("excess_cards"), pl.String),
            "n": pl.col("decks"),
        },
    )


@check("L07", "", "warning")
def too_many_cards() -> Breach:
    """More cards were dealt, burned and withdrawn from a shoe than it holds.

    What it checks: the running number of cards that left each shoe, against its decks; at the
    round in which it is exceeded.
    Why it matters: the log is of more than one shoe, or cards were added.
    Not flagged: sessions of an automatic device; shoes whose number of decks is unknown.
    Example: 313 cards have left a shoe of six decks, which holds 312.
    """
    out, holds = pl.col("cards_out"), pl.col("shoe_holds")
    here = pl.col("cards_left_here")
    return Breach(
        scope=pl.col("device") == "shoe",
        needs=("shoe_holds",),
        breaks=(out > holds) & (out - here <= holds),
        expected=holds.cast(pl.String),
        recorded=out.cast(pl.String),
        evidence={"n": out, "max": holds},
    )


@check("L08", "", "warning")
def no_complete_rule_set() -> Breach:
    """No rule set in force at the round's date, or one known to be incomplete.

    What it checks: the date of each round against the versions known here; one finding for
    each casino and month.
    Why it matters: before the first version nothing of the regulation can be tested; from 2009
    on later acts exist whose text could not be read, so some findings cannot be verified.
    Not flagged: runs whose rule set the user forced; that is his decision, and printed.
    Example: a round of 2010-05-01: judged by the newest version, with that reservation.
    """
    month = pl.col("started_at").dt.to_string("%Y-%m")
    return Breach(
        breaks=pl.col("rs_gap"),
        expected=pl.lit("rule_set"),
        recorded=month,
        variant=pl.when(pl.col("rs").is_null()).then(pl.lit("none")).otherwise(pl.lit("later")),
        evidence={"month": month},
        once_per=(pl.col("casino"), month),
    )


@check("L09", "", "warning", over="bets")
def bet_without_round() -> Breach:
    """A bet whose round is not in the log.

    What it checks: casino, table, shoe and round number of each bet against the rounds.
    Why it matters: money moved on a round that the log does not show.
    Not flagged: bets on a round whose row was there but could not be read (L01).
    Example: a bet on round 86 of a shoe that ends with round 62.
    """
    return Breach(
        breaks=pl.col("standing") == "orphan",
        expected=pl.lit("round"),
        recorded=pl.lit("none"),
    )


@check("L10", "", "warning", over="bets")
def stake_not_positive() -> Breach:
    """The stake is zero or negative.

    What it checks: the stake of every bet whose round is, or was, in the log.
    Why it matters: there is no bet without a stake; what it was due cannot be told.
    Not flagged: bets without a round (L09 goes first).
    Example: a bet on Tie with stake 0.
    """
    return Breach(
        scope=pl.col("standing") != "orphan",
        breaks=pl.col("standing") == "bad_stake",
        expected=pl.lit("positive"),
        recorded=to_text(pl.col("stake")),
        evidence={"stake": to_text(pl.col("stake"))},
    )


@check("L11", "", "warning", over="rejects")
def duplicate_bet_or_shoe() -> Breach:
    """A second bet with the same round and bet id, or a second row for one shoe.

    What it checks: recorded bet ids within each round; keys of the shoes table.
    Why it matters: one of the rows is wrong, or money was counted twice.
    Not flagged: the first readable row; bets without a recorded id.
    Example: bet 3 of a round is there twice.
    """
    return Breach(
        breaks=(pl.col("kind") == "duplicate") & (pl.col("table") != "rounds"),
        subject=_at_row(),
        expected=pl.lit("one"),
        recorded=pl.when(pl.col("differs") == "").then(pl.lit("identical")).otherwise("differs"),
        variant=pl.concat_str(
            pl.when(pl.col("table") == "bets").then(pl.lit("bet")).otherwise(pl.lit("shoe")),
            pl.when(pl.col("differs") == "").then(pl.lit("")).otherwise(pl.lit("_differs")),
        ),
        evidence={"columns": pl.col("differs")},
    )


@check("L12", "", "warning")
def shoe_number_used_again() -> Breach:
    """A shoe id seems to be used again.

    What it checks: within a shoe, neighbouring rounds that start more than 18 hours apart; one
    finding for each table, at its first such pair.
    Why it matters: two shoes under one number mix up demonstrations, cards and gaps.
    Not flagged: longer pauses between two shoes.
    Example: shoe 12 has round 40 on Monday and round 41 on Tuesday evening.
    """
    start = pl.col("started_at")
    since = pl.max_horizontal(start - pl.col("previous_start"), start - pl.col("next_start"))
    return Breach(
        scope=since.is_not_null(),
        breaks=since > pl.duration(hours=REUSE_HOURS),
        expected=pl.lit(str(REUSE_HOURS)),
        recorded=since.dt.total_hours().cast(pl.String),
        evidence={"h": since.dt.total_hours()},
        once_per=(pl.col("casino"), pl.col("table_id")),
    )


CHECKS = (
    unreadable_row,
    duplicate_round,
    missing_rounds,
    time_runs_backwards,
    initial_card_missing,
    excess_copies,
    too_many_cards,
    no_complete_rule_set,
    bet_without_round,
    stake_not_positive,
    duplicate_bet_or_shoe,
    shoe_number_used_again,
)
