"""The report's one typeface, taken from the package that carries it.

Noto Sans CJK comes as a collection of ten faces. Its Hong Kong face has the character forms
that Macau uses and Latin letters of the same design, so one face serves all three languages.
"""

from __future__ import annotations

import struct
from functools import cache
from importlib import import_module
from mmap import ACCESS_READ, mmap
from pathlib import Path

from audit.errors import ReportError

FACE = 4
"""Place of ``Noto Sans CJK HK`` in the collection."""

_HINT = "Install it with: pip install noto-cjk-sans-otc"


def _collection() -> mmap:
    """The file of the package, of which no more comes into memory than is looked at."""
    try:
        package = import_module("noto_cjk_sans_otc")
    except ImportError as error:
        raise ReportError("the font package noto-cjk-sans-otc is missing", hint=_HINT) from error
    with Path(str(package.FONT_PATH)).open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def _directory(data: mmap) -> tuple[bytes, list[tuple[bytes, int, int, int]]]:
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


def _table(data: mmap, wanted: bytes) -> int:
    """Where in the collection a table of the face begins."""
    return next(offset for tag, _, offset, _ in _directory(data)[1] if tag == wanted)


@cache
def _glyphs() -> dict[int, int]:
    """Glyph of each code point that the face can draw, read from its ``cmap`` (format 12)."""
    data = _collection()
    cmap = _table(data, b"cmap")
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    for record in range(count):
        (offset,) = struct.unpack_from(">I", data, cmap + 4 + 8 * record + 4)
        (form,) = struct.unpack_from(">H", data, cmap + offset)
        if form == 12:
            (groups,) = struct.unpack_from(">I", data, cmap + offset + 12)
            ranges = struct.iter_unpack(
                ">III", data[cmap + offset + 16 : cmap + offset + 16 + 12 * groups]
            )
            return {
                code: glyph + code - first
                for first, last, glyph in ranges
                for code in range(first, last + 1)
            }
    raise ReportError("the font of noto-cjk-sans-otc has no full character map", hint=_HINT)


@cache
def _advances() -> tuple[int, tuple[int, ...]]:
    """Units in an em, and the advances of the glyphs; the last is that of all that follow."""
    data = _collection()
    (em,) = struct.unpack_from(">H", data, _table(data, b"head") + 18)
    (count,) = struct.unpack_from(">H", data, _table(data, b"hhea") + 34)
    pairs = struct.unpack_from(f">{2 * count}H", data, _table(data, b"hmtx"))
    return em, pairs[::2]


def drawable(character: str) -> bool:
    """Whether the typeface has a glyph for ``character``."""
    return ord(character) in _glyphs()


def wide(text: str) -> float:
    """Most that ``text`` is wide, in ems: an accent may be drawn on a circle of its own."""
    em, advances = _advances()
    glyphs = (_glyphs().get(ord(one), 0) for one in text)
    return sum(advances[min(glyph, len(advances) - 1)] or em for glyph in glyphs) / em


def fitted(text: str, room: float) -> str:
    """``text``, its middle cut out where it is wider than ``room`` ems."""
    cut, shown = text, len(text)
    while shown > 1 and wide(cut) > room:
        shown -= 1
        cut = text[: shown - shown // 3] + "…" + text[len(text) - shown // 3 :]
    return cut
