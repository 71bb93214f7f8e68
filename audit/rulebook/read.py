"""Reading a TOML file so that whatever is wrong in it is refused with file and key named."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn, cast

from audit.errors import RulebookError
from audit.rulebook.types import STATUSES, Status, nearest

ARTICLE = re.compile(r"\d{1,2}(?:-[A-Z])?(?:\((?:\d{1,2}|[ivx]+)\))*")
"""One citation: ``9``, ``9(3)(2)``, ``13(1)(4)(2)(iii)``."""

_MISSING = object()
_WORDS = {
    bool: "true or false",
    int: "a whole number",
    str: "text",
    list: "a list",
    dict: "a table",
}


@dataclass(frozen=True, slots=True)
class File:
    """A rule-set file as read: ``name`` as errors show it, ``sha256`` of its bytes."""

    name: str
    sha256: str
    top: Node


@dataclass(frozen=True, slots=True)
class Node:
    """One TOML table and where it stands; every getter refuses what it cannot accept."""

    file: str
    path: str
    data: Mapping[str, Any]

    def at(self, key: str) -> str:
        """File and full key, for an error."""
        full = f"{self.path}.{key}" if self.path and key else self.path or key
        return f"{self.file}, {full}" if full else self.file

    def refuse(self, key: str, what: str, hint: str = "") -> NoReturn:
        """Raise RulebookError at ``key`` of this table (the table itself if empty)."""
        raise RulebookError(what, where=self.at(key), hint=hint)

    def only(self, *allowed: str) -> None:
        """Refuse a key that is not in ``allowed``."""
        for key in self.data:
            if key not in allowed:
                self.refuse(key, f"unknown key {key!r}", nearest(key, allowed))

    def _get(self, key: str, kind: type, default: Any) -> Any:
        value = self.data.get(key, _MISSING)
        if value is _MISSING:
            if default is _MISSING:
                self.refuse(key, f"the key {key!r} is missing")
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.refuse(key, f"{shown(value)} is not {_WORDS[kind]}")
        return value

    def text(self, key: str, default: Any = _MISSING) -> str:
        """Non-empty text."""
        value = cast(str, self._get(key, str, default))
        if not value.strip() and default is _MISSING:
            self.refuse(key, "the text is empty")
        return value

    def flag(self, key: str, default: Any = _MISSING) -> bool:
        """``true`` or ``false``."""
        return cast(bool, self._get(key, bool, default))

    def choice(self, key: str, allowed: Sequence[str], default: Any = _MISSING) -> Any:
        """One of the words ``allowed``."""
        value = self._get(key, str, default)
        if value is not default and value not in allowed:
            self.refuse(key, f"{value!r} is none of {', '.join(allowed)}", _close(value, allowed))
        return value

    def day(self, key: str) -> date:
        """A date, written without quotes."""
        value = self.data.get(key, _MISSING)
        if value is _MISSING:
            self.refuse(key, f"the date {key!r} is missing", "Write it as 2007-06-26")
        if isinstance(value, datetime) or not isinstance(value, date):
            self.refuse(key, f"{shown(value)} is not a date", "Write it as 2007-06-26, no quotes")
        return value

    def table(self, key: str) -> Node:
        """The table under ``key``; an empty one if it is absent."""
        path = f"{self.path}.{key}" if self.path else key
        return Node(self.file, path, cast(dict[str, Any], self._get(key, dict, {})))

    def tables(self) -> Iterator[tuple[str, Node]]:
        """Every entry of this table, each a table itself."""
        for key in self.data:
            yield key, self.table(key)

    def rows(self, key: str) -> list[Node]:
        """The list of tables under ``key``; empty if it is absent."""
        rows = self._get(key, list, [])
        path = f"{self.path}.{key}" if self.path else key
        nodes = [Node(self.file, f"{path}[{n}]", row) for n, row in enumerate(rows, start=1)]
        for node in nodes:
            if not isinstance(node.data, dict):
                node.refuse("", f"{shown(node.data)} is not a table", "Write it as { ... }")
        return nodes

    def article(self, key: str = "article", inherited: str = "") -> str:
        """A citation, or several separated by commas: ``9(3)(2)`` or ``17(4), 17(5)``."""
        if key not in self.data and inherited:
            return inherited
        if key not in self.data:
            self.refuse(key, "no citation", 'Say which article it rests on: article = "9(3)(2)"')
        text = self.text(key)
        for part in text.split(","):
            if not ARTICLE.fullmatch(part.strip()):
                self.refuse(key, f"{part.strip()!r} is no citation", "Write it as 9 or 9(3)(2)")
        return ", ".join(part.strip() for part in text.split(","))

    def status(self, key: str = "status", inherited: Status | None = None) -> Status:
        """``stated``, ``inferred`` or ``unknown``; the weaker two need a ``note`` that says why."""
        if key not in self.data and inherited:
            return inherited
        if key not in self.data:
            self.refuse(key, "no status", f"Say {', '.join(STATUSES[:-1])} or {STATUSES[-1]}")
        return cast(Status, self.choice(key, STATUSES))

    def decimal(self, key: str, low: int, high: int, default: Any = _MISSING) -> Decimal:
        """A number from ``low`` to ``high`` with at most two decimals, exact."""
        value = self.data.get(key, default)
        if value is _MISSING:
            self.refuse(key, f"the key {key!r} is missing")
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
            self.refuse(key, f"{shown(value)} is not a number")
        number = Decimal(value)
        if not number.is_finite() or not low <= number <= high:
            self.refuse(key, f"{value} is not between {low} and {high}")
        if number * 100 != (number * 100).to_integral_value():
            self.refuse(key, f"{value} has more than two decimals")
        return number


def read_toml(path: Path, name: str) -> File:
    """The file at ``path``; RulebookError where it is unreadable or no TOML."""
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8")
    except OSError as error:
        raise RulebookError("the file cannot be read", where=name, hint=str(error)) from error
    except UnicodeDecodeError as error:
        raise RulebookError(
            "the file is not UTF-8 text", where=name, hint="Save it as UTF-8"
        ) from error
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        # ValueError: also what is no TOMLDecodeError, such as a number of 5,000 digits.
        raise _broken(error, text, name) from error
    return File(name, hashlib.sha256(raw).hexdigest(), Node(name, "", data))


def shown(value: object) -> str:
    """A TOML value as an error shows it."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, (str, list, dict)) else str(value)


def _broken(error: Exception, text: str, name: str) -> RulebookError:
    """The parser's complaint with the key of its line, which it leaves out."""
    what = str(error)
    found = re.search(r" \(at line (\d+), column \d+\)$", what)
    if not found:
        return RulebookError(f"no TOML: {what}", where=name)
    number = int(found[1])
    line = text.splitlines()[number - 1] if number <= text.count("\n") + 1 else ""
    key = re.match(r"\s*\[*\s*([\w.\-\"]+)", line)
    where = f"{name}, line {number}" + (f", {key[1]}" if key else "")
    what = what[: found.start()]
    if "overwrite" in what or "twice" in what:
        return RulebookError("the key is there twice", where=where, hint="Keep one of them")
    if re.search(r"=\s*\d{4}-\d\d", line):
        return RulebookError(
            "no such date", where=where, hint="Write a day of the calendar as 2007-06-26"
        )
    return RulebookError(f"no TOML: {what}", where=where)


def _close(value: str, allowed: Sequence[str]) -> str:
    hint = nearest(value, tuple(allowed))
    return hint if hint.startswith("The nearest") else ""
