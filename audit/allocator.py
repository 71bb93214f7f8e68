"""How long polars keeps memory that it has no use for at the moment: until the next unit.

Left alone it gives memory back after half a second. A long run asks for as much again soon, and
the system clears each page before it gives it out: a fifth of the time of a run.
"""

from __future__ import annotations

VARIABLE = "_RJEM_MALLOC_CONF"
"""Where the allocator of polars looks for its settings, once, when polars is loaded."""


def keeping(threads: int) -> dict[str, str]:
    """The environment of a process whose ``threads`` threads use polars."""
    return {VARIABLE: f"dirty_decay_ms:5000,muzzy_decay_ms:5000,narenas:{threads}"}
