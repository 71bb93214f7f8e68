"""The parts of the report as a screen shows them: the same words in other elements.

The templates lay the report out for paper. A screen wants one heading of the first level for each
language, cells that carry the head of their column (a narrow screen stacks them), drawings in the
document itself, and hands of cards that are read aloud as cards. No text is added or taken away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape
from html.parser import HTMLParser

from markupsafe import Markup

from audit.report.hands import SIZE

_VOID = frozenset({"br", "col", "img"})
_LAYOUT = frozenset({"strip", "sign"})
"""Tables that only put things side by side."""

SHORT = 15
"""Letters of a cell that may share a line with others on a narrow screen."""

_ROLES = {"thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "td": "cell"}
_SCOPES = {"col": "columnheader", "row": "rowheader", "rowgroup": "rowheader"}
_MM = re.compile(r"font-size: ([\d.]+)mm")

Attrs = dict[str, str]


def screen(part: str, drawings: Mapping[str, bytes], page: str) -> Markup:
    """``part``, the HTML of one language as the templates make it, for a screen.

    ``drawings`` are its images by their address, as SVG; ``page`` begins the ids of the language.
    """
    made = _Screen(drawings, page)
    made.feed(part)
    made.close()
    return Markup("".join(made.out))


class _Screen(HTMLParser):
    """Copies what it reads; what a screen wants otherwise is changed on the way.

    The templates close every element that they open, so that an end tag belongs to the last one.
    """

    def __init__(self, drawings: Mapping[str, bytes], page: str) -> None:
        super().__init__(convert_charrefs=False)
        self.out: list[str] = []
        self._drawings, self._page = drawings, page
        self._open: list[str] = []
        self._layout = False
        self._heads: list[str] = []
        self._in_head = False
        self._column = self._row = 0
        self._cells: list[tuple[int, int, bool]] = []
        self._begun: tuple[int, bool] = (0, False)

    # What stays as it is

    def handle_data(self, data: str) -> None:
        """Text, as it is."""
        self.out.append(data)

    def handle_entityref(self, name: str) -> None:
        """An escaped character stays escaped."""
        self.out.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """An escaped character stays escaped."""
        self.out.append(f"&#{name};")

    # Elements

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element in the form that a screen wants."""
        own = {name: value or "" for name, value in attrs}
        kind = own.get("class", "")
        if tag == "img":
            self.out.append(self._drawings[own["src"]].decode("utf-8"))
            return
        if tag in ("h1", "h2", "h3") and kind != "title":
            tag = f"h{int(tag[1]) + 1}"
        elif tag == "div" and kind == "contents":
            tag, own["id"] = "nav", f"{self._page}-contents"
        elif tag == "article":
            tag, own = "span", _hand(own)
        elif tag in ("table", "thead", "tbody", "tr", "th", "td"):
            self._of_table(tag, own, kind)
        if tag not in _VOID:
            self._open.append(tag)
        self._begin(tag, own)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that holds nothing: the templates are XML too, and say so by a stroke."""
        self.handle_starttag(tag, attrs)

    def _begin(self, tag: str, attrs: Attrs) -> None:
        named = "".join(f' {name}="{escape(value)}"' for name, value in attrs.items())
        self.out.append(f"<{tag}{named}>")

    def handle_endtag(self, tag: str) -> None:
        """The end of an element, under the name that it was begun with."""
        name = self._open.pop()
        if name in ("th", "td"):
            name = self._end_of_cell(name)
        elif name == "thead":
            self._in_head = False
        elif name == "tr":
            self._in_step()
        self.out.append(f"</{name}>")

    # Tables

    def _of_table(self, tag: str, own: Attrs, kind: str) -> None:
        if tag == "table":
            self._layout = kind in _LAYOUT
            self._heads, self._in_head = [], False
            own["role"] = "presentation" if self._layout else "table"
            return
        if tag == "tr":
            self._column, self._cells, self._row = 0, [], len(self.out)
        elif tag == "thead":
            self._in_head = True
        elif tag in ("th", "td"):
            self._begun = len(self.out), kind == "n"
            if not self._in_head:
                self._label(own)
        if not self._layout:
            own["role"] = _SCOPES[own["scope"]] if "scope" in own else _ROLES.get(tag, "cell")

    def _label(self, own: Attrs) -> None:
        """The head of its column for a cell of the body, unless it heads its row or spans some."""
        head = self._heads[self._column] if self._column < len(self._heads) else ""
        if head and self._column and "colspan" not in own:
            own["data-label"] = head
        self._column += int(own.get("colspan", 1))

    def _end_of_cell(self, name: str) -> str:
        """The name that the cell ends with: a head that says nothing is no head."""
        at, number = self._begun
        content = "".join(self.out[at + 1 :])
        if self._in_head:
            self._heads.append(_plain(content))
        elif name == "td" and _room(content) <= SHORT:
            self.out[at] = _with_class(self.out[at], "short")
        self._cells.append((at, len(self.out), number))
        if name == "th" and not content:
            self.out[at] = '<td role="cell">'
            return "td"
        return name

    def _in_step(self) -> None:
        """Lines of a row's cells that belong together are kept on one level by the style sheet."""
        texts = ["".join(self.out[at + 1 : end]) for at, end, _ in self._cells]
        lines = [0 if "<" in text else text.count("\n") + 1 for text in texts]
        most = max((n for n, (_, _, number) in zip(lines, self._cells, strict=True) if number),
                   default=0)  # fmt: skip
        if most < 2:
            return
        self.out[self._row] = _with_class(self.out[self._row], "steps", f"--lines: {most}")
        for (at, end, _), text, n in zip(self._cells, texts, lines, strict=True):
            if n == most:
                apart = "</span>\n<span>".join(text.split("\n"))
                self.out[at] = _with_class(self.out[at], "step")
                self.out[at + 1 : end] = [f"<span>{apart}</span>", *[""] * (end - at - 2)]


def _plain(content: str) -> str:
    """The text of a cell's content; what was escaped is unescaped."""
    return unescape(re.sub(r"<[^>]*>", "", content))


def _room(content: str) -> float:
    """How wide a cell's content is, in Latin letters; endless where it has markup or lines."""
    if not content or "<" in content or "\n" in content:
        return float("inf")
    return sum(1 if one.isascii() else 1.8 for one in _plain(content))


def _with_class(start: str, name: str, style: str = "") -> str:
    """A start tag with one more class and, if given, a style."""
    if ' class="' in start:
        start = start.replace(' class="', f' class="{name} ', 1)
    else:
        start = f'{start[:-1]} class="{name}">'
    return f'{start[:-1]} style="{style}">' if style else start


def _hand(own: Attrs) -> Attrs:
    """A line of cards as an image made of text, its size as a part of the usual one."""
    made = {"class": own["class"], "role": "img", "aria-label": own["title"]}
    if size := _MM.search(own.get("style", "")):
        made["style"] = f"--part: {float(size[1]) / SIZE:.2f}"
    return made
