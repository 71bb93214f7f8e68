"""The findings of a case as SARIF 2.1.0, for viewers of results and for build systems.

A finding is placed twice: in the file and line of the log, and by casino, table, shoe, round and
bet. Its id is the fingerprint by which a viewer knows it again. An accepted finding is there too,
suppressed, with who accepted it and why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from audit.case import Case, open_case
from audit.checks import CHECKS, Check
from audit.sources.delimited import DELIMITERS

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LEVELS = {"violation": "error", "warning": "warning", "notice": "note"}
"""SARIF's level for each severity."""

Json = dict[str, Any]

_PLACE = {"casino": "casino", "table_id": "table", "shoe_id": "shoe", "round_no": "round",
          "bet_id": "bet"}  # fmt: skip
_TOLD = (
    "severity", "status", "basis", "article", "ruleset", "subject", "expected", "recorded",
    "amount", "currency", "consequence",
)  # fmt: skip
_BASE = "LOG"
_EXITS = {
    0: "no new finding of the severity that fails a run",
    1: "at least one new finding of the severity that fails a run",
    3: "a check crashed",
}
_INDEX = {check.code: index for index, check in enumerate(CHECKS)}


def sarif_text(case: Path) -> str:
    """The SARIF log of the case at ``case`` as JSON text; CaseError where there is none."""
    opened = open_case(case)
    try:
        return json.dumps(sarif_log(opened), indent=1, ensure_ascii=False)
    finally:
        opened.close()


def sarif_log(case: Case) -> Json:
    """The SARIF log of an open case, as plain values; the same case gives the same log."""
    sources = list(_rows(case, "SELECT * FROM sources ORDER BY rowid"))
    files = {source["name"]: index for index, source in enumerate(sources)}
    accepted = {
        row["id"]: row for row in _rows(case, "SELECT * FROM baseline WHERE state = 'persisting'")
    }
    findings = _rows(case, "SELECT * FROM findings ORDER BY rowid")
    run = {
        "tool": {"driver": _driver(case)},
        "automationDetails": {"id": f"baccarat-audit/{case.manifest['case_id']}"},
        "invocations": [_invocation(case)],
        "originalUriBaseIds": {_BASE: {"description": {"text": "The folder of the log"}}},
        "artifacts": [_artifact(source) for source in sources],
        "results": [_result(row, files, accepted.get(row["id"])) for row in findings],
        "properties": {"caseId": case.manifest["case_id"], "options": case.manifest["options"]},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rows(case: Case, query: str) -> Iterator[Json]:
    cursor = case.connection.cursor().execute(query)
    names = [name for name, *_ in cursor.description or ()]
    while rows := cursor.fetchmany(10_000):
        yield from (dict(zip(names, row, strict=True)) for row in rows)


def _driver(case: Case) -> Json:
    version = case.manifest["tool_version"]
    return {
        "name": "baccarat-audit",
        "version": version,
        "semanticVersion": version,
        "language": "en",
        "rules": [_rule(check) for check in CHECKS],
    }


def _rule(check: Check) -> Json:
    what, *rest = check.sections.items()
    return {
        "id": check.code,
        "shortDescription": {"text": f"{check.title}."},
        "fullDescription": {"text": _sentence(what[1])},
        "help": {"text": "\n\n".join(f"{heading}: {text}" for heading, text in rest)},
        "defaultConfiguration": {"level": LEVELS[check.severity]},
        "properties": {"article": check.article, "severity": check.severity},
    }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _invocation(case: Case) -> Json:
    ((exit_code,),) = case.connection.execute("SELECT value FROM run WHERE key = 'exit'").fetchall()
    code = int(exit_code)
    moment = datetime.fromisoformat(case.manifest["created_at"]).astimezone(UTC)
    not_selected = _rows(case, "SELECT code FROM checks WHERE state = 'not_selected'")
    return {
        "executionSuccessful": code != 3,
        "exitCode": code,
        "exitCodeDescription": _EXITS[code],
        "endTimeUtc": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "ruleConfigurationOverrides": [
            {"descriptor": _reference(row["code"]), "configuration": {"enabled": False}}
            for row in not_selected
        ],
        "toolExecutionNotifications": [*_crashes(case), *_not_applied(case)],
        "toolConfigurationNotifications": list(_idle_entries(case)),
    }


def _crashes(case: Case) -> Iterator[Json]:
    for row in _rows(case, "SELECT code, reason FROM checks WHERE state = 'crashed'"):
        text = f"The check {row['code']} crashed, so there is no verdict: {row['reason']}"
        yield _notification("error", text, row["code"])


def _not_applied(case: Case) -> Iterator[Json]:
    """A check that did not look must not look like one that found nothing."""
    for row in _rows(case, "SELECT * FROM not_applied ORDER BY rowid"):
        text = f"{row['code']} was not applied to {row['rows']} rows ({row['reason']})."
        yield _notification("note", text, row["code"])


def _idle_entries(case: Case) -> Iterator[Json]:
    """Entries of the baseline that accept nothing."""
    for row in _rows(case, "SELECT * FROM baseline WHERE state <> 'persisting' ORDER BY rowid"):
        text = f"The baseline's entry {row['id']} accepts nothing: {row['state']}."
        yield _notification("warning", text, row["code"])


def _notification(level: str, text: str, code: str) -> Json:
    return {"level": level, "message": {"text": _literal(text)}, "associatedRule": _reference(code)}


def _reference(code: str) -> Json:
    return {"id": code, "index": _INDEX[code]} if code in _INDEX else {"id": code}


def _artifact(source: Mapping[str, Any]) -> Json:
    counts = ("table", "rows_read", "audited", "rejected", "set_aside")
    return {
        "location": {"uri": quote(source["name"]), "uriBaseId": _BASE},
        "length": source["bytes"],
        "roles": ["analysisTarget"],
        "hashes": {"sha-256": source["sha256"]},
        "properties": {name: source[name] for name in counts},
    }


def _result(row: Json, files: Mapping[str, int], entry: Json | None) -> Json:
    told = {name: _plain(row[name]) for name in _TOLD if row[name] is not None}
    result = {
        "ruleId": row["code"],
        "ruleIndex": _INDEX[row["code"]],
        "level": LEVELS[row["severity"]],
        "message": {"text": _literal(row["message"])},
        "locations": [_location(row, files)],
        "partialFingerprints": {"findingId/v1": row["id"]},
        "properties": told,
    }
    if row["status"] == "accepted":
        result["suppressions"] = [_suppression(entry)]
    return result


def _plain(value: Any) -> Any:
    """Amounts as exact decimal text, without trailing zeros."""
    return value if isinstance(value, str) else f"{value.normalize():f}"


def _suppression(entry: Json | None) -> Json:
    suppression: Json = {"kind": "external", "status": "accepted"}
    if entry is not None:
        until = entry["expires"].isoformat()
        suppression["justification"] = entry["reason"]
        suppression["properties"] = {"owner": entry["owner"], "expires": until}
    return suppression


def _location(row: Json, files: Mapping[str, int]) -> Json:
    location: Json = {}
    parts = [(column, kind) for column, kind in _PLACE.items() if row[column] is not None]
    if parts:
        column, kind = parts[-1]
        names = [str(row[each]).replace("%", "%25").replace("/", "%2F") for each, _ in parts]
        location["logicalLocations"] = [
            {"name": str(row[column]), "fullyQualifiedName": "/".join(names), "kind": kind}
        ]
    if row["source"] is not None:
        physical: Json = {"artifactLocation": {"uri": quote(row["source"]), "uriBaseId": _BASE}}
        if row["source"] in files:
            physical["artifactLocation"]["index"] = files[row["source"]]
        if row["row"] is not None:
            physical |= _region(row["source"], row["row"])
            location["properties"] = {"row": row["row"]}
        location["physicalLocation"] = physical
    return location


def _region(source: str, row: int) -> Json:
    """The line of a row where a file has lines: below the header, one row a line.

    A blank line, or a cell that runs over lines, moves it; ``row`` stands beside it.
    """
    ending = PurePath(source).suffix.lower()
    if ending in DELIMITERS:
        return {"region": {"startLine": row + 1}}
    return {"region": {"startLine": row}} if ending in (".jsonl", ".ndjson") else {}


def _literal(text: str) -> str:
    """Text of a message whose braces and brackets stand for themselves, not for links."""
    text = text.replace("{", "{{").replace("}", "}}")
    return text.replace("[", "\\[").replace("]", "\\]") if "](" in text else text
