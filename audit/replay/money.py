"""The money that hangs on a draw error: what bets got, against the two ways to put it right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from audit.replay.dues import NOTHING, BetDue
from audit.replay.record import RecordedBet


@dataclass(frozen=True, slots=True)
class BetMoney:
    """One bet of a wrongly dealt round.

    ``dealt`` is its due on the cards as dealt, ``rightly`` on the round as it should have been,
    ``void`` with the round made void (art. 10: the stake goes back).
    """

    bet: RecordedBet
    dealt: BetDue
    rightly: BetDue
    void: BetDue

    @property
    def settled(self) -> bool:
        """Whether all three amounts are known, so that the bet can be summed."""
        return None not in (self.dealt.due, self.rightly.due, self.void.due)


@dataclass(frozen=True, slots=True)
class Total:
    """Sums of one currency over the bets whose three amounts are known; ``open`` counts the rest."""

    currency: str
    bets: int
    open: int
    paid: Decimal
    dealt: Decimal
    rightly: Decimal
    void: Decimal


def totals(money: Iterable[BetMoney]) -> tuple[Total, ...]:
    """One ``Total`` for each currency, by its name."""
    groups: dict[str, list[BetMoney]] = {}
    for each in money:
        groups.setdefault(each.bet.currency, []).append(each)
    return tuple(_total(currency, groups[currency]) for currency in sorted(groups))


def _total(currency: str, money: list[BetMoney]) -> Total:
    known = [each for each in money if each.settled]
    return Total(
        currency,
        len(known),
        len(money) - len(known),
        sum((each.bet.paid for each in known), NOTHING),
        sum((each.dealt.due or NOTHING for each in known), NOTHING),
        sum((each.rightly.due or NOTHING for each in known), NOTHING),
        sum((each.void.due or NOTHING for each in known), NOTHING),
    )
