"""One shoe from the first burn to the last round (arts. 2, 3, 7, 8), with its bets."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from audit.cards import TEXT, face_value_of
from audit.sample.bets import Bettors, pool_after, seats_for
from audit.sample.dealing import Dispenser, Shoe, deal, misdeal
from audit.sample.faults import Planter
from audit.sample.house import Options, Table
from audit.sample.records import Round, ShoeLog, Truth

FREE, VOID, PUT_RIGHT, BURN = 0.01, 0.004, 0.004, 0.01
"""Shares of rounds that are free hands, void, put right at once, or have cards burned before."""

DEMONSTRATIONS = 0.35
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
    log.cut_card_from_end = str(14 + int(rng.random() * 10))
    return shoe, log


def deal_shoe(
    options: Options, table: Table, opened: datetime, most: int, pool: int, planter: Planter
) -> tuple[ShoeLog, int]:
    """Deal a shoe of at most ``most`` rounds, bets placed; also the pool after it, in cents."""
    rng = Random(f"{options.seed}/shoe/{table.index}/{table.shoes}")
    shoe, log = open_shoe(table, opened, rng)
    draw = rng.random
    auto = table.auto
    # The round in which the white card comes out deals at least one of the cards behind it.
    white = 0 if auto else len(shoe.cards) - int(log.cut_card_from_end)
    length = min(most, 60 + int(draw() * 20)) if auto else most
    demonstrations = int(draw() * 3) + 1 if not auto and draw() < DEMONSTRATIONS else 0
    demonstrations = planter.demonstrations(demonstrations, auto=auto)
    jackpot_share = 0.4 if table.jackpot_from else 0.0
    seats = seats_for(table.limits.least, jackpot_share, rng)
    chance = min(1.0, options.bets / BETS_A_SEAT / len(seats))
    bettors = Bettors(seats, table.limits, chance, rng)
    last_round = bool(auto)
    now = opened + timedelta(seconds=60)
    number = after_white = 0
    opening = True
    while number < length and after_white < (1 if last_round else 2):
        number += 1
        shoe.next_round()
        wish = planter.wish(opening=opening, auto=auto, late=after_white > 0)
        kind = wish.kind or (
            "demo"
            if number <= demonstrations
            else "void"
            if draw() < VOID
            else "free"
            if draw() < FREE
            else "play"
        )
        opening = opening and kind in ("demo", "void")
        burned = 0
        # Not beside the white card, so that the cards behind it are always enough.
        if number > 1 and not auto and shoe.at + 12 < white and draw() < BURN:
            burned = 1 + int(draw() * 3)
            shoe.at += burned
        if kind == "void":
            hand = misdeal(shoe.draw)
        else:
            hand = deal(shoe.draw, wish.errors, put_right=draw() < PUT_RIGHT)
        round_ = Round(
            number,
            kind,
            now,
            hand,
            Truth.of(hand),
            dealer=table.dealers[(number // DEALER_ROUNDS + table.shoes) % len(table.dealers)],
            void_reason="misdeal" if kind == "void" else "",
            burned=burned,
        )
        if white and shoe.at > white:
            if not after_white:
                round_.cut = True
                last_round = draw() < 0.5
            after_white += 1
        last = number == length or (after_white >= (1 if last_round else 2))
        jackpot = table.jackpot(now)
        if jackpot:
            round_.pool = pool
        if kind in ("play", "void"):
            bettors.place(log, round_, jackpot=jackpot, last=last)
            if jackpot:
                pool = pool_after(round_)
        log.rounds.append(round_)
        planter.dealt(log, round_, wish)
        now += timedelta(seconds=(25 if kind == "demo" else 38) + int(draw() * 18))
    planter.record(log)
    return log, pool
