"""Files of a log, read as rows of text: one module for each kind, an explicit registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from audit.errors import LogError
from audit.sources.address import Database, is_address, parse_address
from audit.sources.base import Batch, Content, Damage, Source, in_text
from audit.sources.containers import CONTAINERS, container_of, ending, only
from audit.sources.delimited import DELIMITERS, Delimited
from audit.sources.discover import Discovery, Found, discover
from audit.sources.jsonarray import JsonArray
from audit.sources.jsonl import JsonLines
from audit.sources.packed import Gzipped, Member, scratch_folder, spool
from audit.sources.parquet import Parquet
from audit.sources.postgres import Postgres
from audit.sources.server import Server, Stored
from audit.sources.sqlite import SqliteTable
from audit.sources.texts import as_text
from audit.sources.xlsx import Sheet

__all__ = [
    "CONTAINERS",
    "KINDS",
    "SUFFIXES",
    "Batch",
    "Damage",
    "Database",
    "Discovery",
    "Found",
    "Kind",
    "Server",
    "Source",
    "Stored",
    "as_text",
    "container_of",
    "content_of",
    "discover",
    "in_text",
    "is_address",
    "members_of",
    "open_server",
    "open_source",
    "parse_address",
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

SERVERS: Mapping[str, Callable[[Database], Server]] = {"postgresql": Postgres}
"""What connects to each kind of database server."""

SUFFIXES = frozenset(suffix for kind in KINDS for suffix in kind.suffixes) | {
    f"{suffix}.gz" for kind in KINDS if kind.stream for suffix in kind.suffixes
}
"""Endings, in lower case, of the files that hold one table."""


def open_server(database: Database) -> Server:
    """Connect to a database; raises LogError, in which no password is, where that fails."""
    return SERVERS[database.kind](database)


def members_of(path: Path, name: str) -> tuple[str, ...]:
    """What an archive, a workbook or a database holds that can be read as a table."""
    container = container_of(path)
    inner = container.names(path, name) if container is not None else ()
    if container is None or not container.files:
        return inner
    return tuple(each for each in inner if ending(PurePosixPath(each)) in SUFFIXES)


def content_of(path: Path, name: str, member: str = "") -> tuple[Path | Content, str]:
    """The bytes of a file or of a member of an archive, unpacked, and the ending of their kind.

    Workbooks and databases have no bytes of their own for a table: their own ending is given.
    """
    container = container_of(path)
    if container is not None and container.files:
        member = member or only(path, name, SUFFIXES)
        return Member(path, member, name), ending(PurePosixPath(member))
    suffix = ending(path)
    if suffix.endswith(".gz"):
        return Gzipped(path, name), suffix.removesuffix(".gz")
    return path, suffix


def open_source(path: Path, name: str, member: str = "", encoding: str | None = None) -> Source:
    """Open a file of a known ending; raises LogError where it cannot be read at all.

    ``member`` is what is meant of an archive, a workbook or a database (``Found.member``);
    without it the file must hold one thing only. ``encoding`` is a codec for delimited text,
    None to detect it.
    """
    container = container_of(path)
    if container is not None and not member:
        member = only(path, name, SUFFIXES)
    content, suffix = content_of(path, name, member)
    if encoding is not None:
        if suffix not in DELIMITERS:
            raise LogError("an encoding is for CSV and TSV only", where=name)
        return Delimited(content, name, encoding=encoding)
    if container is not None and container.title == "XLSX workbook":
        return Sheet(path, member, name)
    if container is not None and container.title == "SQLite database":
        return SqliteTable(path, member, name)
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
