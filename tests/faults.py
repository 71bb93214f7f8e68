"""Faults planted in a clean log by editing its rows.

What a row was due is read off the clean log. Each fault changes one round or one of its bets and
has no effect on any other, or returns False and changes nothing. ``salt`` chooses among what
there is to choose.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal

from tests.planting import Log, Row, is_side_bet, key_of, shoe_of

MAIN = ("player", "banker")
EXTRA_CARDS = 5
"""Most third cards added in a run, so that the white card does not come too late by them."""


# Records that differ from the cards


def wrong_total(log: Log, row: Row, salt: int) -> bool:
    hand = ("player", "banker")[salt % 2]
    row[f"{hand}_total"] = str((int(row[f"{hand}_total"]) + 1 + salt % 9) % 10)
    return log.plant("A0501" if hand == "player" else "A0502", row)


def wrong_pair(log: Log, row: Row, salt: int) -> bool:
    hand = ("player", "banker")[salt % 2]
    row[f"{hand}_pair"] = "false" if row[f"{hand}_pair"] == "true" else "true"
    return log.plant("A1302", row, subject=hand)


def wrong_winner(log: Log, row: Row, salt: int) -> bool:
    if row["outcome"] not in MAIN:
        return False
    row["outcome"] = "player" if row["outcome"] == "banker" else "banker"
    return log.plant("A1101", row)


def wrong_tie(log: Log, row: Row, salt: int) -> bool:
    if not row["outcome"]:
        return False
    row["outcome"] = MAIN[salt % 2] if row["outcome"] == "tie" else "tie"
    return log.plant("A1201", row)


# Money


def some_bet(log: Log, row: Row, salt: int, fits: Callable[[Row], bool]) -> Row | None:
    """One settled bet of a round of play that fits."""
    bets = [
        bet
        for bet in log.bets_of[key_of(row)]
        if row["kind"] == "play" and bet["disposition"] == "settled" and fits(bet)
    ]
    return bets[salt % len(bets)] if bets else None


def repay(log: Log, row: Row, bet: Row, code: str, paid: Decimal) -> bool:
    """Pay another amount than the clean log does, which is what was due."""
    due = Decimal(bet["paid"])
    bet["paid"] = str(paid)
    return log.plant(code, row, bet["bet_id"], amount=paid - due)


def lost_bet_paid(log: Log, row: Row, salt: int) -> bool:
    bet = some_bet(log, row, salt, lambda bet: bet["paid"] == "0" and bet["bet"] != "jackpot")
    return bet is not None and repay(log, row, bet, "A1704", Decimal(bet["stake"]) / 2)


def jackpot_paid(log: Log, row: Row, salt: int) -> bool:
    bet = some_bet(log, row, salt, lambda bet: bet["paid"] == "0" and bet["bet"] == "jackpot")
    return bet is not None and repay(log, row, bet, "A1712", Decimal(40))


def won_bet_wrong(log: Log, row: Row, salt: int) -> bool:
    """A won bet gets nothing, a little more than its stake, or more than twice what it could."""
    tie = row["outcome"] == "tie"
    bet = some_bet(
        log,
        row,
        salt,
        lambda bet: bet["paid"] != "0" and bet["bet"] != "jackpot" and not (tie and side(bet)),
    )
    if bet is None:
        return False
    stake, due = Decimal(bet["stake"]), Decimal(bet["paid"])
    code, paid = (
        ("A1703", Decimal(0)),
        ("A1701", stake + Decimal("1.25")),
        ("A1702", max(due, 2 * stake) + Decimal("0.01")),
    )[salt % 3]
    return repay(log, row, bet, code, paid)


def side(bet: Row) -> bool:
    return bet["bet"] in MAIN


def tie_lost_or_won(log: Log, row: Row, salt: int) -> bool:
    if row["outcome"] != "tie":
        return False
    bet = some_bet(log, row, salt, side)
    if bet is None:
        return False
    factor = Decimal(salt % 2) * 2
    return repay(log, row, bet, "A1203" if factor else "A1202", Decimal(bet["stake"]) * factor)


def void_not_returned(log: Log, row: Row, salt: int) -> bool:
    bets = log.bets_of[key_of(row)]
    if row["kind"] != "void" or not bets:
        return False
    bet = bets[salt % len(bets)]
    return repay(log, row, bet, "A1001", Decimal(bet["stake"]) * (salt % 2) * 2)


def wrong_commission(log: Log, row: Row, salt: int) -> bool:
    bet = some_bet(log, row, salt, lambda bet: bet["commission_taken"] != "")
    if bet is None:
        return False
    bet["commission_taken"] = str(Decimal(bet["commission_taken"]) + Decimal("1.5"))
    return log.plant("A1805", row, bet["bet_id"])


# Bets that cannot be


def bet_not_offered(log: Log, row: Row, salt: int) -> bool:
    bet = some_bet(log, row, salt, is_side_bet)
    if bet is None:
        return False
    bet["bet"] = "lucky_6"
    return log.plant("A1301", row, bet["bet_id"])


def stake_of_nothing(log: Log, row: Row, salt: int) -> bool:
    bet = some_bet(log, row, salt, is_side_bet)
    if bet is None:
        return False
    bet["stake"] = ("0", "-50")[salt % 2]
    return log.plant("L10", row, bet["bet_id"])


def cancelled_and_kept(log: Log, row: Row, salt: int) -> bool:
    bet = some_bet(log, row, salt, lambda bet: is_side_bet(bet) and bet["paid"] == "0")
    if bet is None:
        return False
    bet["disposition"] = "cancelled"
    return log.plant("A1701", row, bet["bet_id"], amount=-Decimal(bet["stake"]))


def carried_without_tie(log: Log, row: Row, salt: int) -> bool:
    if row["outcome"] == "tie":
        return False
    bet = some_bet(log, row, salt, lambda bet: side(bet) and bet["commission_taken"] in ("", "0"))
    if bet is None:
        return False
    bet["disposition"] = "carried"
    return log.plant("A1204", row, bet["bet_id"])


def bet_on_demonstration(log: Log, row: Row, salt: int) -> bool:
    if row["kind"] != "demo":
        return False
    like = log.side_bets[row["table_id"]]
    bet = {**like, "shoe_id": row["shoe_id"], "round_no": row["round_no"], "bet_id": "X1"}
    log.bets.append(bet)
    log.bets_of[key_of(row)].append(bet)
    return log.plant("A0206", row, "X1")


# Draws: a card of zero points more or less changes no total and no winner

POINTS = {"A": 1, "10": 0, "J": 0, "Q": 0, "K": 0}


def points(card: str) -> int:
    return POINTS.get(card[:-1]) if card[:-1] in POINTS else int(card[:-1])


BANKER_ALIKE = (0, 1, 2, 3, 6, 7)
"""Banker totals on which a third card of zero and none ask the same of Banker."""


def two_cards(row: Row) -> tuple[int, int]:
    """Player's and Banker's totals on two cards."""
    player, banker = (row[f"{hand}_cards"].split()[:2] for hand in MAIN)
    return sum(map(points, player)) % 10, sum(map(points, banker)) % 10


def zero_withheld(log: Log, row: Row, salt: int) -> bool:
    """A third card of zero points is not given: by Player's, or by Banker's."""
    if row["kind"] == "void":
        return False
    hand = MAIN[salt % 2]
    cards = row[f"{hand}_cards"].split()
    alike = hand == "banker" or two_cards(row)[1] in BANKER_ALIKE
    if len(cards) != 3 or points(cards[2]) != 0 or not alike:
        return False
    row[f"{hand}_cards"] = " ".join(cards[:2])
    return log.plant("A0901" if hand == "player" else "A0904", row)


def zero_against_natural(log: Log, row: Row, salt: int) -> bool:
    return max(two_cards(row)) >= 8 and draw_zero(log, row, MAIN[salt % 2], salt)


def zero_on_6_or_7(log: Log, row: Row, salt: int) -> bool:
    player, banker = two_cards(row)
    lawful = player in (6, 7) and banker in BANKER_ALIKE
    return lawful and draw_zero(log, row, "player", salt)


def zero_for_banker(log: Log, row: Row, salt: int) -> bool:
    return max(two_cards(row)) < 8 and draw_zero(log, row, "banker", salt)


def draw_zero(log: Log, row: Row, hand: str, salt: int) -> bool:
    """Give a hand of two cards a king that it must not have."""
    card, shoe = f"K{'SHDC'[salt % 4]}", shoe_of(row)
    full = log.copies[(*shoe, card)] >= log.decks[shoe]
    late = log.extra == EXTRA_CARDS or log.behind[shoe] < 12 + EXTRA_CARDS
    cards = row[f"{hand}_cards"].split()
    if row["kind"] == "void" or len(cards) != 2 or full or late:
        return False
    codes = ("A0903", "A0906") if max(two_cards(row)) >= 8 else ("A0902", "A0905")
    row[f"{hand}_cards"] += f" {card}"
    log.copies[(*shoe, card)] += 1
    log.extra += 1
    return log.plant(codes[hand == "banker"], row)


# The log itself


def repeated_round(log: Log, row: Row, salt: int) -> bool:
    log.rounds.append(dict(row))
    log.repeated.append(log.rounds[-1])
    return True


def repeated_bet(log: Log, row: Row, salt: int) -> bool:
    bet = some_bet(log, row, salt, lambda _: True)
    if bet is None:
        return False
    log.bets.append(dict(bet))
    log.repeated.append(log.bets[-1])
    return True


def unreadable_round(log: Log, row: Row, salt: int) -> bool:
    if int(row["round_no"]) >= log.white.get(shoe_of(row), 999):
        return False
    column, text = (("player_cards", "KX"), ("started_at", "noon"), ("kind", "game"))[salt % 3]
    row[column] = text
    log.unreadable.append(row)
    return True


def unreadable_bet(log: Log, row: Row, salt: int) -> bool:
    bet = some_bet(log, row, salt, is_side_bet)
    if bet is None:
        return False
    column, text = (("paid", "-1"), ("stake", "1.00001"), ("disposition", "won"))[salt % 3]
    bet[column] = text
    log.unreadable.append(bet)
    return True


def missing_round(log: Log, row: Row, salt: int) -> bool:
    if int(row["round_no"]) >= log.white.get(shoe_of(row), 999):
        return False
    log.rounds[:] = [each for each in log.rounds if each is not row]
    log.deleted.add(key_of(row))
    return True


def clock_backwards(log: Log, row: Row, salt: int) -> bool:
    started = datetime.fromisoformat(row["started_at"]) - timedelta(minutes=10)
    row["started_at"] = str(started)
    return True


FAULTS = (
    wrong_total, wrong_pair, wrong_winner, wrong_tie, lost_bet_paid, jackpot_paid,
    won_bet_wrong, tie_lost_or_won, void_not_returned, wrong_commission, bet_not_offered,
    stake_of_nothing, cancelled_and_kept, carried_without_tie, bet_on_demonstration, zero_withheld,
    zero_against_natural, zero_on_6_or_7, zero_for_banker, repeated_round,
    repeated_bet, unreadable_round, unreadable_bet, missing_round, clock_backwards,
)  # fmt: skip
