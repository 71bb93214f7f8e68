"""The cards as a typeface: one glyph for each face, so that a hand is a line of text.

A drawing costs the renderer many times what a line of text does, and text can be searched and
copied: the faces stand at the code points that Unicode has for playing cards. Ranks and suits are
the outlines that the drawings of ``audit.report.draw`` use. Units are hundredths of a millimetre
at a size of 10 mm.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

from audit.report.draw import CARD_H, CARD_W, Hand, outlines

UNIT = 1000
STEP = 840
"""From one card to the next; also the width of the blank that stands for no card."""

SIDE = 3
"""Cards of a hand that have a place of their own."""

UNKNOWN, OWED, BLANK = "\U0001f0a0", "\u25af", "\u2003"
MARK = "\u25a3"
"""A heavy frame around the card that follows it; takes no width."""

_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SUITS = {"S": 0x1F0A0, "H": 0x1F0B0, "D": 0x1F0C0, "C": 0x1F0D0}
_SUITED = {rank: place + (place > 11) for place, rank in enumerate(_RANKS, 1)}
"""A card's place in its suit: Unicode has a knight between jack and queen."""

_FACE = re.compile(r"^(10|[A2-9JQKT])([SHDC])?$")
_POINTS = re.compile(r"^([0-9])p$")
_TOKEN = re.compile(r"[a-z]|-?(?:\d+\.?\d*|\.\d+)")
_ASCENT = 1100

Point = tuple[float, float]
Contour = list[Point]


def character(face: str) -> tuple[str, bool]:
    """The character of a card in the canonical notation, and whether it is a red one."""
    if match := _FACE.match(face):
        rank, suit = match[1].replace("T", "10"), match[2]
        if suit:
            return chr(_SUITS[suit] + _SUITED[rank]), suit in "HD"
        return _of_rank(rank), False
    if match := _POINTS.match(face):
        return _of_points(int(match[1])), False
    return UNKNOWN, False


def runs(player: Hand, banker: Hand) -> list[tuple[str, str]]:
    """Both hands in a row as pieces of text, each with its kind: ``red``, ``mark`` or nothing.

    A hand of fewer than three cards is filled up with blanks, so that the second hand stands
    in the same place in every row.
    """
    pieces: list[tuple[str, str]] = []
    for hand in (player, banker):
        cards: list[tuple[str, str]] = []
        for place, face in enumerate(hand.cards):
            text, red = character(face)
            cards += [(MARK, "mark")] * (place in hand.marked)
            cards.append((text, "red" if red else ""))
        cards += [(OWED, "mark")] * hand.owed
        if hand is player:
            cards.append((BLANK * (SIDE - drawn(hand)) + " ", ""))
        for text, kind in cards:
            if pieces and pieces[-1][1] == kind:
                pieces[-1] = pieces[-1][0] + text, kind
            else:
                pieces.append((text, kind))
    return pieces


def drawn(hand: Hand) -> int:
    """Cards that a hand shows, an owed one included."""
    return len(hand.cards) + hand.owed


def _of_rank(rank: str) -> str:
    """A card whose suit is not known: the fullwidth letter or digit, ten in brackets."""
    return "\u247d" if rank == "10" else chr(ord(rank) - 0x20 + 0xFF00)


def _of_points(points: int) -> str:
    """A card of which only the points are known: a number in a circle."""
    return "\u24ea" if points == 0 else chr(0x2460 + points - 1)


@cache
def font_file() -> bytes:
    """The typeface as a font file; the same bytes each time."""
    # The library that WeasyPrint itself reads fonts with.
    builder = import_module("fontTools.fontBuilder").FontBuilder(UNIT, isTTF=True)
    builder.font.recalcTimestamp = False
    glyphs, named, widths = _glyphs()
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap(named)
    builder.setupGlyf(glyphs)
    table = builder.font["glyf"]
    for glyph in glyphs.values():
        glyph.recalcBounds(table)
    # A glyph is put where its own left edge says, so that edge is given as it is.
    edges = {name: getattr(glyph, "xMin", 0) for name, glyph in glyphs.items()}
    metrics = {name: (widths.get(name, STEP), edge) for name, edge in edges.items()}
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=_ASCENT, descent=0)
    builder.setupHead(unitsPerEm=UNIT, created=0, modified=0)
    builder.setupNameTable({"familyName": "Cards", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=_ASCENT, usWinAscent=_ASCENT, sTypoDescender=0, usWinDescent=0)
    builder.setupPost(keepGlyphNames=False)
    file = io.BytesIO()
    builder.font.save(file)
    return file.getvalue()


def _glyphs() -> tuple[dict[str, Any], dict[int, str], dict[str, int]]:
    """Glyphs by name, names by code point, and the widths that are not a card's."""
    parts = {"frame": _frame(17), "mark": _frame(45, -45), "dashes": _dashes()}
    middle, data = CARD_W * 50, outlines()
    for rank, outline in data["rank"].items():
        left = middle - outline["width"] * 50
        for name, base in (("high", 490), ("mid", 690)):
            lines = _lines(outline["path"], left, _up(base))
            parts[f"{name}.{rank}"] = [piece for line in lines for piece in _stroked(line, 18)]
    for suit, path in data["suit"].items():
        parts[f"suit.{suit}"] = list(_lines(path, middle - 160, _up(610)))
    pen = import_module("fontTools.pens.ttGlyphPen").TTGlyphPen
    glyphs = {".notdef": pen(None).glyph(), "blank": pen(None).glyph(), "gap": pen(None).glyph()}
    glyphs |= {name: _simple(pen(None), contours) for name, contours in parts.items()}
    named = {ord(BLANK): "blank", ord(" "): "gap", ord(OWED): "dashes", ord(MARK): "mark"}
    for text, *names in _faces():
        glyphs[name := f"card{ord(text):x}"] = _composed(pen(glyphs), names)
        named[ord(text)] = name
    return glyphs, named, {"gap": 300, "mark": 0}


def _faces() -> Iterator[tuple[str, ...]]:
    """Each character of a card with the parts of its glyph."""
    for rank in _RANKS:
        yield _of_rank(rank), "frame", f"mid.{rank}"
        for suit in _SUITS:
            yield character(rank + suit)[0], "frame", f"high.{rank}", f"suit.{suit}"
    for points in range(10):
        yield _of_points(points), "frame", f"mid.{points}"
    yield UNKNOWN, "frame", "mid.unknown"


def _up(y: float) -> float:
    """A height above the lower edge of a card, from one below its upper edge."""
    return CARD_H * 100 - y


def _simple(pen: Any, contours: Iterable[Contour]) -> Any:
    for contour in contours:
        pen.moveTo(_whole(contour[0]))
        for point in contour[1:]:
            pen.lineTo(_whole(point))
        pen.closePath()
    return pen.glyph()


def _whole(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _composed(pen: Any, names: Iterable[str]) -> Any:
    for name in names:
        pen.addComponent(name, (1, 0, 0, 1, 0, 0))
    return pen.glyph()


def _frame(inner: float, outer: float = 0) -> list[Contour]:
    """The edge of a card: a shape and, the other way round, the hole in it, by their insets."""
    return [_rounded(outer, 70 - outer / 2), _rounded(inner, 55)[::-1]]


def _rounded(inset: float, corner: float) -> Contour:
    low, left, right, high = inset, inset, CARD_W * 100 - inset, CARD_H * 100 - inset
    centres = ((left, high, 2), (right, high, 1), (right, low, 0), (left, low, 3))
    points = []
    for x, y, quarter in centres:
        x += corner if x == left else -corner
        y += corner if y == low else -corner
        for part in range(4):
            angle = pi / 2 * (quarter - part / 3)
            points.append((x + corner * cos(angle), y + corner * sin(angle)))
    return points


def _dashes() -> list[Contour]:
    """The place of a card that should have been there."""
    wide, high = CARD_W * 100, CARD_H * 100
    pieces: list[Contour] = []
    for n in range(5):
        x, y = 20 + n * (wide - 40) / 4.5, 20 + n * (high - 40) / 4.5
        for side in (11.0, high - 11):
            pieces += _stroked([(x, side), (x + (wide - 40) / 9, side)], 11)
        for side in (11.0, wide - 11):
            pieces += _stroked([(side, y), (side, y + (high - 40) / 9)], 11)
    return pieces


def _lines(path: str, x: float, y: float) -> Iterator[Contour]:
    """The lines of a path of relative steps in millimetres that starts at ``x, y``."""
    tokens = _TOKEN.findall(path)
    line: Contour = [(x, y)]
    at, command = 0, "m"

    def take(count: int) -> list[float]:
        nonlocal at
        at += count
        return [float(token) * 100 for token in tokens[at - count : at]]

    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        if command == "z":
            continue
        if command == "c":
            steps = [(0.0, 0.0), *zip(*[iter(take(6))] * 2, strict=True)]
            line += [(x + dx, y - dy) for dx, dy in _bent(steps)]
        elif command in "hv":
            (step,) = take(1)
            line.append((x + step, y) if command == "h" else (x, y - step))
        else:
            dx, dy = take(2)
            if command == "m":
                yield from [line] if len(line) > 1 else ()
                line = [(x + dx, y - dy)]
            else:
                line.append((x + dx, y - dy))
        x, y = line[-1]
    yield line


def _bent(steps: list[Point], pieces: int = 7) -> Iterator[Point]:
    """Points on a cubic curve, its start left out."""
    for n in range(1, pieces + 1):
        t = n / pieces
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        yield (
            sum(w * p[0] for w, p in zip(weights, steps, strict=True)),
            sum(w * p[1] for w, p in zip(weights, steps, strict=True)),
        )


def _stroked(line: Contour, half: float) -> Iterator[Contour]:
    """A line as shapes to be filled: a bar for each step, a disc at each point."""
    for x, y in line:
        yield [(x + half * cos(-pi * n / 4), y + half * sin(-pi * n / 4)) for n in range(8)]
    for (ax, ay), (bx, by) in pairwise(line):
        length = hypot(bx - ax, by - ay)
        if length:
            dx, dy = -(by - ay) / length * half, (bx - ax) / length * half
            yield [(ax + dx, ay + dy), (bx + dx, by + dy), (bx - dx, by - dy), (ax - dx, ay - dy)]
