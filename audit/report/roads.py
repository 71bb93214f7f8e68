"""The results of a shoe drawn as its two roads, as SVG text of our own, sizes in millimetres.

Where a result stands is for ``audit.roads`` to say; here it gets its shape. Banker is dark and
Player light, and a tie is a stroke, so that a grey print tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from audit import roads
from audit.report.draw import ACCENT, FAINT, INK, LINE, number, svg, text
from audit.roads import ROWS, Bead, Outcome, RoadCell

FLAG = "#ecd9a8"
BEAD_COLUMNS, BIG_COLUMNS = 15, 22
"""Columns of the two roads, which stand side by side; a longer road goes on in a strip below."""

_Cell = TypeVar("_Cell", Bead, RoadCell)

_CELL = 4.3
_LEAST = 12
_GAP = 2.4


@dataclass(frozen=True, slots=True)
class Mark:
    """One round on a road: its outcome by the cards (or None) and whether a finding is on it."""

    round_no: int
    outcome: Outcome
    flagged: bool = False


class _Sheet:
    """Tokens gathered into a path for each kind of mark, which is drawn and kept at once."""

    def __init__(self, radius: float, line: float) -> None:
        self._radius = radius
        outline = f'stroke="{ACCENT}" stroke-width="{number(line)}"'
        self._looks = {
            "flag": f'fill="{FLAG}" stroke="{INK}" stroke-width="0.28"',
            "banker": f'fill="{ACCENT}" {outline}',
            "player": f'fill="none" {outline}',
            "tie": f'fill="none" stroke="{INK}" stroke-width="0.4"',
            "tie_on_banker": 'fill="none" stroke="#ffffff" stroke-width="0.5"',
        }
        self._paths: dict[str, list[str]] = {kind: [] for kind in self._looks}
        self._texts: list[str] = []

    def flag(self, x: float, y: float) -> None:
        """The ground of a cell that a finding is on."""
        left, top, side = number(x - _CELL / 2), number(y - _CELL / 2), number(_CELL)
        self._paths["flag"].append(f"M{left} {top}h{side}v{side}h-{side}z")

    def tie(self, x: float, y: float, on: Outcome = None) -> None:
        """The stroke of a tie, which may lie on the disc of a winner."""
        kind, half = ("tie_on_banker", 1.0) if on == "banker" else ("tie", 1.3)
        start = f"M{number(x - half)} {number(y + half)}"
        self._paths[kind].append(f"{start}l{number(2 * half)} -{number(2 * half)}")

    def result(self, x: float, y: float, outcome: Outcome) -> None:
        """The disc of a winner, the stroke of a tie, or a question mark."""
        if outcome is None:
            self.says(x, y + 1.0, "?", 2.8, FAINT)
        elif outcome == "tie":
            self.tie(x, y)
        else:
            r, wide = number(self._radius), number(2 * self._radius)
            half = f"a{r} {r} 0 1 0"
            self._paths[outcome].append(
                f"M{number(x - self._radius)} {number(y)}{half} {wide} 0{half} -{wide} 0z"
            )

    def says(self, x: float, y: float, content: str, size: float, fill: str = INK) -> None:
        """A few letters, which stand above all else."""
        self._texts.append(text(x, y, content, size, fill=fill))

    def drawn(self) -> str:
        """Everything, from the ground up."""
        paths = (
            f'<path d="{"".join(places)}" {self._looks[kind]}/>'
            for kind, places in self._paths.items()
            if places
        )
        return "".join((*paths, *self._texts))


def bead_plate(marks: Sequence[Mark], title: str) -> str:
    """Rounds from top to bottom, six to a column, in the order of the shoe."""
    beads = roads.bead_plate([mark.outcome for mark in marks])

    def draw(sheet: _Sheet, bead: Bead, x: float, y: float) -> None:
        mark = marks[bead.index]
        if mark.flagged:
            sheet.flag(x, y)
        sheet.result(x, y, mark.outcome)

    return _road(beads, draw, _Sheet(1.75, 0.3), BEAD_COLUMNS, title)


def big_road(marks: Sequence[Mark], title: str) -> str:
    """A new column whenever the winner changes; a tie is a stroke on the result before it.

    Where there are several ties on a result, how many they are stands in its corner.
    """
    cells = roads.big_road([mark.outcome for mark in marks])

    def draw(sheet: _Sheet, cell: RoadCell, x: float, y: float) -> None:
        if any(marks[at].flagged for at in (cell.index, *cell.ties) if at is not None):
            sheet.flag(x, y)
        if cell.outcome is not None:
            sheet.result(x, y, cell.outcome)
        if cell.ties:
            sheet.tie(x, y, cell.outcome)
        if len(cell.ties) > 1:
            sheet.says(x + 1.6, y + 2.0, str(len(cell.ties)), 2.1)

    return _road(cells, draw, _Sheet(1.5, 0.5), BIG_COLUMNS, title)


def _road(
    cells: Sequence[_Cell],
    draw: Callable[[_Sheet, _Cell, float, float], None],
    sheet: _Sheet,
    most: int,
    title: str,
) -> str:
    """A road in strips, one below the other, ``draw`` called with the middle of each cell."""
    shown = min(max(roads.columns(cells), _LEAST), most)
    strips = max(-(-roads.columns(cells) // shown), 1)
    high = ROWS * _CELL + _GAP
    for cell in cells:
        strip, place = divmod(cell.column, shown)
        draw(sheet, cell, (place + 0.5) * _CELL, (cell.row + 0.5) * _CELL + strip * high)
    pad = 0.3
    grid = "".join(_grid(shown, strip * high) for strip in range(strips))
    look = f'stroke="{LINE}" stroke-width="0.12" fill="none"'
    inner = f'<g transform="translate({pad} {pad})"><path d="{grid}" {look}/>{sheet.drawn()}</g>'
    return svg(shown * _CELL + 2 * pad, strips * high - _GAP + 2 * pad, inner, title)


def _grid(columns: int, top: float) -> str:
    width, height = number(columns * _CELL), number(ROWS * _CELL)
    path = "".join(f"M{number(c * _CELL)} {number(top)}v{height}" for c in range(columns + 1))
    return path + "".join(f"M0 {number(top + r * _CELL)}h{width}" for r in range(ROWS + 1))
