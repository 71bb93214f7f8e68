"""Words, numbers, dates, money and citations in the report's three languages.

The wording itself is data: two TOML files for each language in ``reports/messages``
(``en.toml`` holds the finding messages, ``report.en.toml`` all the rest). This module loads
them, fills their places and follows the house style of each language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from audit.messages import LANGUAGES, catalogue
from audit.report.citations import NBSP, chinese, citing

LANGS = LANGUAGES
HTML_LANG = {"en": "en", "zh-Hant": "zh-Hant-MO", "pt": "pt-PT"}

_PLACE = re.compile(r"\{(\w+)\}")
_MONTH = re.compile(r"^\d{4}-(?:0[1-9]|1[0-2])$")
MONEY_NAMES = frozenset({"d", "stake", "limit", "due", "paid", "amount"})
"""Values of a finding's evidence that are money in the currency of its bet."""

CELLS = frozenset({"text", "column"})
"""Values that are the text of a cell or the name of a column: printed as the log has them."""

MORE_MONEY = frozenset({("A1401", "max")})
"""Codes under which a value of another name is money."""

MARKS = 2
"""Accents that one letter can bear; more would be drawn over the lines above."""

_EITHER = re.compile(r" \| | or ")
_ONE = ((re.compile(r"\b1 pontos\b"), "1 ponto"), (re.compile(r"^1 cards were\b"), "1 card was"))
"""What sentences that count make of one, and what to write; no other language has the words."""

_NUMBER = re.compile(r"^-?\d+(?:\.\d+)?$")
_CARDS = re.compile(r"^(?:(?:10|[A2-9JQK])[SHDC]?)(?: (?:10|[A2-9JQK])[SHDC]?)*$")


@dataclass(frozen=True)
class Words:
    """The catalogue of one language with its ways of writing values.

    ``text`` and the other methods return plain text, never markup: the template escapes it.
    """

    lang: str
    sections: Mapping[str, Mapping[str, Any]]

    def has(self, section: str, key: str) -> bool:
        """Whether the catalogue has that entry."""
        return key in self.sections.get(section, {})

    def text(self, section: str, key: str, **values: object) -> str:
        """Entry ``section.key`` with ``{name}`` replaced by ``values``; KeyError if absent."""
        return fill(str(self.sections[section][key]), values)

    def ui(self, key: str, **values: object) -> str:
        """Entry of section ``ui``."""
        return self.text("ui", key, **values)

    def count(self, key: str, n: int, **values: object) -> str:
        """Entry ``ui.KEY_one`` or ``ui.KEY_many`` by ``n``, which is also the place ``{n}``."""
        form = "one" if n == 1 else "many"
        return self.text("ui", f"{key}_{form}", n=self.number(n), **values)

    def word(self, token: object) -> str:
        """A language-neutral token such as ``player`` in this language; unknown ones unchanged."""
        return str(self.sections["words"].get(str(token), token))

    def bet(self, name: str) -> str:
        """A bet: one of ours by its title, any other as the log names it."""
        return self.word(name) if name in self.sections["words"] else visible(name, 40)

    def knowing(self, titles: Mapping[str, str]) -> Words:
        """These words, and bets of the user's own rule sets by their titles."""
        own = {name: visible(title, 60) for name, title in titles.items()}
        return Words(self.lang, {**self.sections, "words": {**own, **self.sections["words"]}})

    def bound(self) -> Words:
        """These words for a page, where no line ends between ``art.`` and its number."""
        return Words(self.lang, {name: _bound(own) for name, own in self.sections.items()})

    def title(self, code: str) -> str:
        """Title of a check."""
        return str(self.sections["code"].get(code, code))

    def number(self, value: int | str | Decimal) -> str:
        """A number with thousands apart: ``1,950.25`` in English and Chinese, ``1 950,25``."""
        sign, digits = ("−", str(value)[1:]) if str(value).startswith("-") else ("", str(value))
        whole, _, rest = digits.partition(".")
        grouped = f"{int(whole or 0):,}"
        if self.lang == "pt":
            grouped = grouped.replace(",", NBSP)
        point = "," if self.lang == "pt" else "."
        return sign + grouped + (point + rest if rest else "")

    def amount(
        self,
        value: str | Decimal,
        currency: str | None = None,
        *,
        signed: bool = False,
        prose: bool = False,
    ) -> str:
        """Money: at least two decimals, exact; the currency as a code, in ``prose`` as a word."""
        exact = Decimal(value)
        digits = format(exact.copy_abs(), "f")
        whole, _, rest = digits.partition(".")
        rest = rest.rstrip("0").ljust(2, "0")
        sign = "−" if exact < 0 else "+" if signed and exact > 0 else ""
        figure = sign + self.number(f"{whole}.{rest}")
        if not currency:
            return figure
        name = self.sections["currency"].get(currency) if prose else None
        if name is not None:
            return fill(str(name), {"x": figure})
        return f"{visible(currency, 12)}{NBSP}{figure}"

    def day(self, value: date | str) -> str:
        """A date in running text: 25 June 2007, 2007年6月25日, 25 de Junho de 2007."""
        when = date.fromisoformat(value[:10]) if isinstance(value, str) else value
        month = str(self.sections["month"][str(when.month)])
        return self.ui("date", d=when.day, m=month, y=when.year)

    def moment(self, value: datetime | str) -> str:
        """A date and time as in tables, to the second: 2007-06-25 23:59:59."""
        return str(value).replace("T", " ")[:19]

    def cite(self, article: str | None, *, prose: bool = False) -> str:
        """An article reference such as ``9(3)(2)`` in the house style; empty stays empty."""
        return citing(article or "", self.lang, prose=prose)

    def value(self, value: object) -> str:
        """A recorded or expected value: a token, a number, cards or plain data."""
        if value is None or value == "":
            return "—"
        if isinstance(value, bool):
            return self.word("true" if value else "false")
        content = str(value)
        if content in self.sections["words"]:
            return self.word(content)
        if len(parts := _EITHER.split(content)) > 1:
            return self.either([self.value(part) for part in parts])
        if _NUMBER.match(content):
            return self.number(content)
        if _CARDS.match(content) and not content.isdigit():
            return card_text(content)
        return visible(content)

    def told(self, title: str, parts: Iterable[tuple[str, str]]) -> str:
        """A chart in words: its title, then each label with its figure."""
        known = [self.ui("labelled", label=label, x=figure) for label, figure in parts]
        return self.ui("told", title=title, x=self.ui("clause_joint").join(known))

    def either(self, values: list[str]) -> str:
        """Alternatives in a row: ``0, 1 or 10``."""
        head = self.ui("list_joint").join(values[:-1])
        return f"{head}{self.ui('or_joint')}{values[-1]}" if head else values[-1]

    def message(
        self,
        code: str,
        evidence: Mapping[str, object],
        fallback: str,
        currency: str | None = None,
    ) -> str:
        """The sentence of a finding from its evidence; ``fallback`` where it has no template."""
        variant = str(evidence.get("variant") or "")
        template = self._template(code, variant)
        if template is None:
            return visible(fallback, 600)
        values = {}
        for name in _PLACE.findall(template):
            value = evidence.get(name)
            money = name in MONEY_NAMES or (code, name) in MORE_MONEY
            if money and _NUMBER.match(str(value)):
                values[name] = self.amount(str(value), currency, prose=True)
            else:
                values[name] = self._evidence(name, value)
        sentence = fill(template, values)
        for many, one in _ONE:
            sentence = many.sub(one, sentence)
        return sentence

    def _template(self, code: str, variant: str) -> str | None:
        templates = self.sections.get("finding", {})
        found = templates.get(code)
        if isinstance(found, Mapping):
            found = found.get(variant)
        elif variant:
            found = templates.get(f"{code}.{variant}", found)
        return None if found is None else str(found)

    def _evidence(self, name: str, value: object) -> str:
        text = str(value)
        if name in CELLS:
            return visible(text)
        if name == "bet":
            return self.bet(text)
        if name == "reason" and self.has("reject", text):
            return self.text("reject", text)
        if name == "option" and self.has("option", text):
            return self.text("option", text)
        if name == "month" and _MONTH.match(text):
            month = str(self.sections["month"][str(int(text[5:]))])
            return self.ui("month_year", m=month, y=text[:4])
        if name == "columns":
            return self.ui("list_joint").join(visible(one, 40) for one in text.split(","))
        return self.value(value)

    def article_number(self, number: int) -> str:
        """An article's number as its chapter is headed: 九 in Chinese, 9 elsewhere."""
        return chinese(number) if self.lang == "zh-Hant" else str(number)

    def odds(self, number: int) -> str:
        """Net odds: 8 to 1, 一賠八."""
        return self.ui("odds", n=self.article_number(number))


_CITED = re.compile(r"\b(?:(?:arts?|artigos?|no|n\.º|al|alínea)\.? (?=[\d({])|(?:and|e) (?=\())")


def _bound(entry: Any) -> Any:
    """An entry of the catalogue, or a section of it, with what cites and its number together."""
    if isinstance(entry, Mapping):
        return {key: _bound(inner) for key, inner in entry.items()}
    if not isinstance(entry, str):
        return entry
    return _CITED.sub(lambda match: match[0][:-1] + NBSP, entry)


@cache
def words(lang: str) -> Words:
    """The words of ``lang``, loaded once."""
    return Words(lang, catalogue(lang))


def fill(template: str, values: Mapping[str, object]) -> str:
    """``{name}`` replaced by its value, once: braces inside a value stay as they are."""
    return _PLACE.sub(lambda match: str(values.get(match.group(1), match.group(0))), template)


_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def card_text(cards: str) -> str:
    """Canonical card text with suit signs: ``KS 5H`` gives ``K♠ 5♥``."""
    return " ".join(
        card[:-1] + _SIGNS[card[-1]] if card[-1:] in _SIGNS else card for card in cards.split()
    )


def visible(content: str, limit: int = 120) -> str:
    """Log text made safe to print: every character that shows nothing becomes its code.

    Controls, direction marks, surrogates, unassigned and unprintable characters, those that the
    report's font cannot draw, and accents that stand on no letter or are piled up on one, read
    ``‹U+001B›``. A text longer than ``limit`` loses its
    middle, which is marked ``…``.
    """
    from audit.report.fonts import drawable

    if len(content) > limit:
        keep = max(limit - limit // 3 - 1, 1)
        content = content[:keep] + "…" + content[-(limit // 3) :]
    if content.isascii() and content.isprintable():
        return content
    shown, marks = [], MARKS
    for one in content:
        mark = unicodedata.category(one) in ("Mn", "Me")
        marks = marks + 1 if mark else 0 if one.isalnum() else MARKS
        plain = one.isprintable() and drawable(one) and not (mark and marks > MARKS)
        shown.append(one if plain else f"‹U+{ord(one):04X}›")
    return "".join(shown)
