"""``findings``: all findings of a case, as a table for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


def findings(
    case: Annotated[Path, typer.Argument(help="Folder of the case.")],
    output: Annotated[
        Literal["csv", "json", "parquet", "xlsx"], typer.Option("--format", help="Kind of file.")
    ] = "csv",
    file: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")
    ] = None,
    code: Annotated[
        str | None, typer.Option(metavar="CODES", help="Only these codes or prefixes: A09,A17.")
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="[CASINO/]TABLE", help="Only this gaming table.")
    ] = None,
    severity: Annotated[
        Literal["violation", "warning", "notice"] | None, typer.Option(help="Only this severity.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Without the closing line.")] = False,
) -> None:
    """Print or export the findings of a case, in a fixed order.

    A workbook (xlsx) has a sheet for each article. Nothing in it is a formula or a link.

    Example: baccarat-audit findings case --code A09 --format csv -o draws.csv
    """
    from audit.case import open_case
    from audit.export import ALSO, read_findings, write_findings

    wanted: tuple[str, ...] = ()
    if code is not None:
        from audit.checks.select import chosen, prefixes  # knows all checks, which takes its time

        wanted = prefixes(code)
        chosen(wanted, (), option="--code")
    opened = open_case(case, evidence=False)
    try:
        rows = read_findings(
            opened.connection,
            codes=wanted,
            table=table,
            severity=severity,
            also=ALSO.get(output, ()),
        )
    finally:
        opened.close()
    filters = {"--code": code, "--table": table, "--severity": severity}
    only = ", ".join(f"{name} {value}" for name, value in filters.items() if value)
    write_findings(rows, output, file, opened.manifest, only)
    if file is not None and not quiet:
        typer.echo(f"{rows.height} findings written to {file}")
