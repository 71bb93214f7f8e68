"""The progressive jackpot of one round: which combinations were dealt, and what is due on them.

Source: art. 13(1)(4)(2) for the combinations, art. 17(4)-(6) for the prizes. The text leaves
several readings open; unless one is pinned, an amount is named only where all of them agree on
it. The house's fixed amounts are no part of a case, so a prize that hangs on one stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING

from audit.cards import RANK, suit_of
from audit.replay.dues import NOTHING, BetDue
from audit.replay.hand import Hand
from audit.replay.record import RecordedBet
from audit.rulebook import weakest

if TYPE_CHECKING:
    from audit.rulebook import BetRule, Combination, RuleSet

CENT = Decimal("0.01")
"""What is left over when a prize is divided is accepted below one cent either way."""

READINGS: Mapping[str, tuple[str, ...]] = {
    "four_of_a_kind_suits": ("any", "distinct", "not_one_suit"),
    "jackpot_one_prize": ("highest", "each"),
    "jackpot_share": ("patrons", "bets"),
}
"""The interpretations on which a prize that a case can know may hang."""

_ROYAL = {1, 10, 11, 12, 13}
_MILLIONTH = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Jackpot:
    """What a round meant for one jackpot bet of the rule set.

    ``dealt`` are the combinations dealt under any open reading, in the law's order; those of
    ``disputed`` under some readings only; whether those of ``unknown`` were dealt cannot be told
    from the cards recorded. ``pool`` is the accumulated amount just before the round, None if
    not recorded. ``bets`` and ``persons`` count those among whom a prize would be shared.
    """

    bet: str
    article: str
    dealt: tuple[Combination, ...]
    disputed: tuple[str, ...]
    unknown: tuple[str, ...]
    pool: Decimal | None
    bets: int
    persons: int

    def pool_prize(self, combination: Combination) -> Decimal | None:
        """What ``combination`` pays out of the pool, before it is shared; None where unknown.

        For ``paradise`` it is the least that is due: a fixed amount may be higher.
        """
        if self.pool is None or combination.prize == "fixed":
            return None
        return self.pool * (combination.pool_part or 1)


def first_cards(hand: Hand) -> tuple[int, ...]:
    """The cards in dealing order P1 B1 P2 B2 P3 B3, of which a combination takes the first."""
    dealt = [*hand.player[:1], *hand.banker[:1], *hand.player[1:2], *hand.banker[1:2]]
    return (*dealt, *hand.player[2:3], *hand.banker[2:3])


def _one_suit(cards: Sequence[int]) -> bool | None:
    suits = {suit_of(card) for card in cards}
    return None if None in suits else len(suits) == 1


def _royal(cards: Sequence[int]) -> bool | None:
    return _one_suit(cards) if {RANK[card] for card in cards} == _ROYAL else False


def _ace_apart(cards: Sequence[int]) -> bool | None:
    if {RANK[card] for card in cards} != _ROYAL:
        return False
    whole, rest = _one_suit(cards), _one_suit([card for card in cards if RANK[card] != 1])
    return None if whole is None or rest is None else rest and not whole


def _alike(cards: Sequence[int], number: int) -> bool:
    ranks = [RANK[card] for card in cards]
    return any(ranks.count(rank) >= number for rank in ranks)


def _pairs(cards: Sequence[int]) -> tuple[bool, bool]:
    """Player pair and Banker pair of P1 B1 P2 B2."""
    return RANK[cards[0]] == RANK[cards[2]], RANK[cards[1]] == RANK[cards[3]]


_PATTERNS: Mapping[str, Callable[[Sequence[int]], bool | None]] = {
    "royal_one_suit": _royal,
    "royal_ace_apart": _ace_apart,
    "four_alike": lambda cards: _alike(cards, 4),
    "both_pairs_unlike": lambda cards: all(_pairs(cards)) and not _alike(cards, 4),
    "three_alike": lambda cards: _alike(cards, 3),
    "any_pair": lambda cards: any(_pairs(cards)),
}


def is_dealt(combination: Combination, hand: Hand, suits: str) -> bool | None:
    """Whether the hand's first cards make ``combination``; None where that cannot be told.

    ``suits`` is the reading of ``four_of_a_kind_suits``.
    """
    if hand.winner is None:
        return None
    cards = first_cards(hand)
    size = 5 if combination.cards == "first_five" else 4
    if len(cards) < size:
        return False
    cards = cards[:size]
    if any(RANK[card] is None for card in cards):
        return None
    made = _PATTERNS[combination.pattern](cards)
    if combination.pattern != "four_alike" or not made or suits == "any":
        return made
    kinds = [suit_of(card) for card in cards]
    if None in kinds:
        return None
    return len(set(kinds)) > (3 if suits == "distinct" else 1)


def _open(readings: Mapping[str, str], name: str) -> tuple[str, ...]:
    """The readings to be considered: the one that is pinned, else all."""
    pinned = readings.get(name, "either")
    return (pinned,) if pinned in READINGS[name] else READINGS[name]


def _winners(rule: BetRule, bets: Sequence[RecordedBet]) -> list[RecordedBet]:
    """Bets that share a prize; one paid by hand is not judged, but takes its share."""
    return [
        bet
        for bet in bets
        if bet.bet == rule.id and bet.disposition in ("settled", "handpay") and bet.stake > 0
    ]


def _persons(bets: Sequence[RecordedBet]) -> int:
    """Holders of the bets; a bet of nobody recorded counts as a person of its own."""
    known = {bet.holder for bet in bets if bet.holder}
    return len(known) + sum(bet.holder is None for bet in bets)


def judge_jackpot(
    rule: BetRule,
    hand: Hand,
    bets: Sequence[RecordedBet],
    pool: Decimal | None,
    readings: Mapping[str, str],
) -> Jackpot:
    """Which of ``rule``'s combinations ``hand`` holds, and who shares in a prize."""
    answers = {
        each.id: {suits: is_dealt(each, hand, suits) for suits in _open(readings, _FOUR)}
        for each in rule.combinations
    }
    said = {name: set(by_suits.values()) for name, by_suits in answers.items()}
    winners = _winners(rule, bets)
    return Jackpot(
        bet=rule.id,
        article=rule.article,
        dealt=tuple(each for each in rule.combinations if True in said[each.id]),
        disputed=tuple(name for name, answer in said.items() if {True, False} <= answer),
        unknown=tuple(name for name, answer in said.items() if None in answer),
        pool=pool,
        bets=len(winners),
        persons=_persons(winners),
    )


_FOUR = "four_of_a_kind_suits"


def jackpot_due(
    bet: RecordedBet,
    rules: RuleSet,
    hand: Hand,
    bets: Sequence[RecordedBet],
    pool: Decimal | None,
    readings: Mapping[str, str],
) -> BetDue:
    """What a settled jackpot bet is due: the prize alone, since its stake is not returned.

    ``bets`` are all of the round. Nothing where no combination was dealt; None where the amount
    hangs on a fixed prize, on a pool that is not recorded or on the reading, or where it is a
    share that no decimal can write: ``accepted`` then has it to the last digit kept.
    """
    rule = rules.bets[bet.bet]
    basis = weakest(rule.status, rule.payout_status)
    found: set[Decimal | None] = set()
    article = rule.article
    shared = False
    orders = product(*(_open(readings, name) for name in READINGS))
    for suits, one_prize, share in orders:
        answers = [is_dealt(each, hand, suits) for each in rule.combinations]
        if None in answers:
            return BetDue("unjudged", article=rule.article, basis=rule.status)
        made = [each for each, yes in zip(rule.combinations, answers, strict=True) if yes]
        if not made:
            # Four alike are three alike too, so that no reading makes something of nothing.
            return BetDue("lost", NOTHING, rule.article, (NOTHING,), basis=basis)
        counted = made[:1] if one_prize == "highest" else made
        article = ", ".join(dict.fromkeys(each.prize_article for each in counted))
        shared = shared or any(each.shared for each in counted)
        parts = [_part(each, bet, _winners(rule, bets), pool, share) for each in counted]
        found.add(None if None in parts else sum((p for p in parts if p is not None), NOTHING))
    share_of = found.pop() if len(found) == 1 else None
    if share_of is None:
        return BetDue("won", None, article, basis=basis)
    due, slack = share_of, CENT if shared else NOTHING
    exact = due == due.quantize(_MILLIONTH)
    return BetDue("won", due if exact else None, article, (due,), basis=basis, slack=slack)


def _part(
    combination: Combination,
    bet: RecordedBet,
    winners: Sequence[RecordedBet],
    pool: Decimal | None,
    share: str,
) -> Decimal | None:
    """What one combination pays this bet, None where it is not known to the last digit."""
    if combination.prize != "pool" or pool is None:
        return None
    if not combination.shared:
        return pool
    if share == "patrons":
        # A person's share falls on all of his bets together, so on none alone.
        if bet.holder and sum(other.holder == bet.holder for other in winners) > 1:
            return None
        number = _persons(winners)
    else:
        number = len(winners)
    return pool / number
