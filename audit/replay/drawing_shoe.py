"""A whole shoe as one self-contained SVG: bead plate and big road, and the rounds with findings.

Coloured as the trade has it, Player blue, Banker red, tie green; every token also bears its
letter or its own shape, so that a grey print loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.replay.drawing import GREY, MARGIN, WIDTH, Sheet
from audit.replay.shoe import ShoeRecord, ShoeRound
from audit.replay.words import CHANGED, OUTCOMES, clean, face, plural
from audit.report import draw
from audit.roads import ROWS, Bead, RoadCell, columns

BLUE, RED, GREEN = "#1f4fa3", "#b3261e", "#1d7a3e"
FLAG = "#f3d36b"
_COLOURS = {"player": BLUE, "banker": RED, "tie": GREEN, None: draw.FAINT}
_LETTERS = {"player": "P", "banker": "B", "tie": "T", None: "?"}
_CELL = 5.6
_FIT = int((WIDTH - 2 * MARGIN) / _CELL)
_SMALL = 2.7


def draw_shoe(shoe: ShoeRecord) -> str:
    """The shoe as one SVG document; a road longer than the page goes on below."""
    sheet = Sheet()
    sheet.lines(MARGIN, _title(shoe), 4.4, WIDTH - 2 * MARGIN)
    first, last = (shoe.rounds[at].started_at for at in (0, -1))
    counts = " · ".join(f"{OUTCOMES[name]} {number}" for name, number in shoe.count().items())
    decks = f", {shoe.decks} decks" if shoe.decks else ""
    for line in (
        f"{first:%Y-%m-%d %H:%M:%S} to {last:%Y-%m-%d %H:%M:%S} Macau time",
        f"device {shoe.device}{decks} · {plural(len(shoe.rounds), 'round')} · {counts}",
    ):
        sheet.lines(MARGIN, line, _SMALL, WIDTH - 2 * MARGIN, fill=GREY)
    beads, road, played = shoe.beads(), shoe.road(), shoe.played
    sheet.heading("Bead plate")
    starts = {b.column: played[b.index].round_no for b in beads if b.row == 0}
    tokens = [(b.column, b.row, _bead(b, played)) for b in beads]
    _road(sheet, columns(beads), tokens, starts)
    sheet.heading("Big road")
    starts = {
        c.column: played[c.index].round_no
        for c in reversed(road)
        if c.index is not None and not c.tail
    }
    tokens = [(c.column, c.row, _ring(c, played)) for c in road]
    _road(sheet, columns(road), tokens, starts)
    sheet.y += 2.0
    legend = (
        "P Player, B Banker, T tie. A dot above left: Banker pair; below right: Player pair. A "
        "stroke on the big road: a tie, with a number where there are more. A yellow ground: a "
        "finding on that round. Demonstrations and void rounds are not on the roads."
    )
    sheet.lines(MARGIN, legend, _SMALL, WIDTH - 2 * MARGIN, fill=GREY)
    sheet.heading("Rounds with findings")
    flagged = [each for each in shoe.rounds if each.notes]
    for each in flagged:
        sheet.y += 0.6
        sheet.lines(MARGIN, _line(each), _SMALL, WIDTH - 2 * MARGIN)
    if not flagged:
        sheet.lines(MARGIN, "none", _SMALL, WIDTH - 2 * MARGIN, fill=GREY)
    return sheet.done(f"{_title(shoe)}: {counts}")


def _title(shoe: ShoeRecord) -> str:
    places = [] if shoe.casino == "-" else [shoe.casino]
    return clean(" · ".join([*places, f"table {shoe.table_id}", f"shoe {shoe.shoe_id}"]))


def _line(each: ShoeRound) -> str:
    """A round and its findings in one line."""
    hands = " / ".join(" ".join(map(face, hand)) or "–" for hand in (each.player, each.banker))
    outcome = "void" if each.kind == "void" else OUTCOMES[each.outcome]
    said = (f"{note.code}{CHANGED.get(note.consequence, '')}" for note in each.notes)
    codes = " ".join(dict.fromkeys(said))
    parts = (str(each.round_no), f"{each.started_at:%H:%M:%S}", each.kind, hands, outcome, codes)
    return " · ".join(parts)


def _road(
    sheet: Sheet, used: int, tokens: Sequence[tuple[int, int, str]], starts: Mapping[int, int]
) -> None:
    """A road in bands as wide as the page, its tokens drawn around the middle of their cells.

    ``starts`` has the round with which a column starts, written above it.
    """
    for start in range(0, max(used, 1), _FIT):
        shown = min(max(used - start, 12), _FIT)
        sheet.y += 4.2
        for column in range(start, start + shown):
            if column in starts:
                x = MARGIN + (column - start + 0.5) * _CELL
                sheet.put(x, str(starts[column]), 1.9, fill=GREY, anchor="middle")
        sheet.y += 0.8
        sheet.parts.append(_lines(sheet.y, shown))
        for column, row, token in tokens:
            if start <= column < start + _FIT:
                x = MARGIN + (column - start + 0.5) * _CELL
                y = sheet.y + (row + 0.5) * _CELL
                move = f"translate({draw.number(x)} {draw.number(y)})"
                sheet.parts.append(f'<g transform="{move}">{token}</g>')
        sheet.y += ROWS * _CELL


def _lines(y: float, shown: int) -> str:
    n = draw.number
    path = "".join(f"M{n(MARGIN + c * _CELL)} {n(y)}v{n(ROWS * _CELL)}" for c in range(shown + 1))
    path += "".join(f"M{n(MARGIN)} {n(y + r * _CELL)}h{n(shown * _CELL)}" for r in range(ROWS + 1))
    return f'<path d="{path}" stroke="{draw.LINE}" stroke-width="0.15" fill="none"/>'


def _bead(bead: Bead, played: Sequence[ShoeRound]) -> str:
    each = played[bead.index]
    colour = _COLOURS[bead.outcome]
    letter = draw.text(0, 1.1, _LETTERS[bead.outcome], 3.0, fill="#fff")
    return _flag([each]) + f'<circle r="2.35" fill="{colour}"/>' + letter + _dots(each)


def _ring(cell: RoadCell, played: Sequence[ShoeRound]) -> str:
    rounds = [played[at] for at in (cell.index, *cell.ties) if at is not None]
    drawn = _flag(rounds)
    if cell.outcome is not None and cell.index is not None:
        colour = _COLOURS[cell.outcome]
        drawn += f'<circle r="2.05" fill="none" stroke="{colour}" stroke-width="0.7"/>'
        drawn += draw.text(0, 0.75, _LETTERS[cell.outcome], 2.1, fill=colour)
        drawn += _dots(played[cell.index])
    if cell.ties:
        drawn += f'<path d="M-2 2L2 -2" stroke="{GREEN}" stroke-width="0.6" fill="none"/>'
    if len(cell.ties) > 1:
        drawn += draw.text(1.75, -0.95, str(len(cell.ties)), 2.2, fill=GREEN)
    return drawn


def _flag(rounds: Sequence[ShoeRound]) -> str:
    if not any(each.notes for each in rounds):
        return ""
    half = draw.number(_CELL / 2 - 0.1)
    side = draw.number(_CELL - 0.2)
    return f'<rect x="-{half}" y="-{half}" width="{side}" height="{side}" fill="{FLAG}"/>'


def _dots(each: ShoeRound) -> str:
    dot = '<circle cx="{0}" cy="{0}" r="0.75" fill="{1}" stroke="#fff" stroke-width="0.25"/>'
    drawn = dot.format("-1.75", RED) if each.banker_pair else ""
    return drawn + (dot.format("1.75", BLUE) if each.player_pair else "")
