"""What the user gives as a log: paths, or the address of a database."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.sources import Database


def given_log(texts: Iterable[str]) -> list[Path | Database]:
    """Paths and databases; LogError, which repeats no password, for an address that is none."""
    from audit.sources import is_address, parse_address

    return [parse_address(text) if is_address(text) else Path(text) for text in texts]
