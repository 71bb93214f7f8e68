"""Where the console script is, and the surroundings it runs in."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def script() -> str:
    """Path of the console script beside this Python."""
    beside = Path(sys.executable).with_name("baccarat-audit")
    found = str(beside) if beside.exists() else shutil.which("baccarat-audit")
    assert found, "install the package first: pip install -e ."
    return found


def environment(**more: str) -> dict[str, str]:
    """A plain terminal of fixed width, without the user's own settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, "COLUMNS": "100", "LANG": "C.UTF-8", **more}
