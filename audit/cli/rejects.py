"""``rejects``: the rows that could not be audited, by kind, and how each kind is cured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    import polars as pl

_CELL, _ROW = 60, 160
"""Characters of a cell, and of a row, that are shown; an export has all."""

_FORMATS = ("csv", "json", "parquet")


def rejects(
    case: Annotated[Path, typer.Argument(help="Folder of the case.")],
    reason: Annotated[
        str | None, typer.Option(metavar="CODES", help="Only these reasons: missing,not_money.")
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this table of the log: rounds, bets.")
    ] = None,
    output: Annotated[
        Literal["text", "csv", "json", "parquet"] | None,
        typer.Option("--format", help="For people, or every row for programs."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write every row to a file."),
    ] = None,
    examples: Annotated[
        int, typer.Option(metavar="N", min=0, max=1000, help="Rows shown of each kind.")
    ] = 3,
    lang: Annotated[
        Literal["en", "zh-Hant", "pt"], typer.Option("--lang", help="Language of the remedies.")
    ] = "en",
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="The kinds and their numbers only.")
    ] = False,
) -> None:
    """Show the rows of the log that were rejected: how many of each kind, examples, the remedy.

    Example: baccarat-audit rejects case --table bets -o rejects.csv
    """
    from audit.case import open_case
    from audit.errors import OptionError
    from audit.export import write_rows
    from audit.rejects import read_rejects

    wanted = [each.strip() for each in (reason or "").split(",") if each.strip()]
    opened = open_case(case)
    try:
        rows = read_rejects(opened.connection, reasons=wanted, table=table)
        read = opened.connection.execute("SELECT sum(rows_read) FROM sources").fetchall()[0][0]
    finally:
        opened.close()
    kind = output or (_by_ending(file) if file is not None else "text")
    if kind != "text":
        write_rows(rows, kind, file)
        if file is not None and not quiet:
            typer.echo(f"{rows.height} rejected rows written to {file}")
        return
    if file is not None:
        raise OptionError(
            "text is for the terminal", where="--format", hint=f"Use {', '.join(_FORMATS)}"
        )
    _show(
        rows, int(read), filtered=bool(wanted or table), examples=examples, lang=lang, quiet=quiet
    )


def _by_ending(file: Path) -> Literal["csv", "json", "parquet"]:
    match file.suffix.lower():
        case ".json":
            return "json"
        case ".parquet":
            return "parquet"
        case _:
            return "csv"


def _show(
    rows: pl.DataFrame, read: int, *, filtered: bool, examples: int, lang: str, quiet: bool
) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from audit.cli.explain import console
    from audit.rejects import grouped, remedy, title
    from audit.report.words import visible

    out = console()
    groups = grouped(rows, examples)
    if quiet:
        for group in groups:
            typer.echo(f"{group.rows}  {visible(group.place)}  {group.reason}")
        return
    these = "of these " if filtered else ""
    count = f"{rows.height:,} {these}row{'' if rows.height == 1 else 's'}"
    if not filtered and not rows.height:
        count = "No row"
    was = "was" if rows.height == 1 or count == "No row" else "were"
    out.print(Text(f"{count} {was} rejected; {read:,} were read.", style="bold"))
    for group in groups:
        head = Text(f"\n{group.rows:,}  ", style="bold")
        head += Text(f"{visible(group.place)}: {title(group.reason, lang)}", style="bold yellow")
        head += Text(f" ({group.reason})", style="dim")
        out.print(head)
        for each in group.examples:
            place = f"{visible(each.source)}, row {each.row}"
            cell = "" if each.text is None else f": {visible(each.text, _CELL)}"
            out.print(Padding(Text(f"{place}{cell}"), (0, 0, 0, 2), expand=False))
            raw = Text(visible(each.raw, _ROW), style="dim")
            out.print(Padding(raw, (0, 0, 0, 4), expand=False))
        out.print(Padding(Text(f"Expected: {group.expected}."), (0, 0, 0, 2), expand=False))
        out.print(Padding(Text(remedy(group.reason, lang)), (0, 0, 0, 2), expand=False))
