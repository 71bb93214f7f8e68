"""The case: a folder that holds the evidence and the findings, written whole or not at all.

``manifest.json`` names every source, rule-set file and table with its SHA-256; ``case.duckdb``
holds the findings and accounts; ``rounds.parquet`` and ``bets.parquet`` the normalised evidence;
``SHA256SUMS`` the hashes of these files.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.digests import SUMS, file_sha256, table_sha256, write_sums
from audit.errors import CaseError

if TYPE_CHECKING:
    import polars as pl
    from duckdb import DuckDBPyConnection

MANIFEST, DATABASE = "manifest.json", "case.duckdb"
EVIDENCE = ("rounds", "bets")
"""Tables kept as Parquet beside the database; the database has a view of each."""

_ODD = frozenset(",?*[]\\")
_OLD = "old"
TOOL = "baccarat-audit"
COLUMNS = (
    "id", "code", "severity", "status", "basis", "ruleset", "article", "casino", "table_id",
    "shoe_id", "round_no", "bet_id", "subject", "expected", "recorded", "amount", "consequence",
    "source", "row", "message",
)  # fmt: skip
"""The finding row, in the order of an exported file."""

FILES = frozenset({MANIFEST, DATABASE, SUMS, *(f"{name}.parquet" for name in EVIDENCE)})
"""All that a case consists of."""

ROW_GROUP = 262_144
"""Rows in a Parquet row group: fixed, so that the bytes do not depend on the machine."""


@dataclass(frozen=True)
class Pieces:
    """A table of a case to be that lies in Parquet files written by ``write_evidence``."""

    paths: Sequence[Path]


if TYPE_CHECKING:
    Table = pl.DataFrame | pl.LazyFrame | Pieces
    """A table of a case to be; what is lazy is streamed to its file."""


@dataclass(frozen=True)
class Case:
    """A case opened for reading. ``connection`` sees its tables and the views on its evidence."""

    path: Path
    manifest: Mapping[str, Any]
    connection: DuckDBPyConnection

    def close(self) -> None:
        """Let go of the database."""
        self.connection.close()


def _check_name(path: Path) -> None:
    """DuckDB reads these characters of a path as its own, and some not at all."""
    full = str(path.resolve())
    odd = sorted({each for each in full if each in _ODD or not each.isprintable()})
    if odd:
        raise CaseError(
            f"the path of a case cannot hold {' or '.join(map(repr, odd))}",
            where=str(path),
            hint="Name another folder",
        )


def is_case(path: Path) -> bool:
    """Whether a folder holds a manifest of ours, whatever else is in it."""
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.get("tool") == TOOL


def check_target(path: Path, *, force: bool, log: Sequence[Path] = ()) -> None:
    """CaseError where a case cannot be written at ``path``; called before any work is done.

    Only a case is ever replaced, and only if nothing else lies in its folder: neither a file of
    the ``log`` nor one of the user's own.
    """
    if path.is_symlink() or (path.exists() and not is_case(path)):
        raise CaseError(
            "this exists and is not a case",
            where=str(path),
            hint="Name a folder that does not exist yet",
        )
    _check_name(path)
    here = path.resolve()
    if any(here == each.resolve() or here in each.resolve().parents for each in log):
        raise CaseError(
            "the log lies in the folder of the case",
            where=str(path),
            hint="Name another folder for the case",
        )
    strangers = sorted({each.name for each in path.iterdir()} - FILES) if path.exists() else []
    if strangers and force:
        raise CaseError(
            f"the case to replace has files in it that are not its own ({strangers[0]})",
            where=str(path),
            hint="Move them away, or name another folder",
        )
    if path.exists() and not force:
        raise CaseError(
            "there is a case here already",
            where=str(path),
            hint="Name another folder, or replace the case with --force",
        )
    parent = path.resolve().parent
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise CaseError(
            "the folder that should hold the case is not there or cannot be written",
            where=str(parent),
            hint="Make it first, or name another place",
        )


def write_case(
    path: Path, tables: Mapping[str, Table], manifest: Mapping[str, Any], *, force: bool
) -> str:
    """Write ``tables`` and ``manifest`` as the case ``path``, whole or not at all; its id.

    Everything is built in a hidden folder beside it and then renamed, so that a process killed
    at any moment leaves either no case or a whole one. The hash of each table is added to the
    manifest, and the id of the case, which is a hash of all that is in it.
    """
    check_target(path, force=force)
    path = path.resolve()
    clear_leftovers(path)
    building = beside(path)
    try:
        hashes = _write_tables(building, tables)
        complete = {**manifest, "tables": hashes}
        identity = case_id(complete)
        _write_manifest(building, {"case_id": identity, **complete})
        known = {f"{name}.parquet": hashes[name]["sha256"] for name in EVIDENCE if name in hashes}
        write_sums(building, known)
        building.chmod(0o755)
        _put_in_place(building, path, force=force)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    return identity


def case_id(manifest: Mapping[str, Any]) -> str:
    """Twelve hex digits that depend on everything in the case but the time it was made."""
    lasting = {key: value for key, value in manifest.items() if key != "created_at"}
    text = json.dumps(lasting, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def open_case(path: Path, *, evidence: bool = True) -> Case:
    """Open the case at ``path`` read-only; CaseError where there is none that can be read.

    Without ``evidence`` rounds and bets are not there: of a large log they take a while to open.
    """
    import duckdb

    manifest = path / MANIFEST
    if not manifest.is_file() or not (path / DATABASE).is_file():
        raise CaseError(
            "there is no case here",
            where=str(path),
            hint="Make one with `baccarat-audit run LOG --case DIR`",
        )
    _check_name(path)
    try:
        content = json.loads(manifest.read_text(encoding="utf-8"))
        connection = duckdb.connect(path / DATABASE, read_only=True)
        # The views name their files without a folder, so that a case can be moved; DuckDB would
        # look for them in the folder where the user is before it looks here.
        connection.execute(f"SET file_search_path = {quoted(path.resolve())}")
        # A large file says much of itself, which each query on it would read anew.
        connection.execute("SET parquet_metadata_cache = true")
        for name in EVIDENCE if evidence else ():
            file = quoted((path / f"{name}.parquet").resolve())
            connection.execute(f"CREATE TEMP VIEW {name} AS FROM read_parquet({file})")
    except (ValueError, duckdb.Error) as error:
        raise CaseError(
            f"the case is damaged ({str(error).splitlines()[0]})",
            where=str(path),
            hint="Run the audit again",
        ) from error
    return Case(path, content, connection)


def quoted(path: Path) -> str:
    """A path as SQL has it."""
    return "'" + str(path).replace("'", "''") + "'"


def beside(path: Path) -> Path:
    """A new hidden folder beside the case, its name telling which process works in it."""
    prefix = f".{path.name}.building-{os.getpid()}-"
    return Path(tempfile.mkdtemp(prefix=prefix, dir=path.parent))


def clear_leftovers(path: Path) -> None:
    """Drop what a killed run left behind, but nothing that a living process still works in.

    A case that it had put aside to replace, and did not come to replace, is brought back.
    """
    for leftover in leftovers(path):
        _bring_back(leftover, path)
        shutil.rmtree(leftover, ignore_errors=True)


def leftovers(path: Path) -> Iterator[Path]:
    """The hidden folders beside a case whose process is no more."""
    return (folder for folder, owner in _hidden(path) if not _alive(owner))


def of_this_process(path: Path) -> Iterator[Path]:
    """The hidden folders beside a case in which this process works, or did."""
    return (folder for folder, owner in _hidden(path) if owner == os.getpid())


def _hidden(path: Path) -> Iterator[tuple[Path, int]]:
    """The folders that ``beside`` makes, each with its process."""
    start = f".{path.name}.building-"
    for each in sorted(path.parent.iterdir()):
        owner = each.name.removeprefix(start).split("-")[0]
        ours = each.name.startswith(start) and owner.isascii() and owner.isdigit()
        if ours and len(owner) < 10:
            yield each, int(owner)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def write_evidence(table: pl.DataFrame | pl.LazyFrame, target: Path) -> None:
    """Write a table as Parquet, as it is in a case."""
    table.lazy().sink_parquet(
        target, compression="zstd", compression_level=1, row_group_size=ROW_GROUP, statistics=True
    )


def _write_tables(folder: Path, tables: Mapping[str, Table]) -> dict[str, dict[str, Any]]:
    """Write all tables; the rows and the SHA-256 of each.

    What is in the database is hashed by its content, what is a file by its bytes. The evidence,
    which may be large, is written beside the others.
    """
    import duckdb

    with ThreadPoolExecutor(len(EVIDENCE)) as pool, duckdb.connect(folder / DATABASE) as connection:
        files = {
            name: pool.submit(_write_table, folder, name, tables[name])
            for name in EVIDENCE
            if name in tables
        }
        connection.execute("SET preserve_insertion_order = true")
        hashes = {}
        for name, table in tables.items():
            if name in files:
                continue
            hashes[name] = _write_table(folder, name, table)
            file = folder / f"{name}.parquet"
            connection.execute(f"CREATE TABLE {name} AS FROM read_parquet({quoted(file)})")
            file.unlink()
            hashes[name]["sha256"] = table_sha256(connection, name)
        hashes |= {name: written.result() for name, written in files.items()}
        with chdir(folder):  # the name alone goes into the view
            for name in files:
                connection.execute(f"CREATE VIEW {name} AS FROM read_parquet('{name}.parquet')")
    return {name: hashes[name] for name in tables}


def _write_table(folder: Path, name: str, table: Table) -> dict[str, Any]:
    """Write one table as Parquet; its rows and SHA-256."""
    import polars as pl  # what only reads a case is quicker without

    from audit.parquet_join import OtherColumnsError, join_parquet

    target = folder / f"{name}.parquet"
    try:
        if isinstance(table, Pieces):
            try:
                joined = join_parquet(table.paths, target)
                return {"rows": joined.rows, "sha256": joined.sha256}
            except OtherColumnsError:  # only some have an amount so great that it needs more room
                files = [pl.scan_parquet(path, glob=False) for path in table.paths]
                table = pl.concat(files, how="vertical_relaxed")
        write_evidence(table, target)
        rows = pl.scan_parquet(target, glob=False).select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise CaseError(
            f"the case cannot be written ({str(error).splitlines()[0]})",
            where=str(folder.parent),
            hint="Make room there, or name another place",
        ) from error
    return {"rows": int(rows), "sha256": file_sha256(target)}


def _write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def _bring_back(aside: Path, path: Path) -> None:
    """Where a run was stopped between its two renames, the case that it put aside comes back."""
    if not path.exists() and (aside / _OLD).exists():
        (aside / _OLD).rename(path)


def _put_in_place(building: Path, path: Path, *, force: bool) -> None:
    if path.exists() and force:
        aside = beside(path)
        try:
            path.rename(aside / _OLD)
            building.rename(path)
        finally:
            _bring_back(aside, path)
            shutil.rmtree(aside, ignore_errors=True)
        return
    try:
        building.rename(path)
    except OSError as error:  # another run was quicker: a folder with files is never replaced
        raise CaseError(
            "another run wrote a case here meanwhile",
            where=str(path),
            hint="Name another folder, or replace the case with --force",
        ) from error
