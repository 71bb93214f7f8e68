"""Big5 or GB18030: which of the two a text is that is not UTF-8.

The two share their bytes: most Big5 text is also valid GB18030, of other characters. So the text
must fit its encoding to the last byte, and then the words decide: those that logs are known to
hold, else whether nearly all characters are common ones in one reading and rare in the other.
Western text in a single-byte encoding fits too, now and then, and is told by letters that stand
right before each "character". What stays open is refused.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from audit.schema import OUTCOME_WORDS
from audit.sources.base import Source

_KNOWN = frozenset(word for word in OUTCOME_WORDS if not word.isascii())
_CELLS = re.compile(r"[,;\t|\"\r\n:{}\[\]]")
_SAMPLE = 1 << 20
"""Bytes of lines with Chinese in them that are looked at closely."""
_CHUNK = 4 << 20
_LEAST = 4
"""Different characters without which it cannot be said what is common."""
_PRIVATE = re.compile("[\ue000-\uf8ff\ufffd]")


@dataclass(frozen=True, slots=True)
class _Encoding:
    """``common``: first bytes, in ``plain``, of the characters that daily text consists of."""

    title: str
    codec: str
    plain: str
    common: range


_BOTH = (
    _Encoding("Big5", "big5hkscs", "big5", range(0xA1, 0xC7)),
    _Encoding("GB18030", "gb18030", "gb2312", range(0xA1, 0xD8)),
)


@dataclass(frozen=True, slots=True)
class _Reading:
    """How the sample reads in one encoding: ``usual`` and ``glued`` are shares of characters."""

    encoding: _Encoding
    words: int
    usual: float
    glued: float
    distinct: int
    example: str


def settle(source: Source) -> str:
    """Name of the codec that the file, which is not UTF-8, is written in.

    Raises LogError where neither encoding fits, or where nothing tells which one it is.
    """
    fits, sample, line, byte = _scan(source)
    found = f"line {line} is not UTF-8: it holds the byte 0x{byte:02X}"
    readings = [_read(encoding, sample) for encoding in fits]
    speaking = [reading for reading in readings if reading.words]
    if len(speaking) == 1:
        return speaking[0].encoding.codec
    likely = [
        reading
        for reading in readings
        if reading.usual >= 0.9 and reading.glued <= 0.5 and reading.distinct >= _LEAST
    ]
    if len(likely) == 1 and all(
        reading is likely[0] or reading.usual <= 0.6 for reading in readings
    ):
        return likely[0].encoding.codec
    if not readings or all(reading.glued > 0.5 for reading in readings):
        raise source.fail(
            f"{found}, and the text is neither Big5 nor GB18030",
            "Save the file as UTF-8 and run again",
        )
    shown = ", or ".join(f"{each.example!r} as {each.encoding.title}" for each in readings)
    raise source.fail(
        f"{found}, and it is not certain which encoding it is: it reads {shown}",
        "Save the file as UTF-8 and run again, for example with"
        f" iconv -f {readings[0].encoding.title.upper()} -t UTF-8",
    )


def _scan(source: Source) -> tuple[list[_Encoding], bytes, int, int]:
    """Encodings that fit to the last byte, lines with Chinese, and what is not UTF-8 where."""
    decoders = {each: codecs.getincrementaldecoder(each.codec)("strict") for each in _BOTH}
    sample = bytearray()
    first: tuple[int, int] | None = None
    number = 1
    rest = b""
    with source.path.open("rb") as handle:
        while chunk := handle.read(_CHUNK):
            for encoding in list(decoders):
                try:
                    text = decoders[encoding].decode(chunk)
                except UnicodeDecodeError:
                    del decoders[encoding]
                    continue
                if _PRIVATE.search(text):
                    del decoders[encoding]
            # A line without end is looked at in parts.
            *whole, rest = (rest + chunk).split(b"\n")
            if len(rest) > _SAMPLE:
                whole, rest = [*whole, rest], b""
            for line in whole:
                if not line.isascii():
                    first = first or _fault(line, number)
                    if len(sample) < _SAMPLE:
                        sample += line[:_SAMPLE] + b"\n"
                number += 1
    if not rest.isascii():
        first = first or _fault(rest, number)
        sample += rest + b"\n"
    for encoding in list(decoders):
        try:
            decoders[encoding].decode(b"", final=True)
        except UnicodeDecodeError:
            del decoders[encoding]
    at, byte = first or (number, 0)
    return list(decoders), bytes(sample), at, byte


def _fault(line: bytes, number: int) -> tuple[int, int] | None:
    """Number of the line, and its first byte that is not UTF-8, if there is one."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return number, line[error.start]
    return None


def _read(encoding: _Encoding, sample: bytes) -> _Reading:
    text = sample.decode(encoding.codec, errors="ignore")
    wide = [(at, char) for at, char in enumerate(text) if char > "\x7f"]
    glued = sum(text[at - 1 : at].isascii() and text[at - 1 : at].isalpha() for at, _ in wide)
    usual = sum(_is_common(char, encoding) for _, char in wide)
    cells = [cell.strip() for cell in _CELLS.split(text)]
    example = next((cell for cell in cells if not cell.isascii()), "")
    count = max(len(wide), 1)
    return _Reading(
        encoding,
        sum(cell in _KNOWN for cell in cells),
        usual / count,
        glued / count,
        len({char for _, char in wide}),
        example[:20],
    )


def _is_common(char: str, encoding: _Encoding) -> bool:
    try:
        return char.encode(encoding.plain)[0] in encoding.common
    except UnicodeEncodeError:
        return False
