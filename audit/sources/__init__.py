"""Files of a log, read as rows of text: one module for each kind, an explicit registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from audit.errors import LogError
from audit.sources.base import Batch, Content, Damage, Source
from audit.sources.containers import CONTAINERS, container_of, ending, only
from audit.sources.delimited import Delimited
from audit.sources.discover import Discovery, Found, discover
from audit.sources.jsonarray import JsonArray
from audit.sources.jsonl import JsonLines
from audit.sources.packed import Gzipped, Member, scratch_folder, spool
from audit.sources.parquet import Parquet
from audit.sources.sqlite import SqliteTable
from audit.sources.xlsx import Sheet

__all__ = [
    "CONTAINERS",
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
    """A kind of file: the endings it is known by and what reads it.

    ``stream`` reads it from its first byte to its last, so that it may also be packed with gzip
    and is never unpacked to disk; ``open`` needs a file.
    """

    title: str
    suffixes: tuple[str, ...]
    stream: Callable[[Content, str], Source] | None = None
    open: Callable[[Path, str], Source] | None = None


KINDS: tuple[Kind, ...] = (
    Kind("CSV or TSV", (".csv", ".tsv", ".tab"), stream=Delimited),
    Kind("Parquet", (".parquet", ".pq"), open=Parquet),
    Kind("JSON Lines", (".jsonl", ".ndjson"), stream=JsonLines),
    Kind("JSON array", (".json",), stream=JsonArray),
)

SUFFIXES = frozenset(suffix for kind in KINDS for suffix in kind.suffixes) | {
    f"{suffix}.gz" for kind in KINDS if kind.stream for suffix in kind.suffixes
}
"""Endings, in lower case, of the files that hold one table."""


def open_source(path: Path, name: str, member: str = "") -> Source:
    """Open a file of a known ending; raises LogError where it cannot be read at all.

    ``member`` is what is meant of an archive, a workbook or a database (``Found.member``);
    without it the file must hold one thing only.
    """
    container = container_of(path)
    if container is not None and not member:
        member = only(path, name, SUFFIXES)
    if container is not None and container.title == "XLSX workbook":
        return Sheet(path, member, name)
    if container is not None and container.title == "SQLite database":
        return SqliteTable(path, member, name)
    content: Path | Content = path
    suffix = ending(path)
    if container is not None:
        content, suffix = Member(path, member, name), ending(PurePosixPath(member))
    elif suffix.endswith(".gz"):
        content, suffix = Gzipped(path, name), suffix.removesuffix(".gz")
    for kind in KINDS:
        if suffix in kind.suffixes:
            if kind.stream is not None:
                return kind.stream(content, name)
            if kind.open is not None:
                return _from_file(kind.open, content, name)
    raise LogError(f"the ending {suffix!r} is not known", where=name)


def _from_file(open_file: Callable[[Path, str], Source], content: Content, name: str) -> Source:
    if isinstance(content, Path):
        return open_file(content, name)
    scratch = scratch_folder()
    source = open_file(spool(content, Path(scratch.name)), name)
    source.scratch = scratch
    return source
