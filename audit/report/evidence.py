"""The findings that a report shows, each with its round and its bets."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import duckdb

from audit.replay.read import evidence
from audit.report.course import courses
from audit.report.places import rows_of
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
    rounds = {_key(row): row for row in _rounds(connection)}
    bets = {(*_key(row), row["bet_id"]): row for row in _bets(connection)}
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


def _rounds(connection: duckdb.DuckDBPyConnection) -> list[Facts]:
    """Hands and results of the rounds shown."""
    query = _ROUNDS.format(rounds=rows_of(connection, "rounds", _SHOES_SHOWN, _OF_ROUND))
    return rows(connection, query)


def _bets(connection: duckdb.DuckDBPyConnection) -> list[Facts]:
    """The bets shown; one without a round, which stands with no shoe, is searched for."""
    query = _BETS.format(bets=rows_of(connection, "bets", _SHOES_OF_BETS, _OF_BET))
    found = rows(connection, query)
    return found + rows(connection, _ASTRAY)


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
        rounds = evidence(connection, "rounds", place)
        shoe["marks"] = rows(connection, _MARKS.format(rounds=rounds), *place, *place)
    return shoes


# Findings are placed by the few columns that decide, and only those shown are fetched whole.
_SHOWN = """
create temp table shown as
select f.*, placed.place, b.owner, b.reason, b.expires
from (
  select rowid as at, row_number() over (
    partition by code order by status = 'accepted', abs(coalesce(amount, 0)) desc,
      starts_with(coalesce(consequence, ''), 'changed') desc, basis = 'inferred', casino nulls last,
      table_id nulls last, shoe_id nulls last, round_no nulls last, bet_id nulls last,
      subject nulls last, id) as place
  from findings qualify place <= ?) placed
join findings f on f.rowid = placed.at
left join baseline b on b.id = f.id and b.state = 'persisting'"""
_OF_ROUND = (
    "round_no", "player_cards", "banker_cards", "by_player_total", "by_banker_total", "by_outcome",
)  # fmt: skip
_OF_BET = ("round_no", "bet_id", "currency", "bet", "stake", "commission_taken", "row")
_SHOES_SHOWN = "select casino, table_id, shoe_id from shown where round_no is not null"
_SHOES_OF_BETS = "select casino, table_id, shoe_id from shown where bet_id is not null"
_ROUNDS = """
select * from {rounds}
semi join (select distinct casino, table_id, shoe_id, round_no from shown) s
using (casino, table_id, shoe_id, round_no)"""
_BETS = """
select * from {bets}
semi join shown using (casino, table_id, shoe_id, round_no, bet_id) order by row desc"""
_ASTRAY = f"""
select casino, table_id, shoe_id, {", ".join(_OF_BET)} from bets
semi join (select * from shown where code = 'L09') s
using (casino, table_id, shoe_id, round_no, bet_id, row)"""
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
from {rounds} r left join flagged using (round_no)
where r.casino = ? and r.table_id = ? and r.shoe_id = ? and r.kind in ('play', 'free')
order by r.round_no limit 300"""
