"""Facts to HTML to PDF. The renderer reads the report's own style sheet and font, nothing else.

The same case gives the same bytes: every date in the file is the case's, and nothing is random.
"""

from __future__ import annotations

import gc
import io
import logging
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import jinja2

from audit.errors import ReportError
from audit.paths import data_dir
from audit.report.annexes import Annexes
from audit.report.fonts import font_file
from audit.report.query import Facts
from audit.report.words import HTML_LANG, Words, visible, words

APT = "apt-get install -y libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
BREW = "brew install pango harfbuzz"
VARIANT = "pdf/a-3a"
_BASE = "asset:"


def weasyprint() -> ModuleType:
    """The renderer's module; ReportError with the remedy where its libraries are missing."""
    hint = f"Install them with: {BREW if sys.platform == 'darwin' else APT}"
    try:
        # On a missing library the import prints a page of advice before it fails.
        with redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import weasyprint as module
            from weasyprint.text import ffi
    except OSError as error:
        missing = str(error).split("\n", 1)[0]
        raise ReportError(
            f"the libraries that draw the PDF are missing ({visible(missing, 160)})", hint=hint
        ) from error
    if ffi.harfbuzz_subset is None:
        raise ReportError("the library libharfbuzz-subset is missing", hint=hint)
    return module


def environment() -> jinja2.Environment:
    """Templates with autoescape always on; an unknown name is an error, never an empty place."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_dir("reports") / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["data"] = lambda value, limit=120: visible(
        "" if value is None else str(value), limit
    )
    return made


def document(facts: Facts, lang: str, kind: str, drawings: dict[str, bytes]) -> dict[str, Any]:
    """What the templates need for one language."""
    spoken = words(lang)
    return {
        "words": spoken,
        "facts": facts,
        "show": Annexes(spoken, facts, drawings),
        "kind": kind,
        "html_lang": HTML_LANG[lang],
        "page": lang.lower(),
        "page_of": _page_of(spoken),
    }


def _page_of(spoken: Words) -> jinja2.utils.markupsafe.Markup:
    """The catalogue's ``Page {x} of {y}`` as the value of a CSS ``content``."""
    text = spoken.ui("page_of", x="\0x\0", y="\0y\0")
    counters = {"x": "counter(page)", "y": "counter(pages)"}
    parts = [
        counters[part] if place % 2 else f'"{part}"' for place, part in enumerate(text.split("\0"))
    ]
    return jinja2.utils.markupsafe.Markup(" ".join(part for part in parts if part != '""'))


def html(facts: Facts, langs: Sequence[str], kind: str) -> tuple[str, dict[str, bytes]]:
    """The whole report as one HTML document, one language after the other, and its drawings."""
    drawings: dict[str, bytes] = {}
    docs = [document(facts, lang, kind, drawings) for lang in langs]
    first: Words = docs[0]["words"]
    case_id = visible(str(facts["case_id"]), 80)
    source = (
        environment()
        .get_template("report.html")
        .render(
            docs=docs,
            title=f"{first.ui(f'kind_{kind}')} {case_id}",
            author=f"baccarat-audit {visible(str(facts['tool_version']), 40)}",
            subject=first.ui("subject"),
            generator="baccarat-audit",
            created=created(facts).isoformat() + "Z",
        )
    )
    return source, drawings


def created(facts: Facts) -> datetime:
    """When the case was made, without a zone: the only date in the file's metadata."""
    return datetime.fromisoformat(str(facts["created_at"])).replace(microsecond=0, tzinfo=None)


def pdf(
    source: str,
    drawings: Mapping[str, bytes],
    attachments: Sequence[tuple[str, str, bytes]],
    when: datetime,
) -> bytes:
    """``source`` laid out as PDF/A-3a with ``attachments`` (name, description, content)."""
    module = weasyprint()
    from weasyprint.text.fonts import FontConfiguration

    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    fetcher = _fetcher(drawings)
    files = [
        module.Attachment(
            file_obj=io.BytesIO(content),
            name=name,
            description=about,
            created=when,
            modified=when,
            relationship="Data",
        )
        for name, about, content in attachments
    ]
    page = module.HTML(string=source, base_url=_BASE, url_fetcher=fetcher)
    made = page.write_pdf(pdf_variant=VARIANT, attachments=files, font_config=FontConfiguration())
    return bytes(made)


def _fetcher(drawings: Mapping[str, bytes]) -> Any:
    """A fetcher that knows the style sheet, the font and the drawings, and refuses the rest."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

    style = (data_dir("reports") / "css" / "report.css").read_bytes()
    assets = {
        f"{_BASE}report.css": (style, "text/css"),
        f"{_BASE}font.otf": (font_file(), "font/otf"),
        **{address: (drawing, "image/svg+xml") for address, drawing in drawings.items()},
    }

    class OwnAssets(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: object = None) -> Any:
            if url not in assets:
                raise FatalURLFetchingError(f"the report may not fetch {url[:80]}")
            content, kind = assets[url]
            return URLFetcherResponse(url, content, {"Content-Type": kind})

    return OwnAssets()
