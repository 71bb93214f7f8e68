"""Facts to HTML to PDF. The renderer reads the report's own style sheet and font, nothing else.

The same case gives the same bytes: every date in the file is the case's, and nothing is random.
"""

from __future__ import annotations

import io
import logging
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

import jinja2
from markupsafe import Markup

from audit.errors import ReportError
from audit.manifest import MACAU
from audit.paths import data_dir
from audit.report import cardfont
from audit.report.annexes import Annexes
from audit.report.attach import Attached
from audit.report.cut import cut
from audit.report.finish import Finish
from audit.report.fonts import font_file
from audit.report.join import SAMPLE, join
from audit.report.neutral import neutral
from audit.report.numbers import Exchange, numbered
from audit.report.pack import lightly, placeholder
from audit.report.part import drawn_apart
from audit.report.query import Facts
from audit.report.quick import parsed, quickly
from audit.report.words import HTML_LANG, Words, visible, words

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
    titles = {name: own[lang] for name, own in facts["titles"].items() if lang in own}
    spoken = words(lang).knowing(titles)
    return {
        "words": spoken,
        "facts": facts,
        "show": Annexes(spoken, facts, drawings),
        "kind": kind,
        "html_lang": HTML_LANG[lang],
        "page": lang.lower(),
        "page_of": _page_of(spoken),
    }


def _page_of(spoken: Words) -> Markup:
    """The catalogue's ``Page {x} of {y}`` as the value of a CSS ``content``."""
    text = spoken.ui("page_of", x="\0x\0", y="\0y\0")
    counters = {"x": "counter(page)", "y": "counter(pages)"}
    parts = [
        counters[part] if place % 2 else f'"{part}"' for place, part in enumerate(text.split("\0"))
    ]
    return Markup(" ".join(part for part in parts if part != '""'))


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
            created=created(facts).isoformat(),
        )
    )
    return source, drawings


def created(facts: Facts) -> datetime:
    """When the case was made: the only date in the file's metadata. Macau time if none is said."""
    moment = datetime.fromisoformat(str(facts["created_at"])).replace(microsecond=0)
    return moment if moment.tzinfo else moment.replace(tzinfo=MACAU)


def pdf(
    source: str,
    drawings: Mapping[str, bytes],
    attachments: Sequence[Attached],
    when: datetime,
) -> tuple[bytes, Finish]:
    """``source`` laid out as PDF/A-3a with ``attachments``; ``when`` has a zone, they bear it.

    Beside the file comes the last step of its making, which knows where it can be signed.
    """
    module = renderer()
    moment = when.astimezone(UTC).replace(tzinfo=None)
    files = [
        module.Attachment(
            file_obj=io.BytesIO(placeholder(each.name)),
            name=each.name,
            description=each.about,
            created=moment,
            modified=moment,
            relationship="Data",
        )
        for each in attachments
    ]
    finish = Finish(source, [(each.name, each.path) for each in attachments])
    with ExitStack() as held:
        parts = cut(source)
        joined = False
        if len(parts) > 1:
            document, drawn = held.enter_context(drawn_apart(parts, drawings))
            joined = join(document, drawn, lambda: held.enter_context(laid_out(SAMPLE, {})))
        if not joined:
            document = held.enter_context(laid_out(source, drawings))
        with lightly():
            made = document.write_pdf(pdf_variant=VARIANT, attachments=files, finisher=finish)
    return bytes(made), finish


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
