"""A replayed round for people, as a page for a terminal (``render``) or one line (``summary``).

All that comes from a log is data: it is put into ``Text`` objects, never parsed as markup, and
what a terminal could take for a command is made harmless first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from audit.replay.dues import BetDue
from audit.replay.hand import Hand
from audit.replay.page_hand import BREACH, QUIET, RIGHT, Lines, beside, draw_table, pane, sentences
from audit.replay.page_money import bets, grid, three_ways
from audit.replay.record import RecordedRound
from audit.replay.rounds import Replay
from audit.replay.tables import table_rows
from audit.replay.words import (
    CONSEQUENCES,
    OUTCOMES,
    STANDINGS,
    broken,
    circumstances,
    clean,
    money,
    moves,
    place_of,
    severity,
    why_unknown,
    wrong_bets,
)
from audit.replay.words_jackpot import jackpot_lines

WIDEST = 120
"""Columns beyond which a page gets no wider: the eye would lose the line."""

SIDE_BY_SIDE = 100
"""Columns from which two hands stand beside each other."""

_GAP = " │ "
_NATURAL = "A natural decides: on 8 or 9 with two cards neither hand draws."


def render(recorded: RecordedRound, replays: Sequence[Replay], width: int) -> RenderableType:
    """The round as a page for a terminal of ``width`` columns.

    Of several replays the hands stand side by side where there is room, the first one's bets are
    given in full, and all of them are compared.
    """
    width = min(width, WIDEST)
    replay = replays[0]
    parts: list[RenderableType] = [_heading(recorded, replay), Text()]
    if flaw := _flaw(recorded):
        parts += [Text(flaw, "bold"), Text()]
    parts += [_block(_hands(recorded, replays, width)), Text()]
    for lines in _tables(replays, width):
        parts += [_block(lines), Text()]
    for each in replays:
        if each.course is not None:
            said = _consequence(recorded, each, named=len(replays) > 1)
            parts += [_block(sentences(said, width, RIGHT)), Text()]
    parts += [_compared(recorded, replay.hand), Text()]
    if recorded.bets:
        parts += _money(recorded, replay, named=len(replays) > 1)
    for jackpot in replay.jackpots:
        if jackpot.bets or jackpot.dealt:
            parts += [Text("Jackpot", style="bold underline")]
            parts += [Text(line) for line in jackpot_lines(recorded, jackpot)]
            parts.append(Text())
    if len(replays) > 1:
        parts += [_versions(recorded, replays), Text()]
    return Constrain(Group(*parts, *_findings(recorded)), width)


def _block(lines: Lines) -> Text:
    return Text("\n").join(lines)


def _heading(recorded: RecordedRound, replay: Replay) -> RenderableType:
    lines = [Text(place_of(recorded), style="bold")]
    lines += [Text(line) for line in circumstances(recorded, replay)]
    source = f"{clean(recorded.source)}, row {recorded.row}"
    return Panel(Group(*lines), box=box.HEAVY, subtitle=Text(source, style=QUIET))


def _flaw(recorded: RecordedRound) -> str:
    """Why the hand cannot be judged, empty where it can."""
    if recorded.outcome_only:
        return "The log has an outcome and no cards: bets are judged as far as that is enough."
    if recorded.kind == "void" and min(len(recorded.player), len(recorded.banker)) < 2:
        return "The round was made void before the first four cards were dealt."
    return "An initial card is missing: the hand cannot be judged." if recorded.missing else ""


def _panes(recorded: RecordedRound, replay: Replay, width: int, named: bool) -> list[Lines]:
    """The hand as dealt and, where a draw rule was broken, as it should have been."""
    under = f"Under {replay.rules.id}: " if named else ""
    course = replay.course
    title = f"{under}{'as dealt' if named else 'As dealt'}"
    panes = [pane(title, replay.hand, width, void=recorded.kind == "void")]
    if course is not None:
        notes = [*moves(course), why_unknown(course, recorded)]
        title = f"{under}{'rightly' if named else 'As it should have been'}"
        panes.append(
            pane(
                title,
                course.hand,
                width,
                again=True,
                unknown=course.unknown,
                notes=[note for note in notes if note],
            )
        )
    return panes


def _hands(recorded: RecordedRound, replays: Sequence[Replay], width: int) -> Lines:
    """One replay: as dealt beside as it should have been. Several: one beside the other."""
    several = len(replays) > 1
    wide = width >= SIDE_BY_SIDE
    half = (width - len(_GAP)) // 2
    if not several:
        narrow = half if wide and replays[0].course is not None else width
        columns = _panes(recorded, replays[0], narrow, named=False)
        return _laid_out(columns, half, wide=wide)
    columns = [
        _stacked(_panes(recorded, replay, half if wide else width, named=True))
        for replay in replays
    ]
    return _laid_out(columns, half, wide=wide)


def _laid_out(columns: Sequence[Lines], half: int, *, wide: bool) -> Lines:
    """Blocks in rows of two where there is room, else one below the other."""
    if not wide:
        return _stacked(columns)
    rows = [columns[at : at + 2] for at in range(0, len(columns), 2)]
    return _stacked([beside(row[0], row[1], half, _GAP) if row[1:] else row[0] for row in rows])


def _stacked(blocks: Iterable[Lines]) -> Lines:
    lines: Lines = []
    for block in blocks:
        lines += [Text(), *block] if lines else block
    return lines


def _tables(replays: Sequence[Replay], width: int) -> list[Lines]:
    """The rows of the draw table that decided, once where the replays agree on them."""
    shown: list[Lines] = []
    seen: list[object] = []
    for replay in replays:
        again = replay.course.hand if replay.course else None
        rows = table_rows(replay.hand, again, replay.rules)
        if rows in seen:
            continue
        seen.append(rows)
        if rows:
            shown.append(draw_table(rows, width))
            if len(replays) > 1:
                shown[-1][0].append(f", under {replay.rules.id}", style="bold")
        elif any(step.why.endswith("_natural") for step in replay.hand.steps):
            shown.append([Text(_NATURAL, style=QUIET)])
    return shown


def _consequence(recorded: RecordedRound, replay: Replay, *, named: bool) -> list[str]:
    """What would have come of it, and a word where the case says otherwise."""
    course = replay.course
    if course is None:
        return []
    said = [CONSEQUENCES[course.consequence]]
    if named:
        said[0] = f"Under {replay.rules.id}: {said[0]}"
    cases = {f.consequence for f in recorded.findings if f.consequence}
    if replay.rules.id == recorded.ruleset and cases - {course.consequence}:
        said.append(f"The case says otherwise: {', '.join(sorted(cases))}.")
    return said


def _compared(recorded: RecordedRound, hand: Hand) -> RenderableType:
    """What the log says beside what the cards say."""
    table = grid("Recorded and by the cards", "_", "", "Recorded", "By the cards", "_")
    flags = {True: "yes", False: "no", None: "–"}
    void = recorded.kind == "void"
    rows: list[tuple[str, Any, Any, dict[Any, str] | None]] = [
        ("Player total", recorded.player_total, hand.player_total, None),
        ("Banker total", recorded.banker_total, hand.banker_total, None),
        ("Outcome", *((None, None) if void else (recorded.outcome, hand.winner)), OUTCOMES),
        ("Player pair", recorded.player_pair, hand.player_pair, flags),
        ("Banker pair", recorded.banker_pair, hand.banker_pair, flags),
    ]
    for name, log, cards, words in rows:
        differs = log is not None and cards is not None and log != cards
        shown = [words[v] if words else "–" if v is None else str(v) for v in (log, cards)]
        verdict = Text("✗ differs", style=BREACH) if differs else Text("")
        table.add_row(name, *shown, verdict)
    return table


def _money(recorded: RecordedRound, replay: Replay, *, named: bool) -> list[RenderableType]:
    if not replay.money:
        return [bets(recorded, replay.dues), Text()]
    shown = three_ways(replay.money, replay.totals)
    if named:
        shown.insert(0, Text(f"Under {replay.rules.id}:", style="bold"))
    return [*shown, Text()]


def _findings(recorded: RecordedRound) -> Iterable[RenderableType]:
    yield Text("Findings of this round", style="bold underline")
    if not recorded.findings:
        yield Text("none", style=QUIET)
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    for finding in recorded.findings:
        style = BREACH if finding.severity == "violation" else "bold"
        word = severity(finding)
        head = Text(f"{word}, art. {finding.article}" if finding.article else word, style=style)
        if finding.bet_id:
            head.append(f", bet {clean(finding.bet_id)}")
        if finding.amount is not None:
            head.append(f", {money(finding.amount)}")
        table.add_row(Text(finding.code, style=style), head)
        table.add_row("", Text(clean(finding.message)))
    yield table


def _due_text(due: BetDue) -> str:
    amounts = " or ".join(map(money, due.accepted))
    return f"{STANDINGS.get(due.standing, due.standing)} {amounts}".strip()


def _versions(recorded: RecordedRound, replays: Sequence[Replay]) -> RenderableType:
    """The same round under several rule sets; a row is marked where they differ."""
    table = grid("Under each rule set", "_", "", *(replay.rules.id for replay in replays), "_")
    rows = [
        ("Outcome as dealt", [OUTCOMES[replay.hand.winner] for replay in replays]),
        ("Art. 9 broken", [broken(replay.hand) for replay in replays]),
    ]
    if any(replay.course for replay in replays):
        results = [r.course.consequence if r.course else "–" for r in replays]
        rows.append(("Dealt rightly", [result.replace("_", " ") for result in results]))
    for at, bet in enumerate(recorded.bets):
        cells = [_due_text(replay.dues[at]) for replay in replays]
        rows.append((f"Bet {clean(bet.bet_id)}, {clean(bet.bet)}", cells))
    for name, cells in rows:
        table.add_row(
            Text(name), *map(Text, cells), Text("differs" if len(set(cells)) > 1 else "", "bold")
        )
    return table


def summary(recorded: RecordedRound, replay: Replay) -> str:
    """The round in one line: outcome by the cards, codes broken, bets not paid as due."""
    hand = replay.hand
    outcome = "void" if recorded.kind == "void" else OUTCOMES[hand.winner]
    parts = [f"{clean(recorded.name)}: {outcome}"]
    if hand.winner is not None:
        parts[0] += f", Player {hand.player_total}, Banker {hand.banker_total}"
    parts.append(f"art. 9 broken: {broken(hand)}")
    if replay.course is not None:
        parts.append(f"dealt rightly: {replay.course.consequence.replace('_', ' ')}")
    wrong = wrong_bets(recorded, replay.dues)
    parts.append(f"{wrong} of {len(recorded.bets)} bets not paid as due")
    return "; ".join(parts)
