"""Columns of the log that nothing reads, each with the canonical name that may be meant.

An optional column whose name is misspelt switches checks off without a word: so every column
left alone is named, and one whose name is close to that of a column the file lacks is a reserve.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from audit.normalise.intake import File
from audit.schema import CARD_COLUMNS, Table

CLOSE = 0.8
"""How alike two names must be: ``comission_taken`` and ``pad`` are, ``player_score`` is not."""

_CARDS = ("player_cards", "banker_cards", *CARD_COLUMNS)


@dataclass(frozen=True, slots=True)
class Unused:
    """A column of ``sources`` (names of files) that is not read.

    ``nearest`` is the canonical column that these files lack and that the name may mean.
    """

    table: str
    column: str
    nearest: str | None
    sources: tuple[str, ...]


def nearest(name: str, table: Table, have: Collection[str]) -> str | None:
    """The canonical column that ``name`` may mean, among those not in ``have``."""
    lacking = {
        _bare(column.name): column.name
        for column in table.columns
        if column.name not in have and column.name not in _CARDS  # without cards no file is read
    }
    found = get_close_matches(_bare(name), lacking, n=1, cutoff=CLOSE)
    return lacking[found[0]] if found else None


def _bare(name: str) -> str:
    """``Commission-Taken`` and ``commission_taken`` are one name."""
    return re.sub(r"[\W_]+", "", name.casefold())


def of(read: Iterable[File]) -> tuple[Unused, ...]:
    """One entry for each column that nothing reads and the hint that goes with it."""
    files: dict[tuple[str, str, str | None], list[str]] = {}
    for file in read:
        for name in file.unused:
            close = nearest(name, file.table, file.present)
            files.setdefault((file.table.name, name.strip(), close), []).append(file.source.name)
    found = [Unused(*key, tuple(dict.fromkeys(sources))) for key, sources in files.items()]
    # What may be meant goes first: it is what the reader has to act upon.
    return tuple(sorted(found, key=lambda one: (one.nearest is None, one.table, one.column)))
