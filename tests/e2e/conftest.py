"""The installed console script, run as a user would."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from audit.sample import Options, write_sample
from tests.databases import ESCAPED, PASSWORD, Cluster, cluster
from tests.e2e.script import environment, script

Run = subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def tool() -> Callable[..., Run]:
    """Run the command with these arguments in the folder ``cwd``."""

    def run(*args: str | Path, cwd: Path, **more: str) -> Run:
        command = [script(), *map(str, args)]
        return subprocess.run(
            command, cwd=cwd, env=environment(**more), capture_output=True, text=True, check=False
        )

    return run


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a clean log, a faulty one, and one that gives a warning only."""
    folder = tmp_path_factory.mktemp("logs")
    write_sample(folder / "clean", Options(rounds=60, seed=1))
    write_sample(folder / "faulty", Options(rounds=200, seed=4, faults=0.2))
    (folder / "gap").mkdir()
    (folder / "gap" / "rounds.csv").write_text(
        "table_id,shoe_id,round_no,started_at,player_cards,banker_cards\n"
        "T1,S1,2,2007-07-01 12:00:00,KS 9H,KD 7C\n"
    )
    return folder


@pytest.fixture(scope="session")
def case(logs: Path, tool: Callable[..., Run]) -> Path:
    """The case of the faulty log."""
    done = tool("run", "faulty", "--case", "case", "-q", cwd=logs)
    assert done.returncode == 1, done.stderr
    return logs / "case"


@pytest.fixture(scope="session")
def server() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@pytest.fixture
def audit(tool: Callable[..., Run], tmp_path: Path) -> Callable[..., Run]:
    """Run the command with the password where it belongs."""

    def run(*args: str | Path, password: str = PASSWORD) -> Run:
        done = tool(*args, cwd=tmp_path, PGPASSWORD=password)
        assert "Traceback" not in done.stderr
        for text in (PASSWORD, ESCAPED, "w@rd"):
            assert text not in done.stdout + done.stderr
        return done

    return run
