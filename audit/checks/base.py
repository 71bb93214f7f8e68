"""What a check is: a function that names the rows that break one provision.

A check says only which rows it speaks of, which columns it needs and which rows break it, as
polars expressions over the resolved rounds or bets. Counting, severity, wording and sorting are
the runner's. A null in a needed column is *not applied*; the check itself never sees it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

Severity = Literal["violation", "warning", "notice"]
Over = Literal["rounds", "bets", "cases", "rejects", "uses", "requests"]
"""What a check goes over. None is over ``cases``: a check of bets looks at those of its bets."""

HEADINGS = ("What it checks", "Why it matters", "Not flagged", "Example")
"""The fixed headings of a check's docstring, which ``explain`` prints."""

ALWAYS = pl.lit(True)


@dataclass(frozen=True)
class Breach:
    """The rows that break a provision.

    ``scope``: rows that the check speaks of. ``needs``: columns that must be known there.
    ``breaks``: those in scope that break it. ``amount``: paid less due, in millionths.
    ``consequence``: what a draw error changed.
    ``evidence``: values that the message needs, by name; ``variant`` chooses its wording.
    ``basis``: provisions that it rests on, or a column with their weakest status.
    ``once_per``: keep only the earliest row by ``started_at`` of each group. ``each``: a list
    column; every element of it is a finding of its own. ``in_shoes``: what breaks is in the
    shoe's row of ``shoes``, which the finding then names as its place.
    """

    breaks: pl.Expr
    scope: pl.Expr = field(default_factory=lambda: ALWAYS)
    needs: tuple[str, ...] = ()
    basis: tuple[str, ...] | pl.Expr = ()
    article: pl.Expr | None = None
    subject: pl.Expr | None = None
    expected: pl.Expr | None = None
    recorded: pl.Expr | None = None
    amount: pl.Expr | None = None
    consequence: pl.Expr | None = None
    variant: pl.Expr | None = None
    evidence: Mapping[str, pl.Expr] = field(default_factory=dict)
    severity: pl.Expr | None = None
    once_per: tuple[pl.Expr, ...] = ()
    each: str | None = None
    in_shoes: bool = False


@dataclass(frozen=True)
class Check:
    """One declared check. ``record_only``: a warning where the round's money is right."""

    code: str
    article: str
    severity: Severity
    over: Over
    tables: tuple[str, ...]
    record_only: bool
    title: str
    sections: Mapping[str, str]
    function: Callable[[], Breach | tuple[Breach, ...]]

    @property
    def of_law(self) -> bool:
        """Whether it tests the regulation (A) and so needs a rule set in force."""
        return self.code.startswith("A")

    def breaches(self) -> tuple[Breach, ...]:
        """What the function declares, always as a tuple."""
        found = self.function()
        return found if isinstance(found, tuple) else (found,)


def check(
    code: str,
    article: str,
    severity: Severity,
    *,
    over: Over = "rounds",
    tables: tuple[str, ...] = (),
    record_only: bool = False,
) -> Callable[[Callable[[], Breach | tuple[Breach, ...]]], Check]:
    """Turn a function with the fixed docstring headings into a ``Check``."""

    def declare(function: Callable[[], Breach | tuple[Breach, ...]]) -> Check:
        title, sections = _docstring(function.__doc__ or "", code)
        return Check(code, article, severity, over, tables, record_only, title, sections, function)

    return declare


def _docstring(text: str, code: str) -> tuple[str, dict[str, str]]:
    title, *_ = text.strip().splitlines()
    parts = re.split(rf"^\s*({'|'.join(HEADINGS)}):", text, flags=re.MULTILINE)
    sections = {
        heading: " ".join(body.split())
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
    }
    if tuple(sections) != HEADINGS:
        raise ValueError(f"check {code} lacks one of the docstring headings {HEADINGS}")
    return title.rstrip("."), sections
