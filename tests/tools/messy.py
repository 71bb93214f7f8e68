"""The story ``messy``: a sound shoe, written down as badly as logs are.

The cells below are what a person or an old export would write: six ways to write cards, three to
write a time, words in three languages. All of that must be read. What cannot be read, is there
twice, or is not there at all must be found.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

from audit.sample.records import (
    BET_COLUMNS,
    FAULT_COLUMNS,
    ROUND_COLUMNS,
    ShoeLog,
    bet_row,
    cards_text,
    round_row,
    shoe_row,
)
from audit.schema import SHOES
from tests.tools.script import Script, shoe, table

Cells = dict[str, str]

WORDS = {
    "player": ("player", "P", "閒", "jogador", "ponto"),
    "banker": ("banker", "B", "莊", "banca", "banco"),
    "tie": ("tie", "T", "和", "empate", "和局"),
}
PAIR_WORDS = {"true": ("true", "Y", "1"), "false": ("false", "N", "0")}
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

REJECTED_ROUNDS: dict[int, Cells] = {
    4: {"player_cards": "5X 9D"},
    7: {"started_at": "half past eleven"},
    10: {"player_total": "12"},
    13: {"kind": "training"},
    16: {"player_cards": "", "banker_cards": "", "outcome": ""},
}
OUTCOME_ONLY = 18
TWICE_THE_SAME, TWICE_OTHERWISE = 20, 21
GONE, GONE_BUT_FOR_BETS = 23, (25, 26)
TOO_EARLY, CARD_MISSING = 29, 31

REJECTED_BETS: dict[int, Cells] = {
    2: {"paid": "-200"},
    5: {"stake": "1,000"},
    8: {"commission_taken": "-5"},
    11: {"disposition": "pushed"},
    14: {"stake": ""},
}
NO_STAKE = {12: "0", 15: "-100"}
BET_TWICE = 17
UNKNOWN_BET = 19
SEED = 24


class Key:
    """The expected findings, all of one table and shoe."""

    def __init__(self, log: ShoeLog) -> None:
        self.at = (log.casino, log.table, log.shoe)
        self.rows: list[tuple[str, ...]] = []

    def add(
        self,
        code: str,
        number: int | None,
        bet_id: str = "",
        subject: str = "",
        at: tuple[str, str, str] | None = None,
    ) -> None:
        """One finding without an amount."""
        place = "" if number is None else str(number)
        self.rows.append((code, *(at or self.at), place, bet_id, subject, ""))

    def write(self, path: Path) -> None:
        """Write the key in the order of findings."""
        self.rows.sort(key=lambda row: (*row[1:4], int(row[4] or 0), row[0], row[5], row[6]))
        path.write_text(_csv(FAULT_COLUMNS, self.rows), encoding="utf-8", newline="\n")


def write_messy(folder: Path) -> None:
    """Write the story's tables and ``expected.csv``."""
    folder.mkdir(parents=True, exist_ok=True)
    at = table("-", "B3")
    log = shoe(at, datetime(2007, 7, 20, 23, 40), Script(), seed=SEED, most=34, bets=1.8)
    log.shoe = "0713"
    key = Key(log)
    _write_rounds(folder, log, key)
    _write_bets(folder, log, key)
    row = shoe_row(log)[1:]
    columns = [column.name for column in SHOES.columns][1:]
    again = (*row[:3], "7", *row[4:])
    (folder / "shoes.csv").write_text(_csv(columns, [row, again]), encoding="utf-8", newline="\n")
    key.add("L11", 1, subject="shoes.csv:2")
    key.write(folder / "expected.csv")


def _csv(columns: Iterable[str], rows: Iterable[Iterable[str]], end: str = "\n") -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator=end)
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _cards(text: str, style: int) -> str:
    """The same cards in one of six notations that are read without being told."""
    if style == 1:
        return text.replace(" ", "")
    if style == 2:
        return text.lower().replace(" ", ",")
    if style == 3:
        return text.replace("10", "T").replace(" ", "|")
    if style == 4:
        for letter, symbol in SYMBOLS.items():
            text = text.replace(letter, symbol)
        return text
    return text.replace(" ", "-") if style == 5 else text


def _time(text: str, style: int) -> str:
    """The same moment: local, with Macau's offset, or in UTC."""
    local = datetime.fromisoformat(text)
    if style == 0:
        return text
    if style == 1:
        return f"{local.isoformat()}+08:00"
    return f"{(local - timedelta(hours=8)).replace(tzinfo=UTC).isoformat()[:19]}Z"


def _round_cells(log: ShoeLog, number: int) -> Cells:
    deal = log.rounds[number - 1]
    cells = dict(zip(ROUND_COLUMNS, round_row(log, deal), strict=True))
    cells["player_cards"] = _cards(cells["player_cards"], number % 6)
    cells["banker_cards"] = _cards(cells["banker_cards"], (number + 1) % 6)
    cells["started_at"] = _time(cells["started_at"], number % 3)
    cells["outcome"] = WORDS[cells["outcome"]][number % 5]
    for name in ("player_pair", "banker_pair"):
        cells[name] = PAIR_WORDS[cells[name]][number % 3]
    if number == OUTCOME_ONLY:
        for name in ("player_cards", "banker_cards", "player_pair", "banker_pair"):
            cells[name] = ""
    if number == TOO_EARLY:
        cells["started_at"] = str(log.rounds[number - 2].started - timedelta(minutes=2))
    if number == CARD_MISSING:
        cells["banker_cards"] = cards_text(deal.hand.banker[:1])
    return cells | REJECTED_ROUNDS.get(number, {})


def _write_rounds(folder: Path, log: ShoeLog, key: Key) -> None:
    """Two files, one for each calendar day, the second with a byte order mark and CRLF."""
    days: dict[str, list[Cells]] = {}
    names: list[str] = []

    def add(number: int, **changed: str) -> str:
        day = str(log.rounds[number - 1].started.date())
        rows = days.setdefault(day, [])
        rows.append(_round_cells(log, number) | changed)
        return f"rounds-{day}.csv:{len(rows)}"

    for deal in log.rounds:
        number = deal.number
        if number == GONE or number in GONE_BUT_FOR_BETS:
            continue
        place = add(number)
        if number in REJECTED_ROUNDS:
            key.add("L01", number, subject=place)
            key.add("L03", number + 1, subject=str(number))
        if number == TWICE_THE_SAME:
            key.add("L02", number, subject=add(number))
        if number == TWICE_OTHERWISE:
            key.add("L02", number, subject=add(number, dealer_id="D09"))
    key.add("L01", None, subject=add(34, round_no="34b"))
    key.add("L01", 34, subject=add(34, table_id=""), at=("-", "", log.shoe))
    key.add("L03", GONE + 1, subject=str(GONE))
    key.add("L03", GONE_BUT_FOR_BETS[-1] + 1, subject=str(GONE_BUT_FOR_BETS[0]))
    key.add("L04", TOO_EARLY)
    key.add("L05", CARD_MISSING)
    # No column of casinos, and the headings in capitals on the second day.
    columns = [column for column in ROUND_COLUMNS if column != "casino"]
    for day, rows in days.items():
        names.append(f"rounds-{day}.csv")
        second = len(names) == 2
        headings = [column.upper() for column in columns] if second else columns
        cells = [[row[column] for column in columns] for row in rows]
        (folder / names[-1]).write_text(
            _csv(headings, cells, "\r\n" if second else "\n"),
            encoding="utf-8-sig" if second else "utf-8",
            newline="",
        )


def _write_bets(folder: Path, log: ShoeLog, key: Key) -> None:
    rows: list[Cells] = []

    def add(cells: Cells) -> str:
        rows.append(cells)
        return f"bets.csv:{len(rows)}"

    for deal in log.rounds:
        number = deal.number
        if number == GONE:
            continue
        for bet in deal.bets:
            cells = dict(zip(BET_COLUMNS, bet_row(log, deal, bet), strict=True))
            cells["bet"] = WORDS.get(bet.bet, (bet.bet,) * 5)[(number + bet.number) % 5]
            cells["disposition"] = "" if number % 2 else cells["disposition"]
            cells["bet_id"] = "" if number % 4 == 1 and number != BET_TWICE else bet.id
            first = bet.number == 1
            if first:
                cells |= REJECTED_BETS.get(number, {})
                cells["stake"] = NO_STAKE.get(number, cells["stake"])
                cells["bet"] = "super_6" if number == UNKNOWN_BET else cells["bet"]
            place = add(cells)
            if number in GONE_BUT_FOR_BETS:
                key.add("L09", number, bet.id)
            if not first:
                continue
            if number in REJECTED_BETS:
                key.add("L01", number, subject=place)
            if number in NO_STAKE:
                key.add("L10", number, bet.id)
            if number == UNKNOWN_BET:
                key.add("A1301", number, bet.id)
            if number == BET_TWICE:
                key.add("L11", number, bet.id, add(cells | {"paid": "0"}))
    stray = rows[-1] | {"round_no": "?"}
    key.add("L01", None, subject=add(stray))
    columns = [column for column in BET_COLUMNS if column != "casino"]
    texts = [[row[column] for column in columns] for row in rows]
    (folder / "bets.csv").write_text(_csv(columns, texts), encoding="utf-8", newline="")
