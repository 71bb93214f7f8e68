"""The money that hangs on draw errors in the words of one language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audit.report.query import Facts
from audit.report.words import Words, visible

_AMOUNTS = ("paid", "rightly", "by_rules", "void", "by_void")
_SIGNED = ("by_rules", "by_void")


@dataclass(frozen=True)
class Sums:
    """One table: the heading of its rows' names, and its rows as cells, name and currency first."""

    heading: str
    rows: list[list[str]]


def stake_line(words: Words, row: Facts) -> str:
    """A sentence: what was paid, due by the rules, and due had it been void, in one currency."""
    names = ("paid", "rightly", "void")
    amounts = {n: words.amount(row[n], row["currency"], prose=True) for n in names}
    return words.ui("stake_line", **amounts)


class Stake:
    """What the page of answers and the chapter of art. 9 say of it; empty where nothing hangs."""

    def __init__(self, words: Words, facts: Facts, *, many_casinos: bool) -> None:
        self.w = words
        self.f = facts["at_stake"]
        self.many_casinos = many_casinos
        nine = any(chapter["key"] == "9" for chapter in facts["chapters"])
        self.there = bool(nine and self.f["totals"])

    @property
    def lines(self) -> list[str]:
        """One line for each currency: paid, due by the rules, due had the rounds been void."""
        w, said = self.w, [stake_line(self.w, row) for row in self.f["totals"]]
        if self.f["more_currencies"]:
            said.append(w.count("stake_more_currencies", self.f["more_currencies"]))
        return said

    @property
    def notes(self) -> list[str]:
        """How many rounds, what the rules would have changed, what is left open."""
        w, results = self.w, self.f["results"]
        figures = {name: w.number(n) for name, n in results.items()}
        notes = [w.ui("stake_results", **figures)]
        if self.f["open"]:
            notes.append(w.count("stake_open", self.f["open"]))
        return notes

    @property
    def tables(self) -> Iterator[Sums]:
        """The sums by currency, then by table and by dealer."""
        w = self.w
        total = [[w.ui("total"), *self._cells(row)] for row in self.f["totals"]]
        yield Sums(w.ui("all_rounds"), total)
        for name, heading in (("tables", "table"), ("dealers", "dealer")):
            rows = [[self._name(name, row), *self._cells(row)] for row in self.f[name]]
            yield Sums(w.ui(heading), rows)

    def _name(self, group: str, row: Facts) -> str:
        if row["others"] > 1:
            return self.w.ui(f"other_{group}", n=self.w.number(row["others"]))
        if row["name"] is None:
            return self.w.ui("not_recorded")
        name = visible(str(row["name"]), 30)
        return f"{visible(str(row['casino']), 30)} / {name}" if self.many_casinos else name

    def _cells(self, row: Facts) -> list[str]:
        w = self.w
        counts = [w.number(row[name]) for name in ("rounds", "bets", "open")]
        amounts = [w.amount(row[name], signed=name in _SIGNED) for name in _AMOUNTS]
        return [visible(row["currency"], 8) if row["currency"] else "—", *counts, *amounts]
