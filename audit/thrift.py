"""Thrift's compact protocol, as Parquet describes itself in: where the wanted fields lie.

Nothing is decoded but what is asked for, so that the rest can be copied as it is, byte for byte.
Where the bytes end too early there is an IndexError, where they make no sense a ValueError.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

INTEGER, BINARY, STRUCT = 6, 8, 12
_FLAGS, _BYTE, _DOUBLE, _INTEGERS, _LISTS = (1, 2), 3, 7, (4, 5, 6), (9, 10)


class Within(NamedTuple):
    """A field that is a structure, or a list of them; itself wanted if it has a ``code``."""

    fields: Wanted
    code: int = 0


Wanted: TypeAlias = "Mapping[int, int | Within]"
"""The fields of a structure that are wanted: by number, the code to mark each with."""


def mark(data: bytes, at: int, wanted: Wanted, marks: array[int]) -> int:
    """Append code, start and stop of each wanted field of the structure at ``at``; its own stop.

    They come in the order of the bytes, a field before those within it.
    """
    number = 0
    while head := data[at]:
        at += 1
        if head > 15:
            number += head >> 4
        else:
            number = integer(data, at)
            at = skip(data, at, INTEGER)
        kind = head & 15
        here = wanted.get(number)
        if here is None:
            at = skip(data, at, kind)
        elif isinstance(here, int):
            marks.append(here)
            marks.append(at)
            at = skip(data, at, kind)
            marks.append(at)
        else:
            place = len(marks)
            if here.code:
                marks.extend((here.code, at, 0))
            count, at = (1, at) if kind == STRUCT else elements(data, at)
            for _ in range(count):
                at = mark(data, at, here.fields, marks)
            if here.code:
                marks[place + 2] = at
    return at + 1


def skip(data: bytes, at: int, kind: int) -> int:
    """Where the value at ``at`` ends."""
    if kind in _INTEGERS:
        while data[at] > 127:
            at += 1
        return at + 1
    if kind == BINARY:
        size, at = natural(data, at)
        return at + size
    if kind == STRUCT:
        while head := data[at]:
            at = skip(data, at + 1 if head > 15 else skip(data, at + 1, INTEGER), head & 15)
        return at + 1
    if kind in _LISTS:
        kind = data[at] & 15
        count, at = elements(data, at)
        if kind in _FLAGS:
            return at + count
        for _ in range(count):
            at = skip(data, at, kind)
        return at
    if kind in _FLAGS:  # the kind is the value
        return at
    if kind == _BYTE:
        return at + 1
    if kind == _DOUBLE:
        return at + 8
    raise ValueError(f"a value of kind {kind} is not known")


def elements(data: bytes, at: int) -> tuple[int, int]:
    """How many elements the list at ``at`` has, and where the first begins."""
    head = data[at]
    return natural(data, at + 1) if head > 0xEF else (head >> 4, at + 1)


def natural(data: bytes, at: int) -> tuple[int, int]:
    """The length or count at ``at``, and where it ends."""
    byte = data[at]
    number = byte & 127
    shift = 7
    while byte > 127:
        at += 1
        byte = data[at]
        number |= (byte & 127) << shift
        shift += 7
    return number, at + 1


def integer(data: bytes, at: int) -> int:
    """The integer at ``at``."""
    number, _ = natural(data, at)
    return (number >> 1) ^ -(number & 1)


def text(data: bytes, at: int) -> bytes:
    """The bytes of the text at ``at``."""
    size, at = natural(data, at)
    return data[at : at + size]


def as_natural(number: int) -> bytes:
    """A length or count as bytes."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def as_integer(number: int) -> bytes:
    """An integer that is not negative, as bytes."""
    return as_natural(number << 1)


def as_list_head(count: int, kind: int) -> bytes:
    """What stands before the elements of a list."""
    return bytes([count << 4 | kind]) if count < 15 else bytes([0xF0 | kind]) + as_natural(count)
