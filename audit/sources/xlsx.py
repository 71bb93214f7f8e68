"""XLSX workbooks: each cell as the text that a person sees; formulas by the value last computed.

Numbers have no ``.0``, dates are ISO 8601. A sheet with an error value in it (``#N/A``) is
refused: the reader would take the cell for an empty one. A spreadsheet keeps no more than
fifteen digits of a number: longer ids must be text cells.
"""

from __future__ import annotations

import importlib
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import polars as pl

from audit.errors import LogError
from audit.sources.base import Batch, Source, unlike
from audit.sources.packed import refuse_bomb
from audit.sources.panics import unheard

MOST = 2 << 30
"""Bytes of XML that a workbook may unpack to: a sheet is read as a whole."""
ROWS = 250_000


_ERROR_CELL = re.compile(rb'<(?:\w+:)?c\b[^<>]*\st="e"[^<>]*>')
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    ElementTree.ParseError,
)


def _reader() -> ModuleType:
    try:
        return importlib.import_module("fastexcel")
    except ImportError:
        raise LogError(
            "workbooks need the package fastexcel, which is not installed",
            hint="pip install 'baccarat-audit[xlsx]', or save the sheets as CSV",
        ) from None


def _open(path: Path, name: str) -> Any:
    if not zipfile.is_zipfile(path):
        with path.open("rb") as handle:
            secret = handle.read(8) == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        raise LogError(
            "this is no XLSX workbook" + (" (it is an old or encrypted one)" if secret else ""),
            where=name,
            hint="Save it as XLSX without a password, or as CSV",
        )
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise _broken(error, name) from None
    if size > MOST:
        raise LogError(
            f"the workbook unpacks to more than {MOST >> 30} GiB", where=name, hint="Use CSV"
        )
    refuse_bomb(size, path.stat().st_size, name)
    try:
        module = _reader()
    except LogError as error:
        raise LogError(error.what, where=name, hint=error.hint) from None
    try:
        with unheard():
            return module.read_excel(str(path))
    except (OSError, ValueError, module.FastExcelError, pl.exceptions.PanicException) as error:
        raise _broken(error, name) from None


def _broken(error: BaseException, name: str) -> LogError:
    found = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return LogError(
        f"this is no sound XLSX workbook ({found[:120]})",
        where=name,
        hint="Save it again, or as CSV",
    )


def sheets_of(path: Path, name: str) -> tuple[str, ...]:
    """Names of the sheets, in the order of the workbook; raises LogError where it is none."""
    return tuple(str(sheet) for sheet in _open(path, name).sheet_names)


def _part_of(archive: zipfile.ZipFile, sheet: str) -> str | None:
    """Name of the member that holds a sheet's cells."""
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    for element in book.iter():
        if element.tag.endswith("}sheet") and element.get("name") == sheet:
            ids = [value for key, value in element.items() if key.endswith("}id")]
            target = targets.get(ids[0] if ids else None, "")
            part = target.removeprefix("/") if target[:1] == "/" else f"xl/{target}"
            return part if part in archive.namelist() else None
    return None


class Sheet(Source):
    """One sheet of a workbook: a header in its first row that is not blank, then the rows.

    Blank rows are no rows. A column without a name and without a cell is left out.
    """

    def __init__(self, path: Path, sheet: str, name: str) -> None:
        super().__init__(path, name)
        self._file = path
        self._sheet = sheet
        self._header, self._rows = self._load()
        unlike(self._header, self)

    @property
    def header(self) -> tuple[str, ...]:
        """Column names; an unnamed column is called ``column N``."""
        return self._header

    def _refuse_errors(self) -> None:
        """Raise LogError where a cell holds an error instead of a value."""
        with zipfile.ZipFile(self._file) as archive:
            part = _part_of(archive, self._sheet)
            if part is None:
                return
            tail = b""
            with archive.open(part) as stream:
                while chunk := stream.read(1 << 20):
                    tail += chunk
                    # Next to no sheet has one, so that the quick test is nearly all there is.
                    cell = _ERROR_CELL.search(tail) if b't="e"' in tail else None
                    if cell is not None:
                        place = re.search(rb'\br="(\w+)"', cell[0])
                        named = place[1].decode() if place else "somewhere"
                        raise self.fail(
                            f"the cell {named} of the sheet {self._sheet!r} holds an error"
                            " instead of a value",
                            "Correct its formula, or leave the cell empty",
                        )
                    tail = tail[-1000:]

    def _load(self) -> tuple[tuple[str, ...], pl.DataFrame]:
        workbook = _open(self._file, self.name)
        try:
            self._refuse_errors()
            with unheard():
                loaded = workbook.load_sheet(self._sheet, header_row=None, dtypes="string")
                cells: pl.DataFrame = loaded.to_polars()
        except (
            *_DAMAGED,
            _reader().FastExcelError,
            pl.exceptions.PanicException,
        ) as error:
            raise _broken(error, self.name) from None
        if cells.width:
            blank = pl.all_horizontal(pl.all().fill_null("").str.strip_chars() == "")
            cells = cells.filter(~blank)
        if not cells.height:
            raise self.fail(f"the sheet {self._sheet!r} is empty", "A header row was expected")
        names: list[str] = []
        kept: list[pl.Series] = []
        for number, column in enumerate(cells.iter_columns(), 1):
            title = (column[0] or "").strip()
            rest = column.slice(1)
            if title or rest.null_count() < rest.len():
                names.append(title or f"column {number}")
                kept.append(rest)
        unlike(names, self)
        named = [column.alias(title) for column, title in zip(kept, names, strict=True)]
        return tuple(names), pl.DataFrame(named)

    def batches(self) -> Iterator[Batch]:
        """Give the rows in slices."""
        for start in range(0, self._rows.height, ROWS):
            rows = self._rows.slice(start, ROWS)
            yield Batch(start + 1, rows.height, rows)
