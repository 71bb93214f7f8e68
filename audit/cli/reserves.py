"""What ``run`` says beside its verdict: what was left out, rejected, or read and served nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from audit.messages import catalogue
from audit.strays import few, sentences
from audit.summary import Summary

_MOST_KINDS, _LONGEST = 3, 40


def reserves(summary: Summary) -> Iterator[str]:
    """What keeps the verdict from being about the whole log and the whole regulation."""
    made, there_are = summary.selected
    if made < there_are:
        yield f"Only {made} of {there_are} checks were selected; the rest was not looked at."
    without = summary.rulesets.get("-", 0)
    if without:
        rounds = f"{without:,} round{'' if without == 1 else 's'}"
        yield f"{rounds} under no known rule set: only the log itself was examined there."
    texts = catalogue("en")["stray"]
    yield from sentences(texts, summary.unused_columns, summary.unmatched, _plain)


def rejected(summary: Summary) -> Iterator[RenderableType]:
    """The commonest kinds of rejects, and the command that shows all of them."""
    kinds = summary.rejected
    if not kinds:
        return
    yield Text("Rejected", style="bold")
    words = catalogue("en")["reject"]
    for kind in kinds[:_MOST_KINDS]:
        place = kind["table"] if kind["column"] is None else f"{kind['table']}.{kind['column']}"
        example = f", such as {_plain(kind['text'])}" if kind["text"] else ""
        yield _line(
            f"{kind['rows']:,}  {place}: {words[kind['reason']]}{example} "
            f"({_plain(kind['source'])}, row {kind['row']})"
        )
    more = len(kinds) - _MOST_KINDS
    rest = f"{more} more kind{'' if more == 1 else 's'}; " if more > 0 else ""
    yield _line(f"{rest}`baccarat-audit rejects CASE` shows each kind with its remedy")


def unused(summary: Summary) -> Iterator[RenderableType]:
    """The columns that nothing reads, by table."""
    tables: dict[str, list[str]] = {}
    for column in summary.unused_columns:
        if column["nearest"] is None:
            tables.setdefault(column["table"], []).append(_plain(column["column"]))
    if not tables:
        return
    yield Text("Columns not used", style="bold")
    for table, names in tables.items():
        yield _line(f"{table}: {few(list(dict.fromkeys(names)))}")


def _line(text: str) -> RenderableType:
    return Padding(Text(text, style="dim"), (0, 0, 0, 2), expand=False)


def _plain(text: str) -> str:
    """Text of a log on one short line: control characters must not reach the terminal."""
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in cut)
