"""The entry point: every finding of a folder of canonical tables."""

from __future__ import annotations

from pathlib import Path

from tests.oracle.authorisation import check_authorisations
from tests.oracle.bet_checks import check_bets
from tests.oracle.context import Context
from tests.oracle.log_checks import check_log
from tests.oracle.model import Finding, Log
from tests.oracle.reader import read
from tests.oracle.round_checks import check_rounds
from tests.oracle.rules import Options
from tests.oracle.shoe_checks import check_shoes


def findings(
    folder: Path,
    *,
    decks: int | None = None,
    commission: str | None = None,
    rounding: tuple[str, str] | None = None,
    rules: str = "auto",
) -> list[Finding]:
    """Audit the tables in `folder`; `rounding` is (step, `up` | `down` | `nearest`)."""
    return judged(read(Path(folder)), Options(decks, commission, rounding, rules))


def judged(log: Log, options: Options) -> list[Finding]:
    """Audit the tables that were read."""
    ctx = Context(log, options)
    check_log(ctx)
    check_shoes(ctx)
    check_bets(ctx)
    check_rounds(ctx)
    check_authorisations(ctx)
    return sorted(ctx.findings, key=order)


def order(finding: Finding) -> tuple[object, ...]:
    """By casino, table, shoe, round as a number, code, bet, subject."""
    number = int(finding.round_no or 0)
    where = (finding.casino, finding.table_id, finding.shoe_id, number)
    return (*where, finding.code, finding.bet_id, finding.subject, finding)
