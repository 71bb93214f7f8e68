"""The file of a baseline: read whole, or refused with the line and the entry named."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, NoReturn

from audit.checks import CHECKS
from audit.errors import AuditError
from audit.rulebook.types import nearest

PLACE = ("casino", "table_id", "shoe_id", "round_no", "bet_id", "subject")
"""Where a finding is, in the columns of a finding row."""

_KEYS = ("id", "code", "where", "message", "owner", "reason", "expires")
_CODES = frozenset(check.code for check in CHECKS)
_KINDS = {int: "a whole number", str: "text"}
_TO_FILL = {
    "owner": "Write who answers for it",
    "reason": "Write why it is accepted",
    "expires": "Write the last day on which it holds, such as 2007-12-31",
}


class BaselineError(AuditError):
    """A baseline that the loader refuses; ``where`` names file and line."""


@dataclass(frozen=True)
class Entry:
    """One accepted finding; ``line`` is where it begins in its file, ``expires`` its last day."""

    id: str
    code: str
    where: Mapping[str, str | int]
    message: str
    owner: str
    reason: str
    expires: date
    line: int

    def as_json(self) -> dict[str, Any]:
        """Plain values; the place by column."""
        plain = {"id": self.id, "code": self.code, **{key: self.where.get(key) for key in PLACE}}
        told = {"message": self.message, "owner": self.owner, "reason": self.reason}
        return {**plain, **told, "expires": self.expires.isoformat()}


@dataclass(frozen=True)
class Baseline:
    """The entries of one file, in its order; ``sha256`` of its bytes."""

    name: str
    sha256: str
    entries: tuple[Entry, ...]


def read_baseline(path: Path) -> Baseline:
    """Read a filled-in baseline; BaselineError names the line and entry of what is wrong."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BaselineError(
            f"the baseline cannot be read ({error.strerror})",
            where=str(path),
            hint="Write one with `baccarat-audit baseline CASE -o FILE`",
        ) from None
    try:
        text = content.decode("utf-8-sig")
        data = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BaselineError(f"this is not TOML ({error})", where=str(path)) from None
    entries = _Reader(str(path), text, data).entries()
    return Baseline(path.name, hashlib.sha256(content).hexdigest(), entries)


class _Reader:
    """Checks every entry of one file and knows the line of each key."""

    def __init__(self, name: str, text: str, data: Mapping[str, Any]) -> None:
        self.name, self.data = name, data
        self.lines = text.split("\n")
        heads = [
            n for n, line in enumerate(self.lines, 1) if re.match(r"\s*\[\[accepted\]\]", line)
        ]
        self.items: Sequence[Any] = data.get("accepted", [])
        if not isinstance(self.items, list) or not all(isinstance(i, dict) for i in self.items):
            self._refuse("'accepted' is no list of tables", 0, "Begin each entry with [[accepted]]")
        # Where entries are written in another way, or a long text holds such a line, no line
        # can be told: 0.
        self.heads = heads if len(heads) == len(self.items) else [0] * len(self.items)

    def entries(self) -> tuple[Entry, ...]:
        if not isinstance(self.data.get("case", ""), str):
            self._refuse("the key 'case' is not text", 0)
        for key in self.data:
            if key not in ("case", "accepted"):
                self._refuse(f"unknown key {key!r}", 0, nearest(key, ("case", "accepted")))
        entries: dict[str, Entry] = {}
        for number, item in enumerate(self.items):
            entry = self._entry(number, item)
            if entry.id in entries:
                first = entries[entry.id].line
                before = f", first in line {first}" if first else ""
                self._refuse(f"the id {entry.id} stands twice{before}", entry.line)
            entries[entry.id] = entry
        return tuple(entries.values())

    def _entry(self, number: int, item: Mapping[str, Any]) -> Entry:
        name = f"entry {number + 1}"
        if isinstance(item.get("id"), str) and isinstance(item.get("code"), str):
            name = f"entry {number + 1} ({item['code']}, id {item['id']})"
        for key in item:
            if key not in _KEYS:
                self._refuse(f"{name} has the unknown key {key!r}", self._line(number, key),
                             nearest(key, _KEYS))  # fmt: skip
        texts = {key: self._text(number, name, item, key) for key in _KEYS[:-1] if key != "where"}
        line = self._line(number, "id")
        if not re.fullmatch(r"[0-9a-f]{12}", texts["id"]):
            self._refuse(f"{name}: the id is not twelve hex digits", line)
        if texts["code"] not in _CODES:
            self._refuse(f"{name}: no check has the code {texts['code']!r}",
                         self._line(number, "code"))  # fmt: skip
        where = self._where(number, name, item.get("where"))
        expires = self._day(number, name, item.get("expires"))
        return Entry(where=where, expires=expires, line=self.heads[number], **texts)

    def _text(self, number: int, name: str, item: Mapping[str, Any], key: str) -> str:
        value = item.get(key, "" if key in _TO_FILL else None)
        if not isinstance(value, str):
            what = "is missing" if value is None else "is not text"
            self._refuse(f"{name}: the key {key!r} {what}", self._line(number, key))
        if key in _TO_FILL and not value.strip():
            self._refuse(f"{name} has no {key}", self._line(number, key), _TO_FILL[key])
        return value

    def _where(self, number: int, name: str, value: Any) -> dict[str, str | int]:
        line = self._line(number, "where")
        if not isinstance(value, dict):
            self._refuse(f"{name}: the key 'where' is missing or no table", line)
        for key, part in value.items():
            if key not in PLACE:
                self._refuse(f"{name}: unknown key {key!r} in 'where'", line, nearest(key, PLACE))
            kind = int if key == "round_no" else str
            if type(part) is not kind or (isinstance(part, int) and not 0 <= part < 2**63):
                self._refuse(f"{name}: {key} in 'where' is not {_KINDS[kind]}", line)
        return value

    def _day(self, number: int, name: str, value: Any) -> date:
        line = self._line(number, "expires")
        if value is None or value == "":
            self._refuse(f"{name} has no expires", line, _TO_FILL["expires"])
        if isinstance(value, date) and not isinstance(value, datetime):
            return value
        try:
            if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
                raise ValueError
            return date.fromisoformat(value)
        except ValueError:
            self._refuse(f"{name}: expires is not a date: {value}", line, _TO_FILL["expires"])

    def _line(self, number: int, key: str) -> int:
        """Line of a key within its entry, or where the entry begins."""
        begin = self.heads[number]
        end = self.heads[number + 1] if number + 1 < len(self.heads) else len(self.lines)
        for line in range(begin, end) if begin else ():
            if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", self.lines[line]):
                return line + 1
        return begin

    def _refuse(self, what: str, line: int, hint: str = "") -> NoReturn:
        where = f"{self.name}, line {line}" if line else self.name
        raise BaselineError(what, where=where, hint=hint)
