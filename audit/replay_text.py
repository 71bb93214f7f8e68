"""A replayed round for people, as a page for a terminal (``render``) or one line (``summary``).

All that comes from a log is data: it is put into ``Text`` objects, never parsed as markup, and
what a terminal could take for a command is made harmless first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from audit.cards import POINTS, SUIT_SYMBOLS, SUITS, TEXT, suit_of
from audit.replay import Hand, Step
from audit.replay_json import plain
from audit.replay_round import (
    BetDue,
    RecordedBet,
    RecordedRound,
    Replay,
    difference,
    paid_as_due,
)

BREACH = "bold red"
QUIET = "dim"
WIDEST = 100
"""Columns beyond which a page gets no wider: the eye would lose the line."""

DRAWN_CARDS = 4
"""A hand with more cards than this is written, not drawn, so that two fit in 80 columns."""

_SEATS = {"player": "Player", "banker": "Banker"}
_OUTCOMES = {"player": "Player", "banker": "Banker", "tie": "tie", None: "–"}
_ACTIONS = {
    "deal": "dealt",
    "draw": "draws",
    "stand": "stands",
    "stop": "stopped",
    "extra": "draws",
}
_BROKEN = {
    "A0901": "did not draw",
    "A0902": "drew all the same",
    "A0903": "drew against a natural",
    "A0904": "did not draw",
    "A0905": "drew all the same",
    "A0906": "drew against a natural",
    "A0907": "more than three cards",
}
_STANDINGS = {
    "returned": "tie: returned",
    "void": "void: returned",
    "cancelled": "cancelled",
    "carried": "carried on",
    "handpay": "paid by hand",
    "not_offered": "not on offer",
    "demo": "demonstration",
    "bad_stake": "no stake",
    "jackpot": "jackpot, not replayed",
    "unjudged": "not judged",
}


_CONSEQUENCES = {
    "same_outcome": "Had the rules been followed, the result would have been the same.",
    "changed:banker": "Had the rules been followed, Banker would have won.",
    "changed:player": "Had the rules been followed, Player would have won.",
    "changed:tie": "Had the rules been followed, the round would have been a tie.",
    "undetermined": "What the result would have been cannot be determined.",
}


def clean(text: object) -> str:
    """Text of a log without control characters, which could steer a terminal."""
    return "".join(
        char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(text)
    )


def money(amount: Decimal | None) -> str:
    """An amount for reading: ``1,950.00``, with more decimals only where it has them."""
    if amount is None:
        return "–"
    whole, _, part = (plain(amount) or "0").partition(".")
    return f"{int(whole):,}.{part:0<2}" if int(whole) or amount >= 0 else f"-0.{part:0<2}"


def reason(step: Step, hand: Hand) -> str:
    """Why a step had to be taken, in one short phrase."""
    must = "must draw" if step.required == "draw" else "must not draw"
    seat = _SEATS[step.seat]
    match step.why:
        case "own_total":
            return f"on {step.before}, {seat} {must}"
        case "player_natural" | "banker_natural":
            natural, other = step.why.removesuffix("_natural"), _SEATS[step.seat]
            cards = hand.player if natural == "player" else hand.banker
            points = sum(POINTS[card] for card in cards[:2]) % 10
            whose = "its own" if natural == step.seat else f"{_SEATS[natural]}'s"
            return f"with {whose} natural {points}, {other} {must}"
        case "third_card":
            third = POINTS[hand.player[2]]
            return f"on {step.before}, against a third card of {third}, {seat} {must}"
        case "no_third_card":
            return f"on {step.before}, Player not having drawn, {seat} {must}"
        case "limit":
            return "one additional card at most for each hand"
        case "not_judged":
            return "not judged"
    return ""


def _card(code: int) -> Text:
    """One card as on the table: ``K♠``, red suits red; ``7 pts`` where only points are known."""
    suit = suit_of(code)
    if suit is None:
        known = TEXT[code]
        return Text(f"{known[:-1]} pts" if known.endswith("p") else known)
    symbol = SUIT_SYMBOLS[SUITS[suit]]
    return Text(TEXT[code][:-1] + symbol, style="red" if SUITS[suit] in "HD" else "")


def _hand(seat: str, cards: Sequence[int], total: int | None) -> RenderableType:
    title = Text(f"{_SEATS[seat]}  ", style="bold")
    title.append("–" if total is None else str(total), style="bold")
    title.append(" points" if total is not None and total != 1 else " point" * (total == 1))
    if not cards:
        return Group(title, Text("no cards recorded", style=QUIET))
    faces = [_card(card) for card in cards]
    if len(cards) > DRAWN_CARDS:
        return Group(title, Text("  ").join(faces))
    drawn = Table.grid(padding=(0, 1, 0, 0))
    for face in faces:
        face.pad_left(max(0, 3 - len(face)))
    drawn.add_row(*(Panel(face, box=box.ROUNDED, padding=(0, 1)) for face in faces))
    return Group(title, drawn)


def _heading(recorded: RecordedRound, replay: Replay) -> RenderableType:
    places = [] if recorded.casino == "-" else [clean(recorded.casino)]
    places += [f"table {clean(recorded.table_id)}", f"shoe {clean(recorded.shoe_id)}"]
    title = Text(" · ".join([*places, f"round {recorded.round_no}"]), style="bold")
    reason = f" ({clean(recorded.void_reason)})" if recorded.void_reason else ""
    when = f"{recorded.started_at:%Y-%m-%d %H:%M:%S} Macau time · {recorded.kind}{reason}"
    decks = f", {recorded.decks} decks" if recorded.decks else ""
    scheme = (recorded.scheme or "scheme unknown").replace("_", " ")
    lines = [title, Text(when), Text(f"device {recorded.device}{decks} · {scheme}")]
    lines.append(Text(f"Rules {replay.rules.id}: {replay.why}"))
    events = [
        f"{recorded.burned} cards burned before it" if recorded.burned else "",
        f"withdrawn: {clean(recorded.withdrawn)}" if recorded.withdrawn else "",
        "the white card came out" if recorded.cut_card else "",
    ]
    if any(events):
        lines.append(Text(" · ".join(filter(None, events))))
    source = f"{clean(recorded.source)}, row {recorded.row}"
    return Panel(Group(*lines), box=box.HEAVY, subtitle=Text(source, style=QUIET))


def _grid(title: str, wide: str, *heads: str, numbers: Sequence[str] = ()) -> Table:
    """A table in the house form.

    The column ``wide`` takes what room is left and wraps (``_``: one without a name). Nothing is
    ever cut: a number too long for its column is folded.
    """
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        expand=True,
        title=title,
        title_justify="left",
        title_style="bold",
    )
    for head in heads:
        if head == wide:
            # With a ratio, rich takes ``width`` for the least width.
            name, least = ("", None) if head == "_" else (head, 22)
            table.add_column(name, ratio=1, width=least, overflow="fold")
        elif head in numbers:
            table.add_column(head, justify="right", overflow="fold")
        else:
            table.add_column(head, no_wrap=True)
    return table


def _steps(hand: Hand) -> RenderableType:
    table = _grid("Step by step", "Rule", "#", "Hand", "", "Card", "Total", "Rule", "Art.")
    for number, step in enumerate(hand.steps, 1):
        total = str(step.after) if step.action == "deal" else f"{step.before} → {step.after}"
        total = str(step.before) if step.card is None else total
        rule = Text(reason(step, hand))
        if step.breach:
            rule.append(f"\n✗ {step.breach}  {_BROKEN[step.breach]}", style=BREACH)
        elif step.action == "stop":
            rule.append("\nthe deal was stopped here", style=QUIET)
        card = Text("") if step.card is None else _card(step.card)
        cells = (str(number), _SEATS[step.seat], _ACTIONS[step.action], card, total, rule)
        table.add_row(*cells, step.article, style=BREACH if step.breach else "")
    return table


def _compared(recorded: RecordedRound, hand: Hand) -> RenderableType:
    """What the log says beside what the cards say."""
    table = _grid("Recorded and by the cards", "_", "", "Recorded", "By the cards", "_")
    flags = {True: "yes", False: "no", None: "–"}
    void = recorded.kind == "void"
    rows: list[tuple[str, Any, Any, dict[Any, str] | None]] = [
        ("Player total", recorded.player_total, hand.player_total, None),
        ("Banker total", recorded.banker_total, hand.banker_total, None),
        ("Outcome", *((None, None) if void else (recorded.outcome, hand.winner)), _OUTCOMES),
        ("Player pair", recorded.player_pair, hand.player_pair, flags),
        ("Banker pair", recorded.banker_pair, hand.banker_pair, flags),
    ]
    for name, log, cards, words in rows:
        differs = log is not None and cards is not None and log != cards
        shown = [words[v] if words else "–" if v is None else str(v) for v in (log, cards)]
        verdict = Text("✗ differs", style=BREACH) if differs else Text("")
        table.add_row(name, *shown, verdict)
    return table


def _bet(bet: RecordedBet, due: BetDue, currency: str) -> Text:
    """Which bet it is and how it stands, in two or more short lines."""
    text = Text(clean(f"{bet.bet_id}: {bet.bet}{f' in {currency}' if currency else ''}"))
    if bet.position or bet.patron_id:
        holder = f"position {bet.position}" if bet.position else f"patron {bet.patron_id}"
        text.append(clean(f" · {holder}"), style=QUIET)
    text.append(f"\n{_STANDINGS.get(due.standing, due.standing)}")
    if due.article:
        mark = "" if due.basis == "stated" else f" ({due.basis})"
        text.append(f", art. {due.article}{mark}", style=QUIET)
    if not paid_as_due(bet, due):
        more = difference(bet, due)
        wrong = "fits neither scheme" if more is None else "overpaid" if more > 0 else "underpaid"
        text.append(f"\n✗ {wrong}", style=BREACH)
    if bet.due is not None and bet.due != due.due:
        text.append(f"\nthe case has {money(bet.due)} as due", style=QUIET)
    return text


def _bets(bets: Sequence[RecordedBet], dues: Sequence[BetDue]) -> RenderableType:
    currencies = sorted({clean(bet.currency) for bet in bets})
    amounts = ("Stake", "Paid", "Due", "Difference")
    table = _grid(f"Bets in {' and '.join(currencies)}", "Bet", "Bet", *amounts, numbers=amounts)
    for bet, due in zip(bets, dues, strict=True):
        more = difference(bet, due)
        table.add_row(
            _bet(bet, due, "" if len(currencies) == 1 else bet.currency),
            money(bet.stake),
            money(bet.paid),
            money(due.due)
            if due.due is not None
            else "\nor ".join(map(money, due.accepted)) or "–",
            ("+" if more and more > 0 else "") + money(more),
            style="" if paid_as_due(bet, due) else BREACH,
        )
    return table


def _findings(recorded: RecordedRound) -> Iterable[RenderableType]:
    yield Text("Findings of this round", style="bold")
    if not recorded.findings:
        yield Text("none", style=QUIET)
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for finding in recorded.findings:
        style = BREACH if finding.severity == "violation" else "bold"
        word = "apparent violation" if finding.severity == "violation" else finding.severity
        if finding.status == "accepted":
            word += ", accepted"
        head = Text(f"{word}, art. {finding.article}" if finding.article else word, style=style)
        if finding.bet_id:
            head.append(f", bet {clean(finding.bet_id)}")
        if finding.amount is not None:
            head.append(f", {money(finding.amount)}")
        table.add_row(Text(finding.code, style=style), head)
        table.add_row("", Text(clean(finding.message)))
        if finding.consequence:
            table.add_row("", Text(_CONSEQUENCES.get(finding.consequence, finding.consequence)))
    yield table


def _broken(hand: Hand) -> str:
    """Codes of art. 9 that the hand broke; never a clean word for a hand not looked at."""
    return " ".join(hand.breaches) or ("not judged" if hand.winner is None else "no")


def _versions(recorded: RecordedRound, replays: Sequence[Replay]) -> RenderableType:
    """The same round under several rule sets; a row is marked where they differ."""
    table = _grid("Under each rule set", "_", "", *(replay.rules.id for replay in replays), "_")
    rows = [
        ("Outcome", [_OUTCOMES[replay.hand.winner] for replay in replays]),
        ("Art. 9 broken", [_broken(replay.hand) for replay in replays]),
    ]
    for at, bet in enumerate(recorded.bets):
        dues = [replay.dues[at] for replay in replays]
        shown = [
            f"{_STANDINGS.get(due.standing, due.standing)}"
            + "".join(f" {money(amount)}" for amount in due.accepted[:1])
            + "".join(f" or {money(amount)}" for amount in due.accepted[1:])
            for due in dues
        ]
        rows.append((f"Bet {clean(bet.bet_id)}, {clean(bet.bet)}", shown))
    for name, cells in rows:
        table.add_row(name, *cells, Text("differs", style="bold") if len(set(cells)) > 1 else "")
    return table


def render(recorded: RecordedRound, replays: Sequence[Replay]) -> RenderableType:
    """The round as a page for a terminal: the first replay in full, all of them compared."""
    replay = replays[0]
    hand = replay.hand
    parts: list[RenderableType] = [_heading(recorded, replay), Text()]
    hands = [_hand("player", hand.player, hand.player_total)]
    hands.append(_hand("banker", hand.banker, hand.banker_total))
    parts += [Columns(hands, padding=(0, 6)), Text()]
    if recorded.missing:
        parts += [Text("An initial card is missing: the hand cannot be judged.", "bold"), Text()]
    if hand.steps:
        parts += [_steps(hand), Text()]
    parts += [_compared(recorded, hand), Text()]
    if recorded.bets:
        parts += [_bets(recorded.bets, replay.dues), Text()]
    if len(replays) > 1:
        parts += [_versions(recorded, replays), Text()]
    return Constrain(Group(*parts, *_findings(recorded)), WIDEST)


def summary(recorded: RecordedRound, replay: Replay) -> str:
    """The round in one line: outcome by the cards, codes broken, bets not paid as due."""
    hand = replay.hand
    outcome = "void" if recorded.kind == "void" else _OUTCOMES[hand.winner]
    parts = [f"{clean(recorded.name)}: {outcome}"]
    if hand.winner is not None:
        parts[0] += f", Player {hand.player_total}, Banker {hand.banker_total}"
    wrong = sum(not paid_as_due(b, d) for b, d in zip(recorded.bets, replay.dues, strict=True))
    parts.append(f"art. 9 broken: {_broken(hand)}")
    parts.append(f"{wrong} of {len(recorded.bets)} bets not paid as due")
    return "; ".join(parts)
