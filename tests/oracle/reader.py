"""From a folder of canonical CSV tables to a `Log`: typing, rejects, duplicates (L01, L02, L11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from tests.oracle import cells
from tests.oracle.cells import CellError
from tests.oracle.model import (
    Authorisation,
    Bet,
    Card,
    Finding,
    Limit,
    Log,
    Prize,
    Round,
    RoundKey,
    Shoe,
    ShoeKey,
    Slots,
)
from tests.oracle.tables import OracleError, Row, rows_of

T = TypeVar("T")

KINDS = ("play", "demo", "void", "free")
SCHEMES = ("commission", "no_commission")
DISPOSITIONS = ("settled", "carried", "cancelled", "handpay")
OPTIONS = (
    "art2_first_card",
    "art2_demonstration",
    "art3_one_more",
    "art7_auto",
    "art12_carry",
    "art13_pairs",
    "art13_jackpot",
    "art18_no_commission",
)
PRIZES = ("paradise", "four_of_a_kind", "two_pairs", "three_of_a_kind", "single_pair")
KEY = ("table_id", "shoe_id", "round_no")
SIX = tuple(f"{hand}_{i}" for hand in ("player", "banker") for i in (1, 2, 3))


def read(folder: Path) -> Log:
    """Read every table of the folder; what cannot be read becomes findings of the log."""
    log = Log()
    _read_rounds(folder, log)
    _read_bets(folder, log)
    _read_shoes(folder, log)
    log.authorisations = _read_plain(
        folder, log, "authorisations", ("option", "requested_on", "authorised_on"), _authorisation
    )
    log.prizes = _read_plain(
        folder, log, "jackpot_prizes", ("combination", "amount", "valid_from"), _prize
    )
    log.limits = _read_plain(folder, log, "limits", ("bet", "valid_from"), _limit)
    return log


# --- one cell ---------------------------------------------------------------------------------


def _need(row: Row, column: str, parse: Callable[[str], T]) -> T:
    """A required value: a blank cell rejects the row."""
    text = row.text(column)
    if text == "":
        raise CellError(f"{column} is empty")
    return parse(text)


def _outcome(row: Row) -> str:
    """The recorded outcome; on a void round it is ignored, whatever stands there."""
    try:
        return _maybe(row, "outcome", cells.outcome) or ""
    except CellError:
        if row.text("kind").lower() == "void":
            return ""
        raise


def _maybe(row: Row, column: str, parse: Callable[[str], T]) -> T | None:
    """An optional value: blank means not recorded."""
    text = row.text(column)
    return None if text == "" else parse(text)


def _positive(text: str) -> int:
    return cells.whole(text, 1)


def _count(text: str) -> int:
    return cells.whole(text, 0)


def _total(text: str) -> int:
    return cells.whole(text, 0, 9)


def _paid(text: str) -> Decimal:
    return cells.money(text, negative=False)


def _one_of(*allowed: str) -> Callable[[str], str]:
    return lambda text: cells.choice(text, allowed)


def _whole_row(row: Row) -> None:
    """A row with more or fewer cells than the header cannot be trusted at all."""
    if row.ragged:
        raise CellError("the row has not as many cells as the header")


# --- keys and findings of the reader -----------------------------------------------------------


def _round_key(row: Row) -> RoundKey | None:
    """The round that a row speaks of, if its whole key can be read."""
    try:
        number = _need(row, "round_no", _positive)
        return (row.casino, _need(row, "table_id", str), _need(row, "shoe_id", str), number)
    except CellError:
        return None


def _found(code: str, row: Row, number: str = "", bet_id: str = "") -> Finding:
    """A finding on an input row, anchored as far as the row's key could be read."""
    anchor = (row.casino, row.text("table_id"), row.text("shoe_id"))
    return Finding(code, "warning", *anchor, number, bet_id, row.source, "", "")


def _rejected(row: Row) -> Finding:
    """L01."""
    try:
        number = str(_need(row, "round_no", _positive))
    except CellError:
        number = ""
    return _found("L01", row, number)


# --- rounds --------------------------------------------------------------------------------------


def _read_rounds(folder: Path, log: Log) -> None:
    """L01 and L02: the first readable row of a round is audited."""
    rows = rows_of(folder, "rounds", (*KEY, "started_at"))
    if rows is None:
        raise OracleError("no rounds")
    for row in rows:
        try:
            read_round = _round(row)
        except CellError:
            log.findings.append(_rejected(row))
            key = _round_key(row)
            if key is not None:
                log.rejected_rounds.add(key)
            continue
        if read_round.key in log.rounds:
            log.findings.append(_found("L02", row, str(read_round.no)))
        else:
            log.rounds[read_round.key] = read_round
    # A rejected row beside a readable one of the same round takes nothing from the log.
    log.rejected_rounds -= set(log.rounds)


def _round(row: Row) -> Round:
    _whole_row(row)
    player, banker = _hands(row)
    result = Round(
        key=(
            row.casino,
            _need(row, "table_id", str),
            _need(row, "shoe_id", str),
            _need(row, "round_no", _positive),
        ),
        started=_need(row, "started_at", cells.timestamp),
        kind=_maybe(row, "kind", _one_of(*KINDS)) or "play",
        void_reason=row.text("void_reason").lower(),
        player_slots=player,
        banker_slots=banker,
        withdrawn=_maybe(row, "withdrawn_cards", cells.hand) or (),
        player_total=_maybe(row, "player_total", _total),
        banker_total=_maybe(row, "banker_total", _total),
        outcome=_outcome(row),
        player_pair=_maybe(row, "player_pair", cells.boolean),
        banker_pair=_maybe(row, "banker_pair", cells.boolean),
        commission=_maybe(row, "commission", _one_of(*SCHEMES)) or "",
        burned=_maybe(row, "burned", _count),
        cut_card=_maybe(row, "cut_card", cells.boolean),
        jackpot_pool=_maybe(row, "jackpot_pool", cells.money),
    )
    if result.without_cards and result.kind != "void" and not result.outcome:
        raise CellError("neither cards nor an outcome")
    return result


def _hands(row: Row) -> tuple[Slots, Slots]:
    """Two columns of cards, or six columns of one card each, where a blank is a gap."""
    if "player_cards" in row.cells and "banker_cards" in row.cells:
        return cells.hand(row.text("player_cards")), cells.hand(row.text("banker_cards"))
    if not all(column in row.cells for column in SIX) and not row.ragged:
        raise OracleError("rounds: no columns of cards")
    slots = [_maybe(row, column, cells.card) for column in SIX]
    return _trim(slots[:3]), _trim(slots[3:])


def _trim(slots: list[Card | None]) -> Slots:
    """Leave out the blanks at the end: they are cards that were not dealt."""
    while slots and slots[-1] is None:
        slots = slots[:-1]
    return tuple(slots)


# --- bets and shoes ------------------------------------------------------------------------------


def _read_bets(folder: Path, log: Log) -> None:
    """L01 and L11; a bet without an id takes its running number in the round."""
    rows = rows_of(folder, "bets", (*KEY, "bet", "stake", "paid"))
    if rows is None:
        return
    log.bets = []
    running: Counter[RoundKey] = Counter()
    recorded: set[tuple[RoundKey, str]] = set()
    for row in rows:
        key = _round_key(row)
        if key is not None:
            running[key] += 1
        try:
            bet = _bet(row, str(running[key]) if key else "")
        except CellError:
            log.findings.append(_rejected(row))
            continue
        if row.text("bet_id"):
            if (bet.key, bet.bet_id) in recorded:
                log.findings.append(_found("L11", row, str(bet.key[3]), bet.bet_id))
                continue
            recorded.add((bet.key, bet.bet_id))
        log.bets.append(bet)


def _bet(row: Row, running_number: str) -> Bet:
    _whole_row(row)
    key = _round_key(row)
    if key is None:
        raise CellError("the round's key cannot be read")
    return Bet(
        key=key,
        bet_id=row.text("bet_id") or running_number,
        currency=row.text("currency"),
        position=row.text("position"),
        patron_id=row.text("patron_id"),
        bet=_need(row, "bet", cells.bet),
        stake=_need(row, "stake", cells.money),
        paid=_need(row, "paid", _paid),
        commission_taken=_maybe(row, "commission_taken", _paid),
        disposition=_maybe(row, "disposition", _one_of(*DISPOSITIONS)) or "settled",
    )


def _read_shoes(folder: Path, log: Log) -> None:
    """L01 and L11: the first readable row of a shoe is used."""
    first_round: dict[ShoeKey, int] = {}
    for key in log.rounds:
        first_round[key[:3]] = min(key[3], first_round.get(key[:3], key[3]))
    for row in rows_of(folder, "shoes", ("table_id", "shoe_id")) or []:
        try:
            shoe = _shoe(row)
        except CellError:
            log.findings.append(_rejected(row))
            continue
        if shoe.key in log.shoes:
            log.findings.append(_found("L11", row, str(first_round.get(shoe.key, ""))))
        else:
            log.shoes[shoe.key] = shoe


def _shoe(row: Row) -> Shoe:
    _whole_row(row)
    _maybe(row, "opened_at", cells.timestamp)
    return Shoe(
        key=(row.casino, _need(row, "table_id", str), _need(row, "shoe_id", str)),
        device=_maybe(row, "device", _one_of("shoe", "auto")) or "shoe",
        decks=_maybe(row, "decks", _count),
        burn_rule=_maybe(row, "burn_rule", _one_of("decks", "first_card", "fixed")) or "",
        first_card=_maybe(row, "first_card", cells.card),
        burned=_maybe(row, "burned", _count),
        cut_card_from_end=_maybe(row, "cut_card_from_end", _count),
        commission=_maybe(row, "commission", _one_of(*SCHEMES)) or "",
    )


# --- the three small tables ----------------------------------------------------------------------


def _read_plain(
    folder: Path, log: Log, table: str, required: tuple[str, ...], parse: Callable[[Row], T]
) -> list[T] | None:
    rows = rows_of(folder, table, required)
    if rows is None:
        return None
    kept: list[T] = []
    for row in rows:
        try:
            _whole_row(row)
            kept.append(parse(row))
        except CellError:
            log.findings.append(_rejected(row))
    return kept


def _authorisation(row: Row) -> Authorisation:
    return Authorisation(
        casino=row.casino,
        option=_need(row, "option", _one_of(*OPTIONS)),
        requested_on=_need(row, "requested_on", cells.day),
        authorised_on=_need(row, "authorised_on", cells.day),
        planned_for=_maybe(row, "planned_for", cells.day),
        adopted_on=_maybe(row, "adopted_on", cells.day),
        ended_on=_maybe(row, "ended_on", cells.day),
        table_id=row.text("table_id"),
    )


def _prize(row: Row) -> Prize:
    return Prize(
        casino=row.casino,
        combination=_need(row, "combination", _one_of(*PRIZES)),
        amount=_need(row, "amount", cells.money),
        approved_on=_maybe(row, "approved_on", cells.day),
        valid_from=_need(row, "valid_from", cells.day),
        table_id=row.text("table_id"),
    )


def _limit(row: Row) -> Limit:
    return Limit(
        casino=row.casino,
        table_id=row.text("table_id"),
        bet=_need(row, "bet", cells.bet),
        min_stake=_maybe(row, "min_stake", cells.money),
        max_stake=_maybe(row, "max_stake", cells.money),
        valid_from=_need(row, "valid_from", cells.day),
    )
