"""Bytes of a text file to UTF-8 lines, in pieces that end where a line ends."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from audit.sources.base import Source

PIECE = 16 << 20
"""Bytes read at a time: large enough to be quick, small enough to stay modest in memory."""

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks that we read, and the encoding each stands for."""


def detect(head: bytes, source: Source) -> tuple[str, int]:
    """Encoding of a file by its first bytes, and the length of its mark.

    Without a mark it is UTF-8, which is verified as the file is read. Raises LogError where the
    bytes are of a kind that cannot be UTF-8 text.
    """
    if not head:
        raise source.fail("the file is empty", "A header line and rows were expected")
    if head[:4] in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE):
        raise source.fail("the text is UTF-32", "Save it as UTF-8")
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return encoding, len(mark)
    start = head[:512]
    if start.count(0) * 4 > len(start):
        raise source.fail(
            "the text is full of NUL bytes, as UTF-16 without a byte order mark is",
            "Save it as UTF-8, or as UTF-16 with its mark",
        )
    if start[:2] == b"PK" or start[:4] in (b"PAR1", b"\x1f\x8b\x08\x00", b"\x1f\x8b\x08\x08"):
        raise source.fail("this is no text file", "Its ending says text; the content does not")
    return "utf-8", 0


def pieces(source: Source, size: int = PIECE) -> Iterator[bytes]:
    r"""The file as UTF-8 without mark, each piece whole lines that end in ``\n``.

    The last piece may lack its ``\n``. Line ends of old Macs (``\r`` alone throughout) are
    turned into ``\n``. Raises LogError for bytes that are not of the file's encoding.
    """
    with source.path.open("rb") as handle:
        head = handle.read(size)
        encoding, skip = detect(head, source)
        old_mac = b"\r" in head and b"\n" not in head
        rest = b""
        done = 0
        for raw, last in _decoded(handle, head[skip:], encoding, size, source):
            text = rest + (raw.replace(b"\r", b"\n") if old_mac else raw)
            cut = len(text) if last else text.rfind(b"\n") + 1
            piece, rest = text[:cut], text[cut:]
            if not piece:
                continue
            if not piece.isascii():
                _verify(piece, done + skip, source)
            done += len(piece)
            yield piece


def _verify(piece: bytes, start: int, source: Source) -> None:
    """Raise LogError where a piece, which begins at byte ``start`` of its file, is not UTF-8."""
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError as error:
        with source.path.open("rb") as handle:
            before = sum(handle.read(1 << 20).count(b"\n") for _ in range(start >> 20))
            before += handle.read(start & ((1 << 20) - 1)).count(b"\n")
        line = before + piece.count(b"\n", 0, error.start) + 1
        raise source.fail(
            f"line {line} is not UTF-8: it holds the byte 0x{piece[error.start]:02X}",
            "Save the file as UTF-8 and run again",
        ) from None


def _decoded(
    handle: BinaryIO, head: bytes, encoding: str, size: int, source: Source
) -> Iterator[tuple[bytes, bool]]:
    """Pieces of the file as UTF-8 bytes, each with whether it is the last."""
    if encoding == "utf-8":
        piece = head
        while True:
            following = handle.read(size)
            yield piece, not following
            if not following:
                return
            piece = following
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    piece = head
    while True:
        following = handle.read(size)
        try:
            yield decoder.decode(piece, final=not following).encode("utf-8"), not following
        except UnicodeError:
            raise source.fail(
                f"the text is not the {encoding[:6].upper()} that its byte order mark says",
                "Save the file as UTF-8 and run again",
            ) from None
        if not following:
            return
        piece = following
