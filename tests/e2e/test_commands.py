"""Exit codes, help, errors and the output that programs read."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from audit.checks import CHECKS

Tool = Callable[..., subprocess.CompletedProcess[str]]

COMMANDS = (
    "run", "report", "findings", "rejects", "baseline", "verify", "replay", "explain", "rules list",
    "rules show", "rules diff", "rules coverage", "sql", "sample",
)  # fmt: skip
HEADER = (
    "id,code,severity,status,basis,ruleset,article,casino,table_id,shoe_id,round_no,bet_id,"
    "subject,expected,recorded,amount,consequence,source,row,message"
)


# Exit codes


def test_exit_0_nothing_found(tool: Tool, logs: Path, tmp_path: Path) -> None:
    done = tool("run", "clean", "--case", tmp_path / "case", cwd=logs)
    assert (done.returncode, done.stderr) == (0, "")
    assert "No violation was found in the records examined" in done.stdout


@pytest.mark.parametrize(
    ("log", "fail_on", "code"),
    [("faulty", "violation", 1), ("gap", "violation", 0), ("gap", "warning", 1)],
)
def test_exit_1_by_the_gravest_finding(
    tool: Tool, logs: Path, tmp_path: Path, log: str, fail_on: str, code: int
) -> None:
    done = tool("run", log, "--case", tmp_path / "case", "--fail-on", fail_on, cwd=logs)
    assert (done.returncode, done.stderr) == (code, "")


CRASH = """
from dataclasses import replace

from audit import checks

def boom():
    raise RuntimeError("a defect")

checks.CHECKS = tuple(
    replace(check, function=boom) if check.code == "A0901" else check for check in checks.CHECKS
)
"""


def test_exit_3_a_check_crashed(tool: Tool, logs: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(CRASH)
    target = tmp_path / "case"
    done = tool("run", "clean", "--case", target, cwd=logs, PYTHONPATH=str(tmp_path))
    assert done.returncode == 3
    assert "A0901" in done.stdout
    assert "No violation was found" not in done.stdout
    sql = "SELECT state, reason FROM checks WHERE code = 'A0901'"
    ((state, reason),) = rows_of(target, sql)
    assert state == "crashed"
    assert "a defect" in reason


def test_python_m_audit(logs: Path) -> None:
    command = [sys.executable, "-m", "audit", "--version"]
    done = subprocess.run(command, cwd=logs, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("baccarat-audit ")


# Help


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(tool: Tool, logs: Path, command: str) -> None:
    done = tool(*command.split(), "--help", cwd=logs)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Example: baccarat-audit {command}" in " ".join(done.stdout.split())
    assert "--quiet" in done.stdout


def test_the_list_of_commands(tool: Tool, logs: Path) -> None:
    done = tool("--help", cwd=logs)
    assert "Example: baccarat-audit run" in " ".join(done.stdout.split())
    assert all(f" {command.split()[0]} " in done.stdout for command in COMMANDS)


# Errors: one sentence with the remedy on standard error, exit code 2, nothing half-written

ROUNDS = "table_id,shoe_id,round_no,started_at,player_cards,banker_cards\n"
ROUND = "T1,S1,1,2007-07-01 12:00:00,KS 9H,KD 7C\n"
BROKEN = {
    "no-file": {},
    "no-rounds": {"bets.csv": "table_id,shoe_id,round_no,bet,stake,paid\nT,S,1,tie,1,0\n"},
    "empty-file": {"rounds.csv": ""},
    "header-only": {"rounds.csv": ROUNDS},
    "no-column": {"rounds.csv": ROUNDS.replace("banker_cards", "bankers") + ROUND},
    "bets-no-column": {
        "rounds.csv": ROUNDS + ROUND,
        "bets.csv": "table_id,shoe_id,round_no,bet,stakes,paid\nT,S,1,tie,1,0\n",
    },
    "twice": {"rounds.csv": ROUNDS + ROUND, "rounds.tsv": ROUNDS + ROUND},
    "column-twice": {"rounds.csv": ROUNDS.replace("shoe_id", "TABLE_ID") + ROUND},
    "bad-parquet": {"rounds.parquet": "PAR1 but no more"},
}
TOLD = {
    "no-column": ("rounds.csv", "banker_cards", "bankers"),
    "bets-no-column": ("bets.csv", "stake", "stakes"),
    "empty-file": ("rounds.csv",),
    "bad-parquet": ("rounds.parquet",),
}
"""What the sentence must name."""


def is_one_sentence(done: subprocess.CompletedProcess[str]) -> bool:
    """Exit 2, clean standard output, one line of words that a person can act on."""
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    line = done.stderr.removesuffix("\n")
    return line.startswith("baccarat-audit: ") and line.endswith(".") and "\n" not in line


def has_remedy(done: subprocess.CompletedProcess[str]) -> bool:
    return ". " in done.stderr


@pytest.mark.parametrize("name", BROKEN)
def test_a_log_that_cannot_be_read(tool: Tool, tmp_path: Path, name: str) -> None:
    log = tmp_path / "log"
    log.mkdir()
    for file, text in BROKEN[name].items():
        (log / file).write_text(text)
    done = tool("run", "log", "--case", "case", cwd=tmp_path)
    assert is_one_sentence(done)
    assert has_remedy(done)
    assert all(word in done.stderr for word in TOLD.get(name, ()))
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


WRONG = {
    "log-missing": "run nowhere --case {new}",
    "log-no-table": "run clean/limits.csv --case {new}",
    "case-exists": "run clean --case {case}",
    "case-is-a-folder": "run clean --case faulty",
    "case-without-parent": "run clean --case a/b/case",
    "select": "run clean --case {new} --select nonsense",
    "select-nothing": "run clean --case {new} --select L --ignore L",
    "rules": "run clean --case {new} --rules 65-2007",
    "rules-dir": "run clean --case {new} --rules-dir nowhere",
    "decks": "run clean --case {new} --decks 0",
    "rounding": "run clean --case {new} --commission-rounding 1,sideways",
    "report-folder": "run clean --case {new} --report nowhere/report.pdf",
    "findings": "findings nowhere",
    "findings-no-case": "findings clean",
    "findings-code": "findings {case} --code ZZ",
    "findings-output": "findings {case} -o nowhere/findings.csv",
    "findings-onto-folder": "findings {case} -o clean",
    "replay-round": "replay {case} nonsense",
    "replay-shoe": "replay {case} T/S/1",
    "explain": "explain ZZ99",
    "rules-show": "rules show 65-2007",
    "rules-diff": "rules diff 55-2004 65-2007",
    "sample-folder": "sample clean",
    "sample-rounds": "sample {new} --rounds 0",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_word(tool: Tool, logs: Path, case: Path, tmp_path: Path, name: str) -> None:
    before = sorted(path.name for path in logs.iterdir())
    words = WRONG[name].format(new=tmp_path / "new", case=case).split()
    done = tool(*words, cwd=logs)
    assert is_one_sentence(done)
    assert has_remedy(done)
    assert list(tmp_path.iterdir()) == []
    assert sorted(path.name for path in logs.iterdir()) == before


MISUSED = (
    "run clean --case {new} --format xml",
    "run clean --case {new} --commission half",
    "run clean --case {new} --fail-on never",
    "run clean --case {new} --decks many",
    "run clean",
    "findings",
    "nonsense",
)


@pytest.mark.parametrize("line", MISUSED)
def test_wrong_usage(tool: Tool, logs: Path, tmp_path: Path, line: str) -> None:
    done = tool(*line.format(new=tmp_path / "new").split(), cwd=logs)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_target_that_the_system_refuses(tool: Tool, logs: Path) -> None:
    done = tool("run", "clean", "--case", "/dev/null/case", cwd=logs)
    assert is_one_sentence(done)
    assert has_remedy(done)


def test_force_replaces_a_case_and_nothing_else(tool: Tool, logs: Path, tmp_path: Path) -> None:
    target = tmp_path / "case"
    first = tool("run", "gap", "--case", target, cwd=logs)
    again = tool("run", "clean", "--case", target, "--force", "-q", cwd=logs)
    assert (first.returncode, again.returncode) == (0, 0)
    assert rows_of(target, "SELECT count(*) FROM rounds") == [(60,)]
    assert [path.name for path in tmp_path.iterdir()] == ["case"]
    (tmp_path / "mine").mkdir()
    assert is_one_sentence(tool("run", "gap", "--case", tmp_path / "mine", "--force", cwd=logs))


def test_quiet_prints_the_verdict_only(tool: Tool, logs: Path, tmp_path: Path) -> None:
    done = tool("run", "gap", "--case", tmp_path / "case", "--quiet", cwd=logs)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


# For programs


def rows_of(case: Path, sql: str) -> list[tuple]:
    from audit.case import open_case

    opened = open_case(case)
    try:
        return opened.connection.execute(sql).fetchall()
    finally:
        opened.close()


def test_run_as_json(tool: Tool, logs: Path, tmp_path: Path) -> None:
    target = tmp_path / "case"
    done = tool("run", "faulty", "--case", target, "--format", "json", cwd=logs)
    assert (done.returncode, done.stderr) == (1, "")
    said = json.loads(done.stdout)
    assert said.keys() >= {
        "case", "period", "sources", "rulesets", "counts", "amounts", "not_applied", "undecided",
        "exit",
    }  # fmt: skip
    assert said["exit"] == 1
    assert said["period"][0] <= said["period"][1]
    assert [ruleset["id"] for ruleset in said["rulesets"]] == ["64-2007"]
    (rounds,) = (source for source in said["sources"] if source["name"] == "rounds.csv")
    content = (logs / "faulty" / "rounds.csv").read_bytes()
    assert rounds["sha256"] == sha256(content).hexdigest()
    assert rounds["rows_read"] == content.count(b"\n") - 1
    for source in said["sources"]:
        parts = ("audited", "rejected", "set_aside")
        assert source["rows_read"] == sum(source[part] for part in parts)
    by_code, by_severity = said["counts"]["code"], said["counts"]["severity"]
    assert sum(by_code.values()) == sum(by_severity.values())
    assert dict(rows_of(target, "SELECT code, count(*) FROM findings GROUP BY code")) == by_code
    assert {check.code for check in CHECKS} >= set(by_code)
    over, short = said["amounts"]["overpaid"], said["amounts"]["short_changed"]
    assert all(float(amount) > 0 for amount in over.values())
    assert all(float(amount) < 0 for amount in short.values())
    assert all(entry.keys() == {"code", "reason", "rows"} for entry in said["not_applied"])


def test_findings_as_csv(tool: Tool, logs: Path, case: Path) -> None:
    done = tool("findings", case, cwd=logs)
    assert (done.returncode, done.stderr) == (0, "")
    header, *rows = csv.reader(io.StringIO(done.stdout))
    assert header == HEADER.split(",")
    order = ("casino", "table_id", "shoe_id", "round_no", "code", "bet_id", "subject")
    keys = []
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        keys.append(tuple(int(cells[c] or 0) if c == "round_no" else cells[c] for c in order))
    assert keys == sorted(keys)
    assert len(rows) == rows_of(case, "SELECT count(*) FROM findings")[0][0] > 20
    assert len({row[0] for row in rows}) == len(rows)


def test_findings_that_were_planted(tool: Tool, logs: Path, case: Path) -> None:
    """The generator's own key against the exported file."""
    with (logs / "faulty" / "faults.csv").open(encoding="utf-8") as file:
        planted = sorted(tuple(row.values()) for row in csv.DictReader(file))
    columns = ("code", "casino", "table_id", "shoe_id", "round_no", "bet_id", "subject", "amount")
    done = tool("findings", case, cwd=logs)
    found = csv.DictReader(io.StringIO(done.stdout))
    assert sorted(tuple(row[column] for column in columns) for row in found) == planted


def test_findings_by_code_and_as_json(tool: Tool, logs: Path, case: Path) -> None:
    everything = json.loads(tool("findings", case, "--format", "json", cwd=logs).stdout)
    names = HEADER.replace("amount", "amount,currency").split(",")
    assert all(list(row) == names for row in everything)
    chosen = tool("findings", case, "--code", "a17,L", "--format", "json", cwd=logs)
    assert json.loads(chosen.stdout) == [
        row for row in everything if row["code"].startswith(("A17", "L"))
    ]


def test_findings_into_a_file(tool: Tool, logs: Path, case: Path, tmp_path: Path) -> None:
    shown = tool("findings", case, cwd=logs).stdout
    done = tool("findings", case, "-o", tmp_path / "findings.csv", "-q", cwd=logs)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "findings.csv").read_text(encoding="utf-8") == shown
