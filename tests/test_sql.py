"""SQL on a case: it answers, it reads nothing else, it writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit import Job, open_case, run_audit
from audit.errors import OptionError
from audit.query import query

SAMPLE = Path(__file__).resolve().parent.parent / "sample_logs" / "draw-errors"


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sql") / "it's a case"
    run_audit(Job([SAMPLE], path))
    return path


def ask(case: Path, sql: str) -> list[tuple[object, ...]]:
    opened = open_case(case)
    try:
        return list(query(opened, sql)[1])
    finally:
        opened.close()


def test_it_answers(case: Path) -> None:
    assert ask(case, "SELECT count(*) FROM findings") == [(7,)]
    assert ask(case, "SELECT max(round_no) FROM rounds JOIN bets USING (round_no)") == [(30,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('manifest.json')",
        "COPY (SELECT 1) TO 'x.csv'",
        "COPY (SELECT 1) TO 'rounds.parquet'",
        "CREATE TABLE x AS SELECT 1",
        "DROP TABLE findings",
        "DELETE FROM findings",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "LOAD httpfs",
        "ATTACH 'case.duckdb' AS other",
        "PRAGMA version",
        "SELECT 1; SELECT 2",
        "",
        "SELECT * FROM nowhere",
    ],
)
def test_it_reads_nothing_else_and_writes_nothing(case: Path, sql: str) -> None:
    before = {path.name: path.read_bytes() for path in case.iterdir()}
    with pytest.raises(OptionError) as refused:
        ask(case, sql)
    assert refused.value.hint
    assert {path.name: path.read_bytes() for path in case.iterdir()} == before
