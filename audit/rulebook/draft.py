"""One rule-set file, read whole: its head, its entries, what it repeals.

Every entry becomes one ``Provision`` under a flat key (``decks_min``, ``banker_draws.3``,
``bet.tie``, ``payout.tie``, ``scheme.commission``, ``option.art7_auto``), so that an amendment
replaces an entry whole, and a comparison of two versions is a comparison of two mappings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from audit.rulebook.bets import read_bet, read_payout, read_scheme
from audit.rulebook.forms import (
    MARKS,
    POINTS,
    PROVISIONS,
    mark_of,
    marks_of,
    points,
    with_value,
)
from audit.rulebook.read import File, Node
from audit.rulebook.types import Provision, Status, nearest
from audit.schema import OPTIONS

SECTIONS = ("provision", "banker_draws", "bet", "payout", "scheme", "option", "not_provided")
_HEAD = (
    "id", "amends", "in_force_from", "in_force_status", "in_force_note", "complete", "repeals",
)  # fmt: skip
_SET_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Draft:
    """One rule-set file, read but not yet laid over its base."""

    file: File
    own: bool
    id: str
    amends: str | None
    in_force_from: date
    in_force_status: Status
    in_force_note: str
    complete: bool
    provisions: Mapping[str, Provision]
    repeals: Mapping[str, Provision]
    absent: Mapping[str, Provision]


def read_draft(file: File, *, own: bool) -> Draft:
    """All of one rule-set file; RulebookError names file and key of the first thing wrong."""
    top = file.top
    top.only(*_HEAD, *SECTIONS)
    set_id = top.text("id")
    if not _SET_ID.fullmatch(set_id) or set_id == "auto":
        top.refuse("id", f"{set_id!r} is no id", "Use letters, digits and hyphens: 64-2007")
    status = top.status("in_force_status")
    note = top.text("in_force_note", "")
    if status != "stated" and not note:
        top.refuse("in_force_status", f"{status} without an in_force_note that says why")
    found: dict[str, Provision] = {}
    readers = (_simple, _banker_row, read_bet, read_payout, read_scheme, _option)
    for section, read in zip(SECTIONS, readers, strict=False):
        for name, node in top.table(section).tables():
            key = name if section == "provision" else f"{section}.{name}"
            found[key] = read(node, name, key, set_id)
    absent = {key: mark_of(node, key, set_id) for key, node in top.table("not_provided").tables()}
    for key in absent:
        if key in found:
            top.table("not_provided").refuse(key, f"{key} is provided in the same file")
        _known_key(top.table("not_provided"), key, key)
    repeals = _repeals(top, set_id, found)
    amends = top.text("amends") if "amends" in top.data else None
    if repeals and amends is None:
        top.refuse("repeals", "a whole rule set has nothing to repeal", "Say what it amends")
    return Draft(
        file=file,
        own=own,
        id=set_id,
        amends=amends,
        in_force_from=top.day("in_force_from"),
        in_force_status=status,
        in_force_note=note,
        complete=top.flag("complete", False),
        provisions=found,
        repeals=repeals,
        absent=absent,
    )


def _repeals(top: Node, set_id: str, found: Mapping[str, Provision]) -> dict[str, Provision]:
    listed = top.data.get("repeals", [])
    if isinstance(listed, list) and any(isinstance(entry, str) for entry in listed):
        hint = 'Write { key = "option.art7_auto", article = "19", status = "stated" }'
        top.refuse("repeals", "a repeal needs its citation", hint)
    repeals: dict[str, Provision] = {}
    for node in top.rows("repeals"):
        node.only("key", *MARKS)
        key = node.text("key")
        if key in repeals:
            node.refuse("key", f"{key} is repealed twice")
        if key in found:
            node.refuse("key", f"{key} is both repealed and set", "Setting it replaces it whole")
        _known_key(node, "key", key)
        article, status, note = marks_of(node)
        repeals[key] = Provision(key, None, article, status, note, set_id)
    return repeals


def _known_key(node: Node, at: str, key: str) -> None:
    """Refuse a flat key that no rule set can have."""
    section, _, name = key.partition(".")
    if not name and key not in PROVISIONS:
        node.refuse(at, f"no such key {key!r}", nearest(key, (*PROVISIONS, *SECTIONS)))
    if name and section not in SECTIONS[1:-1]:
        node.refuse(at, f"no such key {key!r}", nearest(section, SECTIONS[1:-1]))


def _simple(node: Node, name: str, key: str, set_id: str) -> Provision:
    if name not in PROVISIONS:
        node.refuse("", f"unknown key {name!r}", nearest(name, tuple(PROVISIONS)))
    mark = mark_of(node, key, set_id, "value")
    if "value" not in node.data:
        node.refuse("value", "the value is missing")
    return with_value(mark, PROVISIONS[name](node, "value"))


def _banker_row(node: Node, name: str, key: str, set_id: str) -> Provision:
    if name not in map(str, POINTS):
        node.refuse("", f"{name!r} is no Banker total", "The rows are 0 to 9")
    node.only("draws", "stands", "no_third", *MARKS)
    draws, stands = (_cell(node, cell) for cell in ("draws", "stands"))
    both = sorted(set(draws) & set(stands))
    if both:
        node.refuse("", f"card {both[0]} stands both where Banker draws and where it must not")
    left = sorted(set(POINTS) - set(draws) - set(stands))
    if left:
        node.refuse("", f"card {left[0]} is missing", "Each row holds all ten cards, 0 to 9")
    no_third = node.choice("no_third", ("draws", "stands"))
    if "article" not in node.data:
        node.article()
    cites = node.table("article")
    cites.only("draws", "stands", "no_third")
    # An empty cell of the law's table has no sub-paragraph to cite.
    cells = {"draws": draws, "stands": stands, "no_third": [no_third]}
    articles = {cell: cites.article(cell) for cell, cards in cells.items() if cards}
    status, note = node.status(), node.text("note", "")
    if status != "stated" and not note:
        node.refuse("note", f"{status} without a note", "Say in a note what the value rests on")
    value = {"draws": draws, "stands": stands, "no_third": no_third, "article": articles}
    return Provision(key, value, ", ".join(dict.fromkeys(articles.values())), status, note, set_id)


def _cell(node: Node, key: str) -> list[int]:
    """Points of Player's third card in one cell of the table; it may be empty."""
    if key not in node.data:
        node.refuse(key, f"the key {key!r} is missing")
    return [] if node.data[key] == [] else list(points(node, key))


def _option(node: Node, name: str, key: str, set_id: str) -> Provision:
    if name not in OPTIONS:
        node.refuse("", f"unknown option {name!r}", nearest(name, OPTIONS))
    mark = mark_of(node, key, set_id, "of")
    return with_value(mark, node.article("of"))
