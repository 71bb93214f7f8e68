"""One recorded round: its hand replayed, and what each of its bets was due.

``bet_due`` is the law's answer for one bet and knows nothing of a log: the hand's facts against
the conditions and odds of a rule set, in exact decimals. ``settle`` adds what the log says of
the bet (void round, cancelled, carried ..). ``replay_round`` does a whole recorded round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from audit.replay import Fact, Facts, Hand, replay_hand
from audit.rulebook import FACTS, Status, weakest

if TYPE_CHECKING:
    from audit.rulebook import BetRule, Pay, RuleSet, Scheme

NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class BetDue:
    """What one bet is due.

    ``standing``: ``won``, ``lost``, ``returned`` (a tie, for Player and Banker), ``void``,
    ``cancelled``, ``carried``, ``handpay``, ``not_offered``, ``demo``, ``bad_stake``,
    ``jackpot`` (its prize hangs on the pool and the house's amounts, not on the hand alone) or
    ``unjudged`` (a fact that its rule asks for is unknown).

    ``due`` is all that must go back, the stake included; None where it is not judged or where
    ``accepted`` holds more than one amount because the commission scheme is unknown.
    ``commission`` is the part of the winnings that the house keeps, ``odds`` are net. ``basis``
    is the weakest status of the values used.
    """

    standing: str
    due: Decimal | None = None
    article: str = ""
    accepted: tuple[Decimal, ...] = ()
    odds: Decimal | None = None
    commission: Decimal | None = None
    basis: Status = "stated"


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


def _won(stake: Decimal, rule: BetRule, scheme: Scheme | None, facts: Facts) -> BetDue:
    """A won bet under one scheme, None for a bet that no scheme touches."""
    special = scheme.pays if scheme else ()
    pay = _pay((*special, *rule.pays), facts)
    if pay is None:
        return BetDue("won", None, rule.payout_article, basis=rule.payout_status)
    winnings, commission = stake * pay.odds, NOTHING
    article, basis = pay.article, weakest(rule.status, pay.status)
    if scheme:
        basis = weakest(basis, scheme.status)
        if scheme.rate and not any(pay is own for own in special):
            commission = winnings * scheme.rate
            article = f"{article}, {scheme.article}"
    due = stake + winnings - commission
    return BetDue("won", due, article, (due,), pay.odds, commission, basis)


def _not_offered(bet_id: str, rules: RuleSet) -> BetDue:
    lacking = rules.absent.get(f"bet.{bet_id}")
    if lacking is None:
        return BetDue("not_offered", article="13")
    return BetDue("not_offered", article=lacking.article, basis=lacking.status)


def bet_due(
    bet_id: str,
    stake: Decimal,
    facts: Facts,
    rules: RuleSet,
    scheme: str | Scheme | None,
) -> BetDue:
    """What a settled bet is due under ``rules`` on a hand with these facts (arts. 11-13, 17, 18).

    ``facts`` as of ``Hand.facts``. ``scheme`` is the id of the commission scheme; a ``Scheme``
    of another rule set where ``rules`` has none of that id; or None where it is unknown: then
    every scheme that ``rules`` has for this bet is accepted. ValueError for an id that ``rules``
    does not have.
    """
    rule = rules.bets.get(bet_id)
    if rule is None:
        return _not_offered(bet_id, rules)
    if rule.kind == "jackpot":
        return BetDue("jackpot", article=rule.article, basis=rule.status)
    won = holds(rule.wins, facts)
    if not won:
        pushed = False if rule.pushes is None else holds(rule.pushes, facts)
        if pushed:
            return BetDue("returned", stake, rules.article("tie"), (stake,), basis=rule.status)
        if won is None or pushed is None:
            return BetDue("unjudged", article=rule.article, basis=rule.status)
        return BetDue("lost", NOTHING, rule.article, (NOTHING,), basis=rule.status)
    if isinstance(scheme, str):
        if scheme not in rules.schemes:
            raise ValueError(f"rule set {rules.id} has no scheme {scheme!r}")
        scheme = rules.schemes[scheme]
    candidates = rules.schemes.values() if scheme is None else (scheme,)
    options = [option for option in candidates if option.bet == bet_id]
    answers = [_won(stake, rule, option, facts) for option in options or (None,)]
    article = " or ".join(dict.fromkeys(answer.article for answer in answers))
    basis = weakest(*(answer.basis for answer in answers))
    dues = [answer.due for answer in answers]
    if None in dues:
        return BetDue("won", None, article, basis=basis)
    accepted = tuple(sorted({due for due in dues if due is not None}))
    if len(accepted) == 1:
        return answers[0]
    return BetDue("won", None, article, accepted, basis=basis)


@dataclass(frozen=True, slots=True)
class RecordedBet:
    """A bet as the case has it; money in its own currency. ``due`` is the case's own answer."""

    bet_id: str
    bet: str
    currency: str
    position: str
    patron_id: str
    stake: Decimal
    paid: Decimal
    commission_taken: Decimal | None
    disposition: str
    due: Decimal | None
    standing: str


@dataclass(frozen=True, slots=True)
class RecordedFinding:
    """A finding anchored to the round."""

    code: str
    severity: str
    status: str
    article: str
    bet_id: str
    subject: str
    amount: Decimal | None
    consequence: str
    message: str


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """A round as the case has it. Totals, outcome and pairs are those recorded, None if not.

    ``missing`` says that the round's initial cards are incomplete. ``scheme`` is the commission
    scheme by which the case judged it, ``ruleset`` the rule set, ``forced`` whether the user had
    forced it.
    """

    casino: str
    table_id: str
    shoe_id: str
    round_no: int
    started_at: datetime
    kind: str
    void_reason: str
    device: str
    decks: int | None
    player: tuple[int, ...]
    banker: tuple[int, ...]
    withdrawn: str
    missing: bool
    player_total: int | None
    banker_total: int | None
    outcome: str | None
    player_pair: bool | None
    banker_pair: bool | None
    scheme: str | None
    burned: int | None
    cut_card: bool | None
    dealer_id: str
    ruleset: str | None
    forced: bool
    source: str
    row: int | None
    bets: tuple[RecordedBet, ...] = ()
    findings: tuple[RecordedFinding, ...] = field(default=(), repr=False)

    @property
    def name(self) -> str:
        """Path of the round as the command line takes it, the casino left out where it is '-'."""
        path = f"{self.table_id}/{self.shoe_id}/{self.round_no}"
        return path if self.casino == "-" else f"{self.casino}/{path}"

    @property
    def outcome_only(self) -> bool:
        """Whether it has an outcome and no card at all."""
        return not self.player and not self.banker and self.outcome is not None


@dataclass(frozen=True, slots=True)
class Replay:
    """A recorded round replayed under one rule set; ``dues`` in the order of its bets."""

    rules: RuleSet
    why: str
    hand: Hand
    dues: tuple[BetDue, ...]


def difference(bet: RecordedBet, due: BetDue) -> Decimal | None:
    """Paid less due: positive is overpaid, 0 where the payment is an accepted amount.

    None where no single amount is due.
    """
    if bet.paid in due.accepted:
        return NOTHING
    return None if due.due is None else bet.paid - due.due


def paid_as_due(bet: RecordedBet, due: BetDue) -> bool:
    """Whether the payment is an accepted amount; a bet that is not judged counts as such."""
    return not due.accepted or bet.paid in due.accepted


def settle(
    bet: RecordedBet,
    kind: str,
    facts: Facts,
    rules: RuleSet,
    scheme: str | Scheme | None,
) -> BetDue:
    """What a recorded bet is due in a round of this ``kind``.

    First that applies: a stake of nothing, a bet not on offer (art. 13), a demonstration (art.
    2(2)), a void round (art. 10), a prize paid by hand, a bet cancelled before the deal, one
    carried to the next round (art. 12), and else the hand.
    """
    if bet.stake <= 0:
        return BetDue("bad_stake")
    if bet.bet not in rules.bets:
        return _not_offered(bet.bet, rules)
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
    return bet_due(bet.bet, bet.stake, facts, rules, scheme)


def replay_round(
    recorded: RecordedRound, rules: RuleSet, why: str, others: Sequence[RuleSet] = ()
) -> Replay:
    """Replay ``recorded`` under ``rules``.

    ``why`` says in words why these rules govern. ``others`` are further rule sets, in which a
    scheme is looked up that the round records and ``rules`` do not have: the bets are judged by
    the scheme recorded, whether or not it was lawful.
    """
    hand = replay_hand(
        recorded.player,
        recorded.banker,
        rules,
        stopped=recorded.kind == "void",
        missing=recorded.missing,
    )
    facts: dict[str, Fact] = hand.facts()
    if recorded.outcome_only:
        facts = dict.fromkeys(FACTS) | {"winner": recorded.outcome}
    scheme: str | Scheme | None = recorded.scheme
    if recorded.scheme is not None and recorded.scheme not in rules.schemes:
        found = (other.schemes.get(recorded.scheme) for other in others)
        scheme = next(filter(None, found), None)
    dues = (settle(bet, recorded.kind, facts, rules, scheme) for bet in recorded.bets)
    return Replay(rules, why, hand, tuple(dues))
