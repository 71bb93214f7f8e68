"""Verifying a case: one changed byte is found, and so is a consistent forgery, given the log.

Longer than other files, since all of it shares one case and the ways to forge it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from audit import verify
from audit.case import case_id
from audit.digests import SUMS, read_sums, table_sha256, write_sums
from audit.errors import CaseError
from audit.pipeline import Job, run_audit
from audit.resolve import Options
from audit.resolve.options import Rounding
from audit.rulebook import load_rulebook
from audit.verify import Verification, verify_case
from audit.verify_run import Inputs
from tests.e2e.conftest import environment, script
from tests.tools.make_sample_logs import FOLDER

LOG = FOLDER / "wrong-payouts"
FILES = ("manifest.json", "case.duckdb", "rounds.parquet", "bets.parquet", SUMS)
TABLES = ("rounds", "bets", "shoes", "jackpot_prizes")
FLIPS = 12


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    case = tmp_path_factory.mktemp("verify") / "case"
    run_audit(Job([LOG], case))
    return case


@pytest.fixture
def case(made: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    shutil.copytree(made, tmp_path / "case")
    return tmp_path / "case"


@pytest.fixture(autouse=True)
def _rules_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        verify, "load_rulebook", lambda own: load_rulebook(own) if own else _shipped()
    )


_shipped = lru_cache(load_rulebook)


def parts(found: Verification, state: str) -> dict[str, str]:
    return {part.what: part.detail for part in found.parts if part.state == state}


def differing(case: Path, *log: Path, **more: Any) -> dict[str, str]:
    found = verify_case(case, log, **more)
    assert found.exit == int(bool(parts(found, "differs")))
    return parts(found, "differs")


def edit_database(case: Path, *statements: str) -> None:
    with duckdb.connect(case / "case.duckdb") as connection:
        connection.execute(f"SET file_search_path = '{case}'")
        for statement in statements:
            connection.execute(statement)


def edit_manifest(case: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the manifest, and give it the id that it then should have."""
    manifest = json.loads((case / "manifest.json").read_text())
    del manifest["case_id"]
    change(manifest)
    text = json.dumps({"case_id": case_id(manifest), **manifest}, indent=2, ensure_ascii=False)
    (case / "manifest.json").write_text(text + "\n")


def forge(case: Path, table: str, *statements: str) -> None:
    """Change a table of the database, and every hash in the case that would tell."""
    edit_database(case, *statements)
    with duckdb.connect(case / "case.duckdb", read_only=True) as connection:
        digest = table_sha256(connection, table)
    edit_manifest(case, lambda manifest: manifest["tables"][table].update(sha256=digest))
    write_sums(case)


# The same


def test_a_case_as_it_was_made(made: Path) -> None:
    found = verify_case(made)
    assert found.exit == 0
    assert set(FILES) | {"case id", "table findings", "views", "rule sets"} <= set(
        parts(found, "same")
    )
    assert set(parts(found, "not_checked")) == {"sources", "second audit"}


def test_a_case_and_its_log(made: Path) -> None:
    found = verify_case(made, [LOG])
    assert {part.state for part in found.parts} == {"same"}
    assert parts(found, "same")["second audit"] == f"case id {found.case_id}"


def test_a_case_can_be_copied(case: Path) -> None:
    moved = case.with_name("it's moved")
    case.rename(moved)
    assert not differing(moved, LOG)


def test_the_log_may_be_given_file_by_file(made: Path) -> None:
    assert not differing(made, *(LOG / f"{table}.csv" for table in TABLES))


@pytest.mark.parametrize("story", ["messy", "across-amendments", "four-demos"])
def test_other_cases(story: str, tmp_path: Path) -> None:
    run_audit(Job([FOLDER / story], tmp_path / "case"))
    assert not differing(tmp_path / "case", FOLDER / story)


def test_the_options_of_the_case_are_used_again(tmp_path: Path) -> None:
    options = Options(
        rules="73-2005",
        decks=6,
        commission="commission",
        rounding=Rounding.parse("0.5,down"),
        interpret={"jackpot_one_prize": "highest"},
    )
    job = Job(
        [LOG],
        tmp_path / "case",
        options=options,
        select=["A", "L"],
        ignore=["A13"],
        fail_on="notice",
    )
    run_audit(job)
    assert not differing(tmp_path / "case", LOG)
    manifest = json.loads((tmp_path / "case" / "manifest.json").read_text())
    again = Inputs(manifest, (LOG,)).job(tmp_path / "again")
    assert (again.select, again.ignore, again.fail_on) == (["A", "L"], ["A13"], "notice")
    assert (again.options.rules, again.options.decks) == ("73-2005", 6)
    assert again.options.rounding == options.rounding


def test_the_same_log_gives_the_same_hashes_and_another_database_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run_audit(
            Job([LOG], tmp_path / name, made_at=datetime.fromisoformat("2007-09-02T00:00:00+08:00"))
        )
    one, other = (tmp_path / name for name in ("a", "b"))
    assert (one / "manifest.json").read_bytes() == (other / "manifest.json").read_bytes()
    assert read_sums(one) != read_sums(other), "then SHA256SUMS could be in the manifest"


# One byte


@pytest.mark.parametrize("name", FILES)
def test_one_changed_byte_is_found_and_its_file_named(case: Path, name: str) -> None:
    file = case / name
    whole = file.read_bytes()
    random = Random(name)
    ends = [0, len(whole) - 1]
    for offset in (*ends, *(random.randrange(len(whole)) for _ in range(FLIPS))):
        changed = bytearray(whole)
        changed[offset] ^= 1 << random.randrange(8)
        file.write_bytes(changed)
        assert name in differing(case), f"byte {offset}"
    file.write_bytes(whole)
    assert not differing(case)


def test_a_byte_in_an_unused_page_of_the_database(case: Path) -> None:
    file = case / "case.duckdb"
    whole = file.read_bytes()
    # The longest run of zeros: room that no table uses.
    offset = max(range(0, len(whole) - 4096, 512), key=lambda at: _zeros(whole, at))
    assert _zeros(whole, offset) >= 4096
    file.write_bytes(whole[: offset + 9] + b"\x01" + whole[offset + 10 :])
    assert "case.duckdb" in differing(case)


def _zeros(whole: bytes, at: int) -> int:
    return 4096 if whole[at : at + 4096] == bytes(4096) else 0


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("how", ["cut", "longer", "empty", "missing"])
def test_files_cut_or_missing(case: Path, name: str, how: str) -> None:
    whole = (case / name).read_bytes()
    contents = {"cut": whole[:-7], "longer": whole + b"\n", "empty": b""}
    if how == "missing":
        (case / name).unlink()
    else:
        (case / name).write_bytes(contents[how])
    assert name in differing(case)


# One value


def test_a_value_changed_in_a_table_is_found_in_that_table(case: Path) -> None:
    edit_database(case, "UPDATE findings SET amount = amount + 0.000001 WHERE amount IS NOT NULL")
    found = differing(case)
    assert set(found) == {"case.duckdb", "table findings"}


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("DELETE FROM findings WHERE code = 'A1701'", "table findings"),
        ("UPDATE run SET value = '0' WHERE key = 'exit'", "table run"),
        ("UPDATE rejects SET text = NULL", None),
        ("UPDATE shoes SET decks = NULL", "table shoes"),
        ("ALTER TABLE sources RENAME COLUMN bytes TO octets", "table sources"),
        ("ALTER TABLE sources ALTER bytes TYPE VARCHAR", "table sources"),
        ("DROP TABLE not_applied", "table not_applied"),
        ("CREATE TABLE more AS SELECT 1", "table more"),
        ("CREATE OR REPLACE VIEW bets AS SELECT * FROM read_parquet('bets.parquet') LIMIT 9",
         "views"),
    ],
)  # fmt: skip
def test_changes_of_the_database(case: Path, statement: str, part: str | None) -> None:
    edit_database(case, statement)
    write_sums(case)
    found = differing(case)
    assert set(found) == ({part} if part else set())


def test_rows_in_another_order_are_another_table(case: Path) -> None:
    edit_database(
        case,
        "CREATE TEMP TABLE t AS FROM findings ORDER BY id",
        "DELETE FROM findings",
        "INSERT INTO findings FROM t",
    )
    assert "table findings" in differing(case)


def test_changes_that_wait_beside_the_database(case: Path) -> None:
    connection = duckdb.connect(case / "case.duckdb")
    connection.execute("PRAGMA disable_checkpoint_on_shutdown")
    connection.execute("DELETE FROM findings")
    connection.close()
    assert (case / "case.duckdb.wal").exists()
    assert "case.duckdb.wal" in differing(case)


def test_a_file_that_is_no_part_of_the_case_is_named_only(case: Path) -> None:
    (case / "report.pdf").write_bytes(b"%PDF")
    found = verify_case(case)
    assert found.exit == 0
    assert "report.pdf" in parts(found, "not_checked")


# The manifest


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace('"fail_on": "violation"', '"fail_on": "notice"'),
        lambda text: text.replace('"rows": 21', '"rows": 20'),
        lambda text: text.replace('"tables"', '"fables"'),
        lambda text: text.replace("{", "[", 1),
        lambda _: "[]",
        lambda _: "{}",
    ],
)
def test_a_manifest_that_does_not_give_its_id(case: Path, edit: Callable[[str], str]) -> None:
    text = (case / "manifest.json").read_text()
    assert edit(text) != text
    (case / "manifest.json").write_text(edit(text))
    write_sums(case)
    found = verify_case(case)
    assert set(parts(found, "differs")) == {"case id"}
    assert {"tables", "rule sets", "sources"} <= set(parts(found, "not_checked"))


def test_the_time_of_the_case_is_under_its_sums(case: Path) -> None:
    # created_at is the one thing that the id leaves out.
    text = (case / "manifest.json").read_text()
    year = json.loads(text)["created_at"][:4]
    (case / "manifest.json").write_text(
        text.replace(f'"created_at": "{year}', '"created_at": "1999')
    )
    assert set(differing(case)) == {"manifest.json"}


# A consistent forgery is found by the second audit


def test_a_forged_finding_is_found_by_the_second_audit(case: Path) -> None:
    forge(case, "findings", "UPDATE findings SET recorded = '1170' WHERE code = 'A1701'")
    assert not differing(case), "nothing in the case itself can tell"
    found = differing(case, LOG)
    assert {"second audit", "findings again"} == set(found)
    assert "recorded: 1170 in the case, 1020 again" in found["findings again"]


def test_a_removed_finding_is_found_by_its_id(case: Path) -> None:
    forge(case, "findings", "DELETE FROM findings WHERE code = 'A1711'")
    found = differing(case, LOG)
    assert "only in the second audit: A1711 " in found["finding ids again"]


def test_a_forged_table_is_compared_row_by_row(case: Path) -> None:
    edit_database(case, "UPDATE checks SET examined = 7 WHERE code = 'A0501'")
    found = differing(case, LOG)
    assert "examined: 7 in the case" in found["checks again"]


def test_forged_evidence(case: Path) -> None:
    other = case.parent / "other"
    run_audit(Job([FOLDER / "draw-errors"], other))
    shutil.copy(other / "rounds.parquet", case / "rounds.parquet")
    assert {"rounds.parquet", "table rounds", "rounds again"} <= set(differing(case, LOG))


# What it was made from


def test_another_log_is_named_file_by_file(made: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    shutil.copytree(LOG, log)
    (log / "bets.csv").write_bytes((log / "bets.csv").read_bytes().replace(b"1020", b"1170"))
    (log / "shoes.csv").unlink()
    found = verify_case(made, [log])
    assert parts(found, "differs") == {"sources": "bets.csv has other bytes, shoes.csv is missing"}
    assert "second audit" in parts(found, "not_checked")


def test_a_file_too_many_in_the_log(made: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    shutil.copytree(LOG, log)
    shutil.copy(FOLDER / "clean-day" / "limits.csv", log)
    found = differing(made, log)
    assert "limits.csv is in only one of the two logs" in found["second audit"]


def test_own_rule_sets(tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(Path(__file__).parent / "data" / "rules", own)
    run_audit(Job([LOG], tmp_path / "case", rules_dir=own))
    found = verify_case(tmp_path / "case", [LOG])
    assert "--rules-dir" in parts(found, "not_checked")["rule sets"]
    assert "second audit" in parts(found, "not_checked")
    assert not differing(tmp_path / "case", LOG, rules_dir=own)
    file = next(own.glob("*.toml"))
    file.write_text(file.read_text() + "\n# changed\n")
    assert file.name in differing(tmp_path / "case", LOG, rules_dir=own)["rule sets"]


def test_other_rule_files_here(case: Path) -> None:
    edit_manifest(case, lambda manifest: manifest["rule_files"][0].update(sha256="0" * 64))
    write_sums(case)
    found = verify_case(case, [LOG])
    assert set(parts(found, "differs")) == {"rule sets"}
    assert "rule sets" in parts(found, "not_checked")["second audit"]


def test_another_version_of_the_tool_is_told_but_no_difference(case: Path) -> None:
    edit_manifest(case, lambda manifest: manifest.update(tool_version="0.0.9"))
    write_sums(case)
    found = verify_case(case, [LOG])
    assert found.exit == 0
    assert "made by version 0.0.9" in parts(found, "same")["second audit"]


def test_the_baseline_of_the_case_is_needed_again(made: Path, tmp_path: Path) -> None:
    from tests.test_baseline import drafted, filled

    known, case = tmp_path / "known.toml", tmp_path / "case"
    known.write_text(filled(drafted(made), expires="2999-01-01"), encoding="utf-8")
    run_audit(Job([LOG], case, baseline=known))
    found = verify_case(case, [LOG])
    assert "give known.toml with --baseline" in parts(found, "not_checked")["baseline"]
    assert "second audit" in parts(found, "not_checked")
    assert not differing(case, LOG, baseline=known)
    known.write_text(known.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert "baseline" in differing(case, LOG, baseline=known)
    assert "baseline" in differing(made, LOG, baseline=known)


# What cannot be done, and the command


def test_no_case(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="there is no case here"):
        verify_case(tmp_path)


def test_no_log(made: Path, tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="no such file or folder"):
        verify_case(made, [tmp_path / "nowhere"])


def tool(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [script(), "verify", *map(str, args)]
    return subprocess.run(
        command, cwd=cwd, env=environment(), capture_output=True, text=True, check=False
    )


def test_exit_codes_and_what_is_printed(case: Path, tmp_path: Path) -> None:
    done = tool(case, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Not checked: sources, second audit." in " ".join(done.stdout.split())
    done = tool(case, "--log", LOG, "-q", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("is the same in all that was checked.")
    files = [LOG / f"{table}.csv" for table in TABLES]
    assert tool(case, "--log", *files, "-q", cwd=tmp_path).stdout == done.stdout
    assert tool(tmp_path / "none", cwd=tmp_path).returncode == 2
    (case / "bets.parquet").write_bytes(b"PAR1")
    done = tool(case, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "bets.parquet, table bets differ" in done.stdout
    done = tool(case, "--format", "json", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert told["exit"] == 1
    assert {p["part"] for p in told["parts"] if p["state"] == "differs"} == {
        "bets.parquet",
        "table bets",
    }


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs sha256sum")
def test_the_sums_are_read_by_the_usual_tool(case: Path) -> None:
    def check() -> int:
        command = ["sha256sum", "--check", "--strict", SUMS]
        return subprocess.run(command, cwd=case, capture_output=True, check=False).returncode

    assert check() == 0
    (case / "bets.parquet").write_bytes(b"PAR1")
    assert check() == 1
