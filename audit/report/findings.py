"""What the pages of findings say, in the words of one language: chapters, tables, shoes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from audit.report import roads
from audit.report.blocks import Block, Blocks
from audit.report.present import SEVERITIES, Present
from audit.report.query import Facts
from audit.report.said import ID, Said
from audit.report.stake_words import Stake
from audit.report.words import Words, visible


class Findings(Present):
    """``Present`` with the findings by article and the shoes with several of them."""

    def __init__(self, words: Words, facts: Facts, drawings: dict[str, bytes]) -> None:
        super().__init__(words, facts, drawings)
        self.stake = Stake(words, facts, many_casinos=self.many_casinos)
        self._blocks = Blocks(words, Said(words, many_casinos=self.many_casinos))

    def block(self, code: Facts) -> Block:
        """The findings shown of a code as a table."""
        return self._blocks.block(code["shown"])

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
        w = self.w
        return w.ui("list_joint").join(
            w.ui("counted", label=w.text("severity", name), x=w.number(code[name]))
            for name in present
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

    def money(self, chapter: Facts) -> list[list[str]]:
        """Money of an article by currency: what was paid too much and too little, and both."""
        w = self.w
        return [
            [
                visible(row["currency"], 8) if row["currency"] else "—",
                *(w.number(row[name]) for name in ("overpaid_n", "short_n")),
                *(w.amount(row[name]) for name in ("overpaid", "short")),
                w.amount(row["net"], signed=True),
            ]
            for row in chapter["money"]
        ]

    # Shoes with several findings

    def shoe_name(self, shoe: Facts) -> str:
        """Table and shoe."""
        w = self.w
        parts = [
            w.ui("where_table", x=self.table_name(shoe)),
            w.ui("where_shoe", x=visible(str(shoe["shoe_id"]), ID)),
        ]
        return w.ui("joint").join(parts)

    def shoe_note(self, shoe: Facts) -> str:
        """How many findings on how many rounds, and which of these the roads show."""
        w = self.w
        found = w.count("findings", shoe["findings"])
        parts = [w.ui("shoe_note", f=found, r=w.count("on_rounds", shoe["rounds"]))]
        marked = [str(mark.round_no) for mark in _marks(shoe) if mark.flagged]
        if marked:
            parts.append(w.ui("counted", label=w.ui("marked"), x=w.ui("list_joint").join(marked)))
        if (off := shoe["rounds"] - len(marked)) > 0:
            parts.append(w.ui("counted", label=w.ui("off_roads"), x=w.number(off)))
        return w.ui("clause_joint").join(parts)

    def bead_plate(self, shoe: Facts) -> Markup:
        """Its results in order."""
        told = self._road("bead_plate", shoe)
        return self._image(roads.bead_plate(_marks(shoe), told), told)

    def big_road(self, shoe: Facts) -> Markup:
        """Its results by runs."""
        told = self._road("big_road", shoe)
        return self._image(roads.big_road(_marks(shoe), told), told)

    def _road(self, key: str, shoe: Facts) -> str:
        """Alternative text of a road: how often each result came, and the rounds marked."""
        w, marks = self.w, _marks(shoe)
        counts = [
            (w.word(one), w.number(sum(mark.outcome == one for mark in marks)))
            for one in ("player", "banker", "tie")
        ]
        flagged = w.ui("list_joint").join(str(mark.round_no) for mark in marks if mark.flagged)
        counts.append((w.ui("marked"), flagged or "—"))
        return w.told(w.ui(key), counts)


def _marks(shoe: Mapping[str, Any]) -> Sequence[roads.Mark]:
    return [roads.Mark(m["round_no"], m["outcome"], bool(m["flagged"])) for m in shoe["marks"]]
