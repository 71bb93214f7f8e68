"""A replayed round for programs: one object whose keys never change."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from audit.cards import TEXT
from audit.replay import Step
from audit.replay_round import BetDue, RecordedBet, RecordedRound, Replay, difference


def plain(amount: Decimal | None) -> str | None:
    """Exact decimal text without trailing zeros, as JSON carries it: ``1950``, ``-2.5``."""
    if amount is None:
        return None
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _step_json(number: int, step: Step) -> dict[str, Any]:
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


def _bet_json(bet: RecordedBet, due: BetDue) -> dict[str, Any]:
    return {
        "bet_id": bet.bet_id,
        "bet": bet.bet,
        "currency": bet.currency,
        "position": bet.position or None,
        "patron_id": bet.patron_id or None,
        "disposition": bet.disposition,
        "stake": plain(bet.stake),
        "paid": plain(bet.paid),
        "due": plain(due.due),
        "accepted": [plain(amount) for amount in due.accepted],
        "difference": plain(difference(bet, due)),
        "standing": due.standing,
        "odds": plain(due.odds),
        "commission": plain(due.commission),
        "commission_taken": plain(bet.commission_taken),
        "article": due.article or None,
        "basis": due.basis,
        "case_due": plain(bet.due),
        "case_standing": bet.standing or None,
    }


def _replay_json(recorded: RecordedRound, replay: Replay) -> dict[str, Any]:
    hand, rules = replay.hand, replay.rules
    return {
        "ruleset": rules.id,
        "why": replay.why,
        "in_force_from": rules.in_force_from.isoformat(),
        "in_force_status": rules.in_force_status,
        "player_total": hand.player_total,
        "banker_total": hand.banker_total,
        "outcome": hand.winner,
        "player_pair": hand.player_pair,
        "banker_pair": hand.banker_pair,
        "player_natural": hand.player_natural,
        "banker_natural": hand.banker_natural,
        "breaches": list(hand.breaches),
        "steps": [_step_json(number, step) for number, step in enumerate(hand.steps, 1)],
        "bets": [_bet_json(bet, due) for bet, due in zip(recorded.bets, replay.dues, strict=True)],
    }


def as_json(recorded: RecordedRound, replays: Sequence[Replay]) -> dict[str, Any]:
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
        "dealer_id": recorded.dealer_id or None,
        "source": recorded.source,
        "row": recorded.row,
        "recorded": {
            "player_cards": [TEXT[card] for card in recorded.player],
            "banker_cards": [TEXT[card] for card in recorded.banker],
            "withdrawn_cards": recorded.withdrawn.split(),
            "initial_missing": recorded.missing,
            "player_total": recorded.player_total,
            "banker_total": recorded.banker_total,
            "outcome": recorded.outcome,
            "player_pair": recorded.player_pair,
            "banker_pair": recorded.banker_pair,
        },
        "replays": [_replay_json(recorded, replay) for replay in replays],
        "findings": [
            {
                "code": finding.code,
                "severity": finding.severity,
                "status": finding.status,
                "article": finding.article or None,
                "bet_id": finding.bet_id or None,
                "subject": finding.subject or None,
                "amount": plain(finding.amount),
                "consequence": finding.consequence or None,
                "message": finding.message,
            }
            for finding in recorded.findings
        ],
    }
