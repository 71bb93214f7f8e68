"""The folder in which a large log is worked on: what the units need, what came out of them.

It lies hidden beside the case, is gone when the case is written, and is what ``--resume`` goes on
from. All files appear whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from audit.buckets.in_place import InPlace, Lying
from audit.buckets.slots import slots_in, slots_of
from audit.buckets.spill import Chunk, room_for, rows_of, write_rows
from audit.buckets.unit import Around, run_unit, save_part
from audit.normalise.rejects import REJECTS
from audit.resolve import Options, Rules
from audit.resolve.options import Rounding
from audit.resolve.places import as_they_lie
from audit.resolve.rounds import SHOE_KEY
from audit.rulebook import load_rulebook
from audit.schema import BETS, ROUNDS, SHOES
from audit.sources.pieces import Piece

ASK = "ask.json"


@dataclass(frozen=True)
class Spilled:
    """A log in files of slots, of which each unit has a range: first and last."""

    chunks: Sequence[Chunk]
    ranges: Sequence[tuple[int, int]]

    def rows(self, unit: int) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
        """Typed rounds and bets of a unit; what could not be read is known already."""
        rounds, bets = (rows_of(self.chunks, each, *self.ranges[unit]) for each in (ROUNDS, BETS))
        return rounds, bets, pl.DataFrame(schema=REJECTS)

    def units_of(self, shoes: pl.DataFrame) -> pl.Series:
        """The unit that each of some shoes is in."""
        starts = pl.Series([first for first, _ in self.ranges], dtype=pl.UInt16)
        return starts.search_sorted(slots_in(shoes).fill_null(0), side="right") - 1


def units_of(rows: Spilled | InPlace) -> int:
    """How many units there are."""
    return len(rows.units if isinstance(rows, InPlace) else rows.ranges)


@dataclass(frozen=True)
class Ask:
    """Where the rows of a log are, and all that its units need besides."""

    rows: Spilled | InPlace
    present: Mapping[str, frozenset[str]]
    options: Options
    rules_dir: Path | None


def part_folder(folder: Path, number: int) -> Path:
    """Where the part of a unit is, once it is done."""
    return folder / f"unit-{number:05}"


def write_ask(folder: Path, ask: Ask, small: Mapping[str, pl.DataFrame], homes: pl.Series) -> None:
    """Write everything that a worker needs; the last file says that all is there.

    ``homes`` has the unit of each row of ``shoes``: a unit reads no others, of which a long log
    has very many.
    """
    for name, frame in small.items():
        write_rows(frame, folder / f"small-{name}.arrow")
    shoes = small[SHOES.name]
    order = homes.arg_sort(nulls_last=True)
    sorted_homes = homes.gather(order).drop_nulls()
    for unit in range(units_of(ask.rows)):
        first, end = (sorted_homes.search_sorted(unit, side=side) for side in ("left", "right"))
        # In the order of the log, whatever order the sorting left equal ones in.
        mine = shoes[order.slice(first, end - first).sort()]
        write_rows(mine, folder / f"shoes-{unit:05}.arrow")
    told = {
        **_told_of(ask.rows, folder),
        "present": {name: sorted(columns) for name, columns in ask.present.items()},
        "options": asdict(ask.options),
        "rules_dir": str(ask.rules_dir.resolve()) if ask.rules_dir else None,
        "small": [name for name in small if name != SHOES.name],
    }
    write_whole(folder / ASK, told)


def _told_of(rows: Spilled | InPlace, folder: Path) -> dict[str, Any]:
    if isinstance(rows, InPlace):
        files = [{**asdict(file), "path": _place_of(file.path, folder)} for file in rows.files]
        return {"files": files, "units": rows.units}
    for chunk in rows.chunks:
        write_rows(chunk.slots, chunk.path.with_suffix(".slots"))
    chunks = [
        {
            "table": chunk.table,
            "name": chunk.path.name,
            "constant": dict(chunk.constant),
            "pieces": list(chunk.pieces),
        }
        for chunk in rows.chunks
    ]
    return {"chunks": chunks, "ranges": rows.ranges}


def _place_of(path: Path, folder: Path) -> str:
    """A path as all workers find it; that of a copy without its folder, which --resume renames."""
    whole = path.resolve()
    return whole.name if whole.parent == folder.resolve() else str(whole)


def _rows_as_told(folder: Path, told: Mapping[str, Any]) -> Spilled | InPlace:
    if "files" in told:
        files = [
            Lying(
                each["table"],
                folder / each["path"],
                each["name"],
                tuple(each["stamp"]),
                [Piece(*piece) for piece in each["pieces"]],
            )
            for each in told["files"]
        ]
        return InPlace(files, [[tuple(each) for each in unit] for unit in told["units"]])
    chunks = [
        Chunk(
            each["table"],
            folder / each["name"],
            each["constant"],
            pl.read_ipc((folder / each["name"]).with_suffix(".slots")),
            each["pieces"],
        )
        for each in told["chunks"]
    ]
    return Spilled(chunks, [(int(first), int(last)) for first, last in told["ranges"]])


def few_columns(shoes: pl.DataFrame) -> pl.DataFrame:
    """What is asked of the table of shoes once each unit has its part: which are there, where."""
    return shoes.select(*SHOE_KEY, "source", "row")


def all_shoes(folder: Path) -> pl.DataFrame:
    """``few_columns`` of the table of shoes."""
    return few_columns(pl.read_ipc(folder / f"small-{SHOES.name}.arrow"))


def write_whole(path: Path, told: Mapping[str, Any]) -> None:
    """Write JSON so that it is there whole or not at all."""
    building = path.with_name(f".{path.name}")
    with room_for(path):
        building.write_text(json.dumps(told), encoding="utf-8")
        building.replace(path)


def share(folder: Path, rows: InPlace) -> None:
    """Have the files of a log in ``folder``, where all machines of a cluster see them."""
    if all(file.path.parent == folder for file in rows.files):
        return
    told = json.loads((folder / ASK).read_text(encoding="utf-8"))
    write_whole(folder / ASK, {**told, **_told_of(rows.copied(folder), folder)})


class Workshop:
    """A folder of work as a worker sees it: any unit of it can be done, in any order."""

    def __init__(self, folder: Path) -> None:
        told = json.loads((folder / ASK).read_text(encoding="utf-8"))
        options, rounding = told["options"], told["options"]["rounding"]
        self.folder = folder
        self.rows = _rows_as_told(folder, told)
        asked = Options(**{**options, "rounding": Rounding(**rounding) if rounding else None})
        rules_dir = Path(told["rules_dir"]) if told["rules_dir"] else None
        self.around = Around(
            {name: pl.read_ipc(folder / f"small-{name}.arrow") for name in told["small"]},
            {name: frozenset(columns) for name, columns in told["present"].items()},
            Rules.of(load_rulebook(rules_dir), asked),
            asked,
            order=slots_of if isinstance(self.rows, Spilled) else as_they_lie,
        )

    def around_of(self, number: int) -> Around:
        """What a unit needs beside its rows, its own shoes among it."""
        shoes = pl.read_ipc(self.folder / f"shoes-{number:05}.arrow")
        return replace(self.around, small={**self.around.small, SHOES.name: shoes})

    def do(self, number: int) -> None:
        """Audit a unit and keep its part; nothing is done where it is there already."""
        target = part_folder(self.folder, number)
        if target.exists():
            return
        rounds, bets, unreadable = self.rows.rows(number)
        part = run_unit(rounds, bets, self.around_of(number))
        save_part(replace(part, frames={**part.frames, "unreadable": unreadable}), target)
