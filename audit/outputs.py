"""Files that a command writes for the user: checked before the work, written whole."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from audit.errors import OptionError


def check_file(path: Path) -> None:
    """OptionError where no file can be written at ``path``; called before any work is done."""
    if path.is_dir():
        raise OptionError("this is a folder", where=str(path), hint="Name a file")
    parent = path.resolve().parent
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise OptionError(
            "its folder is not there or cannot be written",
            where=str(path),
            hint="Make the folder first, or name another place",
        )


def write_whole(path: Path, content: bytes) -> None:
    """Write ``content`` beside ``path`` and rename it, so that no half file is ever seen."""
    check_file(path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.resolve().parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        draft.chmod(0o644)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
