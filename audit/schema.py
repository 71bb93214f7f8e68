"""The canonical tables: each column named, typed and explained in one place.

Source: the log format. A reader delivers every column as text; ``audit.normalise`` types it as
said here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

KINDS = ("play", "demo", "void", "free")
OUTCOMES = ("player", "banker", "tie")
SCHEMES = ("commission", "no_commission")
DISPOSITIONS = ("settled", "carried", "cancelled", "handpay")
DEVICES = ("shoe", "auto")
BURN_RULES = ("decks", "first_card", "fixed")
COMBINATIONS = ("paradise", "four_of_a_kind", "two_pairs", "three_of_a_kind", "single_pair")
OPTIONS = (
    "art2_first_card",
    "art2_demonstration",
    "art3_one_more",
    "art7_auto",
    "art12_carry",
    "art13_pairs",
    "art13_jackpot",
    "art18_no_commission",
)

OUTCOME_WORDS = {
    **dict.fromkeys(("player", "p", "閒", "闲", "jogador", "ponto"), "player"),
    **dict.fromkeys(("banker", "b", "莊", "庄", "banca", "banco"), "banker"),
    **dict.fromkeys(("tie", "t", "和", "和局", "empate"), "tie"),
}
"""Words for an outcome, and for the bet on it, in lower case."""

BOOLEAN_WORDS = {
    **dict.fromkeys(("true", "1", "yes", "y", "t"), True),
    **dict.fromkeys(("false", "0", "no", "n", "f"), False),
}


class Kind(Enum):
    """How a cell's text is typed."""

    TEXT = "text"
    COUNT = "whole number"
    NUMBER = "whole number of 1 or more"
    POINTS = "whole number from 0 to 9"
    TIME = "ISO 8601 date and time, such as 2007-06-25 23:59:59 or 2007-06-25T15:59:59Z"
    DATE = "date such as 2007-06-25"
    WORD = "one of a list of words"
    BET = "bet"
    BOOLEAN = "true or false"
    CARDS = "cards such as KS 5H 7D"
    CARD = "one card such as KS"
    MONEY = "decimal number with at most four decimals"
    MONEY_GAIN = "decimal number of 0 or more with at most four decimals"


@dataclass(frozen=True, slots=True)
class Column:
    """One canonical column. ``words`` maps accepted lower-case words to the canonical one."""

    name: str
    kind: Kind
    about: str
    required: bool = False
    default: str | None = None
    words: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One canonical table; ``key`` names the columns that anchor its rows."""

    name: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def column(self, name: str) -> Column:
        """The column called ``name``; KeyError where there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)


def _words(*names: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, name) for name in names)


_CASINO = Column("casino", Kind.TEXT, "property", default="-")
_TABLE = Column("table_id", Kind.TEXT, "gaming table", required=True)
_SHOE = Column("shoe_id", Kind.TEXT, "one filled shoe, unique within its table", required=True)
_ROUND = Column("round_no", Kind.NUMBER, "position in the shoe, demonstrations included", True)
_SCHEME = Column("commission", Kind.WORD, "scheme in use (art. 18)", words=_words(*SCHEMES))
_ANY_TABLE = Column("table_id", Kind.TEXT, "gaming table; empty: all tables of the casino")

CARD_COLUMNS = tuple(f"{hand}_{n}" for hand in ("player", "banker") for n in (1, 2, 3))
"""The six columns that may stand instead of ``player_cards`` and ``banker_cards``."""

ROUNDS = Table(
    "rounds",
    ("casino", "table_id", "shoe_id", "round_no"),
    (
        _CASINO,
        _TABLE,
        _SHOE,
        _ROUND,
        Column("started_at", Kind.TIME, "Macau time, or with an offset", required=True),
        Column("kind", Kind.WORD, "kind of round", default="play", words=_words(*KINDS)),
        Column("void_reason", Kind.TEXT, "why the round is void (art. 10)"),
        Column("player_cards", Kind.CARDS, "Player's cards in the order received", required=True),
        Column("banker_cards", Kind.CARDS, "Banker's cards in the order received", required=True),
        *(Column(name, Kind.CARD, "one card of a hand") for name in CARD_COLUMNS),
        Column("withdrawn_cards", Kind.CARDS, "cards taken out while an error was put right"),
        Column("player_total", Kind.POINTS, "Player total as recorded"),
        Column("banker_total", Kind.POINTS, "Banker total as recorded"),
        Column("outcome", Kind.WORD, "outcome as recorded", words=tuple(OUTCOME_WORDS.items())),
        Column("player_pair", Kind.BOOLEAN, "Player pair as recorded"),
        Column("banker_pair", Kind.BOOLEAN, "Banker pair as recorded"),
        _SCHEME,
        Column("burned", Kind.COUNT, "cards burned just before this round (art. 8)"),
        Column("cut_card", Kind.BOOLEAN, "the white card came out in this round"),
        Column("jackpot_pool", Kind.MONEY, "accumulated pool just before this round"),
        Column("dealer_id", Kind.TEXT, "dealer"),
    ),
)

BETS = Table(
    "bets",
    ("casino", "table_id", "shoe_id", "round_no"),
    (
        _CASINO,
        _TABLE,
        _SHOE,
        _ROUND,
        Column("currency", Kind.TEXT, "money is summed by currency"),
        Column("bet_id", Kind.TEXT, "unique within the round"),
        Column("position", Kind.TEXT, "seat or standing place"),
        Column("patron_id", Kind.TEXT, "pseudonymous"),
        Column("bet", Kind.BET, "bet id of the rule set", required=True),
        Column("stake", Kind.MONEY, "amount staked", required=True),
        Column("paid", Kind.MONEY_GAIN, "all that went back to the bettor", required=True),
        Column("commission_taken", Kind.MONEY_GAIN, "commission kept on this bet"),
        Column(
            "disposition",
            Kind.WORD,
            "what became of the bet",
            default="settled",
            words=_words(*DISPOSITIONS),
        ),
    ),
)

SHOES = Table(
    "shoes",
    ("casino", "table_id", "shoe_id"),
    (
        _CASINO,
        _TABLE,
        _SHOE,
        Column("device", Kind.WORD, "shoe or auto", default="shoe", words=_words(*DEVICES)),
        Column("decks", Kind.NUMBER, "number of decks (art. 1)"),
        Column("burn_rule", Kind.WORD, "rule for the burn (art. 2)", words=_words(*BURN_RULES)),
        Column("first_card", Kind.CARD, "card that set the burn"),
        Column("burned", Kind.COUNT, "cards burned at the start of the shoe"),
        Column("cut_card_from_end", Kind.COUNT, "cards behind the white card"),
        _SCHEME,
        Column("opened_at", Kind.TIME, "when the shoe was opened"),
    ),
)

AUTHORISATIONS = Table(
    "authorisations",
    ("casino", "table_id"),
    (
        _CASINO,
        Column("option", Kind.WORD, "option of art. 19", required=True, words=_words(*OPTIONS)),
        Column("requested_on", Kind.DATE, "date of the application", required=True),
        Column("authorised_on", Kind.DATE, "date of the authorisation"),
        Column("planned_for", Kind.DATE, "planned adoption"),
        Column("adopted_on", Kind.DATE, "adoption"),
        Column("ended_on", Kind.DATE, "end of the authorisation"),
        _ANY_TABLE,
    ),
)

JACKPOT_PRIZES = Table(
    "jackpot_prizes",
    ("casino", "table_id"),
    (
        _CASINO,
        Column(
            "combination",
            Kind.WORD,
            "jackpot combination (art. 13)",
            required=True,
            words=_words(*COMBINATIONS),
        ),
        Column("amount", Kind.MONEY_GAIN, "fixed amount (art. 17)", required=True),
        Column("approved_on", Kind.DATE, "date of DICJ's approval"),
        Column("valid_from", Kind.DATE, "first day of the amount", required=True),
        _ANY_TABLE,
    ),
)

LIMITS = Table(
    "limits",
    ("casino", "table_id"),
    (
        _CASINO,
        _ANY_TABLE,
        Column("bet", Kind.BET, "bet id, or difference (art. 14)", required=True),
        Column("min_stake", Kind.MONEY_GAIN, "least stake"),
        Column("max_stake", Kind.MONEY_GAIN, "greatest stake"),
        Column("valid_from", Kind.DATE, "first day of the limits", required=True),
    ),
)

TABLES = (ROUNDS, BETS, SHOES, AUTHORISATIONS, JACKPOT_PRIZES, LIMITS)
