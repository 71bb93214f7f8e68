"""``baccarat-audit replay``: one round of a case, step by step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from audit.errors import OptionError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from audit.replay_round import RecordedRound
    from audit.rulebook import Rulebook, RuleSet

_KEY = "casino = ? and table_id = ? and shoe_id = ? and round_no = ?"
_LONGEST = 18
"""Digits of the longest round number that a case can hold."""

Shoe = tuple[str, str, str]


def _path(shoe: Shoe) -> str:
    return "/".join(shoe[1:] if shoe[0] == "-" else shoe)


def _rows(connection: DuckDBPyConnection, query: str, values: Sequence[Any]) -> list[Any]:
    """Rows as dictionaries, so that a column is asked for by its name."""
    cursor = connection.execute(query, list(values))
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def find_round(connection: DuckDBPyConnection, path: str) -> tuple[Shoe, int]:
    """Shoe and round that ``[CASINO/]TABLE/SHOE/ROUND`` names in the case.

    Ids may themselves hold slashes, blanks and dashes, so every shoe of the case is written out
    and compared whole. Where a path fits with and without a casino, the casino is meant.
    AuditError, with what there is instead, for a path that names none or several.
    """
    shape = "Write it as TABLE/SHOE/ROUND or CASINO/TABLE/SHOE/ROUND"
    place, slash, number = path.rpartition("/")
    if not slash or not number.isdecimal() or len(number) > _LONGEST:
        raise OptionError(
            "the round's number, a whole number, must come last", where=path, hint=shape
        )
    rows = connection.execute("select distinct casino, table_id, shoe_id from rounds order by all")
    shoes: list[Shoe] = rows.fetchall()
    found = [shoe for shoe in shoes if "/".join(shoe) == place]
    found = found or [shoe for shoe in shoes if "/".join(shoe[1:]) == place]
    if len(found) > 1:
        casinos = sorted({shoe[0] for shoe in found})
        several = f"{len(found)} casinos have this shoe: {', '.join(casinos)}"
        if len(casinos) == 1:
            several = "more than one shoe can be read from this path"
        examples = " or ".join(f"{'/'.join(shoe)}/{number}" for shoe in found[:3])
        raise OptionError(several, where=path, hint=f"Name the casino: {examples}")
    if not found:
        # Both ways to write a shoe are compared, and its whole path is what is proposed.
        names = {"/".join(shoe[start:]): _path(shoe) for shoe in shoes for start in (0, 1)}
        close = get_close_matches(place, names, n=3, cutoff=0.5)
        near = dict.fromkeys(names[name] for name in close)
        hint = f"Nearest: {', '.join(f'{name}/{number}' for name in near)}" if near else shape
        raise OptionError("no such shoe in this case", where=path, hint=hint)
    round_no = int(number)
    _demand_round(connection, path, found[0], round_no)
    return found[0], round_no


def _demand_round(connection: DuckDBPyConnection, path: str, shoe: Shoe, round_no: int) -> None:
    """OptionError where the shoe has no such round, naming the nearest and, if so, its reject."""
    query = "select round_no from rounds where casino = ? and table_id = ? and shoe_id = ?"
    numbers = [row[0] for row in connection.execute(query, shoe).fetchall()]
    if round_no in numbers:
        return
    nearest = min(numbers, key=lambda number: (abs(number - round_no), number))
    hint = (
        f"Rounds of this shoe run from {min(numbers)} to {max(numbers)}; the nearest is {nearest}"
    )
    rejects = _rows(
        connection,
        f"""select source, "row" from rejects
        where "table" = 'rounds' and {_KEY} order by all""",
        (*shoe, round_no),
    )
    if rejects:
        first = rejects[0]
        where = f"{first['source']}, row {first['row']}"
        raise OptionError(f"the row of this round was rejected ({where})", where=path, hint=hint)
    raise OptionError("no such round in this shoe", where=path, hint=hint)


def _cards(text: str | None) -> tuple[tuple[int, ...], bool]:
    """Card codes of a hand's text, and whether a card in it is unreadable (so: missing)."""
    from audit.cards import TEXT

    codes = {name: code for code, name in enumerate(TEXT)}
    known = [codes.get(word) for word in (text or "").split()]
    return tuple(code for code in known if code is not None), None in known


def read_round(connection: DuckDBPyConnection, shoe: Shoe, round_no: int) -> RecordedRound:
    """One round of a case with its bets and findings: the only place that knows the columns."""
    from audit.replay_round import RecordedBet, RecordedFinding, RecordedRound

    key = (*shoe, round_no)
    row = _rows(connection, f"select * from rounds where {_KEY}", key)[0]
    bets = _rows(connection, f"select * from bets where {_KEY}", key)
    findings = _rows(
        connection,
        f"""select * from findings where {_KEY}
        order by code, bet_id nulls first, subject nulls first, id""",
        key,
    )
    forced = _rows(connection, "select forced from rulesets where id = ?", [row["ruleset"]])
    player, gap = _cards(row["player_cards"])
    banker, other_gap = _cards(row["banker_cards"])
    # A missing initial card may leave no trace in the text: a two-card hand can be one initial
    # card and a third. The case then has no outcome by the cards.
    small = bool(player or banker) and max(len(player), len(banker)) <= 3
    unresolved = small and row["ruleset"] is not None and row["by_outcome"] is None
    flagged = any(finding["code"] == "L05" for finding in findings)
    return RecordedRound(
        casino=shoe[0],
        table_id=shoe[1],
        shoe_id=shoe[2],
        round_no=round_no,
        started_at=row["started_at"],
        kind=row["kind"],
        void_reason=row["void_reason"] or "",
        device=row["device"],
        decks=row["decks"],
        player=player,
        banker=banker,
        withdrawn=row["withdrawn_cards"] or "",
        missing=gap or other_gap or flagged or (unresolved and row["kind"] != "void"),
        player_total=row["player_total"],
        banker_total=row["banker_total"],
        outcome=row["outcome"],
        player_pair=row["player_pair"],
        banker_pair=row["banker_pair"],
        scheme=row["scheme"],
        burned=row["burned"],
        cut_card=row["cut_card"],
        dealer_id=row["dealer_id"] or "",
        ruleset=row["ruleset"],
        forced=bool(forced and forced[0]["forced"]),
        source=row["source"],
        row=row["row"],
        bets=tuple(
            RecordedBet(
                bet_id=bet["bet_id"],
                bet=bet["bet"],
                currency=bet["currency"] or "",
                position=bet["position"] or "",
                patron_id=bet["patron_id"] or "",
                stake=bet["stake"],
                paid=bet["paid"],
                commission_taken=bet["commission_taken"],
                disposition=bet["disposition"],
                due=bet["due"],
                standing=bet["standing"] or "",
            )
            for bet in bets
        ),
        findings=tuple(
            RecordedFinding(
                code=finding["code"],
                severity=finding["severity"],
                status=finding["status"],
                article=finding["article"] or "",
                bet_id=finding["bet_id"] or "",
                subject=finding["subject"] or "",
                amount=finding["amount"],
                consequence=finding["consequence"] or "",
                message=finding["message"],
            )
            for finding in findings
        ),
    )


def governing(
    recorded: RecordedRound, rulebook: Rulebook, asked: Iterable[str]
) -> list[tuple[RuleSet, str]]:
    """Rule sets to replay under, each with the reason why it governs, in the order asked for.

    Without one asked for it is that of the case. OptionError where no rule set was in force.
    """
    day = recorded.started_at.date()
    natural = rulebook.in_force(day)
    chosen = []
    for name in asked:
        on_day = f"in force that day: {natural.id if natural else 'none'}"
        chosen.append((rulebook.get(name), f"asked for with --rules; {on_day}"))
    if chosen:
        return chosen
    if recorded.ruleset is None:
        raise OptionError(
            f"no rule set was in force on {day}",
            where=recorded.name,
            hint=f"Name one to replay by, such as --rules {rulebook.sets[0].id}",
        )
    if recorded.ruleset not in {one.id for one in rulebook.sets}:
        raise OptionError(
            f"the case judged this round by rule set {recorded.ruleset}, which is not shipped",
            where=recorded.name,
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


def replay(
    case: Annotated[Path, typer.Argument(metavar="CASE", help="Folder of the case.")],
    path: Annotated[str, typer.Argument(metavar="[CASINO/]TABLE/SHOE/ROUND", help="The round.")],
    rules: Annotated[
        str, typer.Option(help="Rule set to replay by, or several with commas to compare them.")
    ] = "",
    rules_dir: Annotated[
        Path | None, typer.Option(help="Folder with rule sets of your own.")
    ] = None,
    output: Annotated[
        Literal["text", "json"], typer.Option("--format", help="For people or for programs.")
    ] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="One line only.")] = False,
) -> None:
    """Replay one round: each card, each decision and its article, each bet.

    Example: baccarat-audit replay july.case BJ-07/29/12 --rules 30-2007,64-2007
    """
    from rich.console import Console

    from audit.case import open_case
    from audit.replay_json import as_json
    from audit.replay_round import replay_round
    from audit.replay_text import render, summary
    from audit.rulebook import load_rulebook

    connection = open_case(case).connection
    recorded = read_round(connection, *find_round(connection, path))
    rulebook = load_rulebook(rules_dir)
    asked = [name.strip() for name in rules.split(",") if name.strip()]
    chosen = governing(recorded, rulebook, asked)
    replays = [replay_round(recorded, one, why, rulebook.sets) for one, why in chosen]
    if output == "json":
        typer.echo(json.dumps(as_json(recorded, replays), ensure_ascii=False, indent=2))
    elif quiet:
        typer.echo(summary(recorded, replays[0]))
    else:
        Console().print(render(recorded, replays))
