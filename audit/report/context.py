"""A case as the facts of its report: plain values that JSON can hold, no wording, no markup.

Money is decimal text, dates are ISO text. The facts are the same for every language; what they
say in words is decided in the templates with ``audit.report.words``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from audit.case import MANIFEST, open_case
from audit.digests import file_sha256
from audit.errors import CaseError
from audit.report.evidence import shoes_with_several, shown_findings
from audit.report.exceptions import exceptions
from audit.report.figures import figures
from audit.report.query import Facts, plain, rows
from audit.report.reserves import limits
from audit.report.stake import at_stake

SEVERITIES = ("violation", "warning", "notice")
SHOWN_REJECTS = 30
SHOWN_SOURCES = 60
SHOWN_CURRENCIES = 4
_HEART = ("rounds", "bets")
_MONEY_NAMES = ("overpaid", "overpaid_n", "short", "short_n")


def chapter_of(code: str) -> str:
    """The article number of an ``A`` code as text; ``L`` and ``X`` for the others."""
    return str(int(code[1:3])) if code.startswith("A") else code[:1]


def chapter_order(chapter: str) -> tuple[int, str]:
    """Sorts articles by number, then the log, then statistics."""
    return (int(chapter), "") if chapter.isdigit() else (1000, chapter)


_STRAYS = {"unused": "unused_columns", "unmatched": "unmatched"}


def facts(case: Path, *, worst: int = 20) -> Facts:
    """Everything that the report of ``case`` says, with at most ``worst`` findings for a code."""
    opened = open_case(case)
    with opened.connection as connection:
        try:
            return _facts(case, opened.manifest, connection, worst)
        except (duckdb.BinderException, duckdb.CatalogException) as error:
            raise CaseError(
                "the case was made by another version of the program, with other tables",
                where=str(case),
                hint="Run the audit again",
            ) from error


def _facts(
    case: Path, manifest: Mapping[str, Any], connection: duckdb.DuckDBPyConnection, worst: int
) -> Facts:
    run = {row["key"]: _value(row["value"]) for row in rows(connection, _RUN)}
    money, days = rows(connection, _MONEY), rows(connection, _DAYS)
    return {
        "case_id": str(manifest.get("case_id", "")),
        "tool_version": str(manifest.get("tool_version", "")),
        "created_at": str(manifest["created_at"]),
        "options": manifest.get("options") or {},
        "calendar": str(manifest.get("calendar") or ""),
        "manifest_sha256": file_sha256(case / MANIFEST),
        "casinos": run.get("casinos") or [],
        "period": run.get("period"),
        "forced": bool(run.get("forced")),
        "counts": _counts(run.get("tables") or {}),
        "limits": limits(connection, run),
        "strays": {name: run.get(key) or [] for name, key in _STRAYS.items()},
        "titles": _titles(connection),
        "severities": _severities(connection),
        "money": money[:SHOWN_CURRENCIES],
        "more_currencies": max(len(money) - SHOWN_CURRENCIES, 0),
        "reach": rows(connection, _REACH)[0],
        "figures": figures(connection),
        "days": [row for row in days if row["day"]],
        "undated": sum(row["n"] for row in days if not row["day"]),
        "chapters": _chapters(connection, manifest, worst),
        "at_stake": at_stake(connection),
        "exceptions": exceptions(connection, manifest),
        "shoes": shoes_with_several(connection),
        **_annexes(connection),
    }


def _value(text: str) -> Any:
    """A value of the run: JSON, or plain text."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _counts(tables: Facts) -> list[Facts]:
    """Rows read and what became of them, rounds and bets first."""
    order = [*("rounds", "bets"), *(name for name in sorted(tables) if name not in _HEART)]
    return [{"table": name, **tables[name]} for name in order if name in tables]


def _titles(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """Titles by language of the bets that a rule set of the case names itself."""
    found = ((row["key"], json.loads(row["value"])) for row in rows(connection, _BET_RULES))
    return {
        key.removeprefix("bet."): value["titles"] for key, value in found if value.get("titles")
    }


def _severities(connection: duckdb.DuckDBPyConnection) -> Facts:
    counts = {name: {"new": 0, "accepted": 0} for name in SEVERITIES}
    for row in rows(connection, _SEVERITIES):
        if row["severity"] in counts:
            status = "accepted" if row["status"] == "accepted" else "new"
            counts[row["severity"]][status] += row["n"]
    return {name: {**parts, "all": sum(parts.values())} for name, parts in counts.items()}


def _chapters(
    connection: duckdb.DuckDBPyConnection, manifest: Mapping[str, Any], worst: int
) -> list[Facts]:
    """One chapter for each article with findings, its codes in order."""
    money: dict[str, list[Facts]] = defaultdict(list)
    for row in rows(connection, _MONEY_BY_CODE):
        money[row.pop("code")].append(row)
    shown = shown_findings(connection, manifest, worst)
    chapters: dict[str, list[Facts]] = defaultdict(list)
    for row in rows(connection, _CODES):
        amounts = money.get(row["code"], [])
        row["money"] = amounts[:SHOWN_CURRENCIES]
        row["more_currencies"] = max(len(amounts) - SHOWN_CURRENCIES, 0)
        row["shown"] = shown.get(row["code"], [])
        row["more"] = row["n"] - len(row["shown"])
        chapters[chapter_of(row["code"])].append(row)
    return [
        {
            "key": key,
            "codes": codes,
            "counts": {name: sum(code[name] for code in codes) for name in SEVERITIES},
            "money": _together(row for code in codes for row in money.get(code["code"], [])),
        }
        for key, codes in sorted(chapters.items(), key=lambda item: chapter_order(item[0]))
    ]


def _together(money: Iterable[Facts]) -> list[Facts]:
    """Money of several checks by currency; ``net`` is what was paid too much less too little."""
    sums: dict[str | None, dict[str, Decimal]] = {}
    for row in money:
        of_all = sums.setdefault(row["currency"], dict.fromkeys(_MONEY_NAMES, Decimal(0)))
        for name in _MONEY_NAMES:
            of_all[name] += Decimal(row[name] or 0)
    return [
        {
            "currency": currency,
            **{name: plain(part) for name, part in parts.items()},
            "net": plain(parts["overpaid"] - parts["short"]),
        }
        for currency, parts in sorted(sums.items(), key=lambda item: item[0] or "")
    ][:SHOWN_CURRENCIES]


def _annexes(connection: duckdb.DuckDBPyConnection) -> Facts:
    return {
        "rulesets": rows(connection, "select * from rulesets order by in_force_from, id"),
        "provisions": rows(connection, "select * from provisions order by ruleset, key"),
        "interpretations": rows(connection, "select * from interpretations order by id"),
        "checks": rows(connection, "select * from checks order by code"),
        "not_applied": rows(connection, "select * from not_applied order by code, reason"),
        "reject_counts": rows(connection, _REJECT_COUNTS),
        "rejects": rows(connection, _REJECTS, SHOWN_REJECTS),
        "sources": rows(
            connection, 'select * from sources order by "table", name limit ?', SHOWN_SOURCES
        ),
        "sources_total": rows(connection, "select count(*) as n from sources")[0]["n"],
    }


def days_of(content: Facts) -> dict[date, dict[str, int]]:
    """Findings by day of their round, by severity."""
    days: dict[date, dict[str, int]] = defaultdict(dict)
    for row in content["days"]:
        days[date.fromisoformat(row["day"])][row["severity"]] = row["n"]
    return dict(days)


_RUN = """
select * from run
where key in ('casinos', 'period', 'forced', 'tables', 'selected', 'rulesets')"""
_BET_RULES = "select key, value from provisions where key like 'bet.%' order by ruleset, key"
_SEVERITIES = "select severity, status, count(*) as n from findings group by all order by all"
_SUMS = """
  sum(amount) filter (amount > 0) as overpaid, count(*) filter (amount > 0) as overpaid_n,
  sum(-amount) filter (amount < 0) as short, count(*) filter (amount < 0) as short_n,
  sum(amount) filter (amount > 0 and status = 'accepted') as overpaid_accepted,
  sum(-amount) filter (amount < 0 and status = 'accepted') as short_accepted"""
_MONEY = f"""
select currency, {_SUMS} from findings where amount is not null
group by 1 order by count(*) desc, currency"""
_MONEY_BY_CODE = f"""
select code, currency, {_SUMS} from findings where amount is not null
group by 1, 2 order by 1, count(*) desc, currency"""
_REACH = """
select count(*) as n,
  count(distinct (casino, table_id, shoe_id, round_no)) filter (round_no is not null) as rounds,
  count(distinct (casino, table_id)) filter (table_id is not null) as tables
from findings where severity = 'violation'"""
_BY_SEVERITY = ", ".join(f"count(*) filter (severity = '{name}') as {name}" for name in SEVERITIES)
# A finding's day is that of its round.
_DAYS = """
select cast(started_at as date) as day, severity, count(*) as n
from findings group by all order by all"""
_CODES = f"""
select code, count(*) as n, count(*) filter (status = 'accepted') as accepted, {_BY_SEVERITY},
  count(*) filter (basis = 'inferred') as inferred
from findings group by code order by code"""
_REJECT_COUNTS = """
select "table", reason, count(*) as n from rejects group by all order by n desc, "table", reason"""
_REJECTS = """select "table", source, row, "column", text, reason, expected, differs, raw
from rejects order by "table", source, row limit ?"""
