"""Which files of a folder are tables of the log."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from audit.errors import LogError
from audit.sources import SUFFIXES, discover


def names(*paths: Path) -> list[tuple[str, str]]:
    return [(found.name, found.table) for found in discover(paths, SUFFIXES).files]


def touch(folder: Path, *files: str) -> Path:
    for file in files:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    return folder


def test_files_of_a_folder(tmp_path: Path) -> None:
    log = touch(
        tmp_path,
        "rounds.csv",
        "Rounds-2007-07.CSV",
        "rounds_2.tsv",
        "rounds2007.parquet",
        "bets/b.parquet",
        "bets/a.parquet",
        "bets/README.md",
        "jackpot_prizes.jsonl",
        "expected.csv",
        "roundsman.csv",
        "rounds.txt",
        ".rounds.csv",
        "other/rounds.csv",
        "README.md",
    )
    found = discover([log], SUFFIXES)
    assert [(file.name, file.table) for file in found.files] == [
        ("Rounds-2007-07.CSV", "rounds"),
        ("bets/a.parquet", "bets"),
        ("bets/b.parquet", "bets"),
        ("jackpot_prizes.jsonl", "jackpot_prizes"),
        ("rounds.csv", "rounds"),
        ("rounds2007.parquet", "rounds"),
        ("rounds_2.tsv", "rounds"),
    ]
    assert found.ignored == (
        ".rounds.csv",
        "README.md",
        "bets/README.md",
        "expected.csv",
        "other/",
        "rounds.txt",
        "roundsman.csv",
    )


def test_single_files(tmp_path: Path) -> None:
    log = touch(tmp_path, "rounds.csv", "bets-1.csv", "rounds/1.csv", "bets/1.csv")
    assert names(log / "rounds.csv", log / "bets-1.csv") == [
        ("bets-1.csv", "bets"),
        ("rounds.csv", "rounds"),
    ]
    assert names(log / "rounds/1.csv", log / "bets/1.csv") == [
        ("bets/1.csv", "bets"),
        ("rounds/1.csv", "rounds"),
    ]
    assert names(log / "rounds.csv", log / "rounds.csv") == [("rounds.csv", "rounds")]
    assert names(log / "rounds") == [("1.csv", "rounds")]


@pytest.mark.parametrize(
    ("files", "given_paths", "found"),
    [
        ([], ["missing"], "no such file"),
        ([], [], "no log was given"),
        (["bets.csv"], ["."], "no rounds table (found: bets.csv)"),
        (["data.csv"], ["."], "no rounds table (found: no table)"),
        (["data.csv"], ["data.csv"], "does not say which table"),
        (["rounds.doc"], ["rounds.doc"], "ending '.doc'"),
        (["a/rounds.csv", "b/rounds.csv"], ["a", "b"], "are the rounds table"),
        (["rounds.csv", "rounds.parquet"], ["."], "are the rounds table"),
    ],
)
def test_what_is_no_log(
    tmp_path: Path, files: list[str], given_paths: list[str], found: str
) -> None:
    touch(tmp_path, *files)
    with pytest.raises(LogError) as caught:
        discover([tmp_path / path for path in given_paths], SUFFIXES)
    assert found in caught.value.sentence()


def test_a_name_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/rounds-\xff.csv"))
    try:
        path.write_text("table_id\n", encoding="utf-8")
    except OSError:
        pytest.skip("this disk has no such names")
    for given in (tmp_path, path):
        with pytest.raises(LogError, match=r"rounds-.*its path is no UTF-8 text") as told:
            discover([given], SUFFIXES)
        str(told.value).encode()  # can be printed
