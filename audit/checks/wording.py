"""The English message of each finding, from the catalogue's template and its evidence."""

from __future__ import annotations

import re

import polars as pl

from audit.messages import catalogue, template

TRANSLATED = frozenset({"bet", "winner", "recorded", "expected", "combination", "option"})
"""Evidence whose values are words of ours, to be put in the reader's language."""


def message(code: str, evidence: pl.Series) -> pl.Series:
    """Messages for a struct column that holds ``variant`` and what the templates name."""
    frame = evidence.struct.unnest()
    words = {key: str(word) for key, word in catalogue("en")["words"].items()}
    text = pl.lit(None, pl.String)
    for variant in frame["variant"].unique().sort():
        text = (
            pl.when(pl.col("variant") == variant)
            .then(_filled(template("en", code, variant), words))
            .otherwise(text)
        )
    return frame.select(text.alias("message")).to_series()


def _filled(pattern: str, words: dict[str, str]) -> pl.Expr:
    """The pattern with each ``{name}`` replaced by the column of that name."""
    parts = []
    for literal, name in re.findall(r"([^{]+)|\{(\w+)\}", pattern):
        if literal:
            parts.append(pl.lit(literal))
            continue
        value = pl.col(name).cast(pl.String).fill_null("-")
        parts.append(value.replace(words) if name in TRANSLATED else value)
    return pl.concat_str(parts)
