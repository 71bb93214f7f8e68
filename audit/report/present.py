"""What the templates ask for: the case's facts put into words of one language.

Every method returns plain text, which the template escapes, or an image element whose drawing
is kept beside the document.
"""

from __future__ import annotations

from markupsafe import Markup

from audit.report import charts
from audit.report.context import days_of
from audit.report.figures import Figure, Figures
from audit.report.query import Facts
from audit.report.reserves import Reserves
from audit.report.words import Words, visible

SEVERITIES = ("violation", "warning", "notice")
SHOWN_CASINOS = 8
FIRST_ACT = "55/2004"
"""The act that approved the regulation; the only one with a title of its own."""


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
        self.reserves = Reserves(words, facts, self.forced)
        self.figures = Figures(words, facts, many_casinos=self.many_casinos)

    def drawing(self, figure: Figure) -> Markup:
        """The chart of a figure; its numbers stand beside it as text."""
        return self._image(figure.drawing, figure.told)

    @property
    def only_day(self) -> str:
        """What is said in place of a chart of one bar."""
        days = self.f["days"]
        if len({row["day"] for row in days}) != 1:
            return ""
        w = self.w
        counts = {row["severity"]: row["n"] for row in days}
        parts = [
            w.ui("counted", label=w.text("severities", name), x=w.number(counts[name]))
            for name in SEVERITIES
            if counts.get(name)
        ]
        return w.ui("only_day", day=w.day(days[0]["day"]), x=w.ui("list_joint").join(parts))

    def _image(self, drawing: str, alt: str) -> Markup:
        """``drawing`` as an image of the document, under an address that the renderer knows."""
        address = f"asset:drawing/{len(self.drawings) + 1}.svg"
        self.drawings[address] = drawing.encode("utf-8")
        return Markup('<img src="{}" alt="{}"/>').format(address, alt)

    # Cover and summary

    @property
    def tone(self) -> str:
        """How the conclusion is marked: ``found``, ``reserved`` or ``clean``."""
        if self.f["reach"]["n"] or self.crashed:
            return "found"
        return "reserved" if self.reserves else "clean"

    @property
    def verdict(self) -> list[str]:
        """The conclusion in one sentence, and what else was found."""
        w, found = self.w, self.f["severities"]
        sentences = [self._conclusion()]
        if found["violation"]["accepted"]:
            sentences.append(self._parted("verdict", "accepted", "violation"))
        others = {f"{name}s": w.number(found[name]["all"]) for name in ("warning", "notice")}
        if found["warning"]["all"] or found["notice"]["all"]:
            sentences.append(w.text("verdict", "others", **others))
        return sentences

    def _conclusion(self) -> str:
        w, reach = self.w, self.f["reach"]
        n = reach["n"]
        if n == 0 and self.crashed:
            return w.text("verdict", "open")
        if n == 0:
            return w.text("verdict", "clean_reserved" if self.reserves else "clean")
        if not reach["rounds"]:
            key = "unplaced_one" if n == 1 else "unplaced_many"
            return w.text("verdict", key, n=w.number(n))
        if n == 1:
            return w.text("verdict", "one")
        reached = {name: self._form("verdict", name, reach[name]) for name in ("rounds", "tables")}
        return w.text("verdict", "many", n=w.number(n), **reached)

    @property
    def regulation(self) -> str:
        """The regulation, with the acts that were in force on the days of the rounds."""
        w, used = self.w, [row for row in self.f["rulesets"] if row["rounds"]]
        acts = list(dict.fromkeys(act for row in used for act in row["acts"].split(",")))
        if not acts:
            return w.ui("regulation_none")
        base, *later = (visible(act, 24) for act in acts)
        key = "regulation_base" if base == FIRST_ACT else "regulation_other_base"
        amended = ""
        if later:
            named = [w.ui("regulation_act", n=act) for act in later]
            last = w.ui("and_joint") + named.pop() if len(named) > 1 else ""
            form = "amended_many" if len(later) > 1 else "amended_one"
            amended = w.ui(form, acts=w.ui("list_joint").join(named) + last)
        return w.ui("regulation", base=w.ui(key, n=base), amended=amended)

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
        w = self.w
        counts = ((bar.label, w.number(bar.total)) for bar in bars if bar.total)
        told = w.told(w.ui("by_day"), counts)
        return self._image(charts.by_day(bars, told, width=charts.HALF), told)

    @property
    def day_note(self) -> str:
        """What one bar stands for, and how many findings have no day."""
        length, _ = charts.bins(days_of(self.f), 40)
        sentences = [self.w.count("bar_is", length)]
        if self.f["undated"]:
            sentences.append(self.w.count("undated", self.f["undated"]))
        return self.w.ui("sentence_joint").join(sentences)

    @property
    def day_numbers(self) -> str:
        """The numbers of the chart by day, as text; days without a finding are left out."""
        w = self.w
        _, bars = charts.bins(days_of(self.f), 40)
        told = [
            w.ui("labelled", label=bar.label, x=w.number(bar.total)) for bar in bars if bar.total
        ]
        sentences = [w.ui("stopped", x=w.ui("list_joint").join(told))] if told else []
        if self.f["undated"]:
            sentences.append(w.count("undated", self.f["undated"]))
        return w.ui("sentence_joint").join(sentences)

    @property
    def article_chart(self) -> Markup:
        """Findings by article."""
        bars = [
            charts.Bar(self._short_chapter(one["key"]), one["counts"]) for one in self.f["chapters"]
        ]
        w = self.w
        told = w.told(w.ui("by_article"), ((bar.label, w.number(bar.total)) for bar in bars))
        return self._image(charts.lying(bars, told, width=charts.HALF), told)

    def _short_chapter(self, key: str) -> str:
        return self.w.cite(key) if key.isdigit() else self.w.ui(f"chapter_short_{key}")
