"""Rejected rows by kind: how many, the first of each, and how many are too many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import polars as pl

from audit.errors import LogError, OptionError
from audit.messages import catalogue
from audit.normalise.rejects import REJECTS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

KIND = ("table", "column", "reason")
"""What rejects are grouped by; ``column`` is null for rows broken as a whole."""

_SHOWN = 60
"""Characters of a cell that a sentence shows."""


@dataclass(frozen=True, slots=True)
class Example:
    """A rejected row: its file, its number there, the cell at fault and the whole row as JSON."""

    source: str
    row: int
    text: str | None
    raw: str


@dataclass(frozen=True, slots=True)
class Group:
    """Rejects of one kind, ``examples`` being the first in file order with different texts."""

    table: str
    column: str | None
    reason: str
    expected: str
    rows: int
    examples: tuple[Example, ...]

    @property
    def place(self) -> str:
        """``rounds.player_cards``, or the table alone for rows broken as a whole."""
        return self.table if self.column is None else f"{self.table}.{self.column}"


def grouped(rejects: pl.DataFrame, examples: int = 3) -> tuple[Group, ...]:
    """Rejects (columns of ``REJECTS``) by table, column and reason, the commonest first."""
    counts = rejects.group_by(KIND).agg(pl.len().alias("rows"), pl.col("expected").first())
    ordered = counts.sort(["rows", *KIND], descending=[True, False, False, False])
    groups = []
    for kind in ordered.iter_rows(named=True):
        same = [pl.col(name).eq_missing(pl.lit(kind[name], pl.String)) for name in KIND]
        rows = rejects.filter(pl.all_horizontal(same)).sort("source", "row")
        first = rows.unique("text", keep="first", maintain_order=True).head(examples)
        shown = tuple(Example(*row) for row in first.select("source", "row", "text", "raw").rows())
        groups.append(Group(**kind, examples=shown))
    return tuple(groups)


@dataclass(frozen=True, slots=True)
class Limit:
    """How many rejects a run may have: a number of rows, or a share of those read."""

    text: str
    rows: int | None = None
    percent: Decimal | None = None

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Read ``20`` or ``0.5%``."""
        plain = text.strip()
        if re.fullmatch(r"[0-9]{1,12}", plain):
            return cls(plain, rows=int(plain))
        if re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{1,6})?%", plain) and Decimal(plain[:-1]) <= 100:
            return cls(plain, percent=Decimal(plain[:-1]))
        raise OptionError(
            f"{text!r} is neither a number of rows nor a share of them",
            where="--max-rejects",
            hint="Write such as 20 or 0.5%",
        )

    def exceeded(self, rejected: int, read: int) -> bool:
        """Whether ``rejected`` of ``read`` rows are more than this."""
        if self.rows is not None:
            return rejected > self.rows
        return rejected * 100 > read * (self.percent or 0)


def refuse_many(rejects: pl.DataFrame, read: int, limit: Limit | None) -> None:
    """Raise LogError where a log of ``read`` rows has more rejects than ``limit``."""
    if limit is None or not limit.exceeded(rejects.height, read):
        return
    worst = grouped(rejects)[0]
    rows = "row was" if rejects.height == 1 else "rows were"
    raise LogError(
        f"{rejects.height:,} of {read:,} {rows} rejected, more than --max-rejects {limit.text} "
        f"lets through; the commonest reason ({worst.rows:,}, {worst.place}) is: "
        f"{title(worst.reason)}{told(worst)}",
        hint="Correct the log or its profile, or let more through; without the option they are "
        "reported and the rest is audited",
    )


def told(group: Group) -> str:
    """Examples of a group, as the end of a sentence: ``, such as 'XX' (rounds.csv, row 3)``."""
    texts = []
    for example in group.examples:
        cell = example.raw if example.text is None else example.text
        cut = cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}..."
        texts.append(f"{cut!r} ({example.source}, row {example.row})")
    return f", such as {', '.join(texts)}" if texts else ""


def title(reason: str, lang: str = "en") -> str:
    """A reason in words."""
    return str(catalogue(lang)["reject"][reason])


def remedy(reason: str, lang: str = "en") -> str:
    """What cures a reason, a sentence."""
    return str(catalogue(lang)["remedy"][reason])


def read_rejects(
    connection: DuckDBPyConnection, *, reasons: Sequence[str] = (), table: str | None = None
) -> pl.DataFrame:
    """The rejects of a case that fit all filters, by file and row.

    OptionError for a reason or a table of the log that there is not.
    """
    known = catalogue("en")["reject"]
    for reason in reasons:
        _demand(reason, list(known), "--reason")
    if table is not None:
        tables = connection.execute('SELECT DISTINCT "table" FROM sources ORDER BY 1').fetchall()
        _demand(table, [str(name) for (name,) in tables], "--table")
    columns = ", ".join(f'"{name}"' for name in REJECTS)
    conditions, values = ["true"], list[str]()
    if reasons:
        conditions.append(f"reason IN ({', '.join('?' for _ in reasons)})")
        values += reasons
    if table is not None:
        conditions.append('"table" = ?')
        values.append(table)
    query = f"SELECT {columns} FROM rejects WHERE {' AND '.join(conditions)}"
    rows = connection.execute(f'{query} ORDER BY source, row, "table"', values).fetchall()
    return pl.DataFrame(rows, schema=REJECTS, orient="row")


def _demand(name: str, known: Sequence[str], option: str) -> None:
    if name not in known:
        raise OptionError(
            f"there is no {option[2:]} {name!r} here",
            where=option,
            hint=f"Choose among {', '.join(known)}",
        )
