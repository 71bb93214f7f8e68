"""A draft profile: what was found in a table, and how it is written down."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass
class Draft:
    """What was found: ``columns`` canonical to own, ``unused`` own names with an example.

    ``notes`` are sentences on what was tested and what could not be told; ``toml`` is the draft.
    ``origin`` has the lines that say where the rows are, else they are in the file ``name``.
    """

    name: str
    table: str
    rows: int
    columns: dict[str, str] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)
    missing: str | None = None
    settings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    origin: tuple[str, ...] = ()

    @property
    def toml(self) -> str:
        """The draft profile, which loads once nothing is missing from it."""
        return profile_of([self], self.name)


def profile_of(drafts: Sequence[Draft], name: str) -> str:
    """One draft profile of several tables of the log ``name``."""
    lines = [f"about = {_text(f'A draft from {name}; check every line.')}"]
    for draft in drafts:
        lines += ["", *_table(draft)]
    return "\n".join(lines) + "\n"


def file_line(name: str) -> str:
    """The line that names a file, or what is in one; its own ``*`` and ``[`` mean themselves."""
    pattern = re.sub(r"([*?[])", r"[\1]", name)
    return f"files = {_text(pattern)}"


def table_lines(name: str, order: Sequence[str]) -> tuple[str, ...]:
    """The lines that name a table of a database, and its order where it has no key."""
    return f"table = {_text(name)}", *((f"order_by = {json.dumps(list(order))}",) if order else ())


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _table(draft: Draft) -> Iterator[str]:
    yield f"[{draft.table}]"
    yield from draft.origin or (file_line(draft.name),)
    yield from draft.settings
    yield ""
    yield f"[{draft.table}.columns]"
    for column, own in draft.columns.items():
        yield f"{column} = {_text(own)}"
    for own, example in draft.unused.items():
        yield f"# not used: {_text(own)}, such as {_text(example)}"
    if draft.missing:
        yield f"# still needed: {draft.missing}"
