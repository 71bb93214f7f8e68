"""A long report is cut into parts, each laid out and drawn by a process of its own.

Where it is cut depends on the report alone. A part begins on a new page, so cuts are made where
the report has one anyway, between languages and before the articles, or where a reader expects
one, before an article or the annexes.
"""

from __future__ import annotations

import re

SHORT = 160_000
"""Characters of HTML up to which a report is one part: some twenty pages."""

PART = 480_000
"""Characters of HTML that a part has at most, where it can be cut so: some sixty pages.

A process needs some 7 MB of memory for a page, and a second of processor time to begin.
"""

_PLACE = re.compile(
    r'<div class="doc |<section class="(?:articles|annexes)">'
    r'|(?<=</section>\n)<section class="(chapter)">'
)
_OPENED = re.compile(r'<div class="doc ([\w-]+)" id="[\w-]+" lang="([\w-]+)">')
_CASE = re.compile(r'<td class="caseid">([^<]*)</td>')
_FOOT = re.compile(r'<p class="foot-source">([^<]*)</p>')
_BODY = re.compile(r'<body(?: class="(many)")?>\n')
_END = "</body>\n</html>"


def cut(source: str) -> list[str]:
    """The parts of a report, each a document of its own; the report itself where it is short."""
    if len(source) <= SHORT:
        return [source]
    body = _BODY.search(source)
    assert body is not None
    head = source[: body.start()] + f'<body class="{body[1] or ""} part">\n'
    places = _places(source, max(2, -(-len(source) // PART)))
    whole = [*zip([body.end(), *places], [*places, source.rindex("</body>")], strict=True)]
    return [
        f"{head}{_opening(source, start)}{source[start:end]}{_closing(source, end)}{_END}"
        for start, end in whole
    ]


def emptied(part: str) -> str:
    """The head of ``part`` before a line in each of our two typefaces."""
    return f'{part[: part.index("<body")]}<body><p>x</p><p class="h">&#x1F0AE;</p></body>\n</html>'


def _places(source: str, parts: int) -> list[int]:
    """Where to cut, in order: the places nearest to those of parts of one size."""
    known = [found.start() for found in _PLACE.finditer(source)][1:]
    wanted = [len(source) * n // parts for n in range(1, parts)]
    return sorted({min(known, key=lambda place: abs(place - at)) for at in wanted} if known else ())


def _opening(source: str, start: int) -> str:
    """What was opened before ``start``: the language, with the words of its running lines."""
    if source.startswith("<div", start) or "<div class=" not in source[:start]:
        return ""
    *_, (name, lang) = _OPENED.findall(source, 0, start)
    case, foot = _CASE.findall(source, 0, start)[-1], _FOOT.findall(source, 0, start)[-1]
    made = f'<div class="doc {name} continued" lang="{lang}" data-case="{case}" data-foot="{foot}">'
    inside = source.startswith('<section class="chapter">', start)
    return made + ('<section class="articles">' if inside else "")


def _closing(source: str, end: int) -> str:
    """What is still open at ``end``."""
    if source.startswith(("<div", "</body>"), end):
        return ""
    inside = source.startswith('<section class="chapter">', end)
    return ("</section>" if inside else "") + "</div>\n"
