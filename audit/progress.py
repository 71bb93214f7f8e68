"""How far a long run has come: told by the stages, shown by whoever runs them."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called again and again while a stage works."""

    def __call__(self, stage: str, done: int, total: int | None, unit: str) -> None:
        """``done`` of ``total`` (None: not known) rows, rounds or whatever ``unit`` says."""


def silent(stage: str, done: int, total: int | None, unit: str) -> None:
    """Show nothing."""
