"""SARIF: valid by its schema, and every finding in it, placed, named and suppressed rightly."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, FormatChecker

from audit.case import open_case
from audit.checks import CHECKS
from audit.pipeline import Job, run_audit
from audit.sarif import sarif_text
from tests.e2e.conftest import environment, script
from tests.e2e.test_commands import CRASH
from tests.test_baseline import NOON, drafted, entries, filled, written
from tests.tools.make_sample_logs import FOLDER

LOG = FOLDER / "wrong-payouts"
STORIES = sorted(path.parent.name for path in FOLDER.glob("*/rounds.csv"))
SCHEMA = Path(__file__).parent / "data" / "sarif-schema-2.1.0.json"


@lru_cache
def validator() -> Draft7Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return Draft7Validator(schema, format_checker=FormatChecker())


def valid(text: str) -> dict[str, Any]:
    """The one run of a SARIF log, after its schema had no complaint."""
    log = json.loads(text)
    assert [f"{list(e.path)}: {e.message}" for e in validator().iter_errors(log)] == []
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    return dict(run)


def sarif(case: Path, log: Path = LOG, **more: Any) -> dict[str, Any]:
    run_audit(Job([log], case, made_at=NOON, **more))
    return valid(sarif_text(case))


def findings(case: Path, columns: str) -> list[tuple[Any, ...]]:
    opened = open_case(case)
    try:
        query = f"SELECT {columns} FROM findings ORDER BY rowid"
        return opened.connection.execute(query).fetchall()
    finally:
        opened.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    case = tmp_path_factory.mktemp("sarif") / "case"
    run_audit(Job([LOG], case, made_at=NOON))
    return case


@pytest.fixture(scope="module")
def run(made: Path) -> dict[str, Any]:
    return valid(sarif_text(made))


@pytest.mark.parametrize("story", STORIES)
def test_every_sample_log_gives_a_valid_one(story: str, tmp_path: Path) -> None:
    log = sarif(tmp_path / "case", FOLDER / story)
    ids = [result["partialFingerprints"]["findingId/v1"] for result in log["results"]]
    assert ids == [name for (name,) in findings(tmp_path / "case", "id")]


def test_the_schema_finds_faults() -> None:
    broken = {"version": "2.1.0", "runs": [{"tool": {"driver": {}}, "results": [{"level": "bad"}]}]}
    assert len(list(validator().iter_errors(broken))) >= 2


def test_the_rules_are_the_checks(run: dict[str, Any]) -> None:
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [check.code for check in CHECKS]
    assert all(rule["help"]["text"].startswith("Why it matters: ") for rule in rules)
    draw = next(rule for rule in rules if rule["id"] == "A0904")
    assert draw["properties"] == {"article": "9(3)", "severity": "violation"}
    assert draw["defaultConfiguration"] == {"level": "error"}


def test_levels_messages_and_rules_of_the_results(made: Path, run: dict[str, Any]) -> None:
    levels = {"violation": "error", "warning": "warning", "notice": "note"}
    rules = run["tool"]["driver"]["rules"]
    told = [
        (rules[result["ruleIndex"]]["id"], result["level"], result["message"]["text"])
        for result in run["results"]
    ]
    assert told == [
        (code, levels[severity], message)
        for code, severity, message in findings(made, "code, severity, message")
    ]
    assert Counter(level for _, level, _ in told) == {"error": 18, "warning": 2, "note": 1}


def test_amounts_are_exact_text(run: dict[str, Any]) -> None:
    short = next(result for result in run["results"] if result["ruleId"] == "A1701")
    told = {key: short["properties"][key] for key in ("amount", "expected", "recorded", "status")}
    assert told == {"amount": "-150", "expected": "1170", "recorded": "1020", "status": "new"}


def test_the_line_is_that_of_the_row_in_the_file(made: Path, run: dict[str, Any]) -> None:
    for result, (source, round_no) in zip(
        run["results"], findings(made, "source, round_no"), strict=True
    ):
        (location,) = result["locations"]
        place = location["physicalLocation"]
        artifact = run["artifacts"][place["artifactLocation"]["index"]]
        assert artifact["location"] == {"uri": source, "uriBaseId": "LOG"}
        lines = (LOG / source).read_text(encoding="utf-8").splitlines()
        header, cells = lines[0].split(","), lines[place["region"]["startLine"] - 1].split(",")
        assert cells[header.index("round_no")] == str(round_no)


def test_logical_places(run: dict[str, Any]) -> None:
    logical = {
        result["ruleId"]: result["locations"][0]["logicalLocations"][0] for result in run["results"]
    }
    on_bet, on_round = logical["A1701"], logical["A1302"]
    assert on_bet["fullyQualifiedName"] == "Magnolia/M01/070901-1/1/2"
    assert (on_bet["kind"], on_bet["name"]) == ("bet", "2")
    assert on_round["kind"] == "round"


def test_the_artifacts_are_the_files_with_their_hashes(run: dict[str, Any]) -> None:
    assert {artifact["location"]["uri"]: artifact["hashes"] for artifact in run["artifacts"]} == {
        name: {"sha-256": sha256((LOG / name).read_bytes()).hexdigest()}
        for name in ("rounds.csv", "bets.csv", "shoes.csv", "jackpot_prizes.csv")
    }


def test_the_invocation(run: dict[str, Any]) -> None:
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (True, 1)
    assert invocation["endTimeUtc"] == "2007-09-02T04:00:00Z"
    notes = [each["message"]["text"] for each in invocation["toolExecutionNotifications"]]
    assert "A1402 was not applied to 161 rows (no_table:limits)." in notes


def test_checks_that_were_not_selected_are_switched_off(tmp_path: Path) -> None:
    run = sarif(tmp_path / "case", select=["A17"])
    (invocation,) = run["invocations"]
    off = {each["descriptor"]["id"] for each in invocation["ruleConfigurationOverrides"]}
    assert off == {check.code for check in CHECKS if not check.code.startswith("A17")}
    assert {result["ruleId"][:3] for result in run["results"]} == {"A17"}


def test_accepted_findings_are_suppressed_with_their_reason(made: Path, tmp_path: Path) -> None:
    first, second, third, *_ = entries(drafted(made))
    gone = third.replace(third.split('"')[1], "0123456789ab")
    old = filled(second, expires="2007-09-01")
    file = written(tmp_path, filled(first) + old + filled(gone))
    run = sarif(tmp_path / "case", baseline=file)
    assert len(run["results"]) == 21
    suppressed = [result for result in run["results"] if "suppressions" in result]
    assert [result["suppressions"] for result in suppressed] == [
        [
            {
                "kind": "external",
                "status": "accepted",
                "justification": "Refunded on 3 September",
                "properties": {"owner": "M. Wong", "expires": "2007-12-31"},
            }
        ]
    ]
    assert suppressed[0]["properties"]["status"] == "accepted"
    notes = run["invocations"][0]["toolConfigurationNotifications"]
    assert [note["level"] for note in notes] == ["warning", "warning"]
    assert notes[0]["message"]["text"].endswith("accepts nothing: expired.")
    assert notes[1]["message"]["text"] == (
        "The baseline's entry 0123456789ab accepts nothing: vanished."
    )


ROUND = "table_id,shoe_id,round_no,started_at,player_cards,banker_cards,player_total\n"


@pytest.mark.parametrize(
    ("file", "text", "region"),
    [
        (
            "rounds-{1} é.csv",
            ROUND + "a/b%,S,1,2007-07-01 12:00:00,KS 9H,KD 7C,3\n",
            {"startLine": 2},
        ),
        (
            "rounds.jsonl",
            '{"table_id": "a/b%", "shoe_id": "S", "round_no": 1, "player_total": 3, '
            '"started_at": "2007-07-01 12:00:00", "player_cards": "KS 9H", '
            '"banker_cards": "KD 7C"}\n',
            {"startLine": 1},
        ),
    ],
)
def test_names_and_kinds_of_files(
    tmp_path: Path, file: str, text: str, region: dict[str, int]
) -> None:
    log = tmp_path / "log"
    log.mkdir()
    (log / file).write_text(text, encoding="utf-8")
    (result,) = sarif(tmp_path / "case", log)["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"]["region"] == region
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "-/a%2Fb%25/S/1"
    assert " " not in location["physicalLocation"]["artifactLocation"]["uri"]


def test_text_of_a_log_makes_no_link_and_no_placeholder(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.mkdir()
    rounds = ROUND + "T,S,1,2007-07-01 12:00:00,[x](http://a.b) {0},KD 7C,3\n"
    good = "T,S,2,2007-07-01 12:01:00,KS 9H,KD 7C,9\n"
    (log / "rounds.csv").write_text(rounds + good)
    results = sarif(tmp_path / "case", log)["results"]
    (text,) = [r["message"]["text"] for r in results if r["ruleId"] == "L01"]
    assert "\\[x\\](http://a.b) {{0}}" in text


# On the command line


def tool(*args: str | Path, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [script(), "run", *map(str, args), "--format", "sarif"]
    return subprocess.run(
        command, cwd=cwd, env=environment(**more), capture_output=True, text=True, check=False
    )


def test_it_is_all_that_is_printed(tmp_path: Path) -> None:
    pinned = {"cwd": tmp_path, "SOURCE_DATE_EPOCH": "1188700000"}
    done = tool(LOG, "--case", "a", **pinned)
    assert (done.returncode, done.stderr) == (1, "")
    assert len(valid(done.stdout)["results"]) == 21
    assert tool(LOG, "--case", "b", **pinned).stdout == done.stdout


def test_a_check_that_crashed(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(CRASH)
    done = tool(LOG, "--case", "case", cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert done.returncode == 3
    (invocation,) = valid(done.stdout)["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 3)
    first = invocation["toolExecutionNotifications"][0]
    assert (first["level"], first["associatedRule"]["id"]) == ("error", "A0901")
    assert "a defect" in first["message"]["text"]
