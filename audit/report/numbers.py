"""Numbers of pages that run through all parts of a report, though each part is laid out alone.

When a part has its pages, it tells how many they are and which anchors lie on which of them. It
goes on when it has heard the same of all others: then the contents are written with their
numbers, and the foot of each page says which page of how many it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from audit.errors import ReportError


@dataclass(frozen=True)
class Counted:
    """The pages of a part, and the page (from 1, within the part) of each anchor."""

    pages: int
    anchors: dict[str, int]


@dataclass(frozen=True)
class Numbers:
    """How many pages lie before a part, how many the report has, and where the anchors are."""

    before: int
    total: int
    anchors: dict[str, int]


Exchange = Callable[[Counted], Numbers]


def numbers(parts: Sequence[Counted]) -> list[Numbers]:
    """What each part is told, when all are counted."""
    anchors: dict[str, int] = {}
    before = [sum(part.pages for part in parts[:n]) for n in range(len(parts) + 1)]
    for part, start in zip(parts, before, strict=False):
        for name, page in part.anchors.items():
            anchors.setdefault(name, start + page)
    return [Numbers(start, before[-1], anchors) for start in before[:-1]]


@contextmanager
def numbered(exchange: Exchange) -> Iterator[None]:
    """Within the block one part is laid out; ``exchange`` is called once, with its pages."""
    layout: Any = import_module("weasyprint.layout")
    make_pages, make_margins = layout.make_all_pages, layout.make_margin_boxes
    told: list[tuple[int, Numbers]] = []

    def pages(context: Any, root: Any, html: Any, made: list[Any]) -> list[Any]:
        made = list(make_pages(context, root, html, made))
        if not told:
            told.append((len(made), exchange(_counted(context, len(made)))))
            _contents(context, root, made, told[0][1].anchors)
            made = list(make_pages(context, root, html, made))
        if len(made) != told[0][0]:
            raise ReportError("the contents of the report do not fit on their page")
        return made

    def margins(context: Any, page: Any, state: tuple[Any, ...]) -> Any:
        own = told[0][1]
        counters = {**state[1], "page": [own.before + context.current_page], "pages": [own.total]}
        return make_margins(context, page, (state[0], counters, *state[2:]))

    layout.make_all_pages, layout.make_margin_boxes = pages, margins
    try:
        yield
    finally:
        layout.make_all_pages, layout.make_margin_boxes = make_pages, make_margins


def _counted(context: Any, pages: int) -> Counted:
    made = enumerate(context.page_maker[:pages], 1)
    return Counted(pages, {name: n for n, page in made for name in page[-1]["anchors"]})


def _contents(context: Any, root: Any, made: list[Any], anchors: dict[str, int]) -> None:
    """Put the numbers into the contents, where the style sheet left ``#anchor``."""
    text_box = import_module("weasyprint.formatting_structure.boxes").TextBox
    for box in root.descendants():
        if _is_number(box) and isinstance(box, text_box) and box.text.startswith("#"):
            box.text = str(anchors[box.text[1:]])
    for page, state in zip(made, context.page_maker, strict=False):
        state[-1]["content_changed"] = any(map(_is_number, page.descendants()))


def _is_number(box: Any) -> bool:
    return bool(box.element_tag == "a::after")
