"""One run, and when its stages began: wall seconds and bytes as JSON.

python -m tests.bench.timeline LOG CASE
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from audit.buckets import engine
from audit.pipeline import Job, run_audit


def main() -> None:
    """Run, note the moments, and say them."""
    log, case = Path(sys.argv[1]), Path(sys.argv[2])
    moments: dict[str, float] = {}
    spilled = 0

    def note(stage: str, done: int, total: int | None, unit: str) -> None:
        nonlocal spilled
        if stage not in moments and stage == "Auditing":
            here = case.parent.glob(f".{case.name}.building-*")
            spilled = sum(each.stat().st_size for folder in here for each in folder.rglob("*"))
        moments.setdefault(stage, time.monotonic())
        moments["last"] = time.monotonic()

    put_together = engine.put_together

    def begun(*given: object) -> object:
        moments["together"] = time.monotonic()
        return put_together(*given)  # type: ignore[arg-type]

    engine.put_together = begun  # type: ignore[assignment]
    start = time.monotonic()
    run_audit(Job([log], case, progress=note))
    end = time.monotonic()
    told = {
        "taking_in": moments["Auditing"] - start,
        "units": moments["together"] - moments["Auditing"],
        "together": end - moments["together"],
        "jobs": os.cpu_count() or 1,
        "spilled": spilled,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
