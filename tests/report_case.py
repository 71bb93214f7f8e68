"""A small case folder written directly, with a finding of every code, for the report's tests."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

CODES = (
    "A0101 A0201 A0202 A0203 A0204 A0205 A0206 A0207 A0208 A0301 A0401 A0501 A0502 A0901 A0902 "
    "A0903 A0904 A0905 A0906 A0907 A1001 A1002 A1101 A1201 A1202 A1203 A1204 A1205 A1301 A1302 "
    "A1401 A1402 A1701 A1702 A1703 A1704 A1711 A1712 A1713 A1714 A1715 A1801 A1802 A1803 A1804 "
    "A1805 A1806 A1901 A1902 L01 L02 L03 L04 L05 L06 L07 L08 L09 L10 L11 L12"
).split()

WARNINGS = set("A0202 A0208 A0502 A1402 L01 L02 L03 L04 L05 L07 L08 L09 L10 L11 L12".split())
NOTICES = set("A0205 A0207 A0401 A1002 A1806".split())
PAID = set(
    "A1001 A1202 A1203 A1701 A1702 A1703 A1704 A1711 A1712 A1713 A1714 A1801 A1802 A1803 A1806"
    .split()
)
ARTICLES = {"A0901": "9(1), 10", "A0902": "9(2), 10", "A0903": "9(2), 10", "A0904": "9(3)(3), 10",
            "A0905": "9(4)(4), 10", "A0906": "9(4)(6), 10", "A0907": "9, 10", "A0201": "2(1)",
            "A0203": "2(2)", "A1801": "18(1)", "A1802": "18(2)", "A1803": "18(2)",
            "A1702": "17(1)", "A1701": "17(2)", "A1714": "17(4)", "A0301": "3(1)",
            "A1302": "13(1)(4)(1)", "A1711": "13(1)(4)(2)(iii)"}
RECORDED = {"A09": ("draw", "stand"), "A11": ("player", "banker"), "A12": ("tie", "player"),
            "A05": ("7", "6"), "A13": ("false", "true"), "A17": ("1950", "2000"),
            "A18": ("1950", "2000"), "A10": ("1000", "0")}

FINDINGS = """
create table findings (id text, code text, severity text, status text, basis text, ruleset text,
 article text, casino text, table_id text, shoe_id text, round_no bigint, bet_id text, subject text,
 expected text, recorded text, amount decimal(38,6), consequence text, source text, row bigint,
 message text, evidence text)"""
ROUNDS = """
create table r (casino text, table_id text, shoe_id text, round_no bigint, started_at timestamp,
 kind text, void_reason text, player_cards text, banker_cards text, withdrawn_cards text,
 player_total tinyint, banker_total tinyint, outcome text, player_pair boolean, banker_pair boolean,
 commission text, burned bigint, cut_card boolean, jackpot_pool decimal(38,6), dealer_id text,
 ruleset text, device text, decks bigint, by_player_total tinyint, by_banker_total tinyint,
 by_outcome text, scheme text, source text, row bigint)"""
BETS = """
create table b (casino text, table_id text, shoe_id text, round_no bigint, bet_id text,
 currency text, position text, patron_id text, bet text, stake decimal(38,6), paid decimal(38,6),
 commission_taken decimal(38,6), disposition text, due decimal(38,6), standing text, source text,
 row bigint)"""
TABLES = (
    "create table rejects (\"table\" text, source text, row bigint, \"column\" text, text text,"
    " reason text, expected text, raw text, kind text, differs text, casino text, table_id text,"
    " shoe_id text, round_no bigint, bet_id text, occurrence bigint)",
    "create table sources (name text, \"table\" text, sha256 text, bytes bigint, rows_read bigint,"
    " audited bigint, rejected bigint, set_aside bigint)",
    "create table shoes (casino text, table_id text, shoe_id text, device text, decks bigint,"
    " rounds bigint, bets bigint, findings bigint)",
    "create table rulesets (id text, in_force_from date, in_force_status text, gazette text,"
    " rounds bigint)",
    "create table provisions (ruleset text, key text, value text, article text, status text,"
    " set_by text, note text)",
    "create table interpretations (id text, article text, question text, reading text,"
    " undecided bigint)",
    "create table checks (code text, severity text, article text, state text, reason text,"
    " examined bigint, not_applied bigint, violating bigint)",
    "create table not_applied (code text, reason text, rows bigint)",
    "create table run (key text, value text)",
)

RULESETS = [
    ("55-2004", "2004-05-18", "stated", "20/2004", 0),
    ("73-2005", "2005-11-29", "inferred", "48/2005", 0),
    ("30-2007", "2007-02-23", "inferred", "8/2007", 4100),
    ("64-2007", "2007-06-26", "inferred", "26/2007", 5900),
]
READINGS = [
    ("four_of_a_kind_suits", "13(1)(4)(2)(iii)"), ("burn_counts_first_card", "2(1)"),
    ("burn_value_of_ten", "2(1)"), ("jackpot_one_prize", "13, 17"),
    ("jackpot_share", "17(4), 17(5)"), ("jackpot_fixed_prize", "17(6)"), ("art19_options", "19"),
    ("side_bet_needs_main_bet", "13(1)(4)"),
]


def _cards(rng: random.Random, n: int) -> str:
    return " ".join(rng.choice("A 2 3 4 5 6 7 8 9 10 J Q K".split()) + rng.choice("SHDC")
                    for _ in range(n))


def write_case(folder: Path, *, findings: int = 300, codes: tuple[str, ...] = tuple(CODES),
               hostile: str = "", seed: int = 7, clean: bool = False) -> Path:
    """Case at ``folder`` with ``findings`` findings spread over ``codes`` (none when ``clean``).

    ``hostile`` is put where a log's own text goes: ids, source names, messages, raw rows.
    """
    rng = random.Random(seed)
    folder.mkdir(parents=True)
    con = duckdb.connect(str(folder / "case.duckdb"))
    for statement in (FINDINGS, ROUNDS, BETS, *TABLES):
        con.execute(statement)
    rounds, bets = _rounds(rng, hostile)
    con.executemany(f"insert into r values ({', '.join('?' * 29)})", rounds)
    con.executemany(f"insert into b values ({', '.join('?' * 17)})", bets)
    rows = [] if clean else _findings(rng, findings, codes, rounds, bets, hostile)
    if rows:
        con.executemany(f"insert into findings values ({', '.join('?' * 21)})", rows)
    _context_tables(con, rows, len(rounds), len(bets), hostile, clean)
    for name, short in (("rounds", "r"), ("bets", "b")):
        con.execute(f"copy (select * from {short} order by casino, table_id, shoe_id, round_no) "
                    f"to '{folder / name}.parquet' (format parquet)")
        con.execute(f"drop table {short}")
    con.execute(f"set file_search_path = '{folder}'")
    for name in ("rounds", "bets"):
        con.execute(f"create view {name} as select * from read_parquet('{name}.parquet')")
    con.close()
    (folder / "manifest.json").write_text(json.dumps({"tool_version": "0.1.0", "seed": seed}))
    return folder


def _rounds(rng: random.Random, hostile: str) -> tuple[list[Any], list[Any]]:
    rounds, bets = [], []
    start = datetime(2007, 6, 20, 12, 0, 0)
    line = 0
    for table in range(1, 8):
        for shoe in range(1, 4):
            table_id = f"{hostile}T{table:02d}"
            for no in range(1, 61):
                line += 1
                outcome = rng.choices(("player", "banker", "tie"), (44, 46, 10))[0]
                when = start + timedelta(days=shoe * 3 + table, minutes=no)
                rounds.append(
                    ("CAS-A", table_id, f"2007-{shoe:04d}", no, when, "play", None,
                     _cards(rng, rng.choice((2, 3))), _cards(rng, rng.choice((2, 3))), None, 7, 6,
                     outcome, False, False, "commission", None, False, None, "D17", "30-2007",
                     "shoe", 8, 7, 6, outcome, "commission", f"{hostile}rounds.csv", line))
                for bet_id, bet in enumerate(("banker", "player_pair"), 1):
                    bets.append(("CAS-A", table_id, f"2007-{shoe:04d}", no, str(bet_id), "MOP", "3",
                                 "P-00017", bet, Decimal(1000), Decimal(2000), Decimal(0),
                                 "settled", Decimal(1950), "won", f"{hostile}bets.csv", line))
    return rounds, bets


def _findings(rng: random.Random, count: int, codes: tuple[str, ...], rounds: list[Any],
              bets: list[Any], hostile: str) -> list[Any]:
    rows = []
    for place in range(count):
        code = codes[place % len(codes)]
        deal = rounds[rng.randrange(len(rounds))]
        severity = ("warning" if code in WARNINGS else "notice" if code in NOTICES
                    else "violation")
        expected, recorded = RECORDED.get(code[:3], ("8", "9"))
        amount = Decimal(rng.choice((50, -50, 1950, -1234567))) if code in PAID else None
        article = ARTICLES.get(code, str(int(code[1:3])) if code[0] == "A" else "")
        consequence = (rng.choice(("same_outcome", "changed:banker", "undetermined"))
                       if code in ARTICLES and code.startswith("A09") else None)
        rows.append((
            f"{place:012x}", code, severity, "new", rng.choice(("stated", "inferred")), "30-2007",
            article, *deal[:4], "1" if code in PAID else None, None, expected, recorded, amount,
            consequence, "rounds.csv", deal[-1], f"{hostile}Something about {code} was found.",
            json.dumps({"variant": "", "t": 5, "c": "4"})))
    return rows


def _context_tables(con: duckdb.DuckDBPyConnection, rows: list[Any], rounds: int, bets: int,
                    hostile: str, clean: bool) -> None:
    def put(table: str, values: list[Any]) -> None:
        if values:
            marks = ", ".join("?" * len(values[0]))
            con.executemany(f"insert into {table} values ({marks})", values)

    put("rejects", [] if clean else [
        ("rounds", f"{hostile}rounds.csv", 1200 + n, "player_cards", f"{hostile}ZZ", "unknown_card",
         "cards such as KS 5H 7D", json.dumps({"table_id": f"{hostile}T01", "player_cards": "ZZ"}),
         "unreadable", None, "CAS-A", "T01", "2007-0001", n, None, 1) for n in range(1, 43)])
    put("sources", [(f"{hostile}{name}.csv", name, f"{n:02x}" * 32, 120_000 * n, total, total, 0, 0)
                    for n, (name, total) in enumerate((("rounds", rounds), ("bets", bets)), 1)])
    put("rulesets", RULESETS)
    put("provisions", [
        (rule[0], key, value, article, status, "55-2004", "")
        for rule in RULESETS
        for key, value, article, status in (
            ("decks_min", "6", "1(1)", "stated"), ("decks_max", "12", "1(1)", "stated"),
            ("demonstration_max", "3", "2(2)", "stated"), ("hand_cards_max", "3", "9", "stated"),
            ("rounds_after_white_card", "1", "3(1)", "stated"),
            ("bets.jackpot", "true", "13(1)(4)(2)", "inferred"))])
    put("interpretations", [(name, article, "A question?", "either", n)
                            for n, (name, article) in enumerate(READINGS)])
    put("checks", [(code, "violation", "", "ran", None, 10_000, 12, 0) for code in CODES[:-4]]
        + [(code, "warning", "", "not_applied", "limits", 0, 10_000, 0) for code in CODES[-4:]])
    put("not_applied", [("A1401", "missing:limits", rounds), ("A1713", "missing:jackpot_prizes", 3),
                        ("L06", "missing:decks", 120)])
    put("run", [
        ("tool_version", "0.1.0"), ("case_id", "2007-06-CAS-A"),
        ("created_at", "2026-11-30T10:00:00"), ("casinos", json.dumps(["CAS-A"])),
        ("period_start", "2007-06-20"), ("period_end", "2007-07-01"),
        ("rounds_read", str(rounds + 42)), ("rounds_audited", str(rounds)),
        ("rounds_rejected", "42"), ("rounds_set_aside", "0"), ("bets_read", str(bets)),
        ("bets_audited", str(bets)), ("bets_rejected", "0"), ("bets_set_aside", "0"),
        ("exit", "0" if clean else "1"), ("verdict", "clean" if clean else "violations"),
        ("options", json.dumps({"rules": "auto"}))])
