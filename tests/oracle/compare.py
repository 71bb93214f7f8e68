"""Compare findings with a CSV file of findings that another implementation wrote."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

from tests.oracle.model import Finding

FIELDS = Finding._fields


def load(path: Path) -> list[Finding]:
    """The columns of a finding, whatever other columns there are and in whatever order."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = csv.DictReader(stream)
        return [Finding(*(row.get(name) or "" for name in FIELDS)) for row in rows]


def normal(finding: Finding) -> Finding:
    """Amounts as numbers: 7, 7.0 and 7.00 are one."""
    if not finding.amount:
        return finding
    text = format(Decimal(finding.amount).normalize(), "f")
    return finding._replace(amount="0" if text == "-0" else text)


def differences(
    ours: Iterable[Finding], theirs: Iterable[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """What they miss, and what they have beyond ours, as multisets."""
    left, right = Counter(map(normal, ours)), Counter(map(normal, theirs))
    return sorted((left - right).elements()), sorted((right - left).elements())


def report(missing: list[Finding], extra: list[Finding]) -> str:
    """The differences grouped by code, as text."""
    by_code: dict[str, list[str]] = defaultdict(list)
    for sign, found in (("-", missing), ("+", extra)):
        for finding in found:
            by_code[finding.code].append(f"  {sign} {','.join(finding)}")
    lines = [f"{len(missing)} missing (-), {len(extra)} extra (+)"]
    for code in sorted(by_code):
        lines += [f"{code}: {len(by_code[code])}", *sorted(by_code[code], key=lambda x: x[4:])]
    return "\n".join(lines)
