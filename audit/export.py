"""Findings and rejects of a case for other programs."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from audit.case import COLUMNS
from audit.errors import OptionError
from audit.outputs import check_file, write_whole

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Plain = Literal["csv", "json", "parquet"]
Format = Literal[Plain, "xlsx"]

ALSO: dict[Format, tuple[str, ...]] = {"json": ("currency",), "xlsx": ("currency", "started_at")}
"""What a format gives beyond the columns of a finding row, which a CSV file has and no others."""

_AFTER = {"currency": "amount", "started_at": "round_no"}
"""The column that each of them stands behind."""

_ORDER = "casino, table_id, shoe_id, round_no, code, bet_id, subject, source, row"


def read_findings(
    connection: DuckDBPyConnection,
    *,
    codes: Sequence[str] = (),
    table: str | None = None,
    severity: str | None = None,
    also: Sequence[str] = (),
) -> pl.DataFrame:
    """The findings of a case that fit all filters, sorted, in the columns of a finding row.

    ``also`` names columns of ``ALSO`` to be given besides: the bet's currency, the round's time.
    ``codes`` are prefixes; ``table`` is ``TABLE`` or ``CASINO/TABLE``. Amounts are plain
    decimal text without trailing zeros, so that no reader makes floats of them by itself.
    """
    conditions, values = ["true"], list[str]()
    if codes:
        conditions.append("(" + " OR ".join("starts_with(code, ?)" for _ in codes) + ")")
        values += codes
    if table is not None:
        conditions.append("(table_id = ? OR casino || '/' || table_id = ?)")
        values += [table, table]
    if severity is not None:
        conditions.append("severity = ?")
        values.append(severity)
    names = list(COLUMNS)
    for name in also:
        names.insert(names.index(_AFTER[name]) + 1, name)
    columns = ", ".join(_column(name) for name in names)
    if table is not None:
        _demand_table(connection, table)
    where = " AND ".join(conditions)
    query = f"SELECT {columns} FROM findings WHERE {where} ORDER BY {_ORDER} NULLS FIRST"
    rows = connection.execute(query, values).fetchall()
    return pl.DataFrame(
        rows, schema={name: _TYPES.get(name, pl.String()) for name in names}, orient="row"
    )


_TYPES = {"round_no": pl.Int64(), "row": pl.Int64(), "started_at": pl.Datetime("us")}


def _demand_table(connection: DuckDBPyConnection, table: str) -> None:
    """OptionError for a gaming table that the case does not know: no findings is an all-clear."""
    from difflib import get_close_matches

    query = (
        "SELECT DISTINCT casino, table_id FROM findings UNION SELECT casino, table_id FROM shoes"
    )
    known = [(c or "-", t) for c, t in connection.execute(query).fetchall() if t is not None]
    names = sorted({name for casino, each in known for name in (each, f"{casino}/{each}")})
    if table not in names:
        close = get_close_matches(table, names, n=1, cutoff=0.0)
        raise OptionError(
            f"there is no table {table!r} in this case",
            where="--table",
            hint=f"The nearest is {close[0]!r}" if close else "",
        )


def _column(name: str) -> str:
    if name != "amount":
        return name
    return "rtrim(rtrim(CAST(amount AS VARCHAR), '0'), '.') AS amount"


def write_findings(
    rows: pl.DataFrame, kind: Format, file: Path | None, manifest: Mapping[str, Any], only: str = ""
) -> None:
    """Write to ``file``, or to standard output where there is none.

    ``manifest`` is that of the case, ``only`` names the filters that ``rows`` went through.
    """
    _write(
        file,
        kind,
        lambda: _sheets(rows, manifest, only) if kind == "xlsx" else _encoded(rows, kind),
    )


def write_rows(rows: pl.DataFrame, kind: Plain, file: Path | None) -> None:
    """Write rows of any table to ``file``, or to standard output where there is none."""
    _write(file, kind, lambda: _encoded(rows, kind))


def _write(file: Path | None, kind: Format, encoded: Callable[[], bytes]) -> None:
    if file is not None:
        check_file(file)
    elif kind in ("parquet", "xlsx") and sys.stdout.isatty():
        raise OptionError("this kind of file is not for the screen", hint="Name a file with -o")
    content = encoded()
    if file is not None:
        write_whole(file, content)
    else:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()


def _encoded(rows: pl.DataFrame, kind: Plain) -> bytes:
    if kind == "json":
        return (json.dumps(rows.to_dicts(), indent=1, ensure_ascii=False) + "\n").encode()
    buffer = io.BytesIO()
    if kind == "csv":
        rows.write_csv(buffer)
    else:
        rows.write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


def _sheets(rows: pl.DataFrame, manifest: Mapping[str, Any], only: str) -> bytes:
    from audit.export_xlsx import workbook

    facts = [
        ("case", manifest["case_id"]),
        ("made at", manifest["created_at"]),
        ("made by", f"{manifest['tool']} {manifest['tool_version']}"),
        ("findings", rows.height),
        *([("only", only)] if only else ()),
    ]
    return workbook(rows, facts, datetime.fromisoformat(manifest["created_at"]))
