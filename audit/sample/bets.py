"""Bets as bettors place them and as the law pays them (arts. 12, 13, 14, 17, 18). Cents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from audit.sample.dealing import combination
from audit.sample.records import Bet, Round, ShoeLog, Truth

CARRIED = 0.25
"""Share of Player and Banker bets that their holders leave standing after a tie."""

JACKPOT_STAKE = 10_00
POOL_START = 500_000_00
POOL_SHARE = 300
"""Cents of each jackpot stake that go to the pool."""

FIXED_PRIZES = {
    "paradise": 50_000_00,
    "four_of_a_kind": 10_000_00,
    "two_pairs": 1_000_00,
    "three_of_a_kind": 500_00,
    "single_pair": 40_00,
}

SIDE_STAKES = (50_00, 100_00, 150_00, 200_00)
EXTRAS = (1, 1, 1, 1, 1.5, 2, 3)


@dataclass(frozen=True, slots=True)
class Seat:
    """A bettor at a table for one shoe. ``base`` is the stake that he starts from."""

    position: str
    patron: str
    base: int
    jackpot: bool


@dataclass(frozen=True, slots=True)
class Limits:
    """Posted limits of a table; ``difference`` is that between the two sides (art. 14)."""

    least: int
    most: int
    difference: int


def due(bet: str, stake: int, truth: Truth, scheme: str) -> int:
    """What goes back to the bettor of any bet but ``jackpot`` (arts. 12, 17, 18)."""
    if bet in ("player", "banker"):
        if truth.winner == "tie":
            return stake
        if truth.winner != bet:
            return 0
        if bet == "player":
            return 2 * stake
        if scheme == "commission":
            return 2 * stake - stake // 20
        return stake + stake // 2 if truth.banker_total == 6 else 2 * stake
    if bet == "tie":
        return 9 * stake if truth.winner == "tie" else 0
    flag = truth.player_pair if bet == "player_pair" else truth.banker_pair
    return 12 * stake if flag else 0


def commission_due(bet: Bet, truth: Truth, scheme: str) -> int:
    """Commission of art. 18(1) on one settled bet."""
    won = scheme == "commission" and bet.bet == "banker" and truth.winner == "banker"
    return bet.stake // 20 if won else 0


class Bettors:
    """The bettors of one shoe; remembers the bets that stand from a tie into the next round."""

    def __init__(self, seats: list[Seat], limits: Limits, chance: float, rng: Random) -> None:
        self.seats = seats
        self.limits = limits
        self.chance = chance
        self.rng = rng
        self.standing: dict[str, tuple[str, int]] = {}

    def place(self, log: ShoeLog, deal: Round, *, jackpot: bool, last: bool) -> None:
        """Place and settle the bets of one ``play``, ``void`` or ``demo`` round.

        A round of kind ``play`` takes up what stands from the last tie, and gets one bet at
        the least; in the ``last`` round of a shoe nothing is left standing.
        """
        draw = self.rng.random
        play = deal.kind == "play"
        difference = 0
        bets = deal.bets
        for seat in self.seats:
            held = self.standing.pop(seat.position, None) if play else None
            if held is None and draw() >= self.chance:
                continue
            difference += self._main_bet(deal, seat, held, difference)
            chance = draw()
            if chance < 0.22:
                name = ("tie", "player_pair", "banker_pair")[int(draw() * 3)]
                bets.append(self._bet(deal, seat, name, SIDE_STAKES[int(draw() * 4)]))
            if jackpot and seat.jackpot:
                bets.append(self._bet(deal, seat, "jackpot", JACKPOT_STAKE))
        if not bets:
            self._main_bet(deal, self.seats[int(draw() * len(self.seats))], None, 0)
        self._settle(log, deal, may_stand=play and not last)

    def _bet(self, deal: Round, seat: Seat, name: str, stake: int) -> Bet:
        return Bet(len(deal.bets) + 1, seat.position, seat.patron, name, stake)

    def _main_bet(
        self, deal: Round, seat: Seat, held: tuple[str, int] | None, difference: int
    ) -> int:
        """Append a Player or Banker bet; returns what it adds to Player minus Banker."""
        draw = self.rng.random
        if held is None:
            side = "banker" if draw() < 0.52 else "player"
            stake = min(int(seat.base * EXTRAS[int(draw() * 7)]), self.limits.most)
            cancelled = draw() < 0.003
        else:
            side, stake = held
            cancelled = False
        signed = stake if side == "player" else -stake
        if abs(difference + signed) > self.limits.difference:
            # The house takes no more on this side; art. 12 lets a standing bet change sides too.
            side, signed = ("banker" if side == "player" else "player"), -signed
        bet = self._bet(deal, seat, side, stake)
        deal.bets.append(bet)
        if cancelled:
            bet.disposition = "cancelled"
            return 0
        return signed

    def _settle(self, log: ShoeLog, deal: Round, *, may_stand: bool) -> None:
        truth, scheme = deal.truth, log.commission
        void = deal.kind == "void"
        for bet in deal.bets:
            if void or bet.disposition == "cancelled":
                bet.paid = bet.stake
            elif bet.bet == "jackpot":
                continue
            elif (
                may_stand
                and truth.winner == "tie"
                and bet.bet in ("player", "banker")
                and self.rng.random() < CARRIED
            ):
                bet.disposition = "carried"
                half = bet.stake // 100_00 * 50_00
                if half >= self.limits.least and self.rng.random() < 0.3:
                    bet.paid = bet.stake - half
                self.standing[bet.position] = (bet.bet, bet.stake - bet.paid)
            else:
                bet.paid = due(bet.bet, bet.stake, truth, scheme)
                if bet.bet == "banker" and scheme == "commission":
                    bet.taken = commission_due(bet, truth, scheme)
        if not void:
            _pay_jackpot(deal)


def _pay_jackpot(deal: Round) -> None:
    """Pay the jackpot bets of a round (art. 17(4)-(6)); ``pool`` stays that before the round."""
    bets = [bet for bet in deal.bets if bet.bet == "jackpot"]
    if not bets or deal.pool is None:
        return
    name = combination(deal.hand.player, deal.hand.banker)
    if name == "royal":
        prize = deal.pool // len(bets)
    elif name == "paradise":
        prize = max(FIXED_PRIZES[name], deal.pool // 10) // len(bets)
    else:
        prize = FIXED_PRIZES.get(name, 0)
    for bet in bets:
        bet.paid = prize


def pool_after(deal: Round) -> int:
    """The pool once this round's stakes are in and its shared prizes are out."""
    pool = deal.pool or 0
    bets = [bet for bet in deal.bets if bet.bet == "jackpot"]
    if not bets or deal.kind == "void":
        return pool
    name = combination(deal.hand.player, deal.hand.banker)
    if name == "royal":
        return POOL_START
    if name == "paradise":
        pool -= sum(bet.paid for bet in bets)
    return pool + POOL_SHARE * len(bets)


def seats_for(table_least: int, jackpot_share: float, rng: Random) -> list[Seat]:
    """Seven bettors with a table's least stake as their measure."""
    return [
        Seat(
            str(number),
            f"P{int(rng.random() * 90_000) + 10_000}",
            table_least * (1, 1, 1, 2, 2, 3, 5, 10)[int(rng.random() * 8)],
            rng.random() < jackpot_share,
        )
        for number in range(1, 8)
    ]


def fixed_prizes() -> Iterable[tuple[str, int]]:
    """Combination and fixed amount in cents."""
    return FIXED_PRIZES.items()
