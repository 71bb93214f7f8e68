"""The processes that the program starts are its own, whatever lies where the user is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from audit.buckets.pool import WORKER
from audit.paths import running


@pytest.mark.parametrize("name", ["audit.py", "pickle.py"])
def test_a_script_where_the_user_is_is_not_run(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("raise SystemExit('not ours')", encoding="utf-8")
    for module in ("audit.report.gather", "audit.buckets.worker"):
        done = subprocess.run(
            [sys.executable, *running(module), "no-case", "."],
            cwd=tmp_path, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert "not ours" not in done.stdout + done.stderr
        assert "no-case" in done.stdout + done.stderr


def test_the_workers_of_a_run_are_started_so() -> None:
    assert running("audit.buckets.worker") == WORKER
