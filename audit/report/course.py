"""What the rounds with a draw error should have been, for the findings that a report shows.

The replay of ``audit.replay`` says it, card by card and bet by bet. A round judged by a rule set
of the user's own is replayed by the shipped one that has the same draws, if there is one; what
its bets would have been due is then not said.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from audit.cards import TEXT
from audit.replay import read
from audit.replay.money import BetMoney
from audit.replay.rounds import replay_round
from audit.replay.true_order import REPLAYED, Course
from audit.report.places import rows_of
from audit.report.query import Facts, plain
from audit.rulebook import RuleSet, load_rulebook

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Key = tuple[Any, ...]
_PLACE = ("casino", "table_id", "shoe_id", "round_no")
_DRAWS = ("player_draws_on", "naturals", "hand_cards_max")


def courses(connection: DuckDBPyConnection, manifest: Mapping[str, Any]) -> dict[Key, Facts]:
    """By place, the rounds with a draw error among the findings of the table ``shown``.

    Each is the round as it should have been: ``player`` and ``banker`` (card texts),
    ``player_total``, ``banker_total`` and ``winner`` (None where not known), ``unknown`` (the
    hand whose card is not known, or None), ``moved`` (hands whose third card went elsewhere),
    ``consequence``; and ``bets``: for each its ``id``, ``bet``, ``currency``, ``stake``,
    ``paid`` and what was due as ``dealt``, ``rightly`` and if ``void`` (None where not known).
    ``bets_told`` is False where these are left out, their rule set not being a shipped one.
    """
    codes = list(REPLAYED)
    of_shoes = rows_of(connection, "rounds", _SHOES)
    connection.execute(f"create temp table dealt as from {of_shoes}", [codes])
    wrong = read.rows(connection, _WRONG, [codes])
    if not wrong:
        return {}
    after = {_key(row): row for row in read.rows(connection, _AFTER, [codes])}
    bets: dict[Key, list[read.Row]] = defaultdict(list)
    query = _BETS.format(bets=rows_of(connection, "bets", _SHOES))
    for bet in read.rows(connection, query, [codes, codes]):
        bets[_key(bet)].append(bet)
    house, book = read.house_of(manifest), load_rulebook()
    provisions = _provisions(connection)
    found: dict[Key, Facts] = {}
    for row in wrong:
        rules, own = _rules(row["ruleset"], book.sets, provisions)
        if rules is None:
            continue
        key, number = _key(row), row["round_no"] + 1
        following = read.following_of(row["device"], number, after.get((*key[:3], number)))
        recorded = read.recorded_round(row, following=following, bets=() if own else bets[key])
        if own:  # Its commission scheme may be one that the shipped rule sets do not have.
            recorded = replace(recorded, scheme=None)
        replayed = replay_round(recorded, rules, others=book.sets, house=house)
        if replayed.course is not None:
            found[key] = {**_facts(replayed.course, replayed.money), "bets_told": not own}
    return found


def _key(row: Mapping[str, Any]) -> Key:
    return tuple(row[name] for name in _PLACE)


def _facts(course: Course, bets: Iterable[BetMoney]) -> Facts:
    """A round as it should have been, and its bets, as plain values."""
    hand = course.hand
    return {
        "player": [TEXT[card] for card in hand.player],
        "banker": [TEXT[card] for card in hand.banker],
        "player_total": None if course.unknown == "player" else hand.player_total,
        "banker_total": hand.banker_total if course.determined else None,
        "winner": hand.winner if course.determined else None,
        "unknown": course.unknown,
        "moved": [
            seat for seat, dealt in course.third if (dealt.seat, dealt.round_no) != (seat, None)
        ],
        "consequence": course.consequence,
        "bets": [
            {
                "id": money.bet.bet_id,
                "bet": money.bet.bet,
                "currency": money.bet.currency,
                "stake": plain(money.bet.stake),
                "paid": plain(money.bet.paid),
                "dealt": plain(money.dealt.due),
                "rightly": plain(money.rightly.due),
                "void": plain(money.void.due),
            }
            for money in bets
        ],
    }


def with_known_draws(connection: DuckDBPyConnection) -> list[str]:
    """The rule sets of the case whose draws are those of a shipped one."""
    sets, provisions = load_rulebook().sets, _provisions(connection)
    return [name for name in provisions if _rules(name, sets, provisions)[0] is not None]


def _provisions(connection: DuckDBPyConnection) -> dict[str, dict[str, Any]]:
    """What the case's rule sets say of the draws, by rule set and key."""
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for row in read.rows(connection, _PROVISIONS, [list(_DRAWS)]):
        found[row["ruleset"]][row["key"]] = json.loads(row["value"])
    return found


def _rules(
    name: str | None, sets: Sequence[RuleSet], provisions: Mapping[str, Mapping[str, Any]]
) -> tuple[RuleSet | None, bool]:
    """The shipped rule set to replay by, and whether it only stands in for one of the user's."""
    for each in sets:
        if each.id == name:
            return each, False
    said = provisions.get(name or "", {})
    same = (each for each in reversed(sets) if _draws(each, said) == said)
    return (next(same, None) if said else None), True


def _draws(rules: RuleSet, keys: Iterable[str]) -> dict[str, Any]:
    held = rules.provisions
    return {key: json.loads(json.dumps(held[key].value)) for key in keys if key in held}


_SHOES = "select casino, table_id, shoe_id from shown where code in (select unnest(?))"
_HERE = """
semi join (
  select distinct casino, table_id, shoe_id, round_no from shown where code in (select unnest(?))) s
using (casino, table_id, shoe_id, round_no)"""
_WRONG = f"select * from dealt {_HERE} order by all"
_BETS = f"select * from {{bets}} {_HERE} order by casino, table_id, shoe_id, round_no, row, bet_id"
_AFTER = """
select * from dealt
semi join (
  select distinct casino, table_id, shoe_id, round_no + 1 as round_no from shown
  where code in (select unnest(?))) s
using (casino, table_id, shoe_id, round_no)"""
_PROVISIONS = """
select ruleset, key, value from provisions
where key in (select unnest(?)) or starts_with(key, 'banker_draws.')"""
