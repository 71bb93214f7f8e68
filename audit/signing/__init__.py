"""The report's electronic signature: put on, and read again."""

from __future__ import annotations

from audit.errors import OptionError

VARIABLE = "BACCARAT_AUDIT_PASSPHRASE"
"""Environment variable for the passphrase of a signer's key."""

__all__ = ["VARIABLE", "need_signing"]


def need_signing(where: str) -> None:
    """OptionError with the remedy where the optional part that signs and reads is missing."""
    try:
        import pyhanko.sign  # noqa: F401
    except ImportError:
        raise OptionError(
            "this needs the package pyHanko, which is not installed",
            where=where,
            hint="pip install 'baccarat-audit[sign]'",
        ) from None
