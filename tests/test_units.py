"""A log in units: the same case as in one go, however it is cut, stopped and taken up again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

from audit.buckets import Effort
from audit.buckets.engine import size_of
from audit.buckets.pool import run_in_processes
from audit.buckets.slots import slots_in
from audit.buckets.spill import Chunk, Spill, ranges, rows_of
from audit.buckets.work import ASK
from audit.errors import AuditError, LogError, OptionError
from audit.normalise.intake import take_in
from audit.schema import ROUNDS
from tests import units


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return units.mixed(units.sample(tmp_path_factory.mktemp("log") / "log"))


@pytest.fixture(scope="module")
def cut(log: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return units.run(log, tmp_path_factory.mktemp("cut") / "case")


def test_units_give_the_case_that_one_go_gives(log: Path, cut: Path, tmp_path: Path) -> None:
    whole = units.run(log, tmp_path / "whole", units={"rounds": 10**9, "bets": 10**9})
    one, many = units.tables(whole), units.tables(cut)
    assert one["findings"]["rows"] > 100
    # The same rows, in the order of their slots; and so the shoes stand elsewhere in them.
    assert {name for name in one if one[name] != many[name]} == {"rounds", "bets", "shoes"}
    for name in ("rounds", "bets"):
        assert units.evidence(whole, name) == units.evidence(cut, name)


def test_a_shoe_says_where_its_rounds_and_bets_stand(cut: Path) -> None:
    units.check_places(cut)


@pytest.mark.parametrize("options", [("--jobs", "1"), ("--jobs", "3"), ("--memory", "1GB")])
def test_however_it_is_shared_out_the_bytes_are_the_same(
    options: tuple[str, str], log: Path, cut: Path, tmp_path: Path
) -> None:
    case = units.run(log, tmp_path / "case", *options)
    assert units.tables(case) == units.tables(cut)
    assert units.left_behind(case) == []


def test_however_it_is_cut_the_rows_are_the_same(log: Path, cut: Path, tmp_path: Path) -> None:
    case = units.run(log, tmp_path / "case", units={"rounds": 300, "bets": 2_000})
    one, other = units.tables(cut), units.tables(case)
    assert {name for name in one if one[name] != other[name]} <= {"rounds", "bets"}
    for name in ("rounds", "bets"):
        # Row groups end where units do; the rows are the same, one after another.
        assert pl.read_parquet(case / f"{name}.parquet").equals(
            pl.read_parquet(cut / f"{name}.parquet")
        )


def test_a_killed_run_goes_on_where_it_was(log: Path, cut: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    chance = random.Random(7)
    kept = set()
    for _ in range(3):
        units.kill_after_a_unit(units.command(log, case, "--jobs", "1", "--resume"), case, chance)
        kept.add(len(units.parts_done(case)))
    assert not case.exists()
    assert max(kept) >= 2
    units.run(log, case, "--resume")
    assert units.tables(case) == units.tables(cut)
    assert units.left_behind(case) == []


def test_another_run_takes_up_nothing(log: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    units.kill_after_a_unit(units.command(log, case, "--jobs", "1"), case, random.Random(1))
    assert units.left_behind(case)
    decks = units.run(log, case, "--resume", "--decks", "6")
    fresh = units.run(log, tmp_path / "fresh", "--decks", "6")
    assert units.tables(decks) == units.tables(fresh)
    assert units.left_behind(case) == []


def test_a_worker_that_dies_is_one_sentence(log: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    line = units.command(log, case, "--jobs", "1")
    dies = "import audit.buckets.pool as pool; pool.WORKER = ('-c', 'input()')"
    line[2] = f"{dies}\n{line[2]}"
    done = subprocess.run(line, env=units.ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "ended before it was done" in done.stderr
    assert "Traceback" not in done.stderr
    assert not case.exists()


def _gone(group: int) -> bool:
    """Whether no process of a group is left; a moment goes by."""
    time.sleep(0.01)
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


_STOPPED = {
    False: "baccarat-audit: Stopped; nothing half-written is left.\n",
    True: "baccarat-audit: Stopped; the same command with --resume goes on from here.\n",
}


def test_an_interrupt_that_leaves_work_says_how_it_goes_on(log: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    many = {"rounds": 40, "bets": 150}
    line = units.command(log, case, "--jobs", "1", units=many)
    with subprocess.Popen(line, env=units.ENVIRONMENT, stderr=subprocess.PIPE, text=True) as run:
        while run.poll() is None and not units.parts_done(case):
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate()
    assert run.returncode == 130
    assert said == _STOPPED[True]
    assert not case.exists()
    units.run(log, case, "--resume", units=many)
    assert units.left_behind(case) == []


@pytest.mark.parametrize("moment", [0.0, 0.2, 0.6])
def test_an_interrupt_is_one_sentence_and_ends_the_workers(
    moment: float, log: Path, tmp_path: Path
) -> None:
    code = "import audit.buckets.engine as engine; engine._LARGE = 0"  # workers from the start
    line = units.command(log, tmp_path / "case", "--jobs", "2")
    line[2] = f"{code}\n{line[2]}"
    with subprocess.Popen(
        line,
        env=units.ENVIRONMENT,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        while run.poll() is None and not units.left_behind(tmp_path / "case"):
            time.sleep(0.01)
        time.sleep(moment)
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGINT)
        _, said = run.communicate()  # of the workers too, which have the same standard error
    assert run.returncode in (0, 1, 130)  # the run may have come to its end before
    kept = any((tmp_path / left / ASK).exists() for left in units.left_behind(tmp_path / "case"))
    assert said in ("", _STOPPED[kept])
    # One that was being started ends when its input does.
    assert any(_gone(run.pid) for _ in range(1_000))


_ANSWERS = """
import json, sys, time
for line in sys.stdin:
    told = {"unit": int(line)}
    if line == "0\\n":
        told[KIND] = {"what": "no room", "where": "/there", "hint": "Make some"}
    time.sleep(0.01)
    print(json.dumps(told), flush=True)
"""


@pytest.mark.parametrize(("kind", "met"), [("refused", LogError), ("failed", AuditError)])
def test_what_a_worker_says_is_said_as_it_is(
    kind: str, met: type[AuditError], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = _ANSWERS.replace("KIND", repr(kind))
    monkeypatch.setattr("audit.buckets.pool.WORKER", ("-c", script))
    with pytest.raises(AuditError) as told:
        list(run_in_processes(tmp_path, range(50), 2))
    assert type(told.value) is met
    assert str(told.value) == "/there: no room. Make some."


def test_units_of_a_log_that_is_refused_are_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "audit.buckets.pool.WORKER", ("-c", _ANSWERS.replace("KIND", repr("refused")))
    )
    done: list[int] = []
    with pytest.raises(LogError):
        done.extend(run_in_processes(tmp_path, range(1_000), 2))
    assert len(done) < 500


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:port"])
def test_a_cluster_that_does_not_answer_is_one_sentence(
    address: str, log: Path, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    line = [sys.executable, "-m", "audit", "run", str(log), "--case", str(tmp_path / "case")]
    done = subprocess.run(
        [*line, "--engine", "ray"],
        env={**units.ENVIRONMENT, "RAY_ADDRESS": address},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"RAY_ADDRESS={address}: the cluster cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_slots_depend_on_the_shoe_alone() -> None:
    rows = pl.DataFrame(
        {
            "casino": ["Jade", "Jade", "Jade", "玉"],
            "table_id": ["T1", "T1", "T1", None],
            "shoe_id": ["1", "2", "1", "3"],
        }
    )
    assert slots_in(rows).to_list() == [56421, 36319, 56421, None]


def test_every_row_is_in_one_unit(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.buckets.spill.UNIT", units.SMALL)
    # Pieces of few rows, and files that become larger, as those of a very large log.
    monkeypatch.setattr("audit.buckets.spill.PIECE", 7)
    monkeypatch.setattr("audit.buckets.spill.CHUNK", {"rounds": 50, "bets": 50})
    monkeypatch.setattr("audit.buckets.spill.FILES", 2)
    spill = Spill(tmp_path)
    read = take_in([log], None, spill)
    spill.close()
    assert any(len(chunk.pieces) > 3 for chunk in spill.chunks)
    cuts = ranges(spill.chunks)
    assert len(cuts) > 4
    assert [first for first, _ in cuts] == [0, *(last + 1 for _, last in cuts[:-1])]
    parts = [rows_of(spill.chunks, ROUNDS, first, last) for first, last in cuts]
    rows = [(r["source"], r["row"]) for part in parts for r in part.iter_rows(named=True)]
    keyless = sum(
        part.filter(pl.any_horizontal(pl.col("table_id", "shoe_id").is_null())).height
        for file in read.files
        if file.table is ROUNDS
        for part in file.unreadable
    )
    total = sum(file.rows for file in read.files if file.table is ROUNDS)
    assert len(rows) == len(set(rows)) == total - keyless


def test_few_units_are_as_many_for_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit.buckets.spill.UNIT", {"rounds": 128, "bets": 512})

    def cut(table: str, rows: int) -> list[int]:
        slots = pl.DataFrame({"slot": range(rows), "rows": 1})
        ways = ranges([Chunk(table, Path(), {}, slots, [])])
        assert [first for first, _ in ways] == [0, *(last + 1 for _, last in ways[:-1])]
        return [min(last, rows - 1) - first + 1 for first, last in ways]

    assert cut("rounds", 450) == [113, 113, 113, 111]
    assert cut("rounds", 600) == [76, 76, 76, 76, 76, 76, 76, 68]
    assert cut("bets", 450) == [113, 113, 113, 111]
    assert cut("rounds", 128 * 40) == [128] * 40


def test_sizes_and_their_refusals() -> None:
    assert size_of("2GB") == 2 << 30
    assert size_of("1.5 gib") == 3 << 29
    assert size_of("512M") == 512 << 20
    for wrong in ("2", "GB", "-1GB", "1e9MB"):
        with pytest.raises(OptionError, match="is not a size"):
            size_of(wrong)
    with pytest.raises(OptionError, match="1 GB at least"):
        Effort(memory=size_of("100MB"))
    assert Effort(jobs=8, memory=2 << 30).processes(100) == 2
    assert Effort(jobs=8, memory=16 << 30).processes(3) == 3


def test_one_moment_for_all_rounds_goes_through_the_files(
    tmp_path: Path,
) -> None:
    head = "table_id,shoe_id,round_no,started_at,player_cards,banker_cards"
    rows = [f"T1,S{n},1,2007-07-01 12:00,KS 9H,KD 7C" for n in range(40)]
    (tmp_path / "rounds.csv").write_text("\n".join([head, *rows]), encoding="utf-8")
    case = units.run(tmp_path / "rounds.csv", tmp_path / "case", units={"rounds": 10, "bets": 10})
    assert units.tables(case)["rounds"]["rows"] == 40
    assert set(pl.read_parquet(case / "rounds.parquet")["started_at"].dt.hour()) == {12}


def test_a_cluster_that_loses_a_node_gives_the_same_bytes(
    log: Path, cut: Path, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    case = units.run_in_cluster(log, tmp_path / "case")
    assert units.tables(case) == units.tables(cut)
