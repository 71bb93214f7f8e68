"""The files attached to the PDF: all findings as CSV, and the manifest."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from audit.case import MANIFEST, open_case
from audit.checks.findings import COLUMNS
from audit.export import read_findings
from audit.report.words import Words

NUMBERS = frozenset({"round_no", "row", "amount"})
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def attachments(case: Path, words: Words) -> list[tuple[str, str, bytes]]:
    """(name, description, content) of each attached file."""
    return [
        ("findings.csv", words.ui("attached_findings"), findings_csv(case)),
        ("manifest.json", words.ui("attached_manifest"), (case / MANIFEST).read_bytes()),
    ]


def findings_csv(case: Path) -> bytes:
    """All findings of the case, one a line; no cell can be taken for a formula by a sheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    with open_case(case).connection as connection:
        found = read_findings(connection)
    for row in found.iter_rows():
        writer.writerow(_safe(*cell) for cell in zip(COLUMNS, row, strict=True))
    return text.getvalue().encode("utf-8")


def _safe(name: str, value: object) -> object:
    """A text that a sheet would take for a formula gets an apostrophe in front."""
    if name in NUMBERS or value is None:
        return value
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
