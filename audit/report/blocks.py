"""The findings of one check as a table: what they share is said once, above it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from audit.report import hands
from audit.report.draw import Hand
from audit.report.query import Facts
from audit.report.said import Said
from audit.report.words import Words, visible

WIDTH = 170
"""Of a table in millimetres, as wide as the page's text."""

BETS = 8
"""Bets of a wrongly dealt round that are named one by one."""

LONG = 13
"""Characters from which on a number is set smaller, so that it does not break."""

NAMED = 38
"""Characters of a bet and its stake that fit on a line."""

_BY_COLUMNS = (
    "A0101", "A0202", "A0206", "A0207", "A0208", "A0301", "A0501", "A0502", "A0907",
    "A1101", "A1201", "A1202", "A1203", "A1301", "A1401", "A1402", "A1701", "A1702", "A1703",
    "A1704", "A1712", "A1805", "A1806", "L10",
)  # fmt: skip
"""Codes whose title and columns say all that the sentence of a finding says."""

_OWN_SENTENCE = ("open", "alone")
"""Variants of such codes that say something else."""

_CARDS, _BET, _VALUE, _SUM, _SENTENCE = 29, 34, 17, 20, 84
_THREE_WAYS = ("paid", "rightly", "void")


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, its width in millimetres, whether it holds numbers."""

    head: str
    width: int
    number: bool = False


@dataclass(frozen=True)
class Row:
    """A finding: its cells, and the lines that stand across the table above them.

    ``level`` says that no line of its bets and their amounts is longer than its column.
    """

    severity: str
    cells: list[str | Markup]
    lines: list[str]
    level: bool


@dataclass(frozen=True)
class Block:
    """``lead`` are sentences that hold of every row; ``drawn`` that the rows are draw errors."""

    lead: list[str]
    columns: list[Column]
    rows: list[Row]
    drawn: bool


class Blocks:
    """Makes the table of a check from the findings that are shown of it."""

    def __init__(self, words: Words, said: Said) -> None:
        self.w = words
        self.said = said

    def block(self, items: Sequence[Facts]) -> Block:
        """The table of ``items``, findings of one code."""
        drawn = any(item["consequence"] for item in items)
        lead, lines, marks = self._sentences(items)
        if drawn:
            for said, item, mark in zip(lines, items, marks, strict=True):
                parts = (self.said.place(item), self.said.source(item), mark)
                before = len(said) - bool(self.said.accepted(item))
                said.insert(before, self.w.ui("list_joint").join(filter(None, parts)))
            columns, cells = self._draws(items)
        else:
            columns, cells = self._compared(items, lines, marks)
        rows = [
            Row(item["severity"], [str(n), *own], said, drawn and _level(own))
            for n, (item, own, said) in enumerate(zip(items, cells, lines, strict=True), 1)
        ]
        return Block(lead, [Column("", 6), *columns], rows, drawn)

    def _sentences(self, items: Sequence[Facts]) -> tuple[list[str], list[list[str]], list[str]]:
        """What all findings share, and for each what only it says: sentences, and marks."""
        w, said = self.w, self.said
        joint = w.ui("joint")
        messages = [said.message(item) for item in items]
        marks = [said.marks(item) for item in items]
        shared = [of_all[0] if len(set(of_all)) == 1 else "" for of_all in zip(*marks, strict=True)]
        one = len(set(messages)) == 1
        lead = [messages[0]] if one else []
        lead.append(joint.join(filter(None, shared)))
        drawn = any(item["consequence"] for item in items)
        tell = not one and (drawn or not all(map(_by_columns, items)))
        mixed = len({item["severity"] for item in items}) > 1
        lines, rest = [], []
        for item, message, own in zip(items, messages, marks, strict=True):
            parts = [mark for mark, all_ in zip(own, shared, strict=True) if mark != all_]
            parts += [w.text("severity", item["severity"])] if mixed else []
            rest.append(joint.join(filter(None, parts)))
            told = (message if tell else "", said.accepted(item))
            lines.append([part for part in told if part])
        return [sentence for sentence in lead if sentence], lines, rest

    def _compared(
        self, items: Sequence[Facts], lines: list[list[str]], marks: Sequence[str]
    ) -> tuple[list[Column], list[list[str | Markup]]]:
        """Cards, place, bet, recorded against expected, amount: the columns that are needed.

        Where no cards and no bet take the room, the sentences of ``lines`` get a column as well.
        """
        w, said = self.w, self.said
        money = any(said.of_money(item) for item in items)
        pairs = [hands.dealt(w, item) for item in items]
        bets = any(item["bet_id"] is not None for item in items)
        sentences = [""] * len(items)
        if any(lines) and not (bets or any(pairs)):
            sentences = ["\n".join(own) for own in lines]
            lines[:] = [[] for _ in items]
        tall = bets or any(pairs) or any(sentences)
        made = self._each(items, said.bet)
        wide = _wide(
            (line for text in made for line in text.split("\n")), _BET if any(pairs) else 48
        )
        compared = {
            key: [said.compared(item, key) for item in items] for key in ("recorded", "expected")
        }
        # Beside sentences the values wrap, so that the place keeps its room.
        most = 20 if any(sentences) else 30
        both = compared["recorded"] + compared["expected"]
        amounts = self._each(items, said.amount)
        value = _figures(both) if money else _wide(both, most)
        joint = "\n" if tall else w.ui("list_joint")
        sources = [
            w.ui("list_joint").join(filter(None, (said.source(item), mark)))
            for item, mark in zip(items, marks, strict=True)
        ]
        places = [said.place(item) + joint + of for item, of in zip(items, sources, strict=True)]
        wanted: list[tuple[str, int, bool, Iterable[str | Markup]]] = [
            ("cards", _CARDS, False, [hands.line(*pair) if pair else "" for pair in pairs]),
            ("totals", 11, False, ["" if bets else _totals(pair) for pair in pairs]),
            ("where", 0, False, places),
            ("sentence", _SENTENCE, False, sentences),
            ("bet", wide, False, made),
            ("recorded_head", value, money, compared["recorded"]),
            ("expected_head", value, money, compared["expected"]),
            ("amount", _figures(amounts), True, amounts),
        ]
        kept = [column for column in wanted if any(column[3])]
        rest = WIDTH - 6 - sum(width for _, width, _, _ in kept)
        columns = [Column(w.ui(key), width or rest, number) for key, width, number, _ in kept]
        numbers = [number for _, _, number, _ in kept]
        return columns, [
            [_small(cell) if number else cell for cell, number in zip(row, numbers, strict=True)]
            for row in zip(*(cells for _, _, _, cells in kept), strict=True)
        ]

    def _each(self, items: Iterable[Facts], text: Callable[[Facts], str]) -> list[str | Markup]:
        return [text(item) for item in items]

    def _draws(self, items: Sequence[Facts]) -> tuple[list[Column], list[list[str | Markup]]]:
        """The hand as dealt, the hand as it should have been, and the bets three ways."""
        w = self.w
        names = ("paid", "due_rightly", "due_void")
        columns = [
            Column(w.ui("as_dealt"), _CARDS + 1),
            Column(w.ui("by_the_rules"), _CARDS + 1),
            Column(w.ui("bets_of_round"), WIDTH - 6 - 2 * (_CARDS + 1) - len(names) * _SUM),
            *(Column(w.ui(name), _SUM, number=True) for name in names),
        ]
        return columns, [[*self._two_hands(item), *self._bets(item)] for item in items]

    def _two_hands(self, item: Facts) -> list[str | Markup]:
        w, course = self.w, item["course"]
        pair = hands.dealt(w, item)
        dealt = self._with_winner(pair, item["round"]["by_outcome"]) if pair else ""
        if course is None:
            return [dealt, w.text("consequence", item["consequence"])]
        return [dealt, self._with_winner(hands.should(w, course), course["winner"])]

    def _with_winner(self, pair: tuple[Hand, Hand], winner: str | None) -> Markup:
        """A line of cards, and under it the totals and the winner."""
        totals = self.w.ui("list_joint").join(
            self.w.ui("hand_total", label=hand.label, x=hand.total) for hand in pair if hand.total
        )
        won = self.w.word(winner) if winner else self.w.ui("winner_unknown")
        return hands.line(*pair) + Markup("<p>{}</p>").format(
            self.w.ui("labelled", label=totals, x=won) if totals else won
        )

    def _bets(self, item: Facts) -> list[str]:
        """Bets with their stakes, paid, due had the rules been followed, due if made void.

        One line for each; beyond ``BETS`` of them, and where they cannot be told apart, sums.
        """
        w, course = self.w, item["course"]
        bets = course["bets"] if course else []
        open_ = w.ui("due_open")
        lines = [
            [
                f"{w.bet(bet['bet'])} {w.amount(bet['stake'], bet['currency'])}",
                *(open_ if bet[n] is None else w.amount(bet[n]) for n in _THREE_WAYS),
            ]
            for bet in bets[:BETS]
        ]
        if len(bets) > BETS:
            lines.append([w.count("more_bets", len(bets) - BETS), "", "", ""])
        if len(bets) > BETS or not bets:
            lines += [
                [
                    w.ui(
                        "all_bets", n=w.number(row["bets"]), x=visible(row["currency"] or "—", 12)
                    ),
                    *(w.amount(row[name]) for name in _THREE_WAYS),
                ]
                for row in item["stakes"]
            ]
        # Only where all bets would be here is it said that there is none.
        none = w.ui("no_bets") if course and course["bets_told"] else ""
        lines = lines or [[none, "", "", ""]]
        return ["\n".join(column) for column in zip(*lines, strict=True)]


def _by_columns(item: Facts) -> bool:
    variant = str(item["evidence"].get("variant") or "")
    return item["code"] in _BY_COLUMNS and variant not in _OWN_SENTENCE


def _totals(pair: tuple[Hand, Hand] | None) -> str:
    """Both totals by the cards, Player's first; empty where one is not known."""
    if pair is None or not (pair[0].total and pair[1].total):
        return ""
    return f"{pair[0].total} : {pair[1].total}"


def _wide(texts: Iterable[str], most: int = 30) -> int:
    """Width in millimetres of a column of words: as wide as they are, within bounds."""
    longest = max((sum(1 if one.isascii() else 1.6 for one in text) for text in texts), default=0)
    return max(15, min(round(longest * 1.22) + 3, most))


def _figures(texts: Iterable[str]) -> int:
    """Width in millimetres of a column of amounts, which are set smaller where they are long."""
    return min(_VALUE, max(13, round(max(map(len, texts), default=0) * 1.25) + 3))


def _small(cell: str | Markup) -> str | Markup:
    return Markup("<small>{}</small>").format(cell) if len(cell) > LONG else cell


def _level(cells: Sequence[str | Markup]) -> bool:
    """Whether the bets and their amounts, in the last cells, fit their columns line by line."""
    bets, *amounts = cells[-1 - len(_THREE_WAYS) :]
    return all(len(line) <= NAMED for line in bets.split("\n")) and all(
        len(line) <= LONG for amount in amounts for line in amount.split("\n")
    )
