"""Where the data folders are, in a wheel or beside the package, and how a part is run."""

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


def running(module: str) -> tuple[str, ...]:
    """Arguments of the interpreter that run ``module`` of ours as a program.

    Not with ``-m`` alone, which looks into the folder where the user is before all others: an
    ``audit.py`` that lies there, among logs of strangers, would be run.
    """
    root = str(_PACKAGE.parent)
    run = (
        f"import sys, runpy; sys.path.append({root!r}); "
        f"runpy.run_module({module!r}, {{}}, '__main__', True)"
    )
    return "-P", "-c", run
