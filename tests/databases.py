"""A throw-away PostgreSQL on loopback for the tests, started as a user who is not root."""

from __future__ import annotations

import csv
import importlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

OWNER, READER, PASSWORD = "owner", "auditor", "s3cr3t Pass/w@rd"
ESCAPED = "s3cr3t%20Pass%2Fw%40rd"
"""The password of both users, and how it stands in an address."""

NEEDED = "BACCARAT_NEEDS_POSTGRES"
"""Where this is set, a missing server is a failure and no reason to skip."""

TYPES: Mapping[str, str] = {
    "round_no": "integer",
    "started_at": "timestamptz",
    "player_cards": "text[]",
    "banker_cards": "text[]",
    "player_total": "smallint",
    "banker_total": "numeric(3, 1)",
    "player_pair": "boolean",
    "banker_pair": "boolean",
    "burned": "double precision",
    "stake": "numeric(14, 4)",
    "paid": "money",
    "commission_taken": "numeric",
}
"""Types that columns of a sample log get; the others are text."""


@dataclass(frozen=True)
class Cluster:
    """A running server: its port, and what stops and starts it."""

    port: int
    control: tuple[str, ...]

    def address(self, database: str, user: str = READER, password: str = "") -> str:
        who = f"{user}:{password}" if password else user
        return f"postgresql://{who}@127.0.0.1:{self.port}/{database}"

    def run(self, database: str, *statements: str) -> None:
        """Run statements as the owner, each in a transaction of its own."""
        dbapi: Any = importlib.import_module("adbc_driver_postgresql.dbapi")
        address = self.address(database, OWNER, ESCAPED)
        with dbapi.connect(address, autocommit=True) as connection:
            for statement in statements:
                with connection.cursor() as cursor:
                    cursor.executescript(statement)

    def create(self, database: str, *statements: str) -> str:
        """A database with these tables, which the reader may read; its address."""
        self.run("postgres", f"DROP DATABASE IF EXISTS {database}", f"CREATE DATABASE {database}")
        self.run(database, *statements, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {READER}")
        return self.address(database)

    def load(self, database: str, folder: Path) -> str:
        """A database with the CSV tables of a sample log, typed, in another order of columns."""
        statements = []
        for path in sorted(folder.glob("*.csv")):
            if path.stem == "expected":
                continue
            with path.open(encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file)
            columns = ", ".join(f"{name} {TYPES.get(name, 'text')}" for name in reversed(header))
            statements.append(f"CREATE TABLE {path.stem} (pk serial PRIMARY KEY, {columns})")
            values = ", ".join("(" + ", ".join(map(_value, header, row)) + ")" for row in rows)
            names = ", ".join(header)
            statements.append(f"INSERT INTO {path.stem} ({names}) VALUES {values}")
        return self.create(database, *statements)


def _value(name: str, text: str) -> str:
    if not text:
        return "NULL"
    if TYPES.get(name) == "text[]":
        text = "{" + ",".join(text.split()) + "}"
    if TYPES.get(name) == "timestamptz" and not text.endswith("Z"):
        text += "+08"
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Start a server with an owner and a reader; skip where PostgreSQL is not installed."""
    programs = _programs()
    user = "postgres" if os.geteuid() == 0 else None  # initdb refuses root
    folder = Path(tempfile.mkdtemp(prefix="baccarat-audit-postgres-"))
    try:
        (folder / "password").write_text(PASSWORD + "\n")
        if user is not None:
            for path in (folder, folder / "password"):
                shutil.chown(path, user, user)
        data, log = folder / "data", folder / "log"
        _run(
            user, programs / "initdb", "-D", data, "-U", OWNER, "-A", "scram-sha-256", "--no-sync",
            "--pwfile", folder / "password", "-E", "UTF8", "--locale", "C",
        )  # fmt: skip
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = (
            f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        )
        control = (str(programs / "pg_ctl"), "-D", str(data))
        _run(user, *control, "-w", "-l", log, "-o", options, "start")
        try:
            running = Cluster(port, control)
            running.run("postgres", f"CREATE ROLE {READER} LOGIN PASSWORD {_value('', PASSWORD)}")
            yield running
        finally:
            _run(user, *control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    """The folder of initdb: Debian keeps it out of the PATH."""
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr/local").glob("pgsql*/bin")]
    found = shutil.which("initdb")
    places += [Path(found).resolve().parent] if found else []
    for place in sorted(places, reverse=True):
        if (place / "initdb").is_file() and (place / "pg_ctl").is_file():
            return place
    if os.environ.get(NEEDED):
        pytest.fail("no PostgreSQL server is installed here, and this run needs one")
    pytest.skip("no PostgreSQL server is installed here (Debian: apt-get install postgresql)")


def _run(user: str | None, *command: str | Path) -> None:
    done = subprocess.run(
        list(map(str, command)),
        user=user, group=user, extra_groups=[] if user else None,
        cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
