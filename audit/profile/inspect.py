"""A first look at an unknown file: what its columns seem to be, and a draft profile.

A column is proposed by its name, and only where its values fit. Where two readings of the cards
fit, both are held against the totals recorded; what cannot be told is said, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

import polars as pl

from audit.normalise import cells
from audit.profile.draft import Draft
from audit.profile.inspect_cards import HANDS, settle_cards, settle_outcome
from audit.profile.model import DEAL, lacking
from audit.schema import BETS, ROUNDS, Kind, Table

SAMPLE = 5_000
"""Rows looked at, from the first on."""

_NAMES: Mapping[str, str] = {
    "casino": "casino property site venue",
    "table_id": "table tableid tableno tablenumber tablename desk gamingtable",
    "shoe_id": "shoe shoeid shoeno shoenumber",
    "round_no": "round game roundno roundnumber roundid no gameno gamenumber hand handno coup",
    "started_at": "startedat start starttime startdate time timestamp datetime dealtat began",
    "player_cards": "playercards player playerhand pcards phand pc",
    "banker_cards": "bankercards banker bankerhand bcards bhand bc",
    DEAL: "cards deal dealt pk roundcard cardlist hands",
    "player_total": "playertotal playerscore playerpoints playervalue playerhandvalue ptotal",
    "banker_total": "bankertotal bankerscore bankerpoints bankervalue bankerhandvalue btotal",
    "outcome": "outcome result winner won winning winninghand gameresult gameoutcome res",
    "player_pair": "playerpair isplayerpair ppair",
    "banker_pair": "bankerpair isbankerpair bpair",
    "dealer_id": "dealer dealerid dealername croupier",
    "bet": "bet betid bettype beton on side playerbet wageron",
    "stake": "stake wager amount betamount staked playerwager wageramount",
    "paid": "paid payout payoff payoffamount payoutamount returned playerpayout",
    "commission_taken": "commissiontaken commission commissionkept",
    "position": "position seat seatid seatno",
    "patron_id": "patron patronid member memberid customer customerid playerid userid",
    "currency": "currency ccy",
}
_FORMATS = (
    "iso", "epoch_s", "epoch_ms", "%Y-%m-%d %H:%M:%S:%f", "%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M",
    "%d/%m/%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M",
    "%d-%m-%Y %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%Y%m%d%H%M%S",
)  # fmt: skip


def inspect_rows(rows: pl.DataFrame, name: str) -> Draft:
    """Look at the first rows of a table, every column of which is text."""
    rows = rows.head(SAMPLE)
    rows = rows.select(cells.strip(rows[name]).alias(name) for name in rows.columns)
    named, table = _named(rows.columns, BETS), BETS
    if not {"bet", "stake"} <= set(named):
        named, table = _named(rows.columns, ROUNDS), ROUNDS
    draft = Draft(name, table.name, rows.height)
    for column, own in named.items():
        if column == DEAL or column in HANDS:
            continue
        if column in {each.name for each in table.columns} and _fits(
            draft, table, column, rows[own]
        ):
            draft.columns[column] = own
    if table is ROUNDS:
        hands = settle_cards(draft, named, rows)
        if "outcome" in named:
            settle_outcome(draft, rows, named["outcome"], hands)
    used = set(draft.columns.values())
    for own in rows.columns:
        if own not in used:
            example = rows[own].drop_nulls()
            draft.unused[own] = example[0][:40] if example.len() else ""
    draft.missing = lacking(table, draft.columns)
    return draft


def _named(names: list[str], table: Table) -> dict[str, str]:
    """Canonical column to the file's own, by name alone; the first of several wins."""
    known = {word: column for column, words in _NAMES.items() for word in words.split()}
    known |= {_bare(column.name): column.name for column in table.columns}
    found: dict[str, str] = {}
    for name in names:
        column = known.get(_bare(name))
        if column is not None:
            found.setdefault(column, name)
    return found


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _fits(draft: Draft, table: Table, column: str, text: pl.Series) -> bool:
    """Whether the values are of the column's kind; times may set a format."""
    kind = table.column(column)
    if column == "outcome":
        return False  # its words are told by the cards, later
    if kind.kind is Kind.TIME:
        return _times(draft, text)
    if kind.kind in (Kind.TEXT, Kind.BET):
        return text.null_count() < text.len()
    filled = text.drop_nulls()
    wrong = cells.typed(kind, filled).null_count()
    if column == "paid" and wrong and (filled.str.starts_with("-")).any():
        draft.settings.append('paid = "net"   # some are negative')
        return True
    beyond = _beyond(text) if kind.kind is Kind.POINTS else None
    if beyond is not None:
        draft.notes.append(
            f"{text.name} goes up to {beyond}, and a hand of baccarat has 9 at the most: this is "
            "another game, or the column is no total."
        )
    elif wrong:
        draft.notes.append(f"{text.name} looks like {column} by name; {wrong} values do not fit.")
    return not wrong and (filled.len() > 0 or _bare(text.name) == _bare(column))


def _beyond(text: pl.Series) -> int | None:
    """The greatest total, where many are beyond nine."""
    totals = text.str.strip_suffix(".0").cast(pl.Int64, strict=False).drop_nulls()
    return totals.max() if (totals > 9).sum() * 4 > totals.len() else None  # type: ignore[return-value]


def _times(draft: Draft, text: pl.Series) -> bool:
    filled = text.drop_nulls().head(500)
    fitting = [
        form for form in _FORMATS if filled.len() and all(_told(form, each) for each in filled)
    ]
    if not fitting:
        return False
    if fitting[0] != "iso":
        draft.settings.append(f'times = {{ format = "{fitting[0]}" }}')
    if len(fitting) > 1:
        draft.notes.append(
            f"{text.name} reads as {' and as '.join(fitting)}: no value tells which; check it."
        )
    return True


def _told(form: str, text: str) -> bool:
    if form == "iso":
        return not cells.typed(ROUNDS.column("started_at"), pl.Series([text])).null_count()
    if form.startswith("epoch"):
        return re.fullmatch(r"1\d{9}" if form == "epoch_s" else r"1\d{12}", text) is not None
    try:
        datetime.strptime(text, form)
    except ValueError:
        return False
    return True
