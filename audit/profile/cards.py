"""Cards in foreign notations to compact hands: two characters a card, as ``hands`` keeps them.

Nothing is guessed row by row: one notation holds for a column, and a text that does not fit it
is no hand. A card without suit is its rank and ``?``; one of which only the points are known is
its points and ``p``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from audit.cards import RANKS, SUITS

_SEPARATORS = re.compile(r"[\s,;|\-]+")
_MINUS = re.compile(r"(?:^|[\s,;|])-\d")
"""A number below zero, whose minus would else pass for a separator."""

_SLOTS = re.compile(r"\s*[,;|]\s*")
_LETTERS = tuple("T" if rank == "10" else rank for rank in RANKS)
_RANKS = {
    **dict(zip(RANKS, _LETTERS, strict=True)),
    **{str(number): letter for number, letter in enumerate(_LETTERS, 1)},
    "T": "T",
}
_NAMES = {
    **{"SPADES": "S", "HEARTS": "H", "DIAMONDS": "D", "CLUBS": "C"},
    **{"SPADE": "S", "HEART": "H", "DIAMOND": "D", "CLUB": "C"},
    **{"ACE": "A", "KING": "K", "QUEEN": "Q", "JACK": "J", "TEN": "T", "NINE": "9"},
    **{"EIGHT": "8", "SEVEN": "7", "SIX": "6", "FIVE": "5", "FOUR": "4", "THREE": "3"},
    **{"TWO": "2", "♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D"},
    **{"♧": "C", "\ufe0f": "", "\ufe0e": ""},
}
_LONG = re.compile("|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True)))
_OF = re.compile(r"\s+OF\s+")
_RANK = r"(1[0-3]|[1-9TJQKA])"
_FORMS = {
    "rank-suit": re.compile(rf"{_RANK}[_.:/]?([SHDC])"),
    "suit-rank": re.compile(rf"([SHDC])[_.:/]?{_RANK}"),
}
_UNSPLIT = {
    # Without separators a 1 is not told from the beginning of a 10, nor 11 from two aces.
    "rank-suit": re.compile(r"((?:10|[2-9TJQKA])[SHDC])+"),
    "suit-rank": re.compile(r"([SHDC](?:10|[2-9TJQKA]))+"),
    "rank": re.compile(r"(10|[2-9TJQKA])+"),
}
_PIECES = {
    "rank-suit": re.compile(r"(?:10|[2-9TJQKA])[SHDC]"),
    "suit-rank": re.compile(r"[SHDC](?:10|[2-9TJQKA])"),
    "rank": re.compile(r"10|[2-9TJQKA]"),
}
MOST = 99
"""More cards than this in one cell are no hand."""

PLACES = 6
"""Places of a list of both hands: three cards each."""

POINTS = {letter: min(n, 10) % 10 for n, letter in enumerate(_LETTERS, 1)}
"""Points by the letter of a rank."""

Reader = Callable[[str], str | None]
Said = tuple[str | None, str | None]
DealReader = Callable[..., tuple[str, str] | None]


def reader(notation: str, order: str, empty: frozenset[str], words: Mapping[str, str]) -> Reader:
    """A function from a text to a compact hand: ``""`` for no card, None where it is no hand."""
    one = _one(notation, order)
    named = _named(words) if notation in ("rank-suit", "suit-rank", "rank") else str.upper

    def read(text: str) -> str | None:
        if text.strip().upper() in empty:
            return ""
        if notation.startswith("index") and _MINUS.search(text):
            return None
        tokens = [token for token in _SEPARATORS.split(named(text.strip())) if token]
        whole = _UNSPLIT.get(notation)
        hand = []
        for token in tokens:
            if token in empty:
                continue
            card = one(token)
            if card is not None:
                hand.append(card)
            elif whole is not None and whole.fullmatch(token):
                hand += [one(piece) or "" for piece in _PIECES[notation].findall(token)]
            else:
                return None
        return "".join(hand) if len(hand) <= MOST else None

    return read


def deal_reader(
    notation: str,
    order: str,
    empty: frozenset[str],
    words: Mapping[str, str],
    deal_order: str,
    fifth: tuple[str, ...] | None = None,
) -> DealReader:
    """A function from one list of both hands to Player's and Banker's compact hand.

    An empty place between commas keeps its place. A list of five cards without one does not say
    whose the fifth is; it is no deal, unless ``fifth`` names what tells it (``Cards.fifth``).
    What that says of Player and of Banker is then the function's second argument.
    """
    single = reader(notation, order, empty, words)

    def read(text: str, said: Said = (None, None)) -> tuple[str, str] | None:
        places = places_of(text, single)
        if places is None:
            return None
        if len(places) > PLACES and not any(places[PLACES:]):
            places = places[:PLACES]
        if len(places) == PLACES - 1 and all(places) and fifth is not None:
            return _of_five(places, deal_order, said, counted=bool(fifth))
        if len(places) not in (4, PLACES):
            return None if any(places) else ("", "")
        return _hands(places, deal_order)

    return read


def places_of(text: str, single: Reader) -> list[str] | None:
    """The cards of a list, ``""`` for an empty place; None where one of them is no card."""
    split = _SLOTS.split if _SLOTS.search(text) else _SEPARATORS.split
    cards = [single(token) for token in split(text.strip())]
    places = [card for card in cards if card is not None]
    if len(places) != len(cards) or any(len(card) > 2 for card in places):
        return None
    return places


def _hands(places: list[str], deal_order: str) -> tuple[str, str]:
    if deal_order == "alternate":
        return "".join(places[0::2]), "".join(places[1::2])
    half = len(places) // 2
    first, second = "".join(places[:half]), "".join(places[half:])
    return (first, second) if deal_order == "player_first" else (second, first)


def _of_five(
    cards: list[str], deal_order: str, said: Said, *, counted: bool
) -> tuple[str, str] | None:
    """The one way to part five cards that agrees with what is said of both hands; else None."""
    if deal_order == "alternate":
        ways = [(cards[0::2], cards[1::2]), (cards[0:3:2], [cards[1], *cards[3:]])]
    elif deal_order == "player_first":
        ways = [(cards[:3], cards[3:]), (cards[:2], cards[2:])]
    else:
        ways = [(cards[2:], cards[:2]), (cards[3:], cards[:3])]
    told = tuple(text and text.partition(".")[0] for text in said)
    fitting = [
        ("".join(player), "".join(banker))
        for player, banker in ways
        if told
        == tuple(str(len(hand) if counted else total("".join(hand))) for hand in (player, banker))
    ]
    return fitting[0] if len(fitting) == 1 else None


def total(hand: str) -> int | None:
    """Points of a compact hand (art. 5); None where it has less than two cards."""
    if len(hand) < 4:
        return None
    marks = [hand[at : at + 2] for at in range(0, len(hand), 2)]
    return sum(int(mark[0]) if mark[1] == "p" else POINTS[mark[0]] for mark in marks) % 10


def _named(words: Mapping[str, str]) -> Callable[[str], str]:
    own = {word.upper(): value.upper() for word, value in words.items()}
    longest = sorted(map(re.escape, own), key=len, reverse=True)
    pattern = re.compile("|".join(longest)) if own else None

    def name(text: str) -> str:
        text = text.upper()
        if pattern is not None:
            text = pattern.sub(lambda found: own[found[0]], text)
        return _LONG.sub(lambda found: _NAMES[found[0]], _OF.sub("_", text))

    return name


def _one(notation: str, order: str) -> Reader:
    """A function from the text of one card to its two characters, None where it is no card."""
    match notation:
        case "rank-suit" | "suit-rank":
            return lambda text: _letters(notation, text)
        case "index0":
            return lambda text: _index(text, order, 0)
        case "index1":
            return lambda text: _index(text, order, 1)
        case "hex":
            return lambda text: _hex(text, order)
        case "rank":
            return lambda text: f"{_RANKS[text]}?" if text in _RANKS else None
        case _:
            return _points


def _letters(notation: str, text: str) -> str | None:
    found = _FORMS[notation].fullmatch(text)
    if found is None:
        return None
    rank, suit = found.groups() if notation == "rank-suit" else reversed(found.groups())
    return _RANKS[rank] + suit


def _index(text: str, order: str, first: int) -> str | None:
    """Suit by suit from ace to king; a pack of several decks goes on where the last one ended."""
    if re.fullmatch(r"\d{1,3}", text) is None or not 0 <= int(text) - first < 12 * 52:
        return None
    suit, rank = divmod((int(text) - first) % 52, 13)
    return _LETTERS[rank] + order[suit]


def _hex(text: str, order: str) -> str | None:
    """Two hexadecimal digits: suit 1-4, rank 1-d."""
    if re.fullmatch(r"[1-4][1-9A-D]", text) is None:
        return None
    return _LETTERS[int(text[1], 16) - 1] + order[int(text[0]) - 1]


def _points(text: str) -> str | None:
    if re.fullmatch(r"\d|10", text) is None:
        return None
    return f"{int(text) % 10}p"


def check_words(words: Mapping[str, str]) -> str | None:
    """A word whose meaning is neither rank nor suit; None where all are."""
    known = {*_RANKS, *SUITS, ""}
    return next((word for word, value in words.items() if value.upper() not in known), None)
