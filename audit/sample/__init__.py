"""Synthetic logs: real shoes dealt by the law, bets paid by it, and faults planted on demand.

A log without faults gives no finding; one with faults comes with ``faults.csv``, whose rows
are the findings that it must give, and no others.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from random import Random

from audit import schema
from audit.errors import OptionError
from audit.sample.bets import POOL_START
from audit.sample.faults import Planter
from audit.sample.house import (
    FEWEST_ROUNDS,
    SHOE_SECONDS,
    Options,
    Table,
    authorisation_rows,
    limit_rows,
    make_tables,
    prize_rows,
)
from audit.sample.shoes import deal_shoe
from audit.sample.writing import LogWriter

__all__ = ["Options", "Written", "write_sample"]


@dataclass(frozen=True, slots=True)
class Written:
    """What a sample log holds: rows by table, and the number of findings that it must give."""

    rounds: int
    bets: int
    shoes: int
    findings: int


def write_sample(folder: Path | str, options: Options) -> Written:
    """Write a sample log into ``folder``, which must not exist or be empty.

    The tables appear once all are written. OptionError where the folder is in use or cannot
    be written.
    """
    folder = Path(folder)
    partial = folder / ".partial"
    try:
        if folder.exists() and any(path != partial for path in folder.iterdir()):
            raise OptionError(
                "the folder of the sample is not empty",
                where=str(folder),
                hint="Name a new folder, or empty this one",
            )
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            written = _write(partial, options)
            for path in sorted(partial.iterdir()):
                path.rename(folder / path.name)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise OptionError(
            f"the sample cannot be written: {error.strerror}",
            where=str(folder),
            hint="Name a folder that can be written",
        ) from error
    return written


def _write(folder: Path, options: Options) -> Written:
    tables = make_tables(options)
    casinos = list(dict.fromkeys(table.casino for table in tables))
    log = LogWriter(folder, options.format)
    share, more = divmod(options.rounds, len(tables))
    for table in tables:
        _deal_table(options, table, share + (table.index < more), log)
    log.add_all(schema.AUTHORISATIONS, authorisation_rows(options, casinos))
    log.add_all(schema.JACKPOT_PRIZES, prize_rows(options, casinos))
    log.add_all(schema.LIMITS, limit_rows(options, tables))
    counts = log.close()
    findings = log.write_key() if options.faults else 0
    return Written(counts["rounds"], counts["bets"], counts["shoes"], findings)


def _deal_table(options: Options, table: Table, rounds: int, log: LogWriter) -> None:
    """Deal ``rounds`` rounds at one table, in shoes spread over the period."""
    rng = Random(f"{options.seed}/times/{table.index}")
    planter = Planter(options.faults, f"{options.seed}/faults/{table.index}")
    begin = datetime.combine(options.start, time())
    last = options.days * 86400 - SHOE_SECONDS
    # A shoe opens when its share of the period comes, or up to ``slack`` seconds later: never so
    # late that it would run into the next one, which is at least FEWEST_ROUNDS further on.
    slack = max(1200.0, last * FEWEST_ROUNDS / max(rounds, 1) - SHOE_SECONDS)
    pool = POOL_START + table.index * 1_000_00
    left = rounds
    while left:
        late = last * (rounds - left) / rounds + rng.random() * slack
        opened = begin + timedelta(seconds=int(min(late, last)))
        shoe, pool = deal_shoe(options, table, opened, left, pool, planter)
        left -= len(shoe.rounds)
        log.add_shoe(shoe)
