"""What of the regulation is tested: every provision, its checks, or why there is none.

The table is data (``rulesets/coverage.toml``), read strictly: each paragraph and item of arts. 1
to 19 is there, once for each version that has it. With a case it also says what became of each
check there, so that a reader sees what was tested on that log and what was not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from audit.checks import CHECKS
from audit.errors import OptionError
from audit.explain import cite
from audit.paths import data_dir
from audit.report.words import LANGS, Words, fill, words
from audit.rulebook import load_rulebook
from audit.rulebook.read import Node, read_toml, shown
from audit.rulebook.types import nearest

OUTLINE = (
    *(f"1({n})" for n in range(1, 6)),
    *("2(1)", "2(2)", "2(3)", "3(1)", "3(2)", "4", "5(1)", "5(2)", "6(1)", "6(2)", "7(1)", "7(2)"),
    *("8", "9", "9(1)", "9(2)"),
    *(f"9({n})({m})" for n in (3, 4) for m in range(1, 7)),
    *("10", "11", "12", "12(1)", "12(2)", "12(3)(1)", "12(3)(2)"),
    *("13(1)", "13(1)(1)", "13(1)(2)", "13(1)(3)", "13(1)(4)", "13(1)(4)(1)", "13(1)(4)(2)"),
    *(f"13(1)(4)(2)({n})" for n in ("i", "ii", "iii", "iv", "v", "vi")),
    *("14", "15", "16(1)", "16(2)"),
    *(f"17({n})" for n in range(1, 8)),
    *("18(1)", "18(2)", "19"),
)
"""Every provision of the regulation, down to the last item, in the law's order."""

SINCE = {
    **{each: "30-2007" for each in OUTLINE if each.startswith("13(1)(4)(2)")},
    **{f"17({n})": "30-2007" for n in range(4, 8)},
    "18(2)": "73-2005",
}
"""Provisions that the first version does not have, with the version that brought them."""

NO_NORM = ("option", "definition")
STATES = (
    "checked", "covered", "examined", "partly", "nothing", "not_applied", "not_selected",
    "crashed", "not_in_force", "reading", "not_in_log", "no_norm",
)  # fmt: skip
"""What can be said of a provision; from ``examined`` to ``not_in_force`` only with a case."""

_PHRASES = (
    "provision", "about", "tested", "versions", "all", "since", "until", "only", "in_brackets",
    "because", "also", "covered", "examined", "partly", "not_applied", "nothing", "not_in_force",
    "numbers", "total", "count",
)  # fmt: skip
_WHYS = ("not_in_log", "reading", *NO_NORM)
_CODES = tuple(check.code for check in CHECKS)
_KEY = re.compile(r"(\d+(?:\([0-9ivx]+\))*)(?: [a-z0-9_]+)?")

Texts = Mapping[str, str]


@dataclass(frozen=True)
class Entry:
    """A provision, or one thing that it says, as the file has it; texts by language."""

    key: str
    article: str
    versions: tuple[str, ...]
    about: Texts
    checks: tuple[str, ...]
    covered_by: tuple[str, ...]
    why: str
    note: Texts


@dataclass(frozen=True)
class Coverage:
    """The file as read. ``versions`` are the ids of the shipped rule sets, oldest first."""

    versions: tuple[str, ...]
    entries: tuple[Entry, ...]
    whys: Mapping[str, Texts]
    phrases: Mapping[str, Texts]
    states: Mapping[str, Texts]


@dataclass(frozen=True)
class Part:
    """One check on one log: its state, rows examined and not applied, findings, in words."""

    code: str
    state: str
    examined: int
    not_applied: int
    found: int
    says: str


@dataclass(frozen=True)
class Row:
    """One line of the table, in one language.

    ``article`` is the bare reference, ``citation`` how the language cites it. ``when`` says which
    versions have it, empty for all. ``tested`` names the checks, or why there is none. ``state``
    is one of ``STATES``; ``parts`` and ``lines`` (what became of the checks) need a case.
    """

    number: int
    article: str
    citation: str
    versions: tuple[str, ...]
    when: str
    about: str
    checks: tuple[str, ...]
    covered_by: tuple[str, ...]
    tested: str
    state: str
    parts: tuple[Part, ...] = ()
    lines: tuple[str, ...] = ()


def table(lang: str = "en", case: Mapping[str, Any] | None = None) -> tuple[Row, ...]:
    """The whole table in ``lang``, in the law's order.

    ``case``: rows of a case's tables ``checks``, ``not_applied`` and ``rulesets`` under these
    names, each row a mapping; what the report holds as its facts will do. OptionError for an
    unknown language, RulebookError for a file that is wrong.
    """
    if lang not in LANGS:
        hint = f"Choose among {', '.join(LANGS)}"
        raise OptionError(f"{lang!r} is not a language of the table", where="--lang", hint=hint)
    data = load()
    return tuple(_row(data, entry, lang, case) for entry in data.entries)


def counts(rows: Sequence[Row]) -> dict[str, int]:
    """How many rows are in each state, in the order of ``STATES``, those in none left out."""
    found = Counter(row.state for row in rows)
    return {state: found[state] for state in STATES if found[state]}


def phrase(key: str, lang: str, **values: object) -> str:
    """A phrase of the file, filled in."""
    return fill(load().phrases[key][lang], values)


def in_total(rows: Sequence[Row], lang: str) -> str:
    """One line: how many provisions there are, and how many in each state."""
    spoken, states = words(lang), load().states
    total = phrase("total", lang, n=spoken.number(len(rows)))
    each = [
        phrase("count", lang, n=spoken.number(n), text=states[state][lang])
        for state, n in counts(rows).items()
    ]
    return phrase("because", lang, text=total, more=spoken.ui("list_joint").join(each))


def not_applied_reason(reason: str, spoken: Words) -> str:
    """Why a check was not applied to rows, from the runner's word: ``missing:decks``."""
    kind, _, name = reason.partition(":")
    if spoken.has("unapplied", kind):
        return spoken.text("unapplied", kind)
    known = spoken.text("field", name) if spoken.has("field", name) else name or kind
    key = "no_table_sentence" if kind == "no_table" else "not_applied_sentence"
    return spoken.ui(key, field=known)


# Rows


def _row(data: Coverage, entry: Entry, lang: str, case: Mapping[str, Any] | None) -> Row:
    joint = words(lang).ui("list_joint")
    note, codes = entry.note.get(lang, ""), joint.join((*entry.checks, *entry.covered_by))
    if entry.why:
        tested, state = data.whys[entry.why][lang], entry.why
        tested = phrase("because", lang, text=tested, more=note) if note else tested
    else:
        state = "checked" if entry.checks else "covered"
        tested = codes if entry.checks else phrase("covered", lang, codes=codes)
        tested = phrase("in_brackets", lang, text=tested, more=note) if note else tested
    parts: tuple[Part, ...] = ()
    lines: tuple[str, ...] = (tested,)
    if case is not None and not _in_force(data, entry, case):
        state, lines = "not_in_force", (phrase("not_in_force", lang),)
    elif case is not None and not entry.why:
        parts = tuple(_part(code, lang, case) for code in (*entry.checks, *entry.covered_by))
        state = _state(parts)
        lines = (*([note] if note else []), *(_line(entry, part, lang) for part in parts))
    return Row(
        number=int(re.split(r"\(", entry.article)[0]),
        article=entry.article,
        citation=cite(entry.article, lang),
        versions=entry.versions,
        when=_when(data, entry, lang),
        about=entry.about[lang],
        checks=entry.checks,
        covered_by=entry.covered_by,
        tested=tested,
        state="no_norm" if state in NO_NORM else state,
        parts=parts,
        lines=lines,
    )


def _line(entry: Entry, part: Part, lang: str) -> str:
    """A check and what became of it."""
    text = part.code if entry.checks else phrase("covered", lang, codes=part.code)
    return phrase("because", lang, text=text, more=part.says)


def _when(data: Coverage, entry: Entry, lang: str) -> str:
    first, last = entry.versions[0], entry.versions[-1]
    if entry.versions == data.versions:
        return ""
    if first == last:
        return phrase("only", lang, id=first)
    if last == data.versions[-1]:
        return phrase("since", lang, id=first)
    return phrase("until", lang, id=last)


def _in_force(data: Coverage, entry: Entry, case: Mapping[str, Any]) -> bool:
    """Whether a rule set of the case has the provision; a user's own has what the newest has."""
    used = {str(row["id"]) for row in case["rulesets"] if row["rounds"]}
    known = {each if each in data.versions else data.versions[-1] for each in used}
    return not known or not known.isdisjoint(entry.versions)


def _part(code: str, lang: str, case: Mapping[str, Any]) -> Part:
    spoken = words(lang)
    account = next((row for row in case["checks"] if row["code"] == code), None)
    if account is None or account["state"] in ("not_selected", "crashed"):
        state = "not_selected" if account is None else str(account["state"])
        return Part(code, state, 0, 0, 0, spoken.text("state", state))
    seen, skipped, found = (int(account[k] or 0) for k in ("examined", "not_applied", "violating"))
    reasons = [
        (not_applied_reason(str(row["reason"]), spoken), int(row["rows"] or 0))
        for row in case["not_applied"]
        if row["code"] == code
    ]
    if seen:
        says = phrase("examined", lang, n=spoken.number(seen), f=spoken.number(found))
        for why, n in reasons:
            more = phrase("partly", lang, n=spoken.number(n), why=why)
            says = phrase("also", lang, text=says, more=more)
        return Part(code, "examined", seen, skipped, found, says)
    if reasons:
        why = spoken.ui("list_joint").join(dict.fromkeys(why for why, _ in reasons))
        return Part(code, "not_applied", 0, skipped, 0, phrase("not_applied", lang, why=why))
    return Part(code, "nothing", 0, 0, 0, phrase("nothing", lang))


def _state(parts: Sequence[Part]) -> str:
    """The state of a provision from those of its checks: a crash first, then what was tested."""
    states = {part.state for part in parts}
    left_out = any(part.not_applied or part.state == "not_selected" for part in parts)
    if "crashed" not in states and "examined" in states and left_out:
        return "partly"
    order = ("crashed", "examined", "not_applied", "nothing", "not_selected")
    return next(state for state in order if state in states)


# The file


@cache
def load(path: Path | None = None) -> Coverage:
    """The file at ``path``, or the shipped one; RulebookError names what is wrong and where."""
    file = read_toml(path or data_dir("rulesets") / "coverage.toml", "rulesets/coverage.toml")
    top = file.top
    top.only("provision", "why", "phrase", "state")
    whys = _phrases(top.table("why"), _WHYS)
    phrases = _phrases(top.table("phrase"), _PHRASES)
    states = _phrases(top.table("state"), STATES)
    versions = tuple(one.id for one in load_rulebook().sets)
    section = top.table("provision")
    entries = tuple(_entry(key, node, section, versions) for key, node in section.tables())
    _complete(section, entries, versions)
    ordered = sorted(entries, key=lambda entry: OUTLINE.index(entry.article))
    return Coverage(versions, tuple(ordered), whys, phrases, states)


def _phrases(node: Node, keys: Sequence[str]) -> dict[str, Texts]:
    node.only(*keys)
    for key in keys:
        if key not in node.data:
            node.refuse(key, f"the key {key!r} is missing")
    return {key: _texts(each) for key, each in node.tables()}


def _texts(node: Node) -> Texts:
    """The same text in every language."""
    node.only(*LANGS)
    return {lang: node.text(lang) for lang in LANGS}


def _entry(key: str, node: Node, section: Node, versions: tuple[str, ...]) -> Entry:
    node.only("about", "checks", "covered_by", "why", "note", "from", "until")
    match = _KEY.fullmatch(key)
    article = match[1] if match else ""
    if article not in OUTLINE:
        section.refuse(key, f"the regulation has no art. {key}", nearest(key, OUTLINE))
    first = versions.index(node.choice("from", versions, versions[0]))
    last = versions.index(node.choice("until", versions, versions[-1]))
    if first > last:
        node.refuse("until", "it ends before it begins")
    since = SINCE.get(article, versions[0])
    if first < versions.index(since):
        node.refuse("from", f"no version before {since} has art. {article}")
    checks, covered_by = (tuple(_codes(node, name)) for name in ("checks", "covered_by"))
    why = node.choice("why", _WHYS, "")
    if sum(map(bool, (checks, covered_by, why))) != 1:
        hint = "Give one of checks, covered_by and why"
        node.refuse("", "it is not said in one way how this is tested", hint)
    return Entry(
        key=key,
        article=article,
        versions=versions[first : last + 1],
        about=_texts(node.table("about")),
        checks=checks,
        covered_by=covered_by,
        why=why,
        note=_texts(node.table("note")) if "note" in node.data else {},
    )


def _codes(node: Node, name: str) -> Iterator[str]:
    listed = node.data.get(name, [])
    if not isinstance(listed, list):
        node.refuse(name, f"{shown(listed)} is not a list of codes")
    for code in listed:
        if code not in _CODES:
            node.refuse(name, f"there is no check {shown(code)}", nearest(str(code), _CODES))
        if listed.count(code) > 1:
            node.refuse(name, f"{code} is there twice")
        yield code


def _complete(section: Node, entries: Sequence[Entry], versions: tuple[str, ...]) -> None:
    """Refuse a provision that is missing, or that is there whole and again in part."""
    for article in OUTLINE:
        for version in versions[versions.index(SINCE.get(article, versions[0])) :]:
            here = [e for e in entries if e.article == article and version in e.versions]
            if not here:
                section.refuse(article, f"art. {article} of {version} is missing")
            if len(here) > 1 and any(entry.key == article for entry in here):
                section.refuse(article, f"art. {article} of {version} is there twice")
