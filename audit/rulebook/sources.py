"""The instruments, what later acts leave incomplete, and the disputed readings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from audit.rulebook.draft import Draft
from audit.rulebook.read import File, Node, shown
from audit.rulebook.types import UNKNOWN, Cap, Instrument, Interpretation, Marked

_DATES = ("signed", "published", "in_force")


@dataclass(frozen=True, slots=True)
class Sources:
    """``sources.toml``: acts by id, those that no shipped rule set holds, and the caps."""

    instruments: Mapping[str, Instrument]
    later_acts: Mapping[str, Instrument]
    caps: tuple[Cap, ...]


def read_sources(file: File, *, own: bool) -> Sources:
    """All of a ``sources.toml``; an own one may hold instruments only."""
    top = file.top
    top.only("instrument", *(() if own else ("later_act", "incomplete")))
    seen: set[str] = set()
    instruments = {one.id: one for one in (_act(row, seen) for row in top.rows("instrument"))}
    later = {one.id: one for one in (_act(row, seen) for row in top.rows("later_act"))}
    caps = []
    for row in top.rows("incomplete"):
        row.only("from", "articles", "checks", "because")
        cap = Cap(row.day("from"), *(_texts(row, key) for key in ("articles", "checks", "because")))
        for act in cap.because:
            if act not in later:
                row.refuse("because", f"{act!r} is no later act")
        caps.append(cap)
    return Sources(instruments, later, tuple(caps))


def _act(node: Node, seen: set[str]) -> Instrument:
    node.only("id", "despacho", "touches", "gazette", *_DATES, "note")
    act = node.text("id")
    if act in seen:
        node.refuse("id", f"the instrument {act} is there twice")
    seen.add(act)
    return Instrument(
        act,
        node.text("despacho"),
        signed=_marked(node, "signed"),
        gazette=_marked(node, "gazette"),
        published=_marked(node, "published"),
        in_force=_marked(node, "in_force"),
        touches=_texts(node, "touches"),
        note=node.text("note", ""),
    )


def _marked(node: Node, key: str) -> Marked:
    if key not in node.data:
        node.refuse(key, f"{key} is missing", 'Say { status = "unknown" } where it is not known')
    table = node.table(key)
    table.only("value", "status", "note")
    status, note = table.status(), table.text("note", "")
    if (status == "unknown") == ("value" in table.data):
        table.refuse("value", "a value that is known has a status other than unknown, and only it")
    if status == "inferred" and not note:
        table.refuse("note", "inferred without a note", "Say in a note what it rests on")
    if status == "unknown":
        return Marked(None, status, note)
    return Marked(table.text("value") if key == "gazette" else table.day("value"), status, note)


def _texts(node: Node, key: str) -> tuple[str, ...]:
    values = node.data.get(key)
    if not isinstance(values, list) or not values:
        node.refuse(key, f"{key} is not a list of texts")
    for value in values:
        if not isinstance(value, str) or not value.strip():
            node.refuse(key, f"{shown(value)} is not text")
    return tuple(values)


def made_up(draft: Draft, known: Instrument | None) -> Instrument:
    """The instrument of an own rule set that no own ``sources.toml`` describes.

    ``known``: the later act of the same id, whose date that of the rule set replaces.
    """
    despacho = re.sub(r"^(\d+)-(\d{4})$", r"\1/\2", draft.id)
    in_force = Marked(draft.in_force_from, draft.in_force_status, draft.in_force_note)
    if known is not None:
        return replace(known, in_force=in_force)
    touched = {
        re.split(r"\(", part.strip())[0]: None
        for one in (*draft.provisions.values(), *draft.repeals.values())
        for part in one.article.split(",")
    }
    return Instrument(draft.id, despacho, UNKNOWN, UNKNOWN, UNKNOWN, in_force, tuple(touched))


def read_interpretations(file: File) -> tuple[Interpretation, ...]:
    """The disputed readings, each with at least two readings and the default ``either``."""
    file.top.only("interpretation")
    found: dict[str, Interpretation] = {}
    for node in file.top.rows("interpretation"):
        node.only("id", "article", "question", "default", "readings")
        name = node.text("id")
        if name in found:
            node.refuse("id", f"the interpretation {name} is there twice")
        table = node.table("readings")
        about = {reading: table.text(reading) for reading in table.data}
        if len(about) < 2 or "either" in about:
            node.refuse("readings", "two readings are needed, none of them called either")
        default = node.choice("default", ("either", *about))
        found[name] = Interpretation(
            name, node.article(), node.text("question"), tuple(about), about, default
        )
    return tuple(found.values())
