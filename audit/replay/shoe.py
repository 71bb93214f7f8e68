"""A whole shoe of a case: its rounds in a list, and what they put on the roads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from audit.cards import TEXT
from audit.replay.hand import Winner, pair_of, total_of, winner_of
from audit.replay.read import OF_SHOE, Row, Shoe, evidence, hands_of, rows
from audit.roads import Bead, Outcome, RoadCell, bead_plate, big_road

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ON_THE_ROADS = ("play", "free")
"""Kinds of rounds that a road shows: no demonstration, no void round."""

SEVERITIES = ("violation", "warning", "notice")


@dataclass(frozen=True, slots=True)
class Note:
    """A finding in short."""

    code: str
    severity: str
    bet_id: str
    consequence: str


@dataclass(frozen=True, slots=True)
class ShoeRound:
    """One round of a shoe. Totals, winner and pairs are those of the cards as dealt.

    They are None where the first four cards are not all known; ``recorded`` is the outcome in
    the log, None if not recorded.
    """

    round_no: int
    started_at: datetime
    kind: str
    player: tuple[int, ...]
    banker: tuple[int, ...]
    player_total: int | None
    banker_total: int | None
    winner: Winner | None
    player_pair: bool | None
    banker_pair: bool | None
    recorded: Winner | None
    cut_card: bool
    bets: int
    notes: tuple[Note, ...]

    @property
    def outcome(self) -> Outcome:
        """The winner by the cards; where they do not say, by the log."""
        return self.winner or (None if self.kind == "void" else self.recorded)

    @property
    def worst(self) -> str:
        """The gravest severity among its findings, empty for none."""
        found = {note.severity for note in self.notes}
        return next((severity for severity in SEVERITIES if severity in found), "")

    @property
    def on_the_roads(self) -> bool:
        """Whether it has a place on the roads."""
        return self.kind in ON_THE_ROADS


@dataclass(frozen=True, slots=True)
class ShoeRecord:
    """A shoe and its rounds by number; ``rejected`` are numbers whose row could not be read.

    ``loose`` counts findings of the shoe that stand on no round of it.
    """

    casino: str
    table_id: str
    shoe_id: str
    device: str
    decks: int | None
    rounds: tuple[ShoeRound, ...]
    rejected: frozenset[int]
    loose: int

    @property
    def name(self) -> str:
        """Path of the shoe as the command line takes it."""
        path = f"{self.table_id}/{self.shoe_id}"
        return path if self.casino == "-" else f"{self.casino}/{path}"

    @property
    def played(self) -> tuple[ShoeRound, ...]:
        """The rounds that are on the roads; the indexes of beads and cells count these."""
        return tuple(each for each in self.rounds if each.on_the_roads)

    def beads(self) -> list[Bead]:
        """The bead plate."""
        return bead_plate([each.outcome for each in self.played])

    def road(self) -> list[RoadCell]:
        """The big road."""
        return big_road([each.outcome for each in self.played])

    def gaps(self) -> Iterator[tuple[int, int]]:
        """First and last number of each run of rounds that the log does not have."""
        before = 0
        for each in self.rounds:
            if each.round_no > before + 1:
                yield before + 1, each.round_no - 1
            before = each.round_no

    def count(self) -> dict[str, int]:
        """Rounds on the roads by outcome, in the order Player, Banker, tie."""
        outcomes = [each.outcome for each in self.played]
        return {name: outcomes.count(name) for name in ("player", "banker", "tie")}


def read_shoe(connection: DuckDBPyConnection, shoe: Shoe) -> ShoeRecord:
    """A shoe of the case with all its rounds."""
    of_shoe, bets_of = (evidence(connection, name, shoe) for name in ("rounds", "bets"))
    found = rows(connection, f"select * from {of_shoe} where {OF_SHOE} order by round_no", shoe)
    count = f"select round_no, count(*) as bets from {bets_of} where {OF_SHOE} group by all"
    bets = {row["round_no"]: row["bets"] for row in rows(connection, count, shoe)}
    notes: dict[int | None, list[Note]] = {}
    for row in rows(connection, _FINDINGS, shoe):
        note = Note(row["code"], row["severity"], row["bet_id"] or "", row["consequence"] or "")
        notes.setdefault(row["round_no"], []).append(note)
    rejected = rows(connection, _REJECTED, shoe)
    numbers = {row["round_no"] for row in found}
    return ShoeRecord(
        casino=shoe[0],
        table_id=shoe[1],
        shoe_id=shoe[2],
        device=found[0]["device"],
        decks=found[0]["decks"],
        rounds=tuple(
            _round(row, bets.get(row["round_no"], 0), tuple(notes.get(row["round_no"], ())))
            for row in found
        ),
        rejected=frozenset(row["round_no"] for row in rejected) - numbers,
        loose=sum(len(each) for number, each in notes.items() if number not in numbers),
    )


_FINDINGS = f"""select round_no, code, severity, bet_id, consequence from findings
where {OF_SHOE} order by round_no, code, bet_id nulls first, subject nulls first, id"""
_REJECTED = f"""select distinct round_no from rejects
where "table" = 'rounds' and round_no is not null and {OF_SHOE}"""


def _round(row: Row, bets: int, notes: tuple[Note, ...]) -> ShoeRound:
    player, banker, missing = hands_of(row)
    known = not missing and min(len(player), len(banker)) > 1
    totals = (total_of(player), total_of(banker)) if known else None
    return ShoeRound(
        round_no=row["round_no"],
        started_at=row["started_at"],
        kind=row["kind"],
        player=player,
        banker=banker,
        player_total=totals[0] if totals else None,
        banker_total=totals[1] if totals else None,
        winner=winner_of(*totals) if totals else None,
        player_pair=pair_of(player) if known else None,
        banker_pair=pair_of(banker) if known else None,
        recorded=row["outcome"],
        cut_card=bool(row["cut_card"]),
        bets=bets,
        notes=notes,
    )


def shoe_json(shoe: ShoeRecord) -> dict[str, object]:
    """The shoe for programs: rounds, and both roads with round numbers in their cells."""
    played = [each.round_no for each in shoe.played]
    return {
        "casino": shoe.casino,
        "table_id": shoe.table_id,
        "shoe_id": shoe.shoe_id,
        "device": shoe.device,
        "decks": shoe.decks,
        "results": shoe.count(),
        "missing": [list(gap) for gap in shoe.gaps()],
        "rejected": sorted(shoe.rejected),
        "rounds": [
            {
                "round_no": each.round_no,
                "started_at": each.started_at.isoformat(),
                "kind": each.kind,
                "player_cards": [TEXT[card] for card in each.player],
                "banker_cards": [TEXT[card] for card in each.banker],
                "player_total": each.player_total,
                "banker_total": each.banker_total,
                "outcome": each.winner,
                "recorded_outcome": each.recorded,
                "player_pair": each.player_pair,
                "banker_pair": each.banker_pair,
                "cut_card": each.cut_card,
                "bets": each.bets,
                "findings": [
                    {
                        "code": note.code,
                        "severity": note.severity,
                        "bet_id": note.bet_id or None,
                        "consequence": note.consequence or None,
                    }
                    for note in each.notes
                ],
            }
            for each in shoe.rounds
        ],
        "bead_plate": [
            {"column": bead.column, "row": bead.row, "round_no": played[bead.index],
             "outcome": bead.outcome}
            for bead in shoe.beads()
        ],
        "big_road": [
            {
                "column": cell.column,
                "row": cell.row,
                "round_no": None if cell.index is None else played[cell.index],
                "outcome": cell.outcome,
                "ties": [played[index] for index in cell.ties],
            }
            for cell in shoe.road()
        ],
    }  # fmt: skip
