"""Art. 19: options used without authorisation, and authorisations asked for too late."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from tests.oracle.context import Context
from tests.oracle.log_checks import in_time_order
from tests.oracle.model import Authorisation, Finding, Round
from tests.oracle.rules import PAIRS, first_naming
from tests.oracle.shoe_checks import rounds_after_cut_card

DISPUTED = ("art2_demonstration", "art12_carry")
Uses = dict[tuple[str, str, str], list[Round]]


def check_authorisations(ctx: Context) -> None:
    if ctx.log.authorisations is None:
        return
    uses = all_uses(ctx)
    for (_, _, option), rounds in uses.items():
        unauthorised_use(ctx, option, rounds)
    for row in ctx.log.authorisations:
        asked_too_late(ctx, row, uses)


# --- the uses ------------------------------------------------------------------------------------


def all_uses(ctx: Context) -> Uses:
    """By casino, table and option: the rounds that used it, in the order of time."""
    options_of = {r.key: set(_bet_options(ctx, r)) for r in ctx.log.rounds.values()}
    for shoe, rounds in ctx.shoes():
        if shoe.device == "auto":
            for r in rounds:
                options_of[r.key].add("art7_auto")
        if shoe.burn_rule == "first_card":
            options_of[rounds[0].key].add("art2_first_card")
        for r, _ in rounds_after_cut_card(rounds):
            options_of[r.key].add("art3_one_more")
    uses: Uses = {}
    for r in in_time_order(ctx):
        for option in options_of[r.key]:
            uses.setdefault((*r.key[:2], option), []).append(r)
    return uses


def _bet_options(ctx: Context, r: Round) -> Iterator[str]:
    if r.kind == "demo":
        yield "art2_demonstration"
    if ctx.recorded_scheme(r) == "no_commission":
        yield "art18_no_commission"
    for bet in ctx.bets_of.get(r.key, []):
        if bet.disposition == "carried":
            yield "art12_carry"
        if bet.bet in PAIRS:
            yield "art13_pairs"
        if bet.bet == "jackpot":
            yield "art13_jackpot"


# --- A1901 ---------------------------------------------------------------------------------------


def unauthorised_use(ctx: Context, option: str, rounds: list[Round]) -> None:
    """A1901 at the first unauthorised use, where the version of that day names the option."""
    for r in rounds:
        version = ctx.version(r)
        if version is None or option not in version.options or authorised(ctx, option, r):
            continue
        older = rounds[0].day < first_naming(option)
        severity = "notice" if option in DISPUTED or older else "violation"
        ctx.add("A1901", severity, r, subject=option)
        return


def authorised(ctx: Context, option: str, r: Round) -> bool:
    """Some authorisation of the option is in force on the round's date."""
    return any(
        row.option == option and row.casino == r.key[0] and in_force(row, r)
        for row in ctx.log.authorisations or []
    )


def in_force(row: Authorisation, r: Round) -> bool:
    here = row.table_id in ("", r.key[1])
    begun = row.authorised_on <= r.day and (row.adopted_on is None or row.adopted_on <= r.day)
    return here and begun and (row.ended_on is None or row.ended_on > r.day)


# --- A1902 ---------------------------------------------------------------------------------------


def asked_too_late(ctx: Context, row: Authorisation, uses: Uses) -> None:
    """A1902: asked for fewer than three working days before the planned adoption."""
    planned = row.planned_for or row.adopted_on
    if planned is None:
        return
    version = ctx.options.in_force(planned)
    if version is None or row.option not in version.options:
        return
    if working_days(row.requested_on, planned) >= 3:
        return
    used = first_use(row, uses)
    if used is not None:
        ctx.add("A1902", "violation", used, subject=row.option)
        return
    severity = ctx.options.severity("A1902", "violation", planned)
    anchor = (row.casino, row.table_id, "", "", "")
    ctx.findings.append(Finding("A1902", severity, *anchor, row.option, "", ""))


def first_use(row: Authorisation, uses: Uses) -> Round | None:
    """The first round that used the option at the row's table, or anywhere in the casino."""
    firsts = [
        rounds[0]
        for (casino, table, option), rounds in uses.items()
        if (casino, option) == (row.casino, row.option) and row.table_id in ("", table)
    ]
    return min(firsts, key=lambda r: (r.started, r.key), default=None)


def working_days(start: date, end: date) -> int:
    """From the day of the request up to, not including, the planned day."""
    days = (start + timedelta(days=i) for i in range((end - start).days))
    return sum(day.weekday() < 5 and day not in holidays_of(day.year) for day in days)


@cache
def holidays_of(year: int) -> frozenset[date]:
    """Macau's public, optional and government holidays; half days are working days."""
    import holidays  # only this check needs the package

    kinds = ("public", "optional", "government")
    calendar = holidays.country_holidays("MO", years=year, categories=kinds)
    return frozenset(day for day in calendar if not _half_day(calendar.get_list(day)))


def _half_day(names: list[str]) -> bool:
    return all("fternoon" in name for name in names)
