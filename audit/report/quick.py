"""Where the renderer spends time for nothing on a long report, and what is done instead.

Nothing here changes a byte of the file: a test renders with and without it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
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
    """Within the block, no collector of cycles, and the references to pages are made once."""
    with _no_collection(), _references_once():
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
