"""A round, its bets and findings as a case has them: plain values, judged by nobody here."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from audit.replay.true_order import Following

if TYPE_CHECKING:
    from audit.replay.hand import Winner


@dataclass(frozen=True, slots=True)
class RecordedBet:
    """A bet; money in its own currency. ``due`` and ``standing`` are the case's own answer."""

    bet_id: str
    bet: str
    currency: str
    position: str
    patron_id: str
    stake: Decimal
    paid: Decimal
    commission_taken: Decimal | None
    disposition: str
    due: Decimal | None
    standing: str

    @property
    def holder(self) -> tuple[str, str] | None:
        """Whose bet it is: the place at the table, else the patron; None where not recorded."""
        if self.position:
            return "position", self.position
        return ("patron", self.patron_id) if self.patron_id else None


@dataclass(frozen=True, slots=True)
class RecordedFinding:
    """A finding anchored to the round."""

    code: str
    severity: str
    status: str
    article: str
    bet_id: str
    subject: str
    expected: str
    recorded: str
    amount: Decimal | None
    consequence: str
    message: str


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """A round. Totals, outcome and pairs are those recorded, None if not.

    ``missing`` says that the round's initial cards are incomplete. ``scheme`` is the commission
    scheme by which the case judged it, ``ruleset`` the rule set, ``forced`` whether the user had
    forced it. ``following`` is what is known of the cards behind it in the shoe.
    """

    casino: str
    table_id: str
    shoe_id: str
    round_no: int
    started_at: datetime
    kind: str
    void_reason: str
    device: str
    decks: int | None
    player: tuple[int, ...]
    banker: tuple[int, ...]
    withdrawn: str
    missing: bool
    player_total: int | None
    banker_total: int | None
    outcome: Winner | None
    player_pair: bool | None
    banker_pair: bool | None
    scheme: str | None
    burned: int | None
    cut_card: bool | None
    jackpot_pool: Decimal | None
    dealer_id: str
    ruleset: str | None
    forced: bool
    source: str
    row: int | None
    following: Following = field(default_factory=Following)
    bets: tuple[RecordedBet, ...] = ()
    findings: tuple[RecordedFinding, ...] = field(default=(), repr=False)

    @property
    def shoe_name(self) -> str:
        """Path of the shoe as the command line takes it, the casino left out where it is '-'."""
        path = f"{self.table_id}/{self.shoe_id}"
        return path if self.casino == "-" else f"{self.casino}/{path}"

    @property
    def name(self) -> str:
        """Path of the round as the command line takes it."""
        return f"{self.shoe_name}/{self.round_no}"

    @property
    def outcome_only(self) -> bool:
        """Whether it has an outcome and no card at all."""
        return not self.player and not self.banker and self.outcome is not None
