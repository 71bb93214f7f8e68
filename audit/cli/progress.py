"""What a long step shows while it works: a line on standard error, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stage(what: str, *, quiet: bool) -> Iterator[None]:
    """Show ``what`` with a spinner while the block runs."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} ..."):
        yield
