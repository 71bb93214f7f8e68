"""The page of figures: findings and money by table, results against their chances.

Each chart comes with its numbers as text. Nothing here is a finding.
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from audit.report import charts
from audit.report.outcomes import LEAST, OUTCOMES, chances, interval, outcome_shares
from audit.report.query import Facts, rows
from audit.report.words import Words, visible

TABLES = 12
CURRENCIES = 2
DECKS = 3


def figures(connection: duckdb.DuckDBPyConnection) -> Facts:
    """``tables``: findings by table; ``money``: by currency and table; ``shares``: see outcomes."""
    money = rows(connection, _MONEY, TABLES)
    currencies = list(dict.fromkeys(row["currency"] for row in money))[:CURRENCIES]
    return {
        "tables": rows(connection, _TABLES, TABLES),
        "tables_total": rows(connection, _TABLES_TOTAL)[0]["n"],
        "money": [
            {"currency": one, "tables": [row for row in money if row["currency"] == one]}
            for one in currencies
        ],
        "shares": outcome_shares(connection),
    }


@dataclass(frozen=True)
class Figure:
    """A chart with its numbers: heads and rows of a table, and a note."""

    title: str
    drawing: str
    heads: list[str]
    rows: list[list[str]]
    widths: tuple[int, ...]
    told: str
    """What the chart shows, in words: its alternative text."""
    note: str = ""


class Figures:
    """The charts of one case in the words of one language."""

    def __init__(self, words: Words, facts: Facts, *, many_casinos: bool) -> None:
        self.w = words
        self.f = facts["figures"]
        self.many_casinos = many_casinos

    def __bool__(self) -> bool:
        return bool(self.f["tables"] or self.shares)

    def _name(self, row: Facts) -> str:
        name = visible(str(row["table_id"]), 24)
        return f"{visible(str(row['casino']), 20)}/{name}" if self.many_casinos else name

    @property
    def tables(self) -> Figure | None:
        """Findings by table, those with most violations first."""
        w, found = self.w, self.f["tables"]
        if not found:
            return None
        bars = [charts.Bar(self._name(row), row) for row in found]
        cells = [
            [self._name(row), *(w.number(row[n]) for n in ("rounds", *charts.SEVERITIES))]
            for row in found
        ]
        heads = [w.ui("table"), w.ui("rounds")]
        heads += [w.text("severities", name) for name in charts.SEVERITIES]
        title, total = w.ui("by_table"), self.f["tables_total"]
        shown = {"n": w.number(len(found)), "m": w.number(total)}
        note = w.ui("tables_shown", **shown) if total > len(found) else ""
        told = w.told(title, ((bar.label, w.number(bar.total)) for bar in bars))
        drawing = charts.lying(bars, told, width=charts.HALF, left=charts.NAME)
        return Figure(title, drawing, heads, cells, (27, 14, 23, 15, 21), told, note)

    @property
    def money(self) -> list[Figure]:
        """Money paid too much and too little by table, a chart for each currency."""
        w, made = self.w, []
        for part in self.f["money"]:
            bars = [
                charts.Both(self._name(row), float(row["short"]), float(row["overpaid"]))
                for row in part["tables"]
            ]
            title = w.ui("money_by_table", x=visible(part["currency"] or "—", 12))
            cells = [
                [self._name(row), w.amount(row["overpaid"]), w.amount(row["short"])]
                for row in part["tables"]
            ]
            heads = [w.ui("table"), w.ui("overpaid"), w.ui("short")]
            sums = (
                (name, w.ui("paid_both", over=over, short=short)) for name, over, short in cells
            )
            told = w.told(title, sums)
            drawing = charts.both_ways(bars, told, w.ui("short"), w.ui("overpaid"))
            made.append(Figure(title, drawing, heads, cells, (40, 30, 30), told))
        return made

    @property
    def shares(self) -> list[Figure]:
        """Shares of the three results against their chances, for each number of decks."""
        w, made = self.w, []
        for row in self.f["shares"][:DECKS]:
            known = chances(row["decks"]) if row["decks"] else None
            if known is None or row["rounds"] < LEAST:
                continue
            dots, cells = [], []
            for outcome in OUTCOMES:
                share, chance = row[outcome] / row["rounds"], known[outcome]
                low, high = interval(chance, row["rounds"])
                name = w.word(outcome)
                dots.append(charts.Dot(name, share, float(chance), low, high))
                cells.append([
                    name, w.number(row[outcome]), self._percent(share), self._percent(chance),
                    f"{self._percent(low)[:-1]}–{self._percent(high)}",
                    w.word("true" if low <= share <= high else "false"),
                ])  # fmt: skip
            title = w.ui("shares_title", decks=w.number(row["decks"]), n=w.number(row["rounds"]))
            keys = ("result", "n", "seen", "chance", "range", "in")
            heads = [w.ui(f"share_{key}") for key in keys]
            told = w.told(
                title,
                ((row[0], w.ui("share_told", seen=row[2], chance=row[3])) for row in cells),
            )
            drawing = charts.shares(dots, told)
            made.append(Figure(title, drawing, heads, cells, (26, 13, 13, 13, 24, 11), told))
        return made

    def _percent(self, share: object) -> str:
        return f"{self.w.number(f'{float(share) * 100:.2f}')}%"  # type: ignore[arg-type]

    @property
    def shares_note(self) -> str:
        """What the comparison is, and for which rounds it could not be made."""
        w = self.w
        left = sum(
            row["rounds"] for row in self.f["shares"]
            if not row["decks"] or chances(row["decks"]) is None or row["rounds"] < LEAST
        )  # fmt: skip
        sentences = [w.ui("shares_note")]
        if left:
            sentences.append(w.count("shares_left", left))
        return w.ui("sentence_joint").join(sentences)


_PLACED = "casino is not null and table_id is not null"
_TABLES = f"""
with f as (
  select casino, table_id, count(*) filter (severity = 'violation') as violation,
    count(*) filter (severity = 'warning') as warning,
    count(*) filter (severity = 'notice') as notice
  from findings where {_PLACED} group by 1, 2),
r as (select casino, table_id, sum(rounds)::BIGINT as rounds from shoes group by 1, 2)
select f.*, coalesce(r.rounds, 0) as rounds from f left join r using (casino, table_id)
order by violation desc, warning desc, notice desc, casino, table_id limit ?"""
_TABLES_TOTAL = f"""
select count(*) as n from (select distinct casino, table_id from findings where {_PLACED})"""
_MONEY = f"""
select currency, casino, table_id,
  coalesce(sum(amount) filter (amount > 0), 0) as overpaid,
  coalesce(sum(-amount) filter (amount < 0), 0) as short
from findings where amount <> 0 and {_PLACED} group by 1, 2, 3
qualify row_number() over (
  partition by currency order by sum(abs(amount)) desc, casino, table_id) <= ?
order by sum(sum(abs(amount))) over (partition by currency) desc, currency,
  sum(abs(amount)) desc, casino, table_id"""
