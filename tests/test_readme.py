"""The README is true: its commands run, its session prints what it shows, its Python works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ENVIRONMENT = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "audit", *shlex.split(command)[1:]]
    return subprocess.run(
        words, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like a checkout, with the case that the README makes first."""
    here = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "sample_logs", here / "sample_logs")
    done = run("baccarat-audit run sample_logs/draw-errors --case case --force", here)
    assert done.returncode == 1, done.stderr
    return here


def commands() -> list[str]:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    named = [line for line in lines if line.startswith("baccarat-audit ")]
    return [line for line in named if "LOG..." not in line]


def test_session_prints_what_it_shows(folder: Path) -> None:
    (session,) = blocks("console")
    command, _, shown = session.partition("\n")
    done = run(command.removeprefix("$ ") + " --force", folder)
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    assert printed == [line.rstrip() for line in shown.splitlines()]


@pytest.mark.parametrize("command", commands())
def test_command_runs(command: str, folder: Path) -> None:
    done = run(command, folder)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_every_command_is_described() -> None:
    done = run("baccarat-audit --help", ROOT)
    listed = re.findall(r"^│ (\w+) {2,}", done.stdout, flags=re.MULTILINE)
    assert listed
    for name in listed:
        assert f"`{name}`" in README or f"### {name}" in README or f" {name}" in README


def test_python_example_works(folder: Path) -> None:
    (code,) = blocks("python")
    shutil.rmtree(folder / "case")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("7 1\n")
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF")


def test_coverage_table_is_the_one_printed() -> None:
    printed = run("baccarat-audit rules coverage --format markdown", ROOT).stdout.strip()
    assert printed in README
