"""Exact money: integers that count millionths of a currency unit.

A log's money has at most four decimals and every rate of the law at most two, so a due amount
is exact in millionths. What a log says fits ``Int64``; what is multiplied or added up from it is
``Int128``, so that nothing ever wraps.
"""

from __future__ import annotations

from decimal import Decimal

import polars as pl

UNIT = 1_000_000
"""Millionths in one whole currency unit."""

WIDE = pl.Int128
"""Type of products and sums of money."""

WHOLE_DIGITS = 12
"""Most digits before the decimal point that a log may hold."""

MONEY_TEXT = rf"^[+-]?(?:0*\d{{1,{WHOLE_DIGITS}}}(?:\.\d{{0,4}}0*)?|\.\d{{1,4}}0*)$"
"""A decimal number with at most four decimals (zeros before and after it are harmless)."""

DECIMAL = pl.Decimal(38, 6)
"""Any amount, such as what is due."""

LOGGED = pl.Decimal(WHOLE_DIGITS + 6, 6)
"""An amount of a log: of so few digits that a file of numbers takes it as whole numbers."""

MOST_LOGGED = 10 ** (WHOLE_DIGITS + 6)
"""Millionths from which on an amount does not fit ``LOGGED``."""


def from_text(text: pl.Expr) -> pl.Expr:
    """Text as ``MONEY_TEXT`` to millionths (Int64); null where it is no such number."""
    good = pl.when(text.str.contains(MONEY_TEXT)).then(text)
    return good.cast(DECIMAL, strict=False).mul(UNIT).cast(pl.Int64, strict=False)


def from_numbers(values: pl.Series) -> pl.Series:
    """Whole numbers, or decimals of at most four places, to millionths (Int64).

    Null where the number has more than ``WHOLE_DIGITS`` digits before the point.
    """
    scale = values.dtype.scale if isinstance(values.dtype, pl.Decimal) else 0
    units = values.to_physical().cast(pl.Int64, strict=False)
    bound = 10 ** (WHOLE_DIGITS + scale)
    sound = units.is_between(-bound, bound, closed="none")
    kept = units.zip_with(sound, pl.Series([None], dtype=pl.Int64))
    millionths: pl.Series = kept * 10 ** (6 - scale)
    return millionths


def to_decimal(millionths: pl.Expr) -> pl.Expr:
    """Millionths to an exact ``Decimal(38, 6)`` column, for evidence that others read."""
    # A decimal of six places is, in memory, the number of its millionths.
    return millionths.cast(pl.Int128).reinterpret(dtype=DECIMAL)


def to_text(millionths: pl.Expr) -> pl.Expr:
    """Millionths to plain decimal text without trailing zeros: ``-2.5``, ``1950``."""
    return to_decimal(millionths).cast(pl.String).str.strip_chars_end("0").str.strip_chars_end(".")


def as_decimal(millionths: int) -> Decimal:
    """One amount as a Python decimal."""
    return Decimal(millionths) / UNIT


def shown(amount: Decimal) -> str:
    """An amount for people: thousands apart, two decimals, more only where there are more."""
    plain = amount.normalize()
    decimals = max(2, -int(plain.as_tuple().exponent))
    return f"{amount:,.{decimals}f}"


def rate(value: Decimal) -> int:
    """A rate such as 0.05 or 8 as hundredths; the rule-set loader allows two decimals."""
    hundredths = value * 100
    if hundredths != hundredths.to_integral_value():
        raise ValueError(f"{value} has more than two decimals")
    return int(hundredths)
