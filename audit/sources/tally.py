"""A digest of rows that are in no file: what PostgreSQL's COPY would write of them.

The SHA-256 is that of ``COPY (...) TO STDOUT (HEADER)`` in its text format: a line of column
names, then a line for each row in its order; a tab between values, ``\\N`` for null, and escapes
for backslash and control characters. So anyone can make it again with psql alone.
"""

from __future__ import annotations

import hashlib

import polars as pl

_ESCAPES = {
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}


class Tally:
    """Counts and hashes rows as they pass; ``size`` in bytes."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._digest = hashlib.sha256()
        self.size = 0
        self.add(pl.DataFrame([[name] for name in names], schema=[*map(str, range(len(names)))]))

    def add(self, rows: pl.DataFrame) -> None:
        """Take in some rows, every column of which is text."""
        every = pl.all().str.replace_many(list(_ESCAPES), list(_ESCAPES.values()))
        lines = rows.with_columns(every.fill_null("\\N")).select(
            pl.concat_str(pl.all(), separator="\t")
        )
        text = "".join(f"{line}\n" for line in lines.to_series()).encode()
        self._digest.update(text)
        self.size += len(text)

    @property
    def sha256(self) -> str:
        """SHA-256 of all rows so far, in hex."""
        return self._digest.hexdigest()
