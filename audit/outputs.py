"""Files that a command writes for the user: checked before the work, written whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from audit.errors import OptionError


def check_file(
    path: Path,
    *,
    spare: Iterable[Path | None] = (),
    begins: bytes = b"",
    endings: Sequence[str] = (),
) -> None:
    """OptionError where no file may be written at ``path``; called before any work is done.

    A file of a case, one of ``spare`` (what the command reads) or in a folder of it, is never
    replaced; where ``begins`` is given, neither is a file that begins otherwise. A name that
    ends otherwise than one of ``endings`` would hide what is in the file.
    """
    if path.is_dir():
        raise OptionError("this is a folder", where=str(path), hint="Name a file")
    device = path.exists() and not path.is_file()
    if endings and path.suffix.lower() not in endings and not device:
        raise OptionError(
            f"the file to write is of the kind {endings[0][1:].upper()}, and its name says another",
            where=str(path),
            hint=f"Name it {path.stem}{endings[0]}",
        )
    here = path.resolve()
    if not here.parent.is_dir() or not os.access(here.parent, os.W_OK):
        raise OptionError(
            "its folder is not there or cannot be written",
            where=str(path),
            hint="Make the folder first, or name another place",
        )
    if not here.is_file():
        return
    read = [each.resolve() for each in spare if each is not None]
    if _of_a_case(here) or any(here == each or each == here.parent for each in read):
        raise OptionError(
            "this file belongs to the log or the case",
            where=str(path),
            hint="Name another file",
        )
    if begins and here.stat().st_size and not _begins(here, begins):
        raise OptionError(
            "this file is there already and is something else",
            where=str(path),
            hint="Name another file",
        )


def _of_a_case(path: Path) -> bool:
    from audit.case import FILES, is_case

    return path.name in FILES and is_case(path.parent)


def _begins(path: Path, start: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(start)) == start


def write_whole(path: Path, content: bytes) -> None:
    """Write ``content`` beside ``path`` and rename it, so that no half file is ever seen.

    A device or a pipe is written to as it is; a symbolic link keeps pointing where it points.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        path.open("wb", buffering=0).write(content)
        return
    target = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        draft.chmod(0o644)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
