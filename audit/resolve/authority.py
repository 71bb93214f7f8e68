"""Art. 19: where options were used, and the authorisations asked for and given.

``days_of_use``: the first use of each option at each table on each day. ``uses``: the same over
all shoes, with ``named`` (the version of that day names the option), ``authorised``,
``began_before`` (the table used it before any version named it) and the round that it is anchored
to. ``requests``: the rows of the authorisations, with ``working_days`` between request and planned
adoption, and the first use that they are for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import cache
from importlib.metadata import version
from itertools import islice

import polars as pl

from audit.resolve.rounds import KEY
from audit.resolve.rules import EITHER, Rules
from audit.rulebook import RuleSet
from audit.schema import OPTIONS

INTERPRETATION = "art19_options"

DISPUTED = ("art2_demonstration", "art12_carry")
"""Options only if art. 19 means every choice, not the alternatives alone."""

CALENDAR = "MO"
CATEGORIES = ("public", "optional", "government")
"""Macau's public holidays, and the further days on which public offices are closed."""

DAY = pl.col("started_at").dt.date().alias("day")
_ANCHOR = [*KEY, "started_at", "rs", "ruleset", "source", "row"]
FIRST = ["started_at", *KEY]
"""The order of time over all shoes; rounds of one moment in the order of their keys."""


def days_of_use(rounds: pl.DataFrame, bets: pl.DataFrame) -> pl.DataFrame:
    """One row for each casino, table, option and day of use, the earliest round of the day."""
    used = rounds.select(
        "started_at",
        "rid",
        "table_day",
        *(_used(option, bets, rounds.height).alias(option) for option in OPTIONS),
    )
    earliest = pl.col("rid").get(pl.col("started_at").arg_min())  # of one moment the first
    frames = []
    for option in OPTIONS:
        first = used.filter(option).group_by("table_day").agg(earliest)
        anchors = rounds.select(pl.col(_ANCHOR).gather(first["rid"]))
        frames.append(anchors.with_columns(pl.lit(option).alias("option")))
    return first_of_days(frames)


def first_of_days(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """The earliest use of each option at each table on each day, out of several parts."""
    return (
        pl.concat(parts)
        .with_columns(
            DAY, pl.col("source", "ruleset").cast(pl.String), pl.col("rs").cast(pl.UInt32)
        )
        .sort(FIRST, maintain_order=True)
        .unique(["casino", "table_id", "option", "day"], keep="first", maintain_order=True)
    )


def option_uses(uses: pl.DataFrame, authorisations: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """The days of use of the whole log, judged."""
    named, basis = pl.lit(False), pl.lit(None, pl.String)
    first_named = pl.lit(None, pl.Date)
    for option in OPTIONS:
        here = pl.col("option") == option
        named = pl.when(here).then(rules.each(_names(option), pl.Boolean)).otherwise(named)
        basis = pl.when(here).then(rules.weakest((f"option.{option}",))).otherwise(basis)
        since = rules.book.first_naming(option)
        day = pl.lit(since.in_force_from if since else None, pl.Date)
        first_named = pl.when(here).then(day).otherwise(first_named)
    begun = pl.col("day").min().over("casino", "table_id", "option")
    reading = rules.readings[INTERPRETATION]
    judged = _with_authorised(uses, authorisations).with_columns(
        named.fill_null(False).alias("named"),
        basis.alias("basis"),
        (begun < first_named).fill_null(False).alias("began_before"),
        pl.lit(reading == "all").alias("all_options"),
        pl.lit(reading != "alternatives").alias("disputed_counts"),
    )
    disputed = pl.col("option").is_in(DISPUTED) & pl.col("named") & ~pl.col("authorised")
    # Counted as its findings are: once for each option and table.
    nth = disputed.cast(pl.UInt32).cum_sum().over("casino", "table_id", "option")
    asked = reading == EITHER and not authorisations.is_empty()
    return judged.with_columns((disputed & (nth == 1) & asked).alias(f"split_{INTERPRETATION}"))


def _names(option: str) -> Callable[[RuleSet], bool]:
    return lambda rules: option in rules.options


def _used(option: str, bets: pl.DataFrame, rounds: int) -> pl.Expr:
    """Rounds that use an option (art. 2, 3, 7, 12, 13 or 18)."""
    carried = pl.col("disposition") == "carried"
    by_bets = {
        "art12_carry": carried,
        "art13_pairs": pl.col("bet").is_in(["player_pair", "banker_pair"]),
        "art13_jackpot": pl.col("bet") == "jackpot",
    }
    if option in by_bets:
        rids = bets.lazy().filter(by_bets[option] & pl.col("rid").is_not_null()).select("rid")
        none = pl.repeat(False, rounds, dtype=pl.Boolean, eager=True)
        return pl.lit(none.scatter(rids.collect().to_series(), True))
    return {
        "art2_first_card": pl.col("first_in_shoe") & (pl.col("burn_rule") == "first_card"),
        "art2_demonstration": pl.col("kind") == "demo",
        "art3_one_more": pl.col("after_white").is_not_null(),
        "art7_auto": pl.col("device") == "auto",
        "art18_no_commission": pl.col("scheme_recorded") == "no_commission",
    }[option]


def _with_authorised(uses: pl.DataFrame, authorisations: pl.DataFrame) -> pl.DataFrame:
    """``authorised``: an authorisation of the option was in force at that table on that day."""
    day = pl.col("day")
    in_force = (
        (pl.col("table_id_row").is_null() | (pl.col("table_id_row") == pl.col("table_id")))
        & (pl.col("authorised_on") <= day)
        & (pl.col("adopted_on").is_null() | (pl.col("adopted_on") <= day))
        & (pl.col("ended_on").is_null() | (pl.col("ended_on") > day))
    )
    numbered = uses.with_row_index("use")
    rows = authorisations.select(
        "casino", "option", "authorised_on", "adopted_on", "ended_on",
        pl.col("table_id").alias("table_id_row"),
    )  # fmt: skip
    authorised = (
        numbered.join(rows, on=["casino", "option"]).filter(in_force).select("use").unique()
    )
    return numbered.with_columns(
        pl.col("use").is_in(authorised["use"].implode()).alias("authorised")
    ).drop("use")


def option_requests(authorisations: pl.DataFrame, uses: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """The authorisations that name a planned day, anchored to the first use they are for."""
    planned = pl.coalesce("planned_for", "adopted_on")
    asked = (
        authorisations.rename({"source": "source_row", "row": "number_row"})
        .with_columns(planned.alias("planned"))
        .filter(pl.col("planned").is_not_null())
        .with_row_index("request")
        .with_columns(rules.index_on(pl.col("planned")).alias("rs_planned"))
    )
    rows = asked.select("request", "casino", "option", pl.col("table_id").alias("table_id_row"))
    first = (
        rows.join(uses.drop("source", "row"), on=["casino", "option"])
        .filter(pl.col("table_id_row").is_null() | (pl.col("table_id_row") == pl.col("table_id")))
        .sort(FIRST, maintain_order=True)
        .unique("request", keep="first", maintain_order=True)
        .select("request", "shoe_id", "round_no", "started_at", "rs", "ruleset",
                pl.col("table_id").alias("table_id_use"))
    )  # fmt: skip
    named, least = pl.lit(False), pl.lit(None, pl.Int64)
    for rs, each in enumerate(rules.sets):
        here = pl.col("rs_planned") == rs
        named = pl.when(here).then(pl.col("option").is_in(list(each.options))).otherwise(named)
        required = pl.lit(each.value("working_days_before"), pl.Int64)
        least = pl.when(here).then(required).otherwise(least)
    days = [
        working_days(asked_on, planned_for)
        for asked_on, planned_for in asked.select("requested_on", "planned").iter_rows()
    ]
    anchored = pl.col("started_at").is_not_null()
    return (
        asked.join(first, on="request", how="left", maintain_order="left")
        .with_columns(
            pl.Series("working_days", days, dtype=pl.Int64),
            named.alias("named"),
            least.alias("working_days_before"),
            pl.coalesce("table_id_use", "table_id").alias("table_id"),
            pl.when(anchored).then("rs").otherwise("rs_planned").alias("rs"),
            pl.when(anchored)
            .then("started_at")
            .otherwise(pl.col("planned").cast(pl.Datetime("us")))
            .alias("started_at"),
            pl.col("source_row").alias("source"),
            pl.col("number_row").alias("row"),
        )
        .with_columns(rules.each(lambda each: each.id, pl.String).alias("ruleset"))
    )


def working_days(start: date, end: date, most: int = 30) -> int:
    """Working days from ``start`` up to, not including, ``end`` (art. 19).

    The count stops at ``most``: nobody needs to know how many more there were.
    """
    days = (start + timedelta(days=n) for n in range((end - start).days))
    working = (day for day in days if day.weekday() < 5 and day not in _closed(day.year))
    return sum(1 for _ in islice(working, most))


def calendar() -> str:
    """Which calendar of working days was used, for the manifest and the report."""
    return f"holidays {version('holidays')}, {CALENDAR}, {' + '.join(CATEGORIES)}"


@cache
def _closed(year: int) -> frozenset[date]:
    """Days of a year on which Macau's public offices are closed; half days are working days."""
    import holidays

    calendar = holidays.country_holidays(
        CALENDAR, years=year, categories=CATEGORIES, language="en_US"
    )
    return frozenset(
        day
        for day in calendar
        if not all("(afternoon)" in name.lower() for name in calendar.get_list(day))
    )
