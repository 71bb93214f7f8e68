"""The report's one typeface, taken from the package that carries it.

Noto Sans CJK comes as a collection of ten faces. Its Hong Kong face has the character forms
that Macau uses and Latin letters of the same design, so one face serves all three languages.
"""

from __future__ import annotations

import struct
from functools import cache
from importlib import import_module
from pathlib import Path

from audit.errors import ReportError

FACE = 4
"""Place of ``Noto Sans CJK HK`` in the collection."""

_HINT = "Install it with: pip install noto-cjk-sans-otc"


def _collection() -> bytes:
    try:
        package = import_module("noto_cjk_sans_otc")
    except ImportError as error:
        raise ReportError("the font package noto-cjk-sans-otc is missing", hint=_HINT) from error
    return Path(str(package.FONT_PATH)).read_bytes()


def _directory(data: bytes) -> tuple[bytes, list[tuple[bytes, int, int, int]]]:
    """Header of the face and its tables as (tag, checksum, offset, length)."""
    (start,) = struct.unpack_from(">I", data, 12 + 4 * FACE)
    (count,) = struct.unpack_from(">H", data, start + 4)
    records = struct.iter_unpack(">4sIII", data[start + 12 : start + 12 + 16 * count])
    return data[start : start + 12], list(records)


def font_file() -> bytes:
    """The face as a font file of its own: the tables of the collection, copied unchanged."""
    data = _collection()
    if data[:4] != b"ttcf":
        raise ReportError("the font of noto-cjk-sans-otc is no collection", hint=_HINT)
    header, tables = _directory(data)
    position = 12 + 16 * len(tables)
    records, bodies = [], []
    for tag, checksum, offset, length in tables:
        body = data[offset : offset + length]
        body += b"\0" * (-length % 4)
        records.append(struct.pack(">4sIII", tag, checksum, position, length))
        bodies.append(body)
        position += len(body)
    return b"".join((header, *records, *bodies))


@cache
def _drawable() -> frozenset[int]:
    """Code points that the face has a glyph for, read from its ``cmap`` (format 12)."""
    data = _collection()
    _, tables = _directory(data)
    cmap = next(offset for tag, _, offset, _ in tables if tag == b"cmap")
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    for record in range(count):
        (offset,) = struct.unpack_from(">I", data, cmap + 4 + 8 * record + 4)
        (form,) = struct.unpack_from(">H", data, cmap + offset)
        if form == 12:
            (groups,) = struct.unpack_from(">I", data, cmap + offset + 12)
            ranges = struct.iter_unpack(
                ">III", data[cmap + offset + 16 : cmap + offset + 16 + 12 * groups]
            )
            return frozenset(code for first, last, _ in ranges for code in range(first, last + 1))
    raise ReportError("the font of noto-cjk-sans-otc has no full character map", hint=_HINT)


def drawable(character: str) -> bool:
    """Whether the typeface has a glyph for ``character``."""
    return ord(character) in _drawable()
