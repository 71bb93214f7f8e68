"""XLSX workbooks: each cell as the text that a person sees; formulas by the value last computed.

Numbers have no ``.0``, dates are ISO 8601. A cell with an error value (``#N/A``) counts as
empty. Excel keeps no more than fifteen digits of a number: longer ids must be text cells.
"""

from __future__ import annotations

import importlib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl

from audit.errors import LogError
from audit.sources.base import Batch, Source, unlike
from audit.sources.packed import refuse_bomb

MOST = 2 << 30
"""Bytes of XML that a workbook may unpack to: a sheet is read as a whole."""
ROWS = 250_000


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


class Sheet(Source):
    """One sheet of a workbook: a header in its first row that is not blank, then the rows.

    Blank rows are no rows. A column without a name and without a cell is left out.
    """

    def __init__(self, path: Path, sheet: str, name: str) -> None:
        super().__init__(path, name)
        self._file = path
        self._sheet = sheet
        self._header, self._rows = self._load()
        unlike(list(self._header), self)

    @property
    def header(self) -> tuple[str, ...]:
        """Column names; an unnamed column is called ``column N``."""
        return self._header

    def _load(self) -> tuple[tuple[str, ...], pl.DataFrame]:
        workbook = _open(self._file, self.name)
        try:
            loaded = workbook.load_sheet(self._sheet, header_row=None, dtypes="string")
            cells: pl.DataFrame = loaded.to_polars()
        except (ValueError, _reader().FastExcelError, pl.exceptions.PanicException) as error:
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
