"""How a certificate is named to a reader. What stands in it is data: printed, never obeyed."""

from __future__ import annotations

from datetime import datetime

from asn1crypto.x509 import Name

from audit.manifest import MACAU


def named(name: Name) -> str:
    """The common name, else the whole name, what cannot be printed made visible."""
    parts = name.native
    common = parts.get("common_name") if isinstance(parts, dict) else None
    return printable(common if isinstance(common, str) else name.human_friendly)


def printable(text: str, limit: int = 160) -> str:
    """``text`` on one line, with codes for what shows nothing."""
    shown = "".join(one if one.isprintable() else f"‹U+{ord(one):04X}›" for one in text)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def day(moment: datetime) -> str:
    """A day in Macau."""
    return moment.astimezone(MACAU).date().isoformat()


def minute(moment: datetime) -> str:
    """A moment in Macau, to the minute."""
    return moment.astimezone(MACAU).strftime("%Y-%m-%d %H:%M (UTC+8)")
