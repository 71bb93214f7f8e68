"""Stored values to the text that a person would write, without loss."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import polars as pl

MONEY_SCALE = 4
"""Decimals of the log's money; a decimal column with more can hold what is no money."""


def is_exact(dtype: pl.DataType) -> bool:
    """Whether stored values can be typed as they are, with the same result as by their text."""
    if isinstance(dtype, pl.Datetime):
        return dtype.time_zone is None and dtype.time_unit != "ns"
    if isinstance(dtype, pl.Decimal):
        return dtype.scale <= MONEY_SCALE
    return dtype.is_integer() or dtype in (pl.String, pl.Boolean, pl.Date)


def as_text(values: pl.Series) -> pl.Series:
    """Text of scalar values: ``5`` for 5.0, ``0.5``, ``true``, ``2007-06-25 23:59:59``."""
    dtype = values.dtype
    if dtype == pl.String:
        return values
    if dtype.is_float():
        return _floats(values)
    if dtype.is_decimal():
        return _shorten(values.cast(pl.String))
    if isinstance(dtype, pl.Datetime):
        return _dated(values, _PER_SECOND[dtype.time_unit], _moments)
    if dtype == pl.Date:
        return _dated(values, 1 / 86_400, lambda days: days.cast(pl.String))
    if dtype == pl.Null:
        return pl.Series(values.name, [None] * values.len(), dtype=pl.String)
    if isinstance(dtype, pl.Struct):
        return values.struct.json_encode()
    return values.cast(pl.String)


def _shorten(text: pl.Series) -> pl.Series:
    """Decimal text without zeros at the end of its fraction."""
    fraction = text.str.contains(".", literal=True)
    return text.zip_with(~fraction, text.str.strip_chars_end("0").str.strip_suffix("."))


def _floats(values: pl.Series) -> pl.Series:
    """The shortest decimal that stands for each float, never with an exponent; NaN is empty."""
    sound = values.fill_nan(None)
    text = sound.cast(pl.String)
    odd = text.str.contains("[eE]") & text.is_not_null()
    if odd.any():
        plain = {value: format(Decimal(value), "f") for value in text.filter(odd).unique()}
        text = text.replace(plain)
    return _shorten(text)


_PER_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9}
_FIRST, _LAST = -62_135_596_800, 253_402_300_799
"""Seconds since 1970 of the first and the last moment that a calendar can show."""


def _dated(
    values: pl.Series, per_second: float, written: Callable[[pl.Series], pl.Series]
) -> pl.Series:
    """Dates as ``written``; what lies beyond any calendar stays the number that is stored."""
    stored = values.to_physical().cast(pl.Int64)
    # Nanoseconds do not reach that far: their bounds are those of the number itself.
    first = max(int(_FIRST * per_second), -(2**63) + 1)
    shown = stored.is_between(first, min(int(_LAST * per_second), 2**63 - 1))
    if shown.all():
        return written(values)
    none = pl.Series(values.name, [None], dtype=values.dtype)
    return written(values.zip_with(shown.fill_null(False), none)).zip_with(
        shown.fill_null(True), stored.cast(pl.String)
    )


def _moments(values: pl.Series) -> pl.Series:
    """ISO 8601; an aware time is written in UTC with its ``Z``."""
    if isinstance(values.dtype, pl.Datetime) and values.dtype.time_zone is None:
        return values.dt.strftime("%Y-%m-%d %H:%M:%S%.f")
    return values.dt.convert_time_zone("UTC").dt.strftime("%Y-%m-%d %H:%M:%S%.fZ")
