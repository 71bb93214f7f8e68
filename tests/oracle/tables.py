"""CSV files of a folder, as rows of text that know their file and number."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


class OracleError(Exception):
    """The log cannot be read at all."""


@dataclass(frozen=True)
class Row:
    """One data row: stripped cells by lower-case column name, absent columns left out."""

    source: str
    cells: dict[str, str]
    ragged: bool = False

    def text(self, column: str) -> str:
        return self.cells.get(column, "")

    @property
    def casino(self) -> str:
        return self.text("casino") or "-"


def files_of(folder: Path, table: str) -> list[Path]:
    """`rounds.csv`, `rounds-2007-07.csv` and `rounds/*.csv` are the table `rounds`."""
    found = [
        path
        for path in folder.glob("*.csv")
        if path.stem == table or path.stem.startswith(table + "-")
    ]
    found += (folder / table).glob("*.csv")
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def rows_of(folder: Path, table: str, required: tuple[str, ...]) -> list[Row] | None:
    """All rows of a table in file order, files in name order; None if there is no file."""
    files = files_of(folder, table)
    if not files:
        return None
    return [row for path in files for row in _file_rows(path, folder, required)]


def _file_rows(path: Path, folder: Path, required: tuple[str, ...]) -> Iterator[Row]:
    name = path.relative_to(folder).as_posix()
    with path.open(encoding="utf-8-sig", newline="") as stream:
        lines = csv.reader(stream)
        header = [column.strip().lower() for column in next(lines, [])]
        missing = [column for column in required if column not in header]
        if missing:
            raise OracleError(f"{name}: no column {', '.join(missing)}")
        full = (line for line in lines if line)
        for number, line in enumerate(full, 1):
            cells = dict(zip(header, (cell.strip() for cell in line), strict=False))
            yield Row(f"{name}:{number}", cells, ragged=len(line) != len(header))
