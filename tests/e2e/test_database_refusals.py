"""A database as the log: what is refused, in one sentence, without any password."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.databases import ESCAPED, FIRST, PASSWORD, READER, ROUND, Cluster, refused
from tests.e2e.conftest import Run

SAMPLES = Path(__file__).parents[2] / "sample_logs"


QUERY = """
[rounds]
order_by = "round_no"
sql = '''
{}
'''
"""
SELECT = (
    "SELECT 'T1' AS table_id, 'S1' AS shoe_id, {} AS round_no, '2007-07-01 12:00' AS started_at,"
    " 'KS 9H' AS player_cards, 'KD 7C' AS banker_cards FROM rounds"
)


@pytest.fixture(scope="module")
def guarded(server: Cluster) -> str:
    """A database whose reader may write, so that only the audit itself forbids it."""
    return server.create(
        "guarded",
        ROUND,
        FIRST,
        "CREATE SEQUENCE counter",
        "GRANT ALL ON SEQUENCE counter TO PUBLIC",
        "CREATE FUNCTION write_one() RETURNS int LANGUAGE sql AS 'DELETE FROM rounds RETURNING 1'",
        "GRANT ALL ON rounds TO PUBLIC",
    )


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT * FROM rounds; DELETE FROM rounds", "syntax error"),
        ("WITH x AS (DELETE FROM rounds RETURNING *) SELECT * FROM x", "must be at the top level"),
        ("DELETE FROM rounds", "syntax error"),
        (
            "SELECT 1) AS q; COMMIT; DELETE FROM rounds; SELECT * FROM (SELECT 1",
            "multiple commands",
        ),
        ("COMMIT", "syntax error"),
        (SELECT.format("nextval('counter')"), "read-only transaction"),
        (SELECT.format("write_one()"), "read-only transaction"),
        (SELECT.format("length(set_config('transaction_read_only', 'off', true))"), "before any"),
        (SELECT.format("1 / (id - 1)"), "division by zero"),
        (SELECT.format("nothing"), 'column "nothing" does not exist'),
        ("SELECT 1 AS a, 2 AS a", "two of one name"),
        ("SELECT 1 AS round_no", "lacks the column 'table_id'"),
        ("SELECT * FROM nowhere", 'relation "nowhere" does not exist'),
    ],
)
def test_a_query_that_writes_or_fails(
    sql: str,
    words: str,
    guarded: str,
    server: Cluster,
    audit: Callable[..., Run],
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.toml").write_text(QUERY.format(sql))
    told = refused(audit("run", guarded, "--profile", "mine.toml", "--case", "case"))
    assert words in told
    assert not (tmp_path / "case").exists()
    server.run("guarded", "DO $$ BEGIN ASSERT (SELECT count(*) FROM rounds) = 1; END $$")


def test_rows_whose_order_is_not_told(
    server: Cluster, audit: Callable[..., Run], tmp_path: Path
) -> None:
    address = server.create(
        "unordered",
        ROUND.replace(" PRIMARY KEY", ""),
        FIRST,
        FIRST.replace("'S1', 1", "'S1', 2"),
        "CREATE VIEW games AS SELECT * FROM rounds",
    )
    assert "no primary key" in refused(audit("run", address, "--case", "case"))
    same = '{name} = "{name}"\n'
    names = ("table_id", "shoe_id", "round_no", "started_at", "player_cards", "banker_cards")
    columns = "".join(same.format(name=name) for name in names)
    for keys, words in (
        ('table = "games"', "no primary key"),
        ('table = "games"\norder_by = "id"', "two rows have the same id (1)"),
        ('table = "games"\norder_by = "idd"', "no column 'idd' to order by"),
        ('table = "game"\norder_by = "id"', "no table or view 'game' (found: games, rounds)"),
        ('table = "games"\nsql = "SELECT 1"', "give either columns or sql"),
        ('files = "games.csv"\norder_by = "id"', "is for a database"),
        ('files = "games.csv"', "reads files, and the log is a database"),
        ('table = "games"\nencoding = "big5"', "only files have one"),
    ):
        (tmp_path / "mine.toml").write_text(f"[rounds]\n{keys}\n[rounds.columns]\n{columns}")
        told = refused(audit("run", address, "--profile", "mine.toml", "--case", "case"))
        assert words in told, told
    (tmp_path / "mine.toml").write_text(
        f'[rounds]\ntable = "games"\norder_by = ["id", "round_no"]\n[rounds.columns]\n{columns}'
    )
    done = audit("run", address, "--profile", "mine.toml", "--case", "case", "-q")
    assert done.returncode == 0, done.stderr
    told = refused(audit("run", SAMPLES / "foreign", "--profile", "mine.toml", "--case", "other"))
    assert "reads a database, and the log is files" in told


def test_what_cannot_be_reached_or_read(
    server: Cluster, audit: Callable[..., Run], tmp_path: Path
) -> None:
    address = server.create("closed", ROUND, FIRST, "CREATE TABLE bets (id int PRIMARY KEY)")
    place = f"127.0.0.1:{server.port}"
    args = ("--case", "case")
    server.run("closed", f"REVOKE ALL ON bets FROM {READER}")
    told = refused(audit("run", address, *args))
    assert "closed/public.bets: " in told
    server.run(
        "closed",
        "ALTER TABLE bets ADD table_id text, ADD shoe_id text, ADD round_no int, ADD bet text,"
        " ADD stake numeric, ADD paid numeric",
    )
    told = refused(audit("run", address, *args))
    assert "no right to read it (permission denied for table bets)" in told
    assert "GRANT SELECT" in told
    server.run("closed", "DROP TABLE bets", "ALTER TABLE rounds ENABLE ROW LEVEL SECURITY",
               "CREATE POLICY few ON rounds USING (id > 1)")  # fmt: skip
    told = refused(audit("run", address, *args))
    assert "a policy of the database hides rows" in told
    told = refused(audit("run", address, *args, password="wrong Pass/w"))
    assert f"postgresql://{READER}@{place}/closed: there is no connection" in told
    assert "PGPASSWORD" in told
    assert "wrong Pass/w" not in told
    assert 'database "nowhere" does not exist' in refused(
        audit("run", server.address("nowhere"), *args)
    )
    told = refused(audit("run", f"postgresql://{READER}@127.0.0.1:1/closed", *args))
    assert "Check host, port and database" in told
    server.create("empty_one")
    told = refused(audit("run", server.address("empty_one"), *args))
    assert "no table rounds (found: no table)" in told
    assert not (tmp_path / "case").exists()


def test_a_connection_that_is_lost(
    server: Cluster, audit: Callable[..., Run], tmp_path: Path
) -> None:
    address = server.create(
        "lost",
        ROUND,
        FIRST,
        "CREATE FUNCTION hang_up() RETURNS boolean LANGUAGE sql SECURITY DEFINER AS"
        " 'SELECT pg_terminate_backend(pg_backend_pid())'",
    )
    sql = SELECT.format("1") + " WHERE hang_up()"
    (tmp_path / "mine.toml").write_text(QUERY.format(sql))
    told = refused(audit("run", address, "--profile", "mine.toml", "--case", "case"))
    assert "the connection to postgresql://auditor@" in told
    assert "was lost" in told


WRONG = (
    "postgresql://auditor:{0}@127.0.0.1:1/hidden",  # not escaped: / and @ are in it
    "postgresql://auditor:{0}@127.0.0.1:x1/hidden",
    "postgresql://auditor:12/{0}@127.0.0.1:1/hidden",
    "postgresql://auditor:12?{0}@127.0.0.1:1/hidden",
    "postgresql://auditor:12#{0}@127.0.0.1:1/hidden",
    "postgresql://auditor@127.0.0.1:1/hidden?password={0}",
    "postgresql://auditor:{0}@127.0.0.1:1/",
    "oracle://auditor:{0}@127.0.0.1:1/hidden",
    "postgresql:/auditor:{0}@127.0.0.1:1/hidden",
)


@pytest.mark.parametrize("address", WRONG)
def test_no_password_of_an_address_is_shown(address: str, audit: Callable[..., Run]) -> None:
    told = refused(audit("run", address.format(PASSWORD), "--case", "case", password=""))
    assert "s3cr3t" not in told


def test_nor_one_that_the_server_is_given(audit: Callable[..., Run]) -> None:
    told = refused(audit("run", WRONG[0].format(ESCAPED), "--case", "case", password=""))
    assert "there is no connection" in told
    assert "s3cr3t" not in told


@pytest.mark.parametrize("command", [["inspect"], ["findings"], ["verify"]])
def test_nor_is_one_that_stands_where_a_path_was_expected(
    command: list[str], audit: Callable[..., Run]
) -> None:
    for address in (WRONG[0], WRONG[5]):
        told = refused(audit(*command, address.format(PASSWORD), password=""))
        assert "s3cr3t" not in told


def test_a_password_in_the_address_opens_and_is_nowhere_in_the_case(
    server: Cluster, audit: Callable[..., Run], tmp_path: Path
) -> None:
    server.create("hidden", ROUND, FIRST)
    address = server.address("hidden", READER, ESCAPED)
    done = audit("run", address, "--case", "case", "--format", "json", password="")
    assert done.returncode == 0, done.stderr
    assert audit("report", "case", "-o", "report.pdf").returncode == 0
    assert audit("verify", "case", "--log", address, password="").returncode == 0
    for path in [*(tmp_path / "case").iterdir(), tmp_path / "report.pdf"]:
        content = path.read_bytes()
        assert b"s3cr3t" not in content
        assert b"127.0.0.1" not in content
    told = refused(audit("run", address, address, "--case", "other", password=""))
    assert "a database is a log by itself" in told
