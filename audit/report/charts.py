"""The charts of the report as SVG text: findings, money, and results against their chances.

Three severities are told apart by lightness first and colour second, so that a grey print
reads the same. Sizes are millimetres; every text is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

from audit.report.draw import FAINT, INK, LINE, number, svg, text
from audit.report.fonts import fitted

SEVERITIES = ("violation", "warning", "notice")
FILL = {"violation": "#7c2320", "warning": "#c9973f", "notice": "#ccd3d9"}

WIDTH = 170.0
"""Width of the text on the page."""

HALF = 81.0
"""Width of a chart in half a page."""

NAME = 30.0
"""Room for the name of a table beside its bar."""

DATE = 13.5
"""Width of a date under a bar."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its label (may be empty) and its counts by severity."""

    label: str
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """All severities together."""
        return sum(self.counts.get(name, 0) for name in SEVERITIES)


def nice_ceiling(value: int) -> int:
    """The smallest of 1, 2, 4, 5, 8, 10 times a power of ten that is not below ``value``."""
    power = 1
    while True:
        for step in (1, 2, 4, 5, 8, 10):
            if step * power >= value:
                return step * power
        power *= 10


def bins(days: Mapping[date, Mapping[str, int]], limit: int = 62) -> tuple[int, list[Bar]]:
    """Counts by day gathered into at most ``limit`` bars of equal length.

    Returns the length of a bar in days (1, 7, 28 or a multiple of 28) and the bars from the
    first day to the last, empty ones included; a bar's label is the ISO date of its first day.
    """
    if not days:
        return 1, []
    first, last = min(days), max(days)
    span = (last - first).days + 1
    length = next((n for n in (1, 7, 28) if ceil(span / n) <= limit), 28 * ceil(span / 28 / limit))
    sums: list[dict[str, int]] = [dict.fromkeys(SEVERITIES, 0) for _ in range(ceil(span / length))]
    for day, counts in days.items():
        place = sums[(day - first).days // length]
        for name in SEVERITIES:
            place[name] += counts.get(name, 0)
    return length, [
        Bar((first + timedelta(days=n * length)).isoformat(), counts)
        for n, counts in enumerate(sums)
    ]


@dataclass(frozen=True, slots=True)
class Both:
    """A bar that goes both ways from the middle: what is missing, and what is too much."""

    label: str
    less: float
    more: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A share seen, the chance of it, and the span in which it is looked for."""

    label: str
    seen: float
    chance: float
    low: float
    high: float


def _name(label: str, right: float, y: float, size: float) -> str:
    """The name of a bar, ending at ``right``; one that does not fit loses its middle."""
    return text(right, y, fitted(label, right / size), size, anchor="end")


def both_ways(bars: Sequence[Both], title: str, less: str, more: str) -> str:
    """Lying bars to the left (``less``) and to the right (``more``) of a middle line."""
    row, top, left = 4.2, 5.0, NAME
    middle = left + (HALF - left) / 2
    reach = (HALF - left) / 2 - 0.5
    most = max((max(bar.less, bar.more) for bar in bars), default=0) or 1
    height = top + max(len(bars), 1) * row + 0.6
    parts = [
        text(middle - 1.4, 2.9, less, 2.4, anchor="end"),
        text(middle + 1.4, 2.9, more, 2.4, anchor="start"),
    ]
    for place, bar in enumerate(bars):
        y = top + place * row
        parts.append(_name(bar.label, left - 1.6, y + 2.6, 2.4))
        for size, sign, fill in ((bar.less, -1, FILL["warning"]), (bar.more, 1, FILL["violation"])):
            wide = reach * size / most
            if wide:
                x = middle - wide if sign < 0 else middle
                parts.append(
                    f'<rect x="{number(x)}" y="{number(y + 0.4)}" width="{number(wide)}" '
                    f'height="2.8" fill="{fill}"/>'
                )
    line = f'stroke="{INK}" stroke-width="0.2"'
    parts.append(f'<path d="M{number(middle)} {number(top - 0.6)}V{number(height)}" {line}/>')
    return svg(HALF, height, "".join(parts), title)


def shares(dots: Sequence[Dot], title: str) -> str:
    """For each share a track on which its span is a bar, its chance a tick, itself a disc."""
    row, left, right = 9.0, 24.0, 2.0
    wide, height = HALF - left - right, len(dots) * row + 1.0
    parts = []
    for place, dot in enumerate(dots):
        # Each track has its own scale, twice its span or as far as the share lies.
        span = max(dot.high - dot.chance, dot.chance - dot.low, 1e-9)
        half = max(2 * span, abs(dot.seen - dot.chance) * 1.05)
        y = place * row + row / 2

        def at(share: float, dot: Dot = dot, half: float = half) -> str:
            return number(left + wide * (0.5 + (share - dot.chance) / (2 * half)))

        broad = number(wide * (dot.high - dot.low) / (2 * half))
        parts += [
            text(left - 2.0, y + 0.9, dot.label, 2.6, anchor="end"),
            f'<path d="M{number(left)} {number(y)}h{number(wide)}" stroke="{LINE}" '
            'stroke-width="0.2"/>',
            f'<rect x="{at(dot.low)}" y="{number(y - 1.5)}" width="{broad}" height="3" '
            f'fill="{FILL["notice"]}"/>',
            f'<path d="M{at(dot.chance)} {number(y - 2.2)}v4.4" stroke="{INK}" '
            'stroke-width="0.3"/>',
            f'<circle cx="{at(dot.seen)}" cy="{number(y)}" r="1.1" fill="{FILL["violation"]}"/>',
        ]
    return svg(HALF, height, "".join(parts), title)


def by_day(bars: Sequence[Bar], title: str, *, width: float = WIDTH, height: float = 46.0) -> str:
    """Upright stacked bars over time, with up to three dates under them that do not meet."""
    left, right, top, foot = 11.0, 1.0, 3.0, 5.5
    tall, wide = height - top - foot, width - left - right
    ceiling = nice_ceiling(max((bar.total for bar in bars), default=1) or 1)
    parts = []
    ticks = 4 if ceiling % 4 == 0 else 2 if ceiling % 2 == 0 else 1 if ceiling < 5 else 5
    for tick in range(ticks + 1):
        y = top + tall - tall * tick / ticks
        colour = FAINT if tick == 0 else LINE
        parts.append(
            f'<path d="M{number(left)} {number(y)}h{number(wide)}" stroke="{colour}" '
            f'stroke-width="0.18"/>'
        )
        parts.append(text(left - 1.2, y + 0.9, f"{ceiling * tick // ticks}", 2.5, anchor="end"))
    step = wide / max(len(bars), 12)
    thick = min(step * 0.72, 9.0)
    for place, bar in enumerate(bars):
        y = top + tall
        for name in SEVERITIES:
            size = tall * bar.counts.get(name, 0) / ceiling
            if size:
                y -= size
                parts.append(
                    f'<rect x="{number(left + place * step + (step - thick) / 2)}" y="{number(y)}" '
                    f'width="{number(thick)}" height="{number(size)}" fill="{FILL[name]}"/>'
                )
    end = 0.0
    for place in sorted({0, len(bars) // 2, len(bars) - 1} if bars else ()):
        x = left + place * step + step / 2
        anchor = "start" if place == 0 else "middle" if x < width - 12 else "end"
        x = left if place == 0 else min(x, width - right)
        begin = x - {"start": 0.0, "middle": DATE / 2, "end": DATE}[anchor]
        if begin >= end:
            parts.append(text(x, height - 1.4, bars[place].label, 2.5, anchor=anchor))
            end = begin + DATE + 2.0
    return svg(width, height, "".join(parts), title)


def lying(bars: Sequence[Bar], title: str, *, width: float = WIDTH, left: float = 17.0) -> str:
    """Lying stacked bars, one below the other, with the total at the end of each."""
    row, right = 4.0 if len(bars) > 9 else 4.4, 12.0
    wide = width - left - right
    most = max((bar.total for bar in bars), default=1) or 1
    parts = []
    for place, bar in enumerate(bars):
        y = place * row
        parts.append(_name(bar.label, left - 1.6, y + 3.0, 2.6))
        x = left
        for name in SEVERITIES:
            size = wide * bar.counts.get(name, 0) / most
            if size:
                parts.append(
                    f'<rect x="{number(x)}" y="{number(y + 0.7)}" width="{number(size)}" '
                    f'height="2.9" fill="{FILL[name]}"/>'
                )
                x += size
        parts.append(text(x + 1.2, y + 3.0, str(bar.total), 2.6, anchor="start", fill=INK))
    height = max(len(bars), 1) * row + 1.0
    parts.append(
        f'<path d="M{number(left)} 0v{number(height - 0.6)}" stroke="{FAINT}" stroke-width="0.18"/>'
    )
    return svg(width, height, "".join(parts), title)
