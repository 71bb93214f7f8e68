"""The log in the order in which the checks walk through it, and how a finding is made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from tests.oracle.model import Bet, Finding, Log, Prize, Round, RoundKey, Shoe, ShoeKey
from tests.oracle.rules import Options, Version


class Context:
    """A log, the user's options, and the findings made so far."""

    def __init__(self, log: Log, options: Options) -> None:
        self.log = log
        self.options = options
        self.findings: list[Finding] = list(log.findings)
        self.by_shoe: dict[ShoeKey, list[Round]] = defaultdict(list)
        for key in sorted(log.rounds):
            self.by_shoe[key[:3]].append(log.rounds[key])
        self.bets_of: dict[RoundKey, list[Bet]] = defaultdict(list)
        for bet in log.bets or []:
            self.bets_of[bet.key].append(bet)
        self.prizes_of: dict[tuple[str, str], list[Prize]] = defaultdict(list)
        for prize in log.prizes or []:
            self.prizes_of[prize.casino, prize.combination].append(prize)
        # The codes found on the bets of a round: they decide A05, A1101, A1201 and A1302.
        self.bet_codes: dict[RoundKey, set[str]] = defaultdict(set)

    def shoes(self) -> Iterator[tuple[Shoe, list[Round]]]:
        """Every shoe that has an audited round, its rounds by number."""
        for key, rounds in self.by_shoe.items():
            yield self.shoe(key), rounds

    def shoe(self, key: ShoeKey) -> Shoe:
        return self.log.shoes.get(key) or Shoe(key)

    def decks(self, shoe: Shoe) -> int | None:
        return shoe.decks if shoe.decks is not None else self.options.decks

    def recorded_scheme(self, r: Round) -> str:
        """The scheme of the round, else of its shoe."""
        return r.commission or self.shoe(r.key[:3]).commission

    def scheme(self, r: Round) -> str:
        """The recorded scheme, else the user's, else empty: unknown."""
        return self.recorded_scheme(r) or self.options.commission or ""

    def version(self, r: Round) -> Version | None:
        return self.options.in_force(r.day)

    def add(
        self,
        code: str,
        severity: str,
        r: Round,
        *,
        bet_id: str = "",
        subject: str = "",
        amount: Fraction | Decimal | None = None,
        consequence: str = "",
    ) -> None:
        """Add a finding on a round or a bet; before the first version only L checks are made."""
        if code.startswith("A") and self.version(r) is None:
            return
        severity = self.options.severity(code, severity, r.day)
        casino, table, shoe, number = r.key
        self.findings.append(
            Finding(
                *(code, severity, casino, table, shoe, str(number), bet_id, subject),
                *(plain(amount), consequence),
            )
        )
        if bet_id:
            self.bet_codes[r.key].add(code)


def plain(amount: Fraction | Decimal | None) -> str:
    """A trimmed decimal; empty for an amount that no finite decimal can write."""
    if amount is None:
        return ""
    value = Fraction(amount)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return ""
    text = format(Decimal(value.numerator) / Decimal(value.denominator), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
