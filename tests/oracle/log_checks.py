"""L03 to L10 and L12: can the log be relied on?  (L01, L02 and L11 are made by the reader.)"""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from itertools import pairwise

from tests.oracle.context import Context
from tests.oracle.model import Card, Finding, Round, RoundKey, Shoe
from tests.oracle.rules import LATER_ACT

DECK = 52
NIGHT = timedelta(hours=18)


def check_log(ctx: Context) -> None:
    for shoe, rounds in ctx.shoes():
        missing_numbers(ctx, rounds)
        time_backwards(ctx, rounds)
        missing_cards(ctx, rounds)
        if shoe.device == "shoe":
            too_many_copies(ctx, shoe, rounds)
            too_many_cards(ctx, shoe, rounds)
    no_rule_set(ctx)
    bets_astray(ctx)
    shoe_used_again(ctx)


def missing_numbers(ctx: Context, rounds: list[Round]) -> None:
    """L03: one for each run of missing numbers; a shoe should start at 1."""
    expected = 1
    for r in rounds:
        if r.no != expected:
            ctx.add("L03", "warning", r, subject=str(expected))
        expected = r.no + 1


def time_backwards(ctx: Context, rounds: list[Round]) -> None:
    """L04: compared with the round before it in the log, also across a gap in the numbers."""
    for before, r in pairwise(rounds):
        if r.started < before.started:
            ctx.add("L04", "warning", r)


def missing_cards(ctx: Context, rounds: list[Round]) -> None:
    """L05: some but not all of the four initial cards are missing."""
    for r in rounds:
        if r.kind != "void" and not r.complete and not r.without_cards:
            ctx.add("L05", "warning", r)


def too_many_copies(ctx: Context, shoe: Shoe, rounds: list[Round]) -> None:
    """L06: the first excess copy of each card, hands and withdrawn cards."""
    decks = ctx.decks(shoe)
    if decks is None:
        return
    copies: Counter[Card] = Counter()
    for r in rounds:
        for card in (*r.dealt, *r.withdrawn):
            copies[card] += 1
            if copies[card] == decks + 1:
                ctx.add("L06", "violation", r, subject=str(card))


def burned_before(shoe: Shoe, r: Round, first: bool) -> int:
    """The cards burned just before a round; the start burn is never counted twice."""
    if first and shoe.burned is not None:
        return shoe.burned
    return r.burned or 0


def too_many_cards(ctx: Context, shoe: Shoe, rounds: list[Round]) -> None:
    """L07: the round in which more cards have left the shoe than it holds."""
    decks = ctx.decks(shoe)
    if decks is None:
        return
    gone = 0
    for i, r in enumerate(rounds):
        gone += burned_before(shoe, r, i == 0) + len(r.dealt) + len(r.withdrawn)
        if gone > decks * DECK:
            ctx.add("L07", "warning", r)
            return


def no_rule_set(ctx: Context) -> None:
    """L08: one for each casino and month, at its first round by time."""
    if ctx.options.rules != "auto":
        return
    seen: set[tuple[str, int, int]] = set()
    for r in in_time_order(ctx):
        month = (r.key[0], r.day.year, r.day.month)
        if month not in seen and _rules_unsure(ctx, r.day):
            seen.add(month)
            ctx.add("L08", "warning", r)


def _rules_unsure(ctx: Context, day: date) -> bool:
    return ctx.options.in_force(day) is None or day >= LATER_ACT


def in_time_order(ctx: Context) -> list[Round]:
    return sorted(ctx.log.rounds.values(), key=lambda r: (r.started, r.key))


def bets_astray(ctx: Context) -> None:
    """L09 and L10.  A bet of a rejected round is judged for L10 only."""
    for bet in ctx.log.bets or []:
        r = ctx.log.rounds.get(bet.key)
        code = ""
        if r is None and bet.key not in ctx.log.rejected_rounds:
            code = "L09"
        elif bet.stake <= 0:
            code = "L10"
        if code:
            anchor = (*bet.key[:3], str(bet.key[3]), bet.bet_id)
            ctx.findings.append(Finding(code, "warning", *anchor, "", "", ""))


def shoe_used_again(ctx: Context) -> None:
    """L12: one for each table, at the later round of its first such pair by time."""
    pairs: dict[tuple[str, str], list[tuple[datetime, datetime, RoundKey]]] = {}
    for rounds in ctx.by_shoe.values():
        for before, r in pairwise(rounds):
            if abs(r.started - before.started) > NIGHT:
                early, late = sorted((before, r), key=lambda x: x.started)
                pair = (late.started, early.started, late.key)
                pairs.setdefault(r.key[:2], []).append(pair)
    for found in pairs.values():
        ctx.add("L12", "warning", ctx.log.rounds[min(found)[2]])
