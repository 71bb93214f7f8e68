"""What a loaded rule set is made of: plain frozen values, each with its citation and mark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from audit.errors import RulebookError

Status = Literal["stated", "inferred", "unknown"]
STATUSES: tuple[Status, ...] = ("stated", "inferred", "unknown")
"""Strongest first: read in a text, worked out from texts, no text could be read."""

Kind = Literal["fixed", "jackpot"]
Side = Literal["player", "banker"]
Condition = Mapping[str, Any]
"""Hand fact to value, or to a list of allowed values (``audit.rulebook.facts``)."""


def weakest(*marks: Status) -> Status:
    """The weakest of the marks; ``stated`` for none."""
    return max(marks, key=STATUSES.index, default="stated")


@dataclass(frozen=True, slots=True)
class Provision:
    """One value of a rule set under its flat key, such as ``decks_min`` or ``payout.tie``.

    ``value`` is plain TOML data with decimals for fractions; ``article`` may list several
    citations, separated by commas; ``ruleset`` is the id of the act that set it.
    """

    key: str
    value: Any
    article: str
    status: Status
    note: str
    ruleset: str


@dataclass(frozen=True, slots=True)
class Pay:
    """Net odds on top of the stake, where ``when`` holds. The first that fits counts."""

    when: Condition
    odds: Decimal
    article: str
    status: Status


@dataclass(frozen=True, slots=True)
class Combination:
    """One jackpot combination (art. 13(1)(4)(2)) and its prize (art. 17(4)-(6)).

    ``cards`` is ``first_four`` or ``first_five`` dealt; ``pattern`` one of
    ``audit.rulebook.bets.PATTERNS``; ``prize`` is ``pool``, ``fixed`` or ``fixed_or_pool_part``
    (the higher of the two); ``shared``: equally among the round's winners.
    """

    id: str
    cards: str
    pattern: str
    article: str
    status: Status
    prize: str
    pool_part: Decimal | None
    shared: bool
    prize_article: str
    prize_status: Status


@dataclass(frozen=True, slots=True)
class BetRule:
    """A bet on offer: what wins (art. 13), what gives the stake back (art. 12), odds (art. 17).

    ``article`` and ``status`` are those of the bet; each pay has its own. A jackpot has no
    conditions and no pays, but ``combinations`` in the law's order. ``titles`` (en, zh-Hant, pt)
    serve bets that the message catalogues do not know.
    """

    id: str
    kind: Kind
    side: Side | None
    wins: Condition
    pushes: Condition | None
    pays: tuple[Pay, ...]
    combinations: tuple[Combination, ...]
    article: str
    status: Status
    payout_article: str
    payout_status: Status
    titles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Scheme:
    """A commission scheme (art. 18): ``rate`` of the winnings of ``bet`` is kept.

    ``pays`` go before the bet's own; no commission is kept on them.
    """

    id: str
    bet: str
    rate: Decimal
    pays: tuple[Pay, ...]
    article: str
    status: Status


@dataclass(frozen=True, slots=True)
class Marked:
    """A date or a gazette number with its mark; ``value`` is None where it is unknown."""

    value: date | str | None
    status: Status
    note: str = ""


UNKNOWN = Marked(None, "unknown")


@dataclass(frozen=True, slots=True)
class Instrument:
    """An act of the Secretary for Economy and Finance; ``touches`` lists articles."""

    id: str
    despacho: str
    signed: Marked
    gazette: Marked
    published: Marked
    in_force: Marked
    touches: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cap:
    """Checks whose findings cannot be verified from ``since`` on, for acts that are not held.

    ``articles`` as cited (``13``, ``2(1)``); ``checks`` are codes or prefixes (``A13``, ``A0201``).
    """

    since: date
    articles: tuple[str, ...]
    checks: tuple[str, ...]
    because: tuple[str, ...]

    def covers(self, what: str) -> bool:
        """Whether a check code (``A1701``) or an article (``17``, ``17(2)``) is capped."""
        if what.startswith("A"):
            return what.startswith(self.checks)
        return any(what == article or what.startswith(f"{article}(") for article in self.articles)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A disputed reading: ``readings`` by id; ``about`` says what each means."""

    id: str
    article: str
    question: str
    readings: tuple[str, ...]
    about: Mapping[str, str]
    default: str


ChangeKind = Literal["added", "changed", "restated", "repealed"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two rule sets.

    ``restated``: the value is the same, its citation or mark is not. ``article`` and ``status``
    are those of the newer side; ``old`` is None for what was added, ``new`` for what was repealed.
    """

    kind: ChangeKind
    key: str
    old: Provision | None
    new: Provision | None
    article: str
    status: Status
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class RuleSet:
    """The whole law of one version, its amendments applied.

    ``provisions`` holds every value under its flat key; the typed fields say the same again.
    ``absent`` names what this version is known (or taken) not to have, such as
    ``scheme.no_commission``, with the citation and mark that a finding on its use rests on.
    """

    id: str
    amends: str | None
    in_force_from: date
    in_force_status: Status
    in_force_note: str
    instrument: Instrument
    provisions: Mapping[str, Provision]
    absent: Mapping[str, Provision]
    player_draws: frozenset[int]
    naturals: frozenset[int]
    banker_draws: Mapping[tuple[int, int | None], bool]
    banker_article: Mapping[tuple[int, int | None], str]
    bets: Mapping[str, BetRule]
    schemes: Mapping[str, Scheme]
    options: Mapping[str, Provision]
    complete: bool = False
    own: bool = False
    caps: tuple[Cap, ...] = field(default=())

    def provision(self, key: str) -> Provision:
        """The provision under ``key``; RulebookError with the nearest name if there is none."""
        found = self.provisions.get(key)
        if found is None:
            raise RulebookError(
                f"rule set {self.id} has no provision {key!r}",
                hint=nearest(key, self.provisions),
            )
        return found

    def value(self, key: str) -> Any:
        """Value of the provision ``key``."""
        return self.provision(key).value

    def status(self, key: str) -> Status:
        """Mark of the provision ``key``, also of one that is known to be absent."""
        return (self.absent[key] if key in self.absent else self.provision(key)).status

    def article(self, key: str) -> str:
        """Citation of the provision ``key``, also of one that is known to be absent."""
        return (self.absent[key] if key in self.absent else self.provision(key)).article

    @property
    def known_incomplete_from(self) -> date | None:
        """First day on which a later act is known that this set does not hold."""
        return min((cap.since for cap in self.caps), default=None)

    def capped_from(self, what: str) -> date | None:
        """First day on which a check code or an article cannot be verified, None if never."""
        return min((cap.since for cap in self.caps if cap.covers(what)), default=None)


def nearest(name: str, names: Mapping[str, Any] | tuple[str, ...]) -> str:
    """Hint for a misspelt name: the nearest, or the choice where it is short, else nothing."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(names), n=1, cutoff=0.6)
    if close:
        return f"The nearest is {close[0]!r}"
    return f"Choose among {', '.join(names)}" if 0 < len(names) <= 12 else ""
