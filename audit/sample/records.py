"""What the generator knows of a shoe, and the text rows that a log holds of it.

Money is in whole cents here. A row is a tuple of text in the order of the column lists below;
empty text means not recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from audit.cards import TEXT
from audit.sample.dealing import Hand, pair, total, winner

Row = tuple[str, ...]

ROUND_COLUMNS = (
    "casino",
    "table_id",
    "shoe_id",
    "round_no",
    "started_at",
    "kind",
    "void_reason",
    "player_cards",
    "banker_cards",
    "withdrawn_cards",
    "player_total",
    "banker_total",
    "outcome",
    "player_pair",
    "banker_pair",
    "commission",
    "burned",
    "cut_card",
    "jackpot_pool",
    "dealer_id",
)

BET_COLUMNS = (
    "casino",
    "table_id",
    "shoe_id",
    "round_no",
    "currency",
    "bet_id",
    "position",
    "patron_id",
    "bet",
    "stake",
    "paid",
    "commission_taken",
    "disposition",
)

FAULT_COLUMNS = (
    "code",
    "casino",
    "table_id",
    "shoe_id",
    "round_no",
    "bet_id",
    "subject",
    "amount",
)


@dataclass(slots=True)
class Expected:
    """One finding that the log must give.

    ``place`` is set while writing, where the subject is a row of a file: (table, rows before it).
    """

    code: str
    round_no: int
    bet_id: str = ""
    subject: str = ""
    amount: int | None = None
    place: tuple[str, int] | None = None


@dataclass(slots=True)
class Repeat:
    """A second row for one key: what differs in it, and the finding that it gives."""

    changed: dict[str, str]
    finding: Expected


@dataclass(slots=True)
class Bet:
    """One bet, in cents. ``taken`` is the commission as recorded, None where it is not.

    ``changed`` overrides recorded text by column name; ``reject`` is the finding of a row that
    ``changed`` makes unreadable.
    """

    number: int
    position: str
    patron: str
    bet: str
    stake: int
    paid: int = 0
    taken: int | None = None
    disposition: str = "settled"
    changed: dict[str, str] | None = None
    reject: Expected | None = None
    repeat: Repeat | None = None

    @property
    def id(self) -> str:
        """The bet id as recorded."""
        return str(self.number)


@dataclass(slots=True)
class Truth:
    """What a round is by its cards."""

    player_total: int
    banker_total: int
    winner: str
    player_pair: bool
    banker_pair: bool

    @classmethod
    def of(cls, hand: Hand) -> Truth:
        """The truth about a hand of four cards or more."""
        player_total, banker_total = total(hand.player), total(hand.banker)
        return cls(
            player_total,
            banker_total,
            winner(player_total, banker_total),
            pair(hand.player),
            pair(hand.banker),
        )


@dataclass(slots=True)
class Round:
    """One round: dealt, bet on, and what the log says of it where that is not the truth."""

    number: int
    kind: str
    started: datetime
    hand: Hand
    truth: Truth
    dealer: str = ""
    void_reason: str = ""
    burned: int = 0
    cut: bool = False
    pool: int | None = None
    bets: list[Bet] = field(default_factory=list)
    strays: list[Bet] = field(default_factory=list)
    fault: str = ""
    absent: bool = False
    changed: dict[str, str] | None = None
    reject: Expected | None = None
    repeat: Repeat | None = None


@dataclass(slots=True)
class ShoeLog:
    """One shoe of one table, with the findings planted in it."""

    casino: str
    table: str
    shoe: str
    currency: str
    device: str
    decks: int
    commission: str
    opened: datetime
    burn_rule: str = ""
    first_card: str = ""
    burned: str = ""
    cut_card_from_end: str = ""
    rounds: list[Round] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)


@lru_cache(maxsize=65536)
def money(cents: int) -> str:
    """Cents as decimal text without trailing zeros: ``97.5``, ``-20``."""
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}{whole}.{part:02d}".rstrip("0") if part else f"{sign}{whole}"


def with_changes(row: Row, columns: tuple[str, ...], changed: dict[str, str]) -> Row:
    """The row with other text in the columns that ``changed`` names."""
    return tuple(changed.get(column, cell) for column, cell in zip(columns, row, strict=True))


def shoe_row(log: ShoeLog) -> Row:
    """The shoe's row in ``shoes``, in the order of that table's canonical columns."""
    return (
        log.casino,
        log.table,
        log.shoe,
        log.device,
        str(log.decks),
        log.burn_rule,
        log.first_card,
        log.burned,
        log.cut_card_from_end,
        log.commission,
        str(log.opened),
    )


def cards_text(cards: list[int]) -> str:
    """Cards as ``KS 5H 7D``."""
    return " ".join([TEXT[card] for card in cards])


def round_row(log: ShoeLog, deal: Round) -> Row:
    """The round's row, its overrides applied."""
    hand, truth = deal.hand, deal.truth
    row = (
        log.casino,
        log.table,
        log.shoe,
        str(deal.number),
        str(deal.started),
        deal.kind,
        deal.void_reason,
        cards_text(hand.player),
        cards_text(hand.banker),
        cards_text(hand.withdrawn),
        str(truth.player_total),
        str(truth.banker_total),
        "" if deal.kind == "void" else truth.winner,
        "true" if truth.player_pair else "false",
        "true" if truth.banker_pair else "false",
        log.commission,
        str(deal.burned) if deal.burned else "",
        "" if log.device == "auto" else "true" if deal.cut else "false",
        "" if deal.pool is None else f"{deal.pool // 100}.{deal.pool % 100:02d}",
        deal.dealer,
    )
    return with_changes(row, ROUND_COLUMNS, deal.changed) if deal.changed else row


def bet_row(log: ShoeLog, deal: Round, bet: Bet) -> Row:
    """The bet's row, its overrides applied."""
    row = (
        log.casino,
        log.table,
        log.shoe,
        str(deal.number),
        log.currency,
        str(bet.number),
        bet.position,
        bet.patron,
        bet.bet,
        money(bet.stake),
        money(bet.paid),
        "" if bet.taken is None else money(bet.taken),
        bet.disposition,
    )
    return with_changes(row, BET_COLUMNS, bet.changed) if bet.changed else row
