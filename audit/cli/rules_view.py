"""Rule sets on the terminal: the list, one in full, the difference of two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from audit.rulebook import Change, Instrument, Rulebook, RuleSet, article_order
from audit.rulebook.text import describe, label

SIGNS = {"added": "+", "changed": "~", "restated": "=", "repealed": "-"}
_STYLE = {"stated": "green", "inferred": "yellow", "unknown": "red"}
_KEPT = (
    "rule set",
    "from",
    "until",
    "date is",
    "act",
    "article",
    "mark",
    "set by",
    "gazette",
    "id",
    "reading",
)


def show(parts: Iterable[RenderableType]) -> None:
    """Print the parts; brackets in a rule set's texts are no markup."""
    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts:
        console.print(part)


def _mark(status: str) -> Text:
    return Text(status, style=_STYLE[status])


def _table(*columns: str, title: str, gap: int = 2) -> Table:
    """A table without rules between its rows; short columns never break inside a word."""
    table = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD,
        show_edge=False, pad_edge=False, padding=(0, gap, 0, 0), collapse_padding=True,
    )  # fmt: skip
    for column in columns:
        table.add_column(column, no_wrap=column in _KEPT, overflow="fold")
    return table


# rules list


def listing(book: Rulebook) -> Iterable[RenderableType]:
    """The rule sets with their days, the later acts, and what these leave unverifiable."""
    sets = _table("rule set", "from", "until", "date is", "gazette", "touches", title="Rule sets")
    for rules, following in zip(book.sets, (*book.sets[1:], None), strict=True):
        last = following.in_force_from - timedelta(days=1) if following else "open"
        sets.add_row(
            f"{rules.id} (own)" if rules.own else rules.id, str(rules.in_force_from), str(last),
            _mark(rules.in_force_status), _gazette(rules.instrument),
            _articles(rules.instrument.touches),
        )  # fmt: skip
    yield sets
    if book.later_acts:
        title = "\nLater acts that are known, held by no rule set"
        later = _table("act", "in force from", "date is", "what is known", title=title)
        for act in book.later_acts:
            day = str(act.in_force.value or act.in_force.note or "-")
            later.add_row(act.id, day, _mark(act.in_force.status), act.note)
        yield later
    yield from _disputed(book)
    yield ""
    yield from _limits(book.sets[-1])


def _disputed(book: Rulebook) -> Iterable[RenderableType]:
    """Each disputed text with its readings, as --interpret takes them."""
    yield Text("\nDisputed texts: any reading is accepted, unless", style="bold")
    yield Text("`run --interpret ID=READING` pins one", style="bold")
    for one in book.interpretations:
        yield Text(f"\n{one.id}", style="bold") + Text(f"  {_articles((one.article,))}")
        yield Padding(Text(one.question, style="dim"), (0, 0, 0, 2), expand=False)
        for reading in one.readings:
            text = Text(f"{one.id}={reading}  ") + Text(one.about[reading], style="dim")
            yield Padding(text, (0, 0, 0, 2), expand=False)


def _gazette(act: Instrument) -> str:
    number = str(act.gazette.value or "-")
    return f"{number} ({act.gazette.status})" if act.gazette.status == "inferred" else number


def _articles(touches: Iterable[str]) -> str:
    names = ", ".join(touches)
    return f"arts. {names}" if "," in names or "-" in names else f"art. {names}"


def _limits(rules: RuleSet) -> Iterable[RenderableType]:
    if rules.complete:
        yield Text(f"{rules.id} is declared complete: nothing found under it is capped.")
    for cap in rules.caps:
        acts = ", ".join(cap.because)
        yield Text(
            f"From {cap.since}, {_articles(cap.articles)} cannot be verified: {acts} not held.",
            style="yellow",
        )


# rules show


def whole(rules: RuleSet) -> Iterable[RenderableType]:
    """Every value of one rule set in order of articles, the draw table as the law draws it."""
    yield from _title(rules)
    kinds = [one for one in rules.provisions.values() if not one.key.startswith("banker_draws.")]
    table = _table("art.", "provision", "mark", "set by", title="\nProvisions")
    table.columns[0].max_width = 13
    notes: list[str] = []
    for one in sorted(kinds, key=lambda each: article_order(each.article)):
        if one.note and one.note not in notes:
            notes.append(one.note)
        sign = f" [{notes.index(one.note) + 1}]" if one.note else ""
        value = describe(one)
        text = Text(f"{label(one.key)}:{chr(10) if chr(10) in value else ' '}")
        text.append(value, style="bold")
        table.add_row(one.article, text, _mark(one.status) + Text(sign), one.ruleset)
    yield table
    yield from _draw_table(rules)
    yield from _not_provided(rules)
    yield ""
    for number, note in enumerate(notes, start=1):
        yield Text(f"[{number}] {note}", style="dim")
    yield ""
    yield from _limits(rules)


def _title(rules: RuleSet) -> Iterable[RenderableType]:
    act = rules.instrument
    yield Text(f"Rule set {rules.id}", style="bold") + Text(f"   Despacho {act.despacho}")
    line = Text(f"in force from {rules.in_force_from} (") + _mark(rules.in_force_status) + Text(")")
    if rules.in_force_note:
        line += Text(f": {rules.in_force_note}")
    yield line
    for what, value in (
        ("signed", act.signed), ("gazette", act.gazette), ("published", act.published)
    ):  # fmt: skip
        note = f": {value.note}" if value.note else ""
        known = f"{value.value} (" if value.value is not None else "("
        yield Text(f"{what} {known}") + _mark(value.status) + Text(f"){note}")
    if rules.amends:
        yield Text(f"amends {rules.amends}: what it does not change is shown with its own origin")


def _draw_table(rules: RuleSet) -> Iterable[RenderableType]:
    """Art. 9(3) and 9(4) as the law's table: one row for each Banker total."""
    title = "\nBanker's third card, by Player's third card in points: D must draw, . must stand"
    columns = ("Banker", *map(str, range(10)), "none", "articles", "mark", "set by")
    table = _table(*columns, title=title, gap=1)
    for total in range(10):
        one = rules.provisions[f"banker_draws.{total}"]
        cells = [rules.banker_draws[total, third] for third in (*range(10), None)]
        shown = [Text("D", style="bold cyan") if draws else Text(".") for draws in cells]
        table.add_row(str(total), *shown, one.article, _mark(one.status), one.ruleset)
    yield table


def _not_provided(rules: RuleSet) -> Iterable[RenderableType]:
    if not rules.absent:
        return
    table = _table("article", "rule", "mark", "why", title="\nNot provided by this version")
    for key, one in rules.absent.items():
        table.add_row(one.article, Text(label(key)), _mark(one.status), Text(one.note))
    yield table


# rules diff


def amendment(
    older: RuleSet, newer: RuleSet, changes: Sequence[Change]
) -> Iterable[RenderableType]:
    """What ``newer`` changed of ``older``, one clause a change, under its article."""
    act = newer.instrument
    yield Text(f"{newer.id} against {older.id}", style="bold")
    yield (
        Text(f"Despacho {act.despacho}, in force from {newer.in_force_from} (")
        + _mark(newer.in_force_status)
        + Text(")")
    )
    if not changes:
        yield Text("Nothing is different.")
    article = ""
    for one in changes:
        number = one.article.split("(")[0].split(",")[0]
        if number != article:
            article = number
            yield Text(f"\nArticle {number}", style="bold")
        yield _clause(one)


def _clause(one: Change) -> RenderableType:
    """One change as the amendment would say it."""
    style = {"added": "green", "repealed": "red", "changed": "yellow"}.get(one.kind, "")
    text = Text(f"{SIGNS[one.kind]} {one.article}  ", style=style)
    text += Text(f"{label(one.key)}: {one.kind} (") + _mark(one.status)
    text += Text(f"; {_what_moved(one)})" if one.kind == "restated" else ")")
    lines = []
    if one.old is not None and one.kind in ("changed", "repealed"):
        lines.append(f"was: {describe(one.old)}")
    if one.new is not None and one.kind in ("added", "changed"):
        lines.append(f"now: {describe(one.new)}" if one.old else describe(one.new))
    if one.note:
        lines.append(f"({one.note})")
    for line in "\n".join(lines).splitlines():
        text += Text(f"\n    {line}")
    return Padding(text, (0, 0, 0, 2), expand=False)


def _what_moved(one: Change) -> str:
    """What a restatement changed beside the value: mark or citation."""
    if one.old and one.old.status != one.status:
        return f"{one.old.status} before"
    if one.old and one.old.article != one.article:
        return f"cited as {one.old.article} before"
    return "other marks within it"
