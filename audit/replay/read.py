"""A case read for the replay: the only place that knows the columns of its tables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.cards import TEXT
from audit.case import quoted
from audit.replay.dues import Rounding
from audit.replay.record import RecordedBet, RecordedFinding, RecordedRound
from audit.replay.rounds import House
from audit.replay.true_order import Following

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Shoe = tuple[str, str, str]
"""Casino, table, shoe."""

Row = dict[str, Any]

OF_SHOE = "casino = ? and table_id = ? and shoe_id = ?"
OF_ROUND = f"{OF_SHOE} and round_no = ?"
_CODES = {name: code for code, name in enumerate(TEXT)}


def rows(connection: DuckDBPyConnection, query: str, values: Sequence[Any]) -> list[Row]:
    """Rows as dictionaries, so that a column is asked for by its name."""
    cursor = connection.execute(query, list(values))
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def evidence(connection: DuckDBPyConnection, name: str, shoe: Shoe) -> str:
    """The rounds or the bets of one shoe, to select from: a table of the connection's own.

    The case knows where they stand, so that no other row of the evidence is read, and of a large
    case each look into its files takes a while.
    """
    mark = hashlib.sha256(repr(shoe).encode()).hexdigest()[:16]
    table = f"{name}_of_{mark}"
    there = "select 1 from duckdb_tables() where temporary and table_name = ?"
    if connection.execute(there, [table]).fetchone():
        return table
    query = f"select {name}_from, {name} from shoes where {OF_SHOE}"
    first, count = connection.execute(query, list(shoe)).fetchone() or (0, 0)
    first = first or 0  # a shoe without bets has no place
    ((folder,),) = connection.execute("select current_setting('file_search_path')").fetchall()
    file = quoted(Path(folder) / f"{name}.parquet")
    connection.execute(
        f"""create temp table {table} as select * exclude file_row_number
        from read_parquet({file}, file_row_number = true)
        where file_row_number between {first} and {first + count - 1}
        order by file_row_number"""
    )
    return table


def house_of(manifest: Mapping[str, Any]) -> House:
    """What the user told the run: rounding of commission, and readings that are pinned."""
    options: Mapping[str, Any] = manifest.get("options") or {}
    rounding = options.get("commission_rounding")
    readings = {str(k): str(v) for k, v in (manifest.get("interpretations") or {}).items()}
    return House(Rounding.parse(rounding) if rounding else None, readings)


def hands_of(row: Row) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """Card codes of Player and Banker, and whether one of their first four cards is missing.

    A missing initial card may leave no trace in the text: a hand of two can be one initial card
    and a third. The case then has no outcome by the cards.
    """
    hands = [[_CODES.get(word) for word in (row[name] or "").split()] for name in _HANDS]
    player, banker = (tuple(card for card in hand if card is not None) for hand in hands)
    unreadable = any(None in hand for hand in hands)
    return player, banker, unreadable or (bool(player or banker) and row["by_outcome"] is None)


_HANDS = ("player_cards", "banker_cards")


def read_round(connection: DuckDBPyConnection, shoe: Shoe, round_no: int) -> RecordedRound:
    """One round of a case with its bets, its findings and the cards that lie behind it."""
    key = (*shoe, round_no)
    row = rows(
        connection, f"select * from {evidence(connection, 'rounds', shoe)} where {OF_ROUND}", key
    )[0]
    forced = rows(connection, "select forced from rulesets where id = ?", [row["ruleset"]])
    return recorded_round(
        row,
        following=_following(connection, row["device"], shoe, round_no),
        bets=_bets(connection, shoe, round_no),
        findings=_findings(connection, key),
        forced=bool(forced and forced[0]["forced"]),
    )


def recorded_round(
    row: Row,
    *,
    following: Following,
    bets: Iterable[Row] = (),
    findings: tuple[RecordedFinding, ...] = (),
    forced: bool = False,
) -> RecordedRound:
    """The round of a row of ``rounds`` with its rows of ``bets``."""
    player, banker, missing = hands_of(row)
    return RecordedRound(
        casino=row["casino"],
        table_id=row["table_id"],
        shoe_id=row["shoe_id"],
        round_no=row["round_no"],
        started_at=row["started_at"],
        kind=row["kind"],
        void_reason=row["void_reason"] or "",
        device=row["device"],
        decks=row["decks"],
        player=player,
        banker=banker,
        withdrawn=row["withdrawn_cards"] or "",
        missing=missing,
        player_total=row["player_total"],
        banker_total=row["banker_total"],
        outcome=row["outcome"],
        player_pair=row["player_pair"],
        banker_pair=row["banker_pair"],
        scheme=row["scheme"],
        burned=row["burned"],
        cut_card=row["cut_card"],
        jackpot_pool=row["jackpot_pool"],
        dealer_id=row["dealer_id"] or "",
        ruleset=row["ruleset"],
        forced=forced,
        source=row["source"],
        row=row["row"],
        following=following,
        bets=tuple(_bet(bet) for bet in bets),
        findings=findings,
    )


def _following(connection: DuckDBPyConnection, device: str, shoe: Shoe, round_no: int) -> Following:
    """What is known of the cards behind round ``round_no``, whatever the kind of the next."""
    number = round_no + 1
    query = f"select * from {evidence(connection, 'rounds', shoe)} where {OF_ROUND}"
    found = rows(connection, query, (*shoe, number)) if device == "shoe" else []
    if device == "shoe" and not found:
        return Following(number, unknown=_why_not_there(connection, shoe, number))
    return following_of(device, number, found[0] if found else None)


def following_of(device: str, number: int, row: Row | None) -> Following:
    """What the row of round ``number``, the next one, tells of the cards; None: it is not there."""
    if device != "shoe":
        return Following(unknown="auto")
    if row is None:
        return Following(number, unknown="missing")
    player, banker, missing = hands_of(row)
    flaws = {
        "incomplete": missing or min(len(player), len(banker)) < 2,
        "too_long": max(len(player), len(banker)) > 3,
        "burned": bool(row["burned"]),
        "withdrawn": bool(row["withdrawn_cards"]),
    }
    unknown = next((flaw for flaw, there in flaws.items() if there), "")
    return Following(number, player, banker, unknown)


def _why_not_there(connection: DuckDBPyConnection, shoe: Shoe, number: int) -> str:
    """Why the log has no round ``number`` in this shoe."""
    query = f"""select 1 from rejects where "table" = 'rounds' and {OF_ROUND}"""
    if connection.execute(query, [*shoe, number]).fetchone():
        return "rejected"
    later = f"select 1 from {evidence(connection, 'rounds', shoe)} where round_no > ? limit 1"
    there = connection.execute(later, [number]).fetchone()
    return "missing" if there else "end_of_shoe"


def _bets(connection: DuckDBPyConnection, shoe: Shoe, round_no: int) -> list[Row]:
    query = f"select * from {evidence(connection, 'bets', shoe)} where {OF_ROUND}"
    return rows(connection, query, (*shoe, round_no))


def _bet(bet: Row) -> RecordedBet:
    return RecordedBet(
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


def _findings(connection: DuckDBPyConnection, key: Sequence[Any]) -> tuple[RecordedFinding, ...]:
    query = f"""select * from findings where {OF_ROUND}
        order by code, bet_id nulls first, subject nulls first, id"""
    return tuple(
        RecordedFinding(
            code=finding["code"],
            severity=finding["severity"],
            status=finding["status"],
            article=finding["article"] or "",
            bet_id=finding["bet_id"] or "",
            subject=finding["subject"] or "",
            expected=finding["expected"] or "",
            recorded=finding["recorded"] or "",
            amount=finding["amount"],
            consequence=finding["consequence"] or "",
            message=finding["message"],
        )
        for finding in rows(connection, query, key)
    )
