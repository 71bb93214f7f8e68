"""Rows of text, and the faults that are planted in rows: rejects, duplicates, orphans, gaps."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.chaos_deal import Draft, ShoeDraft
from tests.oracle.chaos_style import (
    Style,
    boolean_text,
    card_text,
    hand_text,
    outcome_text,
    time_text,
)
from tests.oracle.model import points

Cells = dict[str, str]
BAD_ROUND = (
    ("table_id", ""),
    ("shoe_id", ""),
    ("round_no", ""),
    ("round_no", "0"),
    ("round_no", "x"),
    ("round_no", "-3"),
    ("started_at", ""),
    ("started_at", "yesterday"),
    ("started_at", "2007-02-30T10:00:00"),
    ("kind", "practice"),
    ("player_cards", "KS 5"),
    ("banker_cards", "1S 5H"),
    ("player_cards", "no cards"),
    ("banker_3", "KX"),
    ("player_1", "11S"),
    ("withdrawn_cards", "??"),
    ("player_total", "10"),
    ("banker_total", "-1"),
    ("outcome", "nobody"),
    ("player_pair", "maybe"),
    ("commission", "none"),
    ("burned", "-1"),
    ("cut_card", "perhaps"),
    ("jackpot_pool", "much"),
)
BAD_BET = (
    ("table_id", ""),
    ("shoe_id", ""),
    ("round_no", ""),
    ("round_no", "?"),
    ("bet", ""),
    ("stake", ""),
    ("stake", "abc"),
    ("paid", ""),
    ("paid", "-5"),
    ("paid", "1.23456"),
    ("commission_taken", "-1"),
    ("commission_taken", "5%"),
    ("disposition", "lost"),
)
BAD_SHOE = (
    ("table_id", ""),
    ("shoe_id", ""),
    ("device", "box"),
    ("decks", "eight"),
    ("burn_rule", "none"),
    ("first_card", "1S"),
    ("burned", "-3"),
    ("cut_card_from_end", "x"),
    ("commission", "5%"),
)


def round_cells(style: Style, shoe: ShoeDraft, r: Draft) -> Cells:
    """The canonical text of a round, right but for planted records."""
    cells = {"casino": shoe.casino, "table_id": shoe.table, "shoe_id": shoe.shoe}
    cells.update(round_no=str(r.no), started_at=time_text(style, r.start), kind=r.kind)
    cells["dealer_id"] = style.rng.choice(("D1", "D2", ""))
    cells["withdrawn_cards"] = hand_text(style, tuple(r.withdrawn))
    if style.six_columns:
        for name, hand in (("player", r.player), ("banker", r.banker)):
            for i in range(3):
                cells[f"{name}_{i + 1}"] = card_text(style, hand[i]) if i < len(hand) else ""
            if style.faulty(0.05):
                cells[f"{name}_{style.rng.choice((1, 2))}"] = ""
    else:
        cells["player_cards"] = hand_text(style, tuple(r.player))
        cells["banker_cards"] = hand_text(style, tuple(r.banker))
    cells.update(records(style, r))
    cells.update(r.extra)
    for column in ("kind", "void_reason", "commission", "jackpot_pool"):
        cells.setdefault(column, "")
    if r.kind == "play" and style.chance(0.1):
        cells["kind"] = ""
    if style.chance(0.03):
        cells["round_no"] = "0" + cells["round_no"]
    return cells


def records(style: Style, r: Draft) -> Cells:
    """Totals, winner and pair flags as recorded: right, wrong, or blank."""
    cells: Cells = {}
    if not r.complete:
        if r.outcome_only:
            cells["outcome"] = outcome_text(style, r.outcome_only)
        elif r.kind != "void" and ((not r.player and not r.banker) or style.chance(0.5)):
            cells["outcome"] = style.rng.choice(("player", "banker", "tie"))
        return cells
    for name, hand in (("player", r.player), ("banker", r.banker)):
        total, pair = points(hand), hand[0].rank == hand[1].rank
        if style.faulty(0.2):
            total = (total + style.rng.randrange(1, 10)) % 10
        if style.faulty(0.15):
            pair = not pair
        cells[f"{name}_total"] = "" if style.faulty(0.1) else str(total)
        cells[f"{name}_pair"] = "" if style.faulty(0.1) else boolean_text(style, pair)
    outcome = style.rng.choice(("player", "banker", "tie")) if style.faulty(0.2) else r.result
    cells["outcome"] = "" if r.kind == "void" or style.faulty(0.1) else outcome_text(style, outcome)
    if r.extra.get("cut_card") in ("true", "false"):
        r.extra["cut_card"] = boolean_text(style, r.extra["cut_card"] == "true")
    return cells


def spoiled(style: Style, cells: Cells, bad: tuple[tuple[str, str], ...]) -> Cells:
    """The row with one cell that cannot be read, if the log has the column."""
    column, text = style.rng.choice(bad)
    return {**cells, column: text} if column in cells else cells


def changed_round(style: Style, cells: Cells) -> Cells:
    """The same round with another value somewhere."""
    column, text = style.rng.choice(
        (("kind", "demo"), ("outcome", "tie"), ("burned", "1"), ("dealer_id", "D9"))
    )
    return {**cells, column: text}


def plant(
    style: Style,
    rows: list[Cells],
    bad: tuple[tuple[str, str], ...],
    change: Callable[[Style, Cells], Cells],
    weight: float,
) -> list[Cells]:
    """Rejects, missing rows and second rows, planted in a table."""
    planted: list[Cells] = []
    for cells in rows:
        fate = style.rng.random() if style.faulty(weight) else 1.0
        if fate < 0.3:
            planted.append(spoiled(style, cells, bad))
        elif fate < 0.45:
            continue
        elif fate < 0.6:
            planted += [cells, dict(cells)]
        elif fate < 0.8:
            planted += [cells, change(style, cells)]
        elif fate < 0.9:
            planted += [spoiled(style, cells, bad), cells]
        elif fate < 0.95:
            planted += [cells, spoiled(style, cells, bad)]
        else:
            planted.append(cells)
    return planted


def bet_rows(style: Style, shoe: ShoeDraft, r: Draft) -> list[Cells]:
    where = {"casino": shoe.casino, "table_id": shoe.table, "shoe_id": shoe.shoe}
    return [{**where, "round_no": str(r.no), **bet} for bet in r.bets]


def changed_bet(style: Style, cells: Cells) -> Cells:
    """The same bet id with other money, or an orphan."""
    if style.chance(0.5):
        return {**cells, "stake": style.rng.choice(("0", "50", "100")), "paid": "5"}
    number = style.rng.choice(("500", "77"))
    return {**cells, **style.rng.choice(({"round_no": number}, {"shoe_id": "S-none"}))}


def changed_shoe(style: Style, cells: Cells) -> Cells:
    column, text = style.rng.choice(
        (("commission", "no_commission"), ("decks", "5"), ("device", "auto"), ("burned", "9"))
    )
    return {**cells, column: text}
