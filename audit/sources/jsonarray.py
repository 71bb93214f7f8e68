"""A JSON file that is one array of objects, read object by object.

The array is never in memory as a whole. As in JSON Lines, numbers keep the digits that were
written. An item that is no object is a damaged row; text that is no JSON stops the reading,
since nobody can say where the next row would begin.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from audit.sources.base import Batch, Content, Source, unlike
from audit.sources.encoding import characters
from audit.sources.jsonl import DECODER, Item, as_record, batches_of

PIECE = 4 << 20
LONGEST_ITEM = 16 << 20
"""Characters of one object at most."""
ROWS = 50_000
_BLANK = " \t\r\n"


class JsonArray(Source):
    """A file such as ``[{"table_id": "T1", ...}, ...]``."""

    def __init__(self, path: Content, name: str, piece: int = PIECE) -> None:
        super().__init__(path, name)
        self._piece = piece
        for text in characters(self, 1 << 16):
            start = text.lstrip(_BLANK)
            if start.startswith("["):
                return
            if start.startswith("{"):
                raise self.fail(
                    "it begins with an object, not with an array of objects",
                    "If there is one object a line, name it .jsonl; else write [{...}, {...}]",
                )
            if start:
                raise self.fail(
                    f"it begins with {start[:20]!r}, where [ was expected",
                    "Write an array of objects: [{...}, {...}]",
                )
        raise self.fail("the file holds blanks only", "An array of objects was expected")

    @property
    def header(self) -> None:
        """None: each object brings its own names."""
        return

    def batches(self) -> Iterator[Batch]:
        """Read the rows; raises LogError where the text is no JSON array."""
        names: dict[str, None] = {}
        for batch in batches_of(self._items(), 1, "a JSON object", self, ROWS):
            if len(batch.damaged) < batch.count:
                names |= dict.fromkeys(batch.rows.columns)
            unlike(names, self)
            yield batch
        if not names:
            raise self.fail("the array holds no object with a name", "Rows were expected in it")

    def _items(self) -> Iterator[Item]:
        """Each item of the array, None if it is no object, with its text if it is none."""
        more = characters(self, self._piece)
        text = ""
        at = 0
        line = 1  # of the first character of ``text``
        ended = False
        wanted = "["

        def broken(what: str, place: int) -> Exception:
            number = line + text.count("\n", 0, place)
            return self.fail(f"the JSON is broken at line {number}: {what}", "Export it again")

        while True:
            while at < len(text) and text[at] in _BLANK:
                at += 1
            whole = at < len(text)
            if whole and wanted == "end":
                raise broken(f"{text[at : at + 20]!r} stands behind the array", at)
            if whole and wanted == "comma" and text[at] not in ",]":
                raise broken(f"a comma was expected, not {text[at : at + 20]!r}", at)
            if whole and wanted == "comma":
                at, wanted = at + 1, "item" if text[at] == "," else "end"
                continue
            if whole and wanted == "[":
                at, wanted = at + 1, "first"
                continue
            if whole and wanted == "first" and text[at] == "]":
                at, wanted = at + 1, "end"
                continue
            if whole:
                try:
                    value, end = DECODER.raw_decode(text, at)
                    # A number that ends where the text does may have more digits to come.
                    whole = end < len(text) or ended
                except (ValueError, RecursionError) as error:
                    whole = False
                    if ended or len(text) - at > LONGEST_ITEM:
                        place = error.pos if isinstance(error, json.JSONDecodeError) else at
                        raise broken(str(error).partition(":")[0], place) from None
            if whole:
                record = as_record(value)
                yield record, "" if record is not None else text[at:end]
                at, wanted = end, "comma"
                continue
            if ended and wanted != "end":
                raise broken("the file ends before the array does", at)
            if ended:
                return
            following = next(more, None)
            ended = following is None
            line += text.count("\n", 0, at)
            text, at = text[at:] + (following or ""), 0
