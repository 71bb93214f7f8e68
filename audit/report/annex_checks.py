"""The annexes of the checks and of the registered exceptions in the words of one language."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby

from audit.coverage import Row, in_total, not_applied_reason, phrase, table
from audit.report.exceptions import STATES
from audit.report.query import Facts
from audit.report.words import Words, visible


class Checks:
    """What of the regulation was tested, provision by provision, and what became of each check."""

    def __init__(self, words: Words, facts: Facts) -> None:
        self.w = words
        self.f = facts
        self._rows = table(words.lang, facts)

    @property
    def articles(self) -> list[tuple[str, list[Row]]]:
        """Heading of each article with its provisions."""
        w = self.w
        return [
            (
                w.ui("article_title", n=w.article_number(number), heading=w.text("heading", key)),
                list(rows),
            )
            for number, rows in groupby(self._rows, key=lambda row: row.number)
            if (key := str(number))
        ]

    def about(self, row: Row) -> str:
        """What a provision says, and in which versions where not in all."""
        if not row.when:
            return row.about
        return phrase("in_brackets", self.w.lang, text=row.about, more=row.when)

    @property
    def heads(self) -> list[str]:
        """Heads of the table's columns."""
        return [phrase(key, self.w.lang) for key in ("provision", "about", "tested")]

    @property
    def notes(self) -> list[str]:
        """How many provisions are in each state, and what the numbers are."""
        return [in_total(self._rows, self.w.lang), phrase("numbers", self.w.lang)]

    @property
    def unapplied(self) -> list[tuple[str, str]]:
        """Each reason for which checks were not applied, with the checks and their rows."""
        w, by_reason = self.w, defaultdict[str, list[str]](list)
        for row in self.f["not_applied"]:
            n = "—" if row["rows"] is None else w.number(row["rows"])
            reason = not_applied_reason(str(row["reason"] or "—"), w)
            by_reason[visible(reason)].append(w.ui("in_brackets", text=row["code"], more=n))
        return [(reason, w.ui("list_joint").join(codes)) for reason, codes in by_reason.items()]

    def state(self, row: Facts) -> str:
        """What became of a check."""
        state = str(row["state"])
        return self.w.text("state", state) if self.w.has("state", state) else visible(state, 40)


class Exceptions:
    """The entries of the baseline: those that accept a finding, and those that accept nothing."""

    def __init__(self, words: Words, facts: Facts) -> None:
        self.w = words
        self.f = facts["exceptions"]

    @property
    def file(self) -> str:
        """Name and hash of the baseline."""
        return f"{visible(self.f['name'], 90)}, SHA-256 {visible(self.f['sha256'], 64)}"

    @property
    def counts(self) -> list[tuple[str, str]]:
        """How many entries there are in each state."""
        return [
            (self.w.text("entry", state), self.w.number(self.f["counts"][state]))
            for state in STATES
        ]

    @property
    def entries(self) -> list[tuple[str, list[list[str]], str]]:
        """For each state that has entries: its name, the entries as cells, how many are shown."""
        w, parts = self.w, []
        for state, rows in self.f["entries"].items():
            n = self.f["counts"][state]
            shown = {"n": w.number(len(rows)), "m": w.number(n)}
            note = w.ui("entries_shown", **shown) if n > len(rows) else ""
            parts.append((w.text("entry", state), [self._cells(row) for row in rows], note))
        return parts

    def _cells(self, row: Facts) -> list[str]:
        names = ("casino", "table_id", "shoe_id", "round_no", "bet_id", "subject")
        told = [str(row[name]) for name in names if row[name] not in (None, "", "-")]
        place = " / ".join(visible(one, 40) for one in told) or "—"
        texts = (visible(str(row[name]), 200) for name in ("owner", "reason"))
        return [str(row["code"]), f"{place}\n{visible(str(row['id']), 24)}", *texts, row["expires"]]
