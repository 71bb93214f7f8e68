"""Card text to card codes, for whole columns at once."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from audit.cards import DECK, POINTS_ONLY, RANK_ONLY, RANKS, SUITS, code_of

SEPARATORS = r"[\s,;|\-]"
"""What may stand between the cards of a hand."""

_CARD = "(?:10|[2-9TJQKA])[SHDC]"
_HAND = rf"^{SEPARATORS}*{_CARD}(?:{SEPARATORS}*{_CARD})*{SEPARATORS}*$"
_ONE = rf"^{_CARD}$"

_USUAL = {
    **{letter.lower(): letter for letter in "TJQKA" + SUITS},
    **dict(zip("♠♥♦♣", SUITS, strict=True)),
    **dict(zip("♤♡♢♧", SUITS, strict=True)),
    "\N{VARIATION SELECTOR-16}": "",
    "\N{VARIATION SELECTOR-15}": "",
}

_TO_NOTHING = {**dict.fromkeys(" ,;|-", ""), "10": "T"}
"""The usual separators go and a ten becomes one character, in one pass."""

_LETTERS = ["T" if name == "10" else name for name in RANKS]
_CODES = {
    **{
        name + mark: code_of(rank, suit)
        for suit, mark in enumerate(SUITS)
        for rank, name in enumerate(_LETTERS, 1)
    },
    **{f"{name}?": RANK_ONLY + place for place, name in enumerate(_LETTERS)},
    **{f"{points}p": POINTS_ONLY + points for points in range(10)},
}
"""Code by the two characters to which each card is brought.

``K?`` is a card of unknown suit, ``5p`` one of which only the points are known: only a profile
makes them, since no canonical text reads so.
"""

_BY_NUMBER = (
    pl.Series([None], dtype=pl.UInt8)
    .new_from_index(0, 1 << 16)
    .scatter([int.from_bytes(text.encode(), "little") for text in _CODES], list(_CODES.values()))
)
"""Code by the same two characters read as one number."""

MOST = 99
"""More cards than this in one cell are no hand."""

DEALT = ("player_cards", "banker_cards")
"""Columns of the hands that are dealt."""

PLACES = 3
"""Cards of a hand that have a column of their own."""


def compact(text: pl.Series, *, single: bool = False) -> pl.Series:
    """Hands in the notation rank-suit as two characters a card: ``10♥ ks`` to ``THKS``.

    ``single``: exactly one card. Null where the text is null or no hand.
    """
    form = _ONE if single else _HAND
    sound = text.str.contains(form)
    if not sound.all():
        # Small letters and symbols are the exception, and dear to look for.
        text = text.str.replace_many(_USUAL)
        sound = text.str.contains(form)
    text = text.zip_with(sound, pl.Series([None], dtype=pl.String))
    if single:
        return text.str.replace("10", "T", literal=True)
    bare = text.str.replace_many(_TO_NOTHING)
    if bare.str.contains(r"[^0-9A-Z]").any():
        bare = bare.str.replace_all(SEPARATORS, "")
    return bare.zip_with(bare.str.len_bytes() <= 2 * MOST, pl.Series([None], dtype=pl.String))


_BLANK, _NO_CARD = 0x20, 0x2020


@dataclass(frozen=True, slots=True)
class Packed:
    """A column of hands: its ``text`` without blanks around it, ``numbers`` and ``others``."""

    text: pl.Series
    numbers: pl.Series
    others: pl.Series


def packed(text: pl.Series) -> Packed | None:
    """Hands of up to three cards as numbers, and the others as compact hands.

    Nearly all hands of a log are written like ``KS 10H 2D``: their eight characters, a ten being
    ``T``, are a number (UInt64), and no search is needed for how else they might be written. A
    hand that is not has its place among the others instead; it is null where it is none. None
    where hardly any hand is written so.
    """
    if text.null_count() == text.len():
        return None
    hand, size = _eight(text)
    # Few hands have a ten; what is one character longer for it did not fit.
    long = (hand.is_null() & text.is_not_null()).arg_true()
    more, sizes = _eight(text.gather(long).str.replace_all("10", "T", literal=True))
    hand, size = hand.scatter(long, more), size.scatter(long, sizes)
    if (hand.len() - hand.null_count()) * 2 < text.len():
        return None
    usual = (_part(hand, 16, 1) == _BLANK) & (_part(hand, 40, 1) == _BLANK)
    for place, least in enumerate((2, 5, 8)):
        # No more than 51, which is a card with its suit: only a profile makes others.
        usual &= (size < least) | (card(hand, place) < DECK).fill_null(False)
    rows = (~usual).fill_null(text.is_not_null()).arg_true()
    bare = text.gather(rows).str.strip_chars()
    bare = bare.zip_with(bare != "", pl.Series([None], dtype=pl.String))
    others = compact(bare)
    number = pl.int_range(others.len(), dtype=pl.UInt64, eager=True)
    number = number.zip_with(others.is_not_null(), pl.Series([None], dtype=pl.UInt64))
    shown = text.clone().scatter(rows, bare)  # what is scattered into is changed itself
    return Packed(shown, hand.scatter(rows, number), others)


def _eight(text: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Texts of one, two or three cards as numbers (UInt64), null for others, and their sizes."""
    size = text.str.len_bytes()
    padded = text.str.pad_end(8)
    fits = (padded.str.len_bytes() == 8) & size.is_in([2, 5, 8])
    padded = padded.zip_with(fits, pl.Series([None], dtype=pl.String))
    number = padded.cast(pl.Binary).bin.reinterpret(dtype=pl.UInt64, endianness="little")
    return number, size


def _part(hand: pl.Series, bits: int, size: int) -> pl.Series:
    """So many characters of a hand, as a number; they are those from ``bits`` on."""
    return hand // (1 << bits) & (1 << 8 * size) - 1


class Dealt:
    """A column of hands: compact hands, or what ``packed`` makes of them."""

    def __init__(self, values: pl.Series, others: pl.Series | None) -> None:
        self._values, self._others = values, others
        if others is not None:
            # Numbers of usual hands end with a letter or a blank, so none of them is small.
            self._rows = (values < others.len()).arg_true()
            self._which = values.gather(self._rows)

    def card(self, place: int) -> pl.Series:
        """Code (UInt8) of the card at ``place``, from 0; null where none."""
        if self._others is None or not self._rows.len():
            return card(self._values, place)
        rest = card(self._others, place).gather(self._which)
        return card(self._values, place).scatter(self._rows, rest)

    def count(self) -> pl.Series:
        """Number of cards (UInt8); 0 where there is no hand."""
        if self._others is None:
            return count(self._values)
        pairs = [_part(self._values, 24 * place, 2) for place in range(PLACES)]
        held = sum(((pair != _NO_CARD).cast(pl.UInt8) for pair in pairs[1:]), start=pairs[0] > 0)
        rest = count(self._others).gather(self._which)
        return held.cast(pl.UInt8).fill_null(0).scatter(self._rows, rest)

    def surplus(self) -> pl.Series:
        """Codes from the fourth card on, as List(UInt8); null where there is none."""
        if self._others is None:
            return cards(self._values, PLACES)
        none = pl.Series([None], dtype=pl.UInt32).new_from_index(0, self._values.len())
        return cards(self._others, PLACES).gather(none.scatter(self._rows, self._which))


def card(hand: pl.Series, place: int) -> pl.Series:
    """Code (UInt8) of the card at ``place`` (from 0) of hands; null where none.

    Compact hands are text; a number is one of ``packed``, that of a usual hand.
    """
    if hand.null_count() == hand.len():
        return pl.Series(hand.name, [None], dtype=pl.UInt8).new_from_index(0, hand.len())
    if hand.dtype == pl.UInt64:
        return _BY_NUMBER.gather(_part(hand, 24 * place, 2))
    two = hand.str.slice(2 * place, 2).cast(pl.Binary)
    return _BY_NUMBER.gather(two.bin.reinterpret(dtype=pl.UInt16, endianness="little"))


def cards(hand: pl.Series, start: int = 0) -> pl.Series:
    """All codes from place ``start`` on, as List(UInt8); null where the hand has none there."""
    out = pl.Series(hand.name, [None], dtype=pl.List(pl.UInt8)).new_from_index(0, hand.len())
    if hand.null_count() == hand.len():
        return out
    rest = hand.str.slice(2 * start)
    some = rest.str.len_bytes() > 0
    if not some.any():
        return out
    code = pl.element().replace_strict(_CODES, default=None, return_dtype=pl.UInt8)
    lists = rest.str.extract_all("..").list.eval(code)
    return lists.zip_with(some.fill_null(False), out)


def count(hand: pl.Series) -> pl.Series:
    """Number of cards (UInt8); 0 where the hand is null."""
    return (hand.str.len_bytes() // 2).fill_null(0).cast(pl.UInt8)
