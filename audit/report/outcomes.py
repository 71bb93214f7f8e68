"""How often Banker, Player and a tie come: by the draw table, exactly, and in the rounds of a case.

``weights`` counts the ways to deal six cards from so many decks; the counts for 1 to 12 decks are
kept in ``reports/assets/outcomes.toml``. A round that begins anywhere in a shoe has the same
chances as the first one of a fresh shoe, what was dealt before it not being known.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm, sqrt
from typing import TYPE_CHECKING

import duckdb

from audit.paths import data_dir
from audit.report.course import with_known_draws
from audit.report.query import Facts, rows

if TYPE_CHECKING:
    from audit.rulebook import RuleSet

OUTCOMES = ("player", "banker", "tie")
Z99 = 2.5758293035489004
"""Standard deviations on either side within which 99 % of a normal distribution lies."""

LEAST = 100
"""Rounds below which shares say nothing."""


def weights(decks: int, rules: RuleSet) -> dict[str, int]:
    """Ways to deal six cards of ``decks`` decks, in order, that give each outcome under ``rules``.

    Cards of one value of points are alike, so that a sequence of values stands for as many
    sequences of cards as the products below count; a card that the round does not use counts too.
    """
    from audit.replay.hand import winner_of

    held = [16 * decks, *[4 * decks] * 9]
    found = dict.fromkeys(OUTCOMES, 0)

    def drawn(ways: int) -> Iterator[tuple[int, int]]:
        """Values of the next card, each with the ways to get so far and there."""
        for value in range(10):
            if held[value]:
                held[value] -= 1
                yield value, ways * (held[value] + 1)
                held[value] += 1

    def end(ways: int, number: int, player: int, banker: int) -> None:
        found[winner_of(player % 10, banker % 10)] += ways * perm(52 * decks - number, 6 - number)

    for four in product(range(10), repeat=4):
        ways = 1
        for value in four:
            ways *= held[value]
            held[value] -= 1
        p1, b1, p2, b2 = four
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        if {player, banker} & rules.naturals:
            end(ways, 4, player, banker)
        elif player not in rules.player_draws:
            if rules.banker_draws[banker, None]:
                for third, more in drawn(ways):
                    end(more, 5, player, banker + third)
            else:
                end(ways, 4, player, banker)
        else:
            for third, more in drawn(ways):
                if rules.banker_draws[banker, third]:
                    for last, all_ in drawn(more):
                        end(all_, 6, player + third, banker + last)
                else:
                    end(more, 5, player + third, banker)
        for value in four:
            held[value] += 1
    return found


@cache
def _kept() -> dict[int, dict[str, int]]:
    path = data_dir("reports") / "assets" / "outcomes.toml"
    return {int(decks): ways for decks, ways in tomllib.loads(path.read_text("utf-8")).items()}


def chances(decks: int) -> dict[str, Fraction] | None:
    """Chance of each outcome of a round dealt from ``decks`` decks; None where it is not kept."""
    ways = _kept().get(decks)
    if ways is None:
        return None
    total = sum(ways.values())
    return {outcome: Fraction(ways[outcome], total) for outcome in OUTCOMES}


def interval(chance: Fraction, rounds: int) -> tuple[float, float]:
    """The shares between which an outcome of this chance lies in 99 of 100 logs of ``rounds``."""
    p = float(chance)
    reach = Z99 * sqrt(p * (1 - p) / rounds)
    return max(p - reach, 0.0), min(p + reach, 1.0)


def outcome_shares(connection: duckdb.DuckDBPyConnection) -> list[Facts]:
    """By number of decks, how many rounds of play had each outcome by their cards.

    ``decks`` is None for rounds whose number of decks is not known. Rounds under no rule set, and
    under one whose draws are not those of the regulation, are left out: no chance is known there.
    """
    return rows(connection, _SHARES, with_known_draws(connection))


_SHARES = """
select decks, sum(rounds)::BIGINT as rounds,
  coalesce(sum(rounds) filter (by_outcome = 'player'), 0)::BIGINT as player,
  coalesce(sum(rounds) filter (by_outcome = 'banker'), 0)::BIGINT as banker,
  coalesce(sum(rounds) filter (by_outcome = 'tie'), 0)::BIGINT as tie
from outcomes
where kind = 'play' and by_outcome is not null and ruleset in (select unnest(?))
group by decks order by decks nulls last"""
