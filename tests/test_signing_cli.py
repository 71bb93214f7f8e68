"""Signing and checking a report as commands; what cannot be done leaves nothing behind."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.signing import VARIABLE
from tests.certificates import PASSPHRASE, Identity, case_of, identity, trusted
from tests.e2e.conftest import environment, script

PARTS = ["signature", "signer", "manifest.json", "findings.csv"]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return case_of(tmp_path_factory.mktemp("signed"), "KS 2H / 3D 4C / banker")


@pytest.fixture(scope="module")
def root() -> Identity:
    return identity("Authority", authority=True)


@pytest.fixture(scope="module")
def holder(root: Identity) -> Identity:
    return identity("陳大文", issuer=root)


Tool = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def tool(tmp_path: Path, case: Path) -> Tool:
    """``report --sign`` of the case in an empty folder, with a passphrase in the environment."""
    shutil.copytree(case, tmp_path / "case")

    def run(*words: str, phrase: str | None = None) -> subprocess.CompletedProcess[str]:
        variables = {**environment(), **({} if phrase is None else {VARIABLE: phrase})}
        return subprocess.run(
            [script(), *words], cwd=tmp_path, env=variables, capture_output=True, text=True,
            check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    return run


REPORT = ("report", "case", "-o", "r.pdf", "--sign", "k.p12")


def refusal(done: subprocess.CompletedProcess[str], folder: Path) -> str:
    """The one sentence of a refusal that left nothing behind."""
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert "defect" not in done.stderr
    assert PASSPHRASE not in done.stderr
    assert {each.name for each in folder.iterdir()} <= {"case", "k.p12", "phrase.txt"}
    return done.stderr


def test_the_command_signs_with_a_passphrase_from_a_file(
    tool: Tool, holder: Identity, root: Identity, tmp_path: Path
) -> None:
    (tmp_path / "k.p12").write_bytes(holder.p12())
    (tmp_path / "phrase.txt").write_text(PASSPHRASE + "\n", encoding="utf-8")
    done = tool(*REPORT, "--sign-visible", "--passphrase-file", "phrase.txt")
    assert (done.returncode, done.stdout) == (0, "Report written to r.pdf, signed\n"), done.stderr
    trust = str(trusted(root, tmp_path)[0])
    done = tool("verify", "r.pdf", "--trust", trust, "--case", "case", "--format", "json")
    plain = json.loads(done.stdout)
    assert (done.returncode, plain["exit"]) == (0, 0)
    assert [part["part"] for part in plain["parts"]] == PARTS
    assert PASSPHRASE.encode() not in (tmp_path / "r.pdf").read_bytes()
    text = tool("verify", "r.pdf").stdout
    assert "holds" in text
    assert "not checked" in text
    done = tool("verify", "r.pdf", "--log", "case")
    assert done.returncode == 2
    assert "--log: this is for a case, and a report was given" in done.stderr
    assert "no such file" in tool("verify", "r.pdf", "--trust", "none").stderr
    assert "no case here" in tool("verify", "r.pdf", "--case", "none").stderr
    done = tool("verify", "case", "--trust", trust)
    assert done.returncode == 2
    assert "--trust: this is for a report" in done.stderr


def test_a_wrong_or_missing_passphrase(tool: Tool, holder: Identity, tmp_path: Path) -> None:
    (tmp_path / "k.p12").write_bytes(holder.p12())
    assert "the passphrase is wrong" in refusal(tool(*REPORT, phrase="other"), tmp_path)
    said = refusal(tool(*REPORT), tmp_path)
    assert "needs its passphrase" in said
    assert VARIABLE in said


def test_a_file_that_cannot_sign(tool: Tool, holder: Identity, tmp_path: Path) -> None:
    assert "there is no such file" in refusal(tool(*REPORT), tmp_path)
    (tmp_path / "k.p12").write_bytes(identity(days=(-9, -2)).p12())
    assert "Chan Tai Man expired on 20" in refusal(tool(*REPORT, phrase=PASSPHRASE), tmp_path)


def test_options_that_need_another(tool: Tool, tmp_path: Path) -> None:
    for option in (("--sign-visible",), ("--passphrase-file", "phrase.txt")):
        done = tool("report", "case", "-o", "r.pdf", *option)
        assert "nothing to sign with" in refusal(done, tmp_path)


def test_a_file_that_is_neither(tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "k.p12").write_bytes(
        b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"
    )
    assert "neither a case nor a PDF" in refusal(tool("verify", "k.p12"), tmp_path)
    done = tool("verify", "k.p12", "--trust", "k.p12")
    assert "no certificate in this file" in refusal(done, tmp_path)


def test_without_the_optional_part_the_remedy_is_named(case: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pyhanko'] = None; from audit.cli import main;"
        "sys.argv = ['baccarat-audit', *sys.argv[1:]]; main()"
    )
    (tmp_path / "u.pdf").write_bytes(b"%PDF-1.7")
    for command in (["verify", "u.pdf"], ["report", str(case), "-o", "r.pdf", "--sign", "k.p12"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *command], cwd=tmp_path, capture_output=True, text=True,
            check=False, env=environment(),
        )  # fmt: skip
        assert done.returncode == 2
        assert "pip install 'baccarat-audit[sign]'" in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["u.pdf"]
