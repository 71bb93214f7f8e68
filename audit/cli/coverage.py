"""``rules coverage``: every provision of the regulation, its checks, or why there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from audit.coverage import Row

_COLOURS = {
    "not_in_log": "dim",
    "no_norm": "dim",
    "reading": "dim",
    "not_in_force": "dim",
    "nothing": "dim",
    "partly": "yellow",
    "not_applied": "yellow",
    "not_selected": "yellow",
    "crashed": "red",
}


def coverage(
    lang: Annotated[Literal["en", "zh-Hant", "pt"], typer.Option(help="Language.")] = "en",
    output: Annotated[
        Literal["text", "json", "markdown"], typer.Option("--format", help="Form of the table.")
    ] = "text",
    case: Annotated[
        Path | None, typer.Option(help="Say what became of each check in this case.")
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Provisions and codes only, one a line.")
    ] = False,
) -> None:
    """Every provision of the regulation: the checks that test it, or why none does.

    Example: baccarat-audit rules coverage --lang pt --case case
    """
    from audit.coverage import table

    rows = table(lang, None if case is None else _accounts(case))
    if output == "json":
        typer.echo(json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2))
    elif output == "markdown":
        typer.echo("\n".join(_markdown(rows, lang, with_case=case is not None)))
    elif quiet:
        for row in rows:
            typer.echo(f"{row.article}\t{' '.join((*row.checks, *row.covered_by)) or '-'}")
    else:
        from audit.cli.explain import console

        out = console()
        for part in _text(rows, lang, out.width, with_case=case is not None):
            out.print(part)


def _accounts(case: Path) -> Mapping[str, Any]:
    """What the table needs of a case: its checks, what they were not applied to, its rule sets."""
    from audit.case import open_case
    from audit.report.query import rows

    opened = open_case(case)
    with opened.connection as connection:
        return {
            name: rows(connection, f"SELECT * FROM {name}")
            for name in ("checks", "not_applied", "rulesets")
        }


def _text(
    rows: Sequence[Row], lang: str, width: int, *, with_case: bool
) -> Iterator[RenderableType]:
    """A heading for each article, under it its provisions in three columns, then the sum."""
    from rich.table import Table
    from rich.text import Text

    from audit.cli.explain import wrapped
    from audit.coverage import in_total, phrase
    from audit.report.words import words

    spoken = words(lang)
    cited = min(22, width // 4)
    about = (width - cited - 4) * (4 if with_case else 5) // 10
    tested = width - cited - about - 4
    for number, each in groupby(rows, key=lambda row: row.number):
        heading = spoken.text("heading", str(number))
        title = spoken.ui("article_title", n=spoken.article_number(number), heading=heading)
        yield Text(title, style="bold")
        grid = Table.grid(padding=(0, 2, 0, 0))
        for column in (cited, about, tested):
            grid.add_column(width=column, no_wrap=True)
        for row in each:
            says = row.about
            if row.when:
                says = phrase("in_brackets", lang, text=says, more=row.when)
            lines = [line for text in row.lines for line in wrapped(text, tested)]
            grid.add_row(
                "\n".join(wrapped(row.citation, cited)),
                "\n".join(wrapped(says, about)),
                Text("\n".join(lines), style=_style(row)),
            )
        yield grid
        yield Text("")
    notes = [in_total(rows, lang), *([phrase("numbers", lang)] if with_case else [])]
    for note in notes:
        yield Text("\n".join(wrapped(note, width)))


def _style(row: Row) -> str:
    return "bold" if any(part.found for part in row.parts) else _COLOURS.get(row.state, "")


def _markdown(rows: Sequence[Row], lang: str, *, with_case: bool) -> Iterator[str]:
    """A table for a document, the sum under it."""
    from audit.coverage import in_total, phrase

    heads = [phrase(key, lang) for key in ("provision", "about", "versions", "tested")]
    yield _line(heads)
    yield _line(["---"] * len(heads))
    for row in rows:
        last = "<br>".join(row.lines) if with_case else row.tested
        yield _line([row.citation, row.about, row.when or phrase("all", lang), last])
    yield ""
    yield in_total(rows, lang)
    if with_case:
        yield ""
        yield phrase("numbers", lang)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
