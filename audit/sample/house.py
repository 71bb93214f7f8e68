"""The house: casinos, tables, posted limits, authorisations and prizes of a sample log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random

from audit.errors import OptionError
from audit.sample.bets import JACKPOT_STAKE, SIDE_STAKES, Limits, fixed_prizes
from audit.sample.records import Row, money

CASINOS = ("Jade", "Harbour", "Lantern", "Magnolia", "Sampan", "Breakwater")

FIRST_DAY = date(2004, 5, 18)
LAST_DAY = date(2008, 12, 31)
"""Outside these days no rule set is in force, or the newest is known to be incomplete."""

JACKPOT_ASKED = date(2007, 2, 23)
NO_COMMISSION_ASKED = date(2005, 11, 29)
"""First days of the versions that brought the option; a house can ask for it from then on."""

LEAD = timedelta(days=14)
"""From application to adoption: art. 19 asks for three working days, holidays apart."""

SHOE_SECONDS = 5400
"""Time kept for one shoe, so that the shoes of a table do not overlap."""

FEWEST_ROUNDS = 45
"""Fewer rounds than any shoe of six decks holds, so that the planned shoes always suffice."""

FORMATS = ("csv", "parquet", "jsonl")


@dataclass(frozen=True)
class Options:
    """What a sample log is made from; the same options give the same bytes.

    ``faults`` is a probability for each round. ``bets`` is the mean number of bets on a played
    round. ``tables`` None: as many as the rounds ask for.
    """

    rounds: int = 1000
    seed: int = 1
    faults: float = 0.0
    format: str = "csv"
    start: date = date(2007, 7, 1)
    days: int = 31
    tables: int | None = None
    casinos: int = 3
    bets: float = 3.0

    def __post_init__(self) -> None:
        """Refuse what makes no sense; OptionError."""
        for name, good, hint in (
            ("rounds", self.rounds >= 1, "Give 1 or more"),
            ("faults", 0 <= self.faults <= 1, "Give a probability from 0 to 1"),
            ("format", self.format in FORMATS, f"Use one of {', '.join(FORMATS)}"),
            ("days", self.days >= 1, "Give 1 or more"),
            ("tables", self.tables is None or self.tables >= 1, "Give 1 or more"),
            ("casinos", 1 <= self.casinos <= len(CASINOS), f"Give 1 to {len(CASINOS)}"),
            ("bets", 0.1 <= self.bets <= 8, "Give a number from 0.1 to 8"),
        ):
            if not good:
                value = getattr(self, name)
                raise OptionError(f"{value!r} cannot be used", where=f"--{name}", hint=hint)
        if self.start < FIRST_DAY or self.end > LAST_DAY:
            raise OptionError(
                f"the log would run outside {FIRST_DAY} to {LAST_DAY}, the days whose rules "
                "are known in full",
                where="--start",
                hint="Choose another --start or fewer --days",
            )
        if self.table_count() > 9999:
            raise OptionError(
                f"{self.rounds} rounds do not fit into {self.days} days",
                where="--rounds",
                hint="Give more --days",
            )
        if self.tables is not None and self.tables < self._needed():
            raise OptionError(
                f"{self.tables} tables cannot deal {self.rounds} rounds in {self.days} days",
                where="--tables",
                hint=f"Give {self._needed()} or more, or more --days",
            )

    def _needed(self) -> int:
        a_table = self.days * 86400 // SHOE_SECONDS * FEWEST_ROUNDS
        return -(-self.rounds // a_table)

    @property
    def end(self) -> date:
        """Last day."""
        return self.start + timedelta(days=self.days - 1)

    def table_count(self) -> int:
        """Number of tables."""
        if self.tables is not None:
            return self.tables
        return max(min(24, self.rounds // 300), self._needed(), 1)


@dataclass(slots=True)
class Table:
    """One gaming table. A date None: the option is not used there; money in cents."""

    index: int
    casino: str
    name: str
    currency: str
    limits: Limits
    decks: int
    auto: bool
    burn_rule: str
    no_commission_from: date | None
    jackpot_from: date | None
    dealers: tuple[str, ...]
    shoes: int = 0

    def scheme(self, opened: datetime) -> str:
        """Commission scheme of a shoe opened then."""
        start = self.no_commission_from
        return "commission" if start is None or opened.date() < start else "no_commission"

    def jackpot(self, at: datetime) -> bool:
        """Whether the table takes jackpot bets then."""
        return self.jackpot_from is not None and at.date() >= self.jackpot_from


def adoption(options: Options, asked_from: date) -> date:
    """Day from which an option is used that could first be asked for on ``asked_from``."""
    return max(options.start, asked_from + LEAD)


def make_tables(options: Options) -> list[Table]:
    """The tables, each with its own habits; by position, so that even few of them differ."""
    tables = []
    count = options.table_count()
    casinos = min(options.casinos, count)
    for index in range(count):
        rng = Random(f"{options.seed}/table/{index}")
        least = (100_00, 200_00, 500_00)[index // 2 % 3]
        casino = CASINOS[index % casinos]
        tables.append(
            Table(
                index=index,
                casino=casino,
                name=f"{casino[0]}{index // casinos + 1:02d}",
                currency="MOP" if index % 4 == 1 else "HKD",
                limits=Limits(least, 100 * least, 150 * least),
                decks=(8, 8, 6, 8, 7)[index % 5],
                auto=index % 5 == 3,
                burn_rule="first_card" if index % 3 == 2 else "decks",
                no_commission_from=(
                    adoption(options, NO_COMMISSION_ASKED) if index % 3 == 1 else None
                ),
                jackpot_from=adoption(options, JACKPOT_ASKED) if index % 2 == 0 else None,
                dealers=tuple(f"D{int(rng.random() * 900) + 100}" for _ in range(6)),
            )
        )
    return tables


def authorisation_rows(options: Options, casinos: list[str]) -> list[Row]:
    """Rows of ``authorisations``: every option of art. 19, in force before it is used."""
    first = {
        "art13_jackpot": adoption(options, JACKPOT_ASKED),
        "art18_no_commission": adoption(options, NO_COMMISSION_ASKED),
    }
    names = (
        "art2_first_card",
        "art2_demonstration",
        "art3_one_more",
        "art7_auto",
        "art12_carry",
        "art13_pairs",
        *first,
    )
    rows: list[Row] = []
    for casino in casinos:
        for name in names:
            day = first.get(name, options.start)
            if day > options.end:
                continue
            asked, granted = day - LEAD, day - timedelta(days=2)
            rows.append((casino, name, str(asked), str(granted), str(day), str(day), "", ""))
    return rows


def prize_rows(options: Options, casinos: list[str]) -> list[Row]:
    """Rows of ``jackpot_prizes``: the fixed amounts, approved before they are offered."""
    day = adoption(options, JACKPOT_ASKED)
    if day > options.end:
        return []
    approved = str(day - timedelta(days=2))
    return [
        (casino, name, money(amount), approved, str(day), "")
        for casino in casinos
        for name, amount in fixed_prizes()
    ]


def limit_rows(options: Options, tables: list[Table]) -> list[Row]:
    """Rows of ``limits`` for every table."""
    day = str(options.start - timedelta(days=30))
    rows: list[Row] = []
    for table in tables:
        limits = table.limits
        main = (money(limits.least), money(limits.most))
        side = (money(min(SIDE_STAKES)), money(max(SIDE_STAKES)))
        jackpot = (money(JACKPOT_STAKE), money(JACKPOT_STAKE))
        for name, (least, most) in (
            ("player", main),
            ("banker", main),
            ("tie", side),
            ("player_pair", side),
            ("banker_pair", side),
            ("jackpot", jackpot),
            ("difference", ("", money(limits.difference))),
        ):
            rows.append((table.casino, table.name, name, least, most, day))
    return rows
