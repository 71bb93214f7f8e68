"""The files attached to a report: all findings as CSV, and the manifest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit.case import COLUMNS, MANIFEST, open_case
from audit.report.words import Words

FINDINGS = "findings.csv"
ABOUT = {FINDINGS: "attached_findings", MANIFEST: "attached_manifest"}
"""The words that say what each file is."""

_NUMBERS = frozenset({"round_no", "row"})
_FORMULA = r"^[=+\-@\t\r]"


@dataclass(frozen=True)
class Attached:
    """A file to be attached: its name in the report, what it is, and where its content lies."""

    name: str
    about: str
    path: Path


def attached_of(case: Path, words: Words, folder: Path) -> list[Attached]:
    """The files attached to the report of ``case``; the findings were written to ``folder``."""
    return [
        Attached(FINDINGS, words.ui(ABOUT[FINDINGS]), folder / FINDINGS),
        Attached(MANIFEST, words.ui(ABOUT[MANIFEST]), case / MANIFEST),
    ]


def write_findings(case: Path, target: Path) -> None:
    """All findings of the case as CSV, one a line, in the order and columns of ``findings``.

    The database writes the file itself, so that a million findings take no memory here. No cell
    can be taken for a formula by a sheet: a text that looks like one gets an apostrophe in front.
    """
    columns = ", ".join(_column(name) for name in COLUMNS)
    file = str(target.resolve()).replace("'", "''")
    with open_case(case).connection as connection:
        # The table is in the order of an exported file, and is read and written in it.
        connection.execute("SET preserve_insertion_order = true")
        connection.execute(
            f"COPY (SELECT {columns} FROM findings) TO '{file}' (FORMAT csv, HEADER, NULLSTR '')"
        )


def _column(name: str) -> str:
    if name == "amount":
        return "rtrim(rtrim(CAST(amount AS VARCHAR), '0'), '.') AS amount"
    if name in _NUMBERS:
        return name
    plain = f"CASE WHEN regexp_matches({name}, '{_FORMULA}') THEN '''' || {name} ELSE {name} END"
    return f"{plain} AS {name}"
