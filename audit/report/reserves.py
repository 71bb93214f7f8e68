"""What keeps the conclusion from being about the whole log and the whole regulation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import duckdb

from audit.checks.findings import UNVERIFIABLE
from audit.report.query import Facts, rows
from audit.report.words import Words, visible
from audit.strays import sentences

_ANNEXES = (
    "rules", "interpretations", "checks", "exceptions", "rejects", "sources", "method", "integrity",
)  # fmt: skip
LETTERS = dict(zip(_ANNEXES, "ABCDEFGH", strict=True))
"""The letter of each annex."""

ALWAYS = ("warning", "rejected", "not_applied", "partly", "undecided", "unverifiable")
"""Limits that the page of answers names also where there are none."""

_ANNEX = {
    "rejected": "rejects",
    "not_applied": "checks",
    "partly": "checks",
    "undecided": "interpretations",
}


def limits(connection: duckdb.DuckDBPyConnection, run: Mapping[str, Any]) -> Facts:
    """How far the run falls short of the whole, each as a number, in the order of their weight.

    ``run`` are the values of the case's table of that name.
    """
    made, there_are = run.get("selected") or (0, 0)
    lost = (row["rejected"] + row["set_aside"] for row in (run.get("tables") or {}).values())
    (counted,) = rows(connection, _COUNTS, f"({UNVERIFIABLE})")
    return {
        "crashed": counted["crashed"],
        "not_selected": there_are - made,
        "ungoverned": int((run.get("rulesets") or {}).get("-", 0)),
        "later": counted["later"],
        "unverifiable": counted["unverifiable"],
        "not_applied": counted["not_applied"],
        "partly": counted["partly"],
        "rejected": sum(lost),
        "undecided": counted["undecided"],
        "warning": counted["warning"],
    }


_MOST_STRAYS = 4
"""Sentences on what served nothing that the cover has room for; the terminal has them all."""


def _plain(text: str) -> str:
    return visible(text, 40)


class Reserves:
    """The limits of one case in the words of one language."""

    def __init__(self, words: Words, facts: Facts, forced: str) -> None:
        self.w = words
        self.f = facts
        self.forced = forced

    def __bool__(self) -> bool:
        return bool(self.forced or self._strays or any(self.f["limits"].values()))

    @property
    def _strays(self) -> list[str]:
        """What the log holds that served nothing; the first of it, for the cover."""
        strays = self.f["strays"]
        said = sentences(self.w.sections["stray"], strays["unused"], strays["unmatched"], _plain)
        return list(islice(said, _MOST_STRAYS))

    @property
    def sentences(self) -> Iterator[str]:
        """One for each limit that there is."""
        w = self.w
        if self.forced:
            yield w.text("reserve", "forced", id=self.forced)
        for name, n in self.f["limits"].items():
            if n:
                places = {"n": w.number(n), "m": w.number(len(self.f["checks"]))}
                places["x"] = LETTERS.get(_ANNEX.get(name, ""), "")
                yield w.text("reserve", f"{name}_{'one' if n == 1 else 'many'}", **places)
        yield from self._strays

    @property
    def figures(self) -> list[tuple[str, str]]:
        """Names and numbers of the limits that a reader asks for, and of any other there is."""
        return [
            (self.w.text("limit", name), self.w.number(n))
            for name, n in self.f["limits"].items()
            if n or name in ALWAYS
        ]


# A later act that is not held leaves open the rounds from the day that the rule set names.
_COUNTS = """
select
  (select count(*) from checks where state = 'crashed') as crashed,
  (select count(*) from checks where state = 'not_applied') as not_applied,
  (select count(*) from checks where state = 'ran' and not_applied > 0) as partly,
  (select coalesce(sum(undecided), 0)::BIGINT from interpretations) as undecided,
  (select count(*) from findings where severity = 'warning') as warning,
  (select count(*) from findings where ends_with(message, ?)) as unverifiable,
  (select coalesce(sum(outcomes.rounds), 0)::BIGINT
   from outcomes join rulesets on outcomes.ruleset = rulesets.id
   where day >= incomplete_from) as later"""
