"""Art. 5: totals modulo ten."""

from __future__ import annotations

import polars as pl

from audit.checks.base import Breach, check


def _wrong_total(hand: str) -> Breach:
    recorded, by_cards = pl.col(f"{hand}_total"), pl.col(f"by_{hand}_total")
    return Breach(
        scope=pl.col("complete"),
        needs=(f"{hand}_total",),
        breaks=recorded != by_cards,
        expected=by_cards.cast(pl.String),
        recorded=recorded.cast(pl.String),
        basis=("card_points",),
        evidence={"recorded": recorded, "expected": by_cards},
    )


@check("A0501", "5", "violation", record_only=True)
def player_total() -> Breach:
    """The recorded Player total differs from the cards.

    What it checks: the Player total of the log against the cards, added modulo ten with face
    cards and tens as zero.
    Why it matters: the total decides winner and payouts; a wrong one hides a wrong settlement.
    Not flagged: rounds without a recorded total, or with an initial card missing. It is only
    a warning where the round has bets and all of them were settled by the cards.
    Example: Player holds K 7 and the log says 8: by the cards it is 7.
    """
    return _wrong_total("player")


@check("A0502", "5", "violation", record_only=True)
def banker_total() -> Breach:
    """The recorded Banker total differs from the cards.

    What it checks: the Banker total of the log against the cards, added modulo ten with face
    cards and tens as zero.
    Why it matters: the total decides winner and payouts; a wrong one hides a wrong settlement.
    Not flagged: rounds without a recorded total, or with an initial card missing. It is only
    a warning where the round has bets and all of them were settled by the cards.
    Example: Banker holds 9 4 2 and the log says 6: by the cards it is 5.
    """
    return _wrong_total("banker")


CHECKS = (player_total, banker_total)
