"""Jackpot combinations and prizes in the replay: art. 13(1)(4)(2), art. 17(4)-(6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from audit.cards import TEXT
from audit.replay import Hand, replay_hand
from audit.replay.dues import BetDue
from audit.replay.jackpot import Jackpot, jackpot_due, judge_jackpot
from audit.replay.record import RecordedBet
from audit.rulebook import load_rulebook

NEWEST = load_rulebook().get("64-2007")
RULE = NEWEST.bets["jackpot"]
CODE = {text: code for code, text in enumerate(TEXT)}
POOL = Decimal(700000)

ROYAL = "AS 10S JS / KS QS 4D"
PARADISE = "AH 10S JS / KS QS 4D"
FOUR_SUITS = "9S 9H / 9D 9C"
FOUR_OF_ONE_SUIT = "9S 9S / 9S 9S"
THREE = "9S 9H / 9D KC"
NONE = "9S 8H / KD 7C"


def hand(text: str) -> Hand:
    player, banker = ([CODE[word] for word in side.split()] for side in text.split("/"))
    return replay_hand(player, banker, NEWEST)


def bet(bet_id: str = "1", holder: str = "", paid: int = 0, how: str = "settled") -> RecordedBet:
    return RecordedBet(
        bet_id=bet_id,
        bet="jackpot",
        currency="MOP",
        position="",
        patron_id=holder,
        stake=Decimal(10),
        paid=Decimal(paid),
        commission_taken=None,
        disposition=how,
        due=None,
        standing="jackpot",
    )


def judged(text: str, readings: Mapping[str, str] | None = None) -> Jackpot:
    return judge_jackpot(RULE, hand(text), [bet()], POOL, readings or {})


def due(
    text: str,
    bets: Sequence[RecordedBet] = (),
    readings: Mapping[str, str] | None = None,
    pool: Decimal | None = POOL,
) -> BetDue:
    bets = bets or [bet()]
    return jackpot_due(bets[0], NEWEST, hand(text), bets, pool, readings or {})


@pytest.mark.parametrize(
    ("text", "dealt"),
    [
        (ROYAL, "royal"),
        # Banker's third card is the fifth where Player took none.
        ("10S 6S / AS 4D KS", ""),
        ("JS 6S / QS KS 4D", ""),
        (PARADISE, "paradise"),
        ("AS 10S JH / KS QS 4D", ""),
        (FOUR_SUITS, "four_of_a_kind three_of_a_kind single_pair"),
        ("9S 9H / KD KC", "two_pairs single_pair"),
        (THREE, "three_of_a_kind single_pair"),
        ("9S KH / 9D 9C", "three_of_a_kind single_pair"),
        ("9S KH / KD KC", "three_of_a_kind single_pair"),
        ("9S KH / KD 9C", ""),
        ("9S 8H / KD KC", "single_pair"),
        ("9S 8H / KD QC", ""),
    ],
)
def test_article_13_combinations(text: str, dealt: str) -> None:
    assert [each.id for each in judged(text).dealt] == dealt.split()


@pytest.mark.parametrize(
    ("reading", "one_suit", "four_suits"),
    [("any", True, True), ("not_one_suit", False, True), ("distinct", False, True)],
)
def test_the_suits_of_four_of_a_kind_are_open(
    reading: str, one_suit: bool, four_suits: bool
) -> None:
    pinned = {"four_of_a_kind_suits": reading}
    for text, expected in ((FOUR_OF_ONE_SUIT, one_suit), (FOUR_SUITS, four_suits)):
        dealt = [each.id for each in judged(text, pinned).dealt]
        assert ("four_of_a_kind" in dealt) is expected
    assert judged(FOUR_OF_ONE_SUIT).disputed == ("four_of_a_kind",)
    assert judged(FOUR_SUITS).disputed == ()


def test_what_cannot_be_told_from_the_cards_recorded() -> None:
    assert judged("A 10 J / K Q 4").unknown == ("royal", "paradise")
    assert judged("9 9 / 9 9").unknown == ("four_of_a_kind",)
    assert len(judged("9p 9p / 9p 9p").unknown) == 4
    assert due("9p 9p / 9p 9p").standing == "unjudged"


def test_nothing_dealt_nothing_due() -> None:
    lost = due(NONE)
    assert (lost.standing, lost.due) == ("lost", 0)
    assert lost.fits(bet(paid=0))
    assert not lost.fits(bet(paid=5))


def test_article_17_4_the_pool_is_shared() -> None:
    assert due(ROYAL).due == POOL
    two = [bet("1", "P1"), bet("2", "P2")]
    assert due(ROYAL, two).due == POOL / 2
    # One paid by hand takes its share too.
    assert due(ROYAL, [bet("1", "P1"), bet("2", "P2", how="handpay")]).due == POOL / 2
    assert due(ROYAL, [bet("1", "P1"), bet("2", "P2", how="cancelled")]).due == POOL
    assert due(ROYAL, pool=None).due is None


def test_a_share_that_no_decimal_can_write_is_right_within_a_cent() -> None:
    third = due(ROYAL, [bet(str(n), f"P{n}") for n in range(3)], pool=Decimal(1000))
    assert third.due is None
    paid = {text: third.fits(replace(bet(), paid=Decimal(text))) for text in PAID}
    assert paid == {"333.33": True, "333.34": True, "333.32": False, "333.35": False}


PAID = ("333.33", "333.34", "333.32", "333.35")


def test_persons_or_bets_is_open() -> None:
    three = [bet("1", "P1"), bet("2", "P2"), bet("3", "P2")]
    assert due(ROYAL, three).due is None
    assert due(ROYAL, three, {"jackpot_share": "patrons"}).due == POOL / 2
    third = due(ROYAL, three, {"jackpot_share": "bets"})
    assert third.fits(replace(bet(), paid=Decimal("233333.33")))
    # A person's share falls on all of his bets together.
    mine = [three[1], three[0], three[2]]
    assert due(ROYAL, mine, {"jackpot_share": "patrons"}).due is None


@pytest.mark.parametrize("text", [PARADISE, FOUR_SUITS, THREE])
def test_a_prize_that_hangs_on_the_house_stays_open(text: str) -> None:
    won = due(text)
    assert (won.standing, won.due, won.accepted) == ("won", None, ())


def test_what_the_pool_gives() -> None:
    (royal,) = judged(ROYAL).dealt
    (paradise,) = judged(PARADISE).dealt
    assert judged(ROYAL).pool_prize(royal) == POOL
    assert judged(PARADISE).pool_prize(paradise) == POOL / 10
    assert judged(THREE).pool_prize(judged(THREE).dealt[0]) is None


def test_winners_are_counted_as_bets_and_as_persons() -> None:
    bets = [bet("1", "P1"), bet("2", "P1"), bet("3"), bet("4"), bet("5", "P2", how="cancelled")]
    told = judge_jackpot(RULE, hand(ROYAL), bets, POOL, {})
    assert (told.bets, told.persons) == (4, 3)
