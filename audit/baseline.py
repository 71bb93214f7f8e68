"""Baselines: findings that somebody has accepted, by name, for a reason, until a day.

A baseline is a TOML file. ``draft`` writes one from a case, with owner, reason and expiry left to
fill in; ``read_baseline`` refuses it until they are. An accepted finding keeps its place in every
count, but no longer decides the exit code; an entry whose day is over accepts nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from audit.baseline_file import PLACE, Baseline, BaselineError, Entry, read_baseline
from audit.checks.findings import HASHED_BY_ROW

if TYPE_CHECKING:
    from audit.case import Case
    from audit.checks.runner import Result

__all__ = [
    "PLACE",
    "SCHEMA",
    "Baseline",
    "BaselineError",
    "Compared",
    "Entry",
    "State",
    "compare",
    "draft",
    "quoted",
    "read_baseline",
]

SCHEMA: dict[str, pl.DataType] = {
    "id": pl.String(),
    "code": pl.String(),
    **{name: pl.Int64() if name == "round_no" else pl.String() for name in PLACE},
    "message": pl.String(),
    "owner": pl.String(),
    "reason": pl.String(),
    "expires": pl.Date(),
    "state": pl.String(),
}
"""The table of a case that holds the entries of its baseline and what became of each."""

State = Literal["persisting", "expired", "vanished", "unchecked"]

_HEAD = """\
# Findings accepted as known. Each entry needs an owner, a reason and the last day on which it
# holds; take out the entries that are not accepted. Then: baccarat-audit run ... --baseline FILE
# An accepted finding is still counted and reported, as accepted; nothing makes it a pass.
"""


@dataclass(frozen=True)
class Compared:
    """A run set against its baseline.

    ``findings`` have their status. Of the entries, ``persisting`` ones accept a finding,
    ``expired`` ones would have but their day is over, ``vanished`` ones have no finding any more,
    and for ``unchecked`` ones the check of their code was not made.
    """

    baseline: Baseline | None
    findings: pl.DataFrame
    states: Mapping[State, tuple[Entry, ...]]

    def entries(self) -> pl.DataFrame:
        """All entries with their state, in the order of the file; none without a baseline."""
        state_of = {entry.id: state for state, some in self.states.items() for entry in some}
        rows = [
            {**entry.as_json(), "expires": entry.expires, "state": state_of[entry.id]}
            for entry in (self.baseline.entries if self.baseline else ())
        ]
        return pl.DataFrame(rows, schema=SCHEMA)


def compare(
    baseline: Baseline | None, findings: pl.DataFrame, results: Iterable[Result], today: date
) -> Compared:
    """Give each finding its status; without a baseline all are new.

    ``today`` is the day of the case in Macau. BaselineError where an entry tells of another
    finding than the one that its id stands for.
    """
    if baseline is None:
        return Compared(None, findings, {})
    made = {result.check.code for result in results if result.state == "ran"}
    listed = pl.Series([entry.id for entry in baseline.entries], dtype=pl.String)
    matched = findings.filter(pl.col("id").is_in(listed.implode()))
    found = {row["id"]: row for row in matched.select("id", "code", *PLACE).iter_rows(named=True)}
    states: dict[State, list[Entry]] = {
        "persisting": [], "expired": [], "vanished": [], "unchecked": [],
    }  # fmt: skip
    for entry in baseline.entries:
        if entry.id in found:
            _same_finding(baseline, entry, found[entry.id])
            states["expired" if entry.expires < today else "persisting"].append(entry)
        else:
            states["vanished" if entry.code in made else "unchecked"].append(entry)
    accepted = pl.Series([entry.id for entry in states["persisting"]], dtype=pl.String)
    status = (
        pl.when(pl.col("id").is_in(accepted.implode()))
        .then(pl.lit("accepted"))
        .otherwise(pl.lit("new"))
    )
    return Compared(
        baseline,
        findings.with_columns(status.alias("status")),
        {state: tuple(entries) for state, entries in states.items()},
    )


def _same_finding(baseline: Baseline, entry: Entry, finding: Mapping[str, Any]) -> None:
    told = {"code": entry.code, **{key: entry.where.get(key) for key in PLACE}}
    if entry.code in HASHED_BY_ROW:
        told = {"code": entry.code}
    for key, value in told.items():
        if value != finding[key]:
            raise BaselineError(
                f"the entry {entry.id} says {key} {value!r}, but that finding has {finding[key]!r}",
                where=f"{baseline.name}, line {entry.line}" if entry.line else baseline.name,
                hint="Write the entry anew with `baccarat-audit baseline`",
            )


def draft(case: Case) -> str:
    """The text of a baseline that accepts every finding of a case.

    Owner, reason and expiry are empty, but for what the case's own baseline already said; an
    expired entry keeps its owner and reason and needs a new day.
    """
    known = {
        name: (owner, reason, None if state == "expired" else expires)
        for name, owner, reason, expires, state in case.connection.execute(
            "SELECT id, owner, reason, expires, state FROM baseline"
        ).fetchall()
    }
    columns = ", ".join(("id", "code", "message", *PLACE))
    rows = case.connection.execute(f"SELECT {columns} FROM findings ORDER BY rowid").fetchall()
    parts = [_HEAD, f"case = {quoted(str(case.manifest['case_id']))}\n"]
    for name, code, message, *place in rows:
        owner, reason, expires = known.get(name, ("", "", None))
        where = ", ".join(
            f"{key} = {value if isinstance(value, int) else quoted(value)}"
            for key, value in zip(PLACE, place, strict=True)
            if value is not None
        )
        parts.append(
            f"\n[[accepted]]\nid = {quoted(name)}\ncode = {quoted(code)}\n"
            f"where = {{ {where} }}\nmessage = {quoted(message)}\n"
            f"owner = {quoted(owner)}\nreason = {quoted(reason)}\n"
            f"expires = {expires.isoformat() if expires else quoted('')}\n"
        )
    return "".join(parts)


def quoted(text: str) -> str:
    """A TOML basic string. JSON's escapes are TOML's, but for DEL, which TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
