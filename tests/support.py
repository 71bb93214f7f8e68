"""Small logs inside a test: CSV text in, flat rows of findings out.

A table may leave out what the test is not about. Then ``table_id`` is T1, ``shoe_id`` S1,
``round_no`` the number of the row (for bets: 1), ``started_at`` noon of ``DAY`` and forty seconds
more for each round number; ``stake`` is 100. A table that names all of these is written as it is.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from textwrap import dedent
from typing import Any
from unittest.mock import patch

import polars as pl

from audit import pipeline
from audit.pipeline import Job
from audit.resolve import Options
from audit.resolve.options import Rounding
from audit.summary import Summary

DAY = "2007-07-01"
"""A day of the newest rule set, 64-2007, to which no later act is known to apply."""

NATURAL = "KS 9H / KD 7C"
"""Player wins 9 to 7, no third card, no pair. Hands are written ``player / banker``."""
BANKER_WINS = "KS 6H / KD 7C"
BANKER_SIX = "2S 2H 10D / KD 6C"
PLAYER_WINS = "KS 7H / KD 6C"
TIE = "KS 7H / KD 7C"

_load_rulebook = lru_cache(pipeline.load_rulebook)


@dataclass(frozen=True)
class Audit:
    """A run kept in memory: its figures and every table of its case."""

    summary: Summary
    tables: Mapping[str, pl.DataFrame]

    def rows(self, *columns: str) -> list[tuple[Any, ...]]:
        """The findings in their order, as tuples of the columns, money as plain text."""
        return [
            tuple(plain(value) for value in row)
            for row in self.tables["findings"].select(columns).iter_rows()
        ]

    def examined(self, code: str) -> int:
        """Rows at which the check ``code`` looked."""
        checks = self.tables["checks"].filter(pl.col("code") == code)
        return int(checks["examined"].item())


def audited(
    rounds: str,
    bets: str = "",
    shoes: str = "",
    *,
    show: str = "round_no code",
    day: str = DAY,
    **options: Any,
) -> list[tuple[Any, ...]]:
    """The findings of a small log as flat rows of the columns that ``show`` names.

    ``options`` are those of ``run_files``.
    """
    files = {"rounds.csv": rounds, "bets.csv": bets, "shoes.csv": shoes}
    return run_files(files, day=day, **options).rows(*show.split())


def run_files(files: Mapping[str, str], *, day: str = DAY, **options: Any) -> Audit:
    """Audit the given files, by name; empty text is no file. Nothing of the run stays on disk.

    ``options``: ``rules``, ``decks``, ``commission``, ``rounding`` ("1,down"), ``interpret``,
    ``select``, ``ignore``, ``fail_on``, ``rules_dir``.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "log"
        folder.mkdir()
        for name, text in files.items():
            if text:
                (folder / name).write_text(complete(name, text, day), encoding="utf-8")
        return run_folder(folder, **options)


def run_folder(folder: Path | Sequence[Path], **options: Any) -> Audit:
    """Audit a folder of tables (or a list of paths) without writing a case."""
    paths = [folder] if isinstance(folder, Path) else list(folder)
    rounding = options.pop("rounding", None)
    chosen = Options(
        rules=options.pop("rules", "auto"),
        decks=options.pop("decks", None),
        commission=options.pop("commission", None),
        rounding=rounding and Rounding.parse(rounding),
        interpret=options.pop("interpret", {}),
    )
    kept: dict[str, pl.DataFrame] = {}

    def keep(
        _: Path, tables: Mapping[str, pl.DataFrame | pl.LazyFrame], *__: Any, **___: Any
    ) -> str:
        kept.update((name, table.lazy().collect()) for name, table in tables.items())
        return "in memory"

    job = Job(paths, paths[0].parent / "no-case", options=chosen, **options)
    with (
        patch.object(pipeline, "write_case", keep),
        patch.object(pipeline, "load_rulebook", _load_rulebook),
    ):
        return Audit(pipeline.run_audit(job), kept)


def hands(*rounds: str) -> str:
    """A rounds table of hands, ``player / banker``; ``""`` for one without cards.

    Further columns follow after more slashes, named in front: ``kind outcome: a / b / c / d``.
    """
    names = ["player_cards", "banker_cards"]
    if rounds[0].endswith(":"):
        names += rounds[0][:-1].split()
        rounds = rounds[1:]
    rows = [[cell.strip() for cell in each.split("/")] for each in rounds]
    return "\n".join(",".join(row + [""] * (len(names) - len(row))) for row in [names, *rows])


def complete(name: str, text: str, day: str = DAY) -> str:
    """The CSV text with the columns that it leaves out; other files are taken as they are."""
    text = dedent(text).strip("\n") + "\n"
    fillers = _fillers(name, day)
    header = text.splitlines()[0].split(",")
    if not name.endswith(".csv") or all(column in header for column in fillers):
        return text
    out = io.StringIO()
    records = list(csv.DictReader(io.StringIO(text)))
    absent = [column for column in fillers if column not in header]
    writer = csv.DictWriter(out, [*absent, *header], lineterminator="\n")
    writer.writeheader()
    for number, record in enumerate(records, 1):
        for column in absent:
            record[column] = fillers[column](number, record)
        writer.writerow(record)
    return out.getvalue()


Filler = Callable[[int, Mapping[str, str]], str]


def _fillers(name: str, day: str) -> dict[str, Filler]:
    place: dict[str, Filler] = {"table_id": lambda *_: "T1", "shoe_id": lambda *_: "S1"}
    if name.startswith("rounds"):
        return {
            **place,
            "round_no": lambda number, _: str(number),
            "started_at": lambda _, record: moment(day, int(record["round_no"])),
        }
    if name.startswith("bets"):
        return {**place, "round_no": lambda *_: "1", "stake": lambda *_: "100"}
    return place if name.startswith("shoes") else {}


def moment(day: str, number: int) -> str:
    """Start of a round by its number."""
    noon = datetime.fromisoformat(f"{day} 12:00:00")
    return str(noon + timedelta(seconds=40 * number))


def plain(value: Any) -> Any:
    """Decimals as text without trailing zeros: ``-2.5``."""
    return f"{value.normalize():f}" if isinstance(value, Decimal) else value
