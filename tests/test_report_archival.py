"""The PDF as an archive keeps it: PDF/A-3a, tagged, whole in itself, the same bytes anywhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from pypdf.generic import IndirectObject

from audit.errors import ReportError
from audit.pipeline import Job, run_audit
from audit.report import layout, render, render_report
from tests.support import complete, hands

LANGUAGES = ("en", "zh-Hant", "pt")
CREATED = "D:20260101000000Z"
FORBIDDEN = {
    "/JavaScript", "/JS", "/AA", "/Launch", "/URI", "/GoToR", "/GoToE", "/ImportData",
    "/SubmitForm", "/RichMedia", "/Movie", "/Sound", "/3D", "/XFA", "/Encrypt", "/OpenAction",
}  # fmt: skip
NS = {
    "rdf": "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}",
    "aid": "{http://www.aiim.org/pdfa/ns/id/}",
    "xmp": "{http://ns.adobe.com/xap/1.0/}",
}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four clean rounds, then one in which Player wrongly stood on 2: five wrong in a shoe."""
    folder = tmp_path_factory.mktemp("archival")
    log = folder / "log"
    log.mkdir()
    good, bad = "KS 7H / 9D KC / banker", "KS 2H / 3D 4C / banker"
    rounds = hands("outcome:", *[good] * 4, *[bad] * 5)
    (log / "rounds.csv").write_text(complete("rounds.csv", rounds), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1767225600")
        run_audit(Job(log=[log], case=folder / "case"))
    return folder / "case"


@pytest.fixture(scope="module")
def file(case: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render_report(case, tmp_path_factory.mktemp("pdf") / "report.pdf", lang=LANGUAGES)


@pytest.fixture(scope="module")
def chinese(case: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render_report(case, tmp_path_factory.mktemp("chinese") / "report.pdf", lang="zh-Hant")


@pytest.fixture(scope="module")
def reader(file: Path) -> PdfReader:
    return PdfReader(file, strict=True)


@pytest.fixture(scope="module")
def root(reader: PdfReader) -> Any:
    return reader.trailer["/Root"]


def objects(reader: PdfReader) -> Iterator[dict[str, Any]]:
    """Every dictionary and stream of the file, the nested ones too."""
    waiting = [
        reader.trailer,
        *(reader.get_object(n) for n in range(1, int(reader.trailer["/Size"]))),
    ]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield each
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each


def elements(reader: PdfReader, kind: str) -> list[dict[str, Any]]:
    return [e for e in objects(reader) if e.get("/Type") == "/StructElem" and e["/S"] == kind]


def test_it_says_what_it_is(root: Any, reader: PdfReader) -> None:
    xmp = ElementTree.fromstring(root["/Metadata"].get_object().get_data())
    said: dict[str, str] = {}
    for description in xmp.iter(f"{NS['rdf']}Description"):
        said |= description.attrib
    assert (said[f"{NS['aid']}part"], said[f"{NS['aid']}conformance"]) == ("3", "A")
    for key in ("CreateDate", "ModifyDate"):
        assert [each.text for each in xmp.iter(NS["xmp"] + key)] == ["2026-01-01T08:00:00+08:00"]
    assert reader.pdf_header == "%PDF-1.7"
    assert len(reader.trailer["/ID"]) == 2


def test_colours_are_defined(root: Any) -> None:
    (intent,) = root["/OutputIntents"]
    assert intent["/S"] == "/GTS_PDFA1"
    profile = intent["/DestOutputProfile"].get_object()
    assert profile["/N"] == 3
    assert profile.get_data()[36:40] == b"acsp"


def test_every_font_is_embedded_and_can_be_read_back(reader: PdfReader) -> None:
    fonts = [each for each in objects(reader) if each.get("/Type") == "/Font"]
    assert {str(font["/Subtype"]) for font in fonts} == {"/Type0", "/CIDFontType0", "/CIDFontType2"}
    for font in fonts:
        if font["/Subtype"] == "/Type0":
            assert b"beginbfchar" in font["/ToUnicode"].get_object().get_data()
        else:
            assert {"/FontFile2", "/FontFile3"} & set(font["/FontDescriptor"].get_object())


def test_it_is_tagged_and_in_three_languages(root: Any, reader: PdfReader) -> None:
    assert root["/MarkInfo"]["/Marked"] == True  # noqa: E712 - a PDF boolean
    assert root["/ViewerPreferences"]["/DisplayDocTitle"] == True  # noqa: E712
    assert root["/Lang"] == "en"
    (document,) = elements(reader, "/Document")
    langs = [kid.get_object()["/Lang"] for kid in document["/K"]]
    assert len(langs) == len(reader.pages)
    assert list(dict.fromkeys(langs)) == ["en", "zh-Hant-MO", "pt-PT"]
    assert sorted(langs, key=["en", "zh-Hant-MO", "pt-PT"].index) == langs
    assert len(elements(reader, "/H1")) > 9
    assert elements(reader, "/TH")
    assert all("/StructParents" in page for page in reader.pages)


def test_figures_have_a_text_and_a_place_on_their_page(reader: PdfReader) -> None:
    figures = elements(reader, "/Figure")
    assert len(figures) >= 3
    for figure in figures:
        assert str(figure["/Alt"])
        left, low, right, high = map(float, figure["/A"]["/BBox"])
        assert 0 <= left < right <= 596
        assert 0 <= low < high <= 842


def test_hands_can_be_read_aloud_and_copied(reader: PdfReader) -> None:
    # Each hand as dealt, and as it should have been; the last card of the shoe is not known.
    expected = set()
    for player, banker in (("P", "B"), ("閒", "莊"), ("J", "B")):
        expected |= {
            f"{player} 2: K♠ 2♥ ▯, {banker} 7: 3♦ 4♣",
            f"{player} 2: K♠ 2♥ [K♠], {banker} 7: 3♦ 4♣",
            f"{player}: K♠ 2♥ [?], {banker}: 3♦ 4♣",
        }
    spoken = [str(each["/ActualText"]) for each in objects(reader) if "/ActualText" in each]
    assert set(spoken) == expected
    assert len(spoken) == 30
    text = "".join(page.extract_text() for page in reader.pages)
    assert text.count("\U0001f0ae\U0001f0b2▯") == 15
    assert text.count("\U0001f0c3\U0001f0d4") == 30


def test_bookmarks_lead_to_pages(reader: PdfReader) -> None:
    def flat(items: list[Any]) -> list[Any]:
        return [x for each in items for x in (flat(each) if isinstance(each, list) else [each])]

    titles = flat(reader.outline)
    assert len(titles) > 30
    pages = [reader.get_destination_page_number(each) for each in titles]
    assert pages == sorted(pages)
    assert max(pages) == len(reader.pages) - 1


def test_attachments_say_what_they_are(root: Any) -> None:
    files = [each.get_object() for each in root["/AF"]]
    assert [each["/UF"] for each in files] == ["findings.csv", "manifest.json"]
    assert [each["/F"] for each in files] == ["findings.csv", "manifest.json"]
    for each, kind in zip(files, ("/text/csv", "/application/json"), strict=True):
        assert each["/AFRelationship"] == "/Data"
        assert each["/Desc"]
        content = each["/EF"]["/F"].get_object()
        assert content["/Subtype"] == kind
        assert content["/Params"]["/CreationDate"] == CREATED
        assert content["/Params"]["/ModDate"] == CREATED
        assert content["/Params"]["/Size"] == len(content.get_data())
    named = root["/Names"]["/EmbeddedFiles"].get_object()["/Names"][1::2]
    assert [each.idnum for each in named] == [each.idnum for each in root["/AF"]]


def test_nothing_runs_and_nothing_is_fetched(reader: PdfReader) -> None:
    for each in objects(reader):
        assert not FORBIDDEN & set(each)
        assert str(each.get("/S")) not in FORBIDDEN
        if each.get("/Type") == "/Filespec":
            assert "/EF" in each
        assert "/F" not in each or not isinstance(each["/F"], dict) or "/FFilter" not in each
    kinds = {str(each["/Subtype"]) for each in objects(reader) if each.get("/Type") == "/Annot"}
    assert kinds <= {"/Link"}


def test_no_address_but_those_of_the_format(file: Path, reader: PdfReader) -> None:
    found = set(re.findall(rb"https?://[\w.]+", file.read_bytes()))
    for each in objects(reader):
        if hasattr(each, "get_data") and each.get("/Subtype") not in ("/Image",):
            found |= set(re.findall(rb"https?://[\w.]+", each.get_data()))
    hosts = {
        b"http://www.w3.org",
        b"http://purl.org",
        b"http://ns.adobe.com",
        b"http://www.aiim.org",
    }
    assert found <= hosts | {b"http://www.adobe.com"}


ENVIRONMENTS = (
    {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "0"},
    {"LC_ALL": "pt_PT.UTF-8", "LANGUAGE": "pt", "TZ": "America/New_York", "PYTHONHASHSEED": "1"},
    {
        "LC_ALL": "zh_TW.BIG5",
        "LANGUAGE": "zh_TW:ja",
        "TZ": "Asia/Kathmandu",
        "PYTHONHASHSEED": "42",
    },
)


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The locales of the environments, made here where the machine has what they are made of."""
    folder = tmp_path_factory.mktemp("locales")
    for name in ("pt_PT.UTF-8", "zh_TW.BIG5"):
        place, _, charset = name.partition(".")
        if shutil.which("localedef") and Path("/usr/share/i18n/locales", place).exists():
            made = ["localedef", "-i", place, "-f", charset, str(folder / name)]
            subprocess.run(made, check=True, capture_output=True)
    return {"LOCPATH": str(folder)} if any(folder.iterdir()) else {}


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda each: each["LC_ALL"])
def test_the_bytes_are_the_same_anywhere(
    environment: dict[str, str], locales: dict[str, str], case: Path, chinese: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere.pdf"
    command = [sys.executable, "-m", "audit", "report", str(case), "-o", str(other)]
    kept = {k: v for k, v in os.environ.items() if k != "SOURCE_DATE_EPOCH"}
    subprocess.run(
        [*command, "--lang", "zh-Hant"],
        check=True, env={**kept, **environment, **locales}, cwd=Path(__file__).parents[1],
    )  # fmt: skip
    assert other.read_bytes() == chinese.read_bytes()


def test_links_stay_within_the_file(reader: PdfReader) -> None:
    names = reader.named_destinations
    links = [each for each in objects(reader) if each.get("/Subtype") == "/Link"]
    assert links
    for link in links:
        assert isinstance(link["/Dest"], (str, IndirectObject, list))
        assert not isinstance(link["/Dest"], str) or link["/Dest"] in names


def test_what_makes_a_report_quick_changes_no_byte(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = render_report(case, tmp_path / "quick.pdf").read_bytes()
    monkeypatch.setattr(layout, "quickly", nullcontext)
    assert render_report(case, tmp_path / "slow.pdf").read_bytes() == quick


def test_a_page_that_is_not_well_formed_is_no_report() -> None:
    when = render.created({"created_at": "2026-01-01T08:00:00+08:00"})
    with pytest.raises(ReportError, match="not well-formed"):
        render.pdf('<html lang="en"><p>a<b></p></html>', {}, [], when)
