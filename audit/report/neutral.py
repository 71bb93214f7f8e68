"""A report is laid out as if this machine spoke no language of its own.

The library that shapes the text asks the locale and the environment which language a character
without one belongs to, and picks other shapes of a Chinese font by the answer: the same case
would give other bytes in Macau than in Lisbon.
"""

from __future__ import annotations

import locale
import os
from collections.abc import Iterator
from contextlib import contextmanager

_PINNED = {"PANGO_LANGUAGE": "en", "LANGUAGE": "en", "FC_LANG": "en"}
"""What the libraries read in the first place, before any other variable."""


@contextmanager
def neutral() -> Iterator[None]:
    """The plain locale for characters, and no language from the environment, within the block."""
    before = {name: os.environ.get(name) for name in _PINNED}
    characters = locale.setlocale(locale.LC_CTYPE)
    os.environ.update(_PINNED)
    locale.setlocale(locale.LC_CTYPE, "C")
    try:
        yield
    finally:
        locale.setlocale(locale.LC_CTYPE, characters)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
