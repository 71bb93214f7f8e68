"""What a report needs of its case, fetched by a process of its own.

``python -m audit.report.gather CASE FOLDER`` writes the facts to ``FOLDER/facts.json`` and the
findings to attach beside it, and says with a line when each is there. Meanwhile the libraries of
the renderer are loaded, and what the database needed of memory is gone before the layout begins.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from audit.errors import AuditError, CaseError
from audit.paths import running
from audit.report.attach import FINDINGS, Attached, attached_of, write_findings
from audit.report.query import Facts
from audit.report.words import Words

_FACTS = "facts.json"
_READY = "ready"


class Gathered:
    """What comes from the other process, asked for in the order in which it is made."""

    def __init__(self, case: Path, folder: Path, said: IO[str]) -> None:
        self._case = case
        self._folder = folder
        self._said = said

    def facts(self) -> Facts:
        """Everything that the report says; CaseError where the case does not tell it."""
        self._wait()
        found: Facts = json.loads((self._folder / _FACTS).read_text(encoding="utf-8"))
        return found

    def attachments(self, words: Words) -> list[Attached]:
        """The files to attach; they are there until the report is made."""
        self._wait()
        return attached_of(self._case, words, self._folder)

    def _wait(self) -> None:
        line = self._said.readline()
        told = json.loads(line) if line else {"what": "the case could not be read to its end"}
        if told == _READY:
            return
        raise CaseError(
            told["what"],
            where=told.get("where", str(self._case)),
            hint=told.get("hint", "Run the audit again"),
        )


@contextmanager
def gathering(case: Path) -> Iterator[Gathered]:
    """Begin to fetch what the report of ``case`` needs; it is gone at the end of the block."""
    with TemporaryDirectory(prefix="baccarat-audit-") as folder:
        command = [sys.executable, *running(__name__), str(case), folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield Gathered(case, Path(folder), process.stdout)
            except BaseException:
                process.kill()
                raise


def main() -> None:
    """Fetch, and say so; an error of ours is said as one."""
    from audit.report.context import facts

    case, folder = Path(sys.argv[1]), Path(sys.argv[2])
    try:
        found = json.dumps(facts(case), ensure_ascii=False)
        (folder / _FACTS).write_text(found, encoding="utf-8")
        print(json.dumps(_READY), flush=True)
        write_findings(case, folder / FINDINGS)
        print(json.dumps(_READY), flush=True)
    except AuditError as error:
        told = {"what": error.what, "where": error.where, "hint": error.hint}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
