"""Art. 19: options need DICJ's prior authorisation, asked for in time."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check

DISPUTED = pl.col("option").is_in(["art2_demonstration", "art12_carry"])
"""Options only if art. 19 means every choice, not the alternatives alone."""


@check("A1901", "19", "violation", over="uses", tables=("authorisations",))
def used_without_authorisation() -> Breach:
    """An option was used without an authorisation in force on that date.

    What it checks: the uses of each option at each table against the authorisations of the
    log; one finding for each option and table, at the first unauthorised use.
    Why it matters: the choice of these options needs DICJ's authorisation beforehand.
    Not flagged: options that the article of that version does not name. A notice only where
    the use at that table began before the version that first names the option, and for
    demonstrations and bets left standing, which are options in one reading alone.
    Example: pair bets from 2007-03-01 on, authorised on 2007-04-02: the first of them.
    """
    mild = pl.col("began_before") | (DISPUTED & ~pl.col("all_options"))
    return Breach(
        scope=pl.col("named") & (~DISPUTED | pl.col("disputed_counts")),
        breaks=~pl.col("authorised"),
        basis=pl.col("basis"),
        subject=pl.col("option"),
        expected=pl.lit("authorised"),
        recorded=pl.lit("none"),
        severity=pl.when(mild).then(pl.lit("notice")).otherwise(pl.lit("violation")),
        variant=pl.when(pl.col("began_before"))
        .then(pl.lit("before"))
        .when(mild)
        .then(pl.lit("disputed"))
        .otherwise(pl.lit("")),
        evidence={"option": pl.col("option")},
        once_per=(pl.col("casino"), pl.col("table_id"), pl.col("option")),
    )


@check("A1902", "19", "violation", over="requests", tables=("authorisations",))
def asked_too_late() -> Breach:
    """An authorisation was asked for fewer than three working days before.

    What it checks: working days from the day of the application up to, not including, the
    planned adoption, by Macau's weekends and public holidays.
    Why it matters: the article gives DICJ three working days.
    Not flagged: options that the version in force on the planned day does not name; rows
    without a planned or actual adoption. Half days count as working days.
    Example: asked for on a Thursday, planned for the Monday after: two working days.
    """
    return Breach(
        scope=pl.col("named"),
        breaks=pl.col("working_days") < pl.col("working_days_before"),
        basis=("working_days_before",),
        subject=pl.col("option"),
        expected=pl.col("working_days_before").cast(pl.String),
        recorded=pl.col("working_days").cast(pl.String),
        variant=pl.when(pl.col("working_days") == 1).then(pl.lit("one")).otherwise(pl.lit("")),
        evidence={"option": pl.col("option"), "n": pl.col("working_days")},
    )


CHECKS = (used_without_authorisation, asked_too_late)
