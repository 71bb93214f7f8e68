"""What ``run`` prints: a page that a tired person can read, or one JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from audit.cli import accepted
from audit.cli.reserves import rejected, reserves, unused
from audit.messages import catalogue
from audit.money import shown
from audit.summary import SEVERITIES, Summary

_COLOURS = {"violation": "red", "warning": "yellow", "notice": "cyan"}
_TABLES = ("rounds", "bets", "shoes")
_MOST_CODES, _MOST_REASONS = 6, 12


def as_json(case: Path, summary: Summary) -> str:
    """The run as one JSON object; amounts are decimal text by currency."""
    plain = summary.as_json()
    not_applied = [
        {"code": code, "reason": reason, "rows": rows} for code, reason, rows in summary.not_applied
    ]
    by_code = {code: sum(counts.values()) for code, counts in summary.codes.items()}
    new = sum(summary.new(severity) for severity in SEVERITIES)
    status = {"new": new, "accepted": sum(summary.severities.values()) - new}
    return json.dumps(
        {
            "case": str(case),
            "case_id": summary.case_id,
            "period": plain["period"],
            "sources": plain["sources"],
            "rulesets": [{"id": id_, "rounds": n} for id_, n in summary.rulesets.items()],
            "counts": {"code": by_code, "severity": plain["severities"], "status": status},
            "amounts": {
                "overpaid": plain["overpaid"],
                "short_changed": plain["short_changed"],
            },
            "at_stake": plain["at_stake"],
            "rejected": plain["rejected"],
            "unused_columns": plain["unused_columns"],
            "unmatched": plain["unmatched"],
            "selected": {"checks": summary.selected[0], "of": summary.selected[1]},
            "not_applied": not_applied,
            "undecided": plain["undecided"],
            "crashed": [{"code": code, "error": error} for code, error in summary.crashed],
            "baseline": accepted.as_plain(summary),
            "exit": summary.exit,
        },
        indent=2,
        ensure_ascii=False,
    )


def print_summary(case: Path, report: Path | None, summary: Summary, *, quiet: bool) -> None:
    """Verdict, denominators, counts by article, money, worst tables, what was not applied."""
    console = Console(highlight=False, width=min(Console().width, 100))
    console.print(_verdict(summary))
    for reserve in reserves(summary):
        console.print(Text(reserve, style="bold yellow"))
    if quiet:
        return
    console.print(_place(summary), style="dim")
    blocks: list[list[RenderableType]] = [
        [_rows_read(summary)],
        list(rejected(summary)),
        [_by_article(summary)] if summary.codes else [],
        [*_money(summary), *_at_stake(summary)],
        [_worst(summary)] if summary.worst_tables else [],
        list(accepted.lines(summary)),
        list(_not_applied(summary)),
        list(unused(summary)),
        list(_undecided(summary)),
        [_labelled("Case", f"{case}"), *([_labelled("Report", f"{report}")] if report else [])],
    ]
    for block in filter(None, blocks):
        console.print()
        for line in block:
            console.print(line)


def _labelled(label: str, text: str) -> Table:
    """A short line under a bold label; what does not fit hangs under the text, not the label."""
    line = Table.grid(padding=(0, 2, 0, 0))
    line.add_column(width=7, style="bold")
    line.add_column()
    line.add_row(label, Text(text))
    return line


def _verdict(summary: Summary) -> Text:
    if summary.crashed:
        codes = ", ".join(code for code, _ in summary.crashed)
        return Text(f"No verdict: these checks crashed: {codes}.", style="bold red")
    number = summary.severities["violation"]
    if number == 0:
        rest = _counted(summary, ("warning", "notice"))
        clean = "No violation was found in the records examined."
        return Text(
            f"{clean} {rest}".rstrip(),
            style="bold yellow" if rest or any(reserves(summary)) else "bold green",
        )
    rounds = _plural(summary.rounds_with_violation, "round")
    tables = _plural(summary.tables_with_violation, "table")
    text = f"{_plural(number, 'apparent violation')} in {rounds} at {tables}"
    new = summary.new("violation")
    if new == 0:
        text = f"No new violation: {text} accepted by the baseline"
    elif new < number:
        text = f"{text}, {number - new:,} accepted by the baseline"
    rest = _counted(summary, ("warning", "notice"))
    return Text(f"{text}. {rest}".rstrip(), style="bold red" if new else "bold yellow")


def _counted(summary: Summary, severities: Iterable[str]) -> str:
    parts = [_plural(n, each) for each in severities if (n := summary.severities[each])]
    return f"{' and '.join(parts)}." if parts else ""


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _place(summary: Summary) -> str:
    period = " to ".join(dict.fromkeys(summary.period)) if summary.period else "no rounds"
    sets = ", ".join(
        f"{_plural(rounds, 'round')} under {id_}" if id_ != "-" else f"{rounds:,} under no rule set"
        for id_, rounds in summary.rulesets.items()
    )
    forced = " (forced by --rules)" if summary.forced else ""
    casinos = ", ".join(name for name in summary.casinos if name != "-")
    return f"{casinos + ', ' if casinos else ''}{period}. {sets}{forced}."


def _grid(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for i, column in enumerate(columns):
        side: Literal["left", "right"] = "left" if column[0].isupper() else "right"
        table.add_column(column, justify=side, no_wrap=i == 0)
    return table


def _rows_read(summary: Summary) -> Table:
    table = _grid("Rows", "read", "= audited", "+ rejected", "+ set aside")
    ordered = sorted(summary.tables, key=lambda name: (name not in _TABLES, name != "rounds", name))
    for name in ordered:
        rows = summary.tables[name]
        figures = (rows.read, rows.audited, rows.rejected, rows.set_aside)
        table.add_row(name, *(f"{figure:,}" for figure in figures))
    return table


def words(section: str) -> Mapping[str, str]:
    """A section of the English catalogue."""
    return catalogue("en")[section]


def _article(code: str) -> str:
    return str(int(code[1:3])) if code.startswith("A") else "log"


def _by_article(summary: Summary) -> Table:
    table = _grid("Article", "violations", "warnings", "notices", "Codes")
    groups: dict[str, dict[str, Mapping[str, int]]] = {}
    for code, counts in summary.codes.items():
        groups.setdefault(_article(code), {})[code] = counts
    for article, codes in groups.items():
        sums = {each: sum(c.get(each, 0) for c in codes.values()) for each in SEVERITIES}
        cells = [
            Text(
                f"{sums[each]:,}" if sums[each] else "-",
                style=_COLOURS[each] if sums[each] else "dim",
            )
            for each in SEVERITIES
        ]
        name = words("heading").get(article, "")
        label = "Log" if article == "log" else f"art. {article}, {name.lower()}"
        table.add_row(label, *cells, Text(_most(codes)))
    return table


def _most(codes: Mapping[str, Mapping[str, int]]) -> str:
    """The most frequent codes with their numbers, and how many codes more."""
    ranked = sorted(codes.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    shown = [f"{code} {sum(counts.values()):,}" for code, counts in ranked[:_MOST_CODES]]
    more = len(ranked) - _MOST_CODES
    return ", ".join(shown) + (f", {more} more" if more > 0 else "")


def _money(summary: Summary) -> Iterator[Table]:
    currencies = sorted({*summary.overpaid, *summary.short_changed})
    for currency in currencies:
        over = summary.overpaid.get(currency, Decimal(0))
        short = -summary.short_changed.get(currency, Decimal(0))
        unit = "" if currency == "-" else f"{currency} "
        yield _labelled(
            "Money", f"overpaid {unit}{shown(over)}, short-changed {unit}{shown(short)}"
        )


def _at_stake(summary: Summary) -> Iterator[Table]:
    """What hangs on the draw errors, bet by bet of the rounds that can be dealt again."""
    for currency, sums in summary.at_stake.items():
        unit = "" if currency == "-" else f"{currency} "
        paid, replayed, void = (
            f"{unit}{shown(sums[name])}" for name in ("paid", "due_replayed", "due_void")
        )
        text = f"wrongly drawn rounds paid {paid}; rightly dealt {replayed}, made void {void}"
        yield _labelled("Draws", text)


def _worst(summary: Summary) -> Table:
    table = _grid("Worst tables", "violations", "findings")
    for casino, name, violations, findings in summary.worst_tables:
        table.add_row(
            name if casino == "-" else f"{casino} {name}", f"{violations:,}", f"{findings:,}"
        )
    return table


def _not_applied(summary: Summary) -> Iterator[RenderableType]:
    if not summary.not_applied:
        return
    yield Text("Not applied", style="bold")
    reasons: dict[str, dict[str, int]] = {}
    for code, reason, rows in summary.not_applied:
        reasons.setdefault(reason, {})[code] = rows
    for reason, codes in list(reasons.items())[:_MOST_REASONS]:
        most = max(codes.values())
        reach = f" (up to {_plural(most, 'row')})" if most else ""
        line = f"{_phrase(reason)}: {_ranges(codes)}{reach}"
        yield Padding(Text(line, style="dim"), (0, 0, 0, 2), expand=False)
    if len(reasons) > _MOST_REASONS:
        yield Text(f"  and {len(reasons) - _MOST_REASONS} more reasons", style="dim")


def _undecided(summary: Summary) -> Iterator[RenderableType]:
    if not summary.undecided:
        return
    yield Text("Accepted under any reading of a disputed text", style="bold")
    for name, rows in summary.undecided:
        yield Text(f"  {name}: {_plural(rows, 'row')}", style="dim")


def _phrase(reason: str) -> str:
    kind, _, column = reason.partition(":")
    if kind not in ("no_table", "missing"):
        return words("unapplied")[kind]
    field = words("field").get(column, column)
    return f"no table of {field}" if kind == "no_table" else f"not recorded: {field}"


def _ranges(codes: Mapping[str, Any]) -> str:
    """``A0501, A0502, A0901 ...`` folded by article: ``A05 (2), A1302``."""
    groups: dict[str, list[str]] = {}
    for code in codes:
        match = re.match(r"A\d\d|L", code)
        groups.setdefault(match[0] if match else code, []).append(code)
    return ", ".join(
        members[0] if len(members) == 1 else f"{group} ({len(members)} checks)"
        for group, members in groups.items()
    )
