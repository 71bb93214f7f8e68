"""Which checks a run makes: codes or prefixes to select and to ignore."""

from __future__ import annotations

from collections.abc import Sequence

from audit.checks import CHECKS
from audit.checks.base import Check
from audit.errors import OptionError


def chosen(
    select: Sequence[str],
    ignore: Sequence[str],
    checks: Sequence[Check] = CHECKS,
    *,
    option: str = "--select",
) -> tuple[Check, ...]:
    """The checks whose code begins with a selected prefix and with no ignored one.

    Nothing selected means all. OptionError for a prefix that fits no check, and for a choice
    that leaves none: a run without checks would look clean without having looked. ``option``
    is how the user gave the selection.
    """
    for name, prefixes in ((option, select), ("--ignore", ignore)):
        for prefix in prefixes:
            if not any(check.code.startswith(prefix) for check in checks):
                raise OptionError(
                    f"no check has a code that begins with {prefix!r}",
                    where=name,
                    hint="`baccarat-audit explain` lists the codes",
                )
    kept = tuple(
        check
        for check in checks
        if (not select or check.code.startswith(tuple(select)))
        and not check.code.startswith(tuple(ignore))
    )
    if not kept:
        raise OptionError(
            "no check is left to run",
            where="--select" if select else "--ignore",
            hint="Select more codes, or ignore fewer",
        )
    return kept


def prefixes(text: str | None) -> tuple[str, ...]:
    """``A09,A17`` as a tuple, upper case, blanks dropped."""
    return tuple(part.strip().upper() for part in (text or "").split(",") if part.strip())
