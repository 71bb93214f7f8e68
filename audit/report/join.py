"""One file of the parts of a report that were drawn apart."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from audit.report.drawn import GLYPHS, draw, drawn

SAMPLE = """<html lang="en"><head><link rel="stylesheet" href="asset:report.css"/></head>
<body><p>x</p><p class="h">&#x1F0AE;</p></body></html>"""
"""A page with our two typefaces on it."""


def join(document: Any, files: Sequence[Path], sample: Callable[[], Any]) -> bool:
    """Give ``document``, of the first part, the pages of all parts, which are in ``files``.

    What runs through a file is the renderer's to make: links, bookmarks, tags, metadata. What is
    joined here is what it makes while it draws: the glyphs that are used of each font. ``sample``
    lays out ``SAMPLE``, for a font that the first part does not use. False where a part uses a
    font that is not ours, or a character that no font has, so that nothing can be joined.
    """
    for file in files:
        pages, shared = drawn(file)
        if not all(_join_font(document, *used, sample) for used in shared.fonts.items()):
            return False
        document.pages.extend(pages)
    return True


def _join_font(
    document: Any, key: int, glyphs: dict[str, dict[Any, Any]], sample: Callable[[], Any]
) -> bool:
    if key not in document.fonts:
        other = sample()
        draw(other, 0, Path(os.devnull))
        if key not in other.fonts:
            return False
        for name in GLYPHS:
            getattr(other.fonts[key], name).clear()
        document.fonts[key] = other.fonts[key]
    for name in GLYPHS:
        known = getattr(document.fonts[key], name)
        known |= {**glyphs[name], **known}
    return not document.fonts[key].missing
