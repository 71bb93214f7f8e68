"""Findings as a workbook: a summary sheet, then one sheet for each article. Nothing in it runs.

Every text is written as a text, whatever it begins with; the writer's own guesses (formulas,
links, numbers) are not used. The same findings give the same bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from importlib import import_module
from typing import Any

import polars as pl

from audit.checks import CHECKS
from audit.export_totals import Total, totals

ROWS, LONGEST, DIGITS = 1_048_576, 32_767, 15
"""What a sheet holds: rows, UTF-16 units of a cell's text, digits of a number that stay exact."""

_ILLEGAL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)
"""What XML cannot hold or gives back changed, and marks that turn the direction of a text."""

_WIDTHS = {
    "message": 70,
    "id": 14,
    "severity": 11,
    "started_at": 19,
    "source": 24,
    "consequence": 24,
}
_MONEY, _TIME = "0.00####", "yyyy-mm-dd hh:mm:ss"
_EPOCH = datetime(1900, 3, 1)
"""From here on sheets agree on what day a number is."""


@dataclass
class Book:
    """A workbook being written, with what its summary has to say of it."""

    workbook: Any
    formats: Mapping[str, Any] = field(init=False)
    cut: int = 0

    def __post_init__(self) -> None:
        self.formats = {
            "head": self.workbook.add_format({"bold": True, "bottom": 1}),
            **{kind: self.workbook.add_format({"num_format": kind}) for kind in (_MONEY, _TIME)},
        }

    def put(self, sheet: Any, row: int, column: int, value: object, style: str = "") -> None:
        """One cell by the type of its value; a number with too many digits stays a text."""
        if value is None or value == "":
            return
        if isinstance(value, datetime) and value >= _EPOCH:
            sheet.write_datetime(row, column, value, self.formats[_TIME])
        elif isinstance(value, int) and abs(value) < 10**DIGITS:
            sheet.write_number(row, column, value)
        elif isinstance(value, Decimal) and len(value.normalize().as_tuple().digits) <= DIGITS:
            sheet.write_number(row, column, value, self.formats[_MONEY])
        else:
            text = f"{value:f}" if isinstance(value, Decimal) else str(value)
            shown = cell_text(text)
            self.cut += shown.endswith(_ENDING)
            sheet.write_string(row, column, shown, self.formats.get(style))


_ENDING = "… (cut here; whole in the CSV file)"


def cell_text(text: str) -> str:
    """``text`` as a cell holds it: what XML cannot hold made visible, too long a text cut."""
    if len(text) <= LONGEST // 2 and text.isprintable():
        return text
    shown = _ILLEGAL.sub(lambda match: f"‹U+{ord(match[0]):04X}›", text)
    if len(shown.encode("utf-16-le")) <= 2 * LONGEST:
        return shown
    kept = shown.encode("utf-16-le")[: 2 * (LONGEST - len(_ENDING))]
    return kept.decode("utf-16-le", "ignore") + _ENDING


def workbook(rows: pl.DataFrame, facts: Sequence[tuple[str, object]], made: datetime) -> bytes:
    """The findings ``rows`` as the bytes of a workbook.

    ``facts`` are the lines above the summary, ``made`` the date in the file's metadata.
    """
    target = io.BytesIO()
    options = {"constant_memory": True, "in_memory": False}
    book = Book(import_module("xlsxwriter").Workbook(target, options))
    book.workbook.set_properties({"created": made.astimezone(UTC).replace(tzinfo=None)})
    first = book.workbook.add_worksheet("Summary")
    names: dict[str, list[str]] = {}
    for article, part in _parts(rows):
        names[article] = [_sheet(book, name, piece) for name, piece in _pieces(article, part)]
    _summary(book, first, facts, names, totals(rows))
    book.workbook.close()
    return target.getvalue()


def article_of(code: str) -> str:
    """The name of the sheet that a code's findings are on."""
    if code.startswith("A"):
        return f"Art. {int(code[1:3])}"
    return "Log" if code.startswith("L") else "Statistics"


def _parts(rows: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The findings of each article, articles in the order of their codes."""
    order = {article_of(code): None for code in sorted(set(rows["code"]))}
    named = rows.with_columns(
        pl.col("code").replace_strict({c: article_of(c) for c in set(rows["code"])}).alias("sheet")
        if rows.height
        else pl.lit("").alias("sheet")
    )
    for article in order:
        yield article, named.filter(pl.col("sheet") == article).drop("sheet")


def _pieces(article: str, part: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The findings of an article in as many sheets as they need."""
    for number, start in enumerate(range(0, part.height, ROWS - 1), 1):
        yield article + (f" ({number})" if number > 1 else ""), part.slice(start, ROWS - 1)


def _sheet(book: Book, name: str, rows: pl.DataFrame) -> str:
    sheet = book.workbook.add_worksheet(name)
    for column, title in enumerate(rows.columns):
        sheet.set_column(column, column, _WIDTHS.get(title, 12))
        book.put(sheet, 0, column, title, "head")
    money = rows.columns.index("amount")
    for number, row in enumerate(rows.iter_rows(), 1):
        for column, value in enumerate(row):
            book.put(sheet, number, column, Decimal(value) if column == money and value else value)
    _header(sheet, 0, rows.height, len(rows.columns))
    return name


def _header(sheet: Any, row: int, count: int, columns: int) -> None:
    """The header stays in sight and filters; a number meant as a text is no mistake."""
    sheet.freeze_panes(row + 1, 0)
    sheet.autofilter(row, 0, row + count, columns - 1)
    sheet.ignore_errors({"number_stored_as_text": "A1:XFD1048576"})


_SUMMARY = (
    "sheet", "code", "title", "severity", "findings", "accepted", "currency", "overpaid",
    "short-changed",
)  # fmt: skip


def _summary(
    book: Book,
    sheet: Any,
    facts: Sequence[tuple[str, object]],
    names: Mapping[str, Sequence[str]],
    found: Sequence[Total],
) -> None:
    titles = {check.code: check.title for check in CHECKS}
    lines = [*facts, *_notes(book, names)]
    for column, width in enumerate((18, 12, 60, 11, 10, 10, 10, 16, 16)):
        sheet.set_column(column, column, width)
    for row, (label, value) in enumerate(lines):
        book.put(sheet, row, 0, label, "head")
        book.put(sheet, row, 1, value)
    top = len(lines) + 1
    for column, title in enumerate(_SUMMARY):
        book.put(sheet, top, column, title, "head")
    for row, total in enumerate(found, top + 1):
        article = article_of(total.code)
        cells = (
            article, total.code, titles.get(total.code, ""), total.severity, total.findings,
            total.accepted, total.currency, total.overpaid, total.short,
        )  # fmt: skip
        for column, value in enumerate(cells):
            book.put(sheet, row, column, value)
    _header(sheet, top, len(found), len(_SUMMARY))


def _notes(book: Book, names: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    for article, sheets in names.items():
        if len(sheets) > 1:
            yield f"{article} goes on", f"on {', '.join(sheets[1:])}: a sheet holds {ROWS:,} rows"
    if book.cut:
        yield "cells cut", f"{book.cut}, longer than the {LONGEST:,} characters that a cell holds"
