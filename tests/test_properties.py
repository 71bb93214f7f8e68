"""The whole chain on generated logs: planted faults come back, and nothing else does.

The second half asks what must not matter: the order of rows, how they are spread over files, the
kind of file, the order of the checks.
"""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path
from random import Random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.checks.runner import make_checks
from audit.sample import Options, write_sample
from tests.faults import FAULTS
from tests.planting import Found, Log
from tests.support import Audit, run_folder

SAMPLES = {
    "2007": Options(rounds=260, seed=5, tables=4, days=3),
    "2006": Options(rounds=200, seed=8, tables=3, start=date(2006, 3, 1), days=2),
    "2004": Options(rounds=150, seed=2, tables=2, start=date(2004, 6, 1), days=2),
}
COMPARED = (
    "code", "severity", "casino", "table_id", "shoe_id", "round_no", "bet_id", "subject", "amount",
)  # fmt: skip


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Clean logs, made once."""
    folder = tmp_path_factory.mktemp("samples")
    for name, options in SAMPLES.items():
        write_sample(folder / name, options)
    return {name: folder / name for name in SAMPLES}


def found(audit: Audit) -> list[Found]:
    return sorted(tuple("" if c is None else c for c in row) for row in audit.rows(*COMPARED))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_clean_log_gives_no_finding(samples: dict[str, Path], name: str) -> None:
    assert found(run_folder(samples[name])) == []


salts = st.integers(0, 10**6)


@given(
    name=st.sampled_from(sorted(SAMPLES)),
    faults=st.lists(st.tuples(st.sampled_from(FAULTS), salts), min_size=1, max_size=25),
)
@settings(max_examples=30)
def test_planted_faults_come_back_and_no_others(
    samples: dict[str, Path], tmp_path_factory: pytest.TempPathFactory, name: str, faults: list
) -> None:
    log = Log.read(samples[name])
    rounds = list(log.rounds)
    for fault, salt in faults:
        # The first round from a random one on that lends itself to the fault; each is used once.
        salt = Random(salt).randrange(10**9)
        start = salt % len(rounds)
        for row in [*rounds[start:], *rounds[:start]]:
            if fault(log, row, salt):
                rounds = [each for each in rounds if each is not row]
                break
    folder = tmp_path_factory.mktemp("planted") / "log"
    log.write(folder, samples[name])
    assert found(run_folder(folder)) == log.expected()


# What must not matter

MOVES = ("row", "source", "subject", "message", "evidence")
"""Columns that say where a row stands; the id of a finding must not depend on it."""


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with faults of every kind that the generator knows."""
    folder = tmp_path_factory.mktemp("faulty") / "log"
    write_sample(folder, Options(rounds=600, seed=11, faults=0.15, tables=4))
    (folder / "faults.csv").unlink()
    return folder


@pytest.fixture(scope="session")
def judged(faulty: Path) -> pl.DataFrame:
    audit = run_folder(faulty)
    findings = audit.tables["findings"]
    assert findings["code"].n_unique() > 20
    assert findings["id"].is_unique().all()
    return findings


def same(findings: pl.DataFrame, others: pl.DataFrame, but: tuple[str, ...] = ()) -> bool:
    kept = [name for name in findings.columns if name not in but]
    return findings.select(kept).sort(kept).equals(others.select(kept).sort(kept))


def copied(source: Path, target: Path) -> Path:
    target.mkdir()
    for path in source.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    return target


def test_the_same_log_twice(faulty: Path, judged: pl.DataFrame) -> None:
    assert judged.equals(run_folder(faulty).tables["findings"])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_order_of_rows(faulty: Path, judged: pl.DataFrame, tmp_path: Path, seed: int) -> None:
    folder = copied(faulty, tmp_path / "log")
    seconds = set()
    for path in folder.glob("*.csv"):
        header, *rows = path.read_text(encoding="utf-8").splitlines()
        Random(seed).shuffle(rows)
        path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    found = run_folder(folder).tables["findings"]
    # Which of two different rows for one key is the first one is a matter of order: such rounds
    # and bets are left out, and what follows from them in their shoe.
    for findings in (judged, found):
        twice = findings.filter(pl.col("code").is_in(["L02", "L11"]))
        seconds |= set(twice.select("table_id", "shoe_id").iter_rows())
    left = [
        findings.filter(
            [(row["table_id"], row["shoe_id"]) not in seconds for row in findings.to_dicts()]
        )
        for findings in (judged, found)
    ]
    assert left[0].height > 30
    assert same(*left, but=MOVES)


def test_rounds_in_two_files(faulty: Path, judged: pl.DataFrame, tmp_path: Path) -> None:
    folder = copied(faulty, tmp_path / "log")
    header, *rows = (folder / "rounds.csv").read_text(encoding="utf-8").splitlines()
    (folder / "rounds.csv").unlink()
    half = len(rows) // 2
    for name, part in (("rounds-1.csv", rows[:half]), ("rounds-2.csv", rows[half:])):
        (folder / name).write_text("\n".join([header, *part]) + "\n", encoding="utf-8")
    assert same(judged, run_folder(folder).tables["findings"], but=MOVES)


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "tsv"])
def test_the_kind_of_file(faulty: Path, judged: pl.DataFrame, tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "log"
    folder.mkdir()
    for path in faulty.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        frame = pl.DataFrame(rows, schema=dict.fromkeys(rows[0], pl.String))
        target = folder / f"{path.stem}.{kind}"
        if kind == "parquet":
            frame.write_parquet(target)
        elif kind == "jsonl":
            frame.write_ndjson(target)
        else:
            frame.write_csv(target, separator="\t")
    others = run_folder(folder).tables["findings"]
    assert same(judged, others, but=("source", "subject"))
    ends = (findings["subject"].str.replace(r"\.\w+:", ":") for findings in (judged, others))
    assert len({tuple(subjects) for subjects in ends}) == 1


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_the_checks(
    faulty: Path, judged: pl.DataFrame, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    def shuffled(checks, frames, present, rules):
        return make_checks(Random(seed).sample(checks, len(checks)), frames, present, rules)

    for module in ("unit", "whole"):
        monkeypatch.setattr(f"audit.buckets.{module}.make_checks", shuffled)
    assert judged.equals(run_folder(faulty).tables["findings"])


@pytest.mark.parametrize("prefixes", [("A05", "A1302"), ("A09",), ("L", "A18")])
def test_some_of_the_checks(faulty: Path, judged: pl.DataFrame, prefixes: tuple[str, ...]) -> None:
    alone = run_folder(faulty, select=prefixes).tables["findings"]
    chosen = pl.any_horizontal(pl.col("code").str.starts_with(prefix) for prefix in prefixes)
    assert alone.equals(judged.filter(chosen))
    others = run_folder(faulty, ignore=prefixes).tables["findings"]
    assert others.equals(judged.filter(~chosen))
