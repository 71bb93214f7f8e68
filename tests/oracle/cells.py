"""From the text of one cell to a value, or `CellError` (log format, sections 1 to 4)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from tests.oracle.model import Card

OUTCOMES = {
    "player": ("player", "p", "閒", "闲", "jogador", "ponto"),
    "banker": ("banker", "b", "莊", "庄", "banca", "banco"),
    "tie": ("tie", "t", "和", "和局", "empate"),
}
OUTCOME_WORDS = {word: name for name, words in OUTCOMES.items() for word in words}
TRUE = ("true", "1", "yes", "y", "t")
FALSE = ("false", "0", "no", "n", "f")
SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
MACAU = timedelta(hours=8)
CARD = re.compile(r"(10|[2-9TJQKA])([SHDC])")
SEPARATORS = re.compile(r"[\s,;|\-]+")


class CellError(ValueError):
    """The cell cannot be read: its row is rejected."""


def whole(text: str, low: int, high: int | None = None) -> int:
    """A whole number in a range."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise CellError(f"{text!r} is not a whole number")
    value = int(text)
    if value < low or (high is not None and value > high):
        raise CellError(f"{text!r} is out of range")
    return value


def money(text: str, *, negative: bool = True) -> Decimal:
    """An exact amount with at most four decimals."""
    if not re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)", text):
        raise CellError(f"{text!r} is not an amount")
    value = Decimal(text)
    if value != value.quantize(Decimal("0.0001")):
        raise CellError(f"{text!r} has more than four decimals")
    if value < 0 and not negative:
        raise CellError(f"{text!r} is negative")
    return value


def boolean(text: str) -> bool:
    word = text.lower()
    if word in TRUE:
        return True
    if word in FALSE:
        return False
    raise CellError(f"{text!r} is neither true nor false")


def choice(text: str, allowed: tuple[str, ...]) -> str:
    word = text.lower()
    if word not in allowed:
        raise CellError(f"{text!r} is none of {', '.join(allowed)}")
    return word


def outcome(text: str) -> str:
    """A word for the winner; an unknown word rejects the row."""
    word = OUTCOME_WORDS.get(text.lower())
    if word is None:
        raise CellError(f"{text!r} is no outcome")
    return word


def bet(text: str) -> str:
    """The bet's id; an unknown word stays as it is: A1301, never a reject."""
    return OUTCOME_WORDS.get(text.lower(), text.lower())


def day(text: str) -> date:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        raise CellError(f"{text!r} is no date")
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise CellError(f"{text!r} is no date") from error


def timestamp(text: str) -> datetime:
    """Naive Macau time; a time with an offset is converted (UTC+8, no daylight saving)."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError as error:
        raise CellError(f"{text!r} is no timestamp") from error
    if value.tzinfo is None:
        return value
    return value.astimezone(UTC).replace(tzinfo=None) + MACAU


def card(text: str) -> Card:
    cards = hand(text)
    if len(cards) != 1:
        raise CellError(f"{text!r} is not one card")
    return cards[0]


def hand(text: str) -> tuple[Card, ...]:
    """Cards in the notation rank-suit, with or without separators."""
    for sign, letter in SUITS.items():
        text = text.replace(sign, letter)
    cards: list[Card] = []
    for part in SEPARATORS.split(text.upper()):
        cards += _run(part)
    return tuple(cards)


def _run(part: str) -> list[Card]:
    cards: list[Card] = []
    at = 0
    while at < len(part):
        match = CARD.match(part, at)
        if match is None:
            raise CellError(f"{part!r} is no card")
        rank, suit = match.groups()
        cards.append(Card("10" if rank == "T" else rank, suit))
        at = match.end()
    return cards
