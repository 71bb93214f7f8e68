"""The findings that a report shows, each with its round and its bets."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import duckdb

from audit.report.course import courses
from audit.report.query import Facts, rows

ROAD_SHOES = 6
ROAD_LEAST = 3

Key = tuple[Any, ...]


def _key(row: Facts) -> Key:
    return tuple(row[name] for name in ("casino", "table_id", "shoe_id", "round_no"))


def shown_findings(
    connection: duckdb.DuckDBPyConnection, manifest: Mapping[str, Any], worst: int
) -> dict[str, list[Facts]]:
    """By code, the ``worst`` findings that weigh most, in that order.

    New ones go before accepted ones, then the larger amount, then a changed outcome, then what
    rests on a stated value; ties follow the order of the log. Each has its ``round`` and its own
    ``made`` bet (None where the log does not hold it). One of a draw error has ``course``, the
    round as it should have been (None where that cannot be said), and ``stakes``: by currency
    what hangs on it. An accepted one has its entry's ``owner``, ``reason`` and ``expires``.
    """
    connection.execute(_SHOWN, [worst])
    findings = rows(connection, "select * from shown order by code, place")
    rounds = {_key(row): row for row in rows(connection, _ROUNDS)}
    bets = {(*_key(row), row["bet_id"]): row for row in rows(connection, _BETS)}
    should = courses(connection, manifest)
    stakes: dict[Key, list[Facts]] = defaultdict(list)
    for row in rows(connection, _STAKES):
        stakes[_key(row)].append(row)
    by_code: dict[str, list[Facts]] = defaultdict(list)
    for finding in findings:
        key, effect = _key(finding), finding["consequence"]
        finding["evidence"] = evidence_of(finding["evidence"])
        finding["round"] = rounds.get(key)
        finding["made"] = bets.get((*key, finding["bet_id"])) if finding["bet_id"] else None
        finding["stakes"] = stakes.get(key, []) if effect else []
        course = should.get(key) if effect else None
        # What the case says counts: a course that says otherwise is of other rules.
        agrees = course is not None and course["consequence"] == effect
        finding["course"] = course if agrees else None
        by_code[finding["code"]].append(finding)
    return dict(by_code)


def evidence_of(text: object) -> Facts:
    """The values of a finding's message; nothing where they cannot be read."""
    try:
        value = json.loads(str(text or "{}"))
    except json.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def shoes_with_several(connection: duckdb.DuckDBPyConnection) -> list[Facts]:
    """The shoes with most findings on different rounds, with all their rounds for the roads."""
    shoes = rows(connection, _SHOES, ROAD_LEAST, ROAD_SHOES)
    for shoe in shoes:
        place = (shoe["casino"], shoe["table_id"], shoe["shoe_id"])
        shoe["marks"] = rows(connection, _MARKS, *place, *place)
    return shoes


# Findings are placed by the few columns that decide, and only those shown are fetched whole.
_SHOWN = """
create temp table shown as
select f.*, r.started_at, placed.place, b.owner, b.reason, b.expires
from (
  select rowid as at, row_number() over (
    partition by code order by status = 'accepted', abs(coalesce(amount, 0)) desc,
      starts_with(coalesce(consequence, ''), 'changed') desc, basis = 'inferred', casino nulls last,
      table_id nulls last, shoe_id nulls last, round_no nulls last, bet_id nulls last,
      subject nulls last, id) as place
  from findings qualify place <= ?) placed
join findings f on f.rowid = placed.at
left join rounds r using (casino, table_id, shoe_id, round_no)
left join baseline b on b.id = f.id and b.state = 'persisting'"""
_ROUNDS = """
select * from rounds
semi join (select distinct casino, table_id, shoe_id, round_no from shown) s
using (casino, table_id, shoe_id, round_no)"""
_BETS = """
select bets.* from bets
semi join shown using (casino, table_id, shoe_id, round_no, bet_id) order by row desc"""
_STAKES = """
select casino, table_id, shoe_id, round_no, currency, bets, paid, due_replayed as rightly,
  due_void as void
from at_stake semi join (select distinct casino, table_id, shoe_id, round_no from shown) s
using (casino, table_id, shoe_id, round_no)
where bets > 0 order by casino, table_id, shoe_id, round_no, currency"""
_SHOES = """
select casino, table_id, shoe_id, count(*) as findings, count(distinct round_no) as rounds
from findings where round_no is not null and severity <> 'notice'
group by 1, 2, 3 having count(distinct round_no) >= ?
order by findings desc, casino, table_id, shoe_id limit ?"""
_MARKS = """
with flagged as (
  select distinct round_no from findings
  where casino = ? and table_id = ? and shoe_id = ? and severity <> 'notice')
select r.round_no, r.kind, coalesce(r.by_outcome, r.outcome) as outcome,
  flagged.round_no is not null as flagged
from rounds r left join flagged using (round_no)
where r.casino = ? and r.table_id = ? and r.shoe_id = ? and r.kind in ('play', 'free')
order by r.round_no limit 300"""
