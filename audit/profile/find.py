"""The files of a log that a profile speaks of.

What is in an archive, a workbook or a database is named after it: ``book.xlsx/Games``,
``log.zip/2007/rounds.csv``, ``log.sqlite/games``. One that holds a single table may be named alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from audit.errors import LogError, ProfileError
from audit.profile.model import Profile
from audit.sources import container_of, members_of


@dataclass(frozen=True, slots=True)
class Matched:
    """One file: its path, and the name that findings call it by.

    ``member`` is what is meant of an archive, a workbook or a database.
    """

    path: Path
    name: str
    member: str = ""


Files = dict[str, dict[str, tuple[Matched, ...]]]
"""Files by table and relation, in name order."""


def find_files(paths: Sequence[Path], profile: Profile) -> tuple[Files, tuple[str, ...]]:
    """The files of each table, and the names of the files that no pattern names.

    ``paths`` is one folder, or files, which patterns then match by their name alone. LogError
    where a pattern finds nothing, or something that is not in the folder.
    """
    every = {name: Matched(path, name) for name, path in _candidates(paths).items()}
    for mapping in profile.tables.values():
        if mapping.stored:
            raise ProfileError(
                "the profile reads a database, and the log is files",
                where=f"{profile.name}, {mapping.table}",
                hint="Give the database, such as postgresql://USER@HOST/DB, or write files",
            )
        for group in mapping.relations.values():
            every |= _inside(every, group)
    used: set[str] = set()
    found: Files = {}
    for table in profile.tables.values():
        relations: dict[str, tuple[Matched, ...]] = {}
        for relation, patterns in table.relations.items():
            names: dict[str, None] = {}
            for pattern in patterns:
                fitting = [name for name in every if _fits(name, pattern)]
                if not fitting:
                    raise LogError(
                        f"no file of the log is named {pattern!r}",
                        where=f"{profile.name}, {table.table}.files",
                        hint=f"Found: {', '.join(list(every)[:5]) or 'no file'}",
                    )
                names |= dict.fromkeys(fitting)
            relations[relation] = tuple(every[name] for name in sorted(names))
            used |= set(names)
            used |= {name for name in every if any(each.startswith(f"{name}/") for each in names)}
        found[table.table] = relations
    opened = {name.removesuffix(f"/{each.member}") for name, each in every.items() if each.member}
    left = [name for name in every if name not in used and name not in opened - used]
    return found, tuple(left)


def _inside(files: Mapping[str, Matched], patterns: Collection[str]) -> dict[str, Matched]:
    """What is in those archives, workbooks and databases into which a pattern leads."""
    found = {}
    for name, file in files.items():
        depth = name.count("/") + 1
        leads = any(
            len(pattern.split("/")) > depth and _fits(name, "/".join(pattern.split("/")[:depth]))
            for pattern in patterns
        )
        if leads and container_of(file.path) is not None:
            for member in members_of(file.path, name):
                found[f"{name}/{member}"] = Matched(file.path, f"{name}/{member}", member)
    return found


def _fits(name: str, pattern: str) -> bool:
    """Folder by folder, so that ``*`` never runs over a slash."""
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


def _candidates(paths: Sequence[Path]) -> dict[str, Path]:
    if not paths:
        raise LogError("no log was given", hint="Name a folder or the files of a log")
    for path in paths:
        if not path.exists():
            raise LogError(
                "there is no such file or folder", where=str(path), hint="Check the path"
            )
    if len(paths) == 1 and paths[0].is_dir():
        root = paths[0].resolve()
        inside = [path for path in root.rglob("*") if path.is_file()]
        hidden = [path for path in inside if path.name[0] in ".~"]
        for path in inside:
            if not path.resolve().is_relative_to(root):
                raise LogError(
                    "this leads out of the log's folder",
                    where=str(path),
                    hint="Put the file itself there",
                )
        named = {path.relative_to(root).as_posix(): path for path in inside if path not in hidden}
        return dict(sorted(named.items()))
    if any(path.is_dir() for path in paths):
        raise LogError(
            "a profile reads one folder, or files",
            where=", ".join(str(path) for path in paths),
            hint="Name the folder that holds the whole log",
        )
    files = {path.name: path.resolve() for path in paths}
    if len(files) != len({path.resolve() for path in paths}):
        raise LogError("two files of the log have one name", hint="Give their folder instead")
    return dict(sorted(files.items()))
