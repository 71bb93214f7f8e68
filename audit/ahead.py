"""Work begun in threads before it is asked for."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def ahead(pool: ThreadPoolExecutor, do: Callable[[A], B], given: Iterator[A]) -> Iterator[B]:
    """``do`` of each, in order, a few begun before they are asked for: never more in memory."""
    waiting: deque[Future[B]] = deque()
    for each in given:
        waiting.append(pool.submit(do, each))
        if len(waiting) > (os.cpu_count() or 1):
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
