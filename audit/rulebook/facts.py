"""The closed list of hand facts that a bet's conditions may name, and what fits a condition.

A condition is a mapping of fact to value, or to a list of allowed values; all of them must hold.
That is the whole language: a new bet is a new TOML table, and no rule set ever holds code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Any

_POINTS = tuple(range(10))
_BOOLEAN = (True, False)

FACTS: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {
        "winner": ("player", "banker", "tie"),
        "player_total": _POINTS,
        "banker_total": _POINTS,
        "winning_total": _POINTS,
        "margin": _POINTS,
        "player_cards": (2, 3),
        "banker_cards": (2, 3),
        "winning_cards": (2, 3),
        "cards": (4, 5, 6),
        "player_pair": _BOOLEAN,
        "banker_pair": _BOOLEAN,
        "player_natural": _BOOLEAN,
        "banker_natural": _BOOLEAN,
    }
)
"""Each fact with its possible values. ``margin`` is the winner's points less the loser's;
``winning_total``, ``winning_cards`` and ``margin`` have no value on a tie, so that no condition
on them holds there."""


def facts_of(
    player_total: int,
    banker_total: int,
    player_cards: int = 2,
    banker_cards: int = 2,
    player_pair: bool = False,
    banker_pair: bool = False,
    naturals: frozenset[int] = frozenset({8, 9}),
) -> dict[str, object]:
    """All hand facts of one finished hand: totals 0-9, cards 2 or 3, pairs of the first two."""
    tie = player_total == banker_total
    player_wins = player_total > banker_total
    return {
        "winner": "tie" if tie else "player" if player_wins else "banker",
        "player_total": player_total,
        "banker_total": banker_total,
        "winning_total": None if tie else max(player_total, banker_total),
        "margin": None if tie else abs(player_total - banker_total),
        "player_cards": player_cards,
        "banker_cards": banker_cards,
        "winning_cards": None if tie else player_cards if player_wins else banker_cards,
        "cards": player_cards + banker_cards,
        "player_pair": player_pair,
        "banker_pair": banker_pair,
        "player_natural": player_cards == 2 and player_total in naturals,
        "banker_natural": banker_cards == 2 and banker_total in naturals,
    }


def matches(condition: Mapping[str, Any], facts: Mapping[str, object]) -> bool:
    """Whether every fact that ``condition`` names has a value that it allows; True if empty."""
    for name, allowed in condition.items():
        value = facts[name]
        if value not in allowed if isinstance(allowed, (list, tuple)) else value != allowed:
            return False
    return True


@cache
def conceivable_hands(naturals: frozenset[int]) -> tuple[Mapping[str, object], ...]:
    """Facts of every hand that cards can make, lawfully drawn or not, each once.

    Draw errors count in: a bet is paid on the cards as dealt, so a rule set must say what it pays
    on those too. A two-card hand that is a pair has an even total; nothing else is impossible.
    """

    def sides() -> Iterator[tuple[int, int, bool]]:
        for total, cards, pair in product(_POINTS, (2, 3), _BOOLEAN):
            if not (pair and cards == 2 and total % 2):
                yield total, cards, pair

    return tuple(
        facts_of(pt, bt, pc, bc, pp, bp, naturals)
        for (pt, pc, pp), (bt, bc, bp) in product(sides(), sides())
    )
