"""Writes the tables of ``sample_logs`` again: ``python -m tests.tools.make_sample_logs``.

The stories are dealt by the generator of sample logs and come out the same every time. Each
README.md there is written by hand and is left alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

from audit.sample.writing import LogWriter
from tests.tools.messy import write_messy
from tests.tools.stories import STORIES, Story

FOLDER = Path(__file__).parents[2] / "sample_logs"


def write_story(folder: Path, story: Story) -> None:
    """Write one story's tables and ``expected.csv`` into its folder."""
    here = folder / story.name
    here.mkdir(parents=True, exist_ok=True)
    log = LogWriter(here, "csv")
    for shoe in story.shoes:
        log.add_shoe(shoe)
    for name, rows in story.tables.items():
        for row in rows:
            log.tables[name].add(row)
    log.close()
    log.write_key("expected.csv")


def main(folder: Path = FOLDER) -> None:
    """Write every story below ``folder``."""
    for story in STORIES:
        write_story(folder, story())
    write_messy(folder / "messy")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
