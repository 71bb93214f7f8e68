"""What a bet is due, in exact decimals.

``bet_due`` is the law's answer for one bet and knows nothing of a log: the hand's facts against
the conditions and odds of a rule set. ``settle`` adds what the log says of the bet (void round,
cancelled, carried ..). What a jackpot pays hangs on the whole round: ``audit.replay.jackpot``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from audit.replay.hand import Facts
from audit.replay.record import RecordedBet
from audit.rulebook import Status, weakest

if TYPE_CHECKING:
    from audit.rulebook import BetRule, Pay, RuleSet, Scheme

NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Rounding:
    """How the house rounds what art. 18 makes it keep, or pay on a six: to steps of ``step``."""

    step: Decimal
    mode: Literal["up", "down", "nearest"]

    @classmethod
    def parse(cls, text: str) -> Rounding:
        """``1,down`` as an option of the run has it; ValueError for anything else."""
        step, _, mode = text.partition(",")
        if mode not in ("up", "down", "nearest") or Decimal(step) <= 0:
            raise ValueError(f"{text!r} is no rounding")
        return cls(Decimal(step), mode)  # type: ignore[arg-type]

    def __call__(self, amount: Decimal) -> Decimal:
        """An amount of 0 or more, rounded; ``nearest`` rounds a half up."""
        whole, rest = divmod(amount, self.step)
        more = rest > 0 if self.mode == "up" else self.mode == "nearest" and 2 * rest >= self.step
        return (whole + more) * self.step


@dataclass(frozen=True, slots=True)
class BetDue:
    """What one bet is due.

    ``standing``: ``won``, ``lost``, ``returned`` (a tie, for Player and Banker), ``void``,
    ``cancelled``, ``carried``, ``handpay``, ``not_offered``, ``demo``, ``bad_stake`` or
    ``unjudged`` (a fact that its rule asks for is unknown).

    ``due`` is all that must go back, the stake included; None where it is not judged or where
    ``accepted`` holds more than one amount because the commission scheme is unknown.
    ``commission`` is the part of the winnings that the house keeps, ``odds`` are net. ``basis``
    is the weakest status of the values used. A payment is right within less than ``slack``.
    """

    standing: str
    due: Decimal | None = None
    article: str = ""
    accepted: tuple[Decimal, ...] = ()
    odds: Decimal | None = None
    commission: Decimal | None = None
    basis: Status = "stated"
    slack: Decimal = NOTHING

    def fits(self, bet: RecordedBet) -> bool:
        """Whether the payment is an accepted amount; a bet that is not judged counts as such.

        A won bet paid twice its stake, whose commission taken is just what is then too much, was
        paid before commission and is right.
        """
        if not self.accepted or bet.paid in self.accepted:
            return True
        before = self.standing == "won" and bet.commission_taken and bet.paid == 2 * bet.stake
        if before and bet.commission_taken and bet.paid - bet.commission_taken in self.accepted:
            return True
        return any(abs(bet.paid - due) < self.slack for due in self.accepted)

    def difference(self, bet: RecordedBet) -> Decimal | None:
        """Paid less due: positive is overpaid, 0 where the payment fits.

        None where no single amount is due.
        """
        if self.accepted and self.fits(bet):
            return NOTHING
        return None if self.due is None else bet.paid - self.due


def holds(condition: Mapping[str, object], facts: Facts) -> bool | None:
    """Whether every fact named has the value asked for, or one of a list of values.

    None where the answer hangs on a fact that is unknown.
    """
    open_question = False
    for name, wanted in condition.items():
        fact = facts[name]
        if fact is None:
            open_question = True
        elif fact not in (wanted if isinstance(wanted, (list, tuple, frozenset)) else (wanted,)):
            return False
    return None if open_question else True


def _pay(pays: Iterable[Pay], facts: Facts) -> Pay | None:
    """The first entry whose condition holds; None where that cannot be told."""
    for pay in pays:
        answer = holds(pay.when, facts)
        if answer is None:
            return None
        if answer:
            return pay
    return None


def _won(
    stake: Decimal, rule: BetRule, scheme: Scheme | None, facts: Facts, rounding: Rounding | None
) -> BetDue:
    """A won bet under one scheme, None for a bet that no scheme touches."""
    special = scheme.pays if scheme else ()
    pay = _pay((*special, *rule.pays), facts)
    if pay is None:
        return BetDue("won", None, rule.payout_article, basis=rule.payout_status)
    rounded = rounding or (lambda amount: amount)
    winnings, commission = stake * pay.odds, NOTHING
    article, basis = pay.article, weakest(rule.status, pay.status)
    if scheme:
        basis = weakest(basis, scheme.status)
        if any(pay is own for own in special):
            winnings = rounded(winnings)
        elif scheme.rate:
            commission = rounded(winnings * scheme.rate)
            article = f"{article}, {scheme.article}"
    due = stake + winnings - commission
    return BetDue("won", due, article, (due,), pay.odds, commission, basis)


def not_offered(bet_id: str, rules: RuleSet) -> BetDue:
    """A bet that ``rules`` do not have (art. 13): what it was paid is not judged."""
    lacking = rules.absent.get(f"bet.{bet_id}")
    if lacking is None:
        return BetDue("not_offered", article="13")
    return BetDue("not_offered", article=lacking.article, basis=lacking.status)


def bet_due(
    bet_id: str,
    stake: Decimal,
    facts: Facts,
    rules: RuleSet,
    schemes: Sequence[Scheme],
    rounding: Rounding | None = None,
) -> BetDue:
    """What a settled bet is due under ``rules`` on a hand with these facts (arts. 11-13, 17, 18).

    ``facts`` as of ``Hand.facts``. ``schemes`` holds the commission scheme by which it is judged,
    or several where it is unknown: then what any of them gives is accepted. A jackpot is not
    judged here.
    """
    rule = rules.bets.get(bet_id)
    if rule is None:
        return not_offered(bet_id, rules)
    if rule.kind == "jackpot":
        return BetDue("unjudged", article=rule.article, basis=rule.status)
    won = holds(rule.wins, facts)
    if not won:
        pushed = False if rule.pushes is None else holds(rule.pushes, facts)
        if pushed:
            return BetDue("returned", stake, rules.article("tie"), (stake,), basis=rule.status)
        if won is None or pushed is None:
            return BetDue("unjudged", article=rule.article, basis=rule.status)
        return BetDue("lost", NOTHING, rule.article, (NOTHING,), basis=rule.status)
    options = [scheme for scheme in schemes if scheme.bet == bet_id]
    answers = [_won(stake, rule, option, facts, rounding) for option in options or (None,)]
    article = " or ".join(dict.fromkeys(answer.article for answer in answers))
    basis = weakest(*(answer.basis for answer in answers))
    dues = [answer.due for answer in answers]
    if None in dues:
        return BetDue("won", None, article, basis=basis)
    accepted = tuple(sorted({due for due in dues if due is not None}))
    if len(accepted) == 1:
        return answers[0]
    return BetDue("won", None, article, accepted, basis=basis)


def settle(
    bet: RecordedBet,
    kind: str,
    facts: Facts,
    rules: RuleSet,
    schemes: Sequence[Scheme],
    rounding: Rounding | None = None,
) -> BetDue:
    """What a recorded bet is due in a round of this ``kind``.

    First that applies: a stake of nothing, a bet not on offer (art. 13), a demonstration (art.
    2(2)), a void round (art. 10), a prize paid by hand, a bet cancelled before the deal, one
    carried to the next round (art. 12), and else the hand.
    """
    if bet.stake <= 0:
        return BetDue("bad_stake")
    if bet.bet not in rules.bets:
        return not_offered(bet.bet, rules)
    if kind == "demo":
        return BetDue("demo", article="2(2)")
    if kind == "void":
        return BetDue("void", bet.stake, "10", (bet.stake,))
    if bet.disposition == "handpay":
        return BetDue("handpay", article=rules.bets[bet.bet].article)
    if bet.disposition == "cancelled":
        return BetDue("cancelled", bet.stake, "", (bet.stake,))
    if bet.disposition == "carried":
        return BetDue("carried", article=rules.article("tie"))
    return bet_due(bet.bet, bet.stake, facts, rules, schemes, rounding)
