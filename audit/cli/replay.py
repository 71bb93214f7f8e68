"""``replay``: one round of a case step by step, or a whole shoe with its roads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from audit.errors import OptionError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from audit.case import Case
    from audit.rulebook import Rulebook

PAGE = 100
"""Columns of a page written to a file."""

Format = Literal["text", "json", "svg"]


def replay(
    case: Annotated[Path, typer.Argument(metavar="CASE", help="Folder of the case.")],
    path: Annotated[
        str,
        typer.Argument(metavar="[CASINO/]TABLE/SHOE[/ROUND]", help="The round, or a whole shoe."),
    ],
    rules: Annotated[
        str,
        typer.Option(
            metavar="ID[,ID]", help="Rule set to replay by, or several with commas to compare them."
        ),
    ] = "",
    rules_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder with rule sets of your own.")
    ] = None,
    output: Annotated[
        Format, typer.Option("--format", help="For people, for programs, or drawn.")
    ] = "text",
    file: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="One line only.")] = False,
) -> None:
    """Replay one round: each card, each decision and its article, each bet; after a draw error
    also what should have been. Or list a whole shoe and draw its roads.

    Example: baccarat-audit replay july.case BJ-07/29/12 --rules 30-2007,64-2007

    Example: baccarat-audit replay july.case BJ-07/29 --format svg -o shoe.svg
    """
    from audit.case import open_case
    from audit.outputs import check_file
    from audit.replay.find import find_place
    from audit.rulebook import load_rulebook

    if file is not None:
        check_file(file)
    rulebook = load_rulebook(rules_dir)
    asked = [rulebook.get(name.strip()).id for name in rules.split(",") if name.strip()]
    opened = open_case(case, evidence=False)
    try:
        place = find_place(opened.connection, path)
        if place.round_no is None:
            if asked:
                raise OptionError(
                    "--rules compares one round, not a whole shoe",
                    where=path,
                    hint=f"Name a round, such as {path.rstrip('/')}/1, or leave --rules out",
                )
            _write(_shoe(opened, place.shoe, output), output, file, quiet=quiet)
        else:
            pages = _round(opened, place.shoe, place.round_no, rulebook, asked, output)
            _write(pages, output, file, quiet=quiet)
    finally:
        opened.close()


@dataclass(frozen=True, slots=True)
class _Written:
    """What the command has to say: whole text, or a page for people and the same in one line."""

    text: str = ""
    page: Callable[[int], RenderableType] | None = None
    line: str = ""


def _round(
    case: Case,
    shoe: tuple[str, str, str],
    round_no: int,
    rulebook: Rulebook,
    asked: list[str],
    output: Format,
) -> _Written:
    from audit.replay.find import governing
    from audit.replay.read import house_of, read_round
    from audit.replay.rounds import replay_round

    recorded = read_round(case.connection, shoe, round_no)
    house = house_of(case.manifest)
    replays = [
        replay_round(recorded, one, why, rulebook.sets, house)
        for one, why in governing(recorded, rulebook, asked)
    ]
    if output == "json":
        from audit.replay.as_json import as_json, written

        return _Written(written(as_json(recorded, replays)))
    if output == "svg":
        from audit.replay.drawing import draw_round

        return _Written(draw_round(recorded, replays))
    from audit.replay.page import render, summary

    line = summary(recorded, replays[0])
    return _Written(page=lambda width: render(recorded, replays, width), line=line)


def _shoe(case: Case, shoe: tuple[str, str, str], output: Format) -> _Written:
    from audit.replay.shoe import read_shoe, shoe_json

    record = read_shoe(case.connection, shoe)
    if output == "json":
        from audit.replay.as_json import written

        return _Written(written(shoe_json(record)))
    if output == "svg":
        from audit.replay.drawing_shoe import draw_shoe

        return _Written(draw_shoe(record))
    from audit.replay.page_shoe import render_shoe, shoe_summary

    return _Written(page=lambda width: render_shoe(record, width), line=shoe_summary(record))


def _write(said: _Written, output: Format, file: Path | None, *, quiet: bool) -> None:
    """To the terminal, or to a file; a page in a file is ``PAGE`` columns wide and plain."""
    from audit.outputs import write_whole

    if file is not None:
        write_whole(file, f"{_plain(said.page) if said.page else said.text}\n".encode())
        if not quiet:
            typer.echo(f"Replay written to {file}")
    elif said.page is None:
        typer.echo(said.text)
    elif quiet:
        typer.echo(said.line)
    else:
        from rich.console import Console

        console = Console()
        console.print(said.page(console.width))


def _plain(page: Callable[[int], RenderableType]) -> str:
    from rich.console import Console

    buffer = StringIO()
    Console(file=buffer, width=PAGE, color_system=None).print(page(PAGE))
    return buffer.getvalue().rstrip("\n")
