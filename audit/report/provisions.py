"""The values of a rule set in words: conditions, odds, draw tables, lists."""

from __future__ import annotations

import ast
import json
import re
from decimal import Decimal
from typing import Any

from audit.report.query import Facts
from audit.report.words import Words, visible

_DECIMAL = re.compile(r"Decimal\('([-0-9.E+]+)'\)")


def parsed(text: str) -> Any:
    """A value that was kept as text: JSON or a Python literal; anything else stays text."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        pass
    try:
        return ast.literal_eval(_DECIMAL.sub(r"'\1'", text))
    except (ValueError, SyntaxError):
        return text


class Provisions:
    """Writes one provision's name and value in the words of one language."""

    def __init__(self, words: Words) -> None:
        self.w = words

    def name(self, key: str) -> str:
        """Name of a provision; ``bet.tie`` and the like are put together from two words."""
        w = self.w
        if w.has("provision", key):
            return w.text("provision", key)
        family, _, one = key.partition(".")
        if one and w.has("provision", family):
            ours = w.has("option", one)
            known = w.text("option", one) if ours else visible(w.word(one), 40)
            return w.text("provision", family, x=known)
        return visible(key.replace("_", " "), 60)

    def value(self, row: Facts) -> str:
        """A value as words, numbers and lists."""
        value = parsed(str(row["value"] if row["value"] is not None else ""))
        family = str(row["key"]).partition(".")[0]
        if family == "option":
            return self.w.cite(str(value))
        if isinstance(value, dict):
            if family == "banker_draws":
                return self._draws(value)
            if family == "bet":
                return self._bet(value)
            return self._scheme(value) if family == "scheme" else self._plain(value)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return "\n".join(self._prize(one) for one in value)
        return self._plain(value) or "—"

    def _plain(self, value: Any) -> str:
        if isinstance(value, dict):
            parts = (
                self.w.ui("labelled", label=self._fact(k), x=self._plain(one))
                for k, one in value.items()
            )
            return self.w.ui("clause_joint").join(parts)
        if isinstance(value, list):
            return self._points(value) or self.w.ui("list_joint").join(map(self._plain, value))
        return self.w.value(value if isinstance(value, bool) else str(value))

    def _points(self, values: list[Any]) -> str:
        """Whole numbers with runs of three or more drawn together: 0–5, 8."""
        if not values or not all(type(one) is int for one in values):
            return ""
        if values != sorted(set(values)):
            return self.w.ui("list_joint").join(str(one) for one in values)
        runs: list[list[int]] = []
        for one in values:
            if runs and one == runs[-1][-1] + 1:
                runs[-1].append(one)
            else:
                runs.append([one])
        parts = [
            f"{run[0]}–{run[-1]}" if len(run) > 2 else self.w.ui("list_joint").join(map(str, run))
            for run in runs
        ]
        return self.w.ui("list_joint").join(parts)

    def _fact(self, key: str) -> str:
        w = self.w
        return w.text("fact", key) if w.has("fact", key) else visible(w.word(key), 40)

    def _condition(self, condition: Any) -> str:
        """A condition on the hand: ``result = Banker, Banker total = 6``."""
        parts = [
            self._fact(key)
            if one is True
            else self.w.ui("is", label=self._fact(key), x=self._plain(one))
            for key, one in (condition or {}).items()
        ]
        return self.w.ui("list_joint").join(parts)

    def _draws(self, value: Facts) -> str:
        w = self.w
        lists = {k: self._points(list(value.get(k) or [])) or "—" for k in ("draws", "stands")}
        third = w.word(str(value.get("no_third", "")))
        return w.ui("draw_table", draws=lists["draws"], stands=lists["stands"], third=third)

    def _bet(self, value: Facts) -> str:
        w = self.w
        if value.get("combinations"):
            return w.ui("list_joint").join(w.word(str(one["id"])) for one in value["combinations"])
        lines = [w.ui("bet_wins", x=self._condition(value.get("wins")))]
        if value.get("pushes"):
            lines.append(w.ui("bet_returned", x=self._condition(value["pushes"])))
        return "\n".join(lines)

    def _scheme(self, value: Facts) -> str:
        w = self.w
        lines = [w.ui("scheme_rate", x=self._percent(value.get("rate", 0)))]
        lines += [self._prize(one) for one in value.get("pays") or []]
        return "\n".join(lines)

    def _prize(self, value: Facts) -> str:
        """Odds with their condition, or the prize of a jackpot combination."""
        w = self.w
        if "odds" in value:
            odds = Decimal(str(value["odds"]))
            whole = odds == odds.to_integral_value()
            text = w.odds(int(odds)) if whole else w.ui("part_of_stake", x=self._percent(odds))
            condition = self._condition(value.get("when"))
            return w.ui("in_brackets", text=text, more=condition) if condition else text
        prize = str(value.get("prize", ""))
        part = self._percent(value["pool_part"]) if value.get("pool_part") else ""
        known = w.text("prize", prize, x=part) if w.has("prize", prize) else visible(prize, 40)
        if value.get("shared"):
            known += w.ui("list_joint") + w.ui("shared_equally")
        return w.ui("labelled", label=w.word(str(value.get("combination", ""))), x=known)

    def _percent(self, rate: object) -> str:
        return f"{self.w.number(format((Decimal(str(rate)) * 100).normalize(), 'f'))}%"
