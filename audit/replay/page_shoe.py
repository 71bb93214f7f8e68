"""A whole shoe for the terminal: its rounds in a list, then the bead plate and the big road."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from audit.replay.page_hand import BREACH, QUIET, Lines, sentences
from audit.replay.shoe import Note, ShoeRecord, ShoeRound
from audit.replay.words import CHANGED, OUTCOMES, clean, face, is_red, plural
from audit.roads import ROWS, RoadCell, columns

WIDEST = 120
_CELL = 3
_BEADS = {
    "player": ("P", "bold white on blue"),
    "banker": ("B", "bold white on red"),
    "tie": ("T", "bold white on green"),
    None: ("?", "reverse"),
}
_ROAD = {"player": ("P", "bold blue"), "banker": ("B", "bold red"), None: (" ", "")}


def render_shoe(shoe: ShoeRecord, width: int) -> RenderableType:
    """The shoe as a page for a terminal of ``width`` columns."""
    width = min(width, WIDEST)
    parts: list[RenderableType] = [_heading(shoe), Text(), _list(shoe), Text()]
    if shoe.loose:
        said = (
            f"Beside these, {plural(shoe.loose, 'finding')} of this shoe on no round of the list."
        )
        parts += [Text(said, style=QUIET), Text()]
    for title, lines in (("Bead plate", _bead_plate(shoe, width)), ("Big road", _big(shoe, width))):
        parts += [Text(title, style="bold underline"), Text("\n").join(lines), Text()]
    legend = [
        "P Player, B Banker, T tie, ? outcome not known. Mark before the letter: ˙ Banker pair, "
        ". Player pair, : both.",
        "◊ after the kind: the white card came out in that round.",
        "Bead plate: ! after the letter, a finding on that round (on the big road underlined). "
        "Big road: / after the letter, a tie; a digit, so many ties (+: ten or more). "
        "Demonstrations and void rounds are on neither.",
    ]
    parts.append(Text("\n").join(sentences(legend, width, QUIET)))
    return Constrain(Group(*parts), width)


def shoe_summary(shoe: ShoeRecord) -> str:
    """The shoe in one line."""
    counts = ", ".join(f"{OUTCOMES[name]} {number}" for name, number in shoe.count().items())
    flagged = sum(bool(each.notes) for each in shoe.rounds)
    return (
        f"{clean(shoe.name)}: {plural(len(shoe.rounds), 'round')}; {counts}; "
        f"findings on {plural(flagged, 'round')}"
    )


def _heading(shoe: ShoeRecord) -> RenderableType:
    places = [] if shoe.casino == "-" else [clean(shoe.casino)]
    places += [f"table {clean(shoe.table_id)}", f"shoe {clean(shoe.shoe_id)}"]
    first, last = (shoe.rounds[at].started_at for at in (0, -1))
    decks = f", {shoe.decks} decks" if shoe.decks else ""
    kinds = [each.kind for each in shoe.rounds]
    by_kind = ", ".join(
        f"{kinds.count(kind)} {kind}" for kind in ("play", "free", "demo", "void") if kind in kinds
    )
    counts = " · ".join(f"{OUTCOMES[name]} {number}" for name, number in shoe.count().items())
    lines = [
        Text(" · ".join(places), style="bold"),
        Text(f"{first:%Y-%m-%d %H:%M:%S} to {last:%Y-%m-%d %H:%M:%S} Macau time"),
        Text(f"device {shoe.device}{decks} · {plural(len(kinds), 'round')}: {by_kind}"),
        Text(f"On the roads: {counts}"),
    ]
    return Panel(Group(*lines), box=box.HEAVY)


def _list(shoe: ShoeRecord) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, expand=True)
    table.add_column("No", justify="right", no_wrap=True)
    for head in ("Time", "Kind", "Player", "Banker", "P–B", "Outcome"):
        table.add_column(head, no_wrap=True)
    table.add_column("Findings", ratio=1, overflow="fold")
    gaps = {last + 1: (first, last) for first, last in shoe.gaps()}
    day = None
    for each in shoe.rounds:
        if each.round_no in gaps:
            table.add_row("", "", "", "", "", "", "", Text(_gap(shoe, *gaps[each.round_no]), QUIET))
        if each.started_at.date() != day:
            day = each.started_at.date()
            table.add_row("", Text(f"{day:%m-%d}", QUIET))
        table.add_row(*_cells(each))
    return table


def _gap(shoe: ShoeRecord, first: int, last: int) -> str:
    runs = []
    for rejected, run in groupby(range(first, last + 1), shoe.rejected.__contains__):
        numbers = list(run)
        name = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        runs.append(f"{name} {'rejected' if rejected else 'not in the log'}")
    return "round " * (first == last) + "rounds " * (first < last) + ", ".join(runs)


def _cells(each: ShoeRound) -> list[Text]:
    quiet = "" if each.on_the_roads else QUIET
    totals = "" if each.player_total is None else f"{each.player_total}–{each.banker_total}"
    outcome = Text(OUTCOMES[each.outcome] if each.kind != "void" else "void", quiet)
    if each.recorded and each.winner and each.recorded != each.winner and each.kind != "void":
        outcome.append(" ≠ log", style=BREACH)
    elif each.winner is None and each.recorded and each.kind != "void":
        outcome.append(" (log)", style=QUIET)
    kind = Text(each.kind, quiet)
    if each.cut_card:
        kind.append(" ◊", style="bold")
    return [
        Text(str(each.round_no), quiet),
        Text(f"{each.started_at:%H:%M:%S}", quiet),
        kind,
        _hand(each.player),
        _hand(each.banker),
        Text(totals, quiet),
        outcome,
        _notes(each.notes),
    ]


def _hand(cards: Sequence[int]) -> Text:
    return Text(" ").join(Text(face(card), "red" if is_red(card) else "") for card in cards)


def _notes(notes: Sequence[Note]) -> Text:
    """Codes, each once with its number, and what a draw error changed."""
    text = Text()
    for code, group in groupby(notes, lambda note: note.code):
        same = list(group)
        style = BREACH if any(note.severity == "violation" for note in same) else ""
        if text:
            text.append(" ")
        text.append(code + (f"×{len(same)}" if len(same) > 1 else ""), style=style)
        text.append(CHANGED.get(same[0].consequence, ""), style=BREACH)
    return text


def _bead_plate(shoe: ShoeRecord, width: int) -> Lines:
    played = shoe.played
    grid: dict[tuple[int, int], Text] = {}
    for bead in shoe.beads():
        each = played[bead.index]
        letter, style = _BEADS[bead.outcome]
        mark = "!" if each.notes else " "
        grid[bead.column, bead.row] = Text(f"{_pairs(each)}{letter}{mark}", style=style)
    numbers = {column: played[column * ROWS].round_no for column in range(columns(shoe.beads()))}
    return _drawn(grid, columns(shoe.beads()), width, numbers, gap=1)


def _big(shoe: ShoeRecord, width: int) -> Lines:
    played = shoe.played
    road = shoe.road()
    grid = {(cell.column, cell.row): _road_cell(cell, played) for cell in road}
    numbers: dict[int, int] = {}
    for cell in road:
        if cell.index is not None:
            numbers.setdefault(cell.column, played[cell.index].round_no)
    return _drawn(grid, columns(road), width, numbers, gap=0)


def _road_cell(cell: RoadCell, played: Sequence[ShoeRound]) -> Text:
    letter, style = _ROAD[cell.outcome]
    flagged = [played[at] for at in (cell.index, *cell.ties) if at is not None]
    style += " underline" if any(each.notes for each in flagged) else ""
    text = Text(" " if cell.index is None else _pairs(played[cell.index]), style="bold")
    text.append(letter, style=style)
    ties = len(cell.ties)
    text.append(" /23456789+"[min(ties, 10)] if ties else " ", style="bold green")
    return text


def _pairs(each: ShoeRound) -> str:
    if each.banker_pair and each.player_pair:
        return ":"
    return "˙" if each.banker_pair else "." if each.player_pair else " "


def _drawn(
    grid: dict[tuple[int, int], Text], used: int, width: int, numbers: dict[int, int], *, gap: int
) -> Lines:
    """A road in bands as wide as the page, above each column the round that it starts with."""
    if not used:
        return [Text("no round has a place on it", style=QUIET)]
    fit = max((width + gap) // (_CELL + gap), 1)
    lines: Lines = []
    for start in range(0, used, fit):
        if lines:
            lines.append(Text())
        band = range(start, min(start + fit, used))
        lines.append(_numbers([numbers.get(column) for column in band], _CELL + gap))
        for row in range(ROWS):
            cells = [grid.get((column, row), Text(" · ", style=QUIET)) for column in band]
            lines.append(Text(" " * gap).join(cells))
    return lines


def _numbers(numbers: Sequence[int | None], step: int) -> Text:
    """The numbers that there is room for, each above its column."""
    line = ""
    for place, number in enumerate(numbers):
        at = place * step + 1
        if number is not None and (not line or len(line) < at):
            line = f"{line:<{at}}{number}"
    return Text(line, style=QUIET)
