"""Our own failures: what went wrong, where, and what cures it.

A breach of the regulation is a finding, a value. An exception is only for a run that could
not be done; the command line prints it as one sentence on standard error and exits with 2.
"""

from __future__ import annotations


class AuditError(Exception):
    """A failure that the user can cure.

    ``what`` is a sentence without its full stop, ``where`` a file, key or option that it is
    about (may be empty), ``hint`` the remedy (may be empty).
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(self.sentence())

    def sentence(self) -> str:
        """One plain sentence, with the remedy after it."""
        text = f"{self.where}: {self.what}" if self.where else self.what
        text = text.rstrip(".") + "."
        return f"{text} {self.hint.rstrip('.')}." if self.hint else text


class LogError(AuditError):
    """A log file that cannot be read at all."""


class ProfileError(AuditError):
    """A profile that the loader refuses; ``where`` names file and key."""


class RulebookError(AuditError):
    """A rule-set file that the loader refuses; ``where`` names file and key."""


class CaseError(AuditError):
    """A case folder that cannot be written, opened or trusted."""


class OptionError(AuditError):
    """An option whose value makes no sense."""


class ReportError(AuditError):
    """A report that cannot be rendered here."""
