"""Runs the checks over the resolved log and turns breaking rows into findings.

Every check is counted: rows examined, rows to which it could not be applied (with the reason)
and rows that break it. A check that crashes is an error of the run, never "no findings".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import polars as pl

from audit.checks.base import Breach, Check, Over
from audit.checks.findings import as_findings, collected
from audit.resolve.alike import whole
from audit.resolve.authority import FIRST
from audit.resolve.rules import Rules

State = Literal["ran", "not_applied", "crashed", "not_selected"]

_OUT, _NO_RULE_SET, _FIRST_NEED, _UNDETERMINED, _PASS, _BREAK = 0, 1, 2, 97, 98, 99

MONEY_CODES = ("A12", "A17", "A18")
"""Findings on a bet that mean its money is wrong (severity of A05, A11, A12 and A1302)."""


@dataclass(frozen=True)
class Result:
    """One check's account: ``not_applied`` counts rows by reason, ``violating`` the findings."""

    check: Check
    state: State
    examined: int = 0
    not_applied: Mapping[str, int] = field(default_factory=dict)
    violating: int = 0
    error: str = ""


@dataclass(frozen=True)
class Account:
    """Rows that one check examined and could not be applied to; what it crashed with, if it did."""

    examined: int = 0
    not_applied: Mapping[str, int] = field(default_factory=dict)
    error: str = ""

    def __add__(self, other: Account) -> Account:
        reasons = sorted({*self.not_applied, *other.not_applied})
        both = (self.not_applied, other.not_applied)
        return Account(
            self.examined + other.examined,
            {reason: sum(each.get(reason, 0) for each in both) for reason in reasons},
            self.error or other.error,
        )


@dataclass(frozen=True)
class Made:
    """Checks made over some frames: the account and the findings of each, by code."""

    accounts: Mapping[str, Account]
    findings: pl.DataFrame


def make_checks(
    checks: Sequence[Check],
    frames: Mapping[Over, pl.DataFrame],
    present: Mapping[str, frozenset[str]],
    rules: Rules,
) -> Made:
    """Make those ``checks`` whose rows are among ``frames`` and whose tables the log has.

    All are made, selected or not: whether a wrong record is a violation depends on whether the
    round's money is right, which other checks tell.
    """
    able = [c for c in checks if c.over in frames and not absent(c, present)]
    made: dict[str, tuple[Account, pl.DataFrame | None]] = {}
    of_cases = _of_cases(able, frames["cases"]) if "cases" in frames else {}
    # A check uses one processor for most of its time, so several are made at once.
    with ThreadPoolExecutor(pl.thread_pool_size()) as pool:
        for of_bets in (True, False):
            now = [check for check in able if (check.over == "bets") == of_bets]
            wrong = _rounds_with_wrong_money(made)
            one = partial(_make, frames=frames, of_cases=of_cases, rules=rules, wrong=wrong)
            made |= dict(zip((check.code for check in now), pool.map(one, now), strict=True))
    accounts = {code: account for code, (account, _) in made.items()}
    return Made(accounts, collected(made[check.code][1] for check in able))


def _rounds_with_wrong_money(
    made: Mapping[str, tuple[Account, pl.DataFrame | None]],
) -> frozenset[int]:
    return frozenset(
        rid
        for code, (_, findings) in made.items()
        if findings is not None and code.startswith(MONEY_CODES)
        for rid in findings["rid"].drop_nulls()
    )


def results(
    checks: Sequence[Check],
    selected: Iterable[Check],
    accounts: Iterable[Mapping[str, Account]],
    found: Mapping[str, int],
    present: Mapping[str, frozenset[str]],
    rows: Mapping[str, int],
) -> tuple[Result, ...]:
    """What became of each of ``checks``, from the accounts of all parts of the log.

    ``found`` counts the findings by code, ``rows`` the rows of each frame in the whole log.
    """
    whole: dict[str, Account] = {}
    for part in accounts:
        for code, account in part.items():
            whole[code] = whole.get(code, Account()) + account
    wanted = {check.code for check in selected}
    out = []
    for check in checks:
        account = whole.get(check.code, Account())
        if check.code not in wanted:
            out.append(Result(check, "not_selected"))
        elif account.error:
            out.append(Result(check, "crashed", error=account.error))
        elif missing := absent(check, present):
            number = rows[check.over] or rows["rounds"]
            out.append(Result(check, "not_applied", not_applied={f"no_table:{missing}": number}))
        else:
            made: State = "ran" if account.examined or not account.not_applied else "not_applied"
            number = found.get(check.code, 0)
            out.append(Result(check, made, account.examined, account.not_applied, number))
    return tuple(out)


def absent(check: Check, present: Mapping[str, frozenset[str]]) -> str | None:
    """The first table that a check needs and the log does not have."""
    return next((table for table in _tables(check) if table not in present), None)


OfCases = Mapping[tuple[str, int], pl.Series]
"""By code and number of the breach: the verdict on each case, null for those not looked at."""


def _of_cases(checks: Iterable[Check], cases: pl.DataFrame) -> OfCases:
    """Most checks of bets hang on nothing but the case: those are made in one query.

    Where that fails none is, and each check is then made by itself, so that it is known which.
    """
    asked, verdicts = [], []
    try:
        for check in checks:
            for number, breach in enumerate(check.breaches() if check.over == "bets" else ()):
                verdict = _judged(check, breach)
                if set(verdict.meta.root_names()) <= set(cases.columns):
                    asked.append((check.code, number))
                    verdicts.append(verdict.alias(f"{check.code} {number}"))
        return dict(zip(asked, cases.select(verdicts).iter_columns(), strict=True))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        return {}


def _make(
    check: Check,
    frames: Mapping[Over, pl.DataFrame],
    of_cases: OfCases,
    rules: Rules,
    wrong: frozenset[int],
) -> tuple[Account, pl.DataFrame | None]:
    try:
        examined, not_applied, found = 0, dict[str, int](), []
        for number, breach in enumerate(check.breaches()):
            known = of_cases.get((check.code, number))
            seen, skipped, rows = _judge(check, breach, frames, known)
            examined += seen
            for reason, count in skipped.items():
                not_applied[reason] = not_applied.get(reason, 0) + count
            if rows.height:
                found.append(as_findings(check, breach, rows, rules, wrong))
        findings = pl.concat(found) if found else None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # also a panic of polars: the run goes on without a verdict
        return Account(error=f"{type(error).__name__}: {error}"), None
    return Account(examined, not_applied), findings


def _tables(check: Check) -> tuple[str, ...]:
    return (*check.tables, "bets") if check.over == "bets" else check.tables


def _judge(
    check: Check,
    breach: Breach,
    frames: Mapping[Over, pl.DataFrame],
    known: pl.Series | None,
) -> tuple[int, dict[str, int], pl.DataFrame]:
    """Rows examined, rows not applied by reason, and the rows that break the provision."""
    if check.over == "bets" and known is not None:
        of_each, rows = _known(known, frames["bets"], frames["cases"])
    elif check.over == "bets":
        of_each, rows = _judge_bets(check, breach, frames["bets"], frames["cases"])
    else:
        of_each, rows = _judge_each(check, breach, frames[check.over])
    counts: dict[int, int] = dict(of_each.iter_rows())
    reasons = {
        _NO_RULE_SET: "no_rule_set",
        _UNDETERMINED: "undetermined",
        **{_FIRST_NEED + i: f"missing:{need}" for i, need in enumerate(breach.needs)},
    }
    skipped = {reason: counts[i] for i, reason in reasons.items() if counts.get(i)}
    if breach.each is not None and rows.height:
        rows = rows.explode(breach.each)
    if breach.once_per and rows.height:
        rows = _first_of_each(rows, breach.once_per)
    return counts.get(_PASS, 0) + counts.get(_BREAK, 0), skipped, rows


def _judge_each(
    check: Check, breach: Breach, rows: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The ``number`` of rows by ``verdict``, and the rows that break the provision."""
    verdict = _verdict(check, breach).alias("verdict")
    # Lazily, since polars then reads no other columns and works out a common part once.
    here = rows.lazy().filter(_looked_at(check, breach))
    of_each = here.select(verdict).collect().to_series().value_counts(name="number")
    some = _BREAK in of_each["verdict"]
    return of_each, here.filter(verdict == _BREAK).collect() if some else rows.clear()


def _judge_bets(
    check: Check, breach: Breach, bets: pl.DataFrame, cases: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The same of bets, by their cases where it hangs on nothing else."""
    verdict = _judged(check, breach)
    names = set(verdict.meta.root_names())
    if names <= set(cases.columns):
        return _known(cases.select(verdict.alias("verdict")).to_series(), bets, cases)
    others = (cases[name].gather(bets["case"]) for name in names.difference(bets.columns))
    of_each, rows = _judge_each(check, breach, bets.with_columns(*others))
    return of_each, whole(rows, cases) if rows.height else rows


def _known(
    verdicts: pl.Series, bets: pl.DataFrame, cases: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The same of bets whose cases have these verdicts."""
    judged = cases.select("number", "case", verdict=verdicts).drop_nulls("verdict")
    of_each = judged.group_by("verdict").agg(pl.col("number").sum())
    broken = judged.filter(pl.col("verdict") == _BREAK)["case"]
    if broken.is_empty():
        return of_each, bets.clear()
    return of_each, whole(bets.filter(pl.col("case").is_in(broken.implode())), cases)


def _judged(check: Check, breach: Breach) -> pl.Expr:
    """``_verdict`` on the rows that are looked at, null on others."""
    return pl.when(_looked_at(check, breach)).then(_verdict(check, breach))


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
    """The earliest row of each group; ``first_of_all`` does so again over all shoes."""
    names = [f"group_{i}" for i in range(len(groups))]
    return (
        rows.with_columns(group.alias(name) for group, name in zip(groups, names, strict=True))
        .sort(FIRST, maintain_order=True)
        .unique(names, keep="first", maintain_order=True)
        .drop(names)
    )
