"""A planter that follows a script, and the tables of the stories in ``sample_logs``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from audit.sample import Options
from audit.sample.bets import POOL_START, Limits
from audit.sample.faults import NO_WISH, Planter, Wish
from audit.sample.house import Table
from audit.sample.records import Expected, Round, ShoeLog
from audit.sample.shoes import deal_shoe


class Script(Planter):
    """Deals and plants what it is told, where it is told.

    ``wishes`` by round number; ``errors`` are draw errors, each made once, from round
    ``first`` on and ``gap`` rounds apart at the least; ``record`` holds (first round that may be
    used, code), planted once the shoe has been dealt.
    """

    def __init__(
        self,
        *,
        demonstrations: int = 0,
        wishes: Mapping[int, Wish] | None = None,
        errors: Sequence[str] = (),
        first: int = 2,
        gap: int = 2,
        record: Sequence[tuple[int, str]] = (),
    ) -> None:
        super().__init__(0.0, "story")
        self.opening_demonstrations = demonstrations
        self.wishes = wishes or {}
        self.errors = list(errors)
        self.next_error = first
        self.gap = gap
        self.script = record
        self.number = 0

    def demonstrations(self, lawful: int, *, auto: bool) -> int:
        super().demonstrations(lawful, auto=auto)
        return self.opening_demonstrations

    def wish(self, *, opening: bool, auto: bool, late: bool) -> Wish:
        self.number += 1
        if self.number in self.wishes:
            return self.wishes[self.number]
        if self.errors and self.number >= self.next_error:
            return Wish("play", tuple(self.errors))
        return NO_WISH

    def dealt(self, log: ShoeLog, deal: Round, wish: Wish) -> None:
        if deal.hand.error:
            self.errors.remove(deal.hand.error)
            self.next_error = deal.number + self.gap
        super().dealt(log, deal, wish)

    def record(self, log: ShoeLog) -> None:
        if self.errors:
            raise LookupError(f"{log.shoe}: no round for {self.errors}")
        for first, code in self.script:
            if not any(self._try(log, at, code) for at in range(first - 1, len(log.rounds))):
                raise LookupError(f"{log.shoe}: no round for {code} from {first} on")

    def _try(self, log: ShoeLog, at: int, code: str) -> bool:
        deal = log.rounds[at]
        found = None if deal.fault else self.plants[code](log, at, self.rng)
        if found is not None:
            self._planted(log, deal, found, code)
        return found is not None

    def _planted(self, log: ShoeLog, deal: Round, found: list[Expected], code: str = "") -> None:
        deal.fault = code or found[0].code
        log.expected += found


def table(
    casino: str,
    name: str,
    *,
    decks: int = 8,
    no_commission: bool = False,
    jackpot_from: date | None = None,
    burn_rule: str = "decks",
) -> Table:
    """A table of a story, in Hong Kong dollars, 100 to 10,000."""
    return Table(
        index=sum(map(ord, casino + name)),
        casino=casino,
        name=name,
        currency="HKD",
        limits=Limits(100_00, 10_000_00, 15_000_00),
        decks=decks,
        auto=False,
        burn_rule=burn_rule,
        no_commission_from=date(2004, 1, 1) if no_commission else None,
        jackpot_from=jackpot_from,
        dealers=("D01", "D02", "D03"),
    )


def shoe(
    at: Table, opened: datetime, script: Script, *, seed: int, most: int, bets: float = 1.6
) -> ShoeLog:
    """One shoe of a story."""
    log, _ = deal_shoe(Options(seed=seed, bets=bets), at, opened, most, POOL_START, script)
    return log


def moved(log: ShoeLog, number: int, to: datetime) -> ShoeLog:
    """The shoe with all its times moved so that round ``number`` starts at ``to``."""
    by = to - log.rounds[number - 1].started
    log.opened += by
    for deal in log.rounds:
        deal.started += by
    return log
