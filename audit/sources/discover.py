"""Which files of a folder are tables of the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.errors import LogError
from audit.schema import TABLES
from audit.sources.containers import CONTAINERS, container_of, ending, inside, table_of


@dataclass(frozen=True, slots=True)
class Found:
    """One file that holds (part of) ``table``; ``name`` is what findings call it.

    ``member`` is the member, sheet or table meant, where the file is an archive, a workbook or
    a database; ``name`` then goes on with it: ``log.zip/rounds.csv``.
    """

    path: Path
    name: str
    table: str
    member: str = ""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files to read, in name order, and the names of those left alone."""

    files: tuple[Found, ...]
    ignored: tuple[str, ...]


def discover(paths: Sequence[Path], suffixes: frozenset[str]) -> Discovery:
    """Find the tables in folders and files given by the user.

    A folder is searched one level down, in subfolders named after a table. Raises LogError for
    a path that does not exist, a file that is no table, and two files of one name.
    """
    if not paths:
        raise LogError("no log was given", hint="Name a folder or the files of a log")
    files: dict[tuple[Path, str], Found] = {}
    ignored: list[str] = []
    for path in paths:
        if path.is_dir():
            try:
                found_here, others = _in_folder(path, suffixes)
            except OSError as error:
                raise LogError(
                    f"the folder cannot be read ({error.strerror})", where=str(path)
                ) from None
            ignored += others
        elif path.exists():
            found_here, others = _single(path, suffixes)
            ignored += others
        else:
            raise LogError(
                "there is no such file or folder", where=str(path), hint="Check the path"
            )
        for found in found_here:
            files.setdefault((found.path.resolve(), found.member), found)
    ordered = sorted(files.values(), key=lambda found: (found.name, str(found.path)))
    _refuse_twins(ordered)
    if not any(found.table == "rounds" for found in ordered):
        seen = ", ".join(found.name for found in ordered) or "no table"
        raise LogError(
            f"the log has no rounds table (found: {seen})",
            where=", ".join(str(path) for path in paths),
            hint=_how_to_name(paths),
        )
    return Discovery(tuple(ordered), tuple(sorted(set(ignored))))


def _how_to_name(paths: Sequence[Path]) -> str:
    """The remedy where no file is named after the rounds."""
    for folder in paths:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.is_file() and container_of(path) is not None:
                return f"Give {path} by itself if the log is in it"
    return "Name the file rounds.csv, rounds.parquet or rounds.jsonl"


def _in_folder(folder: Path, suffixes: frozenset[str]) -> tuple[list[Found], list[str]]:
    found: list[Found] = []
    ignored: list[str] = []
    named = {table.name for table in TABLES}
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name.casefold() not in named:
                ignored.append(f"{path.name}/")
                continue
            _refuse_way_out(path, folder)
            within = [file for file in sorted(path.iterdir()) if not file.is_dir()]
        else:
            within = [path]
        for file in within:
            name = file.relative_to(folder).as_posix()
            table = table_of(file)
            known = ending(file) in suffixes or container_of(file) is not None
            if table is None or not known or file.name[0] in ".~":
                ignored.append(name)
                continue
            _refuse_way_out(file, folder)
            _refuse_special(file, name)
            some, others = _tables_in(file, name, table, suffixes)
            found += some
            ignored += others
    return found, ignored


def _tables_in(
    path: Path, name: str, table: str, suffixes: frozenset[str]
) -> tuple[list[Found], list[str]]:
    """The tables that one file holds, and the names of what is left alone in it."""
    if container_of(path) is None:
        return [Found(path, name, table)], []
    some, others = inside(path, name, suffixes)
    found = [Found(path, f"{name}/{member}", said, member) for member, said in some]
    return found, [f"{name}/{other}" for other in others]


def _single(path: Path, suffixes: frozenset[str]) -> tuple[list[Found], list[str]]:
    _refuse_special(path, str(path))
    packed = container_of(path) is not None
    if ending(path) not in suffixes and not packed:
        known = sorted({*suffixes, *(end for kind in CONTAINERS for end in kind.suffixes)})
        raise LogError(
            f"the ending {ending(path) or '(none)'!r} is none of {', '.join(known)}",
            where=str(path),
        )
    table = table_of(path)
    if table is None and not packed:
        raise LogError(
            "the name does not say which table this is",
            where=str(path),
            hint=f"Begin it with one of {', '.join(table.name for table in TABLES)}",
        )
    own = packed or table_of(Path(path.name)) is not None
    name = path.name if own else f"{path.parent.name}/{path.name}"
    return _tables_in(path, name, table or "", suffixes)


def _is_text(path: Path) -> bool:
    """Whether a path can be written as UTF-8, which is all that polars takes."""
    try:
        str(path.resolve()).encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_special(path: Path, name: str) -> None:
    """Refuse what is no file on a disk: a pipe would never end, or give other bytes next time.

    And a file whose name is no text, so that no finding could tell it.
    """
    if not _is_text(path):
        shown = name.encode(errors="backslashreplace").decode()
        raise LogError("its path is no UTF-8 text", where=shown, hint="Give it another name")
    if path.exists() and not path.is_file():
        raise LogError("this is no regular file", where=name, hint="Give a file at rest")


def _refuse_way_out(path: Path, folder: Path) -> None:
    """Refuse a link that leads out of the folder: the folder would not be the whole log."""
    if not path.resolve().is_relative_to(folder.resolve()):
        raise LogError(
            "this is a link that leads out of the folder",
            where=path.relative_to(folder).as_posix(),
            hint=f"Give {path.resolve()} by itself, or copy it into the folder",
        )


def _refuse_twins(ordered: list[Found]) -> None:
    """Two files of one name cannot be told apart in a finding, and are one table twice."""
    seen: dict[str, Found] = {}
    parts = Counter(found.path for found in ordered)
    for found in ordered:
        name = found.name
        if found.member and parts[found.path] == 1 and table_of(found.path) == found.table:
            name = found.name.removesuffix(f"/{found.member}")  # rounds.xlsx is like rounds.csv
        name = name.casefold().removesuffix(ending(Path(name)))
        if name in seen:
            raise LogError(
                f"both {_place(seen[name])} and {_place(found)} are the {found.table} table",
                hint="Keep one of the two, or give them names such as rounds-1 and rounds-2",
            )
        seen[name] = found


def _place(found: Found) -> str:
    return f"{found.path}/{found.member}" if found.member else str(found.path)
