"""What the annexes say, in the words of one language: rule sets, readings, checks, records."""

from __future__ import annotations

import json
import re

from audit.report.annex_checks import Checks, Exceptions
from audit.report.findings import Findings
from audit.report.provisions import Provisions
from audit.report.query import Facts
from audit.report.reserves import LETTERS
from audit.report.words import Words, visible


class Annexes(Findings):
    """``Findings`` with the annexes: all that the templates ask for."""

    def __init__(self, words: Words, facts: Facts, drawings: dict[str, bytes]) -> None:
        super().__init__(words, facts, drawings)
        self._provisions = Provisions(words)
        self.letters = LETTERS
        self.checks = Checks(words, facts)
        self.exceptions = Exceptions(words, facts)

    @property
    def contents(self) -> list[tuple[str, str]]:
        """Targets and names of the report's parts."""
        w = self.w
        parts = [("summary", w.ui("answers"))]
        if self.figures:
            parts.append(("figures", w.ui("figures")))
        if self.f["chapters"]:
            parts.append(("findings", w.ui("findings_by_article")))
        if self.f["shoes"]:
            parts.append(("roads", w.ui("roads")))
        return parts + [(letter, self.annex(name)) for name, letter in LETTERS.items()]

    def annex(self, name: str) -> str:
        """Heading of an annex."""
        return f"{self.w.ui('annex', x=LETTERS[name])} {self.w.ui(f'annex_{name}')}"

    # Rule sets

    @property
    def rule_notes(self) -> list[str]:
        """Sentences under the table of rule sets."""
        w, sentences = self.w, []
        if self.forced:
            sentences.append(w.ui("forced", id=self.forced))
        if any(row["in_force_status"] == "inferred" for row in self.f["rulesets"]):
            sentences.append(w.ui("inferred_date"))
        since = [row["incomplete_from"] for row in self.f["rulesets"] if row["incomplete_from"]]
        if since and self.f["period"] and str(self.f["period"][1]) >= min(since):
            sentences.append(w.ui("later_acts", day=w.day(min(since))))
        sentences.append(w.ui("marks_note"))
        return sentences

    @property
    def ungoverned(self) -> int:
        """Audited rounds under no rule set."""
        audited = next((r["audited"] for r in self.f["counts"] if r["table"] == "rounds"), 0)
        return max(audited - sum(row["rounds"] or 0 for row in self.f["rulesets"]), 0)

    @property
    def provisions(self) -> list[Facts]:
        """For each rule set used its provisions; after the first, those that changed."""
        parts: list[Facts] = []
        before: dict[str, Facts] = {}
        before_id = ""
        for rule in self.f["rulesets"]:
            rows = [row for row in self.f["provisions"] if row["ruleset"] == rule["id"]]
            rows.sort(key=lambda row: article_order(row["article"]))
            if not rule["rounds"] or not rows:
                continue
            name = visible(rule["id"], 24)
            if before:
                title = self.w.ui("provisions_changed", id=name, before=before_id)
                changed = [row for row in rows if _differs(row, before.get(row["key"]))]
            else:
                title, changed = self.w.ui("provisions_full", id=name), rows
            note = "" if changed else self.w.ui("provisions_same")
            parts.append({"title": title, "rows": changed, "note": note})
            before, before_id = {row["key"]: row for row in rows}, name
        return parts

    def provision(self, row: Facts) -> tuple[str, str]:
        """Name and value of a provision."""
        return self._provisions.name(row["key"]), self._provisions.value(row)

    # Interpretations

    def question(self, row: Facts) -> str:
        """The question that the text leaves open."""
        if self.w.has("question", row["id"]):
            return self.w.text("question", row["id"])
        return visible(str(row["question"] or row["id"]), 300)

    def reading(self, row: Facts) -> str:
        """The reading used; where either is accepted, what they are."""
        w, chosen = self.w, str(row["reading"])
        if chosen != "either":
            return self._reading(f"{row['id']}.{chosen}", chosen)
        known = [key for key in w.sections["reading"] if key.startswith(f"{row['id']}.")]
        readings = w.ui("clause_joint").join(self._reading(key, key) for key in known)
        return w.ui("reading_either", x=readings)

    def _reading(self, key: str, name: str) -> str:
        return self.w.text("reading", key) if self.w.has("reading", key) else visible(name, 80)

    def undecided(self, row: Facts) -> str:
        """Rows that the readings decide differently; a dash where one is pinned."""
        return "—" if row["undecided"] is None else self.w.number(row["undecided"])

    # Records

    def reject_reason(self, reason: str | None) -> str:
        """Why a record was rejected."""
        w = self.w
        if w.has("reject", str(reason)):
            return w.text("reject", str(reason))
        return visible(str(reason or "—").replace("_", " "), 60)

    def rejected(self, row: Facts) -> str:
        """Column, text, reason and what was expected, as far as they are known."""
        w, parts = self.w, []
        if row["column"]:
            cell = visible(str(row["column"]), 30)
            parts.append(w.ui("cell", c=cell, x=visible(row["text"], 60)) if row["text"] else cell)
        parts.append(self.reject_reason(row["reason"]))
        if row["differs"]:
            names = w.ui("list_joint").join(visible(one, 40) for one in row["differs"].split(","))
            parts.append(w.ui("differs", x=names))
        if row["reason"] != "duplicate":
            parts.append(self.wanted(row["expected"]))
        return w.ui("joint").join(part for part in parts if part)

    def wanted(self, expected: str | None) -> str:
        """What was expected in the cell that could not be read; the log's phrase is English."""
        w, text = self.w, str(expected or "")
        if w.has("wanted", text):
            known = w.text("wanted", text)
        elif text.startswith("one of "):
            listed = visible(text.removeprefix("one of "), 160)
            known = w.ui("one_of", x=listed.replace(", ", w.ui("list_joint")))
        elif text and w.lang == "en":
            known = visible(text, 120)
        else:
            return ""
        return w.ui("wanted", x=known)

    @property
    def rejects_note(self) -> str:
        """How many rejected records are shown."""
        total = sum(row["n"] for row in self.f["reject_counts"])
        shown = len(self.f["rejects"])
        if shown == total:
            return self.w.ui("rejects_all")
        return self.w.ui("rejects_shown", n=self.w.number(shown), m=self.w.number(total))

    def source_counts(self, row: Facts) -> str:
        """Rows of a source file."""
        figures = {
            "read": row["rows_read"],
            "audited": row["audited"],
            "rejected": row["rejected"],
            "set_aside": row["set_aside"],
            "bytes": row["bytes"],
        }
        return self.w.ui(
            "source_counts", **{name: self.w.number(n or 0) for name, n in figures.items()}
        )

    @property
    def option_lines(self) -> list[str]:
        """The run's options as names and values."""
        return [
            f"{visible(name, 40)} = {visible(_flat(value), 160)}"
            for name, value in sorted(self.f["options"].items())
            if value not in (None, "", [], {})
        ]


def article_order(article: str | None) -> tuple[int, ...]:
    """Sorts citations as the law counts, by the first of several: 2(1), 9(3)(2), 13."""
    first = re.split(r"[,;]", article or "")[0]
    return tuple(int(number) for number in re.findall(r"\d+", first)) or (1000,)


def _flat(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _differs(row: Facts, other: Facts | None) -> bool:
    names = ("value", "article", "status")
    return other is None or any(row[name] != other[name] for name in names)
