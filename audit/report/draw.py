"""Hands drawn as cards, as SVG text of our own.

Sizes are millimetres. Nothing here reads a case: a caller gives card texts in the canonical
notation (``KS``, ``10H``, ``7``, ``9p``) and gets one ``<svg>`` element whose every text is
escaped. Red suits are also told apart by their shape, so a grey print loses nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

from audit.paths import data_dir

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


@cache
def outlines() -> Mapping[str, Mapping[str, Any]]:
    """Ranks, suits and labels as path data, by section and name."""
    return tomllib.loads((data_dir("reports") / "assets" / "outlines.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Hand:
    """One side of a round: its short label, its cards in dealing order, and its total."""

    label: str
    cards: tuple[str, ...]
    total: str
    owed: bool = False
    """A card that this hand should have received is drawn as an empty dashed outline."""
    marked: tuple[int, ...] = ()
    """Places, from 0, of cards that the hand should not have, or has from elsewhere."""


def number(value: float) -> str:
    """A coordinate in its shortest stable form."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def text(
    x: float, y: float, content: str, size: float, *, anchor: str = "middle", fill: str = INK
) -> str:
    """One ``<text>`` element with its content escaped."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="{FONT}" font-size="{number(size)}" '
        f'text-anchor="{anchor}" fill="{fill}">{escape(content)}</text>'
    )


class _Sheet:
    """Cards gathered into few paths: their edges, and by colour their lines and their shapes."""

    def __init__(self) -> None:
        self.edges: list[str] = []
        self.lines: dict[str, list[str]] = {INK: [], RED: [], FAINT: []}
        self.shapes: dict[str, list[str]] = {INK: [], RED: []}
        self.labels: list[str] = []
        self.texts: list[str] = []

    def card(self, x: float, y: float, face: str) -> None:
        """One card with its upper left corner at ``x, y``; an unreadable face reads ``?``."""
        self.edges.append(_edge(x, y))
        suit = None
        if match := _CARD.match(face):
            rank, suit = match.group(1).replace("T", "10"), match.group(2)
        elif match := _POINTS.match(face):
            rank = match.group(1)
        else:
            rank = "unknown"
        colour = RED if suit in ("H", "D") else INK if _CARD.match(face) else FAINT
        outline, centre = outlines()["rank"][rank], x + CARD_W / 2
        left = number(centre - outline["width"] / 2)
        base = number(y + (4.9 if suit else 6.9))
        self.lines[colour].append(f"M{left} {base}{outline['path']}")
        if suit:
            corner = f"M{number(centre - 1.6)} {number(y + 6.1)}"
            self.shapes[colour].append(corner + outlines()["suit"][suit])

    def label(self, x: float, y: float, content: str) -> None:
        """A short text from ``x`` on its baseline ``y``; a letter without an outline is text."""
        for letter in content:
            if outline := outlines()["label"].get(letter):
                self.labels.append(f"M{number(x)} {number(y)}{outline['path']}")
                x += outline["width"]
            else:
                self.texts.append(text(x - 0.3, y + 0.2, letter, 3.0, anchor="start"))
                x += 3.0

    def draw(self) -> str:
        """The paths."""
        parts = [_path(self.edges, fill="#fff", stroke=FAINT, width="0.24")]
        for colour, lines in self.lines.items():
            parts.append(_path(lines, stroke=colour, width="0.36"))
        for colour, shapes in self.shapes.items():
            parts.append(_path(shapes, fill=colour))
        parts.append(_path(self.labels, stroke=INK, width="0.22"))
        return "".join(parts + self.texts)


def _path(pieces: Sequence[str], *, fill: str = "none", stroke: str = "", width: str = "") -> str:
    """One path of many pieces, or nothing where there is none."""
    if not pieces:
        return ""
    line = (
        f' stroke="{stroke}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"'
        if stroke
        else ""
    )
    return f'<path d="{"".join(pieces)}" fill="{fill}"{line}/>'


def _edge(x: float, y: float) -> str:
    """Path of a card's outline: its corners are cut, and the round joints of the line do the rest.

    Few points, since the renderer's time goes by points.
    """
    w, h = number(CARD_W - 1.4), number(CARD_H - 1.4)
    return f"M{number(x + 0.7)} {number(y)}h{w}l.7 .7v{h}l-.7 .7h-{w}l-.7 -.7v-{h}z"


def _owed(x: float, y: float) -> str:
    return (
        f'<path d="{_edge(x, y)}" fill="none" stroke="{FAINT}" stroke-width="0.25" '
        'stroke-dasharray="0.8 0.7"/>'
    )


def _side(x: float, hand: Hand) -> str:
    """A hand under its label; where it has more than three cards they are drawn smaller."""
    labels, cards = _Sheet(), _Sheet()
    labels.label(x, 2.7, hand.label)
    labels.label(x + 4.2, 2.7, hand.total)
    places = len(hand.cards) + hand.owed
    scale = min(3 / max(places, 1), 1.0)
    for place, face in enumerate(hand.cards):
        cards.card(place * _STEP, 0, face)
    drawn = cards.draw() + (_owed(len(hand.cards) * _STEP, 0) if hand.owed else "")
    move = f"translate({number(x)} 4)" + (f" scale({number(scale)})" if scale < 1 else "")
    return f'{labels.draw()}<g transform="{move}">{drawn}</g>'


SIDE_W = 3 * _STEP
HANDS_W = 2 * SIDE_W + 3.6
HANDS_H = 4.0 + CARD_H + 0.3


def hands(player: Hand, banker: Hand, title: str) -> str:
    """Both hands side by side, Player on the left, ``HANDS_W`` x ``HANDS_H`` millimetres.

    ``title`` is the alternative text of the drawing.
    """
    drawn = _side(0.2, player) + _side(SIDE_W + 3.6, banker)
    return svg(HANDS_W, HANDS_H, drawn, title)


def svg(width: float, height: float, body: str, title: str) -> str:
    """An ``<svg>`` element of ``width`` x ``height`` millimetres with an accessible title."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{number(width)}mm" '
        f'height="{number(height)}mm" viewBox="0 0 {number(width)} {number(height)}">'
        f"<title>{escape(title)}</title>{body}</svg>"
    )
