"""The visible signature: who signed and when, as a small page in the report's own typeface."""

from __future__ import annotations

from importlib import import_module

from markupsafe import Markup

from audit.report.layout import own_assets, renderer
from audit.report.neutral import neutral
from audit.report.words import HTML_LANG, Words, visible
from audit.signing.sign import HIGH, WIDE

_PAGE = Markup(
    """<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title>{name}</title><style>
@font-face {{ font-family: Audit; src: url(asset:font.otf) }}
@page {{ size: {wide}pt {high}pt; margin: 0 }}
body {{ margin: 0; padding: 3pt 0 0 6pt; border-left: 2pt solid #1f4e5f; height: {inner}pt;
  font: 8.6pt/1.3 Audit; color: #1c2126; white-space: nowrap; overflow: hidden }}
p {{ margin: 0; font-size: 6.6pt; color: #5d666e }}
</style></head><body><p>{by}</p>{name}<p>{moment}</p></body></html>"""
)


def stamp(words: Words, name: str, moment: str) -> bytes:
    """A PDF of one page, as large as a visible signature."""
    source = _PAGE.format(
        lang=HTML_LANG[words.lang],
        wide=WIDE,
        high=HIGH,
        inner=HIGH - 3,
        by=words.ui("signed_by"),
        name=visible(name, 40),
        moment=moment,
    )
    with neutral():
        page = renderer().HTML(string=source, base_url="asset:", url_fetcher=own_assets({}))
        fonts = import_module("weasyprint.text.fonts").FontConfiguration()
        return bytes(page.write_pdf(font_config=fonts))
