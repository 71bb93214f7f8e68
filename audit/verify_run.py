"""The second audit: the log again, with the options of the case, and what comes out otherwise."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from audit import __version__
from audit.case import MANIFEST, Case, case_id, open_case
from audit.digests import table_lines
from audit.errors import CaseError
from audit.pipeline import Job, run_audit
from audit.profile import files_of, shipped
from audit.resolve import Options
from audit.resolve.options import Rounding
from audit.sources import Database

_MOST_NAMED = 3
_KNOWN = {
    "rules", "decks", "commission", "commission_rounding", "select", "ignore", "fail_on",
}  # fmt: skip

Outcome = tuple[str, Literal["same", "differs", "not_checked"], str]


@dataclass(frozen=True)
class Inputs:
    """What a case was made from: its manifest, and where the user says that the rest is."""

    manifest: Mapping[str, Any]
    log: tuple[Path | Database, ...]
    rules_dir: Path | None = None
    baseline: Path | None = None
    profile: Path | None = None

    def locate(self, name: str) -> Path | None:
        """The file that the case calls ``name``, in the folders and files of the log."""
        for given in files_of(self.log):
            # What is in an archive, a workbook or a database is called by that file's name first.
            for part in (Path(name), *Path(name).parents[:-1]):
                if given.is_dir() and (given / part).is_file():
                    return given / part
                own = given.name, f"{given.parent.name}/{given.name}"
                if given.is_file() and part.as_posix() in own:
                    return given
        return None

    def read_by(self) -> Path | None:
        """The profile that the user names, else the shipped one that the case names."""
        said = self.manifest.get("profile")
        if self.profile is not None or said is None:
            return self.profile
        return shipped().get(said["name"])

    def job(self, case: Path) -> Job:
        """The run that made the case, to be made again into ``case``."""
        said = self.manifest["options"]
        if set(said) != _KNOWN:
            raise CaseError(
                f"the case was made with options that version {__version__} does not have",
                where=", ".join(sorted(set(said) ^ _KNOWN)),
                hint=f"Verify it with version {self.manifest.get('tool_version')}",
            )
        rounding = said["commission_rounding"]
        return Job(
            log=self.log,
            case=case,
            options=Options(
                rules=said["rules"],
                decks=said["decks"],
                commission=said["commission"],
                rounding=Rounding.parse(rounding) if rounding else None,
                interpret=self.manifest["interpretations"],
            ),
            rules_dir=self.rules_dir,
            select=said["select"],
            ignore=said["ignore"],
            fail_on=said["fail_on"],
            baseline=self.baseline,
            profile=self.read_by(),
            made_at=datetime.fromisoformat(self.manifest["created_at"]),
        )


def rerun(path: Path, inputs: Inputs, suspect: Collection[str]) -> Iterator[Outcome]:
    """Audit the log again elsewhere, and compare case id, tables and findings.

    ``suspect`` are tables that do not hold what the manifest says, whatever their hash there.
    """
    with tempfile.TemporaryDirectory(prefix="baccarat-audit-") as folder:
        job = inputs.job(Path(folder) / "case")
        run_audit(job)
        again = json.loads((job.case / MANIFEST).read_text(encoding="utf-8"))
        old, new = inputs.manifest, _as_if_made_by(inputs.manifest, again)
        ids = old["case_id"], new["case_id"]
        made = f"made by version {old['tool_version']}, audited again by {__version__}"
        note = "" if old["tool_version"] == __version__ else f" ({made})"
        if ids[0] == ids[1]:
            yield "second audit", "same", f"case id {ids[1]}{note}"
        else:
            told = ", ".join(_causes(old, new)) or "see the tables below"
            yield "second audit", "differs", f"it gives case id {ids[1]}: {told}{note}"
        tables = dict.fromkeys((*old["tables"], *new["tables"]))
        changed = [
            name
            for name in tables
            if name in suspect or old["tables"].get(name) != new["tables"].get(name)
        ]
        if changed or suspect:
            yield from _compare(path, job.case, changed)


def _as_if_made_by(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The new manifest with the id that it would have, had the old version made it."""
    rest = {key: value for key, value in new.items() if key != "case_id"}
    rest["tool_version"] = old["tool_version"]
    return {**rest, "case_id": case_id(rest)}


def _causes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What of the manifests differs, but for the tables."""
    names = {each["name"] for each in old["sources"]} ^ {each["name"] for each in new["sources"]}
    extra = [f"{name} is in only one of the two logs" for name in sorted(names)]
    keys = (set(old) | set(new)) - {"case_id", "created_at", "tables", "sources"}
    return extra + [f"other {key}" for key in sorted(keys) if old.get(key) != new.get(key)]


def _compare(old_path: Path, new_path: Path, names: Collection[str]) -> Iterator[Outcome]:
    try:
        before = open_case(old_path)
    except CaseError:
        return  # its damage is told elsewhere
    after = open_case(new_path)
    try:
        for name in names:
            yield f"{name} again", "differs", _difference(before, after, name)
        yield from _findings(before, after)
    finally:
        before.close()
        after.close()


def _difference(before: Case, after: Case, name: str) -> str:
    """The first row that the two cases do not share, and what is in it."""
    lines = zip_longest(table_lines(before.connection, name), table_lines(after.connection, name))
    columns: list[str] = []
    for number, (one, other) in enumerate(lines):
        if number == 0:
            columns = json.loads(one)
        if one == other:
            continue
        if number == 0:
            return "it has other columns"
        if one is None or other is None:
            more = "the second audit has more rows" if one is None else "the case has more rows"
            return f"first in row {number}: {more}"
        values = zip(columns, json.loads(one), json.loads(other), strict=True)
        column, here, there = next(each for each in values if each[1] != each[2])
        return f"first in row {number}, {column.split()[0]}: {here} in the case, {there} again"
    return "the same rows, hashed otherwise"


def _findings(before: Case, after: Case) -> Iterator[Outcome]:
    """Findings that only one of the two has, by id."""
    one, other = (_ids(case) for case in (before, after))
    for told, rest in (
        ("only in the case", one - other),
        ("only in the second audit", other - one),
    ):
        if rest:
            named = [f"{code} {name}" for name, code in list(rest)[:_MOST_NAMED]]
            more = f" and {len(rest) - _MOST_NAMED:,} more" if len(rest) > _MOST_NAMED else ""
            yield "finding ids again", "differs", f"{told}: {', '.join(named)}{more}"
    if one == other:
        yield "finding ids again", "same", f"{one.total():,} ids"


def _ids(case: Case) -> Counter[tuple[str, str]]:
    return Counter(
        (name, code)
        for name, code in case.connection.execute(
            "SELECT id, code FROM findings ORDER BY rowid"
        ).fetchall()
    )
