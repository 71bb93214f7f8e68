"""Baselines: accepted findings stay in every count, and nothing accepts by accident."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.baseline import BaselineError, draft, quoted, read_baseline
from audit.case import open_case
from audit.manifest import MACAU
from audit.pipeline import Job, run_audit
from audit.summary import Summary
from tests.e2e.conftest import environment, script
from tests.support import complete
from tests.tools.make_sample_logs import FOLDER

LOG = FOLDER / "wrong-payouts"
NOON = datetime(2007, 9, 2, 12, tzinfo=MACAU)


def run(case: Path, log: Path = LOG, **more: Any) -> Summary:
    return run_audit(Job([log], case, made_at=more.pop("made_at", NOON), **more))


def drafted(case: Path) -> str:
    opened = open_case(case)
    try:
        return draft(opened)
    finally:
        opened.close()


def rows(case: Path, sql: str) -> list[tuple[Any, ...]]:
    opened = open_case(case)
    try:
        return opened.connection.execute(sql).fetchall()
    finally:
        opened.close()


def filled(text: str, *, expires: str = "2007-12-31", owner: str = "M. Wong") -> str:
    for key, value in {"owner": owner, "reason": "Refunded on 3 September"}.items():
        text = text.replace(f'{key} = ""', f"{key} = {quoted(value)}")
    return text.replace('expires = ""', f"expires = {expires}")


def entries(text: str) -> list[str]:
    """The text of each entry, so that a test can keep some of them."""
    return ["[[accepted]]" + part for part in text.split("[[accepted]]")[1:]]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The draft of the sample log's case: 18 violations, 2 warnings, 1 notice."""
    case = tmp_path_factory.mktemp("baseline") / "case"
    run(case)
    return drafted(case)


def written(folder: Path, content: str, name: str = "accepted.toml") -> Path:
    (folder / name).write_text(content, encoding="utf-8")
    return folder / name


# What `baseline` writes


def test_the_draft_lists_every_finding_with_its_place(text: str, tmp_path: Path) -> None:
    run(tmp_path / "case")
    listed = [
        (e["id"], e["code"], e["message"], *(e["where"].get(key) for key in ("shoe_id", "bet_id")))
        for e in tomllib.loads(text)["accepted"]
    ]
    query = "SELECT id, code, message, shoe_id, bet_id FROM findings ORDER BY rowid"
    assert listed == rows(tmp_path / "case", query)
    assert len(listed) == 21


def test_names_of_any_kind_come_back_as_they_were(tmp_path: Path) -> None:
    table = "T\"1\\\x7f'\u2028[[accepted]] {é} \t莊"
    rounds = "table_id,shoe_id,round_no,started_at,player_cards,banker_cards,player_total\n"
    cell = table.replace('"', '""')
    row = f'"{cell}","S\n1",1,2007-07-01 12:00:00,KS 9H,KD 7C,3\n'
    log = tmp_path / "log"
    log.mkdir()
    (log / "rounds.csv").write_text(rounds + row, encoding="utf-8")
    run(tmp_path / "case", log)
    file = written(tmp_path, filled(drafted(tmp_path / "case")))
    (entry,) = read_baseline(file).entries
    assert (entry.where["table_id"], entry.where["shoe_id"]) == (table, "S\n1")
    summary = run(tmp_path / "again", log, baseline=file)
    assert (summary.exit, summary.new("violation")) == (0, 0)


@given(st.text())
def test_quoted_text_is_read_back_exactly(value: str) -> None:
    assert tomllib.loads(f"x = {quoted(value)}") == {"x": value}


def test_what_was_filled_in_is_kept_in_the_next_draft(text: str, tmp_path: Path) -> None:
    kept, old, *_ = entries(text)
    file = written(
        tmp_path, filled(kept, owner="A. Lam") + filled(old, expires="2007-09-01", owner="B. Ho")
    )
    run(tmp_path / "case", baseline=file)
    first, second, third, *_ = tomllib.loads(drafted(tmp_path / "case"))["accepted"]
    assert (first["owner"], first["expires"]) == ("A. Lam", date(2007, 12, 31))
    assert (second["owner"], second["expires"]) == ("B. Ho", "")
    assert (third["owner"], third["reason"], third["expires"]) == ("", "", "")


# What a run makes of it


def test_accepted_findings_stay_in_every_count(text: str, tmp_path: Path) -> None:
    plain = run(tmp_path / "plain")
    summary = run(tmp_path / "case", baseline=written(tmp_path, filled(text)))
    assert (plain.exit, summary.exit) == (1, 0)
    assert summary.severities == plain.severities == {"violation": 18, "warning": 2, "notice": 1}
    assert (summary.codes, summary.overpaid) == (plain.codes, plain.overpaid)
    assert summary.accepted is not None
    assert summary.accepted.severities == plain.severities
    assert summary.accepted.overpaid == plain.overpaid
    assert rows(tmp_path / "case", "SELECT DISTINCT status FROM findings") == [("accepted",)]
    assert len(summary.accepted.entries["persisting"]) == 21


def test_only_new_findings_decide_the_exit_code(text: str, tmp_path: Path) -> None:
    but_one = written(tmp_path, filled("".join(entries(text)[1:])))
    summary = run(tmp_path / "b", baseline=but_one)
    assert (summary.exit, summary.new("violation")) == (1, 1)
    by_status = Counter(row for (row,) in rows(tmp_path / "b", "SELECT status FROM findings"))
    assert by_status == {"new": 1, "accepted": 20}


@pytest.mark.parametrize(("severity", "code"), [("warning", 0), ("notice", 1)])
def test_fail_on_looks_at_new_findings(text: str, tmp_path: Path, severity: str, code: int) -> None:
    kept = [e for e in entries(text) if 'code = "A1806"' not in e]  # the one notice
    file = written(tmp_path, filled("".join(kept)))
    assert run(tmp_path / "case", baseline=file, fail_on=severity).exit == code


@pytest.mark.parametrize(
    ("expires", "made_at", "state"),
    [
        ("2007-09-02", NOON, "persisting"),
        ('"2007-09-02"', NOON, "persisting"),
        ("2007-09-01", NOON, "expired"),
        ("2007-09-02", datetime(2007, 9, 3, tzinfo=MACAU), "expired"),
    ],
)
def test_an_entry_holds_to_the_end_of_its_day(
    text: str, tmp_path: Path, expires: str, made_at: datetime, state: str
) -> None:
    file = written(tmp_path, filled(entries(text)[0], expires=expires))
    summary = run(tmp_path / "case", baseline=file, made_at=made_at)
    assert summary.accepted is not None
    assert {name: len(some) for name, some in summary.accepted.entries.items() if some} == {
        state: 1
    }
    assert summary.new("violation") == (17 if state == "persisting" else 18)


def test_the_day_is_macaus(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # 2007-09-01 17:00 UTC is one o'clock on the second in Macau.
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1188666000")
    file = written(tmp_path, filled(entries(text)[0], expires="2007-09-01"))
    summary = run_audit(Job([LOG], tmp_path / "case", baseline=file))
    assert summary.accepted is not None
    assert len(summary.accepted.entries["expired"]) == 1


def test_an_entry_without_its_finding_has_vanished(text: str, tmp_path: Path) -> None:
    file = written(tmp_path, filled(text))
    summary = run(tmp_path / "case", FOLDER / "clean-day", baseline=file)
    assert summary.accepted is not None
    assert len(summary.accepted.entries["vanished"]) == 21
    query = "SELECT count(*) FROM baseline WHERE state = 'vanished' AND owner = 'M. Wong'"
    assert rows(tmp_path / "case", query) == [(21,)]


def test_an_entry_whose_check_was_not_made_has_not_vanished(text: str, tmp_path: Path) -> None:
    file = written(tmp_path, filled(text))
    summary = run(tmp_path / "case", baseline=file, select=["A17"])
    assert summary.accepted is not None
    states = summary.accepted.entries
    assert {entry["code"][:3] for entry in states["persisting"]} == {"A17"}
    assert len(states["unchecked"]) == 21 - len(states["persisting"])
    assert not states["vanished"]


def test_findings_on_rejected_rows_are_accepted_too(tmp_path: Path) -> None:
    run(tmp_path / "case", FOLDER / "messy")
    codes = {code for (code,) in rows(tmp_path / "case", "SELECT code FROM findings")}
    assert {"L01", "L02"} <= codes
    file = written(tmp_path, filled(drafted(tmp_path / "case")))
    summary = run(tmp_path / "again", FOLDER / "messy", baseline=file, fail_on="notice")
    assert summary.exit == 0


def test_the_manifest_names_the_file_and_its_hash(text: str, tmp_path: Path) -> None:
    file = written(tmp_path, filled(text), "known things.toml")
    summary = run(tmp_path / "case", baseline=file)
    manifest = json.loads((tmp_path / "case" / "manifest.json").read_text())
    digest = sha256(file.read_bytes()).hexdigest()
    assert manifest["baseline"] == {"name": "known things.toml", "sha256": digest}
    assert run(tmp_path / "again", baseline=file).case_id == summary.case_id
    assert run(tmp_path / "plain").case_id != summary.case_id


# What the loader refuses: the line, the entry and the cure

GOOD = """\
[[accepted]]
id = "0123456789ab"
code = "A1701"
where = { casino = "-", table_id = "T1", shoe_id = "S1", round_no = 4, bet_id = "1" }
message = "Paid 100 less than due"
owner = "M. Wong"
reason = "Refunded"
expires = 2007-12-31
"""
REFUSED: list[tuple[Callable[[str], str], tuple[str, ...]]] = [
    (lambda t: t.replace("M. Wong", " "), ("line 6", "entry 1 (A1701, id 0123456789ab)", "owner")),
    (lambda t: t.replace("Refunded", ""), ("line 7", "no reason", "why it is accepted")),
    (lambda t: t.replace("2007-12-31", '""'), ("line 8", "no expires", "2007-12-31")),
    (lambda t: t.replace("2007-12-31", "2007-12-31T10:00:00"), ("line 8", "not a date")),
    (lambda t: t.replace("2007-12-31", '"2007-13-31"'), ("line 8", "not a date: 2007-13-31")),
    (lambda t: t.replace("2007-12-31", '"31.12.2007"'), ("line 8", "not a date")),
    (lambda t: t.replace("2007-12-31", "2007-13-31"), ("not TOML", "line 8")),
    (lambda t: t.replace('owner = "M. Wong"\n', ""), ("line 1", "no owner")),
    (lambda t: t.replace("owner", "Owner"), ("line 6", "unknown key 'Owner'", "'owner'")),
    (lambda t: t.replace("table_id", "table"), ("line 4", "'table' in 'where'", "'table_id'")),
    (lambda t: t.replace("= 4", '= "4"'), ("line 4", "round_no", "whole number")),
    (lambda t: t.replace("= 4", "= 99999999999999999999"), ("line 4", "round_no")),
    (lambda t: t.replace("A1701", "A1799"), ("line 3", "no check has the code 'A1799'")),
    (lambda t: t.replace("0123456789ab", "0123"), ("line 2", "twelve hex digits")),
    (lambda t: t.replace('code = "A1701"', "code = 1701"), ("line 3", "'code' is not text")),
    (lambda t: t + "\n" + t, ("line 10", "0123456789ab stands twice", "first in line 1")),
    (lambda t: "owner = 'me'\n" + t, ("unknown key 'owner'",)),
    (lambda t: t.replace("[[accepted]]", "[accepted]"), ("no list of tables",)),
    (lambda t: t.replace("[[accepted]]", "[[accepted]"), ("not TOML", "line 1")),
    (lambda t: t.replace("M. Wong", "M. \ud800"), ("not TOML",)),
]


@pytest.mark.parametrize(("edit", "told"), REFUSED, ids=lambda each: "")
def test_refusals(tmp_path: Path, edit: Callable[[str], str], told: tuple[str, ...]) -> None:
    file = tmp_path / "accepted.toml"
    file.write_bytes(edit(GOOD).encode("utf-8", "surrogatepass"))
    with pytest.raises(BaselineError) as refused:
        read_baseline(file)
    for phrase in ("accepted.toml", *told):
        assert phrase in str(refused.value)


def test_a_good_one_is_read(tmp_path: Path) -> None:
    file = written(tmp_path, "\ufeff" + GOOD.replace("\n", "\r\n"))
    (entry,) = read_baseline(file).entries
    assert (entry.owner, entry.expires, entry.line) == ("M. Wong", date(2007, 12, 31), 1)
    assert entry.where["round_no"] == 4


def test_a_long_text_that_looks_like_an_entry_misleads_nobody(tmp_path: Path) -> None:
    inside = 'reason = """\n[[accepted]]\nowner = 1\n"""'
    file = written(tmp_path, GOOD.replace('reason = "Refunded"', inside).replace("M. Wong", ""))
    with pytest.raises(BaselineError, match=r"accepted\.toml: entry 1 .* has no owner"):
        read_baseline(file)


def test_the_draft_is_refused_until_it_is_filled_in(text: str, tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match=r"line \d+: entry 1 \(A\d+, id \w+\) has no owner"):
        run(tmp_path / "case", baseline=written(tmp_path, text))
    assert not (tmp_path / "case").exists()


def test_an_entry_that_tells_of_another_finding_is_refused(text: str, tmp_path: Path) -> None:
    file = written(tmp_path, filled(text).replace("M01", "M99", 1))
    with pytest.raises(BaselineError, match=r"line \d+: the entry \w+ says table_id 'M99', but"):
        run(tmp_path / "case", baseline=file)
    assert not (tmp_path / "case").exists()


# On the command line


def tool(*args: str | Path, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [script(), *map(str, args)]
    return subprocess.run(
        command, cwd=cwd, env=environment(**more), capture_output=True, text=True, check=False
    )


def test_from_a_first_run_to_an_accepted_one(tmp_path: Path) -> None:
    assert tool("run", LOG, "--case", "first", cwd=tmp_path).returncode == 1
    done = tool("baseline", "first", "-o", "known.toml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "21 findings written to known.toml" in done.stdout
    again = tool("baseline", "first", "-o", "known.toml", cwd=tmp_path)
    assert (again.returncode, "--force" in again.stderr) == (2, True)
    refused = tool("run", LOG, "--case", "second", "--baseline", "known.toml", cwd=tmp_path)
    assert refused.returncode == 2
    assert "known.toml, line 11: entry 1" in refused.stderr

    first, second, *rest = entries(filled((tmp_path / "known.toml").read_text()))
    gone = first.replace(tomllib.loads(first)["accepted"][0]["id"], "0123456789ab")
    old = second.replace("2007-12-31", "2007-08-31")
    written(tmp_path, gone + old + "".join(rest), "known.toml")
    made = {"cwd": tmp_path, "SOURCE_DATE_EPOCH": "1188700000"}
    done = tool("run", LOG, "--case", "second", "--baseline", "known.toml", **made)
    words = " ".join(done.stdout.split())
    assert (done.returncode, done.stderr) == (1, "")
    assert "18 apparent violations in 18 rounds at 2 tables, 16 accepted by the baseline" in words
    assert "19 accepted (16 violations, 2 warnings, 1 notice), 2 new" in words
    assert "Expired, so new again (1)" in words
    assert "Vanished: no such finding any more (1)" in words
    assert "id 0123456789ab, until 2007-12-31 (M. Wong)" in words

    done = tool(
        "run", LOG, "--case", "third", "--baseline", "known.toml", "--format", "json", **made
    )
    told = json.loads(done.stdout)
    assert told["counts"]["severity"] == {"violation": 18, "warning": 2, "notice": 1}
    assert told["counts"]["status"] == {"new": 2, "accepted": 19}
    baseline = told["baseline"]
    assert (baseline["new"], baseline["accepted"], len(baseline["persisting"])) == (2, 19, 19)
    assert [entry["id"] for entry in baseline["vanished"]] == ["0123456789ab"]
    assert [entry["expires"] for entry in baseline["expired"]] == ["2007-08-31"]


def test_all_accepted_is_not_called_clean(text: str, tmp_path: Path) -> None:
    written(tmp_path, filled(text, expires="2999-12-31"))
    done = tool("run", LOG, "--case", "case", "--baseline", "accepted.toml", "-q", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("No new violation: 18 apparent violations in 18 rounds")
    assert "No violation was found" not in done.stdout


def test_a_small_log_written_here(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.mkdir()
    rounds = "player_cards,banker_cards\nKS 7H,KD 6C\n"
    bets = "bet,paid\nbanker,5\n"
    (log / "rounds.csv").write_text(complete("rounds.csv", rounds))
    (log / "bets.csv").write_text(complete("bets.csv", bets))
    run(tmp_path / "case", log)
    (entry,) = tomllib.loads(drafted(tmp_path / "case"))["accepted"]
    place = {"casino": "-", "table_id": "T1", "shoe_id": "S1", "round_no": 1, "bet_id": "1"}
    assert (entry["code"], entry["where"]) == ("A1704", place)
