"""Libraries written in Rust tell of their own panics on standard error; nobody asked them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

_STDERR = 2


@contextmanager
def unheard() -> Iterator[None]:
    """Keep back what is written to standard error; lost where the block raises, else passed on.

    The exception says what there is to say, in one sentence of our own.
    """
    try:
        own = os.dup(_STDERR)
    except OSError:  # no standard error at all
        yield
        return
    sys.stderr.flush()
    with tempfile.TemporaryFile() as kept:
        os.dup2(kept.fileno(), _STDERR)
        sound = False
        try:
            yield
            sound = True
        finally:
            sys.stderr.flush()
            os.dup2(own, _STDERR)
            os.close(own)
            kept.seek(0)
            while sound and (text := kept.read(1 << 16)):
                os.write(_STDERR, text)
