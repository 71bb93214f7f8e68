"""Arts. 13 and 17(4)-(7): the jackpot bets of one round, under every open reading."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tests.oracle.context import Context
from tests.oracle.model import Bet, Prize, Round

SHARED = ("royal", "paradise")
CENT = Fraction(1, 100)
Verdict = tuple[str, "Fraction | None"]


@dataclass(frozen=True)
class Reading:
    """One way to read the text, where `interpretations` leaves two."""

    suits: str  # four_of_a_kind_suits
    prize: str  # jackpot_one_prize
    share: str  # jackpot_share
    fixed: str  # jackpot_fixed_prize


READINGS = [
    Reading(*choice)
    for choice in product(
        ("any", "distinct", "not_one_suit"),
        ("highest", "each"),
        ("patrons", "bets"),
        ("each", "round"),
    )
]


def combinations(r: Round, reading: Reading) -> list[str]:
    """What was dealt, in the table's order; under `highest` the first of it only."""
    first_four = [r.player[0], r.banker[0], r.player[1], r.banker[1]]
    ranks = [card.rank for card in first_four]
    most = max(ranks.count(rank) for rank in ranks)
    suits = len({card.suit for card in first_four})
    enough = {"any": 1, "not_one_suit": 2, "distinct": 4}[reading.suits]
    player_pair = r.player[0].rank == r.player[1].rank
    banker_pair = r.banker[0].rank == r.banker[1].rank
    tests = {
        "royal": run_of_five(r) == "royal",
        "paradise": run_of_five(r) == "paradise",
        "four_of_a_kind": most == 4 and suits >= enough,
        "two_pairs": player_pair and banker_pair and r.player[0].rank != r.banker[0].rank,
        "three_of_a_kind": most >= 3,
        "single_pair": player_pair or banker_pair,
    }
    dealt = [name for name, true in tests.items() if true]
    return dealt[:1] if reading.prize == "highest" else dealt


def run_of_five(r: Round) -> str:
    """`royal`, `paradise` or nothing, of P1 B1 P2 B2 and the fifth card dealt."""
    five = [*r.player[:2], *r.banker[:2], *(*r.player[2:], *r.banker[2:])[:1]]
    if sorted(card.rank for card in five) != sorted(["A", "K", "Q", "J", "10"]):
        return ""
    ace = next(card for card in five if card.rank == "A")
    others = {card.suit for card in five if card.rank != "A"}
    if len(others) > 1:
        return ""
    return "royal" if ace.suit in others else "paradise"


# --- prizes --------------------------------------------------------------------------------------


def prize_in_force(ctx: Context, r: Round, combination: str) -> Prize | None:
    """The latest row on or before the round; on equal dates the table's own goes first."""
    best: Prize | None = None
    for prize in ctx.prizes_of[r.key[0], combination]:
        if prize.table_id not in ("", r.key[1]) or prize.valid_from > r.day:
            continue
        rank = (prize.valid_from, bool(prize.table_id))
        if best is None or rank > (best.valid_from, bool(best.table_id)):
            best = prize
    return best


def approved(ctx: Context, r: Round, combination: str) -> bool:
    """Art. 17(7).  Without the table nothing can be said against a prize."""
    if combination == "royal" or ctx.log.prizes is None:
        return True
    prize = prize_in_force(ctx, r, combination)
    return prize is not None and prize.approved_on is not None and prize.approved_on <= r.day


def worth(ctx: Context, r: Round, combination: str) -> Fraction | None:
    """The whole prize of a combination, before any sharing; None when it is not known."""
    pool = None if r.jackpot_pool is None else Fraction(r.jackpot_pool)
    if combination == "royal":
        return pool
    prize = prize_in_force(ctx, r, combination)
    if prize is None:
        return None
    if combination == "paradise":
        return None if pool is None else max(Fraction(prize.amount), pool / 10)
    return Fraction(prize.amount)


# --- bets ----------------------------------------------------------------------------------------


def groups(bets: list[Bet], reading: Reading) -> list[list[Bet]]:
    """The winners: bets, or persons with their bets; a bet without a holder is a person."""
    persons: dict[str, list[Bet]] = {}
    for i, bet in enumerate(bets):
        name = bet.holder if reading.share == "patrons" else ""
        persons.setdefault(name or f"bet {i}", []).append(bet)
    return list(persons.values())


def due_to_each(ctx: Context, r: Round, reading: Reading, winners: int) -> Fraction | None:
    """What one winner gets; None when a part of it is not known."""
    due = Fraction(0)
    for combination in combinations(r, reading):
        amount = worth(ctx, r, combination)
        if amount is None:
            return None
        shared = combination in SHARED or reading.fixed == "round"
        due += amount / winners if shared else amount
    return due


def verdict(ctx: Context, r: Round, bets: list[Bet], bet: Bet, reading: Reading) -> str:
    """`right`, `wrong`, `unapproved` or `unknown` for one bet under one reading."""
    dealt = combinations(r, reading)
    winners = groups(bets, reading)
    own = next(group for group in winners if bet in group)
    paid = sum((Fraction(b.paid) for b in own), Fraction(0))
    if not all(approved(ctx, r, combination) for combination in dealt):
        return "unapproved"
    due = due_to_each(ctx, r, reading, len(winners))
    if any(b.disposition == "handpay" for b in own) or due is None:
        return "unknown" if paid else "wrong"
    remainder = abs(paid - due)
    shared = dealt[0] in SHARED or reading.fixed == "round"
    return "right" if remainder == 0 or (shared and remainder < CENT) else "wrong"


def difference(ctx: Context, r: Round, bets: list[Bet], bet: Bet) -> Fraction | None:
    """Paid minus due, if every reading has the same due for this very bet."""
    dues: set[Fraction | None] = set()
    for reading in READINGS:
        winners = groups(bets, reading)
        alone = [bet] in winners
        dues.add(due_to_each(ctx, r, reading, len(winners)) if alone else None)
    due = dues.pop() if len(dues) == 1 else None
    return None if due is None else Fraction(bet.paid) - due


def check_jackpots(ctx: Context, r: Round, bets: list[Bet]) -> None:
    """A1711 to A1715 on the settled bets; handpay ones only count among the winners."""
    for bet in bets:
        if bet.disposition == "settled":
            code, amount = judge_jackpot(ctx, r, bets, bet)
            if code:
                ctx.add(code, "violation", r, bet_id=bet.bet_id, amount=amount)


def judge_jackpot(ctx: Context, r: Round, bets: list[Bet], bet: Bet) -> Verdict:
    """The code, empty if the bet is right, and paid minus due where the due is settled."""
    dealt = combinations(r, READINGS[0])
    if not dealt:
        return ("A1712", Fraction(bet.paid)) if bet.paid else ("", None)
    verdicts = {verdict(ctx, r, bets, bet, reading) for reading in READINGS}
    if "right" in verdicts:
        return "", None
    if not bet.paid:
        own = (b for b in bets if b.holder and b.holder == bet.holder)
        if "unknown" in verdicts and any(b.paid for b in own):
            return "", None
        # What an unapproved prize would have been worth is nobody's due.
        unsure = "unapproved" in verdicts
        return "A1711", None if unsure else difference(ctx, r, bets, bet)
    if verdicts == {"unapproved"}:
        return "A1715", None
    if "unknown" in verdicts:
        return "", None
    amount = difference(ctx, r, bets, bet)
    return ("A1714" if dealt[0] in SHARED else "A1713"), amount
