"""The manifest of a case: what went into it, named and hashed."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import polars as pl

from audit import __version__
from audit.case import TOOL
from audit.errors import OptionError
from audit.money import as_decimal
from audit.resolve import Options, Rules
from audit.resolve.authority import calendar

if TYPE_CHECKING:
    from audit.baseline import Baseline
    from audit.pipeline import Job
    from audit.profile import Profile

MACAU = timezone(timedelta(hours=8))
"""Macau keeps UTC+8 all year."""


def manifest_of(
    job: Job,
    sources: pl.DataFrame | None,
    rules: Rules,
    made_at: datetime | None,
    baseline: Baseline | None,
    profile: Profile | None,
) -> dict[str, Any]:
    """Everything that decides the content of the case, and when it was made.

    No path of the machine is in it, so that the same log gives the same manifest anywhere.
    ``sources`` and ``made_at`` are None before the log was read: what was decided, no more.
    """
    return {
        "tool": TOOL,
        "tool_version": __version__,
        "created_at": made_at and made_at.isoformat(),
        "options": _options(job),
        "rule_files": [{"name": name, "sha256": sha} for name, sha in rules.book.files],
        "rule_sets": [each.id for each in rules.sets],
        "interpretations": dict(rules.readings),
        "calendar": calendar(),
        "baseline": baseline and {"name": baseline.name, "sha256": baseline.sha256},
        "profile": profile and {"name": profile.name, "sha256": profile.sha256},
        "sources": [] if sources is None else sources.to_dicts(),
    }


def created_at() -> datetime:
    """Now in Macau, or the moment that SOURCE_DATE_EPOCH pins for a reproducible case."""
    pinned = os.environ.get("SOURCE_DATE_EPOCH")
    if pinned is None:
        return datetime.now(UTC).astimezone(MACAU).replace(microsecond=0)
    if not (pinned.isascii() and pinned.isdigit()) or len(pinned) > 11:
        raise OptionError(
            f"{pinned!r} is not a number of seconds",
            where="SOURCE_DATE_EPOCH",
            hint="Unset it, or give whole seconds since 1970",
        )
    return datetime.fromtimestamp(int(pinned), UTC).astimezone(MACAU)


def _options(job: Job) -> dict[str, Any]:
    options: Options = job.options
    rounding = options.rounding
    return {
        "rules": options.rules,
        "decks": options.decks,
        "commission": options.commission,
        "commission_rounding": rounding
        and f"{as_decimal(rounding.step).normalize():f},{rounding.mode}",
        "select": list(job.select),
        "ignore": list(job.ignore),
        "fail_on": job.fail_on,
    }
