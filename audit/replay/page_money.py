"""The money of a replayed round for the terminal: bets, what a draw error cost, the jackpot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from audit.replay.dues import BetDue
from audit.replay.money import BetMoney, Total
from audit.replay.page_hand import BREACH, QUIET
from audit.replay.record import RecordedBet, RecordedRound
from audit.replay.words import clean, money, plural, signed, standing


def grid(title: str, wide: str, *heads: str, numbers: Sequence[str] = ()) -> Table:
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
        title_style="bold underline",
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


def _bet(bet: RecordedBet, currency: str) -> Text:
    """Which bet it is and whose."""
    text = Text(clean(f"{bet.bet_id}: {bet.bet}{f' in {currency}' if currency else ''}"))
    if bet.position or bet.patron_id:
        holder = f"position {bet.position}" if bet.position else f"patron {bet.patron_id}"
        text.append(clean(f" · {holder}"), style=QUIET)
    return text


def _judged(bet: RecordedBet, due: BetDue, currency: str) -> Text:
    """The bet, how it stands, and what is wrong with its payment, in short lines."""
    text = _bet(bet, currency)
    text.append(f"\n{standing(due)}", style=QUIET)
    if not due.fits(bet):
        more = due.difference(bet)
        wrong = (
            "not an amount that is due" if more is None else "overpaid" if more > 0 else "underpaid"
        )
        text.append(f"\n✗ {wrong}", style=BREACH)
    elif due.accepted and bet.paid not in due.accepted and not due.slack:
        text.append("\npaid before commission", style=QUIET)
    known = due.accepted or (due.due,)
    if bet.due is not None and bet.due not in known:
        text.append(f"\nthe case has {money(bet.due)} as due", style=QUIET)
    return text


def _amounts(due: BetDue) -> str:
    """The amount due, or each that is accepted."""
    return "\nor ".join(map(money, due.accepted or (due.due,)))


def _several(bets: Iterable[RecordedBet]) -> bool:
    return len({bet.currency for bet in bets}) > 1


def _in(bets: Iterable[RecordedBet]) -> str:
    """The currencies of the bets for a title: `` in HKD``."""
    names = sorted({clean(bet.currency) for bet in bets if bet.currency})
    return f" in {' and '.join(names)}" if names else ""


def bets(recorded: RecordedRound, dues: Sequence[BetDue]) -> RenderableType:
    """Each bet with its stake, what was paid, what was due, and the difference."""
    amounts = ("Stake", "Paid", "Due", "Paid less due")
    heading = f"Bets{_in(recorded.bets)}"
    table = grid(heading, "Bet", "Bet", *amounts, numbers=amounts)
    several = _several(recorded.bets)
    for bet, due in zip(recorded.bets, dues, strict=True):
        table.add_row(
            _judged(bet, due, bet.currency if several else ""),
            money(bet.stake),
            money(bet.paid),
            _amounts(due),
            signed(due.difference(bet)),
            style="" if due.fits(bet) else BREACH,
        )
    return table


def _against(paid: Decimal, due: Decimal | None, accepted: Sequence[Decimal] = ()) -> Text:
    """An amount due, and below it what was paid more or less than that."""
    if due is None:
        return Text("\nor ".join(map(money, accepted)) or "–")
    text = Text(money(due))
    if paid != due:
        text.append(f"\n({signed(paid - due)})", style="yellow")
    return text


def three_ways(replay_money: Sequence[BetMoney], sums: Sequence[Total]) -> list[RenderableType]:
    """Bets of a wrongly dealt round: due as dealt, if dealt rightly, and if void (art. 10)."""
    amounts = ("Paid", "Due as dealt", "If dealt rightly", "If made void")
    heading = f"Money that hangs on the error{_in(each.bet for each in replay_money)}"
    table = grid(heading, "Bet", "Bet", *amounts, numbers=amounts)
    several = _several(each.bet for each in replay_money)
    for each in replay_money:
        bet = each.bet
        dues = (each.dealt, each.rightly, each.void)
        cells = [_against(bet.paid, due.due, due.accepted) for due in dues]
        name = _judged(bet, each.dealt, bet.currency if several else "")
        if each.rightly.standing != each.dealt.standing:
            name.append(f"\nrightly: {standing(each.rightly)}", style=QUIET)
        table.add_row(name, money(bet.paid), *cells)
    table.add_section()
    for total in sums:
        if total.bets:
            whole = f"Total{f' {clean(total.currency)}' if several else ''}"
            name = Text(f"{whole}, {plural(total.bets, 'bet')}", style="bold")
            cells = [_against(total.paid, due) for due in (total.dealt, total.rightly, total.void)]
            table.add_row(name, Text(money(total.paid), style="bold"), *cells)
    left_out = sum(total.open for total in sums)
    notes = "In brackets: what was paid more (+) or less (-) than that. Void: the stake back."
    if left_out:
        notes += f" {plural(left_out, 'bet')} left out of the totals, for want of a single due."
    return [table, Text(notes, style=QUIET)]
