"""A first look at an unknown file: what its columns seem to be, and a draft profile.

A column is proposed by its name, and only where its values fit. Where two readings of the cards
fit, both are held against the totals recorded; what cannot be told is said, not guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import polars as pl

from audit.cards import RANKS
from audit.errors import LogError
from audit.normalise import cells
from audit.profile import cards
from audit.profile.model import DEAL, DEAL_ORDERS, NOTATIONS, lacking
from audit.schema import BETS, OUTCOME_WORDS, ROUNDS, Kind, Table
from audit.sources import open_source

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
_POINTS = {
    letter: min(n, 10) % 10
    for n, letter in enumerate(("T" if rank == "10" else rank for rank in RANKS), 1)
}
_HANDS = ("player_cards", "banker_cards")
Hands = list[tuple[str, str] | None]


@dataclass
class Draft:
    """What was found: ``columns`` canonical to own, ``unused`` own names with an example.

    ``notes`` are sentences on what was tested and what could not be told; ``toml`` is the draft.
    """

    name: str
    table: str
    rows: int
    columns: dict[str, str] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)
    missing: str | None = None
    settings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def toml(self) -> str:
        """The draft profile, which loads once nothing is missing from it."""
        return "\n".join(_toml(self)) + "\n"


def inspect(path: Path) -> Draft:
    """Look at a file that ``run`` could read; LogError where it cannot be read at all."""
    if not path.is_file():
        raise LogError("there is no such file", where=str(path), hint="Give one file of the log")
    batch = next(open_source(path, path.name).batches(), None)
    if batch is None:
        raise LogError("there is no row in it", where=path.name)
    rows = batch.rows.head(SAMPLE)
    rows = rows.select(cells.strip(rows[name]).alias(name) for name in rows.columns)
    named, table = _named(rows.columns, BETS), BETS
    if not {"bet", "stake"} <= set(named):
        named, table = _named(rows.columns, ROUNDS), ROUNDS
    draft = Draft(path.name, table.name, rows.height)
    for column, own in named.items():
        if column == DEAL or column in _HANDS:
            continue
        if column in {each.name for each in table.columns} and _fits(
            draft, table, column, rows[own]
        ):
            draft.columns[column] = own
    if table is ROUNDS:
        hands = _cards(draft, named, rows)
        if "outcome" in named:
            _outcome(draft, rows[named["outcome"]], named["outcome"], hands)
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
    if wrong:
        draft.notes.append(f"{text.name} looks like {column} by name; {wrong} values do not fit.")
    return not wrong and (filled.len() > 0 or _bare(text.name) == _bare(column))


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


def _cards(draft: Draft, named: Mapping[str, str], rows: pl.DataFrame) -> Hands | None:
    """Settle notation and deal order; the hands as they then read."""
    if all(column in named for column in _HANDS):
        own = [named[column] for column in _HANDS]
        readings = {(notation, ""): _read_both(notation, rows, own) for notation in NOTATIONS}
        columns = dict(zip(_HANDS, own, strict=True))
    elif DEAL in named:
        columns = {DEAL: named[DEAL]}
        readings = {
            (notation, order): _read_deal(notation, order, rows[named[DEAL]])
            for notation in NOTATIONS
            for order in DEAL_ORDERS
        }
    else:
        return None
    fitting = {key: hands for key, hands in readings.items() if hands is not None}
    if not fitting:
        draft.notes.append(f"No notation reads all of {', '.join(columns.values())}.")
        return None
    key, sure = _best(draft, fitting, rows)
    draft.columns |= columns
    if key != ("rank-suit", "") or not sure:
        order = f', deal_order = "{key[1]}"' if key[1] else ""
        doubt = "" if sure else "   # several readings fit: check it"
        draft.settings.append(f'cards = {{ notation = "{key[0]}"{order} }}{doubt}')
    return fitting[key] if sure else None


def _read_both(notation: str, rows: pl.DataFrame, own: list[str]) -> Hands | None:
    read = cards.reader(notation, "SHDC", frozenset(), {})
    hands: Hands = []
    for player, banker in rows.select(own).iter_rows():
        pair = [read(text) if text is not None else "" for text in (player, banker)]
        if pair[0] is None or pair[1] is None:
            return None
        hands.append((pair[0], pair[1]))
    return hands if any(one or other for one, other in filter(None, hands)) else None


def _read_deal(notation: str, order: str, text: pl.Series) -> Hands | None:
    read = cards.deal_reader(
        notation, "SHDC", frozenset({"0"} if notation == "hex" else ()), {}, order
    )
    hands: Hands = [read(each) if each is not None else ("", "") for each in text]
    return hands if None not in hands and any(any(each or ()) for each in hands) else None


def _total(hand: str) -> int | None:
    if len(hand) < 4:
        return None
    marks = [hand[at : at + 2] for at in range(0, len(hand), 2)]
    return sum(int(m[0]) if m[1] == "p" else _POINTS[m[0]] for m in marks) % 10


def _best(
    draft: Draft, fitting: Mapping[tuple[str, str], Hands], rows: pl.DataFrame
) -> tuple[tuple[str, str], bool]:
    """The reading that agrees best with the totals recorded, and whether no other does so."""
    keys = list(fitting)
    names = [draft.columns.get(f"{hand}_total") for hand in ("player", "banker")]
    if None in names:
        if len(keys) > 1:
            told = ", ".join(" ".join(key).strip() for key in keys)
            draft.notes.append(f"The cards read as {told}, and no totals tell which; check it.")
        return keys[0], len(keys) == 1
    recorded = rows.select(*(name for name in names if name)).rows()
    agree = {key: _agreeing(fitting[key], recorded) for key in keys}
    for key in keys:
        right, of = agree[key]
        draft.notes.append(
            f"Cards read as {' '.join(key).strip()}: {right} of {of} recorded totals agree."
        )
    best = max(keys, key=lambda key: agree[key][0])
    alike = sum(agree[key] == agree[best] for key in keys)
    if alike > 1:
        draft.notes.append("Two readings agree alike; check which it is.")
    return best, alike == 1


def _agreeing(hands: Hands, recorded: list[tuple[str | None, ...]]) -> tuple[int, int]:
    right = of = 0
    for pair, totals in zip(hands, recorded, strict=True):
        for hand, total in zip(pair or ("", ""), totals, strict=True):
            if hand and total is not None:
                of += 1
                right += str(_total(hand)) == total.partition(".")[0]
    return right, of


def _outcome(draft: Draft, text: pl.Series, own: str, hands: Hands | None) -> None:
    """Words that are not the usual ones are told by the cards, where these are of one voice."""
    words = text.drop_nulls().unique().sort().to_list()
    usual = [word for word in words if word.casefold() in OUTCOME_WORDS]
    if words and len(usual) == len(words):
        draft.columns["outcome"] = own
        return
    counts: dict[str, dict[str, int]] = {word: {} for word in words}
    for word, pair in zip(text, hands or (), strict=False):
        won = _won(pair)
        if word is not None and won is not None:
            counts[word][won] = counts[word].get(won, 0) + 1
    found = {word: max(votes, key=votes.__getitem__) for word, votes in counts.items() if votes}
    if 0 < len(words) <= 5 and len(found) == len(words) and len(set(found.values())) == len(words):
        listed = ", ".join(f"{json.dumps(word)} = {json.dumps(won)}" for word, won in found.items())
        draft.columns["outcome"] = own
        draft.settings.append(f"maps.outcome = {{ {listed} }}   # told by the cards")
        for word, votes in counts.items():
            right, of = votes[found[word]], sum(votes.values())
            draft.notes.append(
                f"{own} {word}: {found[word]} by the cards in {right} of {of} rounds."
            )
    else:
        draft.notes.append(f"The words of {own} are not told ({', '.join(words[:5])}); map them.")


def _won(pair: tuple[str, str] | None) -> str | None:
    totals = [_total(hand) for hand in pair or ("", "")]
    if totals[0] is None or totals[1] is None:
        return None
    names = {True: "player", False: "banker"}
    return "tie" if totals[0] == totals[1] else names[totals[0] > totals[1]]


def _toml(draft: Draft) -> Iterator[str]:
    write: Callable[[str], str] = lambda text: json.dumps(text, ensure_ascii=False)  # noqa: E731
    yield f"about = {write(f'A draft from {draft.name}; check every line.')}"
    yield ""
    yield f"[{draft.table}]"
    yield f"files = {write(draft.name)}"
    yield from draft.settings
    yield ""
    yield f"[{draft.table}.columns]"
    for column, own in draft.columns.items():
        yield f"{column} = {write(own)}"
    for own, example in draft.unused.items():
        yield f"# not used: {write(own)}, such as {write(example)}"
    if draft.missing:
        yield f"# still needed: {draft.missing}"
