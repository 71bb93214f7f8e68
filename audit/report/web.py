"""The report as one web page that needs nothing beside it: style, typeface and files are in it.

It is made of the same facts and the same parts as the PDF, in another frame, and without the
libraries that draw a PDF. The same case gives the same bytes: the only dates are the case's.
"""

from __future__ import annotations

import base64
import io
import re
import shutil
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime

from markupsafe import Markup

from audit.paths import data_dir
from audit.report import cardfont
from audit.report.attach import ABOUT, Attached
from audit.report.query import Facts
from audit.report.render import created, document, environment
from audit.report.screen import screen
from audit.report.words import Words, visible

BEGINS = b"<!DOCTYPE html>\n<!-- baccarat-audit -->"
"""How each such page begins, so that no other one is ever replaced by it."""

POLICY = "; ".join((
    "default-src 'none'", "style-src 'unsafe-inline'", "img-src data:", "font-src data:",
    "base-uri 'none'", "form-action 'none'",
))  # fmt: skip
"""What a browser may load for the page: nothing. Its own style and what is written in it remain."""

_FIRST_YEAR = 1980
"""Before it a zip archive has no dates."""


def page(facts: Facts, langs: Sequence[str], kind: str, attached: Sequence[Attached]) -> str:
    """The whole report as one HTML document, one language after the other.

    ``attached`` are packed into one archive that the document holds.
    """
    drawings: dict[str, bytes] = {}
    docs = [document(facts, lang, kind, drawings) for lang in langs]
    first: Words = docs[0]["words"]
    case_id = visible(str(facts["case_id"]), 80)
    made = environment()
    made.filters["screen"] = lambda part, of: screen(part, drawings, of)
    name = re.sub(r"[^A-Za-z0-9-]", "", str(facts["case_id"]))[:40]
    return made.get_template("web.html").render(
        docs=docs,
        title=f"{first.ui(f'kind_{kind}')} {case_id}",
        subject=first.ui("subject"),
        author=f"baccarat-audit {visible(str(facts['tool_version']), 40)}",
        created=created(facts).isoformat(),
        policy=POLICY,
        style=Markup(_style()),
        archive=f"case-{name}.zip",
        files=[(each.name, ABOUT[each.name]) for each in attached],
        packed=_data("application/zip", archive(attached, created(facts))),
    )


def _style() -> str:
    """The style sheet with the typeface of the cards in it."""
    sheet = (data_dir("reports") / "css" / "web.css").read_text("utf-8")
    return sheet.replace("asset:cards.ttf", _data("font/ttf", cardfont.font_file()))


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


def archive(attached: Sequence[Attached], when: datetime) -> bytes:
    """The files in a zip archive, each dated ``when`` in UTC; the same bytes each time.

    They are read in pieces: findings may be many.
    """
    moment = when.astimezone(UTC)
    stamp = moment.timetuple()[:6] if moment.year >= _FIRST_YEAR else (_FIRST_YEAR, 1, 1, 0, 0, 0)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for each in attached:
            entry = zipfile.ZipInfo(each.name, stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            with each.path.open("rb") as content, packed.open(entry, "w") as into:
                shutil.copyfileobj(content, into, 1 << 20)
    return target.getvalue()
