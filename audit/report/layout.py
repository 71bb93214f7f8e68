"""HTML to pages. The renderer reads the report's own style sheet and fonts, nothing else.

Each process that draws a part of a report begins here: no other library is loaded with it.
"""

from __future__ import annotations

import io
import logging
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

from audit.errors import ReportError
from audit.paths import data_dir
from audit.report import cardfont
from audit.report.fonts import font_file
from audit.report.neutral import neutral
from audit.report.numbers import Exchange, numbered
from audit.report.quick import parsed, quickly
from audit.report.words import visible

APT = "apt-get install -y libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
BREW = "brew install pango harfbuzz"
VARIANT = "pdf/a-3a"
_BASE = "asset:"


def renderer() -> ModuleType:
    """The module of WeasyPrint; ReportError with the remedy where its libraries are missing."""
    hint = f"Install them with: {BREW if sys.platform == 'darwin' else APT}"
    try:
        # On a missing library the import prints a page of advice before it fails.
        with redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = import_module("weasyprint")
            libraries = import_module("weasyprint.text.ffi")
    except OSError as error:
        missing = str(error).split("\n", 1)[0]
        raise ReportError(
            f"the libraries that draw the PDF are missing ({visible(missing, 160)})", hint=hint
        ) from error
    if libraries.harfbuzz_subset is None:
        raise ReportError("the library libharfbuzz-subset is missing", hint=hint)
    return module


@contextmanager
def laid_out(
    source: str, drawings: Mapping[str, bytes], exchange: Exchange | None = None
) -> Iterator[Any]:
    """The renderer's document of ``source``, to be drawn within the block.

    ``exchange`` is given for a part of a report; see ``audit.report.numbers``.
    """
    module = renderer()
    fonts = import_module("weasyprint.text.fonts")
    for name in ("weasyprint", "fontTools"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with quickly(), neutral():
        page = parsed(module, source, _BASE, own_assets(drawings))
        try:
            with numbered(exchange) if exchange else nullcontext():
                document = page.render(font_config=fonts.FontConfiguration(), pdf_variant=VARIANT)
        except import_module("weasyprint.urls").FatalURLFetchingError as error:
            raise ReportError(str(error)) from None
        yield document


def own_assets(drawings: Mapping[str, bytes]) -> Any:
    """A fetcher that knows the style sheet, the font and the drawings, and refuses the rest."""
    urls = import_module("weasyprint.urls")
    style = data_dir("reports") / "css" / "report.css"
    # The fonts are large and asked for once: they are made when they are, and not kept.
    assets: dict[str, tuple[Callable[[], bytes], str]] = {
        f"{_BASE}report.css": (style.read_bytes, "text/css"),
        f"{_BASE}font.otf": (font_file, "font/otf"),
        f"{_BASE}cards.ttf": (cardfont.font_file, "font/ttf"),
        **{address: (partial(bytes, one), "image/svg+xml") for address, one in drawings.items()},
    }

    def fetch(_: object, url: str, headers: object = None) -> Any:
        if url not in assets:
            raise urls.FatalURLFetchingError(f"the report may not fetch {url[:80]}")
        content, kind = assets[url]
        return urls.URLFetcherResponse(url, content(), {"Content-Type": kind})

    return type("OwnAssets", (urls.URLFetcher,), {"fetch": fetch})()
