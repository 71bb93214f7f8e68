"""Findings counted, and their money added up, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import polars as pl


@dataclass
class Total:
    """Findings of one code, severity and currency; money in that currency, None where none is."""

    code: str
    severity: str
    currency: str | None
    findings: int = 0
    accepted: int = 0
    overpaid: Decimal | None = None
    short: Decimal | None = None


def totals(rows: pl.DataFrame) -> list[Total]:
    """One total for each code, severity and currency, in that order.

    ``rows`` are findings with a ``currency``; ``short`` is what bettors got too little, positive.
    """
    found: dict[tuple[str, str, str], Total] = {}
    columns = ("code", "severity", "currency", "status", "amount")
    for code, severity, currency, status, amount in rows.select(columns).iter_rows():
        key = (code, severity, currency or "")
        total = found.setdefault(key, Total(code, severity, currency))
        total.findings += 1
        total.accepted += status == "accepted"
        if amount is not None:
            money = Decimal(amount)
            total.overpaid = (total.overpaid or Decimal()) + max(money, Decimal())
            total.short = (total.short or Decimal()) + max(-money, Decimal())
    return [found[key] for key in sorted(found)]
