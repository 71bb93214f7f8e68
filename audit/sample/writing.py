"""Writes the tables of a sample log as CSV, JSON Lines or Parquet, in pieces of bounded size."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING

from audit.sample.records import (
    BET_COLUMNS,
    FAULT_COLUMNS,
    ROUND_COLUMNS,
    Expected,
    Row,
    ShoeLog,
    bet_row,
    money,
    round_row,
    shoe_row,
    with_changes,
)
from audit.schema import TABLES, Kind, Table

if TYPE_CHECKING:
    import polars as pl

PIECE = 100_000
"""Rows held in memory, and in one Parquet file, of each table."""

NUMBERS = (Kind.COUNT, Kind.NUMBER, Kind.POINTS)
MONEY = (Kind.MONEY, Kind.MONEY_GAIN)
KINDS = {table.name: {c.name: c.kind for c in table.columns} for table in TABLES}


class TableWriter:
    """One table of the log. ``rows`` counts what was added; close it to have all written."""

    def __init__(self, folder: Path, name: str, columns: tuple[str, ...], form: str) -> None:
        self.folder = folder
        self.name = name
        self.columns = columns
        self.form = form
        self.rows = 0
        self._held: list[Row] = []
        self._files: list[str] = []
        self._handle: IO[str] | None = None

    def add(self, row: Row) -> tuple[str, int]:
        """Add a row; returns its place: the table and the number of rows before it."""
        place = (self.name, self.rows)
        self._held.append(row)
        self.rows += 1
        if len(self._held) == PIECE:
            self._flush()
        return place

    def close(self) -> None:
        """Write what is still held; a table without rows leaves no file."""
        if self._held:
            self._flush()
        if self._handle is not None:
            self._handle.close()
        if self.form == "parquet" and len(self._files) == 1:
            # One piece needs no folder of its own.
            alone = self.folder / self._files[0]
            alone.rename(self.folder / f"{self.name}.parquet")
            alone.parent.rmdir()
            self._files = [f"{self.name}.parquet"]

    def file_and_row(self, before: int) -> str:
        """``file:row`` of the row with ``before`` rows before it, once closed."""
        if self.form == "parquet":
            return f"{self._files[before // PIECE]}:{before % PIECE + 1}"
        return f"{self._files[0]}:{before + 1}"

    def _flush(self) -> None:
        if self.form == "parquet":
            self._write_parquet()
        else:
            handle = self._text()
            if self.form == "csv":
                handle.write("".join([",".join(row) + "\n" for row in self._held]))
            else:
                handle.writelines(_json_lines(self.name, self.columns, self._held))
        self._held = []

    def _text(self) -> IO[str]:
        if self._handle is None:
            file = f"{self.name}.{self.form}"
            self._files.append(file)
            self._handle = (self.folder / file).open("w", encoding="utf-8", newline="\n")
            if self.form == "csv":
                self._handle.write(",".join(self.columns) + "\n")
        return self._handle

    def _write_parquet(self) -> None:
        import polars as pl

        file = f"{self.name}/part-{len(self._files) + 1:04d}.parquet"
        (self.folder / self.name).mkdir(exist_ok=True)
        kinds = KINDS[self.name]
        frame = pl.DataFrame(
            {
                column: _typed(pl.Series(column, cells, dtype=pl.String), kinds[column])
                for column, cells in zip(self.columns, zip(*self._held, strict=True), strict=True)
            }
        )
        frame.write_parquet(self.folder / file)
        self._files.append(file)


def _typed(text: pl.Series, kind: Kind) -> pl.Series:
    """A column of text as Parquet's own type; empty text is null."""
    import polars as pl

    text = text.replace("", None)
    if kind in NUMBERS:
        return text.cast(pl.Int64)
    if kind in MONEY:
        return text.cast(pl.Decimal(18, 4))
    if kind is Kind.TIME:
        return text.str.to_datetime("%Y-%m-%d %H:%M:%S")
    if kind is Kind.DATE:
        return text.str.to_date("%Y-%m-%d")
    if kind is Kind.BOOLEAN:
        return text == "true"
    return text


def _json_lines(table: str, columns: tuple[str, ...], rows: Iterable[Row]) -> Iterable[str]:
    """One object a row, without the empty cells. Money stays text, so that it stays exact."""
    kinds = [KINDS[table][column] for column in columns]
    for row in rows:
        cells: dict[str, str | int | bool] = {}
        for column, kind, cell in zip(columns, kinds, row, strict=True):
            if not cell:
                continue
            if kind in NUMBERS:
                cells[column] = int(cell)
            elif kind is Kind.BOOLEAN:
                cells[column] = cell == "true"
            else:
                cells[column] = cell
        yield json.dumps(cells, separators=(",", ":")) + "\n"


class LogWriter:
    """All tables of one log, and the key of what was planted in it."""

    def __init__(self, folder: Path, form: str) -> None:
        self.folder = folder
        self.tables = {
            table.name: TableWriter(folder, table.name, _columns(table), form) for table in TABLES
        }
        self._expected: list[tuple[ShoeLog, Expected]] = []

    def add_all(self, table: Table, rows: Iterable[Row]) -> None:
        """Add rows that hold the table's columns in order."""
        for row in rows:
            self.tables[table.name].add(row)

    def add_shoe(self, log: ShoeLog) -> None:
        """Add a shoe, its rounds and bets; notes where the rows of its findings stand."""
        self.tables["shoes"].add(shoe_row(log))
        add_round, add_bet = self.tables["rounds"].add, self.tables["bets"].add
        for deal in log.rounds:
            if deal.absent:
                continue
            row = round_row(log, deal)
            place = add_round(row)
            if deal.reject:
                deal.reject.place = place
            if deal.repeat:
                deal.repeat.finding.place = add_round(
                    with_changes(row, ROUND_COLUMNS, deal.repeat.changed)
                )
            for bet in deal.bets + deal.strays if deal.strays else deal.bets:
                row = bet_row(log, deal, bet)
                place = add_bet(row)
                if bet.reject:
                    bet.reject.place = place
                if bet.repeat:
                    bet.repeat.finding.place = add_bet(
                        with_changes(row, BET_COLUMNS, bet.repeat.changed)
                    )
        self._expected += [(log, finding) for finding in log.expected]

    def close(self) -> dict[str, int]:
        """Write what is still held; returns the number of rows of each table."""
        for table in self.tables.values():
            table.close()
        return {name: table.rows for name, table in self.tables.items()}

    def write_key(self, name: str = "faults.csv") -> int:
        """Write the key, sorted as findings are, once closed; returns its number of rows."""
        rows = sorted(
            (
                finding.code,
                log.casino,
                log.table,
                log.shoe,
                str(finding.round_no),
                finding.bet_id,
                self._subject(finding),
                "" if finding.amount is None else money(finding.amount),
            )
            for log, finding in self._expected
        )
        rows.sort(key=lambda row: (*row[1:4], int(row[4]), row[0], row[5], row[6]))
        lines = [",".join(row) + "\n" for row in (FAULT_COLUMNS, *rows)]
        (self.folder / name).write_text("".join(lines), encoding="utf-8", newline="\n")
        return len(rows)

    def _subject(self, finding: Expected) -> str:
        if finding.place is None:
            return finding.subject
        table, before = finding.place
        return self.tables[table].file_and_row(before)


def _columns(table: Table) -> tuple[str, ...]:
    names = {"rounds": ROUND_COLUMNS, "bets": BET_COLUMNS}
    return names.get(table.name) or tuple(column.name for column in table.columns)
