"""Libraries written in Rust tell of their own panics on standard error; nobody asked them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import BinaryIO

_STDERR = 2


@dataclass
class _Kept:
    """What is kept back: ``own`` is where standard error went, ``sound`` that no block raised."""

    own: int
    text: BinaryIO
    blocks: int = 0
    sound: bool = True


_lock = Lock()
_kept: _Kept | None = None
"""Of all blocks that run at a time, in whatever thread: a process has one standard error."""


@contextmanager
def unheard() -> Iterator[None]:
    """Keep back what is written to standard error; lost where the block raises, else passed on.

    The exception says what there is to say, in one sentence of our own. Of blocks that run side
    by side the last one passes on what all have written, unless one raised.
    """
    kept = _begin()
    sound = False
    try:
        yield
        sound = True
    finally:
        if kept is not None:
            _end(kept, sound=sound)


def _begin() -> _Kept | None:
    global _kept
    with _lock:
        if _kept is None:
            try:
                own = os.dup(_STDERR)
            except OSError:  # no standard error at all
                return None
            sys.stderr.flush()
            _kept = _Kept(own, tempfile.TemporaryFile())  # noqa: SIM115  (closed by the last)
            os.dup2(_kept.text.fileno(), _STDERR)
        _kept.blocks += 1
        return _kept


def _end(kept: _Kept, *, sound: bool) -> None:
    global _kept
    with _lock:
        kept.blocks -= 1
        kept.sound &= sound
        if kept.blocks:
            return
        _kept = None
        sys.stderr.flush()
        os.dup2(kept.own, _STDERR)
        os.close(kept.own)
        with kept.text as text:
            text.seek(0)
            while kept.sound and (part := text.read(1 << 16)):
                os.write(_STDERR, part)
