"""What hostile input may do to each reader: one plain sentence, or a log with every row counted.

``TARGETS`` are shared by the quick test in ``tests/test_fuzz.py`` and the long hunt of
``python -m tests.bench.fuzz``.
"""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from audit.baseline import read_baseline
from audit.errors import AuditError
from audit.normalise import Log, read_log
from audit.profile import load_profile
from audit.rulebook import load_rulebook
from audit.sources import SUFFIXES, discover, open_source

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 2_000
"""Characters of a sentence that a person still reads."""

CSV = """casino,table_id,shoe_id,round_no,started_at,kind,player_cards,banker_cards,player_total,\
outcome,burned,cut_card,jackpot_pool
Harbour,T1,S1,1,2007-07-01 12:00:00,play,KS 9H,KD 7C,9,player,0,false,1000.5
永利,T1,S1,2,2007-07-01T12:00:40+08:00,demo,"K♠ 5♥ 7♦",10H TD 3c,2,閒,,,
Harbour,T1,S1,3,2007-07-01 12:01:20,void,,,,,1,1,
"""
BETS = """table_id,shoe_id,round_no,bet_id,bet,stake,paid,commission_taken,disposition
T1,S1,1,a,player,100,200,0,settled
T1,S1,1,,莊,"1000.50",0,,carried
"""
RECORDS = [
    dict(zip(CSV.split("\n")[0].split(","), line, strict=True))
    for line in (
        ["-", "T1", "S1", "1", "2007-07-01 12:00:00", "play", "KS 9H", "KD 7C", *["1"] * 5],
        ["-", "T1", "S1", "2", "2007-07-01 12:00:00", "demo", "", "", *[""] * 5],
    )
]
TOKENS = (
    '"', '""', ",", ";", "\t", "\n", "\r", "\r\n", "\0", "\ufeff", "KS", "10H", "-1", "1e309",
    "9" * 20, "1.480,50", "player", "莊", "true", "null", "NaN", "[", "]", "{", "}", "{}", ":",
    "\\u0000", "\\ud800", "2007-07-01", "2007-13-45 25:61:61", "+23:59", "round_no", "table_id",
    "=1+1", "\u202e", "<b>", "''", '"""', "[rounds]", "[bet.x]", "files = ", "inf", "-0.0",
)  # fmt: skip
"""Pieces that mean something to one reader or another."""

PROFILE = (ROOT / "sample_logs" / "foreign" / "profile.toml").read_text(encoding="utf-8")
FOREIGN = {path.name: path.read_bytes() for path in (ROOT / "sample_logs/foreign").glob("*.csv")}
RULES = (ROOT / "tests" / "data" / "rules" / "900-2018.toml").read_text(encoding="utf-8")
BASELINE = """case = "0123456789ab"

[[accepted]]
id = "0123456789ab"
code = "A0901"
where = { table_id = "T1", shoe_id = "S1", round_no = 1 }
message = "Player had to draw"
owner = "shift manager"
reason = "known"
expires = 2027-01-01
"""


def _parquet(compression: str) -> bytes:
    out = io.BytesIO()
    pl.DataFrame(RECORDS * 20).write_parquet(out, compression=compression)  # type: ignore[arg-type]
    return out.getvalue()


def _xlsx() -> bytes:
    from openpyxl import Workbook

    book, out = Workbook(), io.BytesIO()
    sheet = book.active
    sheet.title = "rounds"
    for row in ([*RECORDS[0]], *(list(record.values()) for record in RECORDS)):
        sheet.append(row)
    book.save(out)
    return out.getvalue()


def _sqlite() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        connection = sqlite3.connect(path)
        connection.execute(f"CREATE TABLE rounds ({', '.join(RECORDS[0])})")
        for record in RECORDS * 10:
            marks = ", ".join("?" for _ in record)
            connection.execute(f"INSERT INTO rounds VALUES ({marks})", list(record.values()))
        connection.commit()
        connection.close()
        return path.read_bytes()


def _zip(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("log/rounds.csv"), data)
        archive.writestr(zipfile.ZipInfo("log/bets.csv"), BETS)
    return out.getvalue()


def _log(path: Path) -> Log:
    return read_log(_paths(path))


def _rows(path: Path) -> None:
    """The rows of each file as text, without typing them: ten times quicker than a whole log."""
    for found in discover(_paths(path), SUFFIXES).files:
        last = 0
        for batch in open_source(found.path, found.name, found.member).batches():
            assert batch.first == last + 1
            assert batch.count == batch.rows.height
            assert all(dtype == pl.String for dtype in batch.rows.dtypes)
            last += batch.count
            assert all(batch.first <= damage.row <= last for damage in batch.damaged)


def _paths(path: Path) -> list[Path]:
    """The file, with a sound table of rounds beside it where it has none."""
    if not path.name.startswith("bets"):
        return [path]
    rounds = path.parent / "rounds.csv"
    rounds.write_text(CSV, encoding="utf-8")
    return [rounds, path]


def _profile(path: Path) -> Log | None:
    profile = load_profile(path)
    if any(table.sql is not None for table in profile.tables.values()):
        return None  # what a query may do is DuckDB's own affair
    for name, content in FOREIGN.items():
        (path.parent / name).write_bytes(content)
    return read_log([path.parent], profile)


def _rules(path: Path) -> None:
    load_rulebook(path.parent)


def _baseline(path: Path) -> None:
    read_baseline(path)


@dataclass(frozen=True)
class Target:
    """A reader: the name that its file has, sound inputs to start from, and what reads it.

    ``packed`` wraps bytes, so that what is fuzzed is the content and not the wrapping; ``quick``
    is a part of ``read`` that takes far less time. ``weight`` is its share of a long hunt.
    """

    name: str
    file: str
    seeds: tuple[bytes, ...]
    read: Callable[[Path], Log | None]
    packed: Callable[[bytes], bytes] | None = None
    quick: Callable[[Path], None] | None = None
    weight: int = 4


ENCODED = (
    *(CSV.encode(codec) for codec in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be")),
    CSV.replace("永利", "永利娛樂場百家樂").replace("♠", "S").encode("gb18030"),
    CSV.replace("永利", "永利娛樂場百家樂").replace("♠", "S").replace("♥", "H")
    .replace("♦", "D").encode("big5"),
)  # fmt: skip
LINES = "\n".join(json.dumps(each, ensure_ascii=False) for each in RECORDS).encode()


def _of_log(
    name: str, file: str, *seeds: bytes, packed: Callable[[bytes], bytes] | None = None
) -> Target:
    return Target(name, file, seeds, _log, packed, _rows)


TARGETS: tuple[Target, ...] = (
    _of_log("csv", "rounds.csv", *ENCODED),
    _of_log("tsv", "rounds.tsv", CSV.replace(",", "\t").encode()),
    _of_log("bets", "bets.csv", BETS.encode()),
    _of_log("jsonl", "rounds.jsonl", LINES, LINES.decode().encode("utf-16")),
    _of_log("json", "rounds.json", json.dumps(RECORDS).encode()),
    _of_log("gz", "rounds.csv.gz", gzip.compress(CSV.encode(), mtime=0)),
    _of_log("gz-content", "rounds.jsonl.gz", LINES, packed=lambda data: gzip.compress(data, 1)),
    _of_log("zip", "log.zip", _zip(CSV.encode())),
    _of_log("zip-content", "log.zip", CSV.encode(), packed=_zip),
    _of_log("parquet", "rounds.parquet", *map(_parquet, ("zstd", "uncompressed"))),
    _of_log("xlsx", "rounds.xlsx", _xlsx()),
    _of_log("sqlite", "log.sqlite", _sqlite()),
    Target("profile", "profile.toml", (PROFILE.encode(),), _profile, weight=2),
    Target("rules", "own.toml", (RULES.encode(),), _rules, weight=1),
    Target("baseline", "baseline.toml", (BASELINE.encode(),), _baseline),
)


def check(target: Target, data: bytes, folder: Path, *, quick: bool = False) -> str:
    """Read ``data``; the sentence that refuses it, or ``""``. AssertionError for a broken promise.

    Any other exception than AuditError is one too, and passes through.
    """
    path = folder / target.file
    path.write_bytes(target.packed(data) if target.packed is not None else data)
    try:
        read = (target.quick if quick and target.quick else target.read)(path)
    except AuditError as error:
        sentence = error.sentence()
        assert sentence.strip(), "the sentence is empty"
        assert len(sentence) <= LONGEST, f"a sentence of {len(sentence)} characters"
        assert "\n" not in sentence, f"more than one line: {sentence!r}"
        assert "defect of the program" not in sentence, sentence
        return sentence
    if read is not None:
        _accounted(read)
    return ""


def _accounted(log: Log) -> None:
    rejected = log.rejects.group_by("source").len()
    counts = dict(rejected.iter_rows())
    for row in log.sources.iter_rows(named=True):
        assert row["rows_read"] == row["audited"] + row["rejected"] + row["set_aside"]
        assert counts.get(row["name"], 0) == row["rejected"]
    for raw in log.rejects["raw"]:
        json.loads(raw)
