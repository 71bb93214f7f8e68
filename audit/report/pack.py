"""The last step before a PDF is written: its objects in their final bytes, each made once.

Left alone, the renderer makes every object twice, for the file and for the file's identifier,
compresses streams as hard as can be, which saves a fiftieth of the size, and takes an
attachment into memory whole. Here the attachments are read in pieces.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_PIECE = 1 << 20


@dataclass
class Packed:
    """An object of the PDF whose bytes are made; it stands in for one of the renderer's."""

    number: int
    generation: int
    data: bytes
    offset: int = 0
    free: str = "n"
    compressible: bool = False

    @property
    def indirect(self) -> bytes:
        """The object as it is written to the file."""
        return b"%d %d obj\n%b\nendobj" % (self.number, self.generation, self.data)


@contextmanager
def lightly() -> Iterator[None]:
    """Within the block the library packs what it writes itself with the usual effort.

    Its own, the highest, takes several times as long and saves a hundredth of the file.
    """
    library: Any = import_module("pydyf")
    before = library.zlib
    usual = SimpleNamespace(compress=zlib.compress, compressobj=lambda level: zlib.compressobj())
    library.zlib = usual
    try:
        yield
    finally:
        library.zlib = before


def placeholder(name: str) -> bytes:
    """What the renderer is given in place of the content of an attachment, to be found again."""
    return f"content of {name}".encode()


def pack(pdf: Any, attached: Sequence[tuple[str, Path]]) -> None:
    """Make every object of ``pdf`` final; ``attached`` are the names and files of attachments."""
    pydyf = import_module("pydyf")
    files = {placeholder(name): path for name, path in attached}
    for place, each in enumerate(pdf.objects):
        if each.free == "f":
            continue
        stream = isinstance(each, pydyf.Stream)
        data = _stream(pydyf, each, files) if stream else each.data
        pdf.objects[place] = Packed(
            each.number, each.generation, data, compressible=each.compressible
        )


def _stream(pydyf: Any, each: Any, files: Mapping[bytes, Path]) -> bytes:
    """A stream of the renderer, or that of the file which a placeholder stands for."""
    only = each.stream[0] if len(each.stream) == 1 else None
    file = files.get(only) if isinstance(only, bytes) else None
    if file is not None:
        return _embedded(pydyf, each.extra, file)
    plain, each.compress = not each.compress, False
    data = bytes(each.data)
    if plain:
        return data
    # The library writes what a stream is made of; only how hard it is compressed is ours.
    content = data.partition(b"\nstream\n")[2].removesuffix(b"\nendstream")
    return _compressed(pydyf, each.extra, zlib.compress(content))


def _compressed(pydyf: Any, extra: Any, body: bytes) -> bytes:
    head = pydyf.Dictionary({**extra, "Filter": "/FlateDecode", "Length": len(body)})
    return b"\n".join((head.data, b"stream", body, b"endstream"))


def _embedded(pydyf: Any, extra: Any, file: Path) -> bytes:
    """The stream of an attachment: its dictionary, and its content compressed."""
    checksum, size, packed = hashlib.md5(usedforsecurity=False), 0, zlib.compressobj()
    pieces = []
    with file.open("rb") as content:
        while piece := content.read(_PIECE):
            checksum.update(piece)
            size += len(piece)
            pieces.append(packed.compress(piece))
    extra["Params"] |= {"CheckSum": f"<{checksum.hexdigest()}>", "Size": size}
    return _compressed(pydyf, extra, b"".join((*pieces, packed.flush())))
