"""The form of each simple value of a rule set, and the marks that every entry carries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from audit.rulebook.read import Node, shown
from audit.rulebook.types import Provision, Status
from audit.schema import BURN_RULES, DEVICES

MARKS = ("article", "status", "note")

Form = Callable[[Node, str], Any]


def _count(low: int, high: int) -> Form:
    def read(node: Node, key: str) -> Any:
        value = node.data[key]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            node.refuse(key, f"{shown(value)} is not a whole number from {low} to {high}")
        return value

    return read


def _only(value: object) -> Form:
    """The one value that the audit can judge by: stated as law, not open to change."""

    def read(node: Node, key: str) -> Any:
        found = node.data[key]
        if type(found) is not type(value) or found != value:
            node.refuse(key, f"{shown(found)} cannot be judged by", f"It must be {shown(value)}")
        return found

    return read


def _flag(node: Node, key: str) -> Any:
    return node.flag(key)


def _list(allowed: Sequence[object]) -> Form:
    def read(node: Node, key: str) -> Any:
        values = node.data[key]
        if not isinstance(values, list) or not values:
            node.refuse(key, f"{shown(values)} is not a list of values")
        for value in values:
            # Python holds True == 1 == Decimal("1.0"), a rule set does not.
            if not any(type(value) is type(one) and value == one for one in allowed):
                node.refuse(key, f"{shown(value)} is none of {', '.join(map(str, allowed))}")
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            node.refuse(key, f"{shown(twice)} is there twice")
        return values

    return read


POINTS = tuple(range(10))
points = _list(POINTS)

PROVISIONS: Mapping[str, Form] = {
    "decks_min": _count(1, 99),
    "decks_max": _count(1, 99),
    "deck_cards": _only(52),
    "devices": _list(DEVICES),
    "seats_min": _count(1, 99),
    "cut_card_from_end_min": _count(0, 999),
    "burn_rules": _list(BURN_RULES),
    "demonstration_max": _count(0, 99),
    "auto_has_no_shoe_start": _only(True),
    "rounds_after_white_card": _count(0, 99),
    "shoe_change_after_any_round": _flag,
    "exposed_card_valid": _only(True),
    "card_points": _only([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]),
    "total_modulo": _only(10),
    "hands": _only(["banker", "player"]),
    "deal_order": _only(["P1", "B1", "P2", "B2", "P3", "B3"]),
    "auto_cards_face_up": _flag,
    "burn_between_rounds": _flag,
    "hand_cards_max": _only(3),
    "player_draws_on": points,
    "player_stands_on": points,
    "naturals": points,
    "banker_natural_stops_player": _only(True),
    "player_natural_stops_banker": _only(True),
    "error_not_put_right": _only("void"),
    "winner": _only("higher_total"),
    "tie": _only("equal_totals"),
    "tie_bets": _only(["cancel", "keep", "change"]),
    "stakes_capped_by": _only("difference"),
    "standing_bet_in_seated_place": _flag,
    "bettor_may_hold_cards": _only("house_option"),
    "jackpot_prize_approval": _only("beforehand"),
    "working_days_before": _count(0, 99),
}
"""Every simple provision and the form of its value."""


def marks_of(node: Node, base: Provision | None = None) -> tuple[str, Status, str]:
    """Citation, mark and note of an entry, or of a row of it that inherits from ``base``."""
    article = node.article(inherited=base.article if base else "")
    status = node.status(inherited=base.status if base else None)
    note = node.text("note", "")
    if status != "stated" and not note and not (base and base.status == status):
        node.refuse("note", f"{status} without a note", "Say in a note what the value rests on")
    return article, status, note


def mark_of(node: Node, key: str, set_id: str, *others: str) -> Provision:
    """A provision without its value yet; refuses keys but ``others`` and the marks."""
    node.only(*others, *MARKS)
    article, status, note = marks_of(node)
    return Provision(key, None, article, status, note, set_id)


def with_value(mark: Provision, value: Any) -> Provision:
    """The provision ``mark`` with its value."""
    return Provision(mark.key, value, mark.article, mark.status, mark.note, mark.ruleset)
