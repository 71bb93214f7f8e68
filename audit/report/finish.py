"""What a finished layout still lacks as an archival, tagged file, put in before it is written.

The renderer names no language but the first, leaves a hand of cards as letters of our typeface,
lists each attachment twice and measures figures from the top of the page. Here each page's
content gets its language, each hand the text to be read aloud, and the rest is put right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape
from importlib import import_module
from pathlib import Path
from typing import Any

from audit.report.pack import pack

SIGNATURE = "signature"
"""Ending of the id of the blank line that the one who prepared the report signs on."""

_HAND = re.compile(r'<article class="h" title="([^"]*)"')
_DOC = re.compile(r'<div class="doc ([\w-]+)" id="([\w-]+)" lang="([\w-]+)"')
_POINTS = 0.75
"""Points in a pixel of the layout."""


@dataclass
class Finish:
    """The last step of the renderer: called with its document and the PDF made of it.

    ``source`` is the HTML, ``contents`` the names and files of the attachments. ``place`` is
    where a visible signature belongs: page (from 0), left and top in points from the lower left
    corner; None where the report has no line to sign on.
    """

    source: str
    contents: Sequence[tuple[str, Path]]
    place: tuple[int, float, float] | None = field(default=None, init=False)

    def __call__(self, document: Any, pdf: Any) -> None:
        """Finish ``pdf`` in place."""
        _attached_once(pdf)
        _figures(pdf)
        _hands(pdf, [unescape(text) for text in _HAND.findall(self.source)])
        _languages(document, pdf, {name: lang for _, name, lang in _DOC.findall(self.source)})
        self.place = _signature(document)
        pack(pdf, self.contents)


def _elements(pdf: Any, kind: str) -> list[Any]:
    """The structure elements of one kind, in the order of the document."""
    return _objects(pdf, "S", kind)


def _objects(pdf: Any, key: str, value: str) -> list[Any]:
    return [each for each in pdf.objects if isinstance(each, dict) and each.get(key) == f"/{value}"]


def _attached_once(pdf: Any) -> None:
    if "AF" in pdf.catalog:
        pdf.catalog["AF"] = import_module("pydyf").Array(dict.fromkeys(pdf.catalog["AF"]))


def _figures(pdf: Any) -> None:
    """The places of figures in points from the lower left corner, as the format wants them."""
    pages = {each.reference: each for each in _objects(pdf, "Type", "Page")}
    for figure in _elements(pdf, "Figure"):
        left, top, right, bottom = figure["A"]["BBox"]
        high = pages[figure["Pg"]]["MediaBox"][3]
        box = (left * _POINTS, high - bottom * _POINTS, right * _POINTS, high - top * _POINTS)
        figure["A"]["BBox"] = import_module("pydyf").Array(round(side, 3) for side in box)


def _hands(pdf: Any, texts: Sequence[str]) -> None:
    """Each line of cards as a paragraph whose text is that of its cards.

    Hands alone are articles in the HTML, so that they can be told from all else in the file.
    """
    for element, text in zip(_elements(pdf, "Art"), texts, strict=True):
        element["S"] = "/P"
        element["ActualText"] = import_module("pydyf").String(text)


def _languages(document: Any, pdf: Any, langs: dict[str, str]) -> None:
    """The language of each page of a report in several; that of the file is the first's."""
    if len(langs) < 2:
        return
    by_page: dict[str, str] = {}
    lang = next(iter(langs.values()))
    for page, reference in zip(document.pages, pdf.page_references, strict=True):
        lang = next((langs[name] for name in page.anchors if name in langs), lang)
        by_page[_text(reference)] = lang
    for root in _elements(pdf, "Document"):
        for kid in root["K"]:
            element = pdf.objects[int(_text(kid).split()[0])]
            element["Lang"] = import_module("pydyf").String(by_page[_text(element["Pg"])])


def _text(reference: Any) -> str:
    return reference.decode() if isinstance(reference, bytes) else str(reference)


def _signature(document: Any) -> tuple[int, float, float] | None:
    """The first line to sign on of the last language."""
    for number, page in reversed(list(enumerate(document.pages))):
        for name, place in page.anchors.items():
            if name.endswith(f"-{SIGNATURE}"):
                return number, place[0] * _POINTS, (page.height - place[1]) * _POINTS
    return None
