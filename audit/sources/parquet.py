"""Parquet: numbers, flags and dates as they are stored, all else as text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import polars as pl

from audit.sources.base import CELLS, Batch, Source, unlike
from audit.sources.panics import unheard
from audit.sources.parquet_footer import ImplausibleError, examine
from audit.sources.texts import as_text, is_exact

ROWS = 250_000
"""Rows read at a time."""

MOST_OF_FEW = 1_000_000
"""Rows read at a time where only some columns are."""

_BROKEN = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What polars raises for a damaged file; its own assertions are no ``Exception``."""


class Parquet(Source):
    """A Parquet file. Lists of cards, and what has no exact type, become text without loss."""

    def __init__(self, path: Path, name: str, rows: int = ROWS, *, examined: bool = False) -> None:
        """``examined``: what the file says of itself has been found plausible before."""
        super().__init__(path, name)
        with path.open("rb") as handle:
            if not handle.read(1):
                raise self.fail("the file is empty", "A Parquet file was expected")
        try:
            if not examined:
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

    @property
    def height(self) -> int:
        """Rows of the file."""
        return self._height

    def batches(self) -> Iterator[Batch]:
        """Read the rows in slices; raises LogError where a part of the file is broken."""
        return self.between(0, self._height)

    def between(
        self, first: int, count: int, names: Collection[str] | None = None
    ) -> Iterator[Batch]:
        """``count`` rows from ``first`` on, counted from 0, in slices; of all columns or some."""
        step = self._rows if names is None else MOST_OF_FEW
        for start in range(first, first + count, step):
            yield self._slice(start, min(step, first + count - start), names)

    def _slice(self, start: int, count: int, names: Collection[str] | None) -> Batch:
        wanted = self._frame if names is None else self._frame.select(names)
        try:
            with unheard():
                rows = wanted.slice(start, count).collect()
        except _BROKEN as error:
            raise self._broken(error) from None
        if rows.height != count:
            raise self._broken(ValueError(f"{count} rows were promised, {rows.height} found"))
        try:
            with unheard():
                rows = pl.DataFrame([self._shown(cells) for cells in rows.iter_columns()])
        except pl.exceptions.PanicException as error:
            raise self._broken(error) from None  # such as a time outside of any calendar
        return Batch(start + 1, count, rows)

    def _shown(self, values: pl.Series) -> pl.Series:
        return values if is_exact(values.dtype) else self._as_text(values)

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
