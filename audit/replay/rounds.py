"""A recorded round replayed: its hand, its bets, and what should have been where it went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from audit.replay.dues import BetDue, Rounding, settle
from audit.replay.hand import Fact, Hand, replay_hand
from audit.replay.jackpot import Jackpot, first_cards, jackpot_due, judge_jackpot
from audit.replay.money import BetMoney, Total, totals
from audit.replay.record import RecordedBet, RecordedRound
from audit.replay.true_order import Course, true_course
from audit.rulebook import FACTS

if TYPE_CHECKING:
    from audit.rulebook import RuleSet, Scheme


@dataclass(frozen=True, slots=True)
class House:
    """What the run was told beside the log: how commission is rounded, which readings count."""

    rounding: Rounding | None = None
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Replay:
    """A recorded round replayed under one rule set; ``dues`` in the order of its bets.

    ``course`` is the round as it should have been, None where no draw rule was broken; ``money``
    then has every bet three ways, as dealt, as it should have been and as if void.
    """

    rules: RuleSet
    why: str
    hand: Hand
    dues: tuple[BetDue, ...]
    jackpots: tuple[Jackpot, ...]
    course: Course | None = None
    money: tuple[BetMoney, ...] = ()

    @property
    def totals(self) -> tuple[Total, ...]:
        """The money of ``money`` by currency."""
        return totals(self.money, determined=self.course is not None and self.course.determined)


def replay_round(
    recorded: RecordedRound,
    rules: RuleSet,
    why: str = "",
    others: Sequence[RuleSet] = (),
    house: House | None = None,
) -> Replay:
    """Replay ``recorded`` under ``rules``.

    ``why`` says in words why these rules govern. ``others`` are further rule sets, in which a
    scheme is looked up that the round records and ``rules`` do not have: the bets are judged by
    the scheme recorded, whether or not it was lawful.
    """
    house = house or House()
    void = recorded.kind == "void"
    hand = replay_hand(
        recorded.player, recorded.banker, rules, stopped=void, missing=recorded.missing
    )
    course = None
    if not void:
        following, withdrawn = recorded.following, bool(recorded.withdrawn)
        course = true_course(hand, rules, following, withdrawn=withdrawn)
    facts: dict[str, Fact] = hand.facts()
    if recorded.outcome_only:
        facts = dict.fromkeys(FACTS) | {"winner": recorded.outcome}
    desk = _Desk(recorded, rules, schemes_of(recorded.scheme, rules, others), house)
    dues = tuple(desk.due(bet, hand, facts) for bet in recorded.bets)
    jackpots = tuple(
        judge_jackpot(rule, hand, recorded.bets, recorded.jackpot_pool, house.readings)
        for rule in rules.bets.values()
        if rule.kind == "jackpot" and recorded.kind in ("play", "free")
    )
    money = () if course is None else desk.three_ways(dues, course)
    return Replay(rules, why, hand, dues, jackpots, course, money)


def schemes_of(
    name: str | None, rules: RuleSet, others: Sequence[RuleSet] = ()
) -> tuple[Scheme, ...]:
    """The scheme ``name``, or every one that any version knows where it is not known (None).

    One that ``rules`` do not have is taken from the first of ``others`` that does.
    """
    known: dict[str, Scheme] = {}
    for each in (rules, *others):
        for scheme in each.schemes.values():
            known.setdefault(scheme.id, scheme)
    return tuple(known.values()) if name is None else (known[name],)


@dataclass(frozen=True, slots=True)
class _Desk:
    """All that a bet's due hangs on, but for the hand."""

    recorded: RecordedRound
    rules: RuleSet
    schemes: tuple[Scheme, ...]
    house: House

    def due(
        self, bet: RecordedBet, hand: Hand, facts: Mapping[str, Fact], kind: str = ""
    ) -> BetDue:
        """What ``bet`` is due on this hand in a round of its own kind, or of ``kind``."""
        kind = kind or self.recorded.kind
        due = settle(bet, kind, facts, self.rules, self.schemes, self.house.rounding)
        if self.recorded.missing and due.standing in ("handpay", "cancelled", "carried"):
            # Of a round whose first cards are not all known, nothing is said (but if void).
            return BetDue("unjudged", article=due.article)
        rule = self.rules.bets.get(bet.bet)
        if due.standing != "unjudged" or rule is None or rule.kind != "jackpot":
            return due
        pool, readings = self.recorded.jackpot_pool, self.house.readings
        return jackpot_due(bet, self.rules, hand, self.recorded.bets, pool, readings)

    def three_ways(self, dues: Sequence[BetDue], course: Course) -> tuple[BetMoney, ...]:
        """Each bet as dealt, as it should have been, and with the round made void (art. 10)."""
        return tuple(
            BetMoney(bet, due, self._rightly(bet, course), self.due(bet, course.hand, {}, "void"))
            for bet, due in zip(self.recorded.bets, dues, strict=True)
        )

    def _rightly(self, bet: RecordedBet, course: Course) -> BetDue:
        facts = course.hand.facts()
        if not course.determined:
            # What the first two cards settle is settled all the same.
            known = {name: facts[name] for name in ("player_pair", "banker_pair")}
            facts = dict.fromkeys(FACTS) | known
        if bet.disposition == "carried" and facts["winner"] != "tie":
            # Without the tie there would have been nothing to carry.
            bet = replace(bet, disposition="settled")
        due = self.due(bet, course.hand, facts)
        rule = self.rules.bets.get(bet.bet)
        if course.unknown and rule is not None and rule.kind == "jackpot":
            # A combination may hang on a fifth card, and that is the one nobody knows.
            certain = len(first_cards(course.hand)) > 4 or due.standing not in ("won", "lost")
            return due if certain else BetDue("unjudged", article=rule.article, basis=rule.status)
        return due
