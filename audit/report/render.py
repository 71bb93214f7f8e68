"""Facts to HTML to PDF.

The same case gives the same bytes: every date in the file is the case's, and nothing is random.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

import jinja2
from markupsafe import Markup

from audit.manifest import MACAU
from audit.paths import data_dir
from audit.report.annexes import Annexes
from audit.report.attach import Attached
from audit.report.cut import cut
from audit.report.finish import Finish
from audit.report.join import join
from audit.report.layout import VARIANT, laid_out, renderer
from audit.report.pack import lightly, placeholder
from audit.report.part import drawn_apart
from audit.report.query import Facts
from audit.report.words import HTML_LANG, Words, visible, words


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
    spoken = words(lang).knowing(titles).bound()
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
            joined = join(document, drawn)
        if not joined:
            document = held.enter_context(laid_out(source, drawings))
        with lightly():
            made = document.write_pdf(pdf_variant=VARIANT, attachments=files, finisher=finish)
    return bytes(made), finish
