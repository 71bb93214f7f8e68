"""The parts of a long report, each laid out and drawn by a process of its own.

``python -m audit.report.part FILE`` draws the part that ``FILE`` holds to ``FILE.drawn``. It says
on a line how many pages the part has, hears on a line what numbers they bear, and says when they
are drawn. It ends at once when nobody is left to hear it.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from audit.errors import AuditError, ReportError
from audit.paths import running
from audit.report.cut import emptied
from audit.report.drawn import draw
from audit.report.layout import laid_out
from audit.report.numbers import Counted, Numbers, numbers
from audit.report.words import visible

_READY = "ready"


@dataclass
class Worker:
    """A process that draws one part, and where it draws it to."""

    process: subprocess.Popen[str]
    file: Path

    def hear(self) -> Any:
        """What it says next; ReportError where it cannot go on."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        told = json.loads(line) if line else {}
        if not line or (isinstance(told, dict) and "what" in told):
            raise ReportError(
                told.get("what", "a process that drew a part of the report ended before its time"),
                where=told.get("where", ""),
                hint=told.get("hint", "It may have run out of memory: render one language alone"),
            )
        return told

    def tell(self, what: object) -> None:
        """Answer it; it may be gone, which is heard when it is next listened to."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(what) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            with suppress(BrokenPipeError):
                self.process.stdin.close()


@contextmanager
def drawn_apart(
    parts: Sequence[str], drawings: Mapping[str, bytes]
) -> Iterator[tuple[Any, list[Path]]]:
    """Draw each of ``parts`` in a process of its own.

    Gives a document without pages, which has the head of the report and all its typefaces, and
    the file of each part, which ``audit.report.drawn.drawn`` reads within the block.
    """
    with ExitStack() as held:
        folder = Path(held.enter_context(TemporaryDirectory(prefix="baccarat-audit-")))
        files = [folder / f"{n}" for n in range(len(parts))]
        workers = [
            _start(held, file, (n, part, dict(drawings)))
            for n, (file, part) in enumerate(zip(files, parts, strict=True))
        ]
        document = held.enter_context(laid_out(emptied(parts[0]), drawings))
        draw(document, 0, Path(os.devnull))
        counted = [Counted(**each.hear()) for each in workers]
        for worker, told in zip(workers, numbers(counted), strict=True):
            worker.tell(asdict(told))
        for worker in workers:
            worker.hear()
        yield document, [_drawn(file) for file in files]


def _start(held: ExitStack, file: Path, what: object) -> Worker:
    file.write_bytes(pickle.dumps(what))
    process = subprocess.Popen(
        [sys.executable, *running(__name__), str(file)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    held.enter_context(process)
    held.callback(process.kill)  # it has nothing left to do, or it is too late for it
    return Worker(process, file)


def _drawn(file: Path) -> Path:
    return file.with_name(f"{file.name}.drawn")


def main() -> None:
    """Draw a part; an error of ours is said as one."""
    # The caller hears an interrupt too, and ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    file = Path(sys.argv[1])
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(lines,), daemon=True).start()

    def exchange(own: Counted) -> Numbers:
        print(json.dumps(asdict(own)), flush=True)
        return Numbers(**json.loads(lines.get()))

    try:
        number, source, drawings = pickle.loads(file.read_bytes())
        with laid_out(source, drawings, exchange) as document:
            draw(document, number, _drawn(file))
        print(json.dumps(_READY), flush=True)
    except AuditError as error:
        print(
            json.dumps({"what": error.what, "where": error.where, "hint": error.hint}), flush=True
        )
    except Exception as error:
        what = f"a part of the report could not be drawn ({visible(repr(error), 160)})"
        hint = "This is a defect of the program; please report it"
        print(json.dumps({"what": what, "hint": hint}), flush=True)


def _listen(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(1)


if __name__ == "__main__":
    main()
