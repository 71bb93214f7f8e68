"""A seeded random log with faults of every kind: `python -m tests.oracle.chaos FOLDER --seed N`.

The same seed and number of shoes give the same bytes.  What the log should give is not known to
this generator: it is there to set two implementations against each other.
"""

from __future__ import annotations

import argparse
import csv
import random
from datetime import date, timedelta
from pathlib import Path

from tests.oracle.chaos_bets import PRIZES, add_bets
from tests.oracle.chaos_deal import STORIES, ShoeDraft, Source
from tests.oracle.chaos_faults import (
    BAD_BET,
    BAD_ROUND,
    BAD_SHOE,
    Cells,
    bet_rows,
    changed_bet,
    changed_round,
    changed_shoe,
    plant,
    round_cells,
)
from tests.oracle.chaos_style import Style, card_text, draw_style

OPTIONS = (
    *("art2_first_card", "art2_demonstration", "art3_one_more", "art7_auto", "art12_carry"),
    *("art13_pairs", "art13_jackpot", "art18_no_commission"),
)


def write_chaos(folder: Path, *, seed: int, shoes: int = 60) -> None:
    """Write the tables of one chaotic log into `folder`, made if need be."""
    style = draw_style(random.Random(seed))
    drafts = [draft_shoe(style, n) for n in range(1, shoes + 1)]
    tables = {
        "rounds": round_table(style, drafts),
        "bets": bet_table(style, drafts),
        "shoes": shoe_table(style, drafts),
        "authorisations": authorisations(style, drafts),
        "jackpot_prizes": prizes(style, drafts),
        "limits": limits(style, drafts),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        if name in style.tables and rows:
            write_table(style, folder, name, rows)


# --- shoes ---------------------------------------------------------------------------------------


def draft_shoe(style: Style, n: int) -> ShoeDraft:
    rng = style.rng
    table = rng.choice((f"T{n:03}", f"T{n:03}", "B01", "B02", "007", "7", "貴賓-1"))
    shoe = rng.choice((f"S{n:04}", f"S{n:04}", f"{n:03}", str(n)))
    decks = rng.choice((8, 8, 8, 8, 6, 12, 10, 5, 13))
    draft = ShoeDraft(rng.choice(style.casinos), table, shoe, shoe_row(style, decks))
    source = Source(style, decks)
    if style.chance(0.08):
        source.cards = source.cards[:52] * 4  # few different cards: L06
    rng.choice(STORIES)(style, source, draft)
    if style.chance(0.15):
        for r in draft.rounds:
            if style.chance(0.3):
                r.extra["commission"] = rng.choice(("commission", "no_commission"))
    add_bets(style, draft)
    if style.faulty(0.6):
        draft.row = None
    return draft


def shoe_row(style: Style, decks: int) -> Cells:
    rng = style.rng
    rule = rng.choice(("decks", "decks", "first_card", "first_card", "fixed", ""))
    first = rng.choice(Source(style, 1).cards)
    value = first.points or rng.choice((0, 10))
    burned = value + rng.choice((0, 1)) if rule == "first_card" else decks
    if style.faulty(0.4):
        burned = rng.choice((0, 1, 2, 9, 10, 11, 12, decks + 1))
    blank = style.faulty(0.3)
    return {
        "device": rng.choice(("shoe",) * 7 + ("auto", "")),
        "decks": "" if style.faulty(0.15) else str(decks),
        "burn_rule": rule if rule != "fixed" or style.faulty(0.5) else "decks",
        "first_card": card_text(style, first) if style.chance(0.9) else "",
        "burned": "" if blank else str(burned),
        "cut_card_from_end": rng.choice(("14", "14", "12", "11", "0", "")),
        "commission": rng.choice(("commission", "commission", "no_commission", "")),
        "opened_at": "",
    }


# --- the tables ----------------------------------------------------------------------------------


def round_table(style: Style, drafts: list[ShoeDraft]) -> list[Cells]:
    rows = [round_cells(style, shoe, r) for shoe in drafts for r in shoe.rounds]
    return plant(style, rows, BAD_ROUND, changed_round, 0.25)


def bet_table(style: Style, drafts: list[ShoeDraft]) -> list[Cells]:
    rows = [cells for shoe in drafts for r in shoe.rounds for cells in bet_rows(style, shoe, r)]
    return plant(style, rows, BAD_BET, changed_bet, 0.12)


def shoe_table(style: Style, drafts: list[ShoeDraft]) -> list[Cells]:
    rows = [
        {"casino": shoe.casino, "table_id": shoe.table, "shoe_id": shoe.shoe, **shoe.row}
        for shoe in drafts
        if shoe.row is not None
    ]
    return plant(style, rows, BAD_SHOE, changed_shoe, 0.3)


def days_of(drafts: list[ShoeDraft]) -> list[date]:
    return sorted({r.start.date() for shoe in drafts for r in shoe.rounds})


def authorisations(style: Style, drafts: list[ShoeDraft]) -> list[Cells]:
    """In force all the time, from a day of the log on, up to one, for one table or for all."""
    rng, days, rows = style.rng, days_of(drafts), []
    for _ in range(rng.choice((3, 10, 25))):
        shoe, day = rng.choice(drafts), rng.choice(days)
        planned = day + timedelta(days=rng.choice((-1, 0, 1, 2)))
        asked = planned - timedelta(days=rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 9, 40)))
        row = dict.fromkeys(("planned_for", "adopted_on", "ended_on"), "")
        row.update(casino=shoe.casino, option=rng.choice(OPTIONS), requested_on=str(asked))
        row["authorised_on"] = str(rng.choice((asked, day, day + timedelta(days=1), planned)))
        row["table_id"] = rng.choice((shoe.table, shoe.table, ""))
        if style.chance(0.5):
            row["planned_for"] = str(planned)
        if style.chance(0.4):
            row["adopted_on"] = str(planned + timedelta(days=rng.choice((0, 0, 1))))
        if style.chance(0.2):
            row["ended_on"] = str(day + timedelta(days=rng.choice((0, 1, -1))))
        rows.append(row)
    bad = (("option", "art99"), ("requested_on", ""), ("authorised_on", "soon"))
    return [spoil_row(style, row, bad) for row in rows]


def prizes(style: Style, drafts: list[ShoeDraft]) -> list[Cells]:
    """The usual amounts from the start, and some tables' own ones, approved or too late."""
    rows = []
    for casino in style.casinos:
        for name, amount in PRIZES.items():
            if not style.faulty(0.2):
                row = {"casino": casino, "combination": name, "amount": amount, "table_id": ""}
                rows.append({**row, "approved_on": "2007-02-20", "valid_from": "2007-02-23"})
    for _ in range(style.rng.choice((0, 4, 12))):
        shoe, day = style.rng.choice(drafts), style.rng.choice(days_of(drafts))
        approved = style.rng.choice((str(day), str(day + timedelta(days=1)), "2007-02-01", ""))
        name = style.rng.choice(list(PRIZES))
        row = {"casino": shoe.casino, "combination": name, "table_id": shoe.table}
        row["amount"] = style.rng.choice((PRIZES[name], "666.66", "100"))
        row["valid_from"] = str(day + timedelta(days=style.rng.choice((0, 0, 1))))
        rows.append({**row, "approved_on": approved})
    bad = (("combination", "royal flush"), ("amount", "many"), ("valid_from", ""))
    return one_a_day([spoil_row(style, row, bad) for row in rows], "combination")


def limits(style: Style, drafts: list[ShoeDraft]) -> list[Cells]:
    rng, rows = style.rng, []
    for _ in range(rng.choice((4, 15, 40))):
        shoe = rng.choice(drafts)
        bet = rng.choice(("player", "banker", "tie", "difference", "difference", "lucky_6", "P"))
        row = {"casino": shoe.casino, "table_id": rng.choice((shoe.table, shoe.table, ""))}
        row.update(bet=bet, min_stake=rng.choice(("", "50", "100", "55.5")))
        row["max_stake"] = rng.choice(("", "100", "300", "1000", "6000"))
        day = rng.choice(days_of(drafts)) + timedelta(days=rng.choice((-400, 0, 0, 1)))
        rows.append({**row, "valid_from": str(day)})
    bad = (("max_stake", "high"), ("valid_from", "never"), ("bet", ""))
    return one_a_day([spoil_row(style, row, bad) for row in rows], "bet")


def spoil_row(style: Style, row: Cells, bad: tuple[tuple[str, str], ...]) -> Cells:
    if not style.faulty(0.2):
        return row
    column, text = style.rng.choice(bad)
    return {**row, column: text}


def one_a_day(rows: list[Cells], what: str) -> list[Cells]:
    """No two rows in force from the same day for the same place: the contract ranks none first."""
    unique: dict[tuple[str, ...], Cells] = {}
    for row in rows:
        name = {"P": "player"}.get(row[what], row[what])
        unique.setdefault((row["casino"], row["table_id"], name, row["valid_from"]), row)
    return list(unique.values())


# --- files ---------------------------------------------------------------------------------------


def write_table(style: Style, folder: Path, name: str, rows: list[Cells]) -> None:
    """One file, or two in the order of their names; columns and rows perhaps shuffled."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    columns = [column for column in columns if (name, column) not in style.dropped]
    if style.chance(0.3):
        style.rng.shuffle(columns)
    if style.shuffled and name in ("rounds", "bets"):
        style.rng.shuffle(rows)
    parts = [(name, rows)]
    if style.split_files and len(rows) > 1:
        half = len(rows) // 2
        parts = [(f"{name}-2007-a", rows[:half]), (f"{name}-2007-b", rows[half:])]
    for stem, part in parts:
        encoding = "utf-8-sig" if style.chance(0.2) else "utf-8"
        with (folder / f"{stem}.csv").open("w", encoding=encoding, newline="") as stream:
            writer = csv.writer(stream, lineterminator=style.rng.choice(("\n", "\r\n")))
            writer.writerow(
                [column.upper() if style.chance(0.05) else column for column in columns]
            )
            writer.writerows([row.get(column, "") for column in columns] for row in part)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.chaos", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shoes", type=int, default=60)
    args = parser.parse_args()
    write_chaos(args.folder, seed=args.seed, shoes=args.shoes)


if __name__ == "__main__":
    main()
