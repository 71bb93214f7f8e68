"""Runs the checks over the resolved log and turns breaking rows into findings.

Every check is counted: rows examined, rows to which it could not be applied (with the reason)
and rows that break it. A check that crashes is an error of the run, never "no findings".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from audit.checks.base import Breach, Check
from audit.checks.findings import as_findings
from audit.resolve.log import Resolved
from audit.resolve.rules import Rules

State = Literal["ran", "not_applied", "crashed", "not_selected"]

_OUT, _NO_RULE_SET, _FIRST_NEED, _UNDETERMINED, _PASS, _BREAK = 0, 1, 2, 97, 98, 99

MONEY_CODES = ("A12", "A17", "A18")
"""Findings on a bet that mean its money is wrong (severity of A05, A11, A12 and A1302)."""


@dataclass(frozen=True)
class Result:
    """One check's account: ``not_applied`` counts rows by reason."""

    check: Check
    state: State
    examined: int = 0
    not_applied: Mapping[str, int] = field(default_factory=dict)
    findings: pl.DataFrame | None = None
    error: str = ""

    @property
    def violating(self) -> int:
        """Number of findings."""
        return 0 if self.findings is None else self.findings.height


def run_checks(
    checks: Sequence[Check], selected: Iterable[Check], resolved: Resolved, rules: Rules
) -> tuple[Result, ...]:
    """Results of all ``checks`` in their order; those not selected keep no findings.

    All are run, selected or not: whether a wrong record is a violation depends on whether the
    round's money is right, which other checks tell.
    """
    wanted = {check.code for check in selected}
    money = {c.code: _run(c, resolved, rules, frozenset()) for c in checks if c.over == "bets"}
    wrong = _rounds_with_wrong_money(money.values())
    results = []
    for check in checks:
        result = money.get(check.code) or _run(check, resolved, rules, wrong)
        results.append(result if check.code in wanted else Result(check, "not_selected"))
    return tuple(results)


def _rounds_with_wrong_money(results: Iterable[Result]) -> frozenset[int]:
    return frozenset(
        rid
        for result in results
        if result.findings is not None and result.check.code.startswith(MONEY_CODES)
        for rid in result.findings["rid"].drop_nulls()
    )


def _run(check: Check, resolved: Resolved, rules: Rules, wrong: frozenset[int]) -> Result:
    absent = [table for table in _tables(check) if table not in resolved.present]
    if absent:
        rows = getattr(resolved, check.over).height or resolved.rounds.height
        return Result(check, "not_applied", not_applied={f"no_table:{absent[0]}": rows})
    frame = getattr(resolved, check.over)
    try:
        examined, not_applied, found = 0, dict[str, int](), []
        for breach in check.breaches():
            seen, skipped, rows = _judge(check, breach, frame)
            examined += seen
            for reason, count in skipped.items():
                not_applied[reason] = not_applied.get(reason, 0) + count
            if rows.height:
                found.append(as_findings(check, breach, rows, rules, wrong))
        findings = pl.concat(found) if found else None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # also a panic of polars: the run goes on without a verdict
        return Result(check, "crashed", error=f"{type(error).__name__}: {error}")
    state: State = "ran" if examined or not not_applied else "not_applied"
    return Result(check, state, examined, not_applied, findings)


def _tables(check: Check) -> tuple[str, ...]:
    return (*check.tables, "bets") if check.over == "bets" else check.tables


def _judge(
    check: Check, breach: Breach, frame: pl.DataFrame
) -> tuple[int, dict[str, int], pl.DataFrame]:
    """Rows examined, rows not applied by reason, and the rows that break the provision."""
    verdict = _verdict(check, breach).alias("verdict")
    # Lazily, since polars then reads no other columns and works out a common part once.
    here = frame.lazy().filter(_looked_at(check, breach))
    judged = here.select(verdict).collect().to_series()
    counts: dict[int, int] = dict(judged.value_counts().iter_rows())
    reasons = {
        _NO_RULE_SET: "no_rule_set",
        _UNDETERMINED: "undetermined",
        **{_FIRST_NEED + i: f"missing:{need}" for i, need in enumerate(breach.needs)},
    }
    skipped = {reason: counts[i] for i, reason in reasons.items() if counts.get(i)}
    rows = here.filter(verdict == _BREAK).collect() if counts.get(_BREAK) else frame.clear()
    if breach.each is not None and rows.height:
        rows = rows.explode(breach.each)
    if breach.once_per and rows.height:
        rows = _first_of_each(rows, breach.once_per)
    return counts.get(_PASS, 0) + counts.get(_BREAK, 0), skipped, rows


def _looked_at(check: Check, breach: Breach) -> pl.Expr:
    """Rows in scope, and the bets that the check would have been for had they been judged."""
    scope = breach.scope.fill_null(False)
    if check.of_law and check.over == "bets":
        return scope | pl.col("standing").is_in(["no_rules", "unjudged"])
    return scope


def _verdict(check: Check, breach: Breach) -> pl.Expr:
    """A small number for each row: out of scope, not applied (why), passes, breaks."""
    result = (
        pl.when(breach.breaks.is_null())
        .then(_UNDETERMINED)
        .when(breach.breaks)
        .then(_BREAK)
        .otherwise(_PASS)
    )
    for i, need in reversed(list(enumerate(breach.needs))):
        result = pl.when(pl.col(need).is_null()).then(_FIRST_NEED + i).otherwise(result)
    if check.of_law:
        result = pl.when(pl.col("rs").is_null()).then(_NO_RULE_SET).otherwise(result)
    result = pl.when(breach.scope.fill_null(False)).then(result).otherwise(_OUT)
    if check.of_law and check.over == "bets":
        # What a bet would have been due cannot be told without rules, or without known cards.
        result = pl.when(pl.col("standing") == "no_rules").then(_NO_RULE_SET).otherwise(result)
        if check.code.startswith(MONEY_CODES):
            unjudged = (pl.col("standing") == "unjudged") & (result == _OUT)
            result = pl.when(unjudged).then(_UNDETERMINED).otherwise(result)
    return result.cast(pl.UInt8)


def _first_of_each(rows: pl.DataFrame, groups: Sequence[pl.Expr]) -> pl.DataFrame:
    names = [f"group_{i}" for i in range(len(groups))]
    return (
        rows.with_columns(group.alias(name) for group, name in zip(groups, names, strict=True))
        .sort("started_at", "rid", maintain_order=True)
        .unique(names, keep="first", maintain_order=True)
        .drop(names)
    )
