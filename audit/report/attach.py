"""The files attached to the PDF: all findings as CSV, and the manifest."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from audit.case import open_case
from audit.report.words import Words

COLUMNS = (
    "id", "code", "severity", "status", "basis", "ruleset", "article", "casino", "table_id",
    "shoe_id", "round_no", "bet_id", "subject", "expected", "recorded", "amount", "consequence",
    "source", "row", "message",
)  # fmt: skip
ORDER = "casino, table_id, shoe_id, round_no, code, bet_id, subject, source, row, id"
NUMBERS = frozenset({"round_no", "amount", "row"})
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def attachments(case: Path, words: Words) -> list[tuple[str, str, bytes]]:
    """(name, description, content) of each attached file."""
    return [
        ("findings.csv", words.ui("attached_findings"), findings_csv(case)),
        ("manifest.json", words.ui("attached_manifest"), (case / "manifest.json").read_bytes()),
    ]


def findings_csv(case: Path) -> bytes:
    """All findings of the case, one a line; no cell can be taken for a formula by a sheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    with open_case(case).connection as connection:
        cursor = connection.execute(f"select {', '.join(COLUMNS)} from findings order by {ORDER}")
        while batch := cursor.fetchmany(10_000):
            writer.writerows([_safe(name, value) for name, value in zip(COLUMNS, row, strict=True)]
                             for row in batch)  # fmt: skip
    return text.getvalue().encode("utf-8")


def _safe(name: str, value: object) -> object:
    if value is None or name in NUMBERS:
        return _plain_amount(value) if name == "amount" else value
    text = str(value)
    return "'" + text if text.startswith(_FORMULA) else text


def _plain_amount(value: object) -> object:
    """Without the decimals that are zero."""
    if value is None:
        return None
    text = format(value, "f") if hasattr(value, "as_tuple") else str(value)
    return text.rstrip("0").rstrip(".") if "." in text else text
