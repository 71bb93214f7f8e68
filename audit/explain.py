"""What a check tests, why, what it passes over, how its finding is put right, and an example.

English comes from the docstrings of the checks; the other languages, and how a finding is put
right, from ``reports/explanations``. The worked examples stand there once for all languages:
tiny logs with all the findings that an audit of them gives.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from audit.checks import CHECKS, Check
from audit.checks.base import HEADINGS
from audit.errors import OptionError, ReportError
from audit.paths import data_dir
from audit.report.citations import citing
from audit.report.words import LANGS, words
from audit.rulebook.types import nearest
from audit.schema import TABLES

SECTIONS = tuple(heading.lower().replace(" ", "_") for heading in HEADINGS)
"""Keys of the sections that a docstring has: what_it_checks, why_it_matters, ..."""

MILDER = {"A0301": "warning", "A1901": "notice"}
"""Checks some of whose findings are milder, whatever the money; their sections say when."""

_HEADINGS = (*SECTIONS, "how_to_fix", "found")
_UI = ("fires_when", "corrections", "left_out", "span")
_COLUMNS = {table.name: {column.name for column in table.columns} for table in TABLES}
_CHECKS = {check.code: check for check in CHECKS}
_SPAN = re.compile(r"^(\d+)\.\.(\d+)$")
_RANGE = re.compile(r"^(\d+)\((\d+)\)-\((\d+)\)$")

Catalogue = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class ExampleTable:
    """A table of a worked example; ``1..5`` in a row stands for one row for each number."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def spans(self) -> bool:
        """Whether a row stands for several."""
        return any(_SPAN.match(cell) for row in self.rows for cell in row)

    def csv(self) -> str:
        """The table as the text of a CSV file, every row for itself."""
        lines = [self.columns]
        for row in self.rows:
            lines += _each(row)
        return "".join(",".join(line) + "\n" for line in lines)


@dataclass(frozen=True)
class ExampleFinding:
    """A finding of a worked example; ``amount`` is decimal text, ``evidence`` fills the message."""

    code: str
    severity: str
    article: str
    round: int
    basis: str = "stated"
    table: str = "T1"
    shoe: str = "S1"
    bet: str | None = None
    subject: str | None = None
    amount: str | None = None
    consequence: str | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def message(self, lang: str) -> str:
        """The sentence of the finding."""
        return words(lang).message(self.code, self.evidence, self.code)


@dataclass(frozen=True)
class Example:
    """A log of a few rows, and all the findings that it gives."""

    tables: tuple[ExampleTable, ...]
    found: tuple[ExampleFinding, ...]

    def files(self) -> dict[str, str]:
        """The log as CSV files by name, still without the columns that it leaves out."""
        return {f"{table.name}.csv": table.csv() for table in self.tables}


@dataclass(frozen=True)
class Explanation:
    """One check in one language.

    ``sections`` are those of ``SECTIONS``, in their order; ``citation`` is ``article`` as the
    language cites it, empty for checks of the log itself; ``milder`` is a severity, or empty;
    ``fix`` has a paragraph on the log and, mostly, one on the practice at the table.
    """

    code: str
    lang: str
    title: str
    article: str
    citation: str
    severity: str
    milder: str
    sections: Mapping[str, str]
    fix: tuple[str, ...]
    example: Example


def find(code: str) -> tuple[Check, ...]:
    """The check ``code``, or those whose code begins so; OptionError where there is none."""
    found = tuple(check for check in CHECKS if check.code.startswith(code.upper()))
    if not found:
        close = nearest(code.upper(), tuple(_CHECKS))
        listed = "`baccarat-audit explain` lists the codes"
        hint = f"{close}; {listed}" if close else listed
        raise OptionError(f"there is no check {code!r}", hint=hint)
    return found


def explanation(check: Check, lang: str = "en") -> Explanation:
    """``check`` explained in ``lang``; OptionError for an unknown language."""
    texts = catalogue(lang)
    if lang == "en":
        found = {key: check.sections[name] for key, name in zip(SECTIONS, HEADINGS, strict=True)}
        sections = {key: text[:1].upper() + text[1:] for key, text in found.items()}
    else:
        sections = {key: str(texts[key][check.code]) for key in SECTIONS}
    return Explanation(
        code=check.code,
        lang=lang,
        title=title(check, lang),
        article=check.article,
        citation=cite(check.article, lang),
        severity=check.severity,
        milder="warning" if check.record_only else MILDER.get(check.code, ""),
        sections=sections,
        fix=tuple(texts["how_to_fix"][check.code]),
        example=examples()[check.code],
    )


def title(check: Check, lang: str) -> str:
    """What the check fires on, without a full stop."""
    return check.title if lang == "en" else str(catalogue(lang)["title"][check.code])


def cite(article: str, lang: str) -> str:
    """``article`` in the house style of ``lang``, also a range such as ``17(4)-(6)``."""
    if match := _RANGE.match(article):
        number, first, last = map(int, match.groups())
        article = ", ".join(f"{number}({n})" for n in range(first, last + 1))
    return citing(article, lang)


def as_json(one: Explanation) -> dict[str, Any]:
    """Plain values for a program, with the message of each finding of the example."""
    return {
        "code": one.code,
        "lang": one.lang,
        "title": one.title,
        "article": one.article,
        "citation": one.citation,
        "severity": one.severity,
        "milder": one.milder or None,
        **one.sections,
        "how_to_fix": list(one.fix),
        "worked_example": {
            "log": {
                table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
                for table in one.example.tables
            },
            "findings": [
                {**{each.name: getattr(found, each.name) for each in fields(found)},
                 "message": found.message(one.lang)}
                for found in one.example.found
            ],
        },
    }  # fmt: skip


# The files


def catalogue(lang: str, folder: Path | None = None) -> Catalogue:
    """Headings and texts of ``lang``; ReportError names the file and key that is wrong."""
    if lang not in LANGS:
        raise OptionError(
            f"{lang!r} is not a language of the explanations",
            where="--lang",
            hint=f"Choose among {', '.join(LANGS)}",
        )
    return _catalogue(lang, folder or data_dir("reports") / "explanations")


def examples(folder: Path | None = None) -> Mapping[str, Example]:
    """The worked examples by code; ReportError names the key that is wrong."""
    return _examples(folder or data_dir("reports") / "explanations")


@cache
def _catalogue(lang: str, folder: Path) -> Catalogue:
    name = f"{lang}.toml"
    content = _read(folder, name)
    texts = () if lang == "en" else ("title", *SECTIONS)
    wanted = {
        "heading": _HEADINGS,
        "ui": _UI,
        **dict.fromkeys((*texts, "how_to_fix"), tuple(_CHECKS)),
    }
    _exactly(content, wanted, name)
    for section, keys in wanted.items():
        _exactly(content[section], keys, f"{name}, {section}")
        for key, text in content[section].items():
            parts = text if section == "how_to_fix" and isinstance(text, list) else [text]
            if not parts or not all(isinstance(part, str) and part.strip() for part in parts):
                raise ReportError("this is not text", where=f"{name}, {section}.{key}")
    return content


@cache
def _examples(folder: Path) -> Mapping[str, Example]:
    name = "examples.toml"
    content = _read(folder, name)
    _exactly(content, tuple(_CHECKS), name)
    return {code: _example(code, entry, f"{name}, {code}") for code, entry in content.items()}


def _example(code: str, entry: Mapping[str, Any], where: str) -> Example:
    tables = tuple(_table(key, entry[key], where) for key in entry if key != "found")
    found = tuple(_finding(code, one, f"{where}.found") for one in entry.get("found", ()))
    if code not in {one.code for one in found}:
        raise ReportError(f"the example gives no {code}", where=f"{where}.found")
    return Example(tables, found)


def _table(name: str, lines: Sequence[str], where: str) -> ExampleTable:
    where = f"{where}.{name}"
    if name not in _COLUMNS:
        raise ReportError("this is no table of a log", where=where)
    header, *rows = (tuple(line.split(",")) for line in lines)
    if strange := set(header) - _COLUMNS[name]:
        raise ReportError(f"there is no column {min(strange)!r}", where=where)
    if any(len(row) != len(header) for row in rows):
        raise ReportError("a row is not as long as the header", where=where)
    return ExampleTable(name, header, tuple(rows))


def _finding(code: str, entry: Mapping[str, Any], where: str) -> ExampleFinding:
    known = {each.name for each in fields(ExampleFinding)}
    if strange := entry.keys() - known:
        raise ReportError(f"unknown key {min(strange)!r}", where=where)
    check = _CHECKS.get(entry.get("code", code))
    if check is None or "round" not in entry:
        raise ReportError("the finding names no check, or no round", where=where)
    own = {"code": check.code, "severity": check.severity, "article": check.article}
    return ExampleFinding(**{**own, **entry})


def _each(row: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The rows that ``row`` stands for."""
    for place, cell in enumerate(row):
        if match := _SPAN.match(cell):
            numbers = range(int(match[1]), int(match[2]) + 1)
            return [(*row[:place], str(number), *row[place + 1 :]) for number in numbers]
    return [row]


def _read(folder: Path, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads((folder / name).read_text(encoding="utf-8"))
    except OSError as error:
        raise ReportError("the explanations cannot be read", where=name, hint=str(error)) from error
    except ValueError as error:
        raise ReportError(f"the file is not valid TOML ({error})", where=name) from error


def _exactly(
    found: Mapping[str, Any], wanted: Mapping[str, Any] | Sequence[str], where: str
) -> None:
    """ReportError where a key is unknown or missing."""
    for key in found:
        if key not in wanted:
            raise ReportError(f"unknown key {key!r}", where=where, hint=nearest(key, tuple(wanted)))
    for key in wanted:
        if key not in found:
            raise ReportError(f"the key {key!r} is missing", where=where)
