"""CSV and TSV: every cell as text, and no row lost.

Two roads that give the same rows. The quick one hands a piece of the file to polars, after
making sure that it holds nothing on which readers differ: each line is one row, none is blank,
each quoted cell opens and closes properly. Whatever is not so plain is taken line by line.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

import polars as pl
from polars.selectors import by_name

from audit.sources.base import CELLS, Batch, Content, Damage, Source, refuse_many, unlike
from audit.sources.encoding import pieces

PIECE = 4 << 20
"""Bytes read at a time: what is made of more no longer fits the caches of a processor."""

ROWS = 250_000
"""Rows of a batch that is put together of several pieces, at most."""

_SAMPLE = 1 << 18
_FEW = 16
"""A column with this many rows for each different text is read as numbers of words."""

DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
LINES_IN_CELL = 200
"""A quoted cell that runs over more lines than this was never closed."""

QUOTES = "quotes that open before a cell and close right after it"


class Delimited(Source):
    """A CSV or TSV file with a header line.

    A row with too few cells has the missing ones empty; one with too many, or with quotes that
    do not close, is damaged. Blank lines are not rows.
    """

    def __init__(
        self, path: Content, name: str, piece: int | None = None, encoding: str | None = None
    ) -> None:
        super().__init__(path, name, encoding)
        self.piece = piece or PIECE
        self.before, line = self._find_header()
        self.delimiter, self._header = self._split_header(line)

    @property
    def header(self) -> tuple[str, ...]:
        """Column names as in the header line; an unnamed column is called ``column N``."""
        return self._header

    def _find_header(self) -> tuple[int, str]:
        """The first line that is not blank, and the bytes of UTF-8 before the rows, no mark."""
        before = 0
        size = min(self.piece, _SAMPLE)
        with self.path.open("rb") as handle:
            if b"\n" not in handle.read(size):
                size = self.piece  # perhaps an old Mac's: as little tells that when rows are read
        for piece in pieces(self, size):
            rows = _after_header(piece)
            if rows is not None:
                head = piece[: len(piece) - len(rows)]
                lines = head.decode("utf-8").split("\n")
                return before + len(head), next(line for line in lines if line.strip(" \r"))
            before += len(piece)
        raise self.fail("the file holds blank lines only", "A header line and rows were expected")

    def _split_header(self, line: str) -> tuple[str, tuple[str, ...]]:
        line = line.rstrip("\r")
        usual = DELIMITERS.get(self.path.suffix.lower(), ",")
        # A header that the usual delimiter does not divide was written with another one: no
        # table has a single column, so nothing is guessed here.
        others = [mark for mark in ",;\t|" if mark != usual]
        for delimiter in (usual, *others):
            refuse_many(line.count(delimiter), self)
            cells = split(line, delimiter)
            if cells is None:
                raise self.fail("the header line has quotes that do not close", f"Write {QUOTES}")
            if len(cells) > 1:
                break
        else:
            delimiter, cells = usual, [line]
        names = [cell.strip() or f"column {number}" for number, cell in enumerate(cells, 1)]
        unlike(names, self)
        return delimiter, tuple(names)

    def batches(self) -> Iterator[Batch]:
        """Read the rows; raises LogError where the text is not of its encoding."""
        return self.rows_of(self.texts())

    def to_type(self) -> Iterator[Batch]:
        """``batches`` in which columns of few words are ``pl.Categorical``, several in one."""
        return self.gathered(self._to_type(), ROWS)

    def _to_type(self) -> Iterator[Batch]:
        texts = self.texts()
        start = next(texts, b"")
        return self.rows_of(chain([start], texts), words=self.words(start))

    def words(self, text: bytes) -> list[str]:
        """The columns in which few different texts come again and again, as far as it seems."""
        some = self.quick(text[: text.rfind(b"\n", 0, _SAMPLE) + 1], 1)
        if some is None:
            return []
        rows = some.stored
        return [name for name in rows.columns if rows[name].n_unique() * _FEW <= rows.height]

    def gathered(self, batches: Iterable[Batch], rows: int) -> Iterator[Batch]:
        """Batches that follow one another, several of them as one of ``rows`` rows at most."""
        most = min(rows, max(CELLS // len(self._header), 1))
        held: list[Batch] = []
        for batch in batches:
            if held and sum(each.count for each in held) + batch.count > most:
                yield _together(held)
                held = []
            held.append(batch)
        if held:
            yield _together(held)

    def texts(self) -> Iterator[bytes]:
        """The lines behind the header, in pieces of whole lines; LogError as for ``batches``."""
        started = False
        for piece in pieces(self, self.piece):
            text = piece if started else _after_header(piece)
            if text is not None:
                started = True
                yield text

    def rows_of(
        self,
        texts: Iterable[bytes],
        first: int = 1,
        words: Collection[str] = (),
        rows: int | None = None,
    ) -> Iterator[Batch]:
        """The rows of pieces of text, of which the first has the number ``first``.

        Columns of few ``words`` become ``pl.Categorical``. Where there is only one piece and it is
        known how many ``rows`` are in it, they need not be counted.
        """
        rest = b""
        most = max(CELLS // len(self._header), 1)
        for text in texts:
            lines = text.count(b"\n") if rows is None else rows
            for part in [text] if lines <= most else _parts(text, most):
                known = lines if part is text else None
                batch = self.quick(part, first, words=words, lines=known) if not rest else None
                if batch is None:
                    batch, rest = self.careful(rest + part, first, words=words)
                if batch.count:
                    yield batch
                first += batch.count
        if rest:
            batch, _ = self.careful(rest, first, last=True, words=words)
            if batch.count:
                yield batch

    def quick(
        self,
        text: bytes,
        first: int,
        wanted: Collection[str] = (),
        words: Collection[str] = (),
        lines: int | None = None,
    ) -> Batch | None:
        """Read plain text with polars, or some columns of it; None where it is not plain.

        Each line of plain text is a row; ``lines`` says how many there are where that is known.
        Columns of few ``words`` become ``pl.Categorical``.
        """
        if not text or not plain(text):
            return None
        if not text.endswith(b"\n"):
            text += b"\n"  # else a delimiter too many at the very end goes unseen
            lines = None
        quoted = b'"' in text
        if quoted and not _well_quoted(text, self.delimiter):
            return None
        # A row with too many cells is seen only where every column is read.
        read = pl.scan_csv(
            text,
            has_header=False,
            schema={n: pl.Categorical if n in words else pl.String for n in self._header},
            separator=self.delimiter,
            quote_char='"' if quoted else None,
            infer_schema=False,
            missing_columns="insert",
        )
        if wanted:
            # A name may be what polars would take for a pattern.
            read = read.select(by_name(*(name for name in self._header if name in wanted)))
        try:
            rows = read.collect()
        except pl.exceptions.PolarsError:
            return None  # too many cells in some row: the careful road says in which
        count = lines or text.count(b"\n")
        if rows.height != count or _has_blank(rows):
            return None
        if quoted:
            rows = rows.with_columns(pl.when(pl.all() != "").then(pl.all()))
        # A piece with NUL bytes never takes this road.
        return Batch(first, count, rows, nul=False)

    def careful(
        self, text: bytes, first: int, *, last: bool = False, words: Collection[str] = ()
    ) -> tuple[Batch, bytes]:
        """Read text of any kind, line by line.

        The bytes of a row not yet closed come back as the rest, unless it is the ``last``.
        """
        lines = text.decode("utf-8").split("\n")
        if lines and not lines[-1]:
            lines.pop()
        width = len(self._header)
        rows: list[list[str | None]] = []
        damaged: list[Damage] = []
        at = 0
        while at < len(lines):
            if not lines[at].strip(" \r"):
                at += 1
                continue
            cells, used = _record(lines, at, self.delimiter, width)
            if cells is None and not last and used > len(lines) - at:
                rest = "\n".join(lines[at:]) + ("\n" if text.endswith(b"\n") else "")
                return self._batch(rows, damaged, first, words), rest.encode("utf-8")
            row = first + len(rows)
            if cells is None:
                damaged.append(Damage(row, "broken_quotes", lines[at].rstrip("\r"), QUOTES, True))
                rows.append([None] * width)
                at += 1
                continue
            if len(cells) > width:
                over = self.delimiter.join(cells[width:])
                damaged.append(Damage(row, "too_many_cells", over, f"{width} cells in a row"))
            # An empty cell is absent, with quotes or without, on either road.
            kept = [cell or None for cell in cells[:width]]
            rows.append([*kept, *[None] * (width - len(kept))])
            at += used
        return self._batch(rows, damaged, first, words), b""

    def _batch(
        self,
        rows: list[list[str | None]],
        damaged: list[Damage],
        first: int,
        words: Collection[str],
    ) -> Batch:
        frame = pl.DataFrame(rows, schema=dict.fromkeys(self._header, pl.String), orient="row")
        frame = frame.with_columns(pl.col(*words).cast(pl.Categorical)) if words else frame
        return Batch(first, len(rows), frame, tuple(damaged))


def _together(batches: Sequence[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    return Batch(
        batches[0].first,
        sum(each.count for each in batches),
        pl.concat([each.stored for each in batches], rechunk=True),
        tuple(damage for each in batches for damage in each.damaged),
        nul=any(each.nul for each in batches),
    )


def split(text: str, delimiter: str) -> list[str] | None:
    """Cells of one row (which may hold line breaks inside quotes); None where quotes break.

    A quote in the middle of a cell without quotes breaks it too: readers differ on what it is.
    """
    if '"' not in text:
        return text.split(delimiter)
    if re.fullmatch(_row_form(delimiter), text) is None:
        return None
    try:
        rows = list(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return rows[0] if len(rows) == 1 else None


def _record(lines: list[str], at: int, delimiter: str, width: int) -> tuple[list[str] | None, int]:
    """Cells of the row that begins at line ``at``, and how many lines it takes.

    None where its quotes break; the count then is larger than the lines at hand if a later
    line might still close it. A line that looks like a whole row is never swallowed by a
    quote left open before it.
    """
    line = lines[at].rstrip("\r")
    if '"' not in line:
        return line.split(delimiter), 1
    text = line
    for used in range(1, LINES_IN_CELL + 1):
        # A line without quotes leaves the cell as open as it was.
        if '"' in line:
            cells = split(text, delimiter)
            if cells is not None:
                return cells, used
            if not _open(text, delimiter):
                return None, 1
        following = at + used
        if following >= len(lines):
            return None, used + 1
        if lines[following].count(delimiter) >= width - 1:
            return None, 1
        line = lines[following].rstrip("\r")
        text = f"{text}\n{line}"
    return None, 1


def _open(text: str, delimiter: str) -> bool:
    """Whether a quoted cell is still open at the end of ``text``."""
    # With a quote added the text becomes sound if, and only if, an open quote was all it lacked.
    return split(text + 'x"', delimiter) is not None


def _after_header(text: bytes) -> bytes | None:
    """The text behind its first line that is not blank; None where all are."""
    at = 0
    while at < len(text):
        end = text.find(b"\n", at)
        end = len(text) if end < 0 else end + 1
        if text[at:end].strip(b" \r\n"):
            return text[end:]
        at = end
    return None


def _parts(text: bytes, lines: int) -> Iterator[bytes]:
    """The text in parts of so many lines at most."""
    start = at = 0
    for number, found in enumerate(re.finditer(b"\n", text), 1):
        at = found.end()
        if number % lines == 0:
            yield text[start:at]
            start = at
    yield text[start:]


def plain(text: bytes) -> bool:
    """Whether each line is one row for any reader, quotes and blank lines aside."""
    if b"\0" in text:
        return False
    # A lone \r is a line end to some readers and not to others.
    return b"\r" not in text or text.count(b"\r") == text.count(b"\r\n")


def _has_blank(rows: pl.DataFrame) -> bool:
    """Whether a row may come from a blank line: nothing in it, or blanks in its first cell."""
    first, *others = rows.get_columns()
    if any(not cells.null_count() for cells in others):
        return False
    bare = rows.select(pl.all_horizontal(pl.exclude(first.name).is_null())).to_series()
    starts = first.filter(bare).cast(pl.String)
    return bool((starts.fill_null("").str.strip_chars(" ") == "").any())


def _well_quoted(text: bytes, delimiter: str) -> bool:
    """Whether each line by itself is cells either without quotes or in proper ones."""
    lines = pl.read_lines(io.BytesIO(text)).to_series()
    return bool(lines.str.contains(rf"^{_row_form(delimiter)}\r?$").all())


@cache
def _row_form(delimiter: str) -> str:
    """Pattern of a row whose cells are either without quotes or in proper ones."""
    mark = re.escape(delimiter)
    cell = rf'(?:"(?:[^"]|"")*"|[^"{mark}]*)'
    return rf"{cell}(?:{mark}{cell})*"
