"""A database as the log: the same findings as from files, rows that lead back, no password."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.databases import ESCAPED, PASSWORD, READER, Cluster, cluster
from tests.e2e.conftest import Run

SAMPLES = Path(__file__).parents[2] / "sample_logs"
OWN = ("id", "source", "row")
ROUND = """
CREATE TABLE rounds (
  id integer PRIMARY KEY, table_id text, shoe_id text, round_no integer, started_at timestamp,
  player_cards text, banker_cards text, outcome text)
"""
FIRST = """
INSERT INTO rounds VALUES (1, 'T1', 'S1', 1, '2007-07-01 12:00', 'KS 9H', 'KD 7C', 'player')
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@pytest.fixture
def audit(tool: Callable[..., Run], tmp_path: Path) -> Callable[..., Run]:
    """Run the command with the password where it belongs."""

    def run(*args: str | Path, password: str = PASSWORD) -> Run:
        done = tool(*args, cwd=tmp_path, PGPASSWORD=password)
        assert "Traceback" not in done.stderr
        for text in (PASSWORD, ESCAPED, "w@rd"):
            assert text not in done.stdout + done.stderr
        return done

    return run


def findings(audit: Callable[..., Run], case: str, folder: Path) -> list[dict[str, str]]:
    assert audit("findings", case, "--format", "csv", "-o", f"{case}.csv", "-q").returncode == 0
    with (folder / f"{case}.csv").open(encoding="utf-8", newline="") as file:
        return [
            {name: value for name, value in row.items() if name not in OWN}
            for row in csv.DictReader(file)
        ]


def refused(done: Run) -> str:
    """The one sentence of a run that could not be done."""
    assert done.returncode == 2, done.stdout
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize("name", ["draw-errors", "wrong-payouts", "across-amendments"])
def test_the_same_findings_as_from_files(
    name: str, server: Cluster, audit: Callable[..., Run], tmp_path: Path
) -> None:
    address = server.load("sample", SAMPLES / name)
    stored = audit("run", address, "--case", "stored")
    files = audit("run", SAMPLES / name, "--case", "files")
    assert (stored.returncode, files.returncode) == (1, 1), stored.stderr
    assert stored.stdout.replace("stored", "files") == files.stdout
    here = findings(audit, "stored", tmp_path)
    assert here
    assert here == findings(audit, "files", tmp_path)


def test_rows_lead_back_and_the_digest_can_be_made_with_psql(
    server: Cluster, audit: Callable[..., Run], tmp_path: Path
) -> None:
    notes = [r"'a\b'", "E'tab\\tnew\\nline'", "NULL", "''", "'莊'"]
    rows = ", ".join(
        f"({60 - n}, 'T1', 'S1', {n}, '2007-07-01 12:0{n}', 'KS 9H', 'KD 7C', 'player', {note})"
        for n, note in enumerate(notes, 1)
    )
    address = server.create(
        "leads",
        ROUND,
        "ALTER TABLE rounds ADD void_reason text, ADD secret_of_the_house text DEFAULT 'x'",
        f"INSERT INTO rounds VALUES {rows}",
        "UPDATE rounds SET player_cards = 'KS 5H' WHERE round_no = 2",
        "UPDATE rounds SET player_cards = 'KS ?' WHERE round_no = 4",
    )
    assert audit("run", address, "--case", "case").returncode == 1
    (source,) = json.loads((tmp_path / "case" / "manifest.json").read_text())["sources"]
    assert (source["name"], source["rows_read"], source["rejected"]) == (
        "leads/public.rounds",
        5,
        1,
    )
    # By the primary key, round 5 is the first row, and round 2 the fourth.
    told = audit("sql", "case", "SELECT round_no, row FROM rounds ORDER BY row", "--format", "csv")
    assert told.stdout.split()[1:] == ["5,1", "3,3", "2,4", "1,5"]
    columns = (
        "id table_id shoe_id round_no started_at player_cards banker_cards outcome void_reason"
    )
    texts = ", ".join(f"{name}::text" for name in columns.split())
    copy = f"COPY (SELECT {texts} FROM rounds ORDER BY id) TO STDOUT (HEADER)"
    copied = subprocess.run(
        ["psql", address, "-qc", copy],
        env={"PGPASSWORD": PASSWORD, "PATH": "/usr/bin:/bin", "PGTZ": "UTC"},
        capture_output=True,
        check=True,
    ).stdout  # fmt: skip
    assert source["sha256"] == hashlib.sha256(copied).hexdigest()
    assert source["bytes"] == len(copied)


def test_verify_says_plainly_that_the_data_changed(
    server: Cluster, audit: Callable[..., Run]
) -> None:
    address = server.create("changing", ROUND, FIRST)
    assert audit("run", address, "--case", "case", "-q").returncode == 0
    assert audit("verify", "case", "--log", address).returncode == 0
    assert "Not checked: sources, second audit" in audit("verify", "case").stdout
    server.run("changing", "UPDATE rounds SET outcome = 'banker'")
    done = audit("verify", "case", "--log", address)
    assert done.returncode == 1
    assert "changing/public.rounds has other rows than when" in " ".join(done.stdout.split())
    server.run("changing", "DROP TABLE rounds")
    assert "no table rounds" in refused(audit("verify", "case", "--log", address))


def test_a_round_that_is_there_twice_is_read_again_for_its_text(
    server: Cluster, audit: Callable[..., Run]
) -> None:
    address = server.create("twice", ROUND, FIRST, FIRST.replace("(1, 'T1'", "(2, 'T1'"))
    assert audit("run", address, "--case", "case", "-q").returncode == 0
    told = audit("sql", "case", "SELECT source, row, raw FROM rejects", "--format", "json")
    (reject,) = json.loads(told.stdout)
    assert (reject["source"], reject["row"]) == ("twice/public.rounds", 2)
    assert '"started_at":"2007-07-01 12:00:00"' in reject["raw"]
    told = refused(audit("run", address, "--case", "other", "--resume"))
    assert "the rows of a database may be others by now" in told


PROFILE = """
[rounds]
table = "play.Games"
order_by = ["day", "no"]
shoe_key = ["day", "shoe"]
where = { state = "done" }
maps.outcome = { 0 = "player", 1 = "banker", 2 = "tie" }
cards = { deal_order = "alternate", fifth = { player = "pn", banker = "bn" } }

[rounds.columns]
table_id = { value = "B7" }
round_no = "no"
started_at = "began"
deal = "dealt"
outcome = "won"

[bets]
order_by = "bet_id"
paid = "net"
sql = '''
SELECT 'B7' AS table_id, g.day, g.shoe, g.no AS round_no, w.id AS bet_id, w.on AS bet,
  w.cents / 100.0 AS stake, CASE WHEN w.won THEN w.cents / 100.0 ELSE -w.cents / 100.0 END AS paid
FROM play.wagers AS w JOIN play."Games" AS g ON g.id = w.game;
'''
shoe_key = ["day", "shoe"]
"""
FOREIGN = (
    "CREATE SCHEMA play",
    'CREATE TABLE play."Games" (id int, day date, shoe int, no int, began timestamptz, dealt jsonb,'
    " pn int, bn int, won int, state text)",
    "CREATE TABLE play.wagers (id int, game int, \"on\" text, cents bigint, won boolean)",
    """INSERT INTO play."Games" VALUES
    (1, '2007-07-01', 1, 1, '2007-07-01 04:00+00', '["KS","KD","9H","7C"]', 2, 2, 0, 'done'),
    (2, '2007-07-01', 1, 2, '2007-07-01 04:01+00', '["KS","KD","5H","7C","4C"]', 3, 2, 0, 'done'),
    (3, '2007-07-02', 1, 1, '2007-07-02 04:00+00', '["KS","KD","6H","5C","3C"]', 2, 3, 1, 'done'),
    (4, '2007-07-02', 1, 2, '2007-07-02 04:00+00', NULL, NULL, NULL, NULL, 'open')""",
    "INSERT INTO play.wagers VALUES (1, 1, 'player', 10050, true), (2, 2, 'banker', 5000, false)",
    f"GRANT USAGE ON SCHEMA play TO {READER}",
    f"GRANT SELECT ON ALL TABLES IN SCHEMA play TO {READER}",
)  # fmt: skip


def test_a_profile_maps_tables_and_queries_of_the_server(
    server: Cluster, audit: Callable[..., Run], tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text(PROFILE)
    address = server.create("foreign_log", *FOREIGN)
    done = audit("run", address, "--profile", "mine.toml", "--case", "case")
    assert done.returncode == 0, done.stderr + done.stdout
    sources = json.loads((tmp_path / "case" / "manifest.json").read_text())["sources"]
    assert [(each["name"], each["rows_read"], each["set_aside"]) for each in sources] == [
        ("foreign_log/bets (query)", 2, 0),
        ("foreign_log/play.Games", 4, 1),
    ]
    cards = "SELECT player_cards, banker_cards FROM rounds ORDER BY row"
    told = audit("sql", "case", cards, "--format", "csv")
    assert told.stdout.splitlines()[1:] == ["KS 9H,KD 7C", "KS 5H 4C,KD 7C", "KS 6H,KD 5C 3C"]
    paid = audit("sql", "case", "SELECT stake, paid FROM bets ORDER BY row", "--format", "csv")
    assert [float(each) for each in paid.stdout.split()[1].split(",")] == [100.5, 201]
    args = ("verify", "case", "--log", address, "--profile", "mine.toml")
    assert audit(*args).returncode == 0
    assert "has other columns" not in audit("verify", "case", "--log", address).stdout
    server.run("foreign_log", "UPDATE play.wagers SET cents = 10051 WHERE id = 1")
    assert audit(*args).returncode == 1


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


def test_inspect_drafts_a_profile_that_runs(
    server: Cluster, audit: Callable[..., Run], tmp_path: Path
) -> None:
    address = server.create(
        "unknown",
        "CREATE TABLE notes (id int PRIMARY KEY, text text)",
        "INSERT INTO notes VALUES (1, 'x')",
        "CREATE TABLE nothing_in_it (id int)",
        "CREATE TABLE games (desk text, shoe text, game int, time timestamptz, cards text[],"
        " ptotal int, btotal int, won text)",
        "INSERT INTO games VALUES"
        " ('T1', 'S1', 1, '2007-07-01 12:00+08', '{S13,D2,H9,C7}', 9, 9, 'T'),"
        " ('T1', 'S1', 2, '2007-07-01 12:01+08', '{S2,D13,H3,C7,S4}', 9, 7, 'P')",
        'CREATE TABLE wagers (id int PRIMARY KEY, desk text, shoe text, game int, "bet type" text,'
        " amount numeric, payout numeric)",
        "INSERT INTO wagers VALUES (1, 'T1', 'S1', 1, 'tie', 100, 900)",
        "CREATE TABLE closed (id int PRIMARY KEY)",
    )
    server.run("unknown", f"REVOKE ALL ON closed FROM {READER}")
    done = audit("inspect", address, "-o", "draft.toml")
    assert done.returncode == 0, done.stderr
    assert "games has no primary key: check that no two rows share desk, shoe, game." in done.stdout
    assert "closed: the user has no right to read it" in done.stdout
    assert "nothing_in_it: there is no row in it." in done.stdout
    done = audit("run", address, "--profile", "draft.toml", "--case", "case", "-q")
    assert done.returncode == 0, done.stderr
    told = audit("sql", "case", "SELECT player_cards, banker_cards FROM rounds", "--format", "csv")
    assert told.stdout.splitlines()[1:] == ["KS 9H,2D 7C", "2S 3H 4S,KD 7C"]
    assert audit("inspect", address, "--table", "wagers", "-q").stdout.count("[bets]") == 1
    assert "no table or view 'none'" in refused(audit("inspect", address, "--table", "none"))


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


def test_memory_does_not_grow_with_the_rows(server: Cluster, tmp_path: Path) -> None:
    from audit.sources import open_server, parse_address
    from audit.sources.server import ROWS, Stored

    server.create(
        "large",
        "CREATE TABLE rounds AS SELECT n AS id, 'T1' AS table_id"
        " FROM generate_series(1, 120000) AS n",
        "ALTER TABLE rounds ADD PRIMARY KEY (id)",
    )
    database = parse_address(server.address("large", READER, ESCAPED))
    connection = open_server(database)
    origin = connection.table("rounds")
    source = Stored(connection, origin, origin.name, origin.key, ["table_id"])
    counts = [(batch.first, batch.count) for batch in source.batches()]
    connection.close()
    assert counts == [(1, ROWS), (ROWS + 1, ROWS), (2 * ROWS + 1, 120000 - 2 * ROWS)]
