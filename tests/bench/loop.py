"""The same as ``analyst.sql``, as a plain Python loop over dictionaries; seconds as JSON."""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

Row = dict[str, Any]

POINTS = {"A": 1, "1": 0, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}
BANKER_DRAWS = {3: set(range(10)) - {8}, 4: set(range(2, 8)), 5: set(range(4, 8)), 6: {6, 7}}
"""Points of Player's third card on which Banker draws, by Banker's total."""


def main() -> None:
    """Loop over the first rounds of a log and their bets."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.loop", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--rounds", type=int, default=100_000)
    chosen = parser.parse_args()
    rounds = pl.scan_parquet(chosen.log / "rounds" / "*.parquet").head(chosen.rounds).collect()
    key = ["casino", "table_id", "shoe_id", "round_no"]
    bets = pl.scan_parquet(chosen.log / "bets" / "*.parquet").head(chosen.rounds * 6).collect()
    bets = bets.join(rounds.select(key), on=key, how="semi")
    given = rounds.to_dicts(), bets.to_dicts()
    start = time.monotonic()
    found = looked_at(*given)
    seconds = time.monotonic() - start
    print(json.dumps({"seconds": seconds, "rounds": rounds.height, "found": found}))


def looked_at(rounds: list[Row], bets: list[Row]) -> int:
    """How many draws, totals, winners and payments are wrong."""
    on: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for bet in bets:
        on[bet["casino"], bet["table_id"], bet["shoe_id"], bet["round_no"]].append(bet)
    found = 0
    for row in rounds:
        if row["kind"] == "void":
            continue
        player, banker = row["player_cards"].split(), row["banker_cards"].split()
        p, b = [POINTS[card[0]] for card in player], [POINTS[card[0]] for card in banker]
        p_two, b_two, p_all, b_all = sum(p[:2]) % 10, sum(b[:2]) % 10, sum(p) % 10, sum(b) % 10
        natural = p_two >= 8 or b_two >= 8
        third = len(p) == 3
        draws = (b_two <= 2 or p[2] in BANKER_DRAWS.get(b_two, ())) if third else b_two <= 5
        found += (not natural and p_two <= 5) != third
        found += (not natural and draws) != (len(b) == 3)
        found += row["player_total"] not in (p_all, None) or row["banker_total"] not in (
            b_all,
            None,
        )
        winner = "player" if p_all > b_all else "banker" if b_all > p_all else "tie"
        found += row["outcome"] not in (winner, None)
        if row["kind"] != "play":
            continue
        for bet in on.get((row["casino"], row["table_id"], row["shoe_id"], row["round_no"]), ()):
            due = _due(bet, row, winner, b_all, player, banker)
            found += bet["disposition"] == "settled" and due is not None and bet["paid"] != due
    return found


def _due(
    bet: Row, row: Row, winner: str, b_all: int, player: list[str], banker: list[str]
) -> Decimal | None:
    stake = bet["stake"]
    match bet["bet"]:
        case "player" | "banker" if winner == "tie":
            due = stake
        case "player":
            due = stake * 2 if winner == "player" else Decimal(0)
        case "banker" if winner != "banker":
            due = Decimal(0)
        case "banker" if row["commission"] == "no_commission":
            due = stake * Decimal("1.5") if b_all == 6 else stake * 2
        case "banker":
            due = stake * Decimal("1.95")
        case "tie":
            due = stake * 9 if winner == "tie" else Decimal(0)
        case "player_pair" | "banker_pair":
            hand = player if bet["bet"] == "player_pair" else banker
            due = stake * 12 if hand[0][0] == hand[1][0] else Decimal(0)
        case _:
            return None
    return Decimal(due)


if __name__ == "__main__":
    main()
