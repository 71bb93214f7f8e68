"""The web report in a real browser: on a telephone and on a desk, light and dark, off the network.

The log is as hostile as a log can be: what it says must stay text, ask for nothing and keep
within the screen.
"""

from __future__ import annotations

import io
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.pipeline import Job, run_audit
from audit.report import render_html
from audit.report.words import LANGS
from tests.chromium import Tab, chromium, pixels

LONG = "W" * 10_000
HOSTILE = (
    "<script>document.title='run'</script>",
    '"><img src="http://127.0.0.1:9/x.png" onerror="document.title=1">',
    "</style><style>*{background:url(http://127.0.0.1:9/s)}</style>",
    "&lt;b&gt; {{ 7*7 }} {% raw %} javascript:alert(1)",
    "\u202eevil\u2066 \x1b[31m \u0007 \u200f",
    "\U0001f600" * 40,
    "百" * 300,
    LONG,
)
ROUNDS = "casino,table_id,shoe_id,round_no,started_at,player_cards,banker_cards,outcome,dealer_id"
BETS = "casino,table_id,shoe_id,round_no,bet_id,currency,bet,stake,paid,patron_id"

WIDEST = """
Math.max(...Array.from(document.querySelectorAll('main *, footer *'))
  .map(one => one.getBoundingClientRect().right))
"""
CUT = """
Array.from(document.querySelectorAll('td, th, p, h1, h2, h3, h4, a'))
  .filter(one => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
  .map(one => one.tagName + ' ' + one.className + ' ' + one.textContent.slice(0, 60))
"""
SMALL = """
Array.from(document.querySelectorAll('nav a')).filter(one => one.offsetHeight < 44).length
"""
CARDS = """
[document.fonts.check('20px Cards', '\U0001f0a1'),
 Math.round(parseFloat(getComputedStyle(document.querySelector('.h')).fontSize))]
"""


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report, in three languages, of a log whose every name is hostile."""
    folder = tmp_path_factory.mktemp("screen")
    log = folder / "log"
    log.mkdir()
    rounds, bets = [ROUNDS], [BETS]
    for name in map(quoted, HOSTILE):
        for n in range(1, 5):
            cards = "KS 2H,3D 4C,banker" if n > 1 else "KS 7H,=ZZ,banker"
            rounds.append(f"{name},{name},{name},{n},2007-07-01 12:0{n}:00,{cards},{name}")
            place = f"{name},{name},{name},{n}"
            bets.append(f"{place},{name},{name},banker,100,999999999999.99,{name}")
            bets.append(f"{place},x{n},MOP,{name},100,250,{name}")
    (log / "rounds.csv").write_text("\n".join(rounds) + "\n", encoding="utf-8")
    (log / "bets.csv").write_text("\n".join(bets) + "\n", encoding="utf-8")
    run_audit(Job(log=[log], case=folder / "case"))
    return render_html(folder / "case", folder / "report.html", lang=LANGS)


@pytest.fixture(scope="module")
def tab(page: Path) -> Iterator[Tab]:
    with chromium() as opened:
        yield opened


def test_it_is_shown_whole_and_fetches_nothing(tab: Tab, page: Path) -> None:
    for width in (360, 390, 800, 1280):
        tab.show(page, width)
        assert tab.ask("innerWidth") == width
        assert tab.ask("document.documentElement.scrollWidth") <= width
        assert tab.ask(WIDEST) <= width
        assert tab.ask(CUT) == []
        if width < 600:
            assert tab.ask(SMALL) == 0
            there, size = tab.ask(CARDS)
            assert there
            assert size >= 36
    assert {each for each in tab.asked if not each.startswith("data:")} == {page.as_uri()}


def test_what_a_log_says_stays_text(tab: Tab, page: Path) -> None:
    tab.show(page, 390)
    assert tab.ask("document.title").startswith("Inspection report ")
    assert tab.ask("document.scripts.length + document.images.length") == 0
    assert tab.ask("document.querySelectorAll('style').length") == 1
    text = tab.ask("document.body.innerText")
    assert "apparent violations were found" in text.split("Contents")[1]
    assert "疑似違規" in text
    assert "incumprimento aparente" in text
    assert "<script>document.title='run'</script>" in text
    assert "‹U+202E›evil‹U+2066›" in text
    assert "\u202e" not in text
    assert LONG[:500] not in text


def test_it_is_a_picture_in_both_schemes(tab: Tab, page: Path) -> None:
    """Text and cards on a ground that is light or dark; the hands are drawn, not empty boxes."""
    grounds = []
    for dark in (False, True):
        tab.show(page, 390, dark=dark)
        top = tab.ask("document.querySelector('.h').getBoundingClientRect().top + scrollY")
        width, height, rows = pixels(tab.picture(int(top), 100))
        assert (width, height) == (390, 100)
        size = len(rows[0]) // width
        colours = Counter(row[n : n + 3] for row in rows for n in range(0, len(row), size))
        ((ground, most),) = colours.most_common(1)
        assert 0.02 < 1 - most / colours.total() < 0.7
        assert len(colours) > 20
        grounds.append(sum(ground) > 380)
    assert grounds == [True, False]


def test_its_files_can_be_saved(tab: Tab, page: Path) -> None:
    """The link works in a browser that is off the network and runs no script of the page."""
    place = page.parent / "saved"
    place.mkdir()
    tab.show(page, 390)
    tab.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(place))
    name = tab.ask("document.querySelector('.archive').download")
    tab.ask("document.querySelector('.archive').click()")
    for _ in range(100):
        if (place / name).is_file():
            break
        time.sleep(0.1)
    with zipfile.ZipFile(io.BytesIO((place / name).read_bytes())) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["findings.csv", "manifest.json"]


LEVELS = """
Array.from(document.querySelectorAll('.steps')).map(row =>
  Array.from(row.querySelectorAll('.step')).map(cell =>
    Array.from(cell.querySelectorAll('span')).map(one => Math.round(one.offsetTop)).join()))
"""


def test_each_bet_is_level_with_its_amounts(tab: Tab, page: Path) -> None:
    """However long a bet's name is and wherever it breaks."""
    for width in (390, 1280):
        tab.show(page, width)
        rows = tab.ask(LEVELS)
        assert len(rows) >= 20
        assert all(len(cells) == 4 and len(set(cells)) == 1 for cells in rows)
