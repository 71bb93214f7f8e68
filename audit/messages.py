"""The message catalogues: one TOML file for each language, the same keys in all."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from audit.errors import OptionError
from audit.paths import data_dir

LANGUAGES = ("en", "zh-Hant", "pt")


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """The catalogue of ``language``; OptionError for one that is not there."""
    if language not in LANGUAGES:
        raise OptionError(
            f"{language!r} is not a language of the reports",
            where="--lang",
            hint=f"Choose among {', '.join(LANGUAGES)}",
        )
    path = data_dir("reports") / "messages" / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def template(language: str, code: str, variant: str) -> str:
    """Message template of a finding; KeyError where the catalogue lacks it."""
    findings = catalogue(language)["finding"]
    return str(findings[f"{code}.{variant}" if variant else code])
