"""How long memory that is not needed at the moment is kept: as good as always, in a run.

Left alone polars gives memory back after half a second, and Python each large piece of bytes at
once. A run asks for as much again soon, and the system clears each page before it gives it out: a
fifth of the time of a run, and half of the time in which a file is read.
"""

from __future__ import annotations

import ctypes

VARIABLE = "_RJEM_MALLOC_CONF"
"""Where the allocator of polars looks for its settings, once, when polars is loaded."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""The numbers of two settings in the C library of GNU, and what they are set to, in bytes."""
_KEPT, _APART = 128 << 20, 32 << 20


def keeping(threads: int) -> dict[str, str]:
    """The environment of a process whose ``threads`` threads use polars."""
    return {VARIABLE: f"dirty_decay_ms:60000,muzzy_decay_ms:60000,narenas:{threads}"}


def keep_bytes() -> None:
    """The same for what Python itself asks for, from now on; nothing where the C library differs.

    It gives back what lies free above 128 MiB only, and has no piece below 32 MiB apart from the
    others, which would be given back by itself.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_TRIM_THRESHOLD, _KEPT)
        set_option(_MMAP_THRESHOLD, _APART)
