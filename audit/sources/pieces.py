"""CSV files whose rows stay in them: where rows are, found by reading a few columns only."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple, TypeVar

import polars as pl

from audit.ahead import ahead
from audit.sources.base import AT_REST, CHANGED, Batch
from audit.sources.delimited import Delimited, plain
from audit.sources.encoding import LONGEST_LINE, is_utf8, utf8_mark

ROWS = 500_000
"""Rows at most of a batch that is put together of several pieces."""

_HEAD = 1 << 16

_FIRST, _SOME = 8, 256
"""Columns that are among the first, and lines that show how long the beginnings are."""

_FEW = 16
"""Lines that begin alike, to be looked at by their beginnings: as many, on average."""

A = TypeVar("A")


class Piece(NamedTuple):
    """Rows of a file that follow one another, and the bytes that they are in, from ``start`` on.

    ``first`` is the number of the first row, counting data rows of the file from 1.
    """

    start: int
    size: int
    first: int
    rows: int


class Keys(NamedTuple):
    """Some columns of so many ``rows`` that follow one another, or of some of these rows.

    ``at`` (Int64) has the places of the rows that are there, from 0: each that is left out is like
    the one before it, and no other is. None where all rows are there.
    """

    stored: pl.DataFrame
    rows: int
    at: pl.Series | None = None


class OtherEncodingError(Exception):
    """The text of the file is not its bytes as they stand, so that no piece can be read alone.

    Or it has a line too long for any row: whoever reads it from its beginning will say so.
    """


def about(source: Delimited, size: int) -> int:
    """How many rows a file of so many bytes has, if all its lines are like the first."""
    with source.path.open("rb") as handle:
        head = handle.read(_HEAD)
    return size * head.count(b"\n") // max(len(head), 1)


def look_over(
    source: Delimited,
    names: Sequence[str],
    do: Callable[[Keys], A],
    told: Callable[[bytes], object],
    pool: ThreadPoolExecutor,
) -> Iterator[tuple[Piece, A]]:
    """A file in pieces, with what ``do`` makes of the ``Keys`` of each: the columns ``names``.

    ``told`` hears all bytes of the file in order. OtherEncodingError where it is not in UTF-8;
    LogError as for ``batches``.
    """
    mark = utf8_mark(source)
    if mark is None:
        raise OtherEncodingError
    begin = mark + source.before
    with source.path.open("rb") as handle:
        told(handle.read(begin))
    # A row in which all of these are empty may be a blank line, which is none.
    some = [*dict.fromkeys([*source.header[:2], *names])]

    def look(place: tuple[int, int]) -> tuple[int, bytes, int, A | None]:
        start, size = place
        text = _text(source, start, size)
        if not is_utf8(text):
            raise OtherEncodingError
        keys = leading(source, text, names)
        if keys is None:
            batch = source.quick(text, 1, some)
            if batch is None:
                return start, text, 0, None
            keys = Keys(batch.stored.select(names), batch.count)
        return start, text, keys.rows, do(keys)

    first = 1
    start, rest = 0, b""
    for begins, text, count, done in ahead(pool, look, _places(source, begin)):
        told(text)
        if rest or done is None:
            start = start if rest else begins
            whole = rest + text
            batch, rest = source.careful(whole, first)
            size = len(whole) - len(rest)
            yield (
                Piece(start, size, first, batch.count),
                do(Keys(batch.stored.select(names), batch.count)),
            )
            first += batch.count
            start += size
        else:
            yield Piece(begins, len(text), first, count), done
            first += count
    if rest:
        batch, _ = source.careful(rest, first, last=True)
        yield (
            Piece(start, len(rest), first, batch.count),
            do(Keys(batch.stored.select(names), batch.count)),
        )


def _places(source: Delimited, at: int) -> Iterator[tuple[int, int]]:
    """From byte ``at`` on, where pieces of whole lines begin, and how many bytes each has."""
    with source.path.open("rb") as handle:
        end = handle.seek(0, os.SEEK_END)
        while at < end:
            handle.seek(at + source.piece - 1)
            if len(handle.readline(LONGEST_LINE + 1)) > LONGEST_LINE:
                raise OtherEncodingError
            following = min(handle.tell(), end)
            yield at, following - at
            at = following


def _text(source: Delimited, start: int, size: int) -> bytes:
    """So many bytes of a file; LogError where it has fewer by now."""
    with source.path.open("rb") as handle:
        handle.seek(start)
        text = handle.read(size)
    if len(text) != size:
        raise source.fail(CHANGED, AT_REST)
    return text


def leading(source: Delimited, text: bytes, wanted: Sequence[str]) -> Keys | None:
    """Some columns of plain text, if they are among the first and no cell has quotes.

    Lines that begin alike, up to the delimiter behind the last of the columns, are alike in
    them: only the first of these is looked at. None where the text is not so, or most lines begin
    in ways of their own.
    """
    mark = source.delimiter
    width = 1 + max(source.header.index(name) for name in wanted)
    if width > _FIRST or b'"' in text or not plain(text):
        return None
    lines = pl.read_lines(text).to_series()
    some = [line.split(mark, width) for line in lines.gather_every(max(lines.len() // _SOME, 1))]
    if not all(len(cells) > width for cells in some):
        return None
    # As many characters as the longest beginning among some: a few more do no harm, and where
    # they are too few for a line, its beginning is not found.
    size = max((len(mark.join(cells[:width])) + 1 for cells in some), default=0)
    heads, starts = _in_runs(lines.str.head(size))
    beginning = rf"^(?:[^{re.escape(mark)}]*{re.escape(mark)}){{{width}}}"
    found, firsts = _in_runs(heads.str.extract(beginning, 0))
    if found.has_nulls() or found.len() * _FEW > lines.len():
        return None
    of = [source.header.index(name) for name in wanted]
    rows: list[list[str | None]] = []
    at: list[int] = []
    for line, row in zip(found, starts.gather(firsts), strict=True):
        cells = line.split(mark)
        keys = [cells[each] or None for each in of]
        if not rows or keys != rows[-1]:
            rows.append(keys)
            at.append(row)
    stored = pl.DataFrame(rows, dict.fromkeys(wanted, pl.String), orient="row")
    return Keys(stored, lines.len(), pl.Series(at, dtype=pl.Int64))


def _in_runs(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Each value that is another than the one before it, and the row of it."""
    runs = values.rle().struct
    rows = runs.field("len")
    return runs.field("value"), rows.cum_sum() - rows


def rows_in(source: Delimited, pieces: Sequence[Piece], first: int, count: int) -> Iterator[Batch]:
    """``count`` rows from ``first`` on, counted from 0, of a file whose ``pieces`` are known."""
    return source.gathered(_batches(source, pieces, first + 1, first + 1 + count), ROWS)


def _batches(source: Delimited, pieces: Sequence[Piece], first: int, end: int) -> Iterator[Batch]:
    words: list[str] | None = None
    at = bisect_right(pieces, first, key=lambda piece: piece.first) - 1
    for piece in pieces[at:]:
        if piece.first >= end:
            return
        text = _text(source, piece.start, piece.size)
        words = source.words(text) if words is None else words
        found = list(source.rows_of([text], piece.first, words, piece.rows))
        if sum(batch.count for batch in found) != piece.rows:
            raise source.fail(CHANGED, AT_REST)
        for batch in found:
            low, high = max(first, batch.first), min(end, batch.first + batch.count)
            if low < high:
                yield _part(batch, low, high)


def _part(batch: Batch, first: int, end: int) -> Batch:
    """The rows of a batch from number ``first`` up to, not with, ``end``."""
    if (first, end) == (batch.first, batch.first + batch.count):
        return batch
    return replace(
        batch,
        first=first,
        count=end - first,
        stored=batch.stored.slice(first - batch.first, end - first),
        damaged=tuple(each for each in batch.damaged if first <= each.row < end),
    )
