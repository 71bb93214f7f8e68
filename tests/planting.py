"""A clean log whose rows are edited, and the findings that it must give for it.

Nothing here uses the audit. The faults themselves are in ``tests.faults``.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path

Row = dict[str, str]
Key = tuple[str, str, str, int]
Found = tuple[str, str, str, str, str, int, str, str, str]
"""code, severity, casino, table, shoe, round, bet, subject, amount: one finding, as compared."""


@dataclass
class Log:
    """A log as rows of text, with the findings planted so far."""

    rounds: list[Row]
    bets: list[Row]
    decks: dict[tuple[str, ...], int]
    behind: dict[tuple[str, ...], int]
    bets_of: dict[Key, list[Row]] = field(default_factory=lambda: defaultdict(list))
    copies: Counter[tuple[str, ...]] = field(default_factory=Counter)
    planted: list[tuple[str, Key, str, str, str]] = field(default_factory=list)
    wrong_money: set[Key] = field(default_factory=set)
    unreadable: list[Row] = field(default_factory=list)
    repeated: list[Row] = field(default_factory=list)
    white: dict[tuple[str, ...], int] = field(default_factory=dict)
    side_bets: dict[str, Row] = field(default_factory=dict)
    deleted: set[Key] = field(default_factory=set)
    extra: int = 0

    @classmethod
    def read(cls, folder: Path) -> Log:
        """The clean log of a folder of CSV files."""
        tables = {}
        for name in ("rounds", "bets", "shoes"):
            with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
                tables[name] = list(csv.DictReader(file))
        shoes = {shoe_of(row): row for row in tables["shoes"]}
        log = cls(
            tables["rounds"],
            tables["bets"],
            {key: int(row["decks"]) for key, row in shoes.items()},
            {key: int(row["cut_card_from_end"] or 99) for key, row in shoes.items()},
        )
        for bet in log.bets:
            log.bets_of[key_of(bet)].append(bet)
            if is_side_bet(bet):
                log.side_bets[bet["table_id"]] = dict(bet)
        for row in log.rounds:
            for card in f"{row['player_cards']} {row['banker_cards']}".split():
                log.copies[(*shoe_of(row), card)] += 1
            if row["cut_card"] == "true":
                log.white.setdefault(shoe_of(row), int(row["round_no"]))
        return log

    def write(self, folder: Path, source: Path) -> None:
        """The log with its faults, beside the other tables of ``source``."""
        folder.mkdir()
        for path in source.glob("*.csv"):
            if path.name not in ("rounds.csv", "bets.csv"):
                (folder / path.name).write_bytes(path.read_bytes())
        for name, rows in (("rounds", self.rounds), ("bets", self.bets)):
            with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)

    def plant(
        self, code: str, row: Row, bet: str = "", subject: str = "", amount: Decimal | None = None
    ) -> bool:
        """Note one finding; True, so that a fault can end with it."""
        text = "" if amount is None else f"{amount.normalize():f}"
        self.planted.append((code, key_of(row), bet, subject, text))
        if bet and code.startswith(("A12", "A17", "A18")):
            self.wrong_money.add(key_of(row))
        return True

    def expected(self) -> list[Found]:
        """Every finding that the log must give, sorted."""
        found = [
            (code, self._severity(code, key), *key, bet, subject, amount)
            for code, key, bet, subject, amount in self.planted
        ]
        places = {id(row): n for rows in (self.rounds, self.bets) for n, row in enumerate(rows, 1)}
        for code, rows in (("L01", self.unreadable), ("repeated", self.repeated)):
            for row in rows:
                file = "bets" if "bet" in row else "rounds"
                which = code if code == "L01" else "L11" if file == "bets" else "L02"
                bet = row.get("bet_id", "") if which == "L11" else ""
                subject = f"{file}.csv:{places[id(row)]}"
                found.append((which, "warning", *key_of(row), bet, subject, ""))
        return sorted([*found, *self._gaps_and_clocks(), *self._orphans()])

    def _severity(self, code: str, key: Key) -> str:
        """A wrong record is a warning where bets show that the money is right."""
        if code.startswith("L"):
            return "warning"
        record = code in ("A0501", "A0502", "A1101", "A1201", "A1302")
        unreadable = {id(row) for row in self.unreadable}
        bets = [bet for bet in self.bets_of[key] if id(bet) not in unreadable]
        return "warning" if record and bets and key not in self.wrong_money else "violation"

    def _gaps_and_clocks(self) -> list[Found]:
        """L03 and L04, by the readable rounds that are left."""
        out = {id(row) for row in (*self.unreadable, *self.repeated)}
        shoes: dict[tuple[str, ...], list[tuple[int, datetime]]] = defaultdict(list)
        for row in self.rounds:
            if id(row) not in out:
                started = datetime.fromisoformat(row["started_at"])
                shoes[shoe_of(row)].append((int(row["round_no"]), started))
        found: list[Found] = []
        for shoe, rounds in shoes.items():
            before, clock = 0, datetime.min
            for number, started in sorted(rounds):
                key = (*shoe, number)
                if number > before + 1:
                    found.append(("L03", "warning", *key, "", str(before + 1), ""))
                if started < clock:
                    found.append(("L04", "warning", *key, "", "", ""))
                before, clock = number, started
        return found

    def _orphans(self) -> list[Found]:
        return [
            ("L09", "warning", *key, bet["bet_id"], "", "")
            for key in self.deleted
            for bet in self.bets_of[key]
        ]


def shoe_of(row: Row) -> tuple[str, str, str]:
    return row["casino"], row["table_id"], row["shoe_id"]


def key_of(row: Row) -> Key:
    return (*shoe_of(row), int(row["round_no"]))


def is_side_bet(bet: Row) -> bool:
    return bet["bet"] in ("tie", "player_pair", "banker_pair")
