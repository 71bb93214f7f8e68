"""Where the renderer spends time for nothing on a long report, and what is done instead.

Nothing here changes a byte of the file: a test renders with and without it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

from audit.errors import ReportError


def parsed(module: ModuleType, source: str, base: str, fetcher: Any) -> Any:
    """``source`` as a document of the renderer ``module``, read as XML.

    The renderer's own reader forgives all that a page of the web may hold, a character at a time.
    Our templates are well-formed, which the reader of the standard library demands; what is not,
    be it by a value that was not escaped, is an error and no page.
    """
    try:
        root = ElementTree.fromstring(source)
    except ElementTree.ParseError as error:
        raise ReportError(f"the report's own page is not well-formed ({error})") from error
    page = module.HTML.__new__(module.HTML)
    page.base_url, page.url_fetcher, page.media_type = base, fetcher, "print"
    wrapper = import_module("cssselect2").ElementWrapper
    page.wrapper_element = wrapper.from_html_root(root, content_language=None)
    page.etree_element = page.wrapper_element.etree_element
    return page


@contextmanager
def quickly() -> Iterator[None]:
    """Within the block, nothing is done that no page of ours has a use for."""
    with _no_collection(), _references_once(), _no_notes(), _styles_once():
        yield


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without the collector of cycles: the layout makes millions of objects and keeps them all.

    Searching them again and again costs a quarter of the time and frees nothing. Afterwards they
    count as old, since the collector would else begin with all of them at once.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.enable()
            gc.unfreeze()


@contextmanager
def _references_once() -> Iterator[None]:
    """For each tag in the file the library lists the references to all pages, to take one.

    On 184 pages the tags took a tenth of the time. The list is kept while there are as many pages.
    """
    library = import_module("pydyf").PDF
    before = library.page_references
    kept: dict[int, tuple[int, tuple[bytes, ...]]] = {}

    def references(pdf: Any) -> tuple[bytes, ...]:
        number, found = kept.get(id(pdf), (-1, ()))
        if number != pdf.pages["Count"]:
            found = before.fget(pdf)
            kept[id(pdf)] = pdf.pages["Count"], found
        return found

    library.page_references = property(references)
    try:
        yield
    finally:
        library.page_references = before


_UNUSED = {
    "marker", "footnote-call", "footnote-marker", "note-call", "note-marker", "note-callback",
}  # fmt: skip
"""Parts of lists and notes, which a report has none of."""


@contextmanager
def _no_notes() -> Iterator[None]:
    """Without the library's own style for what marks a list's items and a note.

    It is worked out for every element, be it part of a list, a note, or neither: six styles for
    nothing beside the element's own, a twentieth of the time and a fifth of the memory.
    """
    matcher = import_module("weasyprint.html").UA_STYLESHEET.matcher
    before = matcher.other_selectors
    matcher.other_selectors = [each for each in before if each[3] not in _UNUSED]
    try:
        yield
    finally:
        matcher.other_selectors = before


_SIDES = ("top", "right", "bottom", "left")
_BORDERS = tuple(f"border_{side}_width" for side in _SIDES)
_SIZES = (
    *(f"{kind}_{side}" for kind in ("margin", "padding") for side in _SIDES),
    *(f"{most}{size}" for size in ("width", "height") for most in ("", "min_", "max_")),
)


@contextmanager
def _styles_once() -> Iterator[None]:
    """What a style alone decides is worked out once for the style, and not for each box of it.

    Boxes of one look share their style, of which a report has some hundreds; nearly all have no
    percentage in their sizes. The sizes of boxes and the heights of lines took a tenth of the
    layout.
    """
    sizes: dict[int, tuple[Any, dict[str, Any] | None]] = {}
    lines: dict[int, tuple[Any, tuple[float, float]]] = {}
    resolve = import_module("weasyprint.layout.percent").resolve_percentages
    strut = import_module("weasyprint.text.line_break").strut

    def resolved(box: Any, containing_block: Any) -> None:
        style = box.style
        known = sizes.get(id(style))
        if known is None:  # with the style itself, whose number none other bears while it is kept
            known = sizes[id(style)] = style, _fixed(style)
        if known[1] is None:
            resolve(box, containing_block)
            return
        own = vars(box)
        own.update(known[1])
        collapse = style["border_collapse"] == "collapse"
        for name in _BORDERS:
            # The borders of a table that share their lines were resolved with the table.
            if not (collapse and name in own):
                own[name] = style[name]

    def line(style: Any) -> tuple[float, float]:
        known = lines.get(id(style))
        if known is None:
            known = lines[id(style)] = style, strut(style)
        return known[1]

    with ExitStack() as held:
        held.enter_context(_instead(resolve, resolved))
        held.enter_context(_instead(strut, line))
        yield


def _fixed(style: Any) -> dict[str, Any] | None:
    """The sizes of each box of ``style``; None where they depend on what the box lies in."""
    if style["box_sizing"] != "content-box":
        return None
    made: dict[str, Any] = {}
    for name in _SIZES:
        value = style[name]
        if value is not None and value != "auto":
            if getattr(value, "unit", None) != "px":
                return None
            value = value.value
        made[name] = 0 if value == "auto" and name.startswith("min_") else value
    return made


@contextmanager
def _instead(before: Callable[..., Any], now: Callable[..., Any]) -> Iterator[None]:
    """Within the block each module of the layout that knows ``before`` calls ``now``."""
    places = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("weasyprint.layout.")
        and getattr(module, before.__name__, None) is before
    ]
    for module in places:
        setattr(module, before.__name__, now)
    try:
        yield
    finally:
        for module in places:
            setattr(module, before.__name__, before)
