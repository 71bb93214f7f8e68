"""What the files and tables of a case hash to.

A table of the database is hashed by what it holds, since DuckDB gives each file an identity of
its own, so that the same tables never make the same bytes. The bytes are in ``SHA256SUMS``, the
one file of a case that is different each time; ``sha256sum -c SHA256SUMS`` reads it too.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SUMS = "SHA256SUMS"
_CLOSING = "# SHA-256 of the lines above: "
_ROWS = 10_000

_WAITING = 4
"""Pieces that may wait for their turn to be hashed."""


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


class Sha256:
    """A SHA-256 that is worked out in a thread of its own, while more bytes are read."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._digest = hashlib.sha256()
        self._pool = pool
        self._waiting: deque[Future[None]] = deque()

    def update(self, data: bytes) -> None:
        """Go on with these bytes."""
        self._waiting.append(self._pool.submit(self._digest.update, data))
        if len(self._waiting) > _WAITING:
            self._waiting.popleft().result()

    def hexdigest(self) -> str:
        """Of all bytes so far."""
        while self._waiting:
            self._waiting.popleft().result()
        return self._digest.hexdigest()


@contextmanager
def hashing() -> Iterator[Sha256]:
    """A SHA-256 beside other work, which ends with the block."""
    with ThreadPoolExecutor(1) as pool:
        yield Sha256(pool)


def table_lines(connection: DuckDBPyConnection, name: str) -> Iterator[str]:
    """A table of the database as lines: names and types of its columns, then a line for each row.

    Each line is a JSON array; values are text as DuckDB casts them, null where there is none.
    """
    described = connection.execute(f'DESCRIBE "{name}"').fetchall()
    yield json.dumps([f"{column} {kind}" for column, kind, *_ in described], ensure_ascii=False)
    texts = ", ".join(f'CAST("{column}" AS VARCHAR)' for column, *_ in described)
    cursor = connection.execute(f'SELECT json_array({texts}) FROM "{name}"')
    while rows := cursor.fetchmany(_ROWS):
        yield from (line for (line,) in rows)


def table_sha256(connection: DuckDBPyConnection, name: str) -> str:
    """SHA-256 of ``table_lines``, each closed by a newline: one changed value changes it."""
    digest = hashlib.sha256()
    for line in table_lines(connection, name):
        digest.update(line.encode())
        digest.update(b"\n")
    return digest.hexdigest()


def write_sums(folder: Path, known: Mapping[str, str] | None = None) -> None:
    """Write ``SHA256SUMS`` over all files of ``folder``; its last line vouches for the others.

    ``known`` has the SHA-256 of files that need not be read again, by name.
    """
    names = sorted(path.name for path in folder.iterdir() if path.name != SUMS)
    sums = {name: (known or {}).get(name) or file_sha256(folder / name) for name in names}
    lines = "".join(f"{sha256}  {name}\n" for name, sha256 in sums.items())
    (folder / SUMS).write_text(lines + _closing(lines), encoding="utf-8")


def read_sums(folder: Path) -> dict[str, str] | None:
    """SHA-256 by file name, or None where ``SHA256SUMS`` is not as it was written."""
    text = (folder / SUMS).read_bytes().decode("utf-8", errors="replace")
    lines, mark, _ = text.partition(_CLOSING)
    if not mark or text != lines + _closing(lines):
        return None
    return {name: sha for sha, _, name in (line.partition("  ") for line in lines.splitlines())}


def _closing(lines: str) -> str:
    return f"{_CLOSING}{hashlib.sha256(lines.encode()).hexdigest()}\n"
