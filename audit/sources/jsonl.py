"""JSON Lines: one object a line, each number with exactly the digits that were written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from audit.sources.base import Batch, Damage, Source, unlike
from audit.sources.encoding import PIECE, pieces

EXPECTED = "one JSON object on the line"


class JsonLines(Source):
    """A file of JSON objects, one on each line. A line that is none is a damaged row."""

    def __init__(self, path: Path, name: str, piece: int = PIECE) -> None:
        super().__init__(path, name)
        self._piece = piece
        for text in pieces(self, 1 << 16):
            if text.strip():
                return
        raise self.fail("the file holds blank lines only", "JSON objects, one on each line, were expected")

    @property
    def header(self) -> None:
        """None: each object brings its own names."""
        return None

    def batches(self) -> Iterator[Batch]:
        """Read the rows; raises LogError where one object has two names that differ by case."""
        first = 1
        for piece in pieces(self, self._piece):
            lines = [line for line in piece.decode("utf-8").split("\n") if line.strip()]
            if lines:
                yield self._batch(lines, first)
            first += len(lines)

    def _batch(self, lines: list[str], first: int) -> Batch:
        columns: dict[str, list[str | None]] = {}
        damaged: list[Damage] = []
        for at, line in enumerate(lines):
            record = _object(line)
            if record is None:
                damaged.append(Damage(first + at, "not_an_object", line, EXPECTED, True))
                continue
            for name, value in record.items():
                column = columns.get(name)
                if column is None:
                    column = columns[name] = []
                if value is not None:
                    column.extend([None] * (at - len(column)))
                    column.append(value if type(value) is str else _text(value))
        for column in columns.values():
            column.extend([None] * (len(lines) - len(column)))
        unlike(list(columns), self)
        frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
        if not columns:
            frame = pl.DataFrame({"column 1": pl.Series([None] * len(lines), dtype=pl.String)})
        return Batch(first, len(lines), frame, tuple(damaged))


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a name stands twice")
    return record


class _Number(str):
    """A number as written."""

    __slots__ = ()


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_float=_Number, parse_int=_Number, parse_constant=_Number
)


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = _DECODER.decode(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(value: Any) -> str:
    """Text of one JSON value; a list of cards becomes a hand, an exponent is written out."""
    if isinstance(value, _Number):
        return format(Decimal(value), "f") if "e" in value.lower() else str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return " ".join(_text(item) for item in value if item is not None)
    return json.dumps(value, ensure_ascii=False)
