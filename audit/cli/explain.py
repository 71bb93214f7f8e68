"""``explain``: what a check tests, why, how its finding is put right, with a worked example."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from audit.checks import Check
    from audit.explain import Example, ExampleFinding, Explanation

WIDEST = 96
"""Columns beyond which a line of prose is hard to read."""

_GAP = 3
"""Blanks between the columns of the list, that of the box included."""

Lang = Annotated[Literal["en", "zh-Hant", "pt"], typer.Option("--lang", help="Language.")]


def explain(
    code: Annotated[
        str | None, typer.Argument(help="Code of a check, or a prefix; all are listed without.")
    ] = None,
    lang: Lang = "en",
    output: Annotated[
        Literal["text", "json"], typer.Option("--format", help="For people or for programs.")
    ] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Code and title only.")] = False,
) -> None:
    """Explain a check: what it tests, the article, how it is put right, a worked example.

    Example: baccarat-audit explain A0901 --lang pt
    """
    from audit.explain import as_json, explanation, find, title

    checks = find(code or "")
    if output == "json":
        plain = [as_json(explanation(check, lang)) for check in checks]
        typer.echo(json.dumps(plain, indent=2, ensure_ascii=False))
    elif quiet:
        typer.echo("\n".join(f"{check.code}  {title(check, lang)}" for check in checks))
    elif len(checks) > 1:
        _list(checks, lang)
    else:
        _show(explanation(checks[0], lang))


def console() -> Console:
    """Where text goes: no markup, no colours of its own for numbers, lines not too long."""
    from rich.console import Console

    return Console(width=min(Console().width, WIDEST), highlight=False, markup=False, emoji=False)


def wrapped(text: str, width: int) -> list[str]:
    """``text`` in lines of at most ``width`` columns.

    Chinese may break between any two characters, but no line begins with a closing mark or ends
    with an opening one; other words stay whole as far as they fit.
    """
    from rich.cells import cell_len

    lines, line, width = [], "", max(width, 1)
    for piece in (part for whole in _PIECE.findall(text) for part in _cut(whole, width)):
        if line.strip() and cell_len(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines


def _cut(piece: str, width: int) -> Iterator[str]:
    """``piece``, in parts where it is too long for a line, after a hyphen or before a bracket."""
    while len(piece.lstrip(" ")) > width:
        head = piece[: width + len(piece) - len(piece.lstrip(" "))]
        place = max(head.rfind("-") + 1, head.rfind("("))
        place = place if place > len(head) // 3 else len(head)
        yield piece[:place]
        piece = piece[place:]
    yield piece


_WIDE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_OPEN, _CLOSE = "（《「“", "，。；：、）》」”？！"
_PIECE = re.compile(rf" *[{_OPEN}]*(?:[^ {_WIDE}{_OPEN}{_CLOSE}]+|[{_WIDE}])?[{_CLOSE}]*")
"""What stays together: blanks before it, opening marks, a word or one wide character, closing."""


def _list(checks: Sequence[Check], lang: str) -> None:
    """A table of codes, severities, articles and titles."""
    from rich import box
    from rich.cells import cell_len
    from rich.table import Table

    from audit.explain import catalogue, explanation
    from audit.report.words import words

    spoken, out = words(lang), console()
    ones = [explanation(check, lang) for check in checks]
    heads = [spoken.ui(key) for key in ("code", "severity", "article")]
    graves = [spoken.text("severity", one.severity) for one in ones]
    taken = max(5, cell_len(heads[0])) + max(map(cell_len, [heads[1], *graves])) + 4 * _GAP
    rest = out.width - taken
    article = min(max(cell_len(one.citation) for one in ones), rest // 3)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, _GAP - 1, 0, 0))
    for head in (*heads, catalogue(lang)["ui"]["fires_when"]):
        table.add_column(head, no_wrap=True)
    for one, grave in zip(ones, graves, strict=True):
        cited, title = wrapped(one.citation or "-", article), wrapped(one.title, rest - article)
        table.add_row(one.code, grave, "\n".join(cited), "\n".join(title))
    out.print(table)


def _severity(one: Explanation) -> str:
    """``violation``, or ``violation or warning`` where some findings are milder."""
    from audit.report.words import words

    spoken = words(one.lang)
    each = [spoken.text("severity", name) for name in (one.severity, one.milder) if name]
    return spoken.either(each)


def _show(one: Explanation) -> None:
    """The whole explanation."""
    out = console()
    for line in _lines(one, out.width):
        out.print(line)


def _lines(one: Explanation, width: int) -> Iterator[RenderableType]:
    from rich.text import Text

    from audit.explain import catalogue
    from audit.report.words import words

    spoken, texts = words(one.lang), catalogue(one.lang)
    stop = "。" if one.lang == "zh-Hant" else "."
    yield from _hanging(f"{one.code}  ", f"{one.title}{stop}", width, style="bold")
    basis = one.citation or spoken.ui("chapter_L")
    yield Text(f"{basis}{spoken.ui('joint')}{_severity(one)}", style="dim")
    *before, example = one.sections
    for key in before:
        yield Text(f"\n{texts['heading'][key]}", style="cyan")
        yield from _indented(one.sections[key], width)
    yield Text(f"\n{texts['heading']['how_to_fix']}", style="cyan")
    for paragraph in one.fix:
        yield from _indented(paragraph, width)
    yield from _indented(texts["ui"]["corrections"], width, style="dim")
    yield Text(f"\n{texts['heading'][example]}", style="cyan")
    yield from _indented(one.sections[example], width)
    yield from _example(one.example, one.lang, width)


def _indented(text: str, width: int, by: int = 2, style: str = "") -> Iterator[RenderableType]:
    from rich.text import Text

    for line in wrapped(text, width - by):
        yield Text(" " * by + line, style=style)


def _hanging(label: str, text: str, width: int, style: str = "") -> Iterator[RenderableType]:
    """``text`` beside ``label``, its further lines under its first."""
    from rich.text import Text

    for number, line in enumerate(wrapped(text, width - len(label))):
        yield Text((label if number == 0 else " " * len(label)) + line, style=style)


def _example(example: Example, lang: str, width: int) -> Iterator[RenderableType]:
    """The log of the example as small tables, and what it gives."""
    from rich import box
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from audit.explain import catalogue

    texts = catalogue(lang)
    for each in example.tables:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 3, 0, 0))
        for name in each.columns:
            table.add_column(name, no_wrap=True)
        for row in each.rows:
            table.add_row(*row)
        yield Text(f"\n  {each.name}", style="bold")
        yield Padding(table, (0, 0, 0, 2), expand=False)
    notes = [texts["ui"]["left_out"]]
    if any(each.spans for each in example.tables):
        notes.insert(0, texts["ui"]["span"].format(a=1, b=9))
    yield Text("")
    for note in notes:
        yield from _indented(note, width, style="dim")
    yield Text(f"\n{texts['heading']['found']}", style="cyan")
    for found in example.found:
        yield from _finding(found, lang, width)


def _finding(found: ExampleFinding, lang: str, width: int) -> Iterator[RenderableType]:
    """Code, sentence, effect, and where it stands."""
    from audit.explain import cite
    from audit.report.words import words

    spoken = words(lang)
    label = f"  {found.code}  "
    yield from _hanging(label, found.message(lang), width)
    if found.consequence and spoken.has("consequence", found.consequence):
        yield from _indented(spoken.text("consequence", found.consequence), width, len(label))
    place = [
        spoken.text("severity", found.severity),
        spoken.ui("where_shoe", x=found.shoe) if found.shoe != "S1" else "",
        spoken.ui("where_round", x=found.round),
        spoken.ui("where_bet", x=found.bet) if found.bet else "",
        spoken.amount(found.amount, signed=True) if found.amount else "",
        cite(found.article, lang),
        spoken.ui("inferred_basis") if found.basis == "inferred" else "",
    ]
    line = spoken.ui("joint").join(part for part in place if part)
    yield from _indented(line, width, len(label), style="dim")
