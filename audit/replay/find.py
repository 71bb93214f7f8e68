"""Which round or shoe of a case a path means, and by which rules it is replayed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from audit.errors import OptionError
from audit.replay.read import OF_ROUND, Shoe, evidence, rows
from audit.replay.words import clean

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from audit.replay.record import RecordedRound
    from audit.rulebook import Rulebook, RuleSet

_LONGEST = 18
"""Digits of the longest round number that a case can hold."""

_LOOKED_AT = 20_000
"""Shoes that are compared with a path that fits none."""

_SHAPE = "Write it as [CASINO/]TABLE/SHOE/ROUND, or as [CASINO/]TABLE/SHOE for the whole shoe"


@dataclass(frozen=True, slots=True)
class Place:
    """A shoe of the case, or one round of it (``round_no`` None: the whole shoe)."""

    shoe: Shoe
    round_no: int | None


def find_place(connection: DuckDBPyConnection, path: str) -> Place:
    """The round or shoe that ``[CASINO/]TABLE/SHOE[/ROUND]`` names in the case.

    Ids may themselves hold slashes, blanks and dashes, so every shoe of the case is written out
    and compared whole. Where a path fits with and without a casino, the casino is meant; a
    slash at the end says that a shoe is meant. AuditError, with what there is instead, for a
    path that names nothing or several things.
    """
    place, _, number = path.rpartition("/")
    whole = _fitting(connection, path) or (_fitting(connection, place) if not number else [])
    numbered = number.isdecimal() and len(number) <= _LONGEST
    within = _fitting(connection, place) if numbered else []
    there = [shoe for shoe in within if _has_round(connection, shoe, int(number))]
    if whole and there:
        outer, inner = "/".join(whole[0]), "/".join(there[0])
        raise OptionError(
            "a shoe and a round can both be read from this path",
            where=clean(path),
            hint=f"Write {clean(outer)}/ for the shoe, or {clean(inner)}/{number} for the round",
        )
    if whole:
        return Place(_only(whole, path, ""), None)
    if within:
        shoe = _only(there if len(there) == 1 else within, path, f"/{number}")
        _demand_round(connection, path, shoe, int(number))
        return Place(shoe, int(number))
    raise OptionError(
        "no such shoe in this case",
        where=clean(path),
        hint=_nearest(
            _shoes(connection), path, place if numbered else path, f"/{number}" if numbered else ""
        ),
    )


def _fitting(connection: DuckDBPyConnection, path: str) -> list[Shoe]:
    # A shoe's own id is what stands behind one of the slashes: far quicker to look for.
    ids = [path[at + 1 :] for at, letter in enumerate(path) if letter == "/"]
    for names in (("casino", "table_id", "shoe_id"), ("table_id", "shoe_id")):
        found: list[Shoe] = connection.execute(
            f"""select casino, table_id, shoe_id from shoes
            where list_contains(?, shoe_id) and concat_ws('/', {", ".join(names)}) = ?
            order by all""",
            [ids, path],
        ).fetchall()
        if found:
            return found
    return []


def _shoes(connection: DuckDBPyConnection) -> list[Shoe]:
    """Shoes that a wrong path may have meant; enough of them to look at in good time."""
    return connection.execute(
        f"select casino, table_id, shoe_id from shoes order by all limit {_LOOKED_AT}"
    ).fetchall()


def _only(found: Sequence[Shoe], path: str, tail: str) -> Shoe:
    """The one shoe found; OptionError with the ways to name each where there are several."""
    if len(found) == 1:
        return found[0]
    casinos = sorted({shoe[0] for shoe in found})
    several = f"{len(found)} casinos have this shoe: {', '.join(casinos)}"
    if len(casinos) == 1:
        several = "more than one shoe can be read from this path"
    examples = " or ".join(f"{'/'.join(shoe)}{tail}" for shoe in found[:3])
    raise OptionError(clean(several), where=clean(path), hint=clean(f"Name the casino: {examples}"))


def _nearest(shoes: Sequence[Shoe], path: str, place: str, tail: str) -> str:
    """What the user may have meant: shoes whose path looks like this one, else the shape."""
    # Both ways to write a shoe are compared, and the short one is what is proposed.
    names = {
        "/".join(shoe[start:]): "/".join(shoe[1:] if shoe[0] == "-" else shoe)
        for shoe in shoes
        for start in (0, 1)
    }
    close = get_close_matches(place, names, n=3, cutoff=0.5)
    near = dict.fromkeys(names[name] for name in close)
    if not near or "/" not in path:
        return _SHAPE
    return clean(f"Nearest: {', '.join(f'{name}{tail}' for name in near)}")


def _has_round(connection: DuckDBPyConnection, shoe: Shoe, round_no: int) -> bool:
    query = f"select 1 from {evidence(connection, 'rounds', shoe)} where round_no = ? limit 1"
    return connection.execute(query, [round_no]).fetchone() is not None


def _demand_round(connection: DuckDBPyConnection, path: str, shoe: Shoe, round_no: int) -> None:
    """OptionError where the shoe has no such round, naming the nearest and, if so, its reject."""
    query = f"select round_no from {evidence(connection, 'rounds', shoe)}"
    numbers = [row[0] for row in connection.execute(query).fetchall()]
    if round_no in numbers:
        return
    nearest = min(numbers, key=lambda number: (abs(number - round_no), number))
    hint = (
        f"Rounds of this shoe run from {min(numbers)} to {max(numbers)}; the nearest is {nearest}"
    )
    rejects = rows(
        connection,
        f"""select source, "row" from rejects
        where "table" = 'rounds' and {OF_ROUND} order by all""",
        (*shoe, round_no),
    )
    what = "no such round in this shoe"
    if rejects:
        first = rejects[0]
        what = f"the row of this round was rejected ({clean(first['source'])}, row {first['row']})"
    raise OptionError(what, where=clean(path), hint=hint)


def governing(
    recorded: RecordedRound, rulebook: Rulebook, asked: Iterable[str]
) -> list[tuple[RuleSet, str]]:
    """Rule sets to replay under, each with the reason why it governs, in the order asked for.

    Without one asked for it is that of the case. OptionError where no rule set was in force.
    """
    day = recorded.started_at.date()
    natural = rulebook.in_force(day)
    chosen = []
    for name in dict.fromkeys(asked):
        on_day = f"in force that day: {natural.id if natural else 'none'}"
        chosen.append((rulebook.get(name), f"asked for with --rules; {on_day}"))
    if chosen:
        return chosen
    if recorded.ruleset is None:
        raise OptionError(
            f"no rule set was in force on {day}",
            where=clean(recorded.name),
            hint=f"Name one to replay by, such as --rules {rulebook.sets[0].id}",
        )
    if recorded.ruleset not in {one.id for one in rulebook.sets}:
        raise OptionError(
            f"the case judged this round by rule set {recorded.ruleset}, which is not shipped",
            where=clean(recorded.name),
            hint="Give the folder that holds it with --rules-dir",
        )
    rules = rulebook.get(recorded.ruleset)
    if recorded.forced or natural is not rules:
        how = "forced" if recorded.forced else "chosen"
        on_day = natural.id if natural else "none"
        return [(rules, f"{how} when the case was made; in force that day: {on_day}")]
    why = f"in force on {day}, from {rules.in_force_from} on ({rules.in_force_status})"
    limit = rules.known_incomplete_from
    if limit is not None and day >= limit:
        why += f"; known to be incomplete from {limit} on, for want of later acts"
    return [(rules, why)]
