"""A case appears whole or not at all, and is the same on any machine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from audit.case import open_case
from audit.sample import Options, write_sample
from tests.e2e.script import environment, script

Tool = Callable[..., subprocess.CompletedProcess[str]]
EPOCH = "1183248000"
KILLS = 15


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "log"
    write_sample(folder, Options(rounds=1500, seed=3, faults=0.1))
    return folder


def is_whole(case: Path) -> bool:
    """Whether the case opens, with all that its manifest names."""
    opened = open_case(case)
    try:
        for name, said in opened.manifest["tables"].items():
            ((rows,),) = opened.connection.execute(f"SELECT count(*) FROM {name}").fetchall()
            assert rows == said["rows"]
    finally:
        opened.close()
    return True


def start(log: Path, case: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [script(), "run", str(log), "--case", str(case), "-q", *more]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        command, env=environment(), stdout=quiet, stderr=quiet, start_new_session=True
    )


def test_killed_at_any_moment(log: Path, tmp_path: Path) -> None:
    random = Random(7)
    began = time.monotonic()
    assert start(log, tmp_path / "first").wait() == 1
    whole_run = time.monotonic() - began
    outcomes = set()
    for n in range(KILLS):
        # Every third over an older case; two of three in the second half, where it is written.
        case = tmp_path / f"case{n}"
        more = ["--force"] if n % 3 == 0 else []
        if more:
            shutil.copytree(tmp_path / "first", case)
        process = start(log, case, *more)
        time.sleep(whole_run * random.uniform(0 if n % 3 == 1 else 0.5, 1.0))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        outcomes.add(case.exists())
        assert not case.exists() or is_whole(case)
    assert False in outcomes, "not one run was caught in the middle"


def test_what_a_killed_run_left_is_cleared_by_the_next(log: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    process = start(log, case)
    while not any(tmp_path.glob(".case.building-*")) and process.poll() is None:
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert start(log, case, "--force" if case.exists() else "--quiet").wait() == 1
    assert [path.name for path in tmp_path.iterdir()] == ["case"]
    assert is_whole(case)


def contents(case: Path) -> dict[str, bytes]:
    names = ("manifest.json", "rounds.parquet", "bets.parquet")
    return {name: (case / name).read_bytes() for name in names}


def test_the_same_bytes_on_any_number_of_threads(tool: Tool, log: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "another name"
    shutil.copytree(log, elsewhere)
    cases = []
    for threads, source in (("1", log), ("2", log), ("2", elsewhere)):
        case = tmp_path / f"case{len(cases)}"
        done = tool(
            "run", source, "--case", case, "-q",
            cwd=tmp_path, POLARS_MAX_THREADS=threads, SOURCE_DATE_EPOCH=EPOCH,
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        cases.append(case)
    assert contents(cases[0]) == contents(cases[1]) == contents(cases[2])
    exported = [tool("findings", case, cwd=tmp_path).stdout for case in cases]
    assert len(set(exported)) == 1
    assert exported[0].count("\n") > 100
