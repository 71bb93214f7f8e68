"""Times and dates: ISO 8601 text to Macau local time (UTC+8 the year round)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import cast

import polars as pl

_TIME = (
    r"^\d{4}-\d{2}-\d{2}[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,12})?)?"
    r" ?(?:[Zz]|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$"
)
_DATE = r"^\d{4}-\d{2}-\d{2}(?:[T ]00:00(?::00(?:\.0+)?)?)?$"
_TO_SECOND = len("2007-06-25 23:59:59")
_WITH_SECONDS = r"^.{16}:\d{2}"
_CLOCK = r"^\d{4}-\d{2}-\d{2}[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d{1,12})?$"
"""A time to the second or finer, and no offset: as nearly all logs write it."""

_OFFSET = r"([Zz]|[+-]\d{2}(?::?\d{2})?)$"
YEARS = (1900, 2200)
"""Years in which a round of a casino's log can start."""

_ENDS = (YEARS[0], YEARS[1] + 1)
_EPOCH = date(1970, 1, 1).toordinal()

MACAU_MINUTES = 8 * 60


def times(text: pl.Series) -> pl.Series:
    """Datetime("us") without zone, Macau local time; null where the text is no valid time."""
    return of_stored(_times(text))


def of_stored(values: pl.Series) -> pl.Series:
    """The same for moments that are stored as such, in micro- or milliseconds without zone."""
    per_second = {"ms": 10**3, "us": 10**6}[cast(pl.Datetime, values.dtype).time_unit]
    units = values.to_physical()
    first, last = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in _ENDS)
    # Bounds of numbers, since the year of a moment beyond any calendar cannot be asked for.
    sound = units.is_between(first * per_second, last * per_second, closed="left")
    kept = units.zip_with(sound, pl.Series([None], dtype=pl.Int64))
    return (kept * (10**6 // per_second)).cast(pl.Datetime("us"))


def of_stored_days(values: pl.Series) -> pl.Series:
    """The same for days that are stored as such."""
    first, last = (date(year, 1, 1).toordinal() - _EPOCH for year in (1, 9999))
    sound = values.to_physical().is_between(first, last + 364)
    return values.zip_with(sound, pl.Series([None], dtype=pl.Date))


def _times(text: pl.Series) -> pl.Series:
    fits = text.str.contains(_CLOCK)
    if fits.all():
        return _clock(text)
    others = text.str.contains(_TIME) & ~fits
    sound = text.zip_with(fits | others, pl.Series([None], dtype=pl.String))
    if not others.any():
        return _clock(sound)
    whole = sound.str.contains(_WITH_SECONDS).fill_null(True)
    plain = sound.str.slice(0, _TO_SECOND).zip_with(whole, sound.str.slice(0, 16) + ":00")
    tail = sound.str.slice(_TO_SECOND)
    frame = pl.DataFrame({"text": sound, "time": _seconds(plain), "tail": tail})
    digits = pl.col("tail").str.extract(r"^[.,](\d{1,6})").str.pad_end(6, "0")
    clock = pl.col("text").str.slice(11)
    offset = clock.str.extract(_OFFSET).str.replace(":", "", literal=True)
    hours = offset.str.slice(1, 2).cast(pl.Int64, strict=False)
    minutes = offset.str.slice(3, 2).cast(pl.Int64, strict=False).fill_null(0)
    ahead = hours * 60 + minutes
    ahead = pl.when(offset.str.starts_with("-")).then(-ahead).otherwise(ahead)
    ahead = pl.when(offset.str.to_uppercase() == "Z").then(0).otherwise(ahead)
    shift = pl.when(offset.is_null()).then(0).otherwise(MACAU_MINUTES - ahead)
    return frame.select(
        (
            pl.col("time")
            + pl.duration(microseconds=digits.cast(pl.Int64, strict=False).fill_null(0))
            + pl.duration(minutes=shift)
        ).alias(text.name)
    ).to_series()


def _clock(text: pl.Series) -> pl.Series:
    """Texts as ``_CLOCK``."""
    if (text.str.len_bytes() == _TO_SECOND).all():
        return _seconds(text)
    seconds = _seconds(text.str.slice(0, _TO_SECOND))
    behind = text.str.slice(_TO_SECOND + 1, 6)
    if behind.len() and behind.rle().len() == 1:  # most clocks that write them have none
        behind = behind.head(1)
    millionths = behind.str.pad_end(6, "0").cast(pl.Int64)
    return (seconds.to_physical() + millionths).cast(pl.Datetime("us"))


def _within(values: pl.Series, first: int, last: int) -> pl.Series:
    """Null for years outside: sentinels, and what no calendar can show."""
    sound = values.dt.year().is_between(first, last)
    return values.zip_with(sound.fill_null(False), pl.Series([None], dtype=values.dtype))


def _seconds(plain: pl.Series) -> pl.Series:
    """The wall clock to the second, of texts that say no more."""
    between = " "
    if plain.str.contains("T", literal=True).all():
        between = "T"
    elif plain.str.contains("[Tt]").any():
        plain = plain.str.replace("[Tt]", " ")
    return plain.str.to_datetime(f"%Y-%m-%d{between}%H:%M:%S", strict=False, time_unit="us")


def dates(text: pl.Series) -> pl.Series:
    """Dates; null where the text is no valid date (midnight after it is harmless)."""
    sound = text.zip_with(text.str.contains(_DATE), pl.Series([None], dtype=pl.String))
    days = sound.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)
    # A day without end, or since ever, is written as the last or the first of the calendar.
    return _within(days, 1, 9999)
