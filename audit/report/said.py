"""What the report says of one finding, in the words of one language: plain texts."""

from __future__ import annotations

import re

from audit.report.citations import NBSP
from audit.report.query import Facts
from audit.report.words import Words, visible

UNVERIFIABLE = "(not verifiable: later act unknown)"
"""How an English message ends whose finding a later act may overrule."""

MONEY = ("A1205", "A1401", "A1402", "A1713", "A1715", "A1805", "L10")
"""Codes that compare money although they have no amount."""

NOT_COMPARED = ("A0203", "L01", "L02", "L03", "L04", "L08", "L09", "L11", "L12")
"""Codes whose sentence says it all."""

ID = 200
"""Most characters that are printed of a table, a shoe or another name of the log's own."""

_BETS_NAMED = ("A0206", "A1301")
"""Codes whose recorded value is a bet as the log names it."""

_SPANS = ("A0101", "A1402")
"""Codes whose expected value is a span, open at either end."""

_AMOUNT = re.compile(r"^-?\d+(?:\.\d+)?$")
_SPAN = re.compile(r"^(\d*(?:\.\d+)?)-(\d*(?:\.\d+)?)$")


class Said:
    """The texts of a finding. ``many_casinos``: a place is named with its casino."""

    def __init__(self, words: Words, *, many_casinos: bool) -> None:
        self.w = words
        self.many_casinos = many_casinos

    def message(self, item: Facts) -> str:
        """The sentence of a finding, without its reserve."""
        return self.w.message(item["code"], item["evidence"], item["message"], item["currency"])

    def marks(self, item: Facts) -> tuple[str, ...]:
        """Provision, rule set, and what weakens the finding."""
        w = self.w
        return (
            w.cite(item["article"]),
            w.ui("under", id=visible(str(item["ruleset"]), 24)) if item["ruleset"] else "",
            w.ui("inferred_basis") if item["basis"] == "inferred" else "",
            w.ui("unverifiable") if str(item["message"]).endswith(UNVERIFIABLE) else "",
        )

    def accepted(self, item: Facts) -> str:
        """That a finding is a registered exception: who answers for it, why, until when."""
        if item["status"] != "accepted":
            return ""
        if item["owner"] is None:
            return self.w.ui("accepted")
        owner, reason = visible(str(item["owner"]), 80), visible(str(item["reason"]), 240)
        return self.w.ui("accepted_by", owner=owner, reason=reason, day=item["expires"])

    def place(self, item: Facts) -> str:
        """Table, shoe and round, as the command line takes them, and the time of a finding."""
        names = ["table_id", "shoe_id", "round_no"]
        if self.many_casinos:
            names.insert(0, "casino")
        told = ["—" if item[name] is None else visible(str(item[name]), ID) for name in names]
        while told and told[-1] == "—":
            told.pop()
        parts = ["/".join(told) or self.w.ui("where_none")]
        if item["started_at"]:
            parts.append(self.w.moment(item["started_at"]).replace(" ", NBSP))
        return self.w.ui("list_joint").join(parts)

    def source(self, item: Facts) -> str:
        """Source file and row of a finding, and its id."""
        w, parts = self.w, []
        if item["source"]:
            place = {"source": visible(str(item["source"]), 90), "n": item["row"] or "—"}
            parts.append(w.ui("source_row", **place))
        parts.append(visible(str(item["id"]), 24))
        return w.ui("list_joint").join(parts)

    def bet(self, item: Facts) -> str:
        """The bet of a finding: what it is on, its id, its stake, the commission taken."""
        w, made = self.w, item["made"]
        if item["bet_id"] is None:
            return ""
        name = w.ui("where_bet", x=visible(str(item["bet_id"]), ID))
        if made is None:
            return name
        lines = [
            w.ui("list_joint").join((w.bet(made["bet"]), name)),
            w.ui("bet_stake", x=w.amount(made["stake"], made["currency"])),
        ]
        if item["code"].startswith("A18") and made["commission_taken"] is not None:
            lines.append(w.ui("bet_commission", x=w.amount(made["commission_taken"])))
        return "\n".join(lines)

    def compared(self, item: Facts, key: str) -> str:
        """The ``recorded`` or ``expected`` value."""
        value, code = item[key], item["code"]
        if value is None or code in NOT_COMPARED:
            return ""
        return self._compared(code, str(value), self.of_money(item))

    def of_money(self, item: Facts) -> bool:
        """Whether the two values compared are amounts."""
        return item["amount"] is not None or item["code"] in MONEY

    def _compared(self, code: str, value: str, money: bool) -> str:
        """A recorded or expected value: alternatives, a span, an amount, a word or data."""
        if " | " in value:
            return self.w.either([self._compared(code, one, money) for one in value.split(" | ")])
        if code in _SPANS and (match := _SPAN.match(value)):
            low, high = (one and self._compared(code, one, money) for one in match.groups())
            return f"{low}–{high}" if low and high else f"≥ {low}" if low else f"≤ {high}"
        if code in _BETS_NAMED:
            return self.w.bet(value)
        return self.w.amount(value) if money and _AMOUNT.match(value) else self.w.value(value)

    def amount(self, item: Facts) -> str:
        """What was paid too much or too little; with its currency where no bet names it."""
        if item["amount"] is None:
            return ""
        currency = None if item["made"] else item["currency"]
        return self.w.amount(item["amount"], currency, signed=True)
