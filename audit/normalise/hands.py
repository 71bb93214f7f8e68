"""Card text to card codes, for whole columns at once."""

from __future__ import annotations

import polars as pl

from audit.cards import POINTS_ONLY, RANK_ONLY, RANKS, SUITS, code_of

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


def card(hand: pl.Series, place: int) -> pl.Series:
    """Code (UInt8) of the card at ``place`` (from 0) of compact hands; null where none."""
    two = hand.str.slice(2 * place, 2).cast(pl.Binary)
    return _BY_NUMBER.gather(two.bin.reinterpret(dtype=pl.UInt16, endianness="little"))


def cards(hand: pl.Series, start: int = 0) -> pl.Series:
    """All codes from place ``start`` on, as List(UInt8); null where the hand has none there."""
    rest = hand.str.slice(2 * start)
    some = rest.str.len_bytes() > 0
    out = pl.Series(hand.name, [None], dtype=pl.List(pl.UInt8)).new_from_index(0, hand.len())
    if not some.any():
        return out
    code = pl.element().replace_strict(_CODES, default=None, return_dtype=pl.UInt8)
    lists = rest.str.extract_all("..").list.eval(code)
    return lists.zip_with(some.fill_null(False), out)


def count(hand: pl.Series) -> pl.Series:
    """Number of cards (UInt8); 0 where the hand is null."""
    return (hand.str.len_bytes() // 2).fill_null(0).cast(pl.UInt8)
