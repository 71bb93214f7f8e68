"""A replayed round as one self-contained SVG: cards, steps, totals, verdict, money, findings.

Text is text, so that it can be searched and copied; all that comes from a log is cleaned of
control characters and escaped. Sizes are millimetres. The cards are those of the report.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from audit.cards import TEXT
from audit.replay.dues import BetDue
from audit.replay.hand import Hand
from audit.replay.record import RecordedRound
from audit.replay.rounds import Replay
from audit.replay.tables import TableRow, table_rows
from audit.replay.words import (
    ACTIONS,
    BROKEN,
    CONSEQUENCES,
    SEATS,
    circumstances,
    clean,
    face,
    money,
    moves,
    place_of,
    plural,
    reason,
    severity,
    signed,
    standing,
    verdict,
    why_unknown,
)
from audit.replay.words_jackpot import jackpot_lines
from audit.report import draw

WIDTH = 190.0
MARGIN = 7.0
GREEN = "#1d6b3a"
GREY = "#5c646c"
_PANEL = (WIDTH - 3 * MARGIN) / 2
_SCALE = 1.35
_PIXEL = 25.4 / 96
"""Millimetres in a CSS pixel: a drawing sized in millimetres, put inside another, counts these."""

_SMALL, _BODY, _TITLE = 2.7, 3.1, 4.4


class Sheet:
    """A page that grows downwards; ``y`` is the next free height."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = MARGIN

    def put(
        self,
        x: float,
        content: str,
        size: float = _BODY,
        *,
        y: float | None = None,
        fill: str = draw.INK,
        bold: bool = False,
        anchor: str = "start",
    ) -> None:
        """A line of text with its baseline at ``y`` (the current height)."""
        at = self.y if y is None else y
        element = draw.text(x, at, clean(content), size, anchor=anchor, fill=fill)
        if bold:
            element = element.replace("<text ", '<text font-weight="bold" ', 1)
        self.parts.append(element)

    def lines(
        self, x: float, content: str, size: float, width: float, *, fill: str = draw.INK
    ) -> None:
        """Text broken into lines within ``width`` millimetres, each one moving down."""
        text = clean(content)
        wide = any(ord(char) > 0x2E7F for char in text)
        for line in textwrap.wrap(text, max(int(width / size / (1.0 if wide else 0.52)), 10)):
            self.y += size * 1.45
            self.put(x, line, size, fill=fill)

    def box(self, x: float, y: float, w: float, h: float, fill: str, stroke: str = "none") -> None:
        """A rectangle."""
        n = draw.number
        self.parts.append(
            f'<rect x="{n(x)}" y="{n(y)}" width="{n(w)}" height="{n(h)}" fill="{fill}" '
            f'stroke="{stroke}" stroke-width="0.2"/>'
        )

    def rule(self) -> None:
        """A thin line across the page."""
        self.y += 2.6
        self.box(MARGIN, self.y, WIDTH - 2 * MARGIN, 0.15, draw.LINE)

    def heading(self, content: str) -> None:
        """A heading of a part of the page."""
        self.rule()
        self.y += 5.2
        self.put(MARGIN, content, _BODY + 0.5, bold=True)

    def done(self, title: str) -> str:
        """The whole drawing, on white."""
        height = self.y + MARGIN
        n = draw.number
        paper = f'<rect width="{n(WIDTH)}" height="{n(height)}" fill="#fff"/>'
        return draw.svg(WIDTH, height, paper + "".join(self.parts), clean(title))


def draw_round(recorded: RecordedRound, replays: Sequence[Replay]) -> str:
    """The round as one SVG document; several replays stand one below the other."""
    sheet = Sheet()
    sheet.lines(MARGIN, place_of(recorded), _TITLE, WIDTH - 2 * MARGIN)
    for line in circumstances(recorded, replays[0]):
        sheet.lines(MARGIN, line, _SMALL, WIDTH - 2 * MARGIN, fill=GREY)
    for replay in replays:
        _replay(sheet, recorded, replay, named=len(replays) > 1)
    _findings(sheet, recorded)
    source = f"{clean(recorded.source)}, row {recorded.row}"
    told = "void" if recorded.kind == "void" else verdict(replays[0].hand)
    sheet.rule()
    sheet.lines(MARGIN, source, _SMALL, WIDTH - 2 * MARGIN, fill=GREY)
    return sheet.done(f"{place_of(recorded)}: {told}")


def _replay(sheet: Sheet, recorded: RecordedRound, replay: Replay, *, named: bool) -> None:
    sheet.rule()
    if named:
        sheet.y += 5.0
        sheet.put(MARGIN, f"Under {replay.rules.id}", _TITLE, bold=True)
    top, course = sheet.y, replay.course
    _panel(sheet, MARGIN, "As dealt", replay.hand, None, [], void=recorded.kind == "void")
    if course is not None:
        left_end, sheet.y = sheet.y, top
        notes = [*moves(course), *filter(None, [why_unknown(course, recorded)])]
        x = 2 * MARGIN + _PANEL
        _panel(sheet, x, "As it should have been", course.hand, course.unknown, notes, again=True)
        sheet.y = max(sheet.y, left_end)
    rows = table_rows(replay.hand, course.hand if course else None, replay.rules)
    if rows:
        _draw_table(sheet, rows)
    if course is not None:
        sheet.y += 2.0
        sheet.lines(MARGIN, CONSEQUENCES[course.consequence], _BODY + 0.4, WIDTH, fill=GREEN)
    if recorded.bets:
        _money(sheet, recorded, replay)
    for jackpot in replay.jackpots:
        if jackpot.bets or jackpot.dealt:
            sheet.heading("Jackpot")
            for line in jackpot_lines(recorded, jackpot):
                sheet.lines(MARGIN, line, _SMALL, WIDTH - 2 * MARGIN)


def _panel(
    sheet: Sheet,
    x: float,
    title: str,
    hand: Hand,
    unknown: str | None,
    notes: Sequence[str],
    *,
    again: bool = False,
    void: bool = False,
) -> None:
    """A hand with its title, cards and steps, in half the page."""
    wrong = bool(hand.breaches) and not void
    sheet.y += 5.6
    sheet.put(x, title, _BODY + 0.5, bold=True)
    result = "not determined" if unknown else "void" if void else verdict(hand)
    fill = draw.RED if wrong else GREEN if again and not unknown else draw.INK
    mark = "✗ " if wrong else ""
    sheet.y += 4.8
    sheet.put(x, f"{mark}{result}", _BODY + 0.3, fill=fill, bold=True)
    _cards(sheet, x, hand, unknown)
    for number, step in enumerate(hand.steps, 1):
        sheet.y += 4.2
        total = str(step.after) if step.action == "deal" else f"{step.before} → {step.after}"
        total = str(step.before) if step.card is None else total
        needs = again and step.action == "stop"
        fill = draw.RED if step.breach else draw.INK
        cells = (
            (0.0, str(number)),
            (5.0, SEATS[step.seat]),
            (18.0, "needs" if needs else ACTIONS[step.action]),
            (31.0, "?" if needs else "" if step.card is None else face(step.card)),
            (41.0, total),
            (54.0, f"art. {step.article}" if step.article else ""),
        )
        for offset, content in cells:
            if content:
                sheet.put(x + offset, content, _BODY, fill=fill)
        if said := reason(step, hand):
            sheet.lines(x + 5.0, said, _SMALL, _PANEL - 5.0, fill=draw.RED if step.breach else GREY)
        if step.breach:
            broken = f"✗ {step.breach} {BROKEN[step.breach]}"
            sheet.lines(x + 5.0, broken, _SMALL, _PANEL - 5.0, fill=draw.RED)
        elif step.action == "stop" and not again:
            sheet.lines(x + 5.0, "the deal was stopped here", _SMALL, _PANEL - 5.0, fill=GREY)
    if notes:
        sheet.y += 1.2
    for note in notes:
        sheet.lines(x, note, _SMALL, _PANEL, fill=GREY)


def _cards(sheet: Sheet, x: float, hand: Hand, unknown: str | None) -> None:
    """Both hands drawn, Player's on the left, their points above them as text."""
    sides = []
    sheet.y += 6.0
    offset = (draw.SIDE_W + 3.6) * _SCALE
    for seat, cards, total, at in (
        ("player", hand.player, hand.player_total, x),
        ("banker", hand.banker, hand.banker_total, x + offset),
    ):
        wrong = any(s.breach and s.card is None for s in hand.steps if s.seat == seat)
        final = unknown is None or (unknown == "banker" and seat == "player")
        points = f"{SEATS[seat]} {'–' if total is None or not final else total}"
        sheet.put(at, points, _BODY, bold=True)
        faces = tuple(TEXT[card] for card in cards)
        sides.append(draw.Hand("", faces, "", owed=wrong or seat == unknown))
    title = "Player " + " ".join(map(face, hand.player)) + ", Banker "
    drawing = draw.hands(sides[0], sides[1], title + " ".join(map(face, hand.banker)))
    scale, up = draw.number(_SCALE * _PIXEL * 1000), sheet.y - 4.0 * _SCALE + 1.2
    move = f"translate({draw.number(x)} {draw.number(up)}) scale({scale}e-3)"
    sheet.parts.append(f'<g transform="{move}">{drawing}</g>')
    sheet.y += draw.CARD_H * _SCALE + 2.4


def _draw_table(sheet: Sheet, rows: Sequence[TableRow]) -> None:
    """The rows of the draw table that decided; the deciding cells are framed."""
    sheet.heading("Draw table, art. 9")
    start, size = MARGIN + 32.0, 12.4
    sheet.y += 5.0
    for column, name in enumerate((*map(str, range(10)), "none")):
        sheet.put(start + (column + 0.5) * size, name, _SMALL, fill=GREY, anchor="middle")
    for row in rows:
        sheet.y += 5.4
        own = "Player, its own points" if row.seat == "player" else f"Banker {row.total}, by P3"
        sheet.put(MARGIN, own, _SMALL)
        for column, draws in enumerate(row.draws):
            x = start + column * size
            if column in (row.dealt, row.rightly):
                dealt = column == row.dealt
                colour = GREEN if not dealt else draw.RED if row.broken else draw.INK
                sheet.box(x + 0.6, sheet.y - 3.6, size - 1.2, 4.9, "none", colour)
            sheet.put(x + size / 2, "draw" if draws else "–", _SMALL, anchor="middle")


def _money(sheet: Sheet, recorded: RecordedRound, replay: Replay) -> None:
    """Bets, and what each was due: as dealt, and after a draw error in the two ways to mend it."""
    sheet.heading("Money that hangs on the error" if replay.money else "Bets")
    dues: list[tuple[BetDue, ...]] = [(due,) for due in replay.dues]
    if replay.money:
        dues = [(each.dealt, each.rightly, each.void) for each in replay.money]
    heads = ["Stake", "Paid", "Due as dealt", "If dealt rightly", "If made void"]
    heads = heads if replay.money else ["Stake", "Paid", "Due", "Paid less due"]
    right = [WIDTH - MARGIN - 25.0 * (len(heads) - 1 - at) for at in range(len(heads))]
    sheet.y += 5.0
    for x, head in zip(right, heads, strict=True):
        sheet.put(x, head, _SMALL, fill=GREY, anchor="end")
    for bet, ways in zip(recorded.bets, dues, strict=True):
        first = ways[0]
        fill = draw.INK if first.fits(bet) else draw.RED
        amounts = [money(bet.stake), money(bet.paid)]
        amounts += [" or ".join(map(money, due.accepted or (due.due,))) for due in ways]
        if not replay.money:
            amounts.append(signed(first.difference(bet)))
        sheet.y += 1.0
        top = sheet.y + _SMALL * 1.45
        for x, amount in zip(right, amounts, strict=True):
            sheet.put(x, amount, _SMALL, y=top, fill=fill, anchor="end")
        currency = f" {bet.currency}" if bet.currency else ""
        name = f"{bet.bet_id}: {bet.bet}{currency} · {standing(first)}"
        sheet.lines(MARGIN, name, _SMALL, right[0] - MARGIN - 20.0, fill=fill)
    for total in replay.totals:
        if total.bets:
            sheet.y += 5.4
            name = f"Total {total.currency} of {plural(total.bets, 'bet')}"
            sheet.put(MARGIN, name, _SMALL, bold=True)
            sums = (total.paid, total.dealt, total.rightly, total.void)
            for x, total_due in zip(right[1:], sums, strict=True):
                sheet.put(x, money(total_due), _SMALL, bold=True, anchor="end")


def _findings(sheet: Sheet, recorded: RecordedRound) -> None:
    sheet.heading("Findings of this round")
    if not recorded.findings:
        sheet.lines(MARGIN, "none", _SMALL, WIDTH - 2 * MARGIN, fill=GREY)
    for finding in recorded.findings:
        article = f", art. {finding.article}" if finding.article else ""
        bet = f", bet {finding.bet_id}" if finding.bet_id else ""
        sheet.y += 0.8
        head = f"{finding.code}  {severity(finding)}{article}{bet}"
        fill = draw.RED if finding.severity == "violation" else draw.INK
        sheet.lines(MARGIN, head, _SMALL, WIDTH - 2 * MARGIN, fill=fill)
        sheet.lines(MARGIN + 12.0, finding.message, _SMALL, WIDTH - 2 * MARGIN - 12.0)
