"""The query of a profile: what it gives, and what it is locked out of."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

from audit.errors import ProfileError
from audit.normalise import Log, read_log
from audit.profile import load_profile
from tests.profiles import faults, hands, profile, read

AT = "2007-07-01 12:00"
FILES = {
    "games": f"id,began\n1,{AT}\n2,{AT}\n",
    "cards": "game,hand,place,card\n"
    "1,P,2,9H\n1,B,1,KD\n1,P,1,KS\n1,B,2,7C\n2,P,1,2S\n2,P,2,3S\n2,B,1,KD\n2,B,2,?\n",
}
JOIN = """
WITH hands AS (
  SELECT game, hand, string_agg(card, ' ' ORDER BY place) AS held FROM cards GROUP BY ALL)
SELECT 'T1' AS table_id, 'S1' AS shoe_id, id AS round_no, began AS started_at,
  p.held AS player_cards, b.held AS banker_cards{more}
FROM games
JOIN hands AS p ON p.game = id AND p.hand = 'P'
JOIN hands AS b ON b.game = id AND b.hand = 'B'
"""
SOURCED = JOIN.format(more=", games.filename AS source")


def query(folder: Path, sql: str, keys: str = "", **files: str) -> Log:
    named = '{ games = "games.csv", cards = "cards.csv" }'
    toml = f"[rounds]\nfiles = {named}\n{keys}\nsql = '''{sql}'''\n"
    return read(folder, toml, **{**FILES, **files})


def refused(folder: Path, sql: str, keys: str = "") -> str:
    with pytest.raises(ProfileError) as error:
        query(folder, sql, keys)
    assert error.value.where == "mine.toml, rounds.sql"
    return error.value.sentence()


def test_a_join(tmp_path: Path) -> None:
    found = query(tmp_path, SOURCED)
    assert hands(found) == [("KS 9H", "KD 7C")]
    assert faults(found) == [(2, "banker_cards", "KD ?", "unknown_card")]
    assert found.sources.select("name", "rows_read", "audited", "rejected").rows() == [
        ("cards.csv", 0, 0, 0),
        ("games.csv", 2, 1, 1),
    ]


def test_rows_are_in_one_order_whatever_the_files_say(tmp_path: Path) -> None:
    lines = FILES["games"].splitlines()
    other = "\n".join([lines[0], *reversed(lines[1:])])
    one, two = query(tmp_path / "1", SOURCED), query(tmp_path / "2", SOURCED, games=other)
    assert one.tables["rounds"].equals(two.tables["rounds"])
    assert one.rejects.equals(two.rejects)


def test_where_sets_rows_of_the_result_aside(tmp_path: Path) -> None:
    sql = JOIN.format(more=", games.filename AS source, id AS state")
    found = query(tmp_path, sql, 'where = { state = "1" }')
    assert found.rejects.is_empty()
    assert found.sources["set_aside"].to_list() == [0, 1]


def test_json_documents(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.mkdir()
    result = {"id": 7, "cards": [{"c": "KS"}, {"c": "9H"}]}
    (log / "a.json").write_text(json.dumps({"games": [result, {**result, "id": 8}]}))
    toml = """
    [rounds]
    files = { docs = "*.json" }
    sql = '''
    SELECT 'T1' AS table_id, 'S1' AS shoe_id, game->>'$.id' AS round_no,
      '2007-07-01 12:00' AS started_at,
      array_to_string(game->>'$.cards[*].c', ' ') AS player_cards, 'KD 7C' AS banker_cards
    FROM (SELECT unnest(CAST((document->'$.games') AS JSON[])) AS game FROM docs)
    '''
    """
    found = read(tmp_path, toml)
    assert found.tables["rounds"]["round_no"].to_list() == [7, 8]
    assert hands(found)[0] == ("KS 9H", "KD 7C")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('{outside}')",
        "SELECT * FROM '{outside}'",
        "SELECT * FROM read_text('{outside}')",
        "SELECT * FROM read_text('{log}/other.csv')",
        "SELECT * FROM read_blob('/etc/hostname')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_csv('https://example.com/a.csv')",
        "SELECT * FROM read_parquet('s3://bucket/a.parquet')",
        "SELECT * FROM query($$COPY (SELECT 1) TO '{outside}'$$)",
        "SELECT * FROM FILES",
        "SELECT getenv('HOME')",
    ],
)
def test_no_other_file_and_no_network(sql: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("a\n1\n")
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "other.csv").write_text("a\n1\n")
    told = refused(tmp_path, sql.format(outside=outside, log=tmp_path / "log"))
    assert "DuckDB refuses the query" in told
    assert outside.read_text() == "a\n1\n"


@pytest.mark.parametrize(
    "sql",
    [
        "INSTALL httpfs",
        "LOAD httpfs",
        "ATTACH '{outside}' AS other",
        "COPY (SELECT 1) TO '{outside}'",
        "CREATE TABLE t AS SELECT 1",
        "INSERT INTO games SELECT 1",
        "DROP VIEW games",
        "SET enable_external_access = true",
        "SET threads = 8",
        "PRAGMA database_list",
        "SELECT 1; SELECT 2",
        "SELECT 1; COPY (SELECT 1) TO '{outside}'",
        "EXPORT DATABASE '{outside}'",
        "",
    ],
)
def test_one_select_only(sql: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside.csv"
    if not sql:
        with pytest.raises(ProfileError, match="the text is empty"):
            query(tmp_path, sql)
        return
    assert "not one SELECT" in refused(tmp_path, sql.format(outside=outside))
    assert not outside.exists()


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT 1) UNION (SELECT 2", "Parser Error"),
        ("SELECT nothing FROM games", "nothing"),
        (JOIN.format(more=""), "which file a row is of"),
        (JOIN.format(more=", 'x' AS source"), "'x', which is no file"),
        (SOURCED.replace("AS player_cards", "AS player_card"), "The nearest is 'player_cards'"),
        (SOURCED.replace("'S1' AS shoe_id, ", ""), "lacks the column 'shoe_id'"),
        (SOURCED.replace("'S1' AS shoe_id", "1 AS shoe_id, 2 AS shoe_id"), "a column 'shoe_id_1'"),
        (SOURCED.replace("AS player_cards", "AS deal"), "cards.deal_order"),
    ],
)
def test_a_result_that_is_not_the_table(sql: str, words: str, tmp_path: Path) -> None:
    assert words in refused(tmp_path, sql)


def test_a_column_of_where_that_is_not_there(tmp_path: Path) -> None:
    told = refused(tmp_path, SOURCED, 'where = { state = "1" }')
    assert "no column 'state'" in told


def test_the_query_of_the_readme(tmp_path: Path) -> None:
    readme = Path(__file__).parents[1] / "README.md"
    toml, stored = re.findall(r"^```toml\n(.*?)^```", readme.read_text(), re.MULTILINE | re.DOTALL)
    for name in ("games", "cards"):
        (tmp_path / "log" / name).mkdir(parents=True)
    games = {"id": [1], "desk": ["T1"], "shoe": [4], "number": [9], "began": [AT]}
    pl.DataFrame(games).write_parquet(tmp_path / "log" / "games" / "1.parquet")
    cards = [(1, "P", 2, "9H"), (1, "P", 1, "KS"), (1, "B", 1, "KD"), (1, "B", 2, "7C")]
    pl.DataFrame(cards, ["game", "hand", "place", "card"], orient="row").write_parquet(
        tmp_path / "log" / "cards" / "1.parquet"
    )
    found = read_log([tmp_path / "log"], load_profile(profile(tmp_path, toml)))
    assert hands(found) == [("KS 9H", "KD 7C")]
    assert found.sources["rows_read"].to_list() == [0, 1]
    assert load_profile(profile(tmp_path, stored)).tables["rounds"].stored
