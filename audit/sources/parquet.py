"""Parquet: typed columns back to the text that a person would write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import polars as pl

from audit.sources.base import CELLS, Batch, Source, unlike
from audit.sources.panics import unheard
from audit.sources.parquet_footer import ImplausibleError, examine

ROWS = 250_000
"""Rows read at a time."""

_BROKEN = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What polars raises for a damaged file; its own assertions are no ``Exception``."""


class Parquet(Source):
    """A Parquet file. Numbers, times and lists of cards become text without loss."""

    def __init__(self, path: Path, name: str, rows: int = ROWS) -> None:
        super().__init__(path, name)
        with path.open("rb") as handle:
            if not handle.read(1):
                raise self.fail("the file is empty", "A Parquet file was expected")
        try:
            examine(path)
        except ImplausibleError as error:
            raise self._broken(error) from None
        try:
            with unheard():
                self._frame = pl.scan_parquet(path, glob=False, hive_partitioning=False)
                self._header = tuple(self._frame.collect_schema().names())
                self._height = int(self._frame.select(pl.len()).collect().item())
        except _BROKEN as error:
            raise self._broken(error) from None
        unlike(self._header, self)
        self._rows = min(rows, CELLS // max(len(self._header), 1))

    @property
    def header(self) -> tuple[str, ...]:
        """Column names of the file's schema."""
        return self._header

    def _broken(self, error: BaseException) -> Exception:
        found = (str(error).strip().splitlines() or [type(error).__name__])[0]
        return self.fail(
            f"this is no sound Parquet file ({found[:120]})", "Export it again, or use CSV"
        )

    def batches(self) -> Iterator[Batch]:
        """Read the rows in slices; raises LogError where a part of the file is broken."""
        for start in range(0, self._height, self._rows):
            count = min(self._rows, self._height - start)
            try:
                with unheard():
                    rows = self._frame.slice(start, count).collect()
            except _BROKEN as error:
                raise self._broken(error) from None
            if rows.height != count:
                raise self._broken(ValueError(f"{count} rows were promised, {rows.height} found"))
            try:
                with unheard():
                    texts = pl.DataFrame([self._as_text(cells) for cells in rows.iter_columns()])
            except pl.exceptions.PanicException as error:
                raise self._broken(error) from None  # such as a time outside of any calendar
            yield Batch(start + 1, count, texts)

    def _as_text(self, values: pl.Series) -> pl.Series:
        if isinstance(values.dtype, pl.List | pl.Array):
            return self._join(values)
        try:
            return as_text(values)
        except pl.exceptions.PolarsError:
            raise self.fail(
                f"the column {values.name!r} holds {values.dtype} values that are no text",
                "Write it as UTF-8 text",
            ) from None

    def _join(self, values: pl.Series) -> pl.Series:
        """A list of cards as one hand: its items with a space between."""
        lists = values.arr.to_list() if isinstance(values.dtype, pl.Array) else values
        numbered = pl.DataFrame({"row": pl.int_range(lists.len(), eager=True), "item": lists})
        items = numbered.explode("item").filter(pl.col("item").is_not_null())
        texts = items.with_columns(self._as_text(items["item"]).alias("item"))
        hands = texts.group_by("row", maintain_order=True).agg(pl.col("item").str.join(" "))
        # A list without items has left no row behind.
        joined = numbered.select("row").join(hands, on="row", how="left", maintain_order="left")
        return joined["item"].alias(values.name)


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
