"""How a profile says that cards, times and money are written."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from audit.cards import SUITS
from audit.profile.cards import check_words
from audit.profile.model import DEAL, DEAL_ORDERS, FIFTH, NOTATIONS, Cards, Money, Times
from audit.rulebook.read import Node, shown
from audit.schema import Kind, Table

EPOCHS = ("epoch_s", "epoch_ms", "epoch_us")
_SCALES = (1, 10, 100, 1000, 10_000)


def texts(node: Node, key: str, *, one: bool = False) -> tuple[str, ...]:
    """A list of texts (``one``: or a single text); empty where the key is absent."""
    value = node.data.get(key, [])
    if one and isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
        node.refuse(key, f"{shown(value)} is not a list of texts")
    return tuple(value)


def meanings(node: Node, key: str) -> dict[str, str]:
    """The file's own words for ranks and suits; refused where one means neither."""
    words = node.table(key)
    found = {word: words.text(word, "") for word in words.data}
    wrong = check_words(found)
    if wrong is not None:
        words.refuse(wrong, f"{found[wrong]!r} is neither a rank nor a suit", "Write A, 10, K or S")
    return found


def cards_of(node: Node, table: Table) -> Cards:
    """The key ``cards`` of a table: a notation by its name, or with all that belongs to it."""
    value = node.data.get("cards", {})
    if isinstance(value, str):
        return Cards(node.choice("cards", NOTATIONS))
    cards = node.table("cards")
    cards.only("notation", "order", "empty", "words", "deal_order", "fifth", "by_column")
    order = cards.text("order", SUITS).upper()
    if sorted(order) != sorted(SUITS):
        cards.refuse("order", f"{order!r} does not name each suit once", "Write it as SHDC")
    own = cards.table("by_column")
    known = [c.name for c in table.columns if c.kind in (Kind.CARDS, Kind.CARD)]
    own.only(*known, *((DEAL,) if table.name == "rounds" else ()))
    return Cards(
        cards.choice("notation", NOTATIONS, "rank-suit"),
        order,
        frozenset(text.strip().upper() for text in texts(cards, "empty")),
        meanings(cards, "words"),
        cards.choice("deal_order", DEAL_ORDERS) if "deal_order" in cards.data else None,
        {name: own.choice(name, NOTATIONS) for name in own.data},
        _fifth(cards),
    )


def _fifth(node: Node) -> tuple[str, ...] | None:
    if "fifth" not in node.data:
        return None
    if isinstance(node.data["fifth"], dict):
        counts = node.table("fifth")
        counts.only("player", "banker")
        return counts.text("player"), counts.text("banker")
    node.choice("fifth", FIFTH)
    return ()


def times_of(node: Node) -> Times:
    """The key ``times``; a format that leaves out a part of the moment is refused."""
    node.only("format", "zone", "date_format")
    times = Times(
        node.text("format", "iso"),
        node.text("zone") if "zone" in node.data else None,
        node.text("date_format", "iso"),
    )
    for key, pattern in (("format", times.format), ("date_format", times.date_format)):
        if pattern == "iso" or (key == "format" and pattern in EPOCHS):
            continue
        try:
            told = datetime(2001, 2, 3, 16, 5, 6).strftime(pattern)
            back = datetime.strptime(told, pattern)
        except ValueError:
            node.refuse(key, f"{pattern!r} is no format", "Write it as %d/%m/%Y %H:%M:%S")
        if (back.month, back.day) != (2, 3) or back.year != 2001:
            node.refuse(key, f"{pattern!r} leaves out a part of the date", "It needs %Y, %m, %d")
        if key == "format" and (back.hour, back.minute) != (16, 5):
            node.refuse(key, f"{pattern!r} does not tell the time of day", "It needs %H and %M")
    if times.zone is not None:
        zoned = "%z" in times.format
        if times.format in EPOCHS or zoned:
            why = "an epoch counts in UTC" if not zoned else "the format tells it"
            node.refuse("zone", f"no zone is needed: {why}")
        try:
            zone(times.zone)
        except (ValueError, OSError, KeyError):
            node.refuse("zone", f"{times.zone!r} is no zone", "Write UTC, +08:00 or Asia/Macau")
    return times


def zone(text: str) -> timezone | ZoneInfo:
    """A zone by its offset (``+08:00``) or name.

    ValueError, OSError or KeyError for anything else; the two that every machine must know need
    no zone data.
    """
    if text in ("UTC", "Asia/Macau"):
        return timezone(timedelta(hours=0 if text == "UTC" else 8))
    if text[:1] in "+-":
        moment = datetime.strptime(text, "%z")
        return timezone(moment.utcoffset() or timedelta())
    return ZoneInfo(text)


def money_of(node: Node) -> Money:
    """The key ``money``: a power of ten, and the marks."""
    node.only("scale", "decimal", "thousands")
    scale = node.data.get("scale", 1)
    if isinstance(scale, bool) or not isinstance(scale, int) or scale not in _SCALES:
        node.refuse("scale", f"{shown(scale)} is no power of ten", "Write 100 for a log in cents")
    decimal = node.choice("decimal", (".", ","), ".")
    thousands = node.choice("thousands", ("", ",", ".", " ", "'"), "")
    if thousands == decimal:
        node.refuse("thousands", "the decimal mark and the thousands mark are the same")
    return Money(scale, decimal, thousands)
