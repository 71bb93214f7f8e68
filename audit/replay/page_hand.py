"""One hand for the terminal: its cards drawn, its steps, and the draw table that decided it.

Everything here is lines of ``Text`` of known width, so that two hands can stand side by side.
No text of a log is among them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from rich.text import Text

from audit.replay.hand import Hand
from audit.replay.tables import NONE, TableRow
from audit.replay.words import (
    ACTIONS,
    BROKEN,
    SEATS,
    face,
    is_red,
    reason,
    verdict,
)

BREACH = "bold red"
RIGHT = "bold green"
QUIET = "dim"
DRAWN_CARDS = 4
"""A hand with more cards than this is written, not drawn, so that two fit in 48 columns."""

INLINE = 92
"""Columns from which a step's reason stands on its own line."""

Lines = list[Text]


def beside(left: Sequence[Text], right: Sequence[Text], width: int, gap: str) -> Lines:
    """Two blocks side by side, the left one ``width`` columns wide."""
    lines = []
    for at in range(max(len(left), len(right))):
        # A line of its own, or the style of the left one would run on into the right one.
        line = Text()
        if at < len(left):
            line.append_text(left[at])
        line.pad_right(width - line.cell_len)
        line.append(gap, style=QUIET)
        if at < len(right):
            line.append_text(right[at])
        line.rstrip()
        lines.append(line)
    return lines


def _art(inside: str, style: str, border: str, *, dashed: bool = False) -> Lines:
    """A card as three lines of five columns."""
    top, side, bottom = ("┌╌╌╌┐", "╎", "└╌╌╌┘") if dashed else ("╭───╮", "│", "╰───╯")
    middle = Text(side, style=border)
    middle.append(inside.center(3), style=style)
    middle.append(side, style=border)
    return [Text(top, style=border), middle, Text(bottom, style=border)]


def _cards(
    seat: str, cards: Sequence[int], total: int | None, marks: dict[int, str], blank: str
) -> Lines:
    """A hand with its name and points above its cards; ``blank`` fills a card that is not there.

    ``marks`` gives the colour of a card's edge by its place.
    """
    title = Text(f"{SEATS[seat]}  ", style="bold")
    title.append("–" if total is None else f"{total} point{'' if total == 1 else 's'}")
    if not cards and not blank:
        return [title, Text("no cards", style=QUIET)]
    if len(cards) > DRAWN_CARDS:
        words = Text(" ").join(Text(face(card), "red" if is_red(card) else "") for card in cards)
        return [title, words]
    arts = [
        _art(face(card), "red" if is_red(card) else "", marks.get(place, ""))
        for place, card in enumerate(cards)
    ]
    if blank:
        style = BREACH if blank == "✗" else RIGHT
        arts.append(_art(blank, style, style, dashed=True))
    return [title, *(Text(" ").join(row) for row in zip(*arts, strict=True))]


def hands(hand: Hand, *, again: bool, unknown: str | None, width: int) -> Lines:
    """Both hands drawn, Player's on the left, or above where they do not fit side by side.

    ``again`` says that this is the hand as it should have been: its third cards stand out as
    right, not as wrong. ``unknown`` is the seat whose card is not known.
    """
    blocks = []
    for seat, cards, total in (
        ("player", hand.player, hand.player_total),
        ("banker", hand.banker, hand.banker_total),
    ):
        wrong = next((s for s in hand.steps if s.seat == seat and s.breach), None)
        blank = "?" if seat == unknown else "✗" if wrong and wrong.card is None else ""
        marks = dict.fromkeys(range(2, len(cards)), RIGHT if again else "")
        if wrong and wrong.card is not None:
            marks |= dict.fromkeys(range(2, len(cards)), BREACH)
        # Where Banker lacks a card, Player's hand is finished all the same.
        final = unknown is None or (unknown == "banker" and seat == "player")
        blocks.append(_cards(seat, cards, total if final else None, marks, blank))
    left, right = blocks
    widest = max(line.cell_len for line in left)
    if widest + 4 + max(line.cell_len for line in right) <= width:
        return beside(left, right, max(widest, 17), "    ")
    return [*left, *right]


def steps(hand: Hand, *, again: bool, width: int) -> Lines:
    """Each card and each decision with what commands it; a breach is marked where it happened."""
    lines = [Text(" #  Hand    Step    Card  Total  Art.", style="bold")]
    for number, step in enumerate(hand.steps, 1):
        total = str(step.after) if step.action == "deal" else f"{step.before} → {step.after}"
        total = str(step.before) if step.card is None else total
        needs = again and step.action == "stop"
        action = "needs" if needs else ACTIONS[step.action]
        style = BREACH if step.breach else ""
        line = Text(f"{number:>2}  {SEATS[step.seat]:<6}  {action:<6}  ", style=style)
        card = "?" if needs else "" if step.card is None else face(step.card)
        red = step.card is not None and is_red(step.card) and not style
        line.append(f"{card:<4}", style="red" if red else style)
        line.append(f"  {total:<5}  {step.article}", style=style)
        said = reason(step, hand)
        if said and width >= INLINE:
            line.pad_right(44 - line.cell_len)
            line.append(said, style=style or QUIET)
        lines.append(line)
        if said and width < INLINE:
            lines += _hanging(said, width, style or QUIET)
        if step.breach:
            lines += _hanging(f"✗ {step.breach}  {BROKEN[step.breach]}", width, BREACH)
        elif step.action == "stop" and not again:
            lines += _hanging("the deal was stopped here", width, QUIET)
    return lines


def _hanging(said: str, width: int, style: str) -> Lines:
    return [Text(f"    {line}", style=style) for line in textwrap.wrap(said, max(width - 4, 20))]


def sentences(said: Iterable[str], width: int, style: str = "") -> Lines:
    """Sentences, each on lines of its own."""
    return [
        Text(line, style=style) for each in said for line in textwrap.wrap(each, max(width, 20))
    ]


def pane(
    title: str,
    hand: Hand,
    width: int,
    *,
    again: bool = False,
    void: bool = False,
    unknown: str | None = None,
    notes: Sequence[str] = (),
) -> Lines:
    """A hand under its title: who wins, the cards, the steps, and notes below.

    Of a ``void`` round nobody wins, and an error is what makes it void.
    """
    wrong = bool(hand.breaches) and not void
    head = Text(title, style="bold underline")
    result = "not determined" if unknown else "void" if void else verdict(hand)
    head.append(f"  {'✗ ' if wrong else ''}", style=BREACH)
    head.append(result, style=BREACH if wrong else RIGHT if again and not unknown else "bold")
    lines = [head, Text(), *hands(hand, again=again, unknown=unknown, width=width)]
    if hand.steps:
        lines += [Text(), *steps(hand, again=again, width=width)]
    if notes:
        lines += [Text(), *sentences(notes, width, QUIET)]
    return lines


def draw_table(rows: Sequence[TableRow], width: int) -> Lines:
    """The rows of the draw table that decided, the deciding cells marked in text and colour."""
    if not rows:
        return []
    wide = width >= 79
    size = 6 if wide else 4
    head = Text(f"{'Points':<13}", style="bold")
    for column in (*map(str, range(10)), "none"):
        head.append(column.center(size))
    head.rstrip()
    lines = [Text("Draw table, art. 9", style="bold underline"), head]
    for row in rows:
        name = "Player's own" if row.seat == "player" else f"P3, Banker {row.total}"
        line = Text(f"{name:<13}")
        for at, draws in enumerate(row.draws):
            word = ("draw" if wide else "D") if draws else "–"
            style = QUIET
            if at == row.dealt:
                word, style = f"[{word}]", f"{BREACH} reverse" if row.broken else "bold reverse"
            elif at == row.rightly:
                word, style = f"({word})", f"{RIGHT} reverse"
            before = (size - len(word)) // 2
            line.append(" " * before)
            line.append(word, style=style)
            line.append(" " * (size - len(word) - before))
        line.rstrip()
        lines.append(line)
    return lines + sentences(_legend(rows), width, QUIET)


def _legend(rows: Sequence[TableRow]) -> list[str]:
    said = []
    for row in rows:
        if row.seat == "player":
            said.append(
                f"Player on its own {row.dealt}: {_must(row, row.dealt)}, art. {row.article}"
                f"{' ✗' if row.broken else ''}"
            )
            continue
        text = f"Banker on {row.total}, {_took(row.dealt)}: {_must(row, row.dealt)}"
        text += f", art. {row.article}{' ✗' if row.broken else ''}"
        if row.rightly is not None and row.rightly != row.dealt:
            text += f" · ( ) rightly, {_took(row.rightly)}: {_must(row, row.rightly)}"
        said.append(text)
    return said


def _took(column: int) -> str:
    return "Player took none" if column == NONE else f"Player's third card being {column}"


def _must(row: TableRow, column: int) -> str:
    return "draws" if row.draws[column] else "stands"
