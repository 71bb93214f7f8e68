"""The rule sets: the law as data, each value with its citation and mark.

``load_rulebook`` reads the shipped files (and own ones), lays amendments over their bases and
refuses whatever makes no sense. ``Rulebook.in_force`` answers which version governs a day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from audit.errors import RulebookError
from audit.paths import data_dir
from audit.rulebook.build import build
from audit.rulebook.draft import Draft, read_draft
from audit.rulebook.facts import FACTS, facts_of, matches
from audit.rulebook.forms import MARKS
from audit.rulebook.read import File, read_toml
from audit.rulebook.sources import Sources, made_up, read_interpretations, read_sources
from audit.rulebook.types import (
    BetRule,
    Cap,
    Change,
    ChangeKind,
    Combination,
    Instrument,
    Interpretation,
    Marked,
    Pay,
    Provision,
    RuleSet,
    Scheme,
    Status,
    nearest,
    weakest,
)

__all__ = [
    "FACTS",
    "BetRule",
    "Cap",
    "Change",
    "Combination",
    "Instrument",
    "Interpretation",
    "Marked",
    "Pay",
    "Provision",
    "RuleSet",
    "Rulebook",
    "Scheme",
    "Status",
    "article_order",
    "compare",
    "facts_of",
    "load_rulebook",
    "matches",
    "weakest",
]


@dataclass(frozen=True)
class Rulebook:
    """All rule sets, oldest first.

    ``later_acts`` are known acts that no loaded rule set holds; ``files`` are the files read,
    as (name, SHA-256), own ones under ``rules-dir/``.
    """

    sets: tuple[RuleSet, ...]
    interpretations: tuple[Interpretation, ...]
    later_acts: tuple[Instrument, ...]
    files: tuple[tuple[str, str], ...]

    def in_force(self, day: date) -> RuleSet | None:
        """The newest rule set in force on ``day`` (Macau date), None before the first.

        The newest set has no end: what lies after it is known to be incomplete, not unregulated.
        """
        if isinstance(day, datetime):
            day = day.date()
        return next((one for one in reversed(self.sets) if one.in_force_from <= day), None)

    def get(self, ruleset: str) -> RuleSet:
        """The rule set with this id; RulebookError with the nearest name if there is none."""
        for one in self.sets:
            if one.id == ruleset:
                return one
        hint = nearest(ruleset, tuple(one.id for one in self.sets))
        raise RulebookError(f"there is no rule set {ruleset!r}", hint=hint)

    def interpretation(self, name: str) -> Interpretation:
        """The interpretation with this id; RulebookError with the nearest name if none."""
        for one in self.interpretations:
            if one.id == name:
                return one
        close = nearest(name, tuple(one.id for one in self.interpretations))
        listed = "`baccarat-audit rules list` lists them"
        hint = f"{close}; {listed}" if close else listed
        raise RulebookError(f"there is no interpretation {name!r}", hint=hint)

    def first_naming(self, option: str) -> RuleSet | None:
        """The oldest rule set whose art. 19 names ``option``, None if none does."""
        return next((one for one in self.sets if option in one.options), None)

    def diff(self, a: str, b: str) -> tuple[Change, ...]:
        """What ``b`` changed of ``a``, both ids; ordered as the articles are."""
        return compare(self.get(a), self.get(b))


def load_rulebook(extra: Path | None = None, *, shipped: Path | None = None) -> Rulebook:
    """The shipped rule sets, and those of the folder ``extra``.

    ``shipped`` stands in for the installed ``rulesets`` folder. RulebookError names file and key
    of the first thing that is wrong.
    """
    folder = shipped or data_dir("rulesets")
    sources_file = read_toml(folder / "sources.toml", "rulesets/sources.toml")
    readings_file = read_toml(folder / "interpretations.toml", "rulesets/interpretations.toml")
    files = [sources_file, readings_file]
    sources = read_sources(sources_file, own=False)
    drafts = []
    for path in sorted(folder.glob("*/*.toml")):
        name = path.relative_to(folder).as_posix()
        files.append(read_toml(path, f"rulesets/{name}"))
        drafts.append(read_draft(files[-1], own=False))
    instruments = dict(sources.instruments)
    if extra is not None:
        own_drafts, own_instruments, own_files = _own(extra, sources)
        drafts += own_drafts
        files += own_files
        instruments |= own_instruments
    sets = _assemble(drafts, instruments, sources)
    held = {one.id for one in sets}
    return Rulebook(
        sets=sets,
        interpretations=read_interpretations(readings_file),
        later_acts=tuple(one for one in sources.later_acts.values() if one.id not in held),
        files=tuple((_relative(file.name, extra), file.sha256) for file in files),
    )


def compare(a: RuleSet, b: RuleSet) -> tuple[Change, ...]:
    """What ``b`` changed of ``a``; ordered as the articles are."""
    changes = []
    for key in dict.fromkeys((*a.provisions, *b.provisions)):
        old, new = a.provisions.get(key), b.provisions.get(key)
        if new is None and old is not None:
            gone = b.absent.get(key, old)
            changes.append(Change("repealed", key, old, None, gone.article, gone.status, gone.note))
        elif old is None and new is not None:
            changes.append(Change("added", key, None, new, new.article, new.status, new.note))
        elif old is not None and new is not None:
            plain = _bare(old.value) == _bare(new.value)
            marks = (old.article, old.status) == (new.article, new.status)
            if not plain or not marks or old.value != new.value:
                kind: ChangeKind = "restated" if plain else "changed"
                changes.append(Change(kind, key, old, new, new.article, new.status, new.note))
    return tuple(sorted(changes, key=lambda change: article_order(change.article)))


def article_order(article: str) -> tuple[int | str, ...]:
    """Sort key of a citation: 9(3)(2) before 9(4)(1) before 13."""
    roman = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
    parts = re.findall(r"\d+|[ivx]+", article.split(",")[0])
    return tuple(int(part) if part.isdigit() else roman.get(part, 10) for part in parts)


def _bare(value: object) -> object:
    """A value without the citations and marks inside it."""
    if isinstance(value, dict):
        return {k: _bare(v) for k, v in value.items() if k not in MARKS}
    return [_bare(one) for one in value] if isinstance(value, list) else value


def _own(folder: Path, sources: Sources) -> tuple[list[Draft], dict[str, Instrument], list[File]]:
    """Drafts, instruments and files of an own folder."""
    if not folder.is_dir():
        raise RulebookError("no such folder of rule sets", where=str(folder), hint="Check the path")
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        hint = "Put TOML rule-set files into it"
        raise RulebookError("the folder holds no rule set", where=str(folder), hint=hint)
    files = [read_toml(path, str(path)) for path in paths]
    drafts, instruments = [], {}
    for path, file in zip(paths, files, strict=True):
        if path.name == "sources.toml":
            instruments = dict(read_sources(file, own=True).instruments)
            for act in instruments:
                if act in sources.instruments:
                    file.top.refuse("instrument", f"{act} is a shipped instrument")
        elif path.name == "interpretations.toml":
            file.top.refuse("", "own interpretations are not possible", "Pin a reading instead")
        else:
            drafts.append(read_draft(file, own=True))
    return drafts, instruments, files


def _assemble(
    drafts: list[Draft], instruments: dict[str, Instrument], sources: Sources
) -> tuple[RuleSet, ...]:
    """Whole rule sets by date, every amendment after its base."""
    by_id: dict[str, Draft] = {}
    by_day: dict[date, Draft] = {}
    for draft in drafts:
        top = draft.file.top
        for seen, key, what in (
            (by_id.get(draft.id), "id", f"the id {draft.id}"),
            (by_day.get(draft.in_force_from), "in_force_from", f"the date {draft.in_force_from}"),
        ):
            if seen is not None:
                top.refuse(key, f"{what} is already that of {seen.file.name}")
        by_id[draft.id] = by_day[draft.in_force_from] = draft
    for draft in drafts:
        if draft.amends is not None:
            _base_exists(draft, by_id)
    done: dict[str, RuleSet] = {}
    # An amendment is younger than its base, so by date every base comes first.
    for draft in sorted(drafts, key=lambda one: one.in_force_from):
        instrument = instruments.get(draft.id)
        if instrument is None:
            instrument = made_up(draft, sources.later_acts.get(draft.id))
        elif (instrument.in_force.value, instrument.in_force.status) != (
            draft.in_force_from,
            draft.in_force_status,
        ):
            hint = f"There it is {instrument.in_force.value}, {instrument.in_force.status}"
            what = "date or status differ from those of its instrument in sources.toml"
            draft.file.top.refuse("in_force_from", what, hint)
        base = done[draft.amends] if draft.amends else None
        done[draft.id] = build(draft, base, instrument, sources.caps)
    if not done:
        raise RulebookError("no rule set was found", where="rulesets")
    return tuple(done.values())


def _base_exists(draft: Draft, by_id: dict[str, Draft]) -> None:
    base = by_id.get(draft.amends or "")
    if base is None:
        hint = nearest(draft.amends or "", tuple(by_id))
        draft.file.top.refuse("amends", f"there is no rule set {draft.amends!r} to amend", hint)
    if base.in_force_from >= draft.in_force_from:
        what = f"it amends {base.id}, which is in force only from {base.in_force_from}"
        draft.file.top.refuse("in_force_from", what)


def _relative(name: str, extra: Path | None) -> str:
    """Name of a file as the case's manifest keeps it, the same on every machine."""
    if extra is not None and not name.startswith("rulesets/"):
        return f"rules-dir/{Path(name).name}"
    return name.removeprefix("rulesets/")
