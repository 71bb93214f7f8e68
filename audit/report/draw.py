"""Hands drawn as cards and shoes drawn as roads, as SVG text of our own.

Sizes are millimetres. Nothing here reads a case: a caller gives card texts in the canonical
notation (``KS``, ``10H``, ``7``, ``9p``) and outcomes, and gets one ``<svg>`` element whose
every text is escaped. Red suits are also told apart by their shape, so a grey print loses
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

FONT = "Audit, 'Noto Sans CJK HK', sans-serif"
INK = "#1c2126"
RED = "#a8231c"
FAINT = "#9aa1a8"
LINE = "#c4c9ce"
ACCENT = "#1f4e5f"

CARD_W = 7.6
CARD_H = 10.6
_GAP = 0.9
_STEP = CARD_W + _GAP

_CARD = re.compile(r"^(10|[A2-9JQKT])([SHDC])?$")
_POINTS = re.compile(r"^([0-9])p$")

# Outlines in a box of 10 x 10, drawn by hand: no glyph of any font is needed for a suit.
_SUITS = {
    "S": "M5 .4C3.6 2.9.6 4.3.6 6.6c0 2.2 2.7 2.8 3.9 1.1-.1 1-.5 1.5-1.2 1.9h3.4C6 9.2 5.6 8.7 "
    "5.5 7.7 6.7 9.4 9.4 8.8 9.4 6.6 9.4 4.3 6.4 2.9 5 .4Z",
    "H": "M5 9.4C3.4 7.2.5 5.4.5 3 .5.6 3.9-.1 5 2.3 6.1-.1 9.5.6 9.5 3 9.5 5.4 6.6 7.2 5 9.4Z",
    "D": "M5 .3C6 2.2 7.2 3.6 8.8 5 7.2 6.4 6 7.8 5 9.7 4 7.8 2.8 6.4 1.2 5 2.8 3.6 4 2.2 5 .3Z",
    "C": "M5 .5C3.7.5 2.8 1.5 2.8 2.7c0 .6.2 1.1.6 1.6C2 3.9.5 4.9.5 6.3c0 1.2.9 2.1 2.1 2.1.8 0 "
    "1.5-.4 1.9-1-.1 1-.5 1.7-1.2 2.2h3.4C6 9.1 5.6 8.4 5.5 7.4c.4.6 1.1 1 1.9 1 1.2 0 "
    "2.1-.9 2.1-2.1C9.5 4.9 8 3.9 6.6 4.3c.4-.5.6-1 .6-1.6C7.2 1.5 6.3.5 5 .5Z",
}


@dataclass(frozen=True, slots=True)
class Hand:
    """One side of a round: its short label, its cards in dealing order, and its total."""

    label: str
    cards: tuple[str, ...]
    total: str
    owed: bool = False
    """A card that this hand should have received is drawn as an empty dashed outline."""


def number(value: float) -> str:
    """A coordinate in its shortest stable form."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def text(x: float, y: float, content: str, size: float, *, anchor: str = "middle",
         fill: str = INK) -> str:
    """One ``<text>`` element with its content escaped."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="{FONT}" font-size="{number(size)}" '
        f'text-anchor="{anchor}" fill="{fill}">{escape(content)}</text>'
    )


def card(x: float, y: float, face: str) -> str:
    """One card with its upper left corner at ``x, y``; an unreadable face is drawn as ``?``."""
    parts = [
        f'<rect x="{number(x)}" y="{number(y)}" width="{CARD_W}" height="{CARD_H}" rx="0.9" '
        f'fill="#fff" stroke="{FAINT}" stroke-width="0.22"/>'
    ]
    centre = x + CARD_W / 2
    if match := _CARD.match(face):
        rank, suit = match.group(1).replace("T", "10"), match.group(2)
        colour = RED if suit in ("H", "D") else INK
        if suit is None:
            parts.append(text(centre, y + 6.9, rank, 4.6, fill=colour))
        else:
            parts.append(text(centre, y + 5.0, rank, 4.3, fill=colour))
            parts.append(
                f'<path transform="translate({number(centre - 1.6)} {number(y + 6.1)}) '
                f'scale(0.32)" fill="{colour}" d="{_SUITS[suit]}"/>'
            )
    elif match := _POINTS.match(face):
        parts.append(text(centre, y + 6.9, match.group(1), 4.6, fill=FAINT))
    else:
        parts.append(text(centre, y + 6.9, "?", 4.6, fill=FAINT))
    return "".join(parts)


def _owed(x: float, y: float) -> str:
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{CARD_W}" height="{CARD_H}" rx="0.9" '
        f'fill="none" stroke="{FAINT}" stroke-width="0.25" stroke-dasharray="0.8 0.7"/>'
    )


def _side(x: float, hand: Hand) -> str:
    parts = [text(x, 2.6, f"{hand.label}  {hand.total}".strip(), 2.6, anchor="start", fill=INK)]
    step = _STEP if len(hand.cards) <= 3 else 3 * _STEP / (len(hand.cards) + 1)
    for place, face in enumerate(hand.cards):
        parts.append(card(x + place * step, 4.0, face))
    if hand.owed:
        parts.append(_owed(x + len(hand.cards) * step, 4.0))
    return "".join(parts)


SIDE_W = 3 * _STEP
HANDS_W = 2 * SIDE_W + 3.6
HANDS_H = 4.0 + CARD_H + 0.3


def hands(player: Hand, banker: Hand, title: str) -> str:
    """Both hands side by side, Player on the left, ``HANDS_W`` x ``HANDS_H`` millimetres.

    ``title`` is the alternative text of the drawing.
    """
    body = _side(0.2, player) + _side(SIDE_W + 3.6, banker)
    return svg(HANDS_W, HANDS_H, body, title)


def svg(width: float, height: float, body: str, title: str) -> str:
    """An ``<svg>`` element of ``width`` x ``height`` millimetres with an accessible title."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{number(width)}mm" '
        f'height="{number(height)}mm" viewBox="0 0 {number(width)} {number(height)}">'
        f"<title>{escape(title)}</title>{body}</svg>"
    )


@dataclass(frozen=True, slots=True)
class Mark:
    """One round on a road: its outcome by the cards (or None) and whether a finding is on it."""

    round_no: int
    outcome: str | None
    flagged: bool = False


_CELL = 4.4
_ROWS = 6
MAX_COLUMNS = 36
"""Columns that fit across the page; a longer road shows its last columns."""


def _token(column: int, row: int, mark: Mark, letters: dict[str, str], *, filled: bool) -> str:
    x, y = column * _CELL + _CELL / 2, row * _CELL + _CELL / 2
    ring = (
        f'<rect x="{number(x - 2.15)}" y="{number(y - 2.15)}" width="4.3" height="4.3" '
        f'fill="#ecd9a8" stroke="{INK}" stroke-width="0.28"/>'
        if mark.flagged
        else ""
    )
    # Banker is dark and Player light, so that a grey print tells them apart.
    dark = mark.outcome == "banker"
    if mark.outcome is None:
        shape = text(x, y + 1.0, "?", 2.8, fill=FAINT)
        return ring + shape
    if mark.outcome == "tie":
        line = f'<path d="M{number(x - 1.3)} {number(y + 1.3)}l2.6 -2.6" stroke="{INK}" '
        return ring + line + 'stroke-width="0.4" fill="none"/>'
    if not filled:
        return ring + (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="1.55" fill="{ACCENT if dark else "#fff"}"'
            f' stroke="{ACCENT}" stroke-width="0.45"/>'
        )
    return ring + (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="1.85" fill="{ACCENT if dark else "#fff"}" '
        f'stroke="{ACCENT}" stroke-width="0.3"/>'
        + text(x, y + 0.85, letters[mark.outcome], 2.3, fill="#fff" if dark else ACCENT)
    )


def _grid(columns: int) -> str:
    width, height = columns * _CELL, _ROWS * _CELL
    path = "".join(f"M{number(c * _CELL)} 0v{number(height)}" for c in range(columns + 1))
    path += "".join(f"M0 {number(r * _CELL)}h{number(width)}" for r in range(_ROWS + 1))
    return f'<path d="{path}" stroke="{LINE}" stroke-width="0.12" fill="none"/>'


def _road(placed: Iterable[tuple[int, int, Mark]], letters: dict[str, str], title: str, *,
          filled: bool) -> str:
    tokens = list(placed)
    used = max((column for column, _, _ in tokens), default=0) + 1
    columns = min(max(used, 12), MAX_COLUMNS)
    first = max(used - columns, 0)
    body = _grid(columns) + "".join(
        _token(column - first, row, mark, letters, filled=filled)
        for column, row, mark in tokens
        if column >= first
    )
    pad = 0.3
    inner = f'<g transform="translate({pad} {pad})">{body}</g>'
    return svg(columns * _CELL + 2 * pad, _ROWS * _CELL + 2 * pad, inner, title)


def bead_plate(marks: Sequence[Mark], letters: dict[str, str], title: str) -> str:
    """Rounds from top to bottom, six to a column, in the order of the shoe."""
    placed = ((place // _ROWS, place % _ROWS, mark) for place, mark in enumerate(marks))
    return _road(placed, letters, title, filled=True)


def big_road(marks: Sequence[Mark], letters: dict[str, str], title: str) -> str:
    """A new column whenever the winner changes.

    A run longer than the column turns right; a tie is a stroke on the result before it, and a
    round without an outcome has no place.
    """
    taken: dict[tuple[int, int], Mark] = {}
    order: list[tuple[int, int, Mark]] = []
    head = -1
    spot = (0, 0)
    last: str | None = None
    for mark in marks:
        if mark.outcome is None:
            continue
        if mark.outcome == "tie":
            order.append((*spot, mark))
            continue
        if mark.outcome != last:
            head += 1
            while (head, 0) in taken:
                head += 1
            spot = (head, 0)
        else:
            below = (spot[0], spot[1] + 1)
            free = below[1] < _ROWS and below not in taken
            spot = below if free and spot[0] == head else (spot[0] + 1, spot[1])
        last = mark.outcome
        taken[spot] = mark
        order.append((*spot, mark))
    return _road(order, letters, title, filled=False)
