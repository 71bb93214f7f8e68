"""All parts of a log put together again: findings, figures, and what only all of them tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import polars as pl

from audit.buckets.unit import FRAMES, Part, Tally, load_tally
from audit.case import EVIDENCE, Pieces
from audit.checks import CHECKS
from audit.checks.base import Check, Over
from audit.checks.findings import PASSING, first_of_all
from audit.checks.runner import Result, make_checks, results
from audit.evidence import OUTCOME_KEY
from audit.normalise import strangers, unused
from audit.normalise.intake import Intake
from audit.normalise.log import account, refused_later, rejected
from audit.normalise.rejects import REJECTS
from audit.normalise.strangers import Strangers
from audit.normalise.unused import Unused
from audit.resolve import Rules, resolve_across
from audit.resolve.authority import first_of_days
from audit.resolve.rounds import KEY, SHOE_KEY


@dataclass(frozen=True)
class Audited:
    """A log after its audit, before a baseline is laid against it.

    ``rounds`` and ``bets`` are the evidence, in memory or in files.
    ``rulesets`` counts rounds by the index of their rule set, None for those before any;
    ``casinos`` and ``period`` say where and when. ``unused`` are the columns that nothing reads,
    ``strangers`` the rows of side tables that belong to no round.
    """

    rounds: pl.DataFrame | Pieces
    bets: pl.DataFrame | Pieces
    findings: pl.DataFrame
    rejects: pl.DataFrame
    at_stake: pl.DataFrame
    shoes: pl.DataFrame
    outcomes: pl.DataFrame
    sources: pl.DataFrame
    results: tuple[Result, ...]
    undecided: Mapping[str, int]
    rulesets: Mapping[int | None, int]
    period: tuple[datetime, datetime] | None
    unused: tuple[Unused, ...]
    strangers: tuple[Strangers, ...]

    @property
    def rows_read(self) -> int:
        """Rows of all tables together."""
        return int(self.sources["rows_read"].sum())

    @property
    def casinos(self) -> tuple[str, ...]:
        """Casinos with rounds in the log, sorted."""
        return tuple(self.shoes["casino"].unique().sort())


UNREADABLE = "unreadable"
"""A frame of parts whose units read the rows themselves: their rejects."""


@dataclass(frozen=True)
class Parts:
    """The parts of a log in their order: frames by name, the evidence, and their figures."""

    frames: Mapping[str, Sequence[pl.LazyFrame]]
    evidence: Mapping[str, pl.DataFrame | Pieces]
    tallies: Sequence[Tally]

    @classmethod
    def held(cls, part: Part) -> Parts:
        """One part, as it is in memory."""
        frames = {name: [part.frames[name].lazy()] for name in FRAMES}
        evidence = {name: part.frames[name] for name in EVIDENCE}
        return cls({**frames, UNREADABLE: []}, evidence, [part.tally])

    @classmethod
    def saved(cls, folders: Sequence[Path]) -> Parts:
        """Parts in their folders."""
        files = {name: [folder / f"{name}.parquet" for folder in folders] for name in EVIDENCE}
        frames = {
            name: [pl.scan_ipc(folder / f"{name}.arrow") for folder in folders]
            for name in (*FRAMES, UNREADABLE)
            if name not in EVIDENCE
        }
        frames |= {name: [pl.scan_parquet(path) for path in paths] for name, paths in files.items()}
        evidence = {name: Pieces(paths) for name, paths in files.items()}
        return cls(frames, evidence, [load_tally(folder) for folder in folders])

    def whole(self, name: str) -> pl.DataFrame:
        """One frame of all."""
        return pl.concat(self.frames[name]).collect()

    def unreadable(self) -> pl.DataFrame:
        """Rejects that the units found, where these read the rows themselves."""
        none = pl.LazyFrame(schema=REJECTS)
        return pl.concat([none, *self.frames[UNREADABLE]]).collect()

    def shoes(self) -> pl.DataFrame:
        """All shoes, with their places in the evidence of the whole log."""
        placed, rounds, bets = [], 0, 0
        for shoes, tally in zip(self.frames["shoes"], self.tallies, strict=True):
            places = (pl.col("rounds_from") + rounds, pl.col("bets_from") + bets)
            placed.append(shoes.with_columns(*places))
            rounds += sum(tally.audited["rounds"].values())
            bets += sum(tally.audited["bets"].values())
        return pl.concat(placed).collect().sort(SHOE_KEY)


def put_together(
    intake: Intake,
    small: Mapping[str, pl.DataFrame],
    again: Iterable[pl.DataFrame],
    parts: Parts,
    rules: Rules,
    selected: Sequence[Check],
) -> Audited:
    """The audited log. ``small`` has the tables that no unit has, ``again`` their duplicates."""
    intake = refused_later(intake, parts.unreadable())
    twice = parts.whole("duplicates").partition_by("table", maintain_order=True)
    out = rejected(intake, [*again, *twice])
    tallies = parts.tallies
    audited = {name: Counter[str]() for name in ("rounds", "bets")}
    for tally in tallies:
        for name, counts in tally.audited.items():
            audited[name].update(counts)
    kept = {name: dict(frame.group_by("source").len().iter_rows()) for name, frame in small.items()}
    sources = account(intake, {**kept, **audited}, out)
    shoes = parts.shoes()
    days = first_of_days([parts.whole("days")])
    across = resolve_across(days, shoes, out, small["authorisations"], rules)
    frames: dict[Over, pl.DataFrame] = {
        "uses": across.uses,
        "requests": across.requests,
        "rejects": across.rejects,
    }
    made = make_checks(CHECKS, frames, intake.present, rules)
    wanted = [check.code for check in selected]
    findings = first_of_all(pl.concat([parts.whole("findings"), made.findings.drop("rid")]))
    number = dict(findings.group_by("code").len().iter_rows())
    rows: dict[str, int] = {name: frame.height for name, frame in frames.items()}
    rows |= {name: counts.total() for name, counts in audited.items()}
    done = [*(tally.accounts for tally in tallies), made.accounts]
    found = findings.filter(pl.col("code").is_in(wanted)).drop(PASSING, strict=False)
    return Audited(
        rounds=parts.evidence["rounds"],
        bets=parts.evidence["bets"],
        findings=_timed(found, pl.concat(parts.frames["rounds"])),
        rejects=across.rejects,
        at_stake=parts.whole("at_stake").sort(KEY, maintain_order=True),
        shoes=shoes.drop("first_round"),
        outcomes=parts.whole("outcomes").group_by(OUTCOME_KEY).sum().sort(OUTCOME_KEY),
        sources=sources,
        results=results(CHECKS, selected, done, number, intake.present, rows),
        undecided=_added([*(tally.undecided for tally in tallies), across.undecided]),
        rulesets=_rulesets(tallies),
        period=_period(tallies),
        unused=unused.of(intake.files),
        strangers=strangers.strangers(small, shoes, out),
    )


def _timed(findings: pl.DataFrame, rounds: pl.LazyFrame) -> pl.DataFrame:
    """Findings with the start of their round, also those on a row that was refused beside it."""
    untimed = pl.col("started_at").is_null() & pl.col("round_no").is_not_null()
    lost = findings.filter(untimed).select(KEY).unique()
    if lost.is_empty():
        return findings
    # A join alone would hold all rounds of the log.
    starts = rounds.filter(pl.col("shoe_id").is_in(lost["shoe_id"].unique().implode()))
    starts = starts.select(*KEY, pl.col("started_at").alias("start"))
    found = starts.join(lost.lazy(), on=KEY, how="semi").unique(KEY).collect(engine="streaming")
    timed = findings.join(found, on=KEY, how="left", maintain_order="left")
    return timed.with_columns(pl.coalesce("started_at", "start").alias("started_at")).drop("start")


def _added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for each in counts:
        for name, number in each.items():
            total[name] = total.get(name, 0) + number
    return total


def _rulesets(tallies: Sequence[Tally]) -> dict[int | None, int]:
    total = _added([tally.rulesets for tally in tallies])
    known = {int(rs) if rs else None: number for rs, number in total.items()}
    return dict(sorted(known.items(), key=lambda each: -1 if each[0] is None else each[0]))


def _period(tallies: Sequence[Tally]) -> tuple[datetime, datetime] | None:
    periods = [tally.period for tally in tallies if tally.period]
    return (min(a for a, _ in periods), max(b for _, b in periods)) if periods else None
