"""One unit: its rows sorted out, resolved and checked, and what comes out of that."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from audit.buckets.spill import room_for
from audit.case import EVIDENCE, write_evidence
from audit.checks import CHECKS
from audit.checks.base import Over
from audit.checks.runner import Account, make_checks
from audit.evidence import bets_evidence, outcomes_of, rounds_evidence, shoes_of
from audit.normalise import duplicates
from audit.normalise.log import audited_of
from audit.normalise.rejects import REJECTS
from audit.normalise.rows import READABLE
from audit.resolve import Options, Rules, resolve_shoes
from audit.resolve.frames import beginnings
from audit.resolve.places import Order, by_name, places
from audit.resolve.rounds import SHOE_KEY
from audit.schema import BETS, ROUNDS

FRAMES = ("rounds", "bets", "findings", "duplicates", "days", "at_stake", "shoes", "outcomes")
_TALLY = "tally.json"


@dataclass(frozen=True)
class Around:
    """What is the same for all units: the small tables, what the log has, rules and options.

    ``order`` is that of the shoes in the evidence.
    """

    small: Mapping[str, pl.DataFrame]
    present: Mapping[str, frozenset[str]]
    rules: Rules
    options: Options
    order: Order = by_name


@dataclass(frozen=True)
class Tally:
    """The figures of a unit.

    ``accounts`` by code of check; ``rulesets`` rounds by index of the rule set, under "" those
    before any; ``period`` first and last start; ``audited`` rows kept by table and file.
    """

    accounts: Mapping[str, Account]
    undecided: Mapping[str, int]
    rulesets: Mapping[str, int]
    period: tuple[datetime, datetime] | None
    audited: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Part:
    """What came out of one unit: the ``FRAMES`` by name, and its figures."""

    frames: Mapping[str, pl.DataFrame]
    tally: Tally


def run_unit(rounds: pl.DataFrame, bets: pl.DataFrame, around: Around) -> Part:
    """Audit the typed rows of whole shoes, in the order of the log; they are used up."""
    place, bet_place = places((rounds, bets), around.order)
    unreadable = place.filter(~rounds[READABLE]).drop_nulls().to_frame()
    split = {
        "rounds": duplicates.take_out(ROUNDS, rounds, place),
        "bets": duplicates.take_out(BETS, bets, bet_place),
    }
    tables = {**around.small, **{name: each.kept for name, each in split.items()}}
    twice = [each.duplicates for each in split.values() if each.duplicates is not None]
    audited = {name: audited_of(each.kept) for name, each in split.items()}
    del split
    resolved = resolve_shoes(tables, unreadable, around.present, around.rules, around.options)
    looked_at: dict[Over, pl.DataFrame] = {
        "rounds": resolved.rounds,
        "bets": resolved.bets.rows,
        "cases": resolved.bets.cases,
    }
    made = make_checks(CHECKS, looked_at, around.present, around.rules)
    starts = resolved.rounds["started_at"]
    tally = Tally(
        accounts=made.accounts,
        undecided=resolved.undecided,
        rulesets=_rulesets(resolved.rounds),
        period=(starts.min(), starts.max()) if starts.len() else None,  # type: ignore[arg-type]
        audited=audited,
    )
    frames = {
        "rounds": rounds_evidence(resolved.rounds),
        "bets": bets_evidence(resolved.bets),
        "findings": made.findings.drop("rid"),
        "duplicates": pl.concat([pl.DataFrame(schema=REJECTS), *twice]),
        "days": resolved.days,
        "at_stake": resolved.at_stake,
        "shoes": shoes_of(resolved.rounds),
        "outcomes": outcomes_of(resolved.rounds),
    }
    frames["shoes"] = _with_places(frames["shoes"], frames["bets"])
    return Part(frames, tally)


def _with_places(shoes: pl.DataFrame, bets: pl.DataFrame) -> pl.DataFrame:
    """``rounds_from`` and ``bets_from``: rows of the evidence, from 0, at which a shoe begins.

    Its rounds follow one another, and so do its bets, but for those without a round.
    """
    begin = beginnings(bets, SHOE_KEY)
    begins = (
        bets.select(pl.col(SHOE_KEY).gather(begin).cast(pl.String))
        .with_columns(begin.alias("bets_from"))
        .unique(SHOE_KEY, keep="first")
    )
    first = pl.col("rounds").cum_sum() - pl.col("rounds")
    placed = shoes.with_columns(first.cast(pl.Int64).alias("rounds_from"))
    return placed.join(begins, on=SHOE_KEY, how="left", maintain_order="left").with_columns(
        pl.col("bets_from").cast(pl.Int64)
    )


def _rulesets(rounds: pl.DataFrame) -> dict[str, int]:
    counts = (
        rounds["rs"].rle().struct.unnest().group_by("value").agg(pl.col("len").sum()).iter_rows()
    )
    return {"" if rs is None else str(rs): number for rs, number in counts}


def save_part(part: Part, folder: Path) -> None:
    """Write a part as a folder, whole or not at all."""
    # A name of its own: on a cluster a unit may be done by two machines at once.
    with room_for(folder):
        building = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        for name, frame in part.frames.items():
            if name in EVIDENCE:
                write_evidence(frame, building / f"{name}.parquet")
            else:
                frame.write_ipc(building / f"{name}.arrow", compression="lz4")
        tally = json.dumps(asdict(part.tally), default=str)
        (building / _TALLY).write_text(tally, encoding="utf-8")
        building.chmod(0o755)
    try:
        building.rename(folder)
    except OSError:
        if not folder.exists():
            raise
        shutil.rmtree(building)  # another one was quicker, and its part is the same


def load_tally(folder: Path) -> Tally:
    """The figures of a part that was saved."""
    told: dict[str, Any] = json.loads((folder / _TALLY).read_text(encoding="utf-8"))
    first, last = map(datetime.fromisoformat, told["period"]) if told["period"] else (None, None)
    return Tally(
        accounts={code: Account(**each) for code, each in told["accounts"].items()},
        undecided=told["undecided"],
        rulesets=told["rulesets"],
        period=(first, last) if first and last else None,
        audited=told["audited"],
    )
