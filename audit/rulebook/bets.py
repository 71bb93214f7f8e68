"""Bets as data: what wins, what it pays, the jackpot's combinations, the commission schemes."""

from __future__ import annotations

import re
from typing import Any

from audit.rulebook.facts import FACTS
from audit.rulebook.forms import MARKS, mark_of, marks_of, with_value
from audit.rulebook.read import Node, shown
from audit.rulebook.types import Provision, nearest
from audit.schema import COMBINATIONS, OUTCOME_WORDS, SCHEMES

PATTERNS = (
    "royal_one_suit",
    "royal_ace_apart",
    "four_alike",
    "both_pairs_unlike",
    "three_alike",
    "any_pair",
)
"""What a jackpot combination looks like: A K Q J 10 of one suit; the same with the ace of another
suit; four of one rank; a pair in each hand, of different ranks; three of one rank; any pair."""

PRIZES = ("pool", "fixed_or_pool_part", "fixed")
ODDS_MAX = 900
"""Keeps stake times odds inside 64 bits of millionths."""

LANGUAGES = ("en", "zh-Hant", "pt")
_ID = re.compile(r"[a-z][a-z0-9_]*")


def read_bet(node: Node, name: str, key: str, set_id: str) -> Provision:
    """``[bet.NAME]``: what wins and what gives the stake back (arts. 12, 13)."""
    if not _ID.fullmatch(name) or name == "difference":
        node.refuse("", f"{name!r} is no id for a bet", "Use lower-case letters, digits and _")
    if OUTCOME_WORDS.get(name, name) != name:
        node.refuse("", f"{name!r} is read as {OUTCOME_WORDS[name]} in a log", "Take another id")
    if node.choice("kind", ("fixed", "jackpot")) == "jackpot":
        mark = mark_of(node, key, set_id, "kind", "combinations", "titles")
        value: dict[str, Any] = {"kind": "jackpot", "combinations": _combinations(node, mark)}
    else:
        mark = mark_of(node, key, set_id, "kind", "side", "wins", "pushes", "titles")
        value = {"kind": "fixed"}
        if "side" in node.data:
            value["side"] = node.choice("side", ("player", "banker"))
        value["wins"] = _condition(node, "wins")
        if "pushes" in node.data:
            value["pushes"] = _condition(node, "pushes")
    if "titles" in node.data:
        titles = node.table("titles")
        titles.only(*LANGUAGES)
        value["titles"] = {language: titles.text(language) for language in titles.data}
    return with_value(mark, value)


def _condition(node: Node, key: str) -> dict[str, Any]:
    """A condition over the hand facts: each a value, or a list of values."""
    if key not in node.data:
        node.refuse(key, f"the key {key!r} is missing")
    table = node.table(key)
    if not table.data:
        table.refuse("", "the condition is empty")
    for fact, wanted in table.data.items():
        if fact not in FACTS:
            table.refuse(fact, f"unknown fact {fact!r}", nearest(fact, tuple(FACTS)))
        values = wanted if isinstance(wanted, list) else [wanted]
        allowed = FACTS[fact]
        for value in values or [wanted]:
            # Python holds True == 1, a rule set does not.
            if not any(type(value) is type(one) and value == one for one in allowed):
                choice = ", ".join(shown(one) for one in allowed)
                table.refuse(fact, f"{shown(value)} is none of {choice}")
    return dict(table.data)


def _rows(node: Node, key: str) -> list[Node]:
    rows = node.rows(key)
    if not rows:
        node.refuse(key, f"{key} is missing or empty")
    return rows


def _own_marks(row: Node, mark: Provision) -> dict[str, str]:
    """Citation and mark of a row, its table's where it has none of its own."""
    article, status, note = marks_of(row, mark)
    return {"article": article, "status": status, **({"note": note} if note else {})}


def _pays(node: Node, mark: Provision) -> list[dict[str, Any]]:
    """The ``pays`` of a payout or scheme: odds, the condition, citation and mark of each."""
    pays = []
    for row in _rows(node, "pays"):
        row.only("when", "odds", *MARKS)
        when = _condition(row, "when") if "when" in row.data else {}
        odds = row.decimal("odds", 0, ODDS_MAX)
        pays.append({"when": when, "odds": odds, **_own_marks(row, mark)})
    return pays


def read_payout(node: Node, name: str, key: str, set_id: str) -> Provision:
    """``[payout.NAME]``: odds by condition, or the prizes of a jackpot (art. 17)."""
    mark = mark_of(node, key, set_id, "pays", "prizes")
    if ("pays" in node.data) == ("prizes" in node.data):
        node.refuse("", "a payout has either pays or, for a jackpot, prizes")
    return with_value(mark, _pays(node, mark) if "pays" in node.data else _prizes(node, mark))


def _combinations(node: Node, mark: Provision) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for row in _rows(node, "combinations"):
        row.only("id", "cards", "pattern", *MARKS)
        name = row.choice("id", ("royal", *COMBINATIONS))
        if name in [one["id"] for one in found]:
            row.refuse("id", f"{name} is there twice")
        cards = row.choice("cards", ("first_four", "first_five"))
        pattern = row.choice("pattern", PATTERNS)
        found.append({"id": name, "cards": cards, "pattern": pattern, **_own_marks(row, mark)})
    return found


def _prizes(node: Node, mark: Provision) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for row in _rows(node, "prizes"):
        row.only("combination", "prize", "pool_part", "shared", *MARKS)
        name = row.choice("combination", ("royal", *COMBINATIONS))
        if name in [one["combination"] for one in found]:
            row.refuse("combination", f"{name} is there twice")
        entry: dict[str, Any] = {"combination": name, "prize": row.choice("prize", PRIZES)}
        if (entry["prize"] == "fixed_or_pool_part") != ("pool_part" in row.data):
            row.refuse("pool_part", "a part of the pool goes with fixed_or_pool_part alone")
        if "pool_part" in row.data:
            entry["pool_part"] = row.decimal("pool_part", 0, 1)
        entry["shared"] = row.flag("shared")
        found.append({**entry, **_own_marks(row, mark)})
    return found


def read_scheme(node: Node, name: str, key: str, set_id: str) -> Provision:
    """``[scheme.NAME]``: the part of the winnings that is kept, and odds of its own (art. 18)."""
    if name not in SCHEMES:
        node.refuse("", f"unknown scheme {name!r}", nearest(name, SCHEMES))
    mark = mark_of(node, key, set_id, "bet", "rate", "pays")
    value: dict[str, Any] = {"bet": node.text("bet"), "rate": node.decimal("rate", 0, 1)}
    if "pays" in node.data:
        value["pays"] = _pays(node, mark)
    return with_value(mark, value)
