"""The whole log resolved: rounds, bets, and the rejects anchored to their rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from audit.profile.model import PAID_WINNINGS
from audit.resolve.additional import add_alone, with_holder
from audit.resolve.at_stake import money_at_stake
from audit.resolve.authority import option_requests, option_uses
from audit.resolve.bets import resolve_bets
from audit.resolve.consequence import add_consequence
from audit.resolve.jackpot import add_jackpots
from audit.resolve.options import Options
from audit.resolve.rounds import KEY, SHOE_KEY, add_bet_counts, resolve_rounds
from audit.resolve.rules import EITHER, Rules
from audit.resolve.shoes import add_shoe_facts
from audit.resolve.stakes import add_carried, add_difference, add_limits


@dataclass(frozen=True)
class Resolved:
    """What the checks look at.

    ``undecided`` counts the rows that the readings of an interpretation decide differently.
    ``present`` names the columns that each table of the log has.
    """

    rounds: pl.DataFrame
    bets: pl.DataFrame
    rejects: pl.DataFrame
    uses: pl.DataFrame
    requests: pl.DataFrame
    at_stake: pl.DataFrame
    undecided: Mapping[str, int]
    present: Mapping[str, frozenset[str]]


def resolve_log(
    tables: dict[str, pl.DataFrame],
    rejects: pl.DataFrame,
    present: Mapping[str, frozenset[str]],
    rules: Rules,
    options: Options,
) -> Resolved:
    """Resolve the canonical ``tables`` of a log under ``rules``.

    Rounds and bets are taken out of ``tables``: they are most of a run's memory, and nobody
    needs the unresolved ones again.
    """
    rounds = resolve_rounds(tables.pop("rounds"), tables["shoes"], rules, options)
    unreadable = rejects.filter(
        (pl.col("table") == "rounds") & pl.all_horizontal(pl.col(KEY).is_not_null())
    )
    bets = resolve_bets(tables.pop("bets"), rounds, unreadable, rules, options)
    bets = add_alone(with_holder(_with_stake_back(bets, present)), rules)
    bets = add_carried(add_limits(bets, rounds, tables["limits"]), rounds)
    prizes = tables["jackpot_prizes"] if "jackpot_prizes" in present else None
    bets = add_jackpots(bets, rounds, prizes, rules)
    rounds = add_shoe_facts(add_bet_counts(rounds, bets), rules)
    rounds = add_consequence(add_difference(rounds, bets, tables["limits"]), rules)
    uses = option_uses(rounds, bets, tables["authorisations"], rules)
    requests = option_requests(tables["authorisations"], uses, rules)
    return Resolved(
        rounds,
        bets,
        _anchored(rejects, rounds),
        uses,
        requests,
        money_at_stake(rounds, bets, rules, options),
        _undecided(rules, rounds, bets, uses),
        present,
    )


def _with_stake_back(bets: pl.DataFrame, present: Mapping[str, frozenset[str]]) -> pl.DataFrame:
    """``stake_back``: true where what was paid tells whether the stake went back, else null.

    A log of winnings alone shows nothing for a stake that went back, as for one that was lost.
    """
    told = pl.lit(True)
    if PAID_WINNINGS in present.get("bets", ()):
        told = pl.when(pl.col("paid") != 0).then(pl.lit(True))
    return bets.with_columns(told.alias("stake_back"))


def _undecided(rules: Rules, *frames: pl.DataFrame) -> dict[str, int]:
    """Rows that the readings of each open interpretation decide differently.

    For art. 19 these are options at a table, as its findings are.
    """
    return {
        name: sum(int(frame[f"split_{name}"].sum()) for frame in frames if f"split_{name}" in frame)
        for name, reading in rules.readings.items()
        if reading == EITHER
    }


def _anchored(rejects: pl.DataFrame, rounds: pl.DataFrame) -> pl.DataFrame:
    """A second row for a shoe is anchored to the shoe's first round."""
    first = rounds.group_by(SHOE_KEY).agg(pl.col("round_no").min().alias("first_round"))
    second_shoe = (pl.col("table") == "shoes") & (pl.col("kind") == "duplicate")
    return (
        rejects.join(first, on=SHOE_KEY, how="left", maintain_order="left")
        .with_columns(
            pl.when(second_shoe).then(pl.col("first_round")).otherwise("round_no").alias("round_no")
        )
        .drop("first_round")
    )
