"""What ``run`` says of its baseline: what it accepts, and the entries that accept nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from audit.money import shown
from audit.summary import SEVERITIES, Summary

_MOST_ENTRIES = 5
_HEADS = {
    "expired": "Expired, so new again",
    "vanished": "Vanished: no such finding any more",
    "unchecked": "Not looked at: their check was not made",
}


def as_plain(summary: Summary) -> dict[str, Any] | None:
    """The baseline for programs: accepted counts, number of new findings, entries by state."""
    if summary.accepted is None:
        return None
    plain = summary.as_json()["accepted"]
    codes = {code: sum(counts.values()) for code, counts in plain["codes"].items()}
    return {
        "name": plain["name"],
        "sha256": plain["sha256"],
        "new": sum(summary.new(severity) for severity in SEVERITIES),
        "accepted": sum(plain["severities"].values()),
        "counts": {"code": codes, "severity": plain["severities"]},
        "amounts": {key: plain[key] for key in ("overpaid", "short_changed")},
        **plain["entries"],
    }


def lines(summary: Summary) -> Iterator[RenderableType]:
    """The accepted part of the counts, then every kind of entry that accepts nothing, named."""
    accepted = summary.accepted
    if accepted is None:
        return
    yield Text(f"Baseline {accepted.name}", style="bold")
    parts = [
        f"{number:,} {severity}{'' if number == 1 else 's'}"
        for severity, number in accepted.severities.items()
        if number
    ]
    of_which = f" ({', '.join(parts)})" if parts else ""
    new = sum(summary.new(severity) for severity in SEVERITIES)
    yield _indented(f"{sum(accepted.severities.values()):,} accepted{of_which}, {new:,} new")
    for currency in sorted({*accepted.overpaid, *accepted.short_changed}):
        over = accepted.overpaid.get(currency, Decimal(0))
        short = -accepted.short_changed.get(currency, Decimal(0))
        unit = "" if currency == "-" else f"{currency} "
        told = f"overpaid {unit}{shown(over)}, short-changed {unit}{shown(short)}"
        yield _indented(f"accepted money: {told}")
    for state, head in _HEADS.items():
        entries = accepted.entries[state]
        if entries:
            yield _indented(f"{head} ({len(entries):,})", style="yellow")
        for entry in entries[:_MOST_ENTRIES]:
            yield _indented(_entry(entry), 4)
        if len(entries) > _MOST_ENTRIES:
            more = len(entries) - _MOST_ENTRIES
            yield _indented(f"and {more:,} more, in the case's table `baseline`", 4)


def _entry(entry: Mapping[str, Any]) -> str:
    names = ("casino", "table_id", "shoe_id", "round_no", "bet_id", "subject")
    parts = [str(entry[name]) for name in names if entry[name] is not None]
    place = "/".join(part for part in parts if part != "-")
    text = f"{entry['code']} {place}, id {entry['id']}, until {entry['expires']} ({entry['owner']})"
    # Names come from a log: control characters must not reach the terminal.
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def _indented(text: str, by: int = 2, style: str = "dim") -> Padding:
    return Padding(Text(text, style=style), (0, 0, 0, by), expand=False)
