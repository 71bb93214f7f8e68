"""The results of a shoe drawn as its two roads, as SVG text of our own, sizes in millimetres.

Where a result stands is for ``audit.roads`` to say; here it gets its shape. Banker is dark and
Player light, and a tie is a stroke, so that a grey print tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit import roads
from audit.report.draw import ACCENT, FAINT, INK, LINE, number, svg, text
from audit.roads import ROWS, Outcome, RoadCell

FLAG = "#ecd9a8"
BEAD_COLUMNS, BIG_COLUMNS = 15, 22
"""Columns of the two roads, which stand side by side; a longer road goes on in a strip below."""

_CELL = 4.3
_LEAST = 12
_GAP = 2.4


@dataclass(frozen=True, slots=True)
class Mark:
    """One round on a road: its outcome by the cards (or None) and whether a finding is on it."""

    round_no: int
    outcome: Outcome
    flagged: bool = False


def bead_plate(marks: Sequence[Mark], title: str) -> str:
    """Rounds from top to bottom, six to a column, in the order of the shoe."""
    beads = roads.bead_plate([mark.outcome for mark in marks])
    tokens = [(bead.column, bead.row, _bead(marks[bead.index])) for bead in beads]
    return _road(tokens, roads.columns(beads), BEAD_COLUMNS, title)


def big_road(marks: Sequence[Mark], title: str) -> str:
    """A new column whenever the winner changes; a tie is a stroke on the result before it."""
    cells = roads.big_road([mark.outcome for mark in marks])
    tokens = [(cell.column, cell.row, _ring(cell, marks)) for cell in cells]
    return _road(tokens, roads.columns(cells), BIG_COLUMNS, title)


def _bead(mark: Mark) -> str:
    flag = _flag([mark])
    if mark.outcome is None:
        return flag + text(0, 1.0, "?", 2.8, fill=FAINT)
    if mark.outcome == "tie":
        return flag + _stroke()
    return flag + _disc(mark.outcome, "1.75", "0.3")


def _ring(cell: RoadCell, marks: Sequence[Mark]) -> str:
    """A result with the ties marked on it, and how many they are where there are several."""
    drawn = _flag([marks[at] for at in (cell.index, *cell.ties) if at is not None])
    if cell.outcome is not None:
        drawn += _disc(cell.outcome, "1.5", "0.5")
    if cell.ties:
        drawn += _stroke()
    if len(cell.ties) > 1:
        drawn += text(1.45, -0.45, str(len(cell.ties)), 1.9)
    return drawn


def _disc(outcome: str, radius: str, line: str) -> str:
    fill = ACCENT if outcome == "banker" else "none"
    return f'<circle r="{radius}" fill="{fill}" stroke="{ACCENT}" stroke-width="{line}"/>'


def _stroke() -> str:
    return f'<path d="M-1.3 1.3l2.6 -2.6" stroke="{INK}" stroke-width="0.4" fill="none"/>'


def _flag(marks: Iterable[Mark]) -> str:
    """The ground of a cell that a finding is on."""
    if not any(mark.flagged for mark in marks):
        return ""
    half, side = number(_CELL / 2), number(_CELL)
    return (
        f'<rect x="-{half}" y="-{half}" width="{side}" height="{side}" '
        f'fill="{FLAG}" stroke="{INK}" stroke-width="0.28"/>'
    )


def _road(tokens: Sequence[tuple[int, int, str]], used: int, most: int, title: str) -> str:
    """A road in strips, one below the other, its tokens drawn around the middle of their cells."""
    shown = min(max(used, _LEAST), most)
    strips = max(-(-used // shown), 1)
    high = ROWS * _CELL + _GAP
    parts = [
        f'<g transform="translate(0 {number(strip * high)})">{_grid(shown)}</g>'
        for strip in range(strips)
    ]
    for column, row, token in tokens:
        strip, place = divmod(column, shown)
        x, y = number((place + 0.5) * _CELL), number((row + 0.5) * _CELL + strip * high)
        parts.append(f'<g transform="translate({x} {y})">{token}</g>')
    pad = 0.3
    inner = f'<g transform="translate({pad} {pad})">{"".join(parts)}</g>'
    return svg(shown * _CELL + 2 * pad, strips * high - _GAP + 2 * pad, inner, title)


def _grid(columns: int) -> str:
    width, height = number(columns * _CELL), number(ROWS * _CELL)
    path = "".join(f"M{number(c * _CELL)} 0v{height}" for c in range(columns + 1))
    path += "".join(f"M0 {number(r * _CELL)}h{width}" for r in range(ROWS + 1))
    return f'<path d="{path}" stroke="{LINE}" stroke-width="0.12" fill="none"/>'
