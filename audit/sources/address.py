"""The address of a database, as in ``postgresql://USER@HOST/DB``; its password is never shown."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from audit.errors import LogError

SCHEMES: Mapping[str, str] = {"postgresql": "postgresql", "postgres": "postgresql"}
"""What an address begins with, and the kind of server that it means."""

_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "postgresql": (
        "host", "sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout", "options",
    ),
}  # fmt: skip
_SECRETS = ("PGPASSWORD",)
_BEGINS = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://")
_IN_TEXT = (
    re.compile(r"(\w:/{1,2}[^/\s:@]*:).*@"),
    re.compile(r"(password=).*?(?=: |$)", re.IGNORECASE),
)
_HIDDEN = "***"


@dataclass(frozen=True)
class Database:
    """A database on a server. ``str()`` of it is for people and has no password."""

    kind: str
    name: str
    user: str = ""
    host: str = ""
    port: int | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        who = f"{self.user}@" if self.user else ""
        return f"{self.kind}://{who}{self.place}/{self.name}"

    @property
    def place(self) -> str:
        """Host and port, as far as they are given."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host + (f":{self.port}" if self.port is not None else "")

    def uri(self) -> str:
        """What the driver is given, password and all: never to be shown."""
        who = quote(self.user, safe="")
        if self.password is not None:
            who += ":" + quote(self.password, safe="")
        given = "&".join(f"{key}={quote(each, safe='')}" for key, each in self.parameters.items())
        at = f"{who}@" if who else ""
        return f"{self.kind}://{at}{self.place}/{quote(self.name, safe='')}?{given}"


def is_address(text: str) -> bool:
    """Whether a text means a database and not a path."""
    return _BEGINS.match(text) is not None


def parse_address(text: str) -> Database:
    """The database of an address; LogError, which never repeats it, where it is none."""
    scheme = text.partition("://")[0].lower()
    if scheme not in SCHEMES:
        _refuse(
            f"an address that begins with {scheme}:// is not read",
            hint="Give postgresql://USER@HOST/DB, or export the tables as files",
        )
    kind = SCHEMES[scheme]
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        _refuse()
    name = unquote(parts.path.removeprefix("/"))
    given = parse_qsl(parts.query, keep_blank_values=True)
    known = _PARAMETERS[kind]
    # A mark of the password that was not written as %XX lands in one of these.
    if parts.fragment or "#" in text or not name or "/" in parts.path[1:] or "@" in parts.path:
        _refuse()
    if any(key not in known for key, _ in given) or len(dict(given)) != len(given):
        _refuse(
            "a parameter of the address is not known", hint=f"Known are {', '.join(sorted(known))}"
        )
    return Database(
        kind,
        name,
        unquote(parts.username or ""),
        unquote(parts.hostname or ""),
        port,
        dict(given),
        None if parts.password is None else unquote(parts.password),
    )


def _refuse(what: str = "this is no address of a database", hint: str = "") -> NoReturn:
    raise LogError(
        what,
        hint=hint or "Write postgresql://USER@HOST:PORT/DB, and marks of a password as %XX",
    )


def hide(text: str, database: Database | None = None) -> str:
    """A text for people, without any password that is in an address or in the environment."""
    found = [os.environ.get(name) for name in _SECRETS]
    if database is not None:
        found += [database.password, quote(database.password or "", safe="")]
    for secret in sorted({each for each in found if each}, key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    text = _IN_TEXT[0].sub(rf"\1{_HIDDEN}@", text)
    return _IN_TEXT[1].sub(rf"\1{_HIDDEN}", text)
