"""Foreign logs for the tests of profiles: files and a profile in, a log or an audit out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from audit.cards import TEXT
from audit.normalise import Log, read_log
from audit.profile import load_profile
from tests.support import Audit, run_folder

PLACE = """
table_id = "t"
shoe_id = "s"
round_no = "n"
started_at = "at"
"""
"""Columns of a foreign rounds table of the tests."""

BETS = """
[bets]
files = "bets.csv"
{keys}
[bets.columns]
table_id = "t"
shoe_id = "s"
round_no = "n"
bet = "on"
stake = "staked"
paid = "got"
{columns}
"""
"""A foreign bets table; ``keys`` and ``columns`` add to it."""


def profile(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(dedent(text), encoding="utf-8")
    return path


def folder_of(folder: Path, files: Mapping[str, str]) -> Path:
    log = folder / "log"
    for name, text in files.items():
        (log / name).parent.mkdir(parents=True, exist_ok=True)
        (log / name).write_text(dedent(text).strip("\n") + "\n", encoding="utf-8")
    return log


def read(folder: Path, toml: str, **files: str) -> Log:
    """A log of CSV tables by name, read by a profile."""
    log = folder_of(folder, {f"{name}.csv": text for name, text in files.items()})
    return read_log([log], load_profile(profile(folder, toml)))


def audit(folder: Path, toml: str, files: Mapping[str, str], **options: Any) -> Audit:
    log = folder_of(folder, files)
    return run_folder(log, profile=profile(folder, toml), **options)


def rounds(columns: str, keys: str = "", tables: str = "") -> str:
    """A profile of ``rounds.csv`` with more ``columns``, ``keys`` of [rounds] and ``tables``."""
    return f'[rounds]\nfiles = "rounds.csv"\n{keys}\n[rounds.columns]{PLACE}\n{columns}\n{tables}\n'


def hands(log: Log) -> list[tuple[str, str]]:
    """Player's and Banker's cards of each round, in canonical text."""
    frame = log.tables["rounds"]

    def text(*codes: int | None) -> str:
        return " ".join(TEXT[code] for code in codes if code is not None)

    return [
        (text(*player), text(*banker))
        for player, banker in zip(
            frame.select("p1", "p2", "p3").rows(),
            frame.select("b1", "b2", "b3").rows(),
            strict=True,
        )
    ]


def faults(log: Log) -> list[tuple[int, str | None, str | None, str]]:
    return log.rejects.select("row", "column", "text", "reason").rows()
