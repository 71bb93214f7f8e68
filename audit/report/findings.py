"""What the pages of findings say, in the words of one language: sentences, comparisons, hands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from audit.report import cardfont, roads
from audit.report.draw import Hand
from audit.report.present import SEVERITIES, Present
from audit.report.query import Facts
from audit.report.stake_words import Stake, stake_line
from audit.report.words import Words, card_text, visible

NOT_VERIFIABLE = "(not verifiable: later act unknown)"
"""How an English message ends whose finding a later act may overrule."""

_WITH_HANDS = ("A04", "A05", "A09", "A10", "A11", "A12", "A13", "A17", "A18", "L05", "L06")
_WITH_BETS = ("A09", "A10", "A11", "A12", "A13", "A14", "A17", "A18", "L10")
_MONEY_COMPARED = ("A1205", "A1401", "A1402", "A1713", "A1715", "A1805", "L10")
_NOT_COMPARED = ("L01", "L02", "L03", "L04", "L08", "L09", "L11", "L12")
"""Codes whose sentence says it all."""

MOST_CARDS = 8
"""Cards drawn of a hand that holds more than it may."""

_BETS_NAMED = ("A0206", "A1301")
"""Codes whose recorded value is a bet as the log names it."""

HAND_SIZE = 8.5
"""Size of the cards' typeface in millimetres, as the style sheet has it."""

_SPANS = ("A0101", "A1402")
"""Codes whose expected value is a span, open at either end."""

_AMOUNT = re.compile(r"^-?\d+(?:\.\d+)?$")
_SPAN = re.compile(r"^(\d*(?:\.\d+)?)-(\d*(?:\.\d+)?)$")


class Findings(Present):
    """``Present`` with the findings by article and the shoes with several of them."""

    def __init__(self, words: Words, facts: Facts, drawings: dict[str, bytes]) -> None:
        super().__init__(words, facts, drawings)
        self.stake = Stake(words, facts, many_casinos=self.many_casinos)

    def chapter_title(self, key: str) -> str:
        """Heading of an article's chapter."""
        if not key.isdigit():
            return self.w.ui(f"chapter_{key}")
        heading = self.w.text("heading", key)
        return self.w.ui("article_title", n=self.w.article_number(int(key)), heading=heading)

    def severity_mix(self, code: Facts) -> str:
        """The severities of a code's findings, with numbers where they differ."""
        present = [name for name in SEVERITIES if code[name]]
        if len(present) == 1:
            return self.w.text("severity", present[0])
        joint = self.w.ui("list_joint")
        return joint.join(
            f"{self.w.text('severity', name)} {self.w.number(code[name])}" for name in present
        )

    def sums(self, code: Facts, part: str) -> str:
        """Money of a code by currency."""
        amounts = [self.w.amount(row[part], row["currency"]) for row in code["money"] if row[part]]
        if amounts and code["more_currencies"]:
            amounts.append(self.w.count("and_more", code["more_currencies"]))
        return "\n".join(amounts) or "—"

    def more(self, code: Facts) -> str:
        """How many findings of the code are not shown."""
        shown = len(code["shown"])
        return self.w.ui("more", n=self.w.number(shown), m=self.w.number(code["n"]))

    def details(self, item: Facts) -> str:
        """The lines under a sentence: comparison, effect, bets, exception, place and source."""
        place = self.w.ui("joint").join(self.where(item) + self.source(item))
        lines = (
            self.comparison(item), self.effect(item), *self.bets(item), self.accepted(item), place,
        )  # fmt: skip
        return "\n".join(line for line in lines if line)

    def accepted(self, item: Facts) -> str:
        """That a finding is a registered exception: who answers for it, why, until when."""
        if item["status"] != "accepted":
            return ""
        if item["owner"] is None:
            return self.w.ui("accepted")
        owner, reason = visible(str(item["owner"]), 80), visible(str(item["reason"]), 240)
        return self.w.ui("accepted_by", owner=owner, reason=reason, day=item["expires"])

    def where(self, item: Facts) -> list[str]:
        """Table, shoe, round, bet, time and rule set of a finding."""
        w, parts = self.w, []
        if self.many_casinos and item["casino"]:
            parts.append(visible(str(item["casino"]), 30))
        for key, name in (("table", "table_id"), ("shoe", "shoe_id"), ("round", "round_no"),
                          ("bet", "bet_id")):  # fmt: skip
            if item[name] is not None:
                parts.append(w.ui(f"where_{key}", x=visible(str(item[name]), 32)))
        if item["started_at"]:
            parts.append(w.moment(item["started_at"]))
        if item["ruleset"]:
            parts.append(visible(str(item["ruleset"]), 24))
        return parts or [w.ui("where_none")]

    def source(self, item: Facts) -> list[str]:
        """Source file and row of a finding, and its id."""
        w, parts = self.w, []
        if item["source"]:
            place = {"source": visible(str(item["source"]), 60), "n": item["row"] or "—"}
            parts.append(w.ui("source_row", **place))
        parts.append(visible(str(item["id"]), 24))
        return parts

    def message(self, item: Facts) -> str:
        """The sentence of a finding."""
        text = self.w.message(item["code"], item["evidence"], item["message"], item["currency"])
        reserve = self.w.ui("unverifiable")
        if str(item["message"]).endswith(NOT_VERIFIABLE) and reserve not in text:
            text = self.w.ui("with_reserve", text=text, reserve=reserve)
        return text

    def comparison(self, item: Facts) -> str:
        """Recorded against expected, the amount, the article and the marks."""
        w, parts = self.w, []
        money = item["amount"] is not None or item["code"] in _MONEY_COMPARED
        for key in ("recorded", "expected"):
            if item[key] is not None and item["code"] not in _NOT_COMPARED:
                parts.append(w.ui(key, x=self._compared(item["code"], str(item[key]), money)))
        if item["amount"] is not None:
            parts.append(w.amount(item["amount"], item["currency"], signed=True))
        if item["article"]:
            parts.append(w.cite(item["article"]))
        if item["basis"] == "inferred":
            parts.append(w.ui("inferred_basis"))
        return w.ui("joint").join(parts)

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

    def effect(self, item: Facts) -> str:
        """What a draw error changed, and the money that hangs on it."""
        w, lines = self.w, []
        if item["consequence"] and w.has("consequence", item["consequence"]):
            lines.append(w.text("consequence", item["consequence"]))
        lines += [w.ui("stake_round", x=stake_line(w, row)) for row in item["stakes"]]
        return "\n".join(lines)

    def bets(self, item: Facts) -> list[str]:
        """Lines on the bets of the finding: stake, due, paid."""
        if not item["code"].startswith(_WITH_BETS):
            return []
        lines = [self._bet_line(bet) for bet in item["bets"]]
        if item["more_bets"]:
            lines.append(self.w.count("more_bets", item["more_bets"]))
        return lines

    def _bet_line(self, bet: Facts) -> str:
        w, currency = self.w, bet["currency"]
        name = w.bet(bet["bet"])
        line = w.ui(
            "bet_line" if bet["due"] is not None else "bet_open",
            bet=name,
            stake=w.amount(bet["stake"], currency),
            due=w.amount(bet["due"], None) if bet["due"] is not None else "",
            paid=w.amount(bet["paid"], None),
        )
        if bet["commission_taken"] is not None:
            taken = w.ui("bet_commission", x=w.amount(bet["commission_taken"]))
            line += w.ui("list_joint") + taken
        return line

    def hand(self, item: Facts) -> Markup | None:
        """The round of the finding as a line of cards, where its cards matter."""
        dealt = item["round"]
        if dealt is None or not item["code"].startswith(_WITH_HANDS):
            return None
        cards = {
            side: tuple((dealt[f"{side}_cards"] or "").split()[:MOST_CARDS])
            for side in ("player", "banker")
        }
        if not any(cards.values()):
            return None
        owed = {"A0901": "player", "A0904": "banker"}.get(item["code"])
        player, banker = (
            Hand(
                self.w.ui(f"{side}_short"),
                cards[side],
                "" if dealt[f"by_{side}_total"] is None else str(dealt[f"by_{side}_total"]),
                owed=owed == side,
            )
            for side in ("player", "banker")
        )
        pieces = cardfont.runs(player, banker)
        line = Markup("").join(Markup("<b>{}</b>").format(t) if r else escape(t) for t, r in pieces)
        # A hand of more cards than it may hold makes the line longer, so it is set smaller.
        places = sum(max(cardfont.drawn(hand), cardfont.SIDE) for hand in (player, banker))
        size = f"{HAND_SIZE * 2 * cardfont.SIDE / places:.2f}mm"
        style = Markup(' style="font-size: {}"').format(size) if places > 2 * cardfont.SIDE else ""
        # An element of its own kind, so that its text can be put into the file as it is read aloud.
        spoken = ", ".join(_spoken(hand) for hand in (player, banker))
        return Markup('<article class="h" title="{}"{}>{}</article>').format(spoken, style, line)

    # Shoes with several findings

    def shoe_name(self, shoe: Facts) -> str:
        """Table and shoe."""
        w = self.w
        parts = [
            w.ui("where_table", x=self.table_name(shoe)),
            w.ui("where_shoe", x=visible(str(shoe["shoe_id"]), 32)),
        ]
        return w.ui("joint").join(parts)

    def shoe_note(self, shoe: Facts) -> str:
        """How many findings on how many rounds."""
        found = self.w.count("findings", shoe["findings"])
        return self.w.ui("shoe_note", f=found, r=self.w.count("on_rounds", shoe["rounds"]))

    def bead_plate(self, shoe: Facts) -> Markup:
        """Its results in order."""
        title = self.w.ui("bead_plate")
        return self._image(roads.bead_plate(_marks(shoe), title), title)

    def big_road(self, shoe: Facts) -> Markup:
        """Its results by runs."""
        title = self.w.ui("big_road")
        return self._image(roads.big_road(_marks(shoe), title), title)


def _spoken(hand: Hand) -> str:
    """A hand in letters, digits and suit signs: ``P 5: 8♠ 3♣``."""
    cards = visible(card_text(" ".join(hand.cards)), 160).split() + [cardfont.OWED] * hand.owed
    return f"{hand.label} {hand.total}".strip() + f": {' '.join(cards)}"


def _marks(shoe: Mapping[str, Any]) -> Sequence[roads.Mark]:
    return [roads.Mark(m["round_no"], m["outcome"], bool(m["flagged"])) for m in shoe["marks"]]
