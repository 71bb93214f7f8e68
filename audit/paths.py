"""Where the two data folders are: in the installed wheel, or beside the package in a checkout."""

from __future__ import annotations

from pathlib import Path

from audit.errors import AuditError

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: str) -> Path:
    """Folder ``rulesets`` or ``reports``.

    A wheel carries them inside the package (``audit/_data``); a checkout and an editable
    install have them beside it.
    """
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise AuditError(
        f"the data folder {name!r} is missing from this installation",
        hint="Install the package again from its wheel or checkout",
    )
