"""A first look at a whole log: one file, what is in an archive or workbook, or a database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from audit.errors import LogError
from audit.profile.draft import Draft, file_line, profile_of, table_lines
from audit.profile.inspect import inspect_rows
from audit.profile.model import DEAL
from audit.sources import (
    Batch,
    Database,
    Stored,
    container_of,
    members_of,
    open_server,
    open_source,
)

MOST = 50
"""Tables looked at in one archive, workbook or database."""


@dataclass(frozen=True)
class Survey:
    """What was found in ``name``: the tables that are the log, and sentences on the others."""

    name: str
    drafts: tuple[Draft, ...]
    notes: tuple[str, ...] = ()

    @property
    def toml(self) -> str:
        """The draft profile, which runs once nothing is missing from it."""
        return profile_of(self.drafts, self.name)


def survey(place: Path | Database, part: str = "") -> Survey:
    """Look at a log that ``run`` could read, or at one ``part`` of it: a member, sheet or table.

    LogError where nothing in it can be read.
    """
    if isinstance(place, Database):
        name, found = place.name, _of_database(place, part)
    else:
        name, found = place.name, _of_file(place, part)
    drafts: list[Draft] = []
    notes: list[str] = []
    for each, draft in found:
        if isinstance(draft, Draft):
            drafts.append(draft)
        else:
            notes.append(f"{each}: {draft}")
    if not drafts:
        raise LogError("nothing in it can be read", where=str(place), hint=" ".join(notes)[:300])
    chosen = _chosen(drafts)
    for draft in drafts:
        if draft not in chosen:
            lacks = f", without {draft.missing}" if draft.missing else ""
            notes.append(f"{draft.name} looks like {draft.table} less than the others do{lacks}.")
    return Survey(name, tuple(chosen), tuple(notes))


def _chosen(drafts: list[Draft]) -> list[Draft]:
    """The table most like rounds, and the one most like bets if it lacks nothing."""
    chosen = []
    for table in ("rounds", "bets"):
        alike = [each for each in drafts if each.table == table]
        best = max(alike, key=_likeness, default=None)
        if best is not None and (table == "rounds" or best.missing is None):
            chosen.append(best)
    return chosen or [max(drafts, key=_likeness)]


def _likeness(draft: Draft) -> tuple[bool, bool, int]:
    cards = {"player_cards", "player_1", DEAL} & set(draft.columns)
    return draft.missing is None, bool(cards), len(draft.columns)


Looked = tuple[str, Draft | str]
"""The name of a table, and its draft, or why there is none."""


def _of_file(path: Path, part: str) -> Iterator[Looked]:
    if not path.is_file():
        raise LogError("there is no such file", where=str(path), hint="Give one file of the log")
    if container_of(path) is None:
        if part:
            raise LogError("there are no parts in it", where=str(path), hint="Leave out --table")
        batch = next(open_source(path, path.name).batches(), None)
        yield path.name, _draft(batch, path.name, (file_line(path.name),), path.name)
        return
    members = members_of(path, path.name)
    for member in _asked(members, part, str(path)):
        name = f"{path.name}/{member}"
        try:
            batch = next(open_source(path, name, member).batches(), None)
        except LogError as error:
            if part:
                raise
            yield member, error.what + "."
            continue
        if batch is None and not part and len(members) > 1:
            yield member, "there is no row in it."
        else:
            yield member, _draft(batch, name, (file_line(name),), name)


def _of_database(database: Database, part: str) -> Iterator[Looked]:
    server = open_server(database)
    try:
        names = (part,) if part else _asked(server.tables(), "", str(database))
        for name in names:
            try:
                origin = server.table(name)
                fields = [each.name for each in origin.fields]
                source = Stored(server, origin, origin.name, (), fields)
                batch = next(source.batches(), None)
            except LogError as error:
                if part:
                    raise
                yield name, error.what + "."
                # What the server refused has ended the transaction.
                server.close()
                server = open_server(database)
                continue
            if batch is None and not part and len(names) > 1:
                yield name, "there is no row in it."
                continue
            yield name, _stored(batch, source, name, origin.key)
    finally:
        server.close()


def _stored(batch: Batch | None, source: Stored, name: str, key: tuple[str, ...]) -> Draft:
    draft = _draft(batch, source.name, table_lines(name, ()), source.name)
    if key:
        return draft
    columns = ("table_id", "shoe_id", "round_no", "bet", "patron_id", "position")
    order = [draft.columns[each] for each in columns if each in draft.columns]
    note = f"{name} has no primary key: check that no two rows share {', '.join(order) or 'it'}."
    origin = table_lines(name, order or source.header)
    return replace(draft, origin=origin, notes=[*draft.notes, note])


def _draft(batch: Batch | None, name: str, origin: tuple[str, ...], where: str) -> Draft:
    if batch is None:
        raise LogError("there is no row in it", where=where)
    draft = inspect_rows(batch.rows, name)
    draft.origin = origin
    return draft


def _asked(names: tuple[str, ...], part: str, where: str) -> tuple[str, ...]:
    seen = ", ".join(names[:10]) or "nothing"
    if not names or (part and part not in names):
        raise LogError(
            f"there is no table {part!r} in it (found: {seen})" if part else "it holds no table",
            where=where,
        )
    return (part,) if part else names[:MOST]
