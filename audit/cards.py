"""Playing cards as small integers, and the notation of a canonical log.

A card is a code in one byte:

* 0-51: rank and suit known, ``suit * 13 + rank - 1``, suits in the order S H D C, ranks ace 1
  to king 13;
* 52-64: only the rank known, ``52 + rank - 1``;
* 65-74: only the points known, ``65 + points``.

Points are those of art. 5: face cards and tens 0, the rest their face value.
"""

from __future__ import annotations

SUITS = "SHDC"
SUIT_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK = 52
RANK_ONLY = 52
POINTS_ONLY = 65
CODES = 75


def code_of(rank: int, suit: int) -> int:
    """Code of the card with ``rank`` 1-13 and ``suit`` 0-3."""
    return suit * 13 + rank - 1


def rank_of(code: int) -> int | None:
    """Rank 1-13, or None where only the points are known."""
    if code < DECK:
        return code % 13 + 1
    return code - RANK_ONLY + 1 if code < POINTS_ONLY else None


def suit_of(code: int) -> int | None:
    """Suit 0-3 in the order S H D C, or None where it is unknown."""
    return code // 13 if code < DECK else None


def points_of(code: int) -> int:
    """Baccarat points 0-9 of one card (art. 5)."""
    rank = rank_of(code)
    if rank is None:
        return code - POINTS_ONLY
    return rank if rank < 10 else 0


def face_value_of(code: int) -> int | None:
    """Value printed on the card for the burn of art. 2(1): ace 1, tens and faces 10."""
    rank = rank_of(code)
    return None if rank is None else min(rank, 10)


def text_of(code: int) -> str:
    """Card in the canonical notation ``rank-suit``: ``KS``, ``10H``; unknown suit: ``K``."""
    rank, suit = rank_of(code), suit_of(code)
    if rank is None:
        return f"{points_of(code)}p"
    return RANKS[rank - 1] + (SUITS[suit] if suit is not None else "")


POINTS = tuple(points_of(code) for code in range(CODES))
"""Points by card code."""

RANK = tuple(rank_of(code) for code in range(CODES))
"""Rank by card code, None where unknown."""

TEXT = tuple(text_of(code) for code in range(CODES))
"""Canonical text by card code."""
