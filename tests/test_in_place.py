"""Parquet files in which shoes follow one another: the same case as in one go, and as spilled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests import units, ways

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
    folder: Path, files: Mapping[str, pl.DataFrame], way: str = "in place", **options: Any
) -> ways.Made:
    """What a log gives by its own ``way``, which is what it gives in one go."""
    written = ways.write(folder / "log", files)
    made, whole = ways.audit(written, **options), ways.audit(written, "one go", **options)
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


def test_a_table_of_csv_is_spilled(log: Files, tmp_path: Path) -> None:
    files = {name: frame for name, frame in log.items() if name != "bets.parquet"}
    same(tmp_path, files | {"bets.csv": log["bets.parquet"]}, "spill")


def test_a_small_log_stays_in_memory(log: Files, tmp_path: Path) -> None:
    large = {"rounds": 320, "bets": 10**6}
    assert ways.audit(ways.write(tmp_path / "log", log), units=large).way == "one go"
