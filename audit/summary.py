"""A run in figures: what ``run`` prints, what the case keeps, what the exit code says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl

from audit.baseline import Compared
from audit.money import as_decimal
from audit.rejects import grouped
from audit.resolve import Rules

if TYPE_CHECKING:
    from audit.buckets.whole import Audited

SEVERITIES = ("violation", "warning", "notice")
"""From the gravest down."""

_LONGEST = 200
"""Characters of a rejected cell that the figures of a run repeat."""


@dataclass(frozen=True)
class Rows:
    """Rows of one table: ``read = audited + rejected + set_aside``."""

    read: int
    audited: int
    rejected: int
    set_aside: int


@dataclass(frozen=True)
class Accepted:
    """The accepted part of each count of a run, and what became of the baseline's entries.

    ``entries`` are plain values by state: persisting, expired, vanished, unchecked.
    """

    name: str
    sha256: str
    severities: Mapping[str, int]
    codes: Mapping[str, Mapping[str, int]]
    overpaid: Mapping[str, Decimal]
    short_changed: Mapping[str, Decimal]
    entries: Mapping[str, tuple[Mapping[str, Any], ...]]


@dataclass(frozen=True)
class Summary:
    """One run in figures; amounts are exact decimals by currency (``-`` where none is given).

    Every count is of all findings; ``accepted`` tells the part that a baseline accepts.
    ``rejected``, ``unused_columns`` and ``unmatched`` are plain values: the kinds of rejects, the
    columns that nothing read, the rows of side tables that belong to no round.
    """

    casinos: tuple[str, ...]
    period: tuple[str, str] | None
    tables: Mapping[str, Rows]
    sources: tuple[Mapping[str, Any], ...]
    rulesets: Mapping[str, int]
    forced: bool
    selected: tuple[int, int]
    severities: Mapping[str, int]
    codes: Mapping[str, Mapping[str, int]]
    overpaid: Mapping[str, Decimal]
    short_changed: Mapping[str, Decimal]
    at_stake: Mapping[str, Mapping[str, Decimal]]
    rejected: tuple[Mapping[str, Any], ...]
    unused_columns: tuple[Mapping[str, Any], ...]
    unmatched: tuple[Mapping[str, Any], ...]
    not_applied: tuple[tuple[str, str, int], ...]
    undecided: tuple[tuple[str, int], ...]
    crashed: tuple[tuple[str, str], ...]
    worst_tables: tuple[tuple[str, str, int, int], ...]
    rounds_with_violation: int
    tables_with_violation: int
    exit: int
    accepted: Accepted | None = None
    case_id: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain values, decimals as text, in a fixed order."""
        plain: dict[str, Any] = _decimals_as_text(asdict(self))
        return plain

    def new(self, severity: str) -> int:
        """Findings of one severity that no baseline accepts."""
        accepted = self.accepted.severities[severity] if self.accepted else 0
        return self.severities[severity] - accepted


def _decimals_as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _decimals_as_text(each) for key, each in value.items()}
    return str(value) if isinstance(value, Decimal) else value


def summarise(audited: Audited, compared: Compared, rules: Rules, *, fail_on: str) -> Summary:
    """The figures of a run. ``compared`` has the findings of the selected checks.

    Only new ones decide the exit code.
    """
    findings, results = compared.findings, audited.results
    violations = findings.filter(pl.col("severity") == "violation")
    crashed = tuple((r.check.code, r.error) for r in results if r.state == "crashed")
    new = findings.filter(pl.col("status") == "new")
    return Summary(
        casinos=audited.casinos,
        period=_period(audited),
        tables=_rows(audited.sources),
        sources=tuple(audited.sources.to_dicts()),
        rulesets=_rulesets(audited, rules),
        forced=rules.forced,
        selected=(sum(r.state != "not_selected" for r in results), len(results)),
        severities=_severities(findings),
        codes=_by_code(findings),
        overpaid=_money(findings.filter(pl.col("amount") > 0)),
        short_changed=_money(findings.filter(pl.col("amount") < 0)),
        at_stake=_at_stake(audited.at_stake),
        rejected=_rejected(audited.rejects),
        unused_columns=tuple(asdict(each) for each in audited.unused),
        unmatched=tuple(asdict(each) for each in audited.strangers),
        not_applied=tuple(
            (r.check.code, reason, rows) for r in results for reason, rows in r.not_applied.items()
        ),
        undecided=tuple((name, rows) for name, rows in audited.undecided.items() if rows),
        crashed=crashed,
        worst_tables=_worst_tables(findings),
        rounds_with_violation=_distinct(violations, ["casino", "table_id", "shoe_id", "round_no"]),
        tables_with_violation=_distinct(violations, ["casino", "table_id"]),
        exit=3 if crashed else _exit(_severities(new), fail_on),
        accepted=_accepted(compared),
    )


def _accepted(compared: Compared) -> Accepted | None:
    baseline = compared.baseline
    if baseline is None:
        return None
    findings = compared.findings.filter(pl.col("status") == "accepted")
    return Accepted(
        name=baseline.name,
        sha256=baseline.sha256,
        severities=_severities(findings),
        codes=_by_code(findings),
        overpaid=_money(findings.filter(pl.col("amount") > 0)),
        short_changed=_money(findings.filter(pl.col("amount") < 0)),
        entries={
            state: tuple(entry.as_json() for entry in entries)
            for state, entries in compared.states.items()
        },
    )


def _rejected(rejects: pl.DataFrame) -> tuple[dict[str, Any], ...]:
    """The kinds of rejects, the commonest first, each with the cell of its first row."""
    return tuple(
        {
            "table": group.table,
            "column": group.column,
            "reason": group.reason,
            "rows": group.rows,
            "source": group.examples[0].source,
            "row": group.examples[0].row,
            "text": (group.examples[0].text or "")[:_LONGEST] or None,
        }
        for group in grouped(rejects, examples=1)
    )


def _exit(severities: Mapping[str, int], fail_on: str) -> int:
    grave = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return 1 if any(severities[each] for each in grave) else 0


def _period(audited: Audited) -> tuple[str, str] | None:
    if audited.period is None:
        return None
    first, last = audited.period
    return str(first)[:10], str(last)[:10]


def _rows(sources: pl.DataFrame) -> dict[str, Rows]:
    counts = sources.group_by("table", maintain_order=True).agg(
        pl.col("rows_read", "audited", "rejected", "set_aside").sum()
    )
    return {table: Rows(*figures) for table, *figures in counts.iter_rows()}


def _rulesets(audited: Audited, rules: Rules) -> dict[str, int]:
    return {
        "-" if rs is None else rules.sets[rs].id: number for rs, number in audited.rulesets.items()
    }


def _severities(findings: pl.DataFrame) -> dict[str, int]:
    return dict.fromkeys(SEVERITIES, 0) | dict(findings.group_by("severity").len().iter_rows())


def _by_code(findings: pl.DataFrame) -> dict[str, dict[str, int]]:
    """Findings by code and severity, codes in order."""
    counts = findings.group_by("code", "severity").len().sort("code", "severity")
    codes: dict[str, dict[str, int]] = {}
    for code, severity, number in counts.iter_rows():
        codes.setdefault(code, {})[severity] = number
    return codes


def _distinct(frame: pl.DataFrame, columns: list[str]) -> int:
    """Distinct anchors; a finding without a round, or without a table, counts in neither."""
    frame = frame.drop_nulls(columns)
    return frame.select(columns).n_unique() if frame.height else 0


def _money(findings: pl.DataFrame) -> dict[str, Decimal]:
    sums = (
        findings.with_columns(pl.col("currency").fill_null("-"))
        .group_by("currency")
        .agg(pl.col("amount").cast(pl.Int128).sum())
        .sort("currency")
    )
    return {currency: as_decimal(int(amount)) for currency, amount in sums.iter_rows()}


def _at_stake(rounds: pl.DataFrame) -> dict[str, dict[str, Decimal]]:
    """By currency: what the bets on wrongly drawn rounds got, and would have been due."""
    names = ("paid", "due_replayed", "due_void")
    sums = (
        rounds.filter(pl.col("bets") > 0)
        .with_columns(pl.col("currency").fill_null("-"))
        .group_by("currency")
        .agg(pl.col(names).cast(pl.Int128).sum())
        .sort("currency")
    )
    return {
        currency: dict(zip(names, (as_decimal(int(each)) for each in amounts), strict=True))
        for currency, *amounts in sums.iter_rows()
    }


def _worst_tables(findings: pl.DataFrame) -> tuple[tuple[str, str, int, int], ...]:
    """The five tables with most violations, then most findings: casino, table, both counts."""
    counts = (
        findings.filter(pl.col("table_id").is_not_null())
        .group_by("casino", "table_id")
        .agg((pl.col("severity") == "violation").sum().alias("violations"), pl.len())
        .sort(["violations", "len", "casino", "table_id"], descending=[True, True, False, False])
    )
    return tuple(counts.head(5).iter_rows())
