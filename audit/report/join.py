"""One file of the parts of a report that were drawn apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from audit.report.drawn import GLYPHS, drawn


def join(document: Any, files: Sequence[Path]) -> bool:
    """Give ``document``, which has no pages, those of all parts, which are in ``files``.

    What runs through a file is the renderer's to make: links, bookmarks, tags, metadata. What is
    joined here is what it makes while it draws: the glyphs that are used of each font. False where
    a part uses a font that is not ours, or a character that no font has, so that nothing can be
    joined.
    """
    fonts = document.fonts
    for font in fonts.values():
        for name in GLYPHS:
            getattr(font, name).clear()
    used: set[int] = set()
    for file in files:
        pages, shared = drawn(file)
        used |= shared.fonts.keys()
        if not used <= fonts.keys():
            return False
        for key, glyphs in shared.fonts.items():
            for name in GLYPHS:
                known = getattr(fonts[key], name)
                known |= {**glyphs[name], **known}
        document.pages.extend(pages)
    document.fonts = {key: font for key, font in fonts.items() if key in used}
    return not any(font.missing for font in document.fonts.values())
