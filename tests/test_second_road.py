"""The whole audit by a second road: plain loops written from the contracts alone, on random logs.

``tests.oracle`` shares no code with ``audit``. Hypothesis chooses the seed, the size and the
options of a log full of faults; both roads must give the same findings, amounts and consequences.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from decimal import Decimal
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit import Job, Options, open_case, run_audit
from audit.export import read_findings
from audit.resolve.options import Rounding
from tests.oracle.audit import findings as by_oracle
from tests.oracle.chaos import write_chaos

Row = tuple[str, ...]
KEY = ("code", "severity", "casino", "table_id", "shoe_id", "round_no", "bet_id", "subject")

OPTIONS = st.fixed_dictionaries(
    {
        "rules": st.sampled_from(["auto", "auto", "auto", "64-2007", "55-2004"]),
        "decks": st.sampled_from([None, None, 6, 8]),
        "commission": st.sampled_from([None, None, "commission", "no_commission"]),
        "rounding": st.sampled_from([None, None, ("1", "down"), ("0.5", "nearest"), ("1", "up")]),
    }
)


def plain(amount: str | None) -> str:
    return f"{Decimal(amount).normalize():f}" if amount else ""


def by_tool(log: Path, case: Path, options: Options) -> Counter[Row]:
    run_audit(Job([log], case, options))
    opened = open_case(case)
    rows = read_findings(opened.connection).to_dicts()
    opened.close()
    return Counter(
        (
            *("" if row[name] is None else str(row[name]) for name in KEY),
            plain(row["amount"]),
            row["consequence"] or "",
        )
        for row in rows
    )


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(seed=st.integers(1, 100_000), shoes=st.integers(4, 24), options=OPTIONS)
def test_both_roads_find_the_same(
    seed: int, shoes: int, options: dict[str, str | int | tuple[str, str] | None]
) -> None:
    rounding = options["rounding"]
    parsed = Rounding.parse(",".join(rounding)) if isinstance(rounding, tuple) else None
    chosen = Options(
        str(options["rules"]),
        options["decks"],
        options["commission"],
        parsed,  # type: ignore[arg-type]
    )
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "log"
        write_chaos(log, seed=seed, shoes=shoes)
        expected = Counter(
            (*row[:8], plain(row.amount), row.consequence) for row in by_oracle(log, **options)
        )
        found = by_tool(log, Path(scratch) / "case", chosen)
    assert sorted(expected - found) == []
    assert sorted(found - expected) == []
