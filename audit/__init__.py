"""Tells, for every baccarat round dealt in Macau, whether it was dealt, resolved and paid by the
law in force that day, and proves it.

The names in ``__all__`` are the public API; they are loaded when first used, so that importing
the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audit.case import Case, open_case
    from audit.errors import AuditError
    from audit.pipeline import Job, run_audit
    from audit.replay import replay_hand
    from audit.report import render_html, render_report
    from audit.resolve import Options
    from audit.rulebook import load_rulebook
    from audit.sources import Database, parse_address
    from audit.summary import Summary

__version__ = "0.1.0"

__all__ = [
    "AuditError",
    "Case",
    "Database",
    "Job",
    "Options",
    "Summary",
    "__version__",
    "load_rulebook",
    "open_case",
    "parse_address",
    "render_html",
    "render_report",
    "replay_hand",
    "run_audit",
]

_HOME = {
    "AuditError": "errors",
    "Case": "case",
    "Database": "sources",
    "Job": "pipeline",
    "Options": "resolve",
    "Summary": "summary",
    "load_rulebook": "rulebook",
    "open_case": "case",
    "parse_address": "sources",
    "render_html": "report",
    "render_report": "report",
    "replay_hand": "replay",
    "run_audit": "pipeline",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'audit' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"audit.{_HOME[name]}"), name)
