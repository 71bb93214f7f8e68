"""What a log holds that served nothing: columns that nothing reads, rows that belong to no round.

The sentences are the same for the terminal and the report; the words come from a catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

_MOST_FILES = 8


def sentences(
    texts: Mapping[str, Any],
    unused: Sequence[Mapping[str, Any]],
    unmatched: Sequence[Mapping[str, Any]],
    plain: Callable[[str], str],
) -> Iterator[str]:
    """One for each column that may be misspelt, and for each kind of row that belongs nowhere.

    ``texts`` is the part ``stray`` of a catalogue; ``plain`` makes text of a log fit to be shown.
    """
    for column in unused:
        if column["nearest"] is not None:
            yield str(texts["unused"]).format(
                column=plain(column["column"]),
                table=column["table"],
                source=plain(few(column["sources"])),
                nearest=column["nearest"],
            )
    for rows in unmatched:
        values = {key: plain(str(value)) for key, value in rows.items()}
        told = str(texts[rows["level"]]).format(n=f"{rows['rows']:,}", **values)
        cause = str(texts[rows["cause"]]).format(**values) if rows["cause"] else ""
        yield f"{told} {cause}".rstrip()


def few(names: Sequence[str]) -> str:
    """Some names in a row, and how many more there are."""
    more = len(names) - _MOST_FILES
    return ", ".join(names[:_MOST_FILES]) + (f" … +{more}" if more > 0 else "")
