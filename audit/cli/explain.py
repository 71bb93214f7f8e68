"""``explain``: what a check tests, and why."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from audit.checks import Check


def explain(
    code: Annotated[
        str | None, typer.Argument(help="Code of a check, or a prefix; all are listed without.")
    ] = None,
    output: Annotated[
        Literal["text", "json"], typer.Option("--format", help="For people or for programs.")
    ] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Code and title only.")] = False,
) -> None:
    """Explain a check: what it tests, the article, an example, what is not flagged.

    Example: baccarat-audit explain A0901
    """
    from audit.checks import CHECKS
    from audit.checks.select import chosen

    checks = CHECKS if code is None else chosen((code.upper(),), ())
    if output == "json":
        typer.echo(json.dumps([_plain(check) for check in checks], indent=2, ensure_ascii=False))
    elif quiet or code is None or len(checks) > 1:
        _list(checks, plain=quiet)
    else:
        _explain(checks[0])


def _plain(check: Check) -> dict[str, str]:
    return {
        "code": check.code,
        "title": check.title,
        "article": check.article,
        "severity": check.severity,
        **{heading.lower().replace(" ", "_"): text for heading, text in check.sections.items()},
    }


def _list(checks: Sequence[Check], *, plain: bool) -> None:
    if plain:
        typer.echo("\n".join(f"{check.code}  {check.title}" for check in checks))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("Code", "Article", "Severity", "Fires when"):
        table.add_column(column, no_wrap=column == "Code")
    for check in checks:
        table.add_row(check.code, check.article or "-", check.severity, check.title)
    Console().print(table)


def _explain(check: Check) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(width=min(Console().width, 92))
    console.print(Text.assemble((check.code, "bold"), "  ", (check.title + ".", "bold")))
    basis = f"art. {check.article}" if check.article else "integrity of the log"
    console.print(f"{basis}, {check.severity}", style="dim")
    for heading, text in check.sections.items():
        console.print()
        console.print(Text(heading, style="cyan"))
        console.print(Padding(Text(text[:1].upper() + text[1:]), (0, 0, 0, 2)))
