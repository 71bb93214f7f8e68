"""CSV files whose rows stay in them: where rows are, found by reading a few columns only."""

from __future__ import annotations

import io
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple, TypeVar, cast

import polars as pl

from audit.ahead import ahead
from audit.sources.base import AT_REST, CHANGED, Batch
from audit.sources.delimited import Delimited, plain
from audit.sources.encoding import utf8_mark

ROWS = 500_000
"""Rows at most of a batch that is put together of several pieces."""

_HEAD = 1 << 16

_FIRST, _SOME = 8, 256
"""Columns that are among the first, and lines that show how long the beginnings are."""

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

    ``at`` has the places of the rows that are there, from 0: each that is left out is like the one
    before it. None where all are.
    """

    stored: pl.DataFrame
    rows: int
    at: pl.Series | None = None


class OtherEncodingError(Exception):
    """The text of the file is not its bytes as they stand, so that no piece can be read alone."""


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
    with source.path.open("rb") as handle:
        told(handle.read(mark))
    # A row in which all of these are empty may be a blank line, which is none.
    some = [*dict.fromkeys([*source.header[:2], *names])]

    def look(placed: tuple[int, bytes]) -> tuple[int, bytes, int, A | None]:
        start, text = placed
        keys = leading(source, text, names)
        if keys is None:
            batch = source.quick(text, 1, some)
            if batch is None:
                return start, text, 0, None
            keys = Keys(batch.stored.select(names), batch.count)
        return start, text, keys.rows, do(keys)

    first = 1
    start, rest = 0, b""
    for begins, text, count, done in ahead(pool, look, source.placed(told)):
        if source.encoding is not None:
            raise OtherEncodingError
        if rest or done is None:
            start = start if rest else mark + begins
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
            yield Piece(mark + begins, len(text), first, count), done
            first += count
    if rest:
        batch, _ = source.careful(rest, first, last=True)
        yield (
            Piece(start, len(rest), first, batch.count),
            do(Keys(batch.stored.select(names), batch.count)),
        )


def leading(source: Delimited, text: bytes, wanted: Sequence[str]) -> Keys | None:
    """Some columns of plain text, if they are among the first and no cell has quotes.

    Lines that begin alike, up to a delimiter behind the last of the columns, are alike in
    them: only the first of these is looked at. None where the text is not so.
    """
    width = 1 + max(source.header.index(name) for name in wanted)
    if width > _FIRST or b'"' in text or not plain(text):
        return None
    lines = pl.read_lines(io.BytesIO(text)).to_series()
    start = rf"^(?:[^{re.escape(source.delimiter)}]*{re.escape(source.delimiter)}){{{width}}}"
    some = lines.gather_every(max(lines.len() // _SOME, 1)).str.extract(start, 0)
    size = cast(int | None, some.str.len_chars().max())
    if size is None:
        return None
    runs = lines.str.head(size).rle().struct.unnest()
    heads = runs["value"]
    if not (heads.str.count_matches(source.delimiter, literal=True) >= width).all():
        return None
    cells = heads.str.split_exact(source.delimiter, width).struct.unnest()
    stored = pl.DataFrame({name: cells[:, source.header.index(name)] for name in wanted})
    stored = stored.with_columns(pl.when(pl.all() != "").then(pl.all()))
    return Keys(stored, lines.len(), runs["len"].cum_sum() - runs["len"])


def rows_in(source: Delimited, pieces: Sequence[Piece], first: int, count: int) -> Iterator[Batch]:
    """``count`` rows from ``first`` on, counted from 0, of a file whose ``pieces`` are known."""
    return source.gathered(_batches(source, pieces, first + 1, first + 1 + count), ROWS)


def _batches(source: Delimited, pieces: Sequence[Piece], first: int, end: int) -> Iterator[Batch]:
    words: list[str] | None = None
    at = bisect_right(pieces, first, key=lambda piece: piece.first) - 1
    with source.path.open("rb") as handle:
        for piece in pieces[at:]:
            if piece.first >= end:
                return
            handle.seek(piece.start)
            text = handle.read(piece.size)
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
