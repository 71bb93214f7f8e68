"""A log resolved: whole shoes, as many as there is room for, and then what spans them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from audit.profile.model import PAID_WINNINGS
from audit.resolve.additional import add_alone, with_holder
from audit.resolve.at_stake import money_at_stake
from audit.resolve.authority import days_of_use, option_requests, option_uses
from audit.resolve.bets import Bets, resolve_bets, with_numbers
from audit.resolve.consequence import add_consequence
from audit.resolve.jackpot import add_jackpots
from audit.resolve.options import Options
from audit.resolve.rounds import SHOE_KEY, add_bet_counts, resolve_rounds
from audit.resolve.rules import EITHER, Rules
from audit.resolve.shoes import add_shoe_facts
from audit.resolve.stakes import add_carried, add_difference, add_limits


@dataclass(frozen=True)
class Resolved:
    """Whole shoes, resolved: what the checks of rounds and bets look at.

    ``days`` are the days on which options were used, ``undecided`` counts the rows that the
    readings of an interpretation decide differently.
    """

    rounds: pl.DataFrame
    bets: Bets
    days: pl.DataFrame
    at_stake: pl.DataFrame
    undecided: Mapping[str, int]


@dataclass(frozen=True)
class Across:
    """What only all shoes together can tell: rejects in their place, and art. 19."""

    rejects: pl.DataFrame
    uses: pl.DataFrame
    requests: pl.DataFrame
    undecided: Mapping[str, int]


def resolve_shoes(
    tables: dict[str, pl.DataFrame],
    unreadable: pl.DataFrame,
    present: Mapping[str, frozenset[str]],
    rules: Rules,
    options: Options,
) -> Resolved:
    """Resolve the canonical ``tables`` of whole shoes under ``rules``.

    Rounds and bets have their ``places``; ``unreadable`` has those of rejected rounds. Both are
    taken out of ``tables``: they are most of a run's memory, and nobody needs the unresolved
    ones again.
    """
    rounds = resolve_rounds(tables.pop("rounds"), tables["shoes"], rules, options)
    bets = resolve_bets(tables.pop("bets"), rounds, unreadable, rules, options)
    bets = Bets(with_holder(bets.rows), _with_stake_back(bets.cases, present))
    bets = add_alone(bets, rules)
    bets = replace(bets, rows=add_limits(bets.rows, rounds, tables["limits"]))
    bets = add_carried(bets, rounds)
    prizes = tables["jackpot_prizes"] if "jackpot_prizes" in present else None
    bets = with_numbers(add_jackpots(bets, rounds, prizes, rules))
    bets = replace(bets, rows=bets.rows.drop("holder"))
    rounds = add_shoe_facts(add_bet_counts(rounds, bets.rows), rules)
    rounds = add_consequence(add_difference(rounds, bets.rows, tables["limits"]), rules)
    return Resolved(
        rounds,
        bets,
        days_of_use(rounds, bets.rows),
        money_at_stake(rounds, bets, rules, options),
        _undecided(rules, rounds, bets.rows, bets.cases),
    )


def resolve_across(
    days: pl.DataFrame,
    shoes: pl.DataFrame,
    rejects: pl.DataFrame,
    authorisations: pl.DataFrame,
    rules: Rules,
) -> Across:
    """What spans shoes. ``shoes`` has the ``first_round`` of each shoe of the log."""
    uses = option_uses(days, authorisations, rules)
    requests = option_requests(authorisations, uses, rules)
    return Across(_anchored(rejects, shoes), uses, requests, _undecided(rules, uses))


def _with_stake_back(cases: pl.DataFrame, present: Mapping[str, frozenset[str]]) -> pl.DataFrame:
    """``stake_back``: true where what was paid tells whether the stake went back, else null.

    A log of winnings alone shows nothing for a stake that went back, as for one that was lost.
    """
    told = pl.lit(True)
    if PAID_WINNINGS in present.get("bets", ()):
        told = pl.when(pl.col("paid") != 0).then(pl.lit(True))
    return cases.with_columns(told.alias("stake_back"))


def _undecided(rules: Rules, *frames: pl.DataFrame) -> dict[str, int]:
    """Rows that the readings of each open interpretation decide differently.

    For art. 19 these are options at a table, as its findings are; a case of bets stands for the
    ``number`` of them.
    """

    def count(frame: pl.DataFrame, split: str) -> int:
        rows = pl.col("number") if "number" in frame.columns else pl.lit(1, pl.UInt32)
        return int(frame.select(pl.when(split).then(rows).otherwise(0).sum()).item())

    return {
        name: sum(count(frame, split) for frame in frames if split in frame.columns)
        for name, reading in rules.readings.items()
        if reading == EITHER and (split := f"split_{name}")
    }


def _anchored(rejects: pl.DataFrame, shoes: pl.DataFrame) -> pl.DataFrame:
    """A second row for a shoe is anchored to the shoe's first round."""
    first = shoes.select(*SHOE_KEY, "first_round")
    second_shoe = (pl.col("table") == "shoes") & (pl.col("kind") == "duplicate")
    return (
        rejects.join(first, on=SHOE_KEY, how="left", maintain_order="left")
        .with_columns(
            pl.when(second_shoe).then(pl.col("first_round")).otherwise("round_no").alias("round_no")
        )
        .drop("first_round")
    )
