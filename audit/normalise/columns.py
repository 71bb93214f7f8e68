"""A file's column names to the canonical ones."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from audit.schema import CARD_COLUMNS, Table
from audit.sources import Source

HANDS = ("player", "banker")


def match(names: Iterable[str], table: Table) -> dict[str, str]:
    """Canonical column to the file's own name of it; unknown names are left out."""
    known = {column.name for column in table.columns}
    return {name.strip().casefold(): name for name in names if name.strip().casefold() in known}


def require(present: Iterable[str], names: Iterable[str], table: Table, source: Source) -> None:
    """Raise LogError where a required column is absent, naming the one most like it."""
    have = set(present)
    for column in table.columns:
        if not column.required or column.name in have:
            continue
        hand = column.name.removesuffix("_cards")
        cells = [name for name in CARD_COLUMNS if name.startswith(f"{hand}_")]
        if cells and table.name == "rounds" and hand in HANDS:
            if have.issuperset(cells):
                continue
            if have.intersection(cells):
                lacking = next(name for name in cells if name not in have)
                raise _missing(lacking, names, have, source)
        raise _missing(column.name, names, have, source)


def _missing(column: str, names: Iterable[str], have: set[str], source: Source) -> Exception:
    others = [name for name in names if name.strip().casefold() not in have]
    folded = {name.strip().casefold(): name.strip() for name in others}
    near = get_close_matches(column, folded, n=1, cutoff=0.4)
    hint = f"The nearest column found is {folded[near[0]]!r}; rename it" if near else ""
    found = ", ".join(name.strip() for name in names) or "none"
    return source.fail(
        f"the required column {column!r} is missing (found: {found})",
        hint or "Add it, or map the file's own names to it",
    )


def require_own(wanted: Iterable[str], names: Iterable[str], source: Source) -> None:
    """Raise LogError where a column that a profile reads is not in the file."""
    have = [name.strip() for name in names]
    folded = {name.casefold() for name in have}
    for column in wanted:
        if column.strip().casefold() not in folded:
            near = get_close_matches(column, have, n=1, cutoff=0.4)
            raise source.fail(
                f"the profile's column {column!r} is missing (found: {', '.join(have) or 'none'})",
                f"The nearest is {near[0]!r}" if near else "Name the file's own columns",
            )
