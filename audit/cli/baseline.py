"""``baseline``: today's findings as a list of accepted ones, to be filled in by a person."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def baseline(
    case: Annotated[Path, typer.Argument(help="Folder of the case.")],
    file: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE.toml", help="File to write.")
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Without the closing line.")] = False,
) -> None:
    """Write the findings of a case as accepted, each with owner, reason and expiry to fill in.

    What the case's own baseline already says of a finding is kept.

    Example: baccarat-audit baseline case -o accepted.toml
    """
    from audit.baseline import draft
    from audit.case import open_case
    from audit.errors import OptionError
    from audit.outputs import check_file, write_whole

    check_file(file)
    if file.exists() and not force:
        raise OptionError(
            "this file exists, and may hold what somebody filled in",
            where=str(file),
            hint="Name another file, or replace it with --force",
        )
    opened = open_case(case)
    try:
        text = draft(opened)
    finally:
        opened.close()
    write_whole(file, text.encode())
    if not quiet:
        number = text.count("\n[[accepted]]\n")
        typer.echo(
            f"{number} findings written to {file}. Fill in owner, reason and expires of each, "
            "then give it to `run --baseline`."
        )
