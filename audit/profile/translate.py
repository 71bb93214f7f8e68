"""A batch of a foreign table to the texts of the canonical one.

The canonical reader types what comes out, so that a cell is refused for the same reasons in
either. A cell that the profile cannot read becomes ``UNREAD``, which no type accepts; the text
that a reject shows is always the file's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import polars as pl

from audit import money
from audit.profile import cards
from audit.profile.layout import EPOCHS, zone
from audit.profile.model import DEAL, Cell, Money, TableMap, Times
from audit.schema import OUTCOME_WORDS, Kind, Table

UNREAD = "\0"
SHOE_GLUE = "~"
_UNIT = "\x1f"
MACAU = timezone(timedelta(hours=8))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECONDS = {"epoch_s": 1_000_000, "epoch_ms": 1_000, "epoch_us": 1}
_DIGITS, _DECIMALS = 20, 4
_WHOLE = r"^[+-]?\d{1,16}(?:\.0*)?$"


@dataclass(frozen=True, slots=True)
class Translated:
    """Texts by canonical column, as the canonical reader expects them.

    ``shown`` are the file's own texts of the same columns; ``hands`` are compact hands already;
    ``aside`` marks the rows that are no finished rounds.
    """

    texts: Mapping[str, pl.Series]
    shown: Mapping[str, pl.Series]
    hands: Mapping[str, pl.Series] = field(default_factory=dict)
    aside: pl.Series | None = None


def translate(mapping: TableMap, table: Table, rows: pl.DataFrame) -> Translated:
    """Apply a profile's table to rows of text; a column that is absent is empty."""
    shown = {name: _text(cell, rows) for name, cell in mapping.cells.items()}
    if mapping.shoe_key:
        shown["shoe_id"] = _shoe(mapping.shoe_key, rows)
    texts: dict[str, pl.Series] = {}
    hands: dict[str, pl.Series] = {}
    for name, text in shown.items():
        if name == DEAL:
            continue
        kind = table.column(name).kind
        if kind in (Kind.CARDS, Kind.CARD):
            texts[name] = _without_empty(text, mapping)
            hand = _hand(mapping, name, text, single=kind is Kind.CARD)
            if hand is not None:
                hands[name] = hand
        else:
            texts[name] = _cell(mapping, name, kind, text)
    if DEAL in shown:
        _deal(mapping, rows, shown, texts, hands)
    if mapping.table == "bets":
        texts["paid"] = _paid(mapping, texts)
    return Translated(texts, shown, hands, _aside(mapping, rows))


def _strip(text: pl.Series) -> pl.Series:
    bare = text.str.strip_chars()
    return bare.set(bare == "", None)


def _column(name: str, rows: pl.DataFrame) -> pl.Series:
    """A column of the file, upper and lower case alike; empty where it is absent."""
    folded = name.strip().casefold()
    own = next((each for each in rows.columns if each.strip().casefold() == folded), None)
    if own is not None:
        return _strip(rows[own])
    return pl.Series(name, [None], dtype=pl.String).new_from_index(0, rows.height)


def _text(cell: Cell, rows: pl.DataFrame) -> pl.Series:
    """The file's text of a cell; null where any part of a joined one is empty."""
    if cell.constant is not None:
        return pl.Series([cell.constant], dtype=pl.String).new_from_index(0, rows.height)
    parts = [_column(name, rows) for name in cell.columns]
    if len(parts) == 1:
        return parts[0]
    if cell.split:
        # Rank without suit, or the other way round, is to be a card that cannot be read.
        parts = [
            _mapped(part, words).fill_null("")
            for part, words in zip(parts, (cell.ranks, cell.suits), strict=True)
        ]
    frame = pl.DataFrame({str(n): part for n, part in enumerate(parts)})
    joined = frame.select(pl.concat_str(frame.columns, separator=cell.glue)).to_series()
    return joined.set(joined == cell.glue, None) if cell.split else joined


def _mapped(text: pl.Series, words: Mapping[str, str]) -> pl.Series:
    if not words:
        return text
    folded = {word.strip().casefold(): value for word, value in words.items()}
    return _each(text, lambda each: folded.get(each.casefold(), each))


def _each(text: pl.Series, function: Callable[[str], str | None]) -> pl.Series:
    """A function of each distinct text; null stays null."""
    distinct = text.drop_nulls().unique()
    values = pl.Series([function(each) for each in distinct], dtype=pl.String)
    return text.replace_strict(distinct, values, default=None, return_dtype=pl.String)


def _shoe(key: tuple[str, ...], rows: pl.DataFrame) -> pl.Series:
    # The glue within a part is written longer, so that two keys never look alike.
    parts = {
        str(n): _column(name, rows).str.replace_all(SHOE_GLUE, SHOE_GLUE + "0", literal=True)
        for n, name in enumerate(key)
    }
    return pl.DataFrame(parts).select(pl.concat_str(list(parts), separator=SHOE_GLUE)).to_series()


def _without_empty(text: pl.Series, mapping: TableMap) -> pl.Series:
    """Texts that mean no card are no text."""
    if not mapping.cards.empty:
        return text
    return text.set(text.str.to_uppercase().is_in(list(mapping.cards.empty)), None)


def _hand(mapping: TableMap, name: str, text: pl.Series, *, single: bool) -> pl.Series | None:
    """Compact hands; None where the canonical reader does it itself."""
    split = mapping.cells[name].split
    notation = "rank-suit" if split else mapping.cards.of(name)
    if notation == "rank-suit" and mapping.cards.usual and not split:
        return None
    layout = mapping.cards
    read = cards.reader(notation, layout.order, layout.empty, layout.words)

    def one(each: str) -> str | None:
        hand = read(each)
        return None if not hand or (single and len(hand) != 2) else hand

    return _each(text, one)


def _deal(
    mapping: TableMap,
    rows: pl.DataFrame,
    shown: dict[str, pl.Series],
    texts: dict[str, pl.Series],
    hands: dict[str, pl.Series],
) -> None:
    """One list of both hands to the two of them."""
    layout = mapping.cards
    read = cards.deal_reader(
        layout.of(DEAL),
        layout.order,
        layout.empty,
        layout.words,
        str(layout.deal_order),
        layout.fifth,
    )
    own = shown[DEAL]
    said: list[pl.Series] = []
    if layout.fifth:
        said = [_column(name, rows) for name in layout.fifth]
    elif layout.fifth is not None:
        said = [shown[name] for name in ("player_total", "banker_total")]
    parts = [own.alias("deal")]
    for n, each in enumerate(said):
        plain = each.fill_null("").str.replace_all(_UNIT, "?", literal=True)
        parts.append(plain.alias(str(n)))
    text = pl.DataFrame(parts).select(pl.concat_str(pl.all(), separator=_UNIT)).to_series()
    found: dict[str, tuple[str, str] | None] = {}
    for key in text.drop_nulls().unique():
        deal, *told_of = key.rsplit(_UNIT, len(said)) if said else [key]
        found[key] = read(deal, tuple(each or None for each in told_of) or (None, None))
    for place, name in enumerate(("player_cards", "banker_cards")):

        def hand(each: str, place: int = place) -> str | None:
            pair = found[each]
            return None if pair is None else pair[place] or None

        def told(each: str, place: int = place) -> str | None:
            pair = found[each]
            return each if pair is None or pair[place] else None

        hands[name] = _each(text, hand)
        texts[name] = _each(text, told)
        shown[name] = own


def _cell(mapping: TableMap, name: str, kind: Kind, text: pl.Series) -> pl.Series:
    words = mapping.maps.get(name)
    if words is not None:
        others = kind in (Kind.TEXT, Kind.BET)
        return _strip(
            _each(text, lambda each: words.get(each.casefold(), each if others else UNREAD))
        )
    match kind:
        case Kind.TIME:
            return _times(mapping.times, text)
        case Kind.DATE if mapping.times.date_format != "iso":
            form = mapping.times.date_format
            return _each(text, lambda each: _or_unread(_date, each, form))
        case Kind.MONEY | Kind.MONEY_GAIN if not mapping.money.usual:
            return _each(text, lambda each: _amount(mapping.money, each))
        case _:
            return text


def _or_unread(function: Callable[..., str], *arguments: Any) -> str:
    try:
        return function(*arguments)
    except (ValueError, OverflowError):
        return UNREAD


def _times(times: Times, text: pl.Series) -> pl.Series:
    if times.format == "iso" and times.zone is None:
        return text
    if times.format in EPOCHS:
        return _each(text, lambda each: _or_unread(_epoch, each, _MICROSECONDS[times.format]))
    place = zone(times.zone) if times.zone else None
    return _each(text, lambda each: _or_unread(_moment, each, times.format, place))


def _epoch(text: str, microseconds: int) -> str:
    if re.match(_WHOLE, text) is None:
        raise ValueError(text)
    count = int(text.partition(".")[0]) * microseconds
    return _iso(_EPOCH + timedelta(microseconds=count))


def _moment(text: str, form: str, place: Any) -> str:
    """A time in Macau; ValueError where the zone's clock shows it twice, or never."""
    moment = datetime.fromisoformat(text) if form == "iso" else datetime.strptime(text, form)
    if moment.tzinfo is None and place is not None:
        moment = moment.replace(tzinfo=place)
        if moment.utcoffset() != moment.replace(fold=1).utcoffset():
            raise ValueError(text)
    return _iso(moment)


def _iso(moment: datetime) -> str:
    if moment.tzinfo is not None:
        moment = moment.astimezone(MACAU).replace(tzinfo=None)
    return moment.isoformat(" ")


def _date(text: str, form: str) -> str:
    return datetime.strptime(text, form).date().isoformat()


def _amount(layout: Money, text: str) -> str:
    """An amount in the canonical way; ``UNREAD`` where its marks do not stand as they should."""
    mark = re.escape(layout.thousands)
    whole = rf"(?:\d{{1,3}}(?:{mark}\d{{3}})+|\d+)" if layout.thousands else r"\d+"
    found = re.fullmatch(rf"([+-]?)({whole})(?:{re.escape(layout.decimal)}(\d*))?", text)
    if found is None:
        return UNREAD
    sign, digits, fraction = found.groups()
    if layout.thousands:
        digits = digits.replace(layout.thousands, "")
    fraction = (fraction or "").rstrip("0")
    if len(digits.lstrip("0")) > _DIGITS or len(fraction) > _DECIMALS:
        return UNREAD  # beyond what any amount holds; the division below is exact within it
    return format(Decimal(f"{sign}{digits}.{fraction or '0'}") / layout.scale, "f")


def _paid(mapping: TableMap, texts: Mapping[str, pl.Series]) -> pl.Series:
    """What went back to the bettor, from what the log means by paid."""
    paid = texts["paid"]
    if mapping.paid == "returned" and not mapping.commission_apart:
        return paid
    none = pl.Series([None], dtype=pl.String).new_from_index(0, paid.len())
    frame = pl.DataFrame(
        {
            name: texts.get(name, none)
            for name in ("paid", "stake", "commission_taken", "bet", "disposition")
        }
    )
    amount, stake = (money.from_text(pl.col(name)) for name in ("paid", "stake"))
    taken = money.from_text(pl.col("commission_taken")).fill_null(0)
    bet = pl.col("bet").str.to_lowercase().replace(OUTCOME_WORDS)
    carried = (pl.col("disposition").str.to_lowercase() == "carried").fill_null(False)
    if mapping.paid == "net":
        amount = pl.when(carried).then(amount).otherwise(amount + stake)
    elif mapping.paid == "winnings":
        alone = carried | (bet == "jackpot").fill_null(False) | (amount <= 0)
        amount = pl.when(alone).then(amount).otherwise(amount + stake)
    if mapping.commission_apart:
        amount = amount - taken
    # What is no amount stays as it is, to be refused as such; so does one without a stake.
    return frame.select(
        pl.when(amount.is_null()).then("paid").otherwise(money.to_text(amount))
    ).to_series()


def _aside(mapping: TableMap, rows: pl.DataFrame) -> pl.Series | None:
    if not mapping.where:
        return None
    finished = [
        _column(name, rows).is_in(list(values)).fill_null(False)
        for name, values in mapping.where.items()
    ]
    every = finished[0]
    for other in finished[1:]:
        every = every & other
    return ~every
