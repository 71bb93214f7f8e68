"""``inspect``: a first look at an unknown file, and a draft profile."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def inspect(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One file of an unknown log.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="profile.toml", help="Write the draft there."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="The draft only.")] = False,
) -> None:
    """Look at an unknown file: what its columns seem to be, what is not told, a draft profile.

    Where two readings of the cards fit, both are held against the totals recorded.

    Example: baccarat-audit inspect games.csv -o profile.toml
    """
    from audit.outputs import check_file, write_whole
    from audit.profile.inspect import inspect as look

    if output is not None:
        check_file(output, spare=[file])
    draft = look(file)
    if not quiet:
        typer.echo(f"{draft.name}: looks like {draft.table}; {draft.rows:,} rows looked at.")
        for column, own in draft.columns.items():
            typer.echo(f"  {column:16} {own}")
        for own, example in draft.unused.items():
            typer.echo(f"  {'-':16} {own} (such as {example!r}) is not recognised")
        if draft.missing:
            typer.echo(f"Still needed: {draft.missing}.")
        for note in draft.notes:
            typer.echo(note)
        typer.echo("")
    if output is None:
        typer.echo(draft.toml, nl=False)
        return
    write_whole(output, draft.toml.encode("utf-8"))
    if not quiet:
        typer.echo(f"Draft {output}: check every line before you rely on it.")
