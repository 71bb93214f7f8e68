"""The four versions of the regulation as the contract tells them, and what later acts cap."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

MAIN = ("player", "banker")
PAIRS = ("player_pair", "banker_pair")
LATER_ACT = date(2009, 1, 1)
LATER_BURN = date(2011, 9, 27)


@dataclass(frozen=True)
class Version:
    """One rule set: what it offers, and which options its art. 19 names."""

    name: str
    since: date
    bets: tuple[str, ...]
    schemes: tuple[str, ...]
    options: tuple[str, ...]


_BETS = (*MAIN, "tie", *PAIRS)
_OPTIONS = ("art2_first_card", "art2_demonstration", "art3_one_more", "art7_auto", "art12_carry")
VERSIONS = (
    Version("55-2004", date(2004, 5, 18), _BETS, ("commission",), _OPTIONS),
    Version(
        "73-2005",
        date(2005, 11, 29),
        _BETS,
        ("commission", "no_commission"),
        (*_OPTIONS, "art18_no_commission"),
    ),
    Version(
        "30-2007",
        date(2007, 2, 23),
        (*_BETS, "jackpot"),
        ("commission", "no_commission"),
        (*_OPTIONS, "art13_pairs", "art13_jackpot"),
    ),
    Version(
        "64-2007",
        date(2007, 6, 26),
        (*_BETS, "jackpot"),
        ("commission", "no_commission"),
        (*_OPTIONS, "art13_pairs", "art13_jackpot"),
    ),
)


@dataclass(frozen=True)
class Options:
    """What the user says beside the log."""

    decks: int | None = None
    commission: str | None = None
    rounding: tuple[str, str] | None = None
    rules: str = "auto"

    def in_force(self, day: date) -> Version | None:
        """The version of a Macau date, or the one that the user forces."""
        if self.rules != "auto":
            return next(version for version in VERSIONS if version.name == self.rules)
        started = [version for version in VERSIONS if version.since <= day]
        return started[-1] if started else None

    def severity(self, code: str, severity: str, day: date) -> str:
        """Arts. 13, 17, 18, 19 are at most a warning from 2009 on, A0201 from 2011-09-27."""
        if self.rules != "auto" or severity != "violation":
            return severity
        if code[:3] in ("A13", "A17", "A18", "A19") and day >= LATER_ACT:
            return "warning"
        if code == "A0201" and day >= LATER_BURN:
            return "warning"
        return severity

    def rounded(self, amount: Fraction) -> Fraction:
        """Commission, or the half paid on a six, in the steps of the configured rounding."""
        if self.rounding is None:
            return amount
        step, mode = Fraction(Decimal(self.rounding[0])), self.rounding[1]
        down = amount // step
        rest = amount / step - down
        if rest and (mode == "up" or (mode == "nearest" and rest >= Fraction(1, 2))):
            down += 1
        return down * step


def first_naming(option: str) -> date:
    """The date from which art. 19 first names an option."""
    return next(version.since for version in VERSIONS if option in version.options)


# --- art. 9 ------------------------------------------------------------------------------------

BANKER_DRAWS_ON = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
    8: "",
    9: "",
}


def player_draws(player: int, banker: int) -> bool:
    """Art. 9(1) and (2), on the two-card totals."""
    return player <= 5 and banker <= 7


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """Art. 9(3) and (4): `third` is what Player actually drew, in points."""
    if player >= 8 or banker >= 8:
        return False
    if third is None:
        return banker <= 5
    return str(third) in BANKER_DRAWS_ON[banker]
