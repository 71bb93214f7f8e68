"""One column to its type, and the reason why a cell did not fit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

import polars as pl

from audit import money
from audit.normalise import hands, moments
from audit.schema import BOOLEAN_WORDS, OUTCOME_WORDS, Column, Kind
from audit.sources import as_text

MOST = 1_000_000_000
"""Greatest count or number that a log may hold: sums of them stay far from any limit."""

_POINT_ZERO = r"^[+-]?\d+\.0*$"
_NONE = pl.Series([None], dtype=pl.String)

POLARS: dict[Kind, pl.DataType] = {
    Kind.TEXT: pl.String(),
    Kind.COUNT: pl.Int64(),
    Kind.NUMBER: pl.Int64(),
    Kind.POINTS: pl.Int8(),
    Kind.TIME: pl.Datetime("us"),
    Kind.DATE: pl.Date(),
    Kind.WORD: pl.String(),
    Kind.BET: pl.String(),
    Kind.BOOLEAN: pl.Boolean(),
    Kind.CARD: pl.UInt8(),
    Kind.MONEY: pl.Int64(),
    Kind.MONEY_GAIN: pl.Int64(),
}
"""Type of a typed column, by kind. A hand (``Kind.CARDS``) becomes several columns."""


_MOST_WORDS = 1 << 22
"""Words that have greater numbers than this are looked at as texts."""

_FEW = 16
"""A column with this many rows for each different text is typed by its different texts."""

_BY_TEXT = (Kind.TEXT, Kind.BET, Kind.WORD, Kind.MONEY, Kind.MONEY_GAIN)
"""Kinds for which that is quicker than to type every cell."""


REPEATED = (
    "casino", "table_id", "shoe_id", "kind", "void_reason", "outcome", "commission", "dealer_id",
    "currency", "position", "bet", "disposition",
)  # fmt: skip
"""Columns of text in which few values come again and again."""


_PIECES = 5_000
"""Runs of a column up to which it is put together from them."""


def numbered(words: pl.Series) -> tuple[pl.Series, pl.Series]:
    """As ``pl.Categorical``, and fewer of the same words, each of them once at least.

    A word that mostly follows itself is looked at once for each run.
    """
    some = words.head(words.len() // _FEW)
    if words.dtype == pl.String and words.len() and some.rle().len() * _FEW <= some.len():
        runs = words.rle().struct.unnest()
        few = runs["value"].cast(pl.Categorical)
        if runs.height <= _PIECES:
            pieces = (few.new_from_index(run, rows) for run, rows in enumerate(runs["len"]))
            return pl.concat(pieces, rechunk=True).alias(words.name), few
        if runs.height * _FEW <= words.len():
            return few.gather(words.rle_id()).alias(words.name), few
    numbers = words.cast(pl.Categorical)
    return numbers, numbers


def read(
    column: Column, own: pl.Series, *, nul: bool = True, short: bool = False
) -> tuple[pl.Series, pl.Series]:
    """A column of the file: what is in it, blanks aside, and its values.

    Both are null where a cell is empty, the values also where it does not fit. ``own`` is text,
    as such or as numbers of words (``pl.Categorical``), or what ``is_exact`` lets through. With
    ``short`` the values of ``REPEATED`` may be numbers of words too.
    """
    if own.dtype == pl.Categorical:
        typed_words = _by_word(column, own, nul=nul, short=short)
        if typed_words is not None:
            return typed_words
        own = as_text(own)
    if own.dtype != pl.String:
        values = stored(column, own)
        if values is not None:
            return own, values
        own = as_text(own)
    if short and column.name in REPEATED and column.kind in _BY_TEXT:
        words, fewer = numbered(own)
        some = fewer.unique().drop_nulls().cast(pl.String)
        if some.len() * _FEW <= own.len() and _as_they_are(column, some, nul=nul):
            return own, words
    few = _different(own) if column.kind in _BY_TEXT else None
    if few is None:
        text = strip(own)
        return text, typed(column, text, nul=nul)
    text = own if few.equals(strip(few), null_equal=True) else strip(own)
    some = strip(few)
    values = typed(column, some, nul=nul)
    if values.dtype == pl.String and values.equals(some, null_equal=True):
        return text, text
    told = pl.DataFrame({"text": few, "value": values})
    found = own.to_frame("text").join(told, on="text", how="left", maintain_order="left")
    return text, found["value"].alias(text.name)


def _by_word(
    column: Column, own: pl.Series, *, nul: bool, short: bool
) -> tuple[pl.Series, pl.Series] | None:
    """``read`` for words that are numbers: each different one is looked at once.

    None where the numbers are too great for a table of all of them.
    """
    code = own.to_physical()
    most = cast(int | None, code.max())
    if most is None:
        return own, typed(column, as_text(own))
    if most >= _MOST_WORDS:
        return None
    rows = code.fill_null(most + 1).arg_unique()  # quicker without null
    if own.null_count():
        rows = rows.filter(code.gather(rows).is_not_null())
    texts = own.gather(rows).cast(pl.String)
    bare = strip(texts)
    values = typed(column, bare, nul=nul)
    repeated = short and column.name in REPEATED and column.kind in _BY_TEXT
    if repeated and values.equals(texts):
        return own, own
    number = pl.int_range(rows.len(), dtype=pl.UInt32, eager=True)
    table = pl.zeros(most + 1, pl.UInt32, eager=True).scatter(code.gather(rows), number)
    which = table.gather(code)
    text = own
    if bare.null_count():
        text = own.zip_with(bare.is_not_null().gather(which), _NONE.cast(pl.Categorical))
    values = values.cast(pl.Categorical) if repeated else values
    return text, values.gather(which).alias(own.name)


def _as_they_are(column: Column, texts: pl.Series, *, nul: bool) -> bool:
    """Whether texts are their own values, without blanks around them."""
    bare = strip(texts)
    return texts.equals(bare) and typed(column, bare, nul=nul).equals(texts)


def _different(text: pl.Series) -> pl.Series | None:
    """The different texts of a column, without null; None where they are many."""
    if text.null_count() == text.len():
        return text.clear()
    some = text.head(max(text.len() // _FEW, 1))
    if some.rle().len() * _FEW <= some.len():
        # The same text mostly follows itself, as in the columns of a shoe.
        runs = text.rle().struct.field("value")
        if runs.len() * _FEW <= text.len():
            return runs.unique().drop_nulls()
    elif some.n_unique() * 2 > some.len():
        return None
    found = text.unique().drop_nulls()
    return found if found.len() * _FEW <= text.len() else None


def stored(column: Column, values: pl.Series) -> pl.Series | None:
    """Values of a column that is no text, as by their text; None where its type is another one."""
    dtype = values.dtype
    match column.kind:
        case Kind.COUNT if dtype.is_integer():
            return _within(values.cast(pl.Int64, strict=False), 0, MOST)
        case Kind.NUMBER if dtype.is_integer():
            return _within(values.cast(pl.Int64, strict=False), 1, MOST)
        case Kind.POINTS if dtype.is_integer():
            return _within(values.cast(pl.Int64, strict=False), 0, 9).cast(pl.Int8)
        case Kind.BOOLEAN if dtype == pl.Boolean:
            return values
        case Kind.MONEY | Kind.MONEY_GAIN if dtype.is_integer() or dtype.is_decimal():
            amounts = money.from_numbers(values)
            return amounts if column.kind is Kind.MONEY else _within(amounts, 0, None)
        case Kind.TIME if dtype == pl.Datetime:
            return moments.of_stored(values)
        case Kind.DATE if dtype == pl.Date:
            return moments.of_stored_days(values)
        case _:
            return None


def strip(text: pl.Series) -> pl.Series:
    """Text without blanks around it; null where nothing is left."""
    if text.null_count() == text.len():
        return text
    bare = text.str.strip_chars()
    empty = bare == ""
    return bare.zip_with(~empty, _NONE) if empty.any() else bare


def typed(column: Column, text: pl.Series, *, nul: bool = True) -> pl.Series:
    """Values of a stripped text column; null where the text is null or does not fit.

    Hands and single cards become compact hands (``hands.compact``). ``nul``: whether the text
    may hold NUL characters.
    """
    if text.null_count() == text.len():
        compact = column.kind in (Kind.CARDS, Kind.CARD)
        dtype = pl.String() if compact else POLARS[column.kind]
        return pl.Series(text.name, [None], dtype=dtype).new_from_index(0, text.len())
    match column.kind:
        case Kind.TEXT | Kind.BET:
            if nul:
                text = text.zip_with(~text.str.contains("\0", literal=True), _NONE)
            if column.kind is Kind.BET:
                return text.str.to_lowercase().replace(OUTCOME_WORDS)
            return text
        case Kind.COUNT:
            return _within(_whole(text), 0, MOST)
        case Kind.NUMBER:
            return _within(_whole(text), 1, MOST)
        case Kind.POINTS:
            return _within(_whole(text), 0, 9).cast(pl.Int8)
        case Kind.TIME:
            return moments.times(text)
        case Kind.DATE:
            return moments.dates(text)
        case Kind.WORD:
            return _words(text, dict(column.words), pl.String())
        case Kind.BOOLEAN:
            return _words(text, BOOLEAN_WORDS, pl.Boolean())
        case Kind.CARDS:
            return hands.compact(text)
        case Kind.CARD:
            return hands.compact(text, single=True)
        case Kind.MONEY:
            return _money(text)
        case Kind.MONEY_GAIN:
            return _within(_money(text), 0, None)


def _whole(text: pl.Series) -> pl.Series:
    values = text.cast(pl.Int64, strict=False)
    if values.null_count() == text.null_count():
        return values
    point = text.str.contains(_POINT_ZERO)
    return text.zip_with(~point, text.str.replace(r"\.0*$", "")).cast(pl.Int64, strict=False)


def _within(values: pl.Series, least: int, most: int | None) -> pl.Series:
    sound = values >= least
    if most is not None:
        sound &= values <= most
    if sound.all():
        return values
    return values.zip_with(sound, pl.Series([None], dtype=values.dtype))


def _words(text: pl.Series, words: Mapping[str, object], dtype: pl.DataType) -> pl.Series:
    values = text.replace_strict(words, default=None, return_dtype=dtype)
    if values.null_count() == text.null_count():
        return values
    return text.str.to_lowercase().replace_strict(words, default=None, return_dtype=dtype)


def _money(text: pl.Series) -> pl.Series:
    return pl.select(money.from_text(pl.lit(text))).to_series().alias(text.name)


def expected(column: Column) -> str:
    """What a cell of the column should hold, as an English phrase."""
    if column.kind is Kind.WORD:
        words = list(dict.fromkeys(word for _, word in column.words))
        return "one of " + ", ".join(words)
    return str(column.kind.value)


def reason(column: Column, text: str | None) -> str:
    """Stable code for a cell that did not fit; ``text`` is stripped, None where empty."""
    if text is None:
        return "missing"
    match column.kind:
        case Kind.TEXT | Kind.BET:
            return "not_text"
        case Kind.COUNT | Kind.NUMBER | Kind.POINTS:
            return _number_reason(text, column.kind)
        case Kind.TIME:
            return "not_a_time"
        case Kind.DATE:
            return "not_a_date"
        case Kind.WORD | Kind.BOOLEAN:
            return "unknown_word"
        case Kind.CARDS | Kind.CARD:
            return "unknown_card"
        case Kind.MONEY | Kind.MONEY_GAIN:
            negative = text.startswith("-") and re.match(money.MONEY_TEXT, text)
            return "negative" if negative else "not_money"


def _number_reason(text: str, kind: Kind) -> str:
    if re.match(r"^[+-]?\d+(?:\.0*)?$", text) is None:
        return "not_a_number"
    return "negative" if kind is Kind.COUNT and text.startswith("-") else "out_of_range"
