"""A worker process: ``python -m audit.buckets.worker [FOLDER]`` does the units it is told to.

Numbers come on standard input, one a line; for each a line of JSON goes out: the number, and what
went wrong, if something did. One that is started before the folder is known hears of it in a line
of its own, before the numbers. It ends when its input does, and so with the run that started it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from audit.allocator import keep_bytes
from audit.errors import AuditError, LogError


def main() -> None:
    """Do units until the input ends."""
    from audit.buckets.work import Workshop

    folder = sys.argv[1] if len(sys.argv) > 1 else sys.stdin.readline().rstrip("\n")
    if not folder:
        return
    keep_bytes()
    workshop = Workshop(Path(json.loads(folder) if len(sys.argv) == 1 else folder))
    for line in sys.stdin:
        number = int(line)
        answer: dict[str, object] = {"unit": number}
        try:
            workshop.do(number)
        except AuditError as error:
            kind = "refused" if isinstance(error, LogError) else "failed"
            answer[kind] = {"what": error.what, "where": error.where, "hint": error.hint}
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of polars included: the run says it, and ends
            answer["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
