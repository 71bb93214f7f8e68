"""Pages that are drawn already, as one process hands them to another.

Of a page the bytes that draw it are kept, its links, anchors and bookmarks, and of its tree of
boxes what the tags of the file are made of. The renderer takes them for pages of its own.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

SCALE = 0.75
"""Points in a pixel of the layout."""

_PROFILE, _COLOURS = b"3 0 R", b"4 0 R"
"""The colour profile and the colour spaces, which the renderer puts into each file first."""

_KINDS = ("ExtGState", "XObject", "Pattern", "Shading")
_BOX = ("element_tag", "element", "children")
_CELL = ("colspan", "rowspan", "is_table_wrapper")
_PLACE = (
    "position_x", "margin_left", "padding_left", "border_left_width", "width",
    "position_y", "margin_top", "padding_top", "border_top_width", "height",
)  # fmt: skip
GLYPHS = ("widths", "to_unicode", "missing")
"""What the renderer notes of the glyphs that it draws of a font."""

_SPACE = 1_000_000


class _Named(dict[str, Any]):
    """Things that the renderer names by their number, which begins anew for no part."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self._first = first

    def __len__(self) -> int:
        return self._first + super().__len__()


@dataclass
class Element:
    """What the tags need of an element of the HTML."""

    tag: str
    attrib: dict[str, str]


@dataclass
class Shared:
    """What the pages of a part use together: drawings, and the glyphs of each font."""

    resources: dict[str, dict[str, Any]]
    fonts: dict[int, dict[str, dict[Any, Any]]]


@dataclass
class Page:
    """A page as the renderer wants it, which draws itself by the bytes that it has."""

    width: float
    height: float
    bleed: dict[str, float]
    bookmarks: list[Any]
    links: list[Any]
    anchors: dict[str, Any]
    tags: dict[Any, Any]
    content: bytes
    _page_box: Any
    resources: dict[str, dict[str, Any]] | None = None

    @property
    def forms(self) -> dict[None, list[Any]]:
        """No page has a form."""
        return {None: []}

    def paint(self, stream: Any, scale: float) -> None:
        """Put the page into ``stream``, which stands at its upper left corner."""
        profile = stream._color_profiles["srgb"].pdf_reference
        assert (scale, profile, stream._resources["ColorSpace"]) == (SCALE, _PROFILE, _COLOURS)
        stream.stream.append(self.content)
        stream._tags.update(self.tags)
        for kind, own in (self.resources or {}).items():
            stream._resources[kind].update(own)


def draw(document: Any, part: int, file: Path) -> None:
    """Draw the pages of ``document``, the ``part``-th of a report, to ``file``.

    The document has no pages afterwards: they are large.
    """
    pydyf, module = import_module("pydyf"), import_module("weasyprint.pdf.stream")
    first = part * _SPACE
    resources: dict[str, Any] = {"ColorSpace": _COLOURS, **{kind: _Named(first) for kind in _KINDS}}
    images: dict[str, Any] = {}
    profiles = {"srgb": SimpleNamespace(pdf_reference=_PROFILE)}
    pages, document.pages = document.pages[::-1], []
    with file.open("wb") as out:
        while pages:
            page, tags = pages.pop(), {}  # type: ignore[var-annotated]
            rectangle = (0, 0, page.width, page.height)
            stream = module.Stream(
                document.fonts, rectangle, resources, images, tags, profiles,
                document.output_intent, compress=True,
            )  # fmt: skip
            stream.transform(d=-1, f=page.height * SCALE)
            begun = len(stream.stream)
            page.paint(stream, SCALE)
            content = pydyf.Stream(stream.stream[begun:]).data
            content = content.partition(b"stream\n")[2].removesuffix(b"\nendstream")
            made = Page(
                page.width, page.height, page.bleed, page.bookmarks, page.links, page.anchors,
                tags, content, page._page_box,
            )  # fmt: skip
            _Pickler(out).dump(made)
        assert not images, "a report has no images of dots"
        fonts = {key: _glyphs(font) for key, font in document.fonts.items()}
        _Pickler(out).dump(Shared({kind: dict(resources[kind]) for kind in _KINDS}, fonts))


def drawn(file: Path) -> tuple[list[Page], Shared]:
    """The pages that ``draw`` made, and what they share."""
    *pages, shared = _read(file)
    pages[0].resources = shared.resources
    return pages, shared


def _read(file: Path) -> Iterator[Any]:
    with file.open("rb") as made:
        while made.peek(1):
            yield pickle.load(made)


def _glyphs(font: Any) -> dict[str, dict[Any, Any]]:
    return {name: getattr(font, name) for name in GLYPHS}


class _Pickler(pickle.Pickler):
    """Keeps of boxes, elements and streams what a drawn page needs."""

    def __init__(self, out: Any) -> None:
        super().__init__(out, pickle.HIGHEST_PROTOCOL)
        boxes = import_module("weasyprint.formatting_structure.boxes")
        self._box, self._text, self._placed = boxes.Box, boxes.TextBox, boxes.ReplacedBox
        self._stream = import_module("weasyprint.pdf.stream").Stream
        self._element = import_module("xml.etree.ElementTree").Element

    def reducer_override(self, each: Any) -> Any:
        """How an object is kept; NotImplemented where it is kept as it is."""
        if isinstance(each, self._text):
            return _box, (type(each), {})
        if isinstance(each, self._box):
            names = (*_BOX, *_CELL, *(_PLACE if isinstance(each, self._placed) else ()))
            own = vars(each)
            return _box, (type(each), {name: own[name] for name in names if name in own})
        if isinstance(each, self._element):
            return Element, (each.tag, dict(each.attrib))
        if isinstance(each, self._stream):
            return _stream, (each.stream, each.extra, each.compress)
        return NotImplemented


def _box(kind: type, kept: dict[str, Any]) -> Any:
    made: Any = object.__new__(kind)
    made.__dict__.update(kept)
    return made


def _stream(content: list[Any], extra: dict[str, Any], compress: bool) -> Any:
    return import_module("pydyf").Stream(content, extra, compress)
