"""``sql``: questions of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


def sql(
    case: Annotated[Path, typer.Argument(help="Folder of the case.")],
    statement: Annotated[str, typer.Argument(metavar='"SELECT ..."', help="One statement.")],
    output: Annotated[
        Literal["text", "csv", "json"], typer.Option("--format", help="For people or programs.")
    ] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Without the closing line.")] = False,
) -> None:
    """Ask the case in SQL, read-only: findings, rejects, sources, rounds, bets and more.

    Example: baccarat-audit sql case "SELECT table_id, count(*) FROM findings GROUP BY ALL"
    """
    from audit.case import open_case
    from audit.query import query

    opened = open_case(case)
    try:
        names, rows = query(opened, statement)
    finally:
        opened.close()
    if output == "json":
        import json

        found = [dict(zip(names, row, strict=True)) for row in rows]
        typer.echo(json.dumps(found, indent=1, ensure_ascii=False, default=str))
    elif output == "csv":
        import csv
        import sys

        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerows([names, *rows])
    else:
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        from audit.report.words import visible

        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for name in names:
            table.add_column(Text(visible(name)))
        for row in rows:
            table.add_row(*(Text("" if cell is None else visible(str(cell))) for cell in row))
        Console().print(table)
        if not quiet:
            typer.echo(f"{len(rows)} rows")
