"""Files in which shoes follow one another: the same case as in one go, and as spilled."""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import duckdb
import polars as pl
import pytest

from audit import open_case
from audit.baseline import draft
from audit.buckets import Effort, engine
from audit.buckets.in_place import InPlace
from audit.buckets.work import Workshop
from audit.errors import AuditError
from audit.pipeline import Job, run_audit
from audit.rejects import Limit
from audit.resolve import Options
from audit.sources import delimited
from tests import units, ways

PARQUET = re.compile(r"\.(parquet|pq)$", re.IGNORECASE)
SHOE = ["casino", "table_id", "shoe_id"]
Files = dict[str, pl.DataFrame]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Sixteen shoes of twenty rounds, with faults, by the names of their files."""
    folder = tmp_path_factory.mktemp("sample") / "log"
    units.sample(folder, 1_000, options=("--format", "parquet"))
    files = {path.name: pl.read_parquet(path) for path in sorted(folder.glob("*.parquet"))}
    for name in ("rounds.parquet", "bets.parquet"):
        files[name] = files[name].filter(pl.col("round_no") <= 20)
    assert files["rounds.parquet"].select(SHOE).n_unique() == 16
    return files


def same(
    folder: Path,
    files: Mapping[str, pl.DataFrame],
    way: str = "in place",
    rows: int | None = None,
    *,
    as_csv: bool = True,
    **options: Any,
) -> ways.Made:
    """What a log gives by its own ``way``, which is what it gives in one go, also as CSV.

    ``rows`` of a row group of its files.
    """
    logs = [ways.write(folder / "log", files, rows)]
    if as_csv:
        text = {PARQUET.sub(".csv", name): frame for name, frame in files.items()}
        logs.insert(0, ways.write(folder / "text", text))
    for log in logs:
        with patch.object(delimited, "PIECE", 12_000):
            made, whole = ways.audit(log, **options), ways.audit(log, "one go", **options)
        assert (made.way, whole.way) == (way, "one go")
        assert made.left == whole.left == []
        assert made.refusal == whole.refusal
        alike(made, whole)
    return made


def alike(one: ways.Made, other: ways.Made) -> None:
    assert one.tables.keys() == other.tables.keys()
    for name, rows in one.tables.items():
        assert rows == other.tables[name], name


def shoes_of(frame: pl.DataFrame) -> list[pl.DataFrame]:
    return frame.partition_by(SHOE, maintain_order=True)


def small(log: Files) -> tuple[Files, pl.DataFrame, pl.DataFrame]:
    """The small tables, the rounds and the bets of a log."""
    others = {name: frame for name, frame in log.items() if name[:4] not in ("roun", "bets")}
    return others, log["rounds.parquet"], log["bets.parquet"]


def broken(frame: pl.DataFrame, **cells: tuple[int, str | None]) -> pl.DataFrame:
    """All as text, and in some columns each so many rows another one."""
    row = pl.int_range(1, pl.len() + 1)
    wrong = [
        pl.when(row % every == 0).then(pl.lit(text, pl.String)).otherwise(name).alias(name)
        for name, (every, text) in cells.items()
    ]
    return frame.select(pl.all().cast(pl.String)).with_columns(wrong)


def mixed(frame: pl.DataFrame) -> pl.DataFrame:
    """The same rows, a round of each shoe in turn: shoes lie through one another."""
    return frame.sort("round_no", maintain_order=True)


def test_in_place_is_the_same_as_in_one_go_and_as_spilled(log: Files, tmp_path: Path) -> None:
    made = same(tmp_path, log)
    spilled = ways.audit(tmp_path / "log", "spill")
    assert spilled.way == "spill"
    alike(made, spilled)
    assert len(made.stretches) == 4
    assert len(made.tables["findings"]) > 50
    assert made.tables["rejects"]


@pytest.mark.parametrize("name", ["rounds.parquet", "bets.parquet"])
def test_shoes_through_one_another_are_spilled(log: Files, name: str, tmp_path: Path) -> None:
    same(tmp_path, log | {name: mixed(log[name])}, "spill")


def test_a_table_of_csv_beside_one_of_parquet(log: Files, tmp_path: Path) -> None:
    files = {name: frame for name, frame in log.items() if name != "bets.parquet"}
    same(tmp_path, files | {"bets.csv": log["bets.parquet"]})


def test_a_small_log_stays_in_memory(log: Files, tmp_path: Path) -> None:
    large = {"rounds": 320, "bets": 10**6}
    assert ways.audit(ways.write(tmp_path / "log", log), units=large).way == "one go"


def test_files_of_all_kinds(log: Files, tmp_path: Path) -> None:
    files, rounds, bets = small(log)
    files |= {
        "rounds/1 *[x].parquet": rounds[:130],  # a shoe ends in the next file
        "rounds/2.parquet": rounds[130:131].select(reversed(rounds.columns)),
        "rounds/3.parquet": rounds[:0],
        "rounds/玉.pq": rounds[131:].with_columns(more=pl.lit(1)).drop("dealer_id"),
        "bets/1.parquet": bets[:3],
        "bets/2.PQ": bets[3:700].rename({"table_id": " Table_ID "}),
        "bets/3.parquet": bets[700:].with_columns(pl.col(pl.String).cast(pl.Categorical)),
    }
    with patch("audit.buckets.survey._TOGETHER", 2):  # runs of like files in several goes
        made = same(tmp_path, files, rows=9)
    assert len(made.stretches) == 4
    assert max(len(unit) for unit in made.stretches) > 3


def test_bets_in_another_order_than_rounds(log: Files, tmp_path: Path) -> None:
    files, rounds, bets = small(log)
    shoes = shoes_of(bets)
    files |= {"bets-1.parquet": pl.concat(shoes[8:]), "bets-2.parquet": pl.concat(shoes[:8])}
    same(tmp_path, files | {"rounds.parquet": rounds}, "spill")


def test_bets_without_rounds_and_rounds_without_bets(log: Files, tmp_path: Path) -> None:
    files, rounds, bets = small(log)
    of_rounds, of_bets = shoes_of(rounds), shoes_of(bets)
    assert len(of_bets) == 16
    files["rounds.parquet"] = pl.concat(of_rounds[n] for n in (1, 2, 3, 4, 5, 8, 9, 10, 13, 14))
    files["bets.parquet"] = pl.concat(of_bets[n] for n in (0, 1, 2, 6, 7, 8, 11, 12, 13, 14, 15))
    made = same(tmp_path, files)
    assert len(made.stretches) == 4


def test_odd_keys_where_shoes_meet(
    log: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.buckets.survey._MANY", 4)

    def odd(frame: pl.DataFrame) -> pl.DataFrame:
        out = []
        for shoe in shoes_of(frame):
            blank = pl.lit(" \t") + pl.col("shoe_id") + "  "
            out += [
                shoe[:1].with_columns(table_id=pl.lit("  ")),
                shoe[:9].with_columns(shoe_id=blank, casino=pl.col("casino") + " "),
                shoe[9:],
                shoe[:2].with_columns(shoe_id=pl.lit("a\0b")),
                shoe[:1].with_columns(shoe_id=pl.lit(None, pl.String)),
            ]
        return pl.concat(out)

    files, rounds, bets = small(log)
    units = {"rounds": 150, "bets": 600}
    made = same(
        tmp_path, files | {"rounds.parquet": odd(rounds), "bets.parquet": odd(bets)}, units=units
    )
    assert len(made.stretches) == 4
    # A row whose key is refused belongs to no shoe.
    assert len([row for row in made.tables["rejects"] if "rounds" in row]) >= 16 * 4


def test_keys_that_are_no_text(log: Files, tmp_path: Path) -> None:
    files, rounds, bets = small(log)
    shoes = rounds.select(SHOE).unique(maintain_order=True).with_row_index("n")
    day = pl.date(2007, 7, 1) + pl.duration(days=pl.col("n").cast(pl.Int64))

    def keyed(frame: pl.DataFrame, *keys: pl.Expr) -> pl.DataFrame:
        joined = frame.join(shoes, on=SHOE, how="left", maintain_order="left")
        return joined.with_columns(*keys).drop("casino", "n")

    price = (pl.col("n") * 50).cast(pl.Decimal(12, 2)) / 100
    files["rounds.parquet"] = keyed(rounds, price.alias("table_id"), day.alias("shoe_id"))
    as_words = (pl.col("n") / 2).alias("table_id"), day.cast(pl.String).alias("shoe_id")
    files["bets.parquet"] = keyed(bets, *as_words)
    made = same(tmp_path, files, as_csv=False)  # where a price is another text than its number
    assert len(made.stretches) == 4
    assert len(made.tables["shoes"]) == 16


def test_rows_that_cannot_be_read(log: Files, tmp_path: Path) -> None:
    files, rounds, bets = small(log)
    rounds = broken(rounds, round_no=(37, "x"), player_cards=(11, "ZZ 1"), started_at=(41, " "))
    bets = broken(bets, stake=(29, "-"), paid=(31, "-5"), bet=(71, "a\0"), bet_id=(3, None))
    files |= {"rounds-1.parquet": rounds[:99], "rounds-2.parquet": rounds[99:], "bets.pq": bets}
    made = same(tmp_path, files)
    assert len(made.tables["rejects"]) > 80


@pytest.mark.parametrize("way", ["in place", "spill"])
def test_second_rows(way: str, log: Files, tmp_path: Path) -> None:
    files, rounds, bets = small(log)
    again = [(rounds, 50, 45, 48), (bets, 500, 497, 499)]
    if way == "spill":  # in a place where another shoe lies
        again = [(rounds, 200, 3, 7), (bets, 900, 5, 9)]
    rounds, bets = (pl.concat([t[:at], t[low:high], t[at:]]) for t, at, low, high in again)
    shoes = pl.concat([log["shoes.parquet"], log["shoes.parquet"][2:5]])
    files |= {"rounds.parquet": rounds, "bets.parquet": bets, "shoes.parquet": shoes}
    made = same(tmp_path, files, way)
    assert len([row for row in made.tables["rejects"] if "duplicate" in row]) >= 8


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({"stake": (600, "1.000,00"), "paid": (11, "1.480")}, "has points between thousands"),
        ({"player_total": (1, "21")}, "record a total beyond 9"),
        ({"player_cards": (1, "Q1 W2"), "banker_cards": (1, "Q1 W2")}, "can be read"),
    ],
)
def test_logs_that_are_refused(
    cells: dict[str, tuple[int, str]], sentence: str, log: Files, tmp_path: Path
) -> None:
    files, rounds, bets = small(log)
    of = {"rounds.parquet": rounds, "bets.parquet": bets}
    told = {n: {c: v for c, v in cells.items() if c in frame.columns} for n, frame in of.items()}
    made = same(tmp_path, files | {name: broken(of[name], **told[name]) for name in of})
    assert sentence in made.refusal


def test_a_column_that_is_missing(log: Files, tmp_path: Path) -> None:
    made = same(tmp_path, log | {"bets.parquet": log["bets.parquet"].drop("stake")}, "one go")
    assert "the required column 'stake' is missing" in made.refusal


def test_a_giant_shoe_is_one_unit_or_none(log: Files, tmp_path: Path) -> None:
    files, rounds, bets = small(log)
    shoe = {name: pl.lit("1") for name in SHOE}
    number = pl.int_range(1, pl.len() + 1)
    files["rounds.parquet"] = rounds.with_columns(**shoe, round_no=number)
    files["bets.parquet"] = bets.with_columns(**shoe)
    made = same(tmp_path, files, units={"rounds": 300, "bets": 10**6})
    assert len(made.stretches) == 1
    assert ways.audit(tmp_path / "log", units={"rounds": 200, "bets": 10**6}).way == "spill"


def test_limits_baselines_and_rules(log: Files, tmp_path: Path) -> None:
    case = units.run(ways.write(tmp_path / "log", log), tmp_path / "case", units=ways.UNITS)
    opened = open_case(case)
    text = draft(opened).replace('owner = ""', 'owner = "A"').replace('reason = ""', 'reason = "B"')
    opened.close()
    (tmp_path / "accepted.toml").write_text(
        text.replace('expires = ""', "expires = 2050-01-01"), encoding="utf-8"
    )
    options = Options(rules="55-2004", decks=6)
    accepted = tmp_path / "accepted.toml"
    made = same(tmp_path, log, baseline=accepted, options=options, max_rejects=Limit.parse("5%"))
    assert len(made.tables["baseline"]) > 50
    made = same(tmp_path, log, max_rejects=Limit.parse("1"))
    assert "rejected" in made.refusal


@pytest.mark.parametrize("done", [0, 1])
@pytest.mark.parametrize("gone", [False, True])
def test_a_file_that_changes_meanwhile(done: int, gone: bool, log: Files, tmp_path: Path) -> None:
    path = ways.write(tmp_path / "log", log) / "bets.parquet"

    def progress(stage: str, at: int, total: int | None, _: str) -> None:
        if stage == "Auditing" and at == done * (total or 0):
            path.rename(tmp_path / "elsewhere") if gone else os.utime(path, (1, 1))

    made = ways.audit(path.parent, progress=progress)
    assert made.refusal.startswith("bets.parquet: the file changed while it was read")
    assert made.way == "in place"
    assert made.left == []


def test_a_damaged_page_is_one_sentence(log: Files, tmp_path: Path) -> None:
    folder = ways.write(tmp_path / "log", log, 200)
    path = folder / "bets.parquet"
    place = f"from parquet_metadata('{path}') where path_in_schema = 'stake'"
    query = f"select data_page_offset + total_compressed_size {place} and row_group_id = 2"
    ((end,),) = duckdb.sql(query).fetchall()
    data = bytearray(path.read_bytes())
    data[end - 40 : end] = bytes(byte ^ 0x5A for byte in data[end - 40 : end])
    path.write_bytes(data)
    case = tmp_path / "cases" / "case"
    case.parent.mkdir()
    for options in (["--jobs", "2"], ["--jobs", "1", "--resume"]):
        line = units.command(folder, case, *options, units=ways.UNITS)
        done = subprocess.run(line, env=units.ENVIRONMENT, capture_output=True, text=True)
        assert done.returncode == 2
        assert "bets.parquet: this is no sound Parquet file" in done.stderr
        assert done.stderr.count("\n") == 1
        assert list(case.parent.iterdir()) == []


def test_jobs_and_kills_change_nothing(log: Files, tmp_path: Path) -> None:
    folder = ways.write(tmp_path / "log", log)
    one = units.run(folder, tmp_path / "one", "--jobs", "1", units=ways.UNITS)
    many = units.run(folder, tmp_path / "many", "--jobs", "3", units=ways.UNITS)
    assert units.tables(one) == units.tables(many)
    units.check_places(one)
    case = tmp_path / "cases" / "case"
    case.parent.mkdir()
    line = units.command(folder, case, "--jobs", "1", "--resume", units=ways.UNITS)
    for seed in (1, 3):  # which wait but for a moment
        units.kill_after_a_unit(line, case, random.Random(seed))
    assert len(units.parts_done(case)) >= 2
    assert not case.exists()
    units.run(folder, case, "--resume", units=ways.UNITS)
    assert units.tables(one) == units.tables(case)
    assert list(case.parent.iterdir()) == [case]


@pytest.mark.parametrize("bets", ["bets.parquet", "bets.csv"])
def test_a_cluster_has_copies_and_gives_the_same_bytes(
    bets: str, log: Files, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    files = log | {bets: log["bets.parquet"]}
    folder = ways.write(tmp_path / "log", {n: files[n] for n in files if n[:4] != "bets"})
    ways.write(folder, {bets: log["bets.parquet"]})
    local = units.run(folder, tmp_path / "local", units=ways.UNITS)
    case = units.run_in_cluster(folder, tmp_path / "case", units=ways.UNITS)
    assert units.tables(case) == units.tables(local)


@pytest.mark.parametrize("first", ["local", "ray"])
def test_a_cluster_goes_on_with_copies(
    first: Literal["local", "ray"], log: Files, tmp_path: Path
) -> None:
    folder = ways.write(tmp_path / "log", log)
    case = tmp_path / "cases" / "case"
    case.parent.mkdir()
    seen = []

    def run(work: Path, numbers: Iterable[int], _: int, **__: Any) -> Iterator[int]:
        rows = Workshop(work).rows
        assert isinstance(rows, InPlace)
        seen.append({file.path.parent for file in rows.files} == {work})
        done = ways.done_here(work, numbers, 1)
        yield next(done)
        if len(seen) == 1:
            raise AuditError("the machine is lost")
        yield from done

    def job(machines: Literal["local", "ray"], *, resume: bool) -> Job:
        return Job([folder], case, effort=Effort(engine=machines), resume=resume)

    with (
        ways.of_size(ways.UNITS),
        patch.object(engine, "check_cluster"),
        patch.object(engine, "run_in_cluster", run),
        patch.object(engine, "run_in_processes", run),
    ):
        with pytest.raises(AuditError, match="lost"):
            run_audit(job(first, resume=False))
        (part,) = units.parts_done(case)
        # As if it were of another process, which is no more.
        part.parent.rename(case.parent / ".case.building-999999999-left")
        run_audit(job("ray", resume=True))
    assert seen == [first == "ray", True]
    assert list(case.parent.iterdir()) == [case]
    alike(ways.Made("", ways.rows_of(case)), ways.audit(folder, "one go"))
