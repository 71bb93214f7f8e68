"""gzip files and members of zip archives as streams, and what is refused of them.

A small packed file can hold an endless one. So what comes out is counted against what went in:
no real log is packed two hundred times smaller, and none is larger than ``MOST``.
"""

from __future__ import annotations

import gzip
import io
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Literal, cast

from audit.errors import LogError
from audit.sources.base import Content

MOST = 64 << 30
"""Bytes that a packed file may hold, all members together."""
RATIO = 200
"""Bytes out for each byte in at most ..."""
SMALL = 16 << 20
"""... but for contents below this, where a high ratio does no harm."""
MEMBERS = 10_000

_DAMAGED = (zlib.error, EOFError, gzip.BadGzipFile, zipfile.BadZipFile)
_ABSURD = (OSError, ValueError, KeyError, NotImplementedError, RuntimeError, OverflowError)
"""What follows from places and sizes that no archive has, such as a place before the file."""
_ANEW = "Pack it again, or give the files unpacked"


class _Counted(io.RawIOBase):
    """A stream that refuses to give more than a packed file of ``packed`` bytes should hold."""

    def __init__(self, inner: BinaryIO, packed: int, name: str) -> None:
        self._inner = inner
        self._packed = packed
        self._name = name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        with _sentences(self._name):
            return self._inner.seek(offset, whence)

    def tell(self) -> int:
        return self._inner.tell()

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        with _sentences(self._name):
            data = self._inner.read(len(view))
        view[: len(data)] = data
        refuse_bomb(self._inner.tell(), self._packed, self._name)
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


@contextmanager
def _sentences(name: str) -> Iterator[None]:
    """Turn what the standard library raises for damage into LogError."""
    try:
        yield
    except _DAMAGED as error:
        reason = str(error) or type(error).__name__
        raise LogError(
            f"the packed data is damaged ({reason[:80]})", where=name, hint=_ANEW
        ) from None


def refuse_bomb(size: int, packed: int, name: str) -> None:
    """Raise LogError where ``size`` bytes come out of ``packed`` bytes, and that is absurd."""
    if size > MOST:
        raise LogError(
            f"it unpacks to more than {MOST >> 30} GiB", where=name, hint="Give it in parts"
        )
    if size > SMALL and size > RATIO * max(packed, 1):
        raise LogError(
            f"it unpacks to more than {RATIO} times its size, as no log does",
            where=name,
            hint="If it is sound, give the files unpacked",
        )


class Gzipped:
    """The content of a ``.gz`` file."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._name = name

    @property
    def suffix(self) -> str:
        """Ending below the ``.gz``: ``.csv`` of ``rounds.csv.gz``."""
        return Path(self._path.stem).suffix

    def open(self, mode: Literal["rb"]) -> BinaryIO:
        """Open the unpacked stream."""
        if self._path.stat().st_size == 0:
            raise LogError("the file is empty", where=self._name, hint="A gzip file was expected")
        inner = cast(BinaryIO, gzip.GzipFile(self._path, mode))
        counted = _Counted(inner, self._path.stat().st_size, self._name)
        return cast(BinaryIO, io.BufferedReader(counted, 1 << 20))


class Member:
    """The content of one file in a zip archive."""

    def __init__(self, path: Path, member: str, name: str) -> None:
        self._path = path
        self._member = member
        self._name = name

    @property
    def suffix(self) -> str:
        """Ending of the member."""
        return PurePosixPath(self._member).suffix

    def open(self, mode: Literal["rb"]) -> BinaryIO:
        """Open the unpacked stream."""
        try:
            with zipfile.ZipFile(self._path) as archive:
                # The stream keeps the file open by itself when the archive is closed.
                inner = cast(BinaryIO, archive.open(self._member, "r"))
                packed = archive.getinfo(self._member).compress_size
        except (*_DAMAGED, *_ABSURD) as error:
            raise LogError(
                f"the member cannot be read ({str(error)[:80]})", where=self._name, hint=_ANEW
            ) from None
        return cast(BinaryIO, io.BufferedReader(_Counted(inner, packed, self._name), 1 << 20))


def spool(content: Content, scratch: Path) -> Path:
    """Unpack to a file in the folder ``scratch``, for kinds that are not read from a stream."""
    target = scratch / f"content{content.suffix.lower()}"
    with content.open("rb") as stream, target.open("wb") as file:
        shutil.copyfileobj(stream, file, 1 << 20)
    return target


def scratch_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that goes with the object."""
    return tempfile.TemporaryDirectory(prefix="baccarat-audit-")


def zip_members(path: Path, name: str) -> tuple[str, ...]:
    """Names of the files in an archive, in its order.

    Raises LogError for an archive that is damaged, unsafe or absurd: names that lead out of it,
    links, secret members, other archives, other methods than store and deflate.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
    except (*_DAMAGED, *_ABSURD) as error:
        raise LogError(
            f"this is no sound zip archive ({str(error)[:80]})", where=name, hint=_ANEW
        ) from None
    if len(infos) > MEMBERS:
        raise LogError(f"it has more than {MEMBERS} members", where=name, hint=_ANEW)
    seen: set[str] = set()
    for info in infos:
        _refuse(info, name)
        if info.filename in seen:
            raise LogError(f"{info.filename!r} is in it twice", where=name, hint=_ANEW)
        seen.add(info.filename)
    refuse_bomb(sum(info.file_size for info in infos), path.stat().st_size, name)
    return tuple(info.filename for info in infos)


def _refuse(info: zipfile.ZipInfo, name: str) -> None:
    path = PurePosixPath(info.filename)
    faults = {
        "has no name": not info.filename,
        "has a name that leads out of the archive": path.is_absolute()
        or ".." in path.parts
        or "\\" in info.orig_filename
        or info.filename[1:2] == ":",
        "has a name with control characters": not info.filename.isprintable()
        or info.orig_filename != info.filename,
        "is a link": stat.S_ISLNK(info.external_attr >> 16),
        "is encrypted": bool(info.flag_bits & 0x1),
        "is itself packed": path.suffix.lower() in (".zip", ".gz", ".7z", ".rar", ".bz2", ".xz"),
        "is packed in a way that is not read": info.compress_type
        not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED),
    }
    for fault, found in faults.items():
        if found:
            raise LogError(
                f"the member {info.filename!r} {fault}", where=name, hint="Give the files unpacked"
            )
    refuse_bomb(info.file_size, info.compress_size, f"{name}/{info.filename}")
