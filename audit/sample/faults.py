"""Plants faults, one to a round at the most, and keeps the findings that they must give.

Some faults are dealt (a draw error, a demonstration too many), the others are written into the
record of a shoe once it has been dealt. A fault that no round fits yet waits for one that does,
so that rare faults come as often as common ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from audit.sample import faults_bets, faults_log, faults_record
from audit.sample.records import Expected, Round, ShoeLog

Plant = Callable[[ShoeLog, int, Random], list[Expected] | None]
"""Plants a fault in the round at an index of a shoe; None where the round does not suit."""

DRAW_ERRORS = ("A0901", "A0902", "A0903", "A0904", "A0905", "A0906", "A0907")

DEALT = (*DRAW_ERRORS, "A0203", "A0204", "A0301", "A1001", "A1002")

RECORDED: tuple[tuple[str, Plant], ...] = (
    *faults_record.FAULTS,
    *faults_bets.FAULTS,
    *faults_log.FAULTS,
)

KINDS = (*DEALT, *(code for code, _ in RECORDED))
"""Codes of the faults that can be planted."""

WAITING = 2
"""Faults of one kind that may wait for a round that suits."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How the next round is to be dealt: of which kind, with the first possible of ``errors``.

    ``lawful``: a void round has no error. ``code``: the fault that such a kind is for.
    """

    kind: str = ""
    errors: tuple[str, ...] = ()
    lawful: bool = False
    code: str = ""


NO_WISH = Wish()


class Planter:
    """Plants faults with probability ``rate`` a round, in the shoes of one table."""

    def __init__(self, rate: float, seed: str) -> None:
        self.rate = rate
        self.rng = Random(seed)
        self.plants = dict(RECORDED)
        self.waiting: list[str] = []
        self.demos = 0
        self.overrun = False
        self.follow: int | None = None

    def demonstrations(self, lawful: int, *, auto: bool) -> int:
        """Number of demonstrations to open a shoe with."""
        self.demos = 0
        self.overrun = False
        self.follow = None
        if auto or "A0203" not in self.waiting:
            return lawful
        self.waiting.remove("A0203")
        return 4 + int(self.rng.random() * 2)

    def wish(self, *, opening: bool, auto: bool, late: bool) -> Wish:
        """How to deal the next round; ``late``: the white card is out."""
        if not self.rate:
            return NO_WISH
        if self.rng.random() < self.rate:
            code = KINDS[int(self.rng.random() * len(KINDS))]
            if self.waiting.count(code) < WAITING:
                self.waiting.append(code)
        if self.overrun:
            return Wish("play")
        for code in () if opening or late else self.waiting:
            if code == "A0204" and not auto:
                return Wish("demo", code=code)
            if code in ("A1001", "A1002"):
                return Wish("void", lawful=code == "A1002", code=code)
        return Wish("", tuple(code for code in self.waiting if code in DRAW_ERRORS))

    def after_white(self, lawful: int, behind: int) -> int:
        """Rounds after that of the white card, ``behind`` cards being behind it."""
        # Three rounds take 18 cards at the most, and one each that is withdrawn.
        self.overrun = "A0301" in self.waiting and behind >= 21
        if not self.overrun:
            return lawful
        self.waiting.remove("A0301")
        return 2

    def dealt(self, log: ShoeLog, deal: Round, wish: Wish) -> None:
        """Note what was wrong in a round as dealt, its bets placed."""
        if deal.hand.error:
            self._planted(log, deal, [Expected(deal.hand.error, deal.number)])
        if wish.code == "A1001":
            self._planted(log, deal, faults_bets.wrong_return(deal, self.rng))
        elif wish.code:
            self._planted(log, deal, [Expected(wish.code, deal.number)])
        if deal.kind == "demo":
            self.demos += 1
            if self.demos > 3:
                deal.fault = "A0203"
                log.expected.append(Expected("A0203", deal.number))
        if deal.cut:
            self.follow = 0
        elif self.follow is not None:
            self.follow += 1
            if self.follow == 2:
                deal.fault = "A0301"
                log.expected.append(Expected("A0301", deal.number))

    def record(self, log: ShoeLog) -> None:
        """Plant what waits in the record of a shoe that has been dealt."""
        for at, deal in enumerate(log.rounds):
            if not self.waiting:
                return
            for code in self.waiting:
                if deal.fault or code not in self.plants:
                    continue
                found = self.plants[code](log, at, self.rng)
                if found is not None:
                    self._planted(log, deal, found, code)
                    break

    def _planted(self, log: ShoeLog, deal: Round, found: list[Expected], code: str = "") -> None:
        deal.fault = code or found[0].code
        self.waiting.remove(deal.fault)
        log.expected += found
