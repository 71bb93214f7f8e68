"""Files that hold several tables: zip archives, workbooks, databases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from audit.errors import LogError
from audit.schema import TABLES
from audit.sources.packed import zip_members
from audit.sources.sqlite import tables_of
from audit.sources.xlsx import sheets_of


@dataclass(frozen=True, slots=True)
class Container:
    """A kind of file with tables in it: its endings, and the names of what is inside.

    ``files``: what is inside has the name of a file, with an ending.
    """

    title: str
    suffixes: tuple[str, ...]
    names: Callable[[Path, str], tuple[str, ...]]
    files: bool = False


CONTAINERS: tuple[Container, ...] = (
    Container("zip archive", (".zip",), zip_members, files=True),
    Container("XLSX workbook", (".xlsx", ".xlsm"), sheets_of),
    Container("SQLite database", (".sqlite", ".sqlite3", ".db"), tables_of),
)


def container_of(path: Path) -> Container | None:
    """The kind of container that a file's ending says."""
    suffix = path.suffix.lower()
    return next((kind for kind in CONTAINERS if suffix in kind.suffixes), None)


def ending(path: Path | PurePosixPath) -> str:
    """Ending in lower case, ``.csv.gz`` as one."""
    parts = [suffix.lower() for suffix in path.suffixes]
    return "".join(parts[-2:]) if parts[-1:] == [".gz"] else "".join(parts[-1:])


def table_of(path: Path | PurePosixPath) -> str | None:
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


def inside(
    path: Path, name: str, suffixes: frozenset[str]
) -> tuple[list[tuple[str, str]], list[str]]:
    """What a container has for the log: (inner name, table) of each, and the names left alone.

    Where no inner name says a table, the name of the file does: of its only table or member, or
    of the first sheet of a workbook. Raises LogError where there is nothing to read.
    """
    kind = container_of(path)
    if kind is None:
        raise LogError("this is no archive, workbook or database", where=name)
    inner = kind.names(path, name)
    usable = [each for each in inner if not kind.files or _readable(each, suffixes)]
    top = _top_folder(usable) if kind.files else ""
    found = []
    for each in usable:
        said = PurePosixPath(each.removeprefix(top) if kind.files else each.replace("/", "-"))
        # As in a folder: one level down at most, and there only in a folder named after a table.
        deep = len(said.parts) > 2 or (
            len(said.parts) == 2 and said.parts[0].casefold() not in {t.name for t in TABLES}
        )
        table = None if deep else _named(said, kind)
        if table is not None:
            found.append((each, table))
    own = table_of(path)
    if (
        not found
        and own is not None
        and (len(usable) == 1 or (usable and not kind.files and kind.suffixes[0] == ".xlsx"))
    ):
        found = [(usable[0], own)]
    if not found:
        seen = ", ".join(inner[:5]) or "nothing"
        raise LogError(
            f"nothing in the {kind.title} is named after a table (found: {seen[:200]})",
            where=name,
            hint=f"Name what is inside {', '.join(table.name for table in TABLES)}",
        )
    taken = {each for each, _ in found}
    return found, [each for each in inner if each not in taken]


def only(path: Path, name: str, suffixes: frozenset[str]) -> str:
    """The one thing in a container that can be read, whatever it is called; else LogError."""
    kind = container_of(path)
    inner = kind.names(path, name) if kind is not None else ()
    usable = [each for each in inner if kind is None or not kind.files or _readable(each, suffixes)]
    if len(usable) != 1:
        raise LogError(
            f"it holds {len(usable)} tables, where one was expected",
            where=name,
            hint="Give a file with one of them",
        )
    return usable[0]


def _named(said: PurePosixPath, kind: Container) -> str | None:
    if kind.files:
        return table_of(said)
    return table_of(PurePosixPath(f"{said.name}.x"))


def _readable(member: str, suffixes: frozenset[str]) -> bool:
    path = PurePosixPath(member)
    return ending(path) in suffixes and path.name[0] not in ".~" and path.parts[0] != "__MACOSX"


def _top_folder(members: list[str]) -> str:
    """The one folder that all members are in, unless it is named after a table."""
    tops = {member.partition("/")[0] for member in members}
    if len(tops) != 1 or any("/" not in member for member in members):
        return ""
    top = tops.pop()
    return "" if table_of(PurePosixPath(f"{top}.x")) is not None else f"{top}/"
