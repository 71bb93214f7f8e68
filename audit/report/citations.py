"""How a provision is cited in each language.

A reference is an article number and up to four brackets, as in ``9(3)(2)``. What a bracket
means depends on the article: some have numbered paragraphs, others go straight to items.
"""

from __future__ import annotations

import re

PARAGRAPHS = frozenset({2, 3, 7, 13, 16, 17, 18})
"""Articles whose first bracket is a paragraph (款, n.º); elsewhere it is an item (項, alínea)."""

_REFERENCE = re.compile(r"^(\d{1,2})((?:\([0-9]{1,2}\)|\([ivx]{1,4}\))*)$")
_SEPARATOR = re.compile(r"\s*[,;+]\s*|\s+and\s+")
NBSP = "\u00a0"
_DIGITS = "零一二三四五六七八九"


def chinese(value: int) -> str:
    """A number from 1 to 99 in Chinese numerals: 9 九, 10 十, 19 十九, 21 二十一."""
    tens, units = divmod(value, 10)
    head = "" if tens == 0 else "十" if tens == 1 else _DIGITS[tens] + "十"
    return head + (_DIGITS[units] if units or not tens else "")


def _levels(article: int, brackets: list[str]) -> dict[str, str]:
    names = ["paragraph", "item", "subitem", "point"]
    if article not in PARAGRAPHS:
        names = names[1:]
    return dict(zip(names, brackets, strict=False))


def _zh(article: int, place: dict[str, str]) -> str:
    parts = [f"第{chinese(article)}條"]
    if number := place.get("paragraph"):
        parts.append(f"第{chinese(int(number))}款")
    if number := place.get("item"):
        parts.append(f"（{chinese(int(number))}）項")
    if number := place.get("subitem"):
        parts.append(f"（{number}）分項")
    if number := place.get("point"):
        parts.append(f"{number}）")
    return "".join(parts)


def _pt_table(article: int, place: dict[str, str]) -> str:
    parts = [f"art.{NBSP}{article}.º"]
    if number := place.get("paragraph"):
        parts.append(f"n.º{NBSP}{number}")
    if number := place.get("item"):
        parts.append(f"al.{NBSP}{number})")
    if number := place.get("subitem"):
        parts.append(f"subal.{NBSP}({number})")
    if number := place.get("point"):
        parts.append(f"{number})")
    return ", ".join(parts)


def _pt_prose(article: int, place: dict[str, str]) -> str:
    parts = [f"artigo {article}.º"]
    if number := place.get("paragraph"):
        parts.append(f"n.º {number}")
    if number := place.get("item"):
        parts.append(f"alínea {number})")
    if number := place.get("subitem"):
        parts.append(f"subalínea ({number})")
    if number := place.get("point"):
        parts.append(f"ponto {number})")
    text = parts[0]
    for inner in parts[1:]:
        joint = "da" if text.startswith(("al", "subal")) else "do"
        text = f"{inner} {joint} {text}"
    return text


def citing(article: str, lang: str, *, prose: bool = False) -> str:
    """``article`` (``9(3)(2)``, or several with commas) as ``lang`` cites it.

    ``prose`` chooses Portuguese running text instead of its table form. A reference that is not
    of this form is returned unchanged.
    """
    cited = []
    for reference in filter(None, _SEPARATOR.split(article.strip())):
        match = _REFERENCE.match(reference)
        if match is None:
            return article
        number = int(match.group(1))
        place = _levels(number, re.findall(r"\(([^)]*)\)", match.group(2)))
        if lang == "zh-Hant":
            cited.append(_zh(number, place))
        elif lang == "pt":
            cited.append(_pt_prose(number, place) if prose else _pt_table(number, place))
        else:
            cited.append(f"art.{NBSP}{reference}")
    return {"zh-Hant": "、", "pt": "; "}.get(lang, ", ").join(cited)
