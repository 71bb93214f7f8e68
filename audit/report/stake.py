"""The money that hangs on draw errors, summed from the case's table ``at_stake``.

Amounts are decimal text by currency; a bet whose due cannot be told is counted as open and is in
no amount.
"""

from __future__ import annotations

import duckdb

from audit.report.query import Facts, rows

WORST = 10
SHOWN_CURRENCIES = 4


def at_stake(connection: duckdb.DuckDBPyConnection) -> Facts:
    """What the rounds with a draw error paid, and would have been due, in sums.

    ``totals`` by currency, the one with most rounds first; ``tables`` and ``dealers`` in the same
    order of currencies, in each the ``WORST`` by money paid wrongly, then one row for all others
    (``others`` says how many they are, 0 in a row of its own). ``results`` counts the rounds by
    what the rules would have changed.
    """
    totals = rows(connection, _TOTALS)
    shown = [row["currency"] for row in totals[:SHOWN_CURRENCIES]]
    place = {currency: number for number, currency in enumerate(shown)}
    groups = {}
    for name, column in (("tables", "table_id"), ("dealers", "dealer_id")):
        found = rows(connection, _WORST.format(column=column), WORST, WORST)
        kept = [row for row in found if row["currency"] in place]
        groups[name] = sorted(kept, key=lambda row: (place[row["currency"]], row["place"]))
    return {
        "totals": totals[:SHOWN_CURRENCIES],
        "more_currencies": len(totals) - len(shown),
        "open": sum(row["open"] for row in totals),
        "results": rows(connection, _RESULTS)[0],
        **groups,
    }


_SUMS = """
  count(*) filter (bets > 0) as rounds, sum(bets)::BIGINT as bets, sum(open)::BIGINT as open,
  sum(paid) as paid, sum(due_replayed) as rightly, sum(due_void) as void,
  sum(paid - due_replayed) as by_rules, sum(paid - due_void) as by_void"""
_TOTALS = f"""
select currency, {_SUMS} from at_stake group by currency order by rounds desc, currency"""
_WORST = f"""
with named as (
  select currency, casino, {{column}} as name, {_SUMS}, sum(abs(paid - due_replayed)) as wrong
  from at_stake group by all),
placed as (
  select *, least(? + 1, row_number() over (
    partition by currency order by wrong desc, rounds desc, casino, name nulls last)) as place
  from named)
select currency, place, if(place > ?, count(*), 0) as others,
  min(casino) as casino, min(name) as name,
  sum(rounds)::BIGINT as rounds, sum(bets)::BIGINT as bets, sum(open)::BIGINT as open,
  sum(paid) as paid, sum(rightly) as rightly, sum(void) as void,
  sum(by_rules) as by_rules, sum(by_void) as by_void
from placed group by currency, place"""
_RESULTS = """
select count(*) as rounds,
  count(*) filter (starts_with(consequence, 'changed')) as changed,
  count(*) filter (consequence = 'same_outcome') as same,
  count(*) filter (consequence = 'undetermined') as undetermined
from (select distinct casino, table_id, shoe_id, round_no, consequence from at_stake)"""
