"""``report``: the PDF of a case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


def report(
    case: Annotated[Path, typer.Argument(help="Folder of the case.")],
    file: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE.pdf", help="File to write.")
    ],
    lang: Annotated[
        str, typer.Option(metavar="LANG[,LANG]", help="en, zh-Hant, pt; several follow each other.")
    ] = "en",
    kind: Annotated[
        Literal["inspection", "self-check"], typer.Option(help="What the report is.")
    ] = "inspection",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Without the closing line.")] = False,
) -> None:
    """Render the report of a case as an archival PDF, the same bytes for the same case.

    Example: baccarat-audit report case -o report.pdf --lang zh-Hant,pt
    """
    from audit.cli.progress import stage
    from audit.report import render_report

    languages = [one.strip() for one in lang.split(",") if one.strip()]
    with stage("Rendering the report", quiet=quiet):
        render_report(case, file, lang=languages, kind=kind)
    if not quiet:
        typer.echo(f"Report written to {file}")
