"""Bytes of a text file to UTF-8 lines, in pieces that end where a line ends."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from audit.sources.base import Source
from audit.sources.chinese import settle

PIECE = 16 << 20
"""Bytes read at a time: large enough to be quick, small enough to stay modest in memory."""

_HEAD = 1 << 16

LONGEST_LINE = 64 << 20
"""Bytes of a line at most; a longer one is no row of any table."""

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks that we read, and the encoding each stands for."""

_OTHERS = (b"PK", b"PAR1", b"\x1f\x8b", b"SQLite format 3\0")
"""What files begin with that are no text."""


def detect(head: bytes, source: Source) -> tuple[str, int]:
    """Encoding of a file by its first bytes, and the length of its mark.

    Without a mark, and without the NUL in every other byte that Latin text in UTF-16 has, it is
    UTF-8, which is verified as the file is read. Raises LogError where the bytes are of a kind
    that cannot be text.
    """
    if not head:
        raise source.fail("the file is empty", "A header line and rows were expected")
    if head[:4] in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE):
        raise source.fail("the text is UTF-32", "Save it as UTF-8")
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return encoding, len(mark)
    if head.startswith(_OTHERS):
        raise source.fail("this is no text file", "Its ending says text; the content does not")
    start = head[:512]
    nuls = start.count(0)
    if nuls * 4 > len(start):
        # Names of columns are Latin: their high byte, first or second of each pair, is NUL.
        first, second = start[0::2].count(0), start[1::2].count(0)
        if first * 10 < second:
            return "utf-16-le", 0
        if second * 10 < first:
            return "utf-16-be", 0
        raise source.fail("the text is full of NUL bytes", "Save it as UTF-8")
    return "utf-8", 0


def pieces(source: Source, size: int = PIECE) -> Iterator[bytes]:
    r"""The file as UTF-8 without mark, each piece whole lines that end in ``\n``.

    The last piece may lack its ``\n``. Line ends of old Macs (``\r`` alone throughout) are
    turned into ``\n``. Text that is not UTF-8 is read as Big5 or GB18030 where it can only be
    one of them. Raises LogError for bytes that are not of the file's encoding, and for a line
    without end.
    """
    with source.path.open("rb") as handle:
        head = handle.read(size)
        found, skip = detect(head, source)
        encoding = _chosen(source, found, marked=skip > 0)
        old_mac = b"\r" in head and b"\n" not in head
        rest = b""
        done = 0
        ascii_so_far = skip == 0
        for raw, last in _decoded(handle, head[skip:], encoding, size, source):
            piece, rest = _cut(rest, raw.replace(b"\r", b"\n") if old_mac else raw, last=last)
            if len(rest) > LONGEST_LINE:
                raise source.fail(
                    f"a line is longer than {LONGEST_LINE >> 20} MiB", "Write one row a line"
                )
            if not piece:
                continue
            if encoding == "utf-8" and not piece.isascii():
                if ascii_so_far and source.encoding is None and not is_utf8(piece):
                    # Up to here the encodings are alike, so that nothing is read again.
                    source.encoding = settle(source)
                    break
                _verify(piece, done + skip, source)
                ascii_so_far = False
            done += len(piece)
            yield piece
        else:
            return
    yield from _from(source, done, size, old_mac=old_mac)


def utf8_mark(source: Source) -> int | None:
    """Length of a UTF-8 file's mark; None where its pieces may not be the bytes as they stand.

    What is not UTF-8 further down is seen as the file is read: the source then has an encoding.
    """
    with source.path.open("rb") as handle:
        head = handle.read(_HEAD)
    found, skip = detect(head, source)
    encoding = _chosen(source, found, marked=skip > 0)
    # Without a line end in sight the file may be an old Mac's.
    return skip if encoding == "utf-8" and b"\n" in head else None


def _chosen(source: Source, found: str, *, marked: bool) -> str:
    """The encoding that was set, else the one found; LogError where the mark is another's."""
    said = source.encoding
    if said is None or said == found or (said == "utf-16" and found.startswith("utf-16")):
        return found
    if marked or said == "utf-16":
        raise source.fail(
            f"it is to be read as {said}, and its first bytes are not of that encoding",
            "Correct the encoding, or leave it out: it is then detected",
        )
    return said


def _from(source: Source, start: int, size: int, *, old_mac: bool) -> Iterator[bytes]:
    """Pieces of the file from byte ``start`` on, in the encoding that the source now has."""
    rest = b""
    with source.path.open("rb") as handle:
        handle.seek(start)
        head = handle.read(size)
        for raw, last in _decoded(handle, head, source.encoding or "utf-8", size, source):
            piece, rest = _cut(rest, raw.replace(b"\r", b"\n") if old_mac else raw, last=last)
            if piece:
                yield piece


def _cut(rest: bytes, raw: bytes, *, last: bool) -> tuple[bytes, bytes]:
    """All whole lines of ``rest`` and then ``raw``, and what is left of them."""
    cut = len(raw) if last else raw.rfind(b"\n") + 1
    if not cut and not last:
        return b"", rest + raw
    # Joined by way of a view, what is read is copied once.
    return b"".join((rest, memoryview(raw)[:cut])), raw[cut:]


def characters(source: Source, size: int = PIECE) -> Iterator[str]:
    """The file's text in pieces that end anywhere; raises LogError as ``pieces`` does."""
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    with source.path.open("rb") as handle:
        head = handle.read(size)
        encoding, skip = detect(head, source)
        for raw, last in _decoded(handle, head[skip:], encoding, size, source):
            try:
                text = decoder.decode(raw, final=last)
            except UnicodeDecodeError as error:
                raise source.fail(
                    f"it is not UTF-8: it holds the byte 0x{error.object[error.start]:02X}",
                    "Save the file as UTF-8 and run again",
                ) from None
            if text:
                yield text


def _who(source: Source) -> str:
    return "its first bytes say" if source.encoding is None else "it is to be read as"


def is_utf8(text: bytes) -> bool:
    """Whether the bytes are UTF-8."""
    if text.isascii():
        return True
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


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
                f"the text is not the {encoding.upper()} that {_who(source)}",
                "Save the file as UTF-8 and run again",
            ) from None
        if not following:
            return
        piece = following
