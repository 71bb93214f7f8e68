"""What one chaotic log is like as a whole: its tables, columns, places, faults, notations."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.oracle.model import Card, Slots

CHANGES = (
    datetime(2004, 5, 18),
    datetime(2005, 11, 29),
    datetime(2007, 2, 23),
    datetime(2007, 6, 26),
    datetime(2009, 1, 1),
    datetime(2011, 9, 27),
)
ORDINARY = (
    datetime(2004, 5, 10, 14),
    datetime(2004, 9, 6, 14),
    datetime(2005, 12, 31, 23, 50),
    datetime(2006, 5, 10, 14),
    datetime(2007, 3, 20, 10),
    datetime(2007, 6, 1, 1),
    datetime(2007, 9, 5, 14),
    datetime(2007, 9, 5, 14),
    datetime(2008, 10, 10, 10),
    datetime(2009, 1, 31, 23, 57),
    datetime(2009, 7, 1, 12),
    datetime(2011, 10, 2, 9),
)
RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
DECK = [Card(rank, suit) for suit in "SHDC" for rank in RANKS]
DROPPABLE = {
    "rounds": (
        *("kind", "void_reason", "withdrawn_cards", "player_total", "banker_total", "outcome"),
        *("player_pair", "banker_pair", "commission", "burned", "cut_card", "jackpot_pool"),
        "dealer_id",
    ),
    "bets": ("currency", "bet_id", "position", "patron_id", "commission_taken", "disposition"),
    "shoes": (
        *("device", "decks", "burn_rule", "first_card", "burned", "cut_card_from_end"),
        *("commission", "opened_at"),
    ),
    "limits": ("table_id", "min_stake", "max_stake"),
    "jackpot_prizes": ("table_id", "approved_on"),
    "authorisations": ("table_id", "planned_for", "adopted_on", "ended_on"),
}


@dataclass
class Style:
    """The habits of one log, drawn once from its seed."""

    rng: random.Random
    fault: float = 0.15
    tables: set[str] = field(default_factory=set)
    dropped: set[tuple[str, str]] = field(default_factory=set)
    casinos: list[str] = field(default_factory=list)
    currencies: list[str] = field(default_factory=list)
    six_columns: bool = False
    words: bool = False
    shuffled: bool = False
    split_files: bool = False
    card_style: str = "spaced"
    running_ids: bool = False

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def faulty(self, weight: float = 1.0) -> bool:
        """Whether a fault is planted here; `weight` makes it rarer or more frequent."""
        return self.rng.random() < self.fault * weight


def draw_style(rng: random.Random) -> Style:
    """A mixture that no other seed has: some logs near-clean, some a heap of faults."""
    style = Style(rng)
    style.fault = rng.choice((0.01, 0.05, 0.15, 0.15, 0.3, 0.6))
    optional = ("bets", "shoes", "authorisations", "jackpot_prizes", "limits")
    style.tables = {"rounds", *(name for name in optional if rng.random() < 0.82)}
    for table, columns in DROPPABLE.items():
        if rng.random() < 0.35:
            style.dropped |= {(table, column) for column in columns if rng.random() < 0.2}
    names = ["Lotus", "Sun", "Pearl", "Sands, Macau", "金沙"]
    style.casinos = rng.sample(names, rng.choice((1, 2, 3)))
    if rng.random() < 0.15:
        style.casinos = ["-"]
        style.dropped |= {(table, "casino") for table in ("rounds", *optional)}
    style.currencies = rng.choice((["HKD"], ["HKD", "MOP"], ["HKD", "MOP", "CNY", ""]))
    style.six_columns = rng.random() < 0.2
    style.words = rng.random() < 0.4
    style.shuffled = rng.random() < 0.7
    style.split_files = rng.random() < 0.25
    style.card_style = rng.choice(("spaced", "spaced", "mixed", "signs"))
    style.running_ids = rng.random() < 0.2
    return style


# --- text of values ------------------------------------------------------------------------------


def time_text(style: Style, when: datetime) -> str:
    """A Macau time, local or with an offset, always the same instant."""
    form = style.rng.randrange(6)
    if form == 0:
        return when.isoformat(sep=" ")
    if form == 1:
        return when.isoformat() + "+08:00"
    if form == 2:
        return (when - timedelta(hours=8)).isoformat() + "Z"
    if form == 3:
        return (when - timedelta(hours=13)).isoformat() + "-05:00"
    if form == 4:
        return (when - timedelta(hours=2, minutes=30)).isoformat() + "+05:30"
    return when.isoformat()


def card_text(style: Style, card: Card) -> str:
    rank = style.rng.choice(("10", "T")) if card.rank == "10" else card.rank
    text = rank + card.suit
    if style.card_style == "mixed" and style.chance(0.3):
        return text.lower()
    if style.card_style == "signs":
        return rank + dict(zip("SHDC", "♠♥♦♣", strict=True))[card.suit]
    return text


def hand_text(style: Style, hand: Slots) -> str:
    """A hand in one cell; separators as the contract allows them."""
    between = " "
    if style.card_style == "mixed":
        between = style.rng.choice((" ", ",", ", ", ";", "-", "|", ""))
    return between.join(card_text(style, card) for card in hand if card is not None)


WORDS = {
    "player": ("player", "P", "p", "閒", "闲", "Jogador", "ponto"),
    "banker": ("banker", "B", "b", "莊", "庄", "banca", "Banco"),
    "tie": ("tie", "T", "t", "和", "和局", "Empate"),
}


def outcome_text(style: Style, word: str) -> str:
    if style.words and word in WORDS:
        return style.rng.choice(WORDS[word])
    return word


def boolean_text(style: Style, value: bool) -> str:
    if not style.words:
        return "true" if value else "false"
    forms = ("true", "1", "Yes", "y", "T") if value else ("false", "0", "NO", "n", "F")
    return style.rng.choice(forms)
