"""The message catalogues: two TOML files for each language, the same keys in all languages.

``LANG.toml`` holds the messages of findings, ``report.LANG.toml`` the rest. The words that stand
for tokens are terms, kept for all languages together in ``terms.toml``, with the words to keep out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from audit.errors import OptionError, ReportError
from audit.paths import data_dir

LANGUAGES = ("en", "zh-Hant", "pt")
TERMS = "terms.toml"


@cache
def catalogue(lang: str, folder: Path | None = None) -> Mapping[str, Mapping[str, Any]]:
    """Sections of the catalogue of ``lang`` from its two files; ReportError names a bad file."""
    if lang not in LANGUAGES:
        raise OptionError(
            f"there is no report in language {lang!r}", hint=f"Use one of {', '.join(LANGUAGES)}"
        )
    folder = folder or data_dir("reports") / "messages"
    sections: dict[str, dict[str, Any]] = {}
    for name in (f"{lang}.toml", f"report.{lang}.toml"):
        _merge(sections, _read(folder / name), name)
    terms = {token: term[lang] for token, term in _terms()["words"].items()}
    _merge(sections, {"words": terms}, TERMS)
    return sections


def avoided(lang: str) -> dict[str, re.Pattern[str]]:
    """The words that do not belong in a report of ``lang``, with what finds each."""
    return {
        word: re.compile(entry.get("pattern", re.escape(word)), re.IGNORECASE)
        for word, entry in _terms()["avoid"][lang].items()
    }


@cache
def _terms() -> Mapping[str, Any]:
    return _read(data_dir("reports") / TERMS)


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise ReportError(f"the message catalogue {path.name} is missing", where=str(path.parent))
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ReportError(f"the catalogue is not valid TOML ({error})", where=path.name) from error


def _merge(into: dict[str, dict[str, Any]], more: Mapping[str, Any], name: str) -> None:
    for section, entries in more.items():
        if not isinstance(entries, dict):
            raise ReportError(f"key {section!r} stands outside a section", where=name)
        known = into.setdefault(section, {})
        for key, value in entries.items():
            if key in known:
                raise ReportError(f"{section}.{key} is given twice", where=name)
            known[key] = value


def template(lang: str, code: str, variant: str) -> str:
    """Message template of a finding; KeyError where the catalogue lacks it."""
    return str(catalogue(lang)["finding"][f"{code}.{variant}" if variant else code])
