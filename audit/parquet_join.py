"""Parquet files of the same columns, made one without their values being read.

Pages are copied byte for byte, and so is what is said of their values. What names places in the
file is written anew: the description at its end, and before it, after all pages, the page indexes
that polars writes for each column of each row group.
"""

from __future__ import annotations

import hashlib
import itertools
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from audit import thrift
from audit.thrift import Wanted, Within, as_integer, integer

MAGIC = b"PAR1"
_BUFFER = 1 << 20
_MOST_NUMBERED = 1 << 15
"""A row group's number has 16 bits; where they do not suffice, none is given to any."""
_NO_INDEX = "its description names a page index that is not there"

(
    _SCHEMA, _ROWS, _GROUPS, _KEY, _VALUE, _ORDERS,  # of the file
    _PLACE, _AGAIN, _NUMBER, _PAGES, _BOUNDS, _LENGTH,  # of its row groups
    _REFUSED,
) = range(1, 14)  # fmt: skip
"""The fields that matter. ``_PAGES`` and ``_BOUNDS`` are the places of a column's two page
indexes, each followed by its ``_LENGTH``; only that of the pages names places itself. ``_AGAIN``
is where all this is said once more: polars does so behind the pages of a column, with the places
of that file, and names a wrong place for it if there is a dictionary. 0 is: nowhere."""

# The numbers of parquet.thrift. Of a column's data: first page, index, dictionary, Bloom filter.
_DATA = Within({9: _PLACE, 10: _PLACE, 11: _PLACE, 14: _PLACE})
_COLUMN: Wanted = {
    1: _REFUSED, 2: _AGAIN, 3: _DATA, 4: _PAGES, 5: _LENGTH, 6: _BOUNDS, 7: _LENGTH,
    8: _REFUSED, 9: _REFUSED,
}  # fmt: skip
_GROUP: Wanted = {1: Within(_COLUMN), 5: _PLACE, 7: _NUMBER}
_FILE: Wanted = {
    2: _SCHEMA, 3: _ROWS, 4: Within(_GROUP, _GROUPS), 5: Within({1: _KEY, 2: _VALUE}),
    7: _ORDERS, 8: _REFUSED, 9: _REFUSED,
}  # fmt: skip
_PAGE_INDEX: Wanted = {1: Within({1: _PLACE})}


class OtherColumnsError(ValueError):
    """A part has other columns than the first, or the same of other types."""


class Joined(NamedTuple):
    """What was written: its rows, and the SHA-256 of its bytes in hex."""

    rows: int
    sha256: str


class _Whole(NamedTuple):
    """What a file says of itself as a whole."""

    columns: tuple[bytes, bytes, bytes | None]
    """Schema, order of the values of each column, and the types that Arrow has for them."""
    around: tuple[bytes, bytes, bytes]
    """What stands before the number of rows, before the row groups, and after them."""


class _Part(NamedTuple):
    path: Path
    rows: int
    groups: int
    said: bytes
    """What it says of its row groups ..."""
    marks: array[int]
    """... and where in it that is said which a join changes: code, start and stop of each."""
    pages: int
    """Where its pages end, and its page indexes begin ..."""
    end: int
    """... and where these end."""


def join_parquet(parts: Sequence[Path], target: Path) -> Joined:
    """One Parquet file of all row groups of the parts, in order, copied byte for byte.

    The parts are files of polars with the same columns; what is said of the file as a whole is
    said as in the first. ValueError where a part cannot be read or is the target, OtherColumnsError
    where it has other columns: then nothing is written. What another failed call leaves there does
    not end as a Parquet file does.
    """
    if not parts:
        raise ValueError("there is no Parquet file to join")
    if target.exists() and any(target.samefile(path) for path in parts):
        raise ValueError(f"{target.name} would be joined with itself")
    first, part = _look(parts[0])
    looked = [part]
    for path in parts[1:]:
        whole, part = _look(path)
        if whole.columns != first.columns:
            raise OtherColumnsError(f"{path.name} has other columns than {parts[0].name}")
        looked.append(part)
    filled = [part for part in looked if part.groups]
    rows, count = sum(part.rows for part in filled), sum(part.groups for part in filled)
    with target.open("wb") as handle:
        out = _Out(handle)
        out.write(MAGIC)
        shifts = [_copy_pages(part, out) for part in filled]
        numbers = itertools.count() if count <= _MOST_NUMBERED else None
        before, between, after = first.around
        footer = [before, as_integer(rows), between, thrift.as_list_head(count, thrift.STRUCT)]
        for part, shift in zip(filled, shifts, strict=True):
            footer.append(_moved_groups(part, shift, numbers, out))
        said = b"".join((*footer, after))
        out.write(said + len(said).to_bytes(4, "little") + MAGIC)
    return Joined(rows, out.digest.hexdigest())


class _Out:
    """A file that is hashed while it is written."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self.digest = hashlib.sha256()
        self.at = 0

    def write(self, data: bytes | memoryview) -> None:
        self._handle.write(data)
        self.digest.update(data)
        self.at += len(data)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Where a file is not what it should be, the sentence says which."""
    try:
        yield
    except LookupError as error:
        raise ValueError(f"{path.name}: its description is damaged") from error
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


def _triples(marks: array[int]) -> Iterator[tuple[int, int, int]]:
    each = iter(marks)
    return zip(each, each, each, strict=True)


def _look(path: Path) -> tuple[_Whole, _Part]:
    """What a file says of itself."""
    with path.open("rb") as handle, _named(path):
        last = handle.seek(0, 2) - 8
        handle.seek(max(last, 0))
        size = int.from_bytes(handle.read(4), "little")
        if handle.read(4) != MAGIC or size > last - len(MAGIC):
            raise ValueError("it does not end as a Parquet file does")
        end = handle.seek(last - size)
        said = handle.read(size)
        found, marks = array("I"), array("I")
        thrift.mark(said, 0, _FILE, found)
        file, keyed = {_ORDERS: slice(0, 0)}, dict[bytes, bytes]()
        pages, count, base, key = end, 0, 0, b""
        for code, start, stop in _triples(found):
            if code == _REFUSED:
                raise ValueError("it is encrypted, or its values are in another file")
            if code == _KEY:
                key = thrift.text(said, start)
            elif code == _VALUE:
                keyed[key] = thrift.text(said, start)
            elif code <= _ORDERS:
                file[code] = slice(start, stop)
                if code == _GROUPS:
                    count, base = thrift.elements(said, start)
            else:
                marks.extend((code, start - base, stop - base))
                if code in (_PAGES, _BOUNDS):
                    pages = min(pages, integer(said, start))
        if pages < len(MAGIC):
            raise ValueError(_NO_INDEX)
        rows, groups = file[_ROWS], file[_GROUPS]
        columns = said[file[_SCHEMA]], said[file[_ORDERS]], keyed.get(b"ARROW:schema")
        around = said[: rows.start], said[rows.stop : groups.start], said[groups.stop :]
        number, said = integer(said, rows.start), said[base : groups.stop]
        return _Whole(columns, around), _Part(path, number, count, said, marks, pages, end)


def _copy_pages(part: _Part, out: _Out) -> int:
    """Copy all up to the page indexes; by how much it is further back than it was."""
    shift = out.at - len(MAGIC)
    left = part.pages - len(MAGIC)
    buffer = memoryview(bytearray(min(left, _BUFFER)))
    with part.path.open("rb", buffering=0) as handle:
        handle.seek(len(MAGIC))
        while left:
            got = handle.readinto(buffer[:left])
            if not got:
                raise ValueError(f"{part.path.name}: it became shorter while it was read")
            out.write(buffer[:got])
            left -= got
    return shift


def _moved_groups(part: _Part, shift: int, numbers: Iterator[int] | None, out: _Out) -> bytes:
    """The row groups of a part with all places as they are now; writes their page indexes."""
    said = part.said
    with part.path.open("rb") as handle, _named(part.path):
        handle.seek(part.pages)
        indexes = handle.read(part.end - part.pages)
        new = bytearray()
        at = 0
        marks = _triples(part.marks)
        for code, start, stop in marks:
            new += said[at:start]
            at = stop
            if code == _PLACE:
                new += _moved(part, shift, said, start)
            elif code == _AGAIN:
                new += as_integer(0)
            elif code == _NUMBER and numbers:
                new += as_integer(next(numbers))
            elif code == _NUMBER:
                if said[stop]:
                    raise ValueError("its row groups are described in a way that is not known")
                del new[-1]  # the head of the field, which is the last one
            else:
                follows, size, at = next(marks, (0, 0, 0))
                begin, length = integer(said, start) - part.pages, integer(said, size)
                index = indexes[begin : begin + length]
                if code == _LENGTH or follows != _LENGTH or len(index) != length:
                    raise ValueError(_NO_INDEX)
                if code == _PAGES:
                    index = _moved_index(part, shift, index)
                new += as_integer(out.at) + said[stop:size] + as_integer(len(index))
                out.write(index)
        return bytes(new + said[at:])


def _moved_index(part: _Part, shift: int, index: bytes) -> bytes:
    """Where the pages of a column are."""
    marks = array("I")
    thrift.mark(index, 0, _PAGE_INDEX, marks)
    new = bytearray()
    at = 0
    for _, start, stop in _triples(marks):
        new += index[at:start] + _moved(part, shift, index, start)
        at = stop
    return bytes(new + index[at:])


def _moved(part: _Part, shift: int, data: bytes, at: int) -> bytes:
    place = integer(data, at)
    if place and not len(MAGIC) <= place <= part.pages:
        raise ValueError("its description names a page that is not there")
    return as_integer(place + shift if place else 0)  # 0: not said
