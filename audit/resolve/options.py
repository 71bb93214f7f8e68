"""The options of a run that change what is due."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from audit.errors import OptionError
from audit.money import UNIT
from audit.schema import SCHEMES

ROUNDING_MODES = ("up", "down", "nearest")


@dataclass(frozen=True, slots=True)
class Rounding:
    """How a casino rounds the commission that it keeps: to a ``step`` in millionths."""

    step: int
    mode: str

    @classmethod
    def parse(cls, text: str) -> Rounding:
        """Read ``STEP,MODE``, such as ``1,down`` or ``0.5,nearest``."""
        match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,4})?),(up|down|nearest)", text.strip())
        step = Decimal(match[1]) if match else Decimal(0)
        if match is None or step == 0:
            raise OptionError(
                f"the commission rounding {text!r} is not STEP,MODE",
                where="--commission-rounding",
                hint="Write a step and a mode of up, down or nearest, such as 1,down",
            )
        return cls(int(step * UNIT), match[2])


def pinned(settings: Iterable[str]) -> dict[str, str]:
    """Read ``ID=READING`` settings; OptionError for one of another shape, or for two of one id."""
    readings: dict[str, str] = {}
    for setting in settings:
        name, equals, reading = (part.strip() for part in setting.partition("="))
        if not (name and equals and reading) or name in readings:
            raise OptionError(
                f"{setting!r} is not ID=READING, or its ID was given twice",
                where="--interpret",
                hint="Write such as jackpot_share=bets; `baccarat-audit rules list` lists the ids",
            )
        readings[name] = reading
    return readings


@dataclass(frozen=True, slots=True)
class Options:
    """``rules`` is ``auto`` or the rule set that the user forces; the rest fill what is missing."""

    rules: str = "auto"
    decks: int | None = None
    commission: str | None = None
    rounding: Rounding | None = None
    interpret: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.decks is not None and not 1 <= self.decks <= 99:
            raise OptionError(
                f"{self.decks} is not a number of decks", where="--decks", hint="Give 1 to 99"
            )
        if self.commission is not None and self.commission not in SCHEMES:
            raise OptionError(
                f"{self.commission!r} is not a commission scheme",
                where="--commission",
                hint=f"Give {' or '.join(SCHEMES)}",
            )

    @property
    def forced(self) -> bool:
        """Whether the user chose the rule set himself."""
        return self.rules != "auto"
