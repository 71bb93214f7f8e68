"""What the templates ask for: the case's facts put into words of one language.

Every method returns plain text, which the template escapes, or an image element whose drawing
is kept beside the document.
"""

from __future__ import annotations

from markupsafe import Markup

from audit.report import charts
from audit.report.context import days_of
from audit.report.query import Facts
from audit.report.words import Words, visible

SEVERITIES = ("violation", "warning", "notice")
SHOWN_CASINOS = 8
HALF = 81.0
"""Width in millimetres of a chart in half a page."""


class Present:
    """The facts of one case in the words of one language."""

    def __init__(self, words: Words, facts: Facts, drawings: dict[str, bytes]) -> None:
        self.w = words
        self.drawings = drawings
        self.f = facts
        self.many_casinos = len(facts["casinos"]) > 1
        self.crashed = ", ".join(c["code"] for c in facts["checks"] if c["state"] == "crashed")
        self.accounted = all(
            row["read"] == row["audited"] + row["rejected"] + row["set_aside"]
            for row in facts["counts"]
        )

    def _image(self, drawing: str, alt: str) -> Markup:
        """``drawing`` as an image of the document, under an address that the renderer knows."""
        address = f"asset:drawing/{len(self.drawings) + 1}.svg"
        self.drawings[address] = drawing.encode("utf-8")
        return Markup('<img src="{}" alt="{}">').format(address, alt)

    # Cover and summary

    @property
    def clean(self) -> bool:
        """Whether the conclusion is that nothing was found: no violation, no failed check."""
        return not self.f["reach"]["n"] and not self.crashed

    @property
    def verdict(self) -> list[str]:
        """The conclusion in one sentence, and what qualifies it."""
        reach, w = self.f["reach"], self.w
        n, crashed = reach["n"], len(self.crashed.split(", ")) if self.crashed else 0
        if n == 0:
            sentences = [w.text("verdict", "open" if crashed else "clean")]
        elif not reach["rounds"]:
            key = "unplaced_one" if n == 1 else "unplaced_many"
            sentences = [w.text("verdict", key, n=w.number(n))]
        elif n == 1:
            sentences = [w.text("verdict", "one")]
        else:
            sentences = [
                w.text(
                    "verdict",
                    "many",
                    n=w.number(n),
                    rounds=self._form("verdict", "rounds", reach["rounds"]),
                    tables=self._form("verdict", "tables", reach["tables"]),
                )
            ]
        if self.f["severities"]["violation"]["accepted"]:
            sentences.append(self._parted("verdict", "accepted", "violation"))
        if crashed:
            sentences.append(self._form("verdict", "crashed", crashed))
        return sentences

    def of_which(self, severity: str) -> str:
        """How many findings of a severity are new, and how many registered exceptions."""
        there = self.f["severities"][severity]["accepted"]
        return self._parted("ui", "new_and_accepted", severity) if there else ""

    def _parted(self, section: str, key: str, severity: str) -> str:
        parts = self.f["severities"][severity]
        figures = {"m": self.w.number(parts["new"]), "n": self.w.number(parts["accepted"])}
        return self.w.text(section, key, **figures)

    def accepted_money(self, row: Facts, part: str) -> str:
        """The part of a sum that lies in registered exceptions."""
        amount = row[f"{part}_accepted"]
        return self.w.ui("accepted_money", x=self.w.amount(amount)) if amount else ""

    def _form(self, section: str, key: str, n: int) -> str:
        return self.w.text(section, f"{key}_{'one' if n == 1 else 'many'}", n=self.w.number(n))

    @property
    def casinos(self) -> str:
        """Names of the casinos; a dash where the log names none."""
        names = [visible(name, 60) for name in self.f["casinos"] if name != "-"]
        shown = self.w.ui("list_joint").join(names[:SHOWN_CASINOS]) or "—"
        more = len(names) - SHOWN_CASINOS
        return shown if more <= 0 else shown + self.w.count("and_more", more)

    @property
    def period(self) -> str:
        """First and last day with a round."""
        if not self.f["period"]:
            return self.w.ui("no_period")
        a, b = (self.w.day(str(day)) for day in self.f["period"])
        return a if a == b else self.w.ui("period_range", a=a, b=b)

    @property
    def place_date(self) -> str:
        """Place and date of the case."""
        return self.w.ui("place_date", date=self.w.day(str(self.f["created_at"])))

    @property
    def foot(self) -> str:
        """Left foot of each page."""
        return f"{visible(self.casinos, 70)}{self.w.ui('joint')}{self.period}"

    @property
    def forced(self) -> str:
        """The rule set that the user chose, if one."""
        return visible(str(self.f["options"].get("rules")), 40) if self.f["forced"] else ""

    def table_name(self, row: Facts) -> str:
        """A table, with its casino where the case has several."""
        name = visible(str(row["table_id"] or "—"), 40)
        return f"{visible(str(row['casino']), 40)} / {name}" if self.many_casinos else name

    @property
    def day_chart(self) -> Markup:
        """Findings by day."""
        _, bars = charts.bins(days_of(self.f), 40)
        title = self.w.ui("by_day")
        return self._image(charts.by_day(bars, title, width=HALF), title)

    @property
    def day_note(self) -> str:
        """What one bar stands for, and how many findings have no day."""
        length, _ = charts.bins(days_of(self.f), 40)
        sentences = [self.w.count("bar_is", length)]
        if self.f["undated"]:
            sentences.append(self.w.count("undated", self.f["undated"]))
        return self.w.ui("sentence_joint").join(sentences)

    @property
    def article_chart(self) -> Markup:
        """Findings by article."""
        bars = [
            charts.Bar(self._short_chapter(one["key"]), one["counts"]) for one in self.f["chapters"]
        ]
        title = self.w.ui("by_article")
        return self._image(charts.by_article(bars, title, width=HALF), title)

    def _short_chapter(self, key: str) -> str:
        return self.w.cite(key) if key.isdigit() else self.w.ui(f"chapter_short_{key}")
