"""Whatever a log holds is printed as text: never markup, never fetched, never off the page."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from audit.pipeline import Job, run_audit
from audit.report import cardfont, fonts, render, render_report
from audit.report.context import facts

URL = "http://127.0.0.1:9"
LONG = "W" * 10_000
TEXTS = {
    "html": f"</td></table><script>x()</script><img src={URL}/a.png>",
    "css": f"</style><style>@import url({URL}/b.css);*{{display:none}}",
    "svg": f"<svg onload=x()><image href='{URL}/c.svg'/></svg>",
    "template": "{{ facts }}{% raw %}${x}{0}%s",
    "entity": "&lt;b&gt;&amp;&#x202e;]]><!--",
    "control": "a\x07b\x1b[31mc\x85d\u2028e\ufeffg",
    "long": LONG,
    "emoji": "\U0001f600\u2b50\u231a\ufe0f\U0001f468\u200d\U0001f469",
    "rare": "\U00020bb7\U0002a6d6\U00030000",
    "right": "\u05e9\u05dc\u05d5\u05dd \u0627\u0644\u0639 \u202etxet\u202c \u2067x\u2069",
    "marks": "e" + "\u0301" * 60 + "\u0e33\u0e49",
}
ROUNDS = (
    "casino,table_id,shoe_id,round_no,started_at,player_cards,banker_cards,outcome,commission,"
    "dealer_id"
)
BETS = "casino,table_id,shoe_id,round_no,bet_id,patron_id,currency,bet,stake,paid"


def cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def hostile_log(folder: Path) -> Path:
    """Each text in every place where a log's own words can come to a page."""
    folder.mkdir()
    rounds, bets = [ROUNDS + "," + cell(TEXTS["html"])], [BETS]
    for number, text in enumerate(TEXTS.values(), 1):
        one = cell(text)
        for casino, table, shoe in ((one, "T", "S"), ("C", one, "S"), ("C", "T", one)):
            place = f"{casino},{table},{shoe}"
            # Player has to draw on 2 and stood; the bet on Banker is paid short of its due.
            start = f"2007-07-{number:02} 12:00:00"
            rounds.append(f"{place},1,{start},KS 2H,3D 4C,banker,commission,{one},x")
            bets.append(f"{place},1,{one},{one},MOP,banker,100,150")
        rounds.append(f"C,T,R{number},1,{start},{one},3D 4C,{one},commission,D,x")
        bets.append(f"C,T,S{number},9,{one},P,{one},{one},10,0")
        bets.append(f"{place},1,c{number},P,{cell(text[:12])},{one},10,9")
    (folder / "rounds <b>&'#{x}.csv").write_text("\n".join(rounds), encoding="utf-8")
    (folder / "bets.csv").write_text("\n".join(bets), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    run_audit(Job(log=[hostile_log(folder / "log")], case=folder / "case"))
    return folder / "case"


@pytest.fixture(scope="module")
def source(case: Path) -> str:
    return render.html(facts(case), ["en", "zh-Hant", "pt"], "inspection")[0]


@pytest.fixture(scope="module")
def file(case: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render_report(case, tmp_path_factory.mktemp("pdf") / "report.pdf")


def test_no_text_of_a_log_is_markup(source: str) -> None:
    root = ElementTree.fromstring(source)
    assert {each.tag for each in root.iter()} <= {
        "a", "article", "b", "body", "br", "col", "colgroup", "div", "h1", "h2", "h3", "head",
        "html", "i", "img", "link", "meta", "p", "section", "small", "span", "style", "table",
        "tbody", "td", "th", "thead", "title", "tr",
    }  # fmt: skip
    assert {each.get("src", "asset:") for each in root.iter()} == {
        each.get("src", "asset:") for each in root.iter() if "asset:" in each.get("src", "asset:")
    }
    assert all(each.get("href", "#").startswith(("#", "asset:")) for each in root.iter())
    styles = "".join(each.text or "" for each in root.iter("style"))
    assert URL not in styles
    assert not any(name.startswith("on") for each in root.iter() for name in each.attrib)


def test_every_text_is_shown_in_a_named_way(source: str) -> None:
    text = "".join(ElementTree.fromstring(source).itertext())
    for shown in (
        f"<script>x()</script><img src={URL}/a.png>",
        "</style><style>@import url(",
        "<svg onload=x()>",
        "{{ facts }}{% raw %}${x}{0}%s",
        "&lt;b&gt;&amp;&#x202e;]]><!--",
        "a‹U+0007›b‹U+001B›[31mc‹U+0085›d‹U+2028›e‹U+FEFF›g",
        "‹U+1F600›",
        "‹U+05E9›",
        "‹U+202E›txet‹U+202C›",
        "e\u0301\u0301‹U+0301›",
        "rounds <b>&'#{x}.csv",
    ):
        assert shown in text, shown
    assert LONG[:500] not in text


def test_no_character_lacks_a_glyph(source: str) -> None:
    cards = {*cardfont.MARK, *cardfont.OWED}
    lacking = {
        character
        for each in ElementTree.fromstring(source).iter()
        for character in f"{each.text or ''}{each.tail or ''}"
        if character not in " \n\t" and not fonts.drawable(character)
        and character not in cards and not 0x1F0A0 <= ord(character) <= 0x1F0FF
    }  # fmt: skip
    assert not lacking


def test_no_other_typeface_is_drawn_with(file: Path) -> None:
    names = set()
    for page in PdfReader(file).pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            names.add(str(inner["/BaseFont"]).split("+")[1])
    assert names <= {"Audit", "Cards"}


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_no_word_leaves_the_page(file: Path, tmp_path: Path) -> None:
    boxes = tmp_path / "boxes.html"
    subprocess.run(["pdftotext", "-bbox", str(file), str(boxes)], check=True)
    millimetre = 72 / 25.4
    left, right, high = 20 * millimetre, 190 * millimetre, 297 * millimetre
    found = re.findall(
        r'xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>',
        boxes.read_text(encoding="utf-8"),
    )
    assert len(found) > 1000
    outside = [
        (unescape(word), x0, x1, y0, y1)
        for x0, y0, x1, y1, word in found
        if float(x0) < left - 1 or float(x1) > right + 1 or float(y0) < 0 or float(y1) > high
    ]
    assert not outside
