"""Which files of a folder are tables of the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.errors import LogError
from audit.schema import TABLES


@dataclass(frozen=True, slots=True)
class Found:
    """One file that holds (part of) ``table``; ``name`` is what findings call it."""

    path: Path
    name: str
    table: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files to read, in name order, and the names of those left alone."""

    files: tuple[Found, ...]
    ignored: tuple[str, ...]


def table_of(path: Path) -> str | None:
    """Table that a file's name says, else the name of its folder: ``rounds-2007-07.csv``.

    A name counts when it is the table's, or goes on with anything but a letter.
    """
    stem = path.stem.casefold()
    for table in TABLES:
        after = stem.removeprefix(table.name)
        if after != stem and not after[:1].isalpha():
            return table.name
    parent = path.parent.name.casefold()
    return next((table.name for table in TABLES if table.name == parent), None)


def discover(paths: Sequence[Path], suffixes: frozenset[str]) -> Discovery:
    """Find the tables in folders and files given by the user.

    A folder is searched one level down, in subfolders named after a table. Raises LogError for
    a path that does not exist, a file that is no table, and two files of one name.
    """
    if not paths:
        raise LogError("no log was given", hint="Name a folder or the files of a log")
    files: dict[Path, Found] = {}
    ignored: list[str] = []
    for path in paths:
        if path.is_dir():
            try:
                inside, others = _in_folder(path, suffixes)
            except OSError as error:
                raise LogError(
                    f"the folder cannot be read ({error.strerror})", where=str(path)
                ) from None
            ignored += others
        elif path.exists():
            inside = [_single(path, suffixes)]
        else:
            raise LogError(
                "there is no such file or folder", where=str(path), hint="Check the path"
            )
        for found in inside:
            files.setdefault(found.path.resolve(), found)
    ordered = sorted(files.values(), key=lambda found: (found.name, str(found.path)))
    _refuse_twins(ordered)
    if not any(found.table == "rounds" for found in ordered):
        seen = ", ".join(found.name for found in ordered) or "no table"
        raise LogError(
            f"the log has no rounds table (found: {seen})",
            where=", ".join(str(path) for path in paths),
            hint="Name the file rounds.csv, rounds.parquet or rounds.jsonl",
        )
    return Discovery(tuple(ordered), tuple(sorted(set(ignored))))


def _in_folder(folder: Path, suffixes: frozenset[str]) -> tuple[list[Found], list[str]]:
    found: list[Found] = []
    ignored: list[str] = []
    named = {table.name for table in TABLES}
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name.casefold() not in named:
                ignored.append(f"{path.name}/")
                continue
            inside = [file for file in sorted(path.iterdir()) if file.is_file()]
        else:
            inside = [path]
        for file in inside:
            name = file.relative_to(folder).as_posix()
            table = table_of(file)
            if table is None or file.suffix.lower() not in suffixes or file.name[0] in ".~":
                ignored.append(name)
            else:
                found.append(Found(file, name, table))
    return found, ignored


def _single(path: Path, suffixes: frozenset[str]) -> Found:
    if path.suffix.lower() not in suffixes:
        raise LogError(
            f"the ending {path.suffix or '(none)'!r} is none of {', '.join(sorted(suffixes))}",
            where=str(path),
        )
    table = table_of(path)
    if table is None:
        raise LogError(
            "the name does not say which table this is",
            where=str(path),
            hint=f"Begin it with one of {', '.join(table.name for table in TABLES)}",
        )
    own = table_of(Path(path.name)) is not None
    return Found(path, path.name if own else f"{path.parent.name}/{path.name}", table)


def _refuse_twins(ordered: list[Found]) -> None:
    """Two files of one name cannot be told apart in a finding, and are one table twice."""
    seen: dict[str, Found] = {}
    for found in ordered:
        name = str(Path(found.name).with_suffix("")).casefold()
        if name in seen:
            raise LogError(
                f"both {seen[name].path} and {found.path} are the {found.table} table",
                hint="Keep one of the two, or give them names such as rounds-1 and rounds-2",
            )
        seen[name] = found
