"""Profiles from TOML: whatever is not understood is refused, with file and key named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from audit.errors import ProfileError, RulebookError
from audit.profile.layout import cards_of, meanings, money_of, texts, times_of
from audit.profile.model import (
    DEAL,
    DEAL_ORDERS,
    ENCODINGS,
    PAID,
    Cards,
    Cell,
    Profile,
    TableMap,
    lacking,
)
from audit.rulebook.read import Node, read_toml, shown
from audit.rulebook.types import nearest
from audit.schema import TABLES, Kind, Table

SHIPPED = Path(__file__).resolve().parent.parent / "profiles"
"""Folder of the profiles that come with the program."""

_TABLE_KEYS = (
    "files", "table", "columns", "sql", "order_by", "encoding", "where", "shoe_key", "cards",
    "times", "money", "maps", "paid", "commission_apart",
)  # fmt: skip


def shipped() -> dict[str, Path]:
    """Profiles that come with the program, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.toml"))}


def load_profile(given: Path | str) -> Profile:
    """The profile in a file, or the shipped one of that name; ProfileError for any fault in it."""
    path = Path(given)
    known = shipped()
    if not path.is_file():
        if str(given) not in known:
            raise ProfileError(
                "there is no such file, nor a profile of that name",
                where=str(given),
                hint=nearest(str(given), tuple(known)),
            )
        path = known[str(given)]
    name = path.stem if path.parent.resolve() == SHIPPED else path.name
    try:
        file = read_toml(path, path.name)
        return Profile(name, file.sha256, _tables(file.top))
    except RulebookError as error:
        raise ProfileError(error.what, where=error.where, hint=error.hint) from None


def _tables(top: Node) -> dict[str, TableMap]:
    names = tuple(table.name for table in TABLES)
    top.only("about", *names)
    top.text("about", "")
    if "rounds" not in top.data:
        top.refuse("", "there is no table [rounds]", "Say how the rounds are read")
    return {
        table.name: _table(top.table(table.name), table)
        for table in TABLES
        if table.name in top.data
    }


def _table(node: Node, table: Table) -> TableMap:
    node.only(*_TABLE_KEYS)
    if ("sql" in node.data) == ("columns" in node.data):
        node.refuse("", "give either columns or sql", "One of the two says what the columns are")
    sql = node.text("sql") if "sql" in node.data else None
    relations = _origin(node, sql)
    cards = cards_of(node, table)
    times = times_of(node.table("times"))
    money = money_of(node.table("money"))
    maps = _maps(node.table("maps"), table)
    shoe_key = texts(node, "shoe_key")
    cells = {} if sql is not None else _cells(node.table("columns"), table, maps)
    if sql is None:
        _complete(node, table, cells, shoe_key)
        _deal(node, cells, cards)
    if shoe_key and "shoe_id" not in {column.name for column in table.columns}:
        node.refuse("shoe_key", f"the table {table.name} has no shoe")
    if table.name != "bets":
        for key in ("paid", "commission_apart"):
            if key in node.data:
                node.refuse(key, f"only bets have {key!r}")
    apart = node.flag("commission_apart", False)
    if apart and sql is None and "commission_taken" not in cells:
        node.refuse("commission_apart", "it needs the column commission_taken")
    return TableMap(
        table.name,
        relations,
        sql,
        cells,
        _where(node.table("where")),
        shoe_key,
        cards,
        times,
        money,
        maps,
        node.choice("paid", PAID, "returned"),
        apart,
        node.text("table") if "table" in node.data else None,
        texts(node, "order_by", one=True),
        ENCODINGS[node.choice("encoding", tuple(ENCODINGS))] if "encoding" in node.data else None,
    )


def _origin(node: Node, sql: str | None) -> dict[str, tuple[str, ...]]:
    """The files by name; none where the rows are in a database, by its table or query."""
    if "files" in node.data:
        for key in ("table", "order_by"):
            if key in node.data:
                node.refuse(key, f"{key!r} is for a database, and files are named too")
        return _relations(node) if sql is not None else {"": _patterns(node, "files")}
    if "encoding" in node.data:
        node.refuse("encoding", "only files have one")
    if sql is None:
        if "table" not in node.data:
            node.refuse("files", "no files are named", 'Write files = ["rounds*.csv"]')
    elif "table" in node.data:
        node.refuse("table", "the query says where its rows are", "Leave out table")
    elif "order_by" not in node.data:
        node.refuse(
            "order_by",
            "a query without files is for a database, and its rows need an order",
            "Name the columns that no two rows share, or the files",
        )
    return {}


def _deal(node: Node, cells: Mapping[str, Cell], cards: Cards) -> None:
    """Refuse a list of both hands of which it is not told whose its cards are."""
    if DEAL not in cells:
        return
    if cards.deal_order is None:
        node.table("cards").refuse(
            "deal_order", "a list of both hands needs it", f"Give {', '.join(DEAL_ORDERS)}"
        )
    if cards.fifth == () and not {"player_total", "banker_total"} <= set(cells):
        node.table("cards").refuse(
            "fifth", "the totals tell it only if both are recorded", "Map both total columns"
        )


def _relations(node: Node) -> dict[str, tuple[str, ...]]:
    """Groups of files by the name under which the query reads them."""
    if not isinstance(node.data.get("files"), dict):
        node.refuse("files", "a query needs its files by name", 'Write { games = "games.csv" }')
    group = node.table("files")
    if not group.data:
        node.refuse("files", "no files are named")
    for name in group.data:
        if not name.isidentifier() or not name.isascii():
            group.refuse(name, f"{name!r} is no name for a query", "Use letters and digits")
    return {name: _patterns(group, name) for name in group.data}


def _patterns(node: Node, key: str) -> tuple[str, ...]:
    patterns = texts(node, key, one=True)
    if not patterns:
        node.refuse(key, "no files are named", 'Write files = ["rounds*.csv"]')
    for pattern in patterns:
        parts = PurePosixPath(pattern).parts
        if pattern.startswith("/") or ".." in parts or "\\" in pattern or "**" in parts:
            node.refuse(
                key, f"{pattern!r} does not stay in the log's folder", "Write it relative to it"
            )
    return patterns


def _cells(node: Node, table: Table, maps: Mapping[str, Mapping[str, str]]) -> dict[str, Cell]:
    allowed = [column.name for column in table.columns]
    if table.name == "rounds":
        allowed.append(DEAL)
    node.only(*allowed)
    cells = {}
    for name, value in node.data.items():
        if isinstance(value, str) and value.strip():
            cells[name] = Cell((value,))
        elif isinstance(value, dict):
            kind = Kind.CARDS if name == DEAL else table.column(name).kind
            cells[name] = _cell(node.table(name), kind, name)
        else:
            node.refuse(name, f"{shown(value)} is no column", 'Write "Column" or { value = "x" }')
        constant = cells[name].constant
        if constant is not None:
            _fits(node, name, table, name, maps.get(name, {}).get(constant, constant))
    return cells


def _cell(node: Node, kind: Kind, name: str) -> Cell:
    data = node.data
    if "value" in data:
        node.only("value")
        return Cell(constant=node.text("value"))
    if "rank" in data or "suit" in data:
        node.only("rank", "suit", "ranks", "suits")
        if kind is not Kind.CARD:
            node.refuse("rank", f"{name} is not one card", "Map player_1 to banker_3")
        ranks, suits = meanings(node, "ranks"), meanings(node, "suits")
        return Cell(
            (node.text("rank"), node.text("suit")), "_", split=True, ranks=ranks, suits=suits
        )
    node.only("join", "with", "value", "rank", "suit")
    columns = texts(node, "join")
    if len(columns) < 2:
        node.refuse("join", "two columns or more are to be joined")
    return Cell(columns, node.text("with", " "))


def _fits(node: Node, key: str, table: Table, name: str, text: str) -> None:
    """Refuse at ``key`` a constant that the column ``name`` could not hold."""
    import polars as pl

    from audit.normalise import cells

    if name == DEAL:
        node.refuse(key, "the cards of a round are no constant")
    column = table.column(name)
    if cells.typed(column, pl.Series([text], dtype=pl.String)).null_count():
        node.refuse(key, f"{text!r} is not {cells.expected(column)}")


def _complete(
    node: Node, table: Table, cells: Mapping[str, Cell], shoe_key: tuple[str, ...]
) -> None:
    have = {*cells, *(("shoe_id",) if shoe_key else ())}
    if shoe_key and "shoe_id" in cells:
        node.refuse("shoe_key", "the column shoe_id is given too", "Keep one of the two")
    absent = lacking(table, have)
    if absent is not None:
        node.table("columns").refuse("", f"the required column {absent!r} is not given")


def _maps(node: Node, table: Table) -> dict[str, dict[str, str]]:
    columns = {column.name: column for column in table.columns}
    node.only(*columns)
    maps: dict[str, dict[str, str]] = {}
    for name in node.data:
        column, words = columns[name], node.table(name)
        if column.kind not in (Kind.WORD, Kind.BET, Kind.BOOLEAN, Kind.TEXT):
            node.refuse(name, f"{name} is a {column.kind.value}, no word", "Maps are for words")
        found = {}
        for word in words.data:
            value = words.text(word, "")
            if value and column.kind is not Kind.BET:
                _fits(words, word, table, name, value)
            folded = word.strip().casefold()
            if folded in found:
                words.refuse(word, f"{word!r} is there twice (upper and lower case are alike)")
            found[folded] = value
        if not found:
            node.refuse(name, "the map is empty")
        maps[name] = found
    return maps


def _where(node: Node) -> dict[str, frozenset[str]]:
    where = {name: frozenset(texts(node, name, one=True)) for name in node.data}
    for name, values in where.items():
        if not values:
            node.refuse(name, "no value is named")
    return where
