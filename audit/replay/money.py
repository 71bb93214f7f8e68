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

    def settled(self, *, determined: bool) -> bool:
        """Whether its amounts are known, so that it can be summed.

        Where what should have been is not ``determined``, that amount is not asked for.
        """
        known = self.rightly.due is not None or not determined
        return known and self.dealt.due is not None and self.void.due is not None


@dataclass(frozen=True, slots=True)
class Total:
    """Sums of one currency over the bets whose amounts are all known; ``open`` counts the rest.

    ``rightly`` is None where what should have been is not determined.
    """

    currency: str
    bets: int
    open: int
    paid: Decimal
    dealt: Decimal
    rightly: Decimal | None
    void: Decimal


def totals(money: Iterable[BetMoney], *, determined: bool) -> tuple[Total, ...]:
    """One ``Total`` for each currency, by its name."""
    groups: dict[str, list[BetMoney]] = {}
    for each in money:
        groups.setdefault(each.bet.currency, []).append(each)
    return tuple(_total(currency, groups[currency], determined) for currency in sorted(groups))


def _total(currency: str, money: list[BetMoney], determined: bool) -> Total:
    known = [each for each in money if each.settled(determined=determined)]
    return Total(
        currency,
        len(known),
        len(money) - len(known),
        sum((each.bet.paid for each in known), NOTHING),
        sum((each.dealt.due or NOTHING for each in known), NOTHING),
        sum((each.rightly.due or NOTHING for each in known), NOTHING) if determined else None,
        sum((each.void.due or NOTHING for each in known), NOTHING),
    )
