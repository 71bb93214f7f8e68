"""A look at a Parquet file's own description before any reader trusts it.

A damaged description can promise columns of any size, and a reader that believes it asks for
so much memory that the whole process is ended. So the numbers are compared with the file first:
every part must lie within it, and no count may be larger than the bytes can hold. Only the few
fields that matter are read, of the file's closing part and of the header of each page
(Thrift, compact protocol).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

MAGIC = b"PAR1"
MOST_FOOTER = 256 << 20
MOST_PAGE = 1 << 30
"""Bytes of one page once unpacked: writers make pages of about a megabyte."""
MOST_RATIO = 100_000
"""Values for each byte of a column at most; a run of equal values takes next to none ..."""
MODEST = 20_000_000
"""... and so many values, or bytes, do no harm in any case."""
_USUAL_HEADER, _PAGE_HEADER = 1 << 8, 1 << 16
_DEPTH = 32

_STRUCT, _LIST, _SET, _MAP = 12, 9, 10, 11


class ImplausibleError(Exception):
    """What the file says of itself cannot be true; the text says what."""


class _Thrift:
    """Structures of the compact protocol as dictionaries: field number to value."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def _byte(self) -> int:
        try:
            byte = self._data[self.at]
        except IndexError:
            raise ImplausibleError("its description ends too early") from None
        self.at += 1
        return byte

    def _varint(self) -> int:
        out = self._byte()
        if out < 0x80:
            return out
        out &= 0x7F
        shift = 7
        while True:
            byte = self._byte()
            out |= (byte & 0x7F) << shift
            if byte < 0x80:
                return out
            shift += 7
            if shift > 63:
                raise ImplausibleError("its description holds a number without end")

    def _integer(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)

    def _bytes(self) -> bytes:
        size = self._varint()
        if size > len(self._data) - self.at:
            raise ImplausibleError("its description ends within a text")
        self.at += size
        return self._data[self.at - size : self.at]

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Read one structure."""
        if depth > _DEPTH:
            raise ImplausibleError("its description is nested without end")
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            kind, step = head & 0x0F, head >> 4
            number = number + step if step else self._integer()
            if 4 <= kind <= 6:
                fields[number] = self._integer()
            else:
                fields[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if 4 <= kind <= 6:
            return self._integer()
        if 1 <= kind <= 3:
            return self._byte()
        if kind == 7:
            self.at += 8
            return None
        if kind == 8:
            return self._bytes()
        if kind in (_LIST, _SET):
            head = self._byte()
            count = head >> 4 if head >> 4 != 15 else self._varint()
            self._holds(count)
            return [self._value(head & 0x0F, depth + 1) for _ in range(count)]
        if kind == _MAP:
            count = self._varint()
            self._holds(count)
            if not count:
                return []
            kinds = self._byte()
            return [
                (self._value(kinds >> 4, depth + 1), self._value(kinds & 0x0F, depth + 1))
                for _ in range(count)
            ]
        if kind == _STRUCT:
            return self.struct(depth + 1)
        raise ImplausibleError("its description is of an unknown kind")

    def _holds(self, count: int) -> None:
        if count > len(self._data) - self.at:
            raise ImplausibleError("its description promises a longer list than there is")


def examine(path: Path) -> None:
    """Raise ImplausibleError where a Parquet file's numbers do not fit the file."""
    with path.open("rb") as handle:
        size = handle.seek(0, os.SEEK_END)
        if size < 12:
            raise ImplausibleError("it is too short")
        handle.seek(0)
        if handle.read(4) != MAGIC:
            raise ImplausibleError("it does not begin with PAR1")
        handle.seek(size - 8)
        closing = handle.read(8)
        if closing[4:] == b"PARE":
            raise ImplausibleError("it is encrypted")
        if closing[4:] != MAGIC:
            raise ImplausibleError("it does not end with PAR1: it was cut short")
        length = int.from_bytes(closing[:4], "little")
        if length > min(size - 12, MOST_FOOTER):
            raise ImplausibleError("its description is longer than the file")
        handle.seek(size - 8 - length)
        footer = _Thrift(handle.read(length)).struct()
        _rows(footer)
        for chunk in _chunks(footer):
            _pages(handle, chunk, size - 8 - length)


def _whole(fields: dict[int, Any], number: int, what: str, least: int = 0) -> int:
    value = fields.get(number)
    if type(value) is not int:
        raise ImplausibleError(f"its {what} is missing")
    if value < least:
        raise ImplausibleError(f"its {what} is {value}")
    return value


def _structs(value: Any, what: str) -> list[dict[int, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ImplausibleError(f"its {what} are missing")
    return value


def _rows(footer: dict[int, Any]) -> None:
    groups = _structs(footer.get(4), "row groups")
    total = sum(_whole(group, 3, "number of rows in a group") for group in groups)
    if total != _whole(footer, 3, "number of rows"):
        raise ImplausibleError(f"it promises {footer[3]} rows, its row groups {total}")
    schema = _structs(footer.get(2), "columns")
    leaves = 0
    for element in schema:
        children = element.get(5, 0)
        if type(children) is not int or not 0 <= children < len(schema):
            raise ImplausibleError("its columns are nested in themselves")
        leaves += 5 not in element or not children
        width = element.get(2, 0)
        if type(width) is not int or not 0 <= width <= MOST_PAGE:
            raise ImplausibleError(f"a column is {width!r} bytes wide")
    if any(len(_structs(group.get(1), "column chunks")) != leaves for group in groups):
        raise ImplausibleError("a row group has other columns than the file")


def _chunks(footer: dict[int, Any]) -> Iterator[dict[int, Any]]:
    """What is said of each column in each row group; ``rows`` of the group under -1."""
    for group in footer[4]:
        for chunk in group[1]:
            said = chunk.get(3)
            if not isinstance(said, dict):
                raise ImplausibleError("a column is not described")
            yield {**said, -1: group[3]}


def _page_header(handle: BinaryIO, left: int) -> tuple[_Thrift, dict[int, Any]]:
    """What is said before a page; of ``left`` bytes as few are read as suffice."""
    data = handle.read(min(_USUAL_HEADER, left))
    try:
        reader = _Thrift(data)
        return reader, reader.struct()
    except ImplausibleError:  # its statistics have long texts, or it is damaged
        reader = _Thrift(data + handle.read(min(_PAGE_HEADER, left) - len(data)))
        return reader, reader.struct()


def _pages(handle: BinaryIO, chunk: dict[int, Any], end: int) -> None:
    """Follow the pages of a column chunk from one to the next."""
    values = _whole(chunk, 5, "number of values in a column")
    packed = _whole(chunk, 7, "size of a column")
    unpacked = _whole(chunk, 6, "unpacked size of a column")
    start = _whole(chunk, 9, "place of a column", 4)
    dictionary = chunk.get(11)
    if type(dictionary) is int and 4 <= dictionary < start:
        start = dictionary
    if start + packed > end:
        raise ImplausibleError("a column lies outside of the file")
    if values > max(MODEST, MOST_RATIO * unpacked):
        raise ImplausibleError(f"it promises {values} values in {unpacked} bytes")
    if unpacked > max(MODEST, MOST_RATIO * packed):
        raise ImplausibleError(f"it promises {unpacked} bytes in {packed}")
    stop = start + packed
    seen = 0
    while start < stop and seen < values:
        handle.seek(start)
        reader, header = _page_header(handle, stop - start)
        body = _whole(header, 3, "size of a page")
        plain = _whole(header, 2, "unpacked size of a page")
        if start + reader.at + body > stop:
            raise ImplausibleError("a page is longer than its column")
        if plain > min(MOST_PAGE, unpacked):
            raise ImplausibleError(f"a page promises {plain} bytes, its column {unpacked}")
        data = header.get(5) or header.get(8)
        held = header.get(7)
        for part in (data, held):
            if isinstance(part, dict):
                count = _whole(part, 1, "number of values in a page")
                most = max(MODEST, MOST_RATIO * plain)
                if part is data:  # a dictionary may have words that no row has
                    most = min(most, values)
                if count > most:
                    raise ImplausibleError(f"a page promises {count} values in {plain} bytes")
        if isinstance(data, dict):
            seen += data[1]
        start += reader.at + body
    if seen != values:
        raise ImplausibleError(f"a column promises {values} values, its pages {seen}")
