"""Whether a case is still what it was when it was made, and whether its log still gives it.

Every byte of a case is under ``SHA256SUMS``; every table is under the manifest, whose id is a
hash of it. These tell a change from an accident or a careless hand. Who rewrites all of them
changes the id that the report bears, and a second audit of the log gives the true one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from audit.case import DATABASE, EVIDENCE, MANIFEST, case_id
from audit.digests import SUMS, file_sha256, read_sums, table_sha256
from audit.errors import CaseError
from audit.profile import files_of, load_profile, log_database, stored_tables
from audit.rulebook import load_rulebook
from audit.sources import Database, Server
from audit.verify_run import Inputs, rerun

State = Literal["same", "differs", "not_checked"]

_FILES = (MANIFEST, DATABASE, *(f"{name}.parquet" for name in EVIDENCE))
_LOG = DATABASE + ".wal"
"""DuckDB would lay the changes in such a file over the database when it opens it."""


@dataclass(frozen=True)
class Part:
    """One thing that was compared: a file, a table, the sources, the second audit."""

    what: str
    state: State
    detail: str = ""


@dataclass(frozen=True)
class Verification:
    """All parts in order; ``case_id`` as the manifest says it, empty where it cannot be read."""

    case_id: str
    parts: tuple[Part, ...]

    @property
    def exit(self) -> int:
        """0 where nothing that was checked differs, else 1."""
        return int(any(part.state == "differs" for part in self.parts))


def verify_case(
    path: Path,
    log: Sequence[Path | Database] = (),
    *,
    rules_dir: Path | None = None,
    baseline: Path | None = None,
    profile: Path | None = None,
) -> Verification:
    """Compare a case with its own hashes, and with a second audit where its ``log`` is given.

    A difference is a part of the answer; AuditError only where nothing can be told: there is no
    case, or the log, rule sets, baseline or profile given cannot be read.
    """
    if not (path / MANIFEST).is_file() and not (path / SUMS).is_file():
        raise CaseError(
            "there is no case here",
            where=str(path),
            hint="Make one with `baccarat-audit run LOG --case DIR`",
        )
    digests = {name: file_sha256(path / name) for name in _FILES if (path / name).is_file()}
    parts = list(_files(path, digests))
    manifest = _manifest(path)
    if manifest is None:
        why = "the manifest, which says what they were, is damaged"
        parts += [
            Part("case id", "differs", f"{MANIFEST} does not give the case id that it says"),
            *(Part(what, "not_checked", why) for what in ("tables", "rule sets", "sources")),
        ]
        return Verification("", tuple(parts))
    parts.append(Part("case id", "same", manifest["case_id"]))
    parts += _evidence(manifest["tables"], digests)
    parts += _database(path, manifest["tables"])
    inputs = Inputs(manifest, tuple(log), rules_dir, baseline, profile)
    parts += [_rule_files(inputs), *_baseline(inputs), *_profile(inputs), _sources(inputs)]
    parts += _second_audit(path, inputs, parts)
    return Verification(manifest["case_id"], tuple(parts))


def _files(path: Path, digests: Mapping[str, str]) -> Iterator[Part]:
    """The bytes of each file; SHA256SUMS vouches for itself too."""
    sums: Mapping[str, str] | None = None
    if not (path / SUMS).is_file():
        yield Part(SUMS, "differs", "it is missing")
    else:
        sums = read_sums(path)
        fits = "it does not fit its own last line"
        yield Part(SUMS, "same") if sums is not None else Part(SUMS, "differs", fits)
    for name in _FILES:
        if name not in digests:
            yield Part(name, "differs", "it is missing")
        elif sums is None:
            yield Part(name, "not_checked", f"there is no sound {SUMS} to check its bytes by")
        elif digests[name] != sums.get(name):
            yield Part(name, "differs", f"its bytes are not those that {SUMS} names")
        else:
            yield Part(name, "same", f"{(path / name).stat().st_size:,} bytes")
    for name in sorted({each.name for each in path.iterdir()} - {SUMS, *_FILES}):
        if name == _LOG:
            yield Part(name, "differs", "changes wait in it to be laid over the database")
        else:
            yield Part(name, "not_checked", "it is no part of the case")


def _manifest(path: Path) -> dict[str, Any] | None:
    """The manifest, or None where it is missing, damaged or not of the id that it says."""
    try:
        manifest = json.loads((path / MANIFEST).read_bytes().decode("utf-8"))
    except (ValueError, FileNotFoundError):
        return None
    shape = {
        "case_id": str, "tool_version": str, "created_at": str, "options": dict,
        "interpretations": dict, "rule_files": list, "sources": list, "tables": dict,
    }  # fmt: skip
    if not isinstance(manifest, dict) or any(
        not isinstance(manifest.get(key), kind) for key, kind in shape.items()
    ):
        return None
    rest = {key: value for key, value in manifest.items() if key != "case_id"}
    return manifest if case_id(rest) == manifest["case_id"] else None


def _evidence(tables: Mapping[str, Any], digests: Mapping[str, str]) -> Iterator[Part]:
    for name in EVIDENCE:
        digest = digests.get(f"{name}.parquet")
        if digest is not None:
            yield _table(name, tables, digest)


def _table(name: str, tables: Mapping[str, Any], digest: str) -> Part:
    said = tables.get(name)
    if said is None:
        return Part(f"table {name}", "differs", "the manifest does not name it")
    if said["sha256"] != digest:
        return Part(f"table {name}", "differs", "it does not hold what the manifest says")
    return Part(f"table {name}", "same", f"rows: {said['rows']:,}")


def _database(path: Path, tables: Mapping[str, Any]) -> Iterator[Part]:
    """Every table of the database by its content, and that nothing else is in it."""
    import duckdb

    if not (path / DATABASE).is_file() or (path / _LOG).exists():
        yield Part("tables of the database", "not_checked", f"{DATABASE} cannot be opened as it is")
        return
    try:
        with duckdb.connect(path / DATABASE, read_only=True) as connection:
            found = _names(connection, "tables", "table_name")
            for name in dict.fromkeys((*tables, *found)):
                if name in found:
                    yield _table(name, tables, table_sha256(connection, name))
                elif name not in EVIDENCE:
                    yield Part(f"table {name}", "differs", "it is missing")
            yield _views(path, connection)
    except (duckdb.Error, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        if "Could not set lock" in reason:
            raise CaseError(
                "another program holds the database open for writing",
                where=str(path / DATABASE),
                hint="Close it there, then verify again",
            ) from None
        yield Part("tables of the database", "differs", f"{DATABASE} is damaged ({reason})")


def _names(connection: Any, kind: str, column: str) -> list[str]:
    query = f"SELECT {column} FROM duckdb_{kind}() WHERE NOT internal ORDER BY {column}"
    return [name for (name,) in connection.execute(query).fetchall()]


def _views(path: Path, connection: Any) -> Part:
    """The views on the evidence, held against views made anew."""
    import duckdb

    with duckdb.connect() as fresh:
        try:
            for name in EVIDENCE:
                with chdir(path):  # not what is called so where the user is
                    fresh.execute(f"CREATE VIEW {name} AS FROM read_parquet('{name}.parquet')")
        except duckdb.Error:
            return Part("views", "not_checked", "what they show is missing or damaged")
        right = _names(fresh, "views", "sql")
    if _names(connection, "views", "sql") != right:
        return Part("views", "differs", "they are not the views on the Parquet files")
    return Part("views", "same", ", ".join(EVIDENCE))


def _rule_files(inputs: Inputs) -> Part:
    """The rule-set files of this installation (and ``rules_dir``) against those of the case."""
    said = {each["name"]: each["sha256"] for each in inputs.manifest["rule_files"]}
    here = dict(load_rulebook(inputs.rules_dir).files)
    own = [name for name in said if name.startswith("rules-dir/")]
    if own and inputs.rules_dir is None:
        names = ", ".join(own)
        return Part("rule sets", "not_checked", f"own rule sets ({names}): give --rules-dir")
    differing = sorted(name for name in said | here if said.get(name) != here.get(name))
    if differing:
        return Part("rule sets", "differs", f"other files here: {', '.join(differing)}")
    return Part("rule sets", "same", f"files: {len(said)}")


def _baseline(inputs: Inputs) -> Iterator[Part]:
    said, given = inputs.manifest.get("baseline"), inputs.baseline
    if given is None:
        if said is not None:
            yield Part("baseline", "not_checked", f"give {said['name']} with --baseline")
    elif not given.is_file():
        raise CaseError("there is no such file", where=str(given))
    elif said is None:
        yield Part("baseline", "differs", "the case was made without one")
    elif (given.name, file_sha256(given)) != (said["name"], said["sha256"]):
        yield Part("baseline", "differs", f"{given.name} is not the {said['name']} of the case")
    else:
        yield Part("baseline", "same", said["name"])


def _profile(inputs: Inputs) -> Iterator[Part]:
    said, used = inputs.manifest.get("profile"), inputs.read_by()
    if used is None:
        if said is not None:
            yield Part("profile", "not_checked", f"give {said['name']} with --profile")
        return
    found = load_profile(used)
    if said is None:
        yield Part("profile", "differs", "the case was made without one")
    elif (found.name, found.sha256) != (said["name"], said["sha256"]):
        yield Part("profile", "differs", f"{found.name} is not the {said['name']} of the case")
    else:
        yield Part("profile", "same", said["name"])


def _sources(inputs: Inputs) -> Part:
    """The files of the log by name and bytes."""
    if not inputs.log:
        return Part("sources", "not_checked", "give the log with --log")
    for given in files_of(inputs.log):
        if not given.exists():
            raise CaseError("there is no such file or folder", where=str(given))
    with log_database(inputs.log) as server:
        if server is not None:
            return _stored(inputs, server)
    differing = []
    for source in inputs.manifest["sources"]:
        file = inputs.locate(source["name"])
        if file is None:
            differing.append(f"{source['name']} is missing")
        elif file_sha256(file) != source["sha256"]:
            differing.append(f"{source['name']} has other bytes")
    if differing:
        return Part("sources", "differs", ", ".join(differing))
    return Part("sources", "same", f"files: {len(inputs.manifest['sources'])}")


def _stored(inputs: Inputs, server: Server) -> Part:
    """The rows of a database by their digest: all of them are read for it."""
    used = inputs.read_by()
    if used is None and inputs.manifest.get("profile") is not None:
        return Part("sources", "not_checked", "what was read of the database is in the profile")
    profile = load_profile(used) if used is not None else None
    here = {name: rows for name, _, _, rows in stored_tables(server, profile)}
    differing = []
    for source in inputs.manifest["sources"]:
        if source["name"] not in here:
            differing.append(f"{source['name']} is missing")
        elif here[source["name"]].digest() != source["sha256"]:
            differing.append(f"{source['name']} has other rows than when the case was made")
    if differing:
        return Part("sources", "differs", ", ".join(differing))
    return Part("sources", "same", f"tables of the database: {len(here)}")


def _second_audit(path: Path, inputs: Inputs, parts: Sequence[Part]) -> list[Part]:
    """Audit the log again with the options of the case, where all that it needs is the same."""
    needed = ("rule sets", "baseline", "profile", "sources")
    lacking = [part.what for part in parts if part.what in needed and part.state != "same"]
    if lacking:
        why = f"it needs the {' and the '.join(lacking)} of the case"
        return [Part("second audit", "not_checked", why)]
    suspect = {part.what for part in parts if part.state == "differs"}
    tables = [name for name in inputs.manifest["tables"] if f"table {name}" in suspect]
    return [Part(*each) for each in rerun(path, inputs, tables)]
