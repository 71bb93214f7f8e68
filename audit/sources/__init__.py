"""Files of a log, read as rows of text: one module for each kind, an explicit registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from audit.errors import LogError
from audit.sources.base import Batch, Damage, Source
from audit.sources.delimited import Delimited
from audit.sources.discover import Discovery, Found, discover
from audit.sources.jsonl import JsonLines
from audit.sources.parquet import Parquet

__all__ = [
    "KINDS",
    "SUFFIXES",
    "Batch",
    "Damage",
    "Discovery",
    "Found",
    "Kind",
    "Source",
    "discover",
    "open_source",
]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: the endings it is known by and what reads it."""

    title: str
    suffixes: tuple[str, ...]
    open: Callable[[Path, str], Source]


KINDS: tuple[Kind, ...] = (
    Kind("CSV or TSV", (".csv", ".tsv", ".tab"), Delimited),
    Kind("Parquet", (".parquet", ".pq"), Parquet),
    Kind("JSON Lines", (".jsonl", ".ndjson"), JsonLines),
)

SUFFIXES = frozenset(suffix for kind in KINDS for suffix in kind.suffixes)
"""Endings, in lower case, of the files that can be read."""


def open_source(path: Path, name: str) -> Source:
    """Open a file of a known ending; raises LogError where it cannot be read at all."""
    for kind in KINDS:
        if path.suffix.lower() in kind.suffixes:
            return kind.open(path, name)
    raise LogError(f"the ending {path.suffix!r} is not known", where=name)
