"""One shoe from the first burn to the last round (arts. 2, 3, 7, 8), with its bets."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from audit.cards import TEXT, face_value_of
from audit.sample.bets import Bettors, pool_after, seats_for
from audit.sample.dealing import Dispenser, Hand, Shoe, deal, misdeal
from audit.sample.faults import Planter, Wish
from audit.sample.house import Options, Table
from audit.sample.records import Round, ShoeLog, Truth

FREE, VOID, PUT_RIGHT, BURN = 0.01, 0.004, 0.004, 0.01
"""Shares of rounds that are free hands, void, put right at once, or have cards burned before."""

DEMONSTRATIONS = 0.35
JACKPOT_SHARE = 0.4
BETS_A_SEAT = 1.47
"""Mean number of bets of a bettor who takes part, as measured over logs with jackpot tables."""

DEALER_ROUNDS = 20


def open_shoe(table: Table, opened: datetime, rng: Random) -> tuple[Shoe, ShoeLog]:
    """Fill a shoe, burn by the table's rule and set the white card (art. 2)."""
    table.shoes += 1
    device = "auto" if table.auto else "shoe"
    log = ShoeLog(
        casino=table.casino,
        table=table.name,
        shoe=f"{opened:%y%m%d}-{table.shoes}",
        currency=table.currency,
        device=device,
        decks=table.decks,
        commission=table.scheme(opened),
        opened=opened,
    )
    if table.auto:
        return Dispenser(table.decks, rng), log
    shoe = Shoe(table.decks, rng)
    first = shoe.draw()
    burned = table.decks if table.burn_rule == "decks" else face_value_of(first) or 0
    shoe.at = burned
    log.burn_rule = table.burn_rule
    log.first_card = TEXT[first] if table.burn_rule == "first_card" else ""
    log.burned = str(burned)
    log.cut_card_from_end = str(14 + int(rng.random() * 18))
    return shoe, log


def deal_shoe(
    options: Options, table: Table, opened: datetime, most: int, pool: int, planter: Planter
) -> tuple[ShoeLog, int]:
    """Deal a shoe of at most ``most`` rounds, bets placed; also the pool after it, in cents."""
    dealer = _Dealer(options, table, opened, most, pool, planter)
    while dealer.goes_on():
        dealer.deal_round()
    planter.record(dealer.log)
    return dealer.log, dealer.pool


class _Dealer:
    """Deals the rounds of one shoe, one after another."""

    def __init__(
        self,
        options: Options,
        table: Table,
        opened: datetime,
        most: int,
        pool: int,
        planter: Planter,
    ) -> None:
        rng = Random(f"{options.seed}/shoe/{table.index}/{table.shoes}")
        self.table = table
        self.planter = planter
        self.pool = pool
        self.draw = rng.random
        self.shoe, self.log = open_shoe(table, opened, rng)
        seats = seats_for(table.limits.least, JACKPOT_SHARE if table.jackpot_from else 0.0, rng)
        chance = min(1.0, options.bets / BETS_A_SEAT / len(seats))
        self.bettors = Bettors(seats, table.limits, chance, rng)
        self.now = opened + timedelta(seconds=60)
        self.number = 0
        self.opening = True
        self.behind = 0 if table.auto else int(self.log.cut_card_from_end)
        self.white = 0 if table.auto else len(self.shoe.cards) - self.behind
        # Rounds that may still follow; None until the white card is out.
        self.left: int | None = None
        self.most = min(most, 60 + int(self.draw() * 20)) if table.auto else most
        lawful = 0
        if not table.auto and self.draw() < DEMONSTRATIONS:
            lawful = 1 + int(self.draw() * 3)
        self.demonstrations = planter.demonstrations(lawful, auto=table.auto)

    def goes_on(self) -> bool:
        """Whether another round is dealt from this shoe."""
        return self.number < self.most and self.left != 0

    def deal_round(self) -> None:
        """Deal the next round, its bets placed and settled."""
        table = self.table
        self.number += 1
        self.shoe.next_round()
        wish = self.planter.wish(opening=self.opening, auto=table.auto, late=self.left is not None)
        kind = wish.kind or self._kind()
        self.opening = self.opening and kind in ("demo", "void")
        burned = self._burn()
        hand = self._hand(kind, wish)
        shift = self.number // DEALER_ROUNDS + table.shoes
        round_ = Round(
            self.number,
            kind,
            self.now,
            hand,
            Truth.of(hand),
            dealer=table.dealers[shift % len(table.dealers)],
            void_reason="misdeal" if kind == "void" else "",
            burned=burned,
        )
        self._watch_white_card(round_)
        jackpot = table.jackpot(self.now)
        if jackpot:
            round_.pool = self.pool
        if kind in ("play", "void"):
            self.bettors.place(self.log, round_, jackpot=jackpot, last=not self.goes_on())
            if jackpot:
                self.pool = pool_after(round_)
        self.log.rounds.append(round_)
        self.planter.dealt(self.log, round_, wish)
        self.now += timedelta(seconds=(25 if kind == "demo" else 38) + int(self.draw() * 18))

    def _kind(self) -> str:
        if self.number <= self.demonstrations:
            return "demo"
        chance = self.draw()
        return "void" if chance < VOID else "free" if chance < VOID + FREE else "play"

    def _burn(self) -> int:
        """Now and then the house burns cards before a round (art. 8).

        Not beside the white card, so that the cards behind it are always enough.
        """
        beside = self.shoe.at + 12 >= self.white
        if self.number == 1 or self.table.auto or beside or self.draw() >= BURN:
            return 0
        burned = 1 + int(self.draw() * 3)
        self.shoe.at += burned
        return burned

    def _hand(self, kind: str, wish: Wish) -> Hand:
        if kind == "void" and not wish.lawful:
            return misdeal(self.shoe.draw)
        put_right = kind != "void" and self.draw() < PUT_RIGHT
        return deal(self.shoe.draw, wish.errors, put_right=put_right)

    def _watch_white_card(self, round_: Round) -> None:
        """The round in which the white card comes out is the last, or the last but one."""
        if self.left is not None:
            self.left -= 1
        elif self.white and self.shoe.at > self.white:
            # The first card behind the white card has been dealt.
            round_.cut = True
            self.left = self.planter.after_white(int(self.draw() * 2), self.behind)
