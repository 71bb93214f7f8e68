"""The rule sets compiled to look-up columns, so that rounds of several versions go together.

Every round carries ``rs``, the index of its rule set. A value that depends on the rule set (and
perhaps on totals and cards) is one gather from a flat Series.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from audit.errors import OptionError
from audit.resolve.options import Options
from audit.rulebook import BetRule, Rulebook, RuleSet, weakest

EITHER = "either"
"""The setting of an interpretation under which any of its readings is accepted."""

NO_THIRD_CARD = 10
"""Index of the column "Player did not draw" beside the points 0-9 of Player's third card."""


def gather(values: Sequence[Any], index: pl.Expr, dtype: Any) -> pl.Expr:
    """``values[index]`` for each row; null where the index is null."""
    return pl.lit(pl.Series(values, dtype=dtype)).gather(index)


@dataclass(frozen=True)
class Rules:
    """The rule sets of a run, in order of date; a forced one stands alone."""

    sets: tuple[RuleSet, ...]
    book: Rulebook
    forced: bool
    readings: Mapping[str, str]

    @classmethod
    def of(cls, book: Rulebook, options: Options) -> Rules:
        """Those that ``options`` let in; RulebookError for an unknown id."""
        readings = {each.id: each.default for each in book.interpretations}
        for name, reading in options.interpret.items():
            if reading not in (*book.interpretation(name).readings, EITHER):
                raise OptionError(
                    f"{reading!r} is not a reading of {name}",
                    where="--interpret",
                    hint=f"Choose among {', '.join(book.interpretation(name).readings)}",
                )
            readings[name] = reading
        if options.forced:
            return cls((book.get(options.rules),), book, True, readings)
        return cls(book.sets, book, False, readings)

    @cached_property
    def bet_rules(self) -> tuple[tuple[BetRule, tuple[int, ...]], ...]:
        """Each different bet rule once, with the indexes of the rule sets that hold it."""
        found: list[tuple[BetRule, list[int]]] = []
        for rs, each in enumerate(self.sets):
            for bet in each.bets.values():
                where = next((where for known, where in found if known == bet), None)
                if where is None:
                    found.append((bet, [rs]))
                else:
                    where.append(rs)
        return tuple((bet, tuple(where)) for bet, where in found)

    def open_readings(self, name: str, pinned: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """Readings of an interpretation that a row may follow: the pinned one, or all."""
        reading = (pinned or {}).get(name, self.readings[name])
        return self.book.interpretation(name).readings if reading == EITHER else (reading,)

    def index_on(self, day: pl.Expr) -> pl.Expr:
        """Index of the rule set in force on ``day`` (Date), null before the first (art. 1)."""
        if self.forced:
            return pl.lit(0, dtype=pl.UInt32)
        index = pl.lit(None, dtype=pl.UInt32)
        for i, rules in enumerate(self.sets):
            index = pl.when(day >= rules.in_force_from).then(pl.lit(i, pl.UInt32)).otherwise(index)
        return index

    def each(self, of: Callable[[RuleSet], Any], dtype: Any, rs: pl.Expr | None = None) -> pl.Expr:
        """One value for each rule set, gathered by ``rs``."""
        index = pl.col("rs") if rs is None else rs
        return gather([of(rules) for rules in self.sets], index, dtype)

    def by_total(self, of: Callable[[RuleSet, int], bool], total: pl.Expr) -> pl.Expr:
        """A flag for each rule set and two-card total 0-9."""
        values = [of(rules, points) for rules in self.sets for points in range(10)]
        return gather(values, pl.col("rs") * 10 + total, pl.Boolean)

    def by_draw(
        self,
        of: Callable[[RuleSet, int, int | None], Any],
        dtype: Any,
        third: pl.Expr | None = None,
    ) -> pl.Expr:
        """A value for each rule set, Banker total and third card of Player (art. 9(3)(4)).

        ``third`` holds the points of that card, those dealt by default; null: none drawn.
        """
        values = [
            of(rules, total, points if points < NO_THIRD_CARD else None)
            for rules in self.sets
            for total in range(10)
            for points in range(NO_THIRD_CARD + 1)
        ]
        card = (pl.col("p3_points") if third is None else third).fill_null(NO_THIRD_CARD)
        return gather(values, (pl.col("rs") * 10 + pl.col("b_two")) * 11 + card, dtype)

    def weakest(self, keys: Sequence[str], rs: pl.Expr | None = None) -> pl.Expr:
        """Weakest status of the provisions ``keys`` in the row's rule set."""

        def status(rules: RuleSet) -> str:
            known = (key for key in keys if key in rules.provisions or key in rules.absent)
            return weakest(*(rules.status(key) for key in known))

        return self.each(status, pl.String, rs)

    def capped(self, code: str) -> pl.Expr:
        """Rows on which a finding of ``code`` cannot be verified, a later act being unknown."""
        if self.forced:
            return pl.lit(False)
        since = self.each(lambda rules: rules.capped_from(code), pl.Date)
        return (pl.col("started_at").dt.date() >= since).fill_null(False)
