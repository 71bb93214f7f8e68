"""``inspect``: a first look at an unknown file, and a draft profile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from audit.profile.draft import Draft


def inspect(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="One file of an unknown log, or postgresql://USER@HOST/DB."
        ),
    ],
    table: Annotated[
        str,
        typer.Option(metavar="NAME", help="One table, sheet or member of it; else all are seen."),
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="profile.toml", help="Write the draft there."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="The draft only.")] = False,
) -> None:
    """Look at an unknown file: what its columns seem to be, what is not told, a draft profile.

    Where two readings of the cards fit, both are held against the totals recorded. Of an
    archive, a workbook or a database, the tables most like rounds and bets are taken.

    Example: baccarat-audit inspect games.csv -o profile.toml
    """
    from audit.cli.logs import given_log
    from audit.outputs import check_file, write_whole
    from audit.profile import files_of
    from audit.profile.survey import survey

    places = given_log([file])
    if output is not None:
        check_file(output, spare=files_of(places))
    found = survey(places[0], table)
    if not quiet:
        for draft in found.drafts:
            _print(draft)
        for note in found.notes:
            typer.echo(note)
        typer.echo("")
    if output is None:
        typer.echo(found.toml, nl=False)
        return
    write_whole(output, found.toml.encode("utf-8"))
    if not quiet:
        typer.echo(f"Draft {output}: check every line before you rely on it.")


def _print(draft: Draft) -> None:
    typer.echo(f"{draft.name}: looks like {draft.table}; {draft.rows:,} rows looked at.")
    for column, own in draft.columns.items():
        typer.echo(f"  {column:16} {own}")
    for own, example in draft.unused.items():
        typer.echo(f"  {'-':16} {own} (such as {example!r}) is not recognised")
    if draft.missing:
        typer.echo(f"Still needed: {draft.missing}.")
    for note in draft.notes:
        typer.echo(note)
