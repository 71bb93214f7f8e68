"""A replayed round for programs: one object whose keys never change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from audit.cards import TEXT
from audit.replay.dues import BetDue
from audit.replay.hand import Hand, Step
from audit.replay.jackpot import Jackpot
from audit.replay.money import BetMoney, Total
from audit.replay.record import RecordedBet, RecordedFinding, RecordedRound
from audit.replay.rounds import Replay
from audit.replay.tables import NONE, TableRow, table_rows
from audit.replay.true_order import Course, Dealt
from audit.replay.words import plain

Object = dict[str, Any]


def written(value: object) -> str:
    """JSON text in which no character is left raw that a terminal could take for a command."""
    lines = json.dumps(value, ensure_ascii=False, indent=2).split("\n")
    return "\n".join(line if line.isprintable() else _escaped(line) for line in lines)


def _escaped(line: str) -> str:
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def as_json(recorded: RecordedRound, replays: Sequence[Replay]) -> Object:
    """One object with the same keys for every round; money as decimal text, unknown as null."""
    return {
        "casino": recorded.casino,
        "table_id": recorded.table_id,
        "shoe_id": recorded.shoe_id,
        "round_no": recorded.round_no,
        "started_at": recorded.started_at.isoformat(),
        "kind": recorded.kind,
        "void_reason": recorded.void_reason or None,
        "device": recorded.device,
        "decks": recorded.decks,
        "scheme": recorded.scheme,
        "burned": recorded.burned,
        "cut_card": recorded.cut_card,
        "jackpot_pool": plain(recorded.jackpot_pool),
        "dealer_id": recorded.dealer_id or None,
        "source": recorded.source,
        "row": recorded.row,
        "recorded": {
            "player_cards": _texts(recorded.player),
            "banker_cards": _texts(recorded.banker),
            "withdrawn_cards": recorded.withdrawn.split(),
            "initial_missing": recorded.missing,
            "player_total": recorded.player_total,
            "banker_total": recorded.banker_total,
            "outcome": recorded.outcome,
            "player_pair": recorded.player_pair,
            "banker_pair": recorded.banker_pair,
        },
        "replays": [_replay(recorded, replay) for replay in replays],
        "findings": [finding_json(finding) for finding in recorded.findings],
    }


def _texts(cards: Sequence[int]) -> list[str]:
    return [TEXT[card] for card in cards]


def finding_json(finding: RecordedFinding) -> Object:
    """One finding of the case."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "status": finding.status,
        "article": finding.article or None,
        "bet_id": finding.bet_id or None,
        "subject": finding.subject or None,
        "expected": finding.expected or None,
        "recorded": finding.recorded or None,
        "amount": plain(finding.amount),
        "consequence": finding.consequence or None,
        "message": finding.message,
    }


def _replay(recorded: RecordedRound, replay: Replay) -> Object:
    hand, rules = replay.hand, replay.rules
    again = replay.course.hand if replay.course else None
    return {
        "ruleset": rules.id,
        "why": replay.why,
        "in_force_from": rules.in_force_from.isoformat(),
        "in_force_status": rules.in_force_status,
        **_hand(hand),
        "breaches": list(hand.breaches),
        "steps": _steps(hand),
        "draw_table": [_row(row) for row in table_rows(hand, again, rules)],
        "should_have_been": replay.course and _course(replay.course),
        "bets": [_bet(bet, due) for bet, due in zip(recorded.bets, replay.dues, strict=True)],
        "money": replay.course
        and {
            "bets": [_money(each) for each in replay.money],
            "totals": [_total(total) for total in replay.totals],
        },
        "jackpots": [_jackpot(jackpot) for jackpot in replay.jackpots],
    }


def _hand(hand: Hand) -> Object:
    return {
        "player_total": hand.player_total,
        "banker_total": hand.banker_total,
        "outcome": hand.winner,
        "player_pair": hand.player_pair,
        "banker_pair": hand.banker_pair,
        "player_natural": hand.player_natural,
        "banker_natural": hand.banker_natural,
    }


def _steps(hand: Hand) -> list[Object]:
    return [_step(number, step) for number, step in enumerate(hand.steps, 1)]


def _step(number: int, step: Step) -> Object:
    return {
        "step": number,
        "seat": step.seat,
        "action": step.action,
        "card": None if step.card is None else TEXT[step.card],
        "before": step.before,
        "after": step.after,
        "required": step.required,
        "why": step.why,
        "article": step.article,
        "breach": step.breach or None,
    }


def _row(row: TableRow) -> Object:
    """Columns are points 0-9; ``none`` says that Player took no third card."""
    names = [*map(str, range(10)), "none"]
    return {
        "seat": row.seat,
        "total": row.total,
        "draws": dict(zip(names, row.draws, strict=False)),
        "as_dealt": names[row.dealt] if row.dealt != NONE else "none",
        "rightly": None if row.rightly is None else names[row.rightly],
        "article": row.article,
        "broken": row.broken,
    }


def _course(course: Course) -> Object:
    known = _hand(course.hand)
    if not course.determined:
        # What hangs on the unknown card is not said.
        finished = course.unknown == "banker"
        known |= {"banker_total": None, "outcome": None}
        known |= {} if finished else {"player_total": None}
    return {
        "consequence": course.consequence,
        "undetermined_because": course.reason or None,
        "card_unknown_to": course.unknown,
        "player_cards": _texts(course.hand.player),
        "banker_cards": _texts(course.hand.banker),
        **known,
        "third_cards": [{"to": seat, **_dealt(dealt)} for seat, dealt in course.third],
        "left_in_shoe": [_dealt(dealt) for dealt in course.left],
        "steps": _steps(course.hand),
    }


def _dealt(dealt: Dealt) -> Object:
    """A card and where it was really dealt; round null is the round itself."""
    place = f"{dealt.seat[0].upper()}{dealt.number}"
    return {"card": TEXT[dealt.card], "dealt_as": place, "dealt_in_round": dealt.round_no}


def _bet(bet: RecordedBet, due: BetDue) -> Object:
    return {
        "bet_id": bet.bet_id,
        "bet": bet.bet,
        "currency": bet.currency or None,
        "position": bet.position or None,
        "patron_id": bet.patron_id or None,
        "disposition": bet.disposition,
        "stake": plain(bet.stake),
        "paid": plain(bet.paid),
        **_due(due),
        "accepted": [plain(amount) for amount in due.accepted],
        "difference": plain(due.difference(bet)),
        "odds": plain(due.odds),
        "commission": plain(due.commission),
        "commission_taken": plain(bet.commission_taken),
        "article": due.article or None,
        "basis": due.basis,
        "case_due": plain(bet.due),
        "case_standing": bet.standing or None,
    }


def _due(due: BetDue) -> Object:
    return {"due": plain(due.due), "standing": due.standing}


def _money(each: BetMoney) -> Object:
    return {
        "bet_id": each.bet.bet_id,
        "currency": each.bet.currency or None,
        "paid": plain(each.bet.paid),
        "as_dealt": _due(each.dealt),
        "rightly": _due(each.rightly),
        "void": _due(each.void),
    }


def _total(total: Total) -> Object:
    return {
        "currency": total.currency or None,
        "bets": total.bets,
        "left_out": total.open,
        "paid": plain(total.paid),
        "as_dealt": plain(total.dealt),
        "rightly": plain(total.rightly),
        "void": plain(total.void),
    }


def _jackpot(jackpot: Jackpot) -> Object:
    return {
        "bet": jackpot.bet,
        "article": jackpot.article,
        "dealt": [
            {
                "combination": each.id,
                "article": each.article,
                "disputed": each.id in jackpot.disputed,
                "prize": each.prize,
                "prize_article": each.prize_article,
                "shared": each.shared,
                "pool_amount": plain(jackpot.pool_prize(each)),
            }
            for each in jackpot.dealt
        ],
        "unknown": list(jackpot.unknown),
        "pool": plain(jackpot.pool),
        "winning_bets": jackpot.bets if jackpot.dealt else 0,
        "winning_persons": jackpot.persons if jackpot.dealt else 0,
    }
