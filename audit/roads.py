"""Where the results of a shoe stand on its roads: the bead plate and the big road.

Only the placing is here: outcomes in, cells out, columns and rows counted from 0. How a cell is
drawn is for the reader (terminal, drawing, report). Rounds that were no play (demonstrations, void
rounds) are to be left out before.

* **Bead plate**: six rows, filled column by column, every result in its own cell.
* **Big road**: a new column whenever the winner changes. A tie has no cell of its own, it is
  marked on the result before it; ties that come first are marked on the first cell, in which the
  first winner then stands too. A run goes down until the column is full or the cell below is
  taken by an earlier run, and from there on turns right along that row (the dragon's tail).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

ROWS = 6
"""Rows of both roads."""

Outcome = Literal["player", "banker", "tie"] | None
"""None: the outcome is not known. It has a bead, but no place on the big road."""


@dataclass(frozen=True, slots=True)
class Bead:
    """A result on the bead plate; ``index`` counts the outcomes given, from 0."""

    column: int
    row: int
    index: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RoadCell:
    """A cell of the big road.

    ``index`` and ``outcome`` are None for a first cell that so far holds leading ties only;
    ``ties`` are the indexes of the ties marked on it. ``tail`` says that the run had turned
    right when it reached this cell.
    """

    column: int
    row: int
    index: int | None
    outcome: Literal["player", "banker"] | None
    ties: tuple[int, ...] = ()
    tail: bool = False


def bead_plate(outcomes: Sequence[Outcome], rows: int = ROWS) -> list[Bead]:
    """One bead for each outcome, from top to bottom and left to right."""
    return [Bead(at // rows, at % rows, at, outcome) for at, outcome in enumerate(outcomes)]


def big_road(outcomes: Sequence[Outcome], rows: int = ROWS) -> list[RoadCell]:
    """Cells of the big road in the order of the shoe; an unknown outcome changes nothing."""
    cells: list[RoadCell] = []
    ties: dict[int, list[int]] = {}
    taken: set[tuple[int, int]] = set()
    head = column = row = 0
    tail = False
    last: str | None = None
    for index, outcome in enumerate(outcomes):
        if outcome is None:
            continue
        if outcome == "tie":
            # Leading ties are marked on the first cell, whoever comes to stand there.
            ties.setdefault(max(len(cells) - 1, 0), []).append(index)
            continue
        if outcome != last:
            if last is not None:
                head += 1
            while (head, 0) in taken:
                head += 1
            column, row, tail = head, 0, False
        elif not tail and row + 1 < rows and (column, row + 1) not in taken:
            row += 1
        else:
            # The cell to the right is always free: a tail that crossed it would have come
            # through this one.
            column, tail = column + 1, True
        last = outcome
        taken.add((column, row))
        cells.append(RoadCell(column, row, index, outcome, (), tail))
    if not cells and ties:
        return [RoadCell(0, 0, None, None, tuple(ties[0]))]
    return [
        RoadCell(c.column, c.row, c.index, c.outcome, tuple(ties.get(at, ())), c.tail)
        for at, c in enumerate(cells)
    ]


def columns(cells: Sequence[Bead] | Sequence[RoadCell]) -> int:
    """How many columns a road takes; 0 for none."""
    return max((cell.column + 1 for cell in cells), default=0)
