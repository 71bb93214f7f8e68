"""JSON Lines: one object a line, each number with exactly the digits that were written.

Readers of JSON turn numbers into binary floats, which changes their text (``1.10``). So the
quick road puts each number in quotes before polars reads the lines, and proves afterwards
that no value was lost; whatever is not so plain is decoded object by object.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import polars as pl

from audit.sources.base import CELLS, Batch, Content, Damage, Source, refuse_many, unlike
from audit.sources.encoding import PIECE, pieces

EXPECTED = "one JSON object on the line"
LARGEST_EXPONENT = 40
"""Powers of ten beyond this are left as written; no column holds such a number."""

_NUMBER = r'(": ?)(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?)( ?[,}])'
_NUMBER_LEFT = r'":\s*[-0-9]'
_NOT_PLAIN = ("\\", "[", "\0", " :", "\t:", "\r:")
"""Escapes, lists, NUL and a blank before a colon: left to the slower road."""


class JsonLines(Source):
    """A file of JSON objects, one on each line. A line that is none is a damaged row."""

    def __init__(self, path: Content, name: str, piece: int = PIECE) -> None:
        super().__init__(path, name)
        self._piece = piece
        if not any(text.strip() for text in pieces(self, 1 << 16)):
            raise self.fail(
                "the file holds blank lines only", "JSON objects, one a line, were expected"
            )

    @property
    def header(self) -> None:
        """None: each object brings its own names."""
        return

    def batches(self) -> Iterator[Batch]:
        """Read the rows; raises LogError where two names differ by case only."""
        first = 1
        names: dict[str, None] = {}
        for piece in pieces(self, self._piece):
            text = piece.decode("utf-8")
            quick = self._quick(text, first, names)
            for batch in [quick] if quick is not None else self._one_by_one(text, first):
                if len(batch.damaged) < batch.count:
                    names |= dict.fromkeys(batch.rows.columns)
                unlike(names, self)
                if batch.count:
                    yield batch
                first += batch.count
        if not names:
            raise self.fail("no line is a JSON object", f"Expected was {EXPECTED}")

    def _quick(self, text: str, first: int, names: dict[str, None]) -> Batch | None:
        """Read plain objects with polars; None where they are not plain."""
        if any(mark in text for mark in _NOT_PLAIN):
            return None
        head = _object(text[: text.find("\n") + 1] or text)
        if not head:
            return None
        schema = dict.fromkeys((*names, *head), pl.String)
        refuse_many(len(schema), self)
        if (text.count("\n") + 1) * len(schema) > CELLS:
            return None
        lines = pl.Series(text.removesuffix("\n").split("\n"))
        quoted = lines.str.replace_all(_NUMBER, '$1"$2"$3')
        if quoted.str.contains(_NUMBER_LEFT).any():
            return None
        try:
            rows = pl.read_ndjson(io.BytesIO(quoted.str.join("\n")[0].encode()), schema=schema)
        except pl.exceptions.PolarsError:
            return None
        # Each name written must have given a value or a null. A name that stands twice in an
        # object, or that is not in the schema, would have lost its value.
        written = text.count('":')
        nulls = text.count('":null') + text.count('": null')
        kept = rows.height * rows.width - sum(rows.null_count().row(0))
        if kept + nulls != written or rows.height != lines.len():
            return None
        return Batch(first, rows.height, rows, nul=False)

    def _one_by_one(self, text: str, first: int) -> Iterator[Batch]:
        lines = (line for line in text.split("\n") if line.strip())
        items = ((_object(line), line) for line in lines)
        return batches_of(items, first, EXPECTED, self)


Item = tuple[dict[str, str | None] | None, str]
"""A decoded object, or None with the text that is none."""


def batches_of(
    items: Iterable[Item], first: int, expected: str, source: Source, rows: int = CELLS
) -> Iterator[Batch]:
    """Rows of decoded objects, as many in a batch as fit: ``CELLS`` cells, or ``rows``.

    Raises LogError for too many names, before a column is made of each.
    """
    some: list[Item] = []
    names: set[str] = set()
    for item in items:
        some.append(item)
        names.update(item[0] or ())
        refuse_many(len(names), source)
        if len(some) * len(names) > CELLS or len(some) == rows:
            yield _batch_of(some, first, expected)
            first += len(some)
            some, names = [], set()
    if some:
        yield _batch_of(some, first, expected)


def _batch_of(items: list[Item], first: int, expected: str) -> Batch:
    columns: dict[str, list[str | None]] = {}
    damaged: list[Damage] = []
    for at, (record, text) in enumerate(items):
        if record is None:
            damaged.append(Damage(first + at, "not_an_object", text, expected, True))
            continue
        for name, value in record.items():
            column = columns.setdefault(name, [])
            if value is not None:
                column.extend([None] * (at - len(column)))
                column.append(value)
    columns = columns or {"column 1": []}
    for column in columns.values():
        column.extend([None] * (len(items) - len(column)))
    rows = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    return Batch(first, len(items), rows, tuple(damaged))


def _written_out(number: str) -> str:
    """A number as written; one with an exponent (``1e3``) is written out, exactly."""
    mantissa, e, exponent = number.lower().partition("e")
    if not e or len(exponent) > 4 or abs(int(exponent)) > LARGEST_EXPONENT:
        return number
    return format(Decimal(f"{mantissa}e{exponent}"), "f")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        values = [pair for pair in pairs if pair[1] is not None]
        if len({name for name, _ in values}) != len(values):
            raise ValueError("a name stands twice, each time with a value")
        record |= dict(values)
    return record


DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_float=_written_out, parse_int=str, parse_constant=str
)
"""Keeps the text of numbers; refuses an object with two values for one name."""


def _object(line: str) -> dict[str, str | None] | None:
    """The object of a line as texts, None where it is none or cannot be written as text."""
    try:
        return as_record(DECODER.decode(line))
    except (ValueError, RecursionError):
        return None


def as_record(value: Any) -> dict[str, str | None] | None:
    """A decoded object as texts, None where it is none or cannot be written as text.

    Too deep a nesting, and half a surrogate pair, are no text of a log.
    """
    if not isinstance(value, dict):
        return None
    try:
        record = {
            name: each if each is None or type(each) is str else _text(each)
            for name, each in value.items()
        }
        "".join(filter(None, (*record, *record.values()))).encode()
    except (ValueError, RecursionError):
        return None
    return record


def _text(value: Any) -> str:
    """Text of one JSON value; a list of cards becomes a hand."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return " ".join(_text(item) for item in value if item is not None)
    return json.dumps(value, ensure_ascii=False)
