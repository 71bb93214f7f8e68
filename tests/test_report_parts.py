"""A long report is drawn in parts by several processes: the file is as good as one in one piece."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from audit.errors import ReportError
from audit.report import cut, part, render, render_report
from audit.report.context import facts
from audit.report.numbers import Counted, Numbers, numbers
from tests.test_report_archival import (  # noqa: F401 - the same is asked of a file of parts
    LANGUAGES,
    case,
    elements,
    objects,
    reader,
    root,
    test_attachments_say_what_they_are,
    test_bookmarks_lead_to_pages,
    test_colours_are_defined,
    test_every_font_is_embedded_and_can_be_read_back,
    test_figures_have_a_text_and_a_place_on_their_page,
    test_hands_can_be_read_aloud_and_copied,
    test_it_is_tagged_and_in_three_languages,
    test_it_says_what_it_is,
    test_links_stay_within_the_file,
    test_nothing_runs_and_nothing_is_fetched,
)

WHEN = render.created({"created_at": "2026-01-01T08:00:00+08:00"})
PAGE_OF = re.compile(r"Page (\d+) of (\d+)")


@pytest.fixture(scope="module")
def file(case: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """The report in three languages, cut into four parts."""
    with pytest.MonkeyPatch.context() as patch:
        size = len(render.html(facts(case), LANGUAGES, "inspection")[0])
        patch.setattr(cut, "SHORT", 0)
        patch.setattr(cut, "PART", size // 4 + 1)
        return render_report(case, tmp_path_factory.mktemp("p") / "report.pdf", lang=LANGUAGES)


@pytest.fixture(scope="module")
def source(case: Path) -> tuple[str, dict[str, bytes]]:  # noqa: F811
    return render.html(facts(case), ["en"], "inspection")


def everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a report cut at each place where it can be."""
    monkeypatch.setattr(cut, "SHORT", 0)
    monkeypatch.setattr(cut, "PART", 500)


def pages(made: bytes, file: Path) -> list[str]:
    file.write_bytes(made)
    return [page.extract_text() for page in PdfReader(file, strict=True).pages]


def test_each_page_is_as_in_a_file_of_one_piece(
    source: tuple[str, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    html, drawings = source
    breaks = (
        "<style>.chapter + .chapter, .annexes { break-before: page }"
        " .chapter + .chapter > h2, .annexes > h1 { margin-top: 0 }</style></head>"
    )
    whole = pages(
        render.pdf(html.replace("</head>", breaks), drawings, [], WHEN)[0], tmp_path / "1.pdf"
    )
    everywhere(monkeypatch)
    assert len(cut.cut(html)) == 4
    made = render.pdf(html, drawings, [], WHEN)[0]
    assert pages(made, tmp_path / "2.pdf") == whole
    assert render.pdf(html, drawings, [], WHEN)[0] == made


def test_numbers_run_through_all_parts(reader: PdfReader) -> None:  # noqa: F811
    texts = [page.extract_text() for page in reader.pages]
    total = len(texts)
    numbered = {n: PAGE_OF.search(text) for n, text in enumerate(texts, 1)}
    english = {n: found.groups() for n, found in numbered.items() if found}
    assert len(english) > 3
    assert all(found == (str(n), str(total)) for n, found in english.items())
    for item in (each for each in reader.outline if isinstance(each, list)):
        cover = reader.get_destination_page_number(item[0]) - 1
        for each in (one for one in item if not isinstance(one, list)):
            page = reader.get_destination_page_number(each) + 1
            if f"{each.title} ." in texts[cover]:
                assert re.search(rf"{re.escape(each.title)}[ .]+{page}\b", texts[cover])


def test_tags_of_all_parts_are_one_tree(reader: PdfReader, root: Any) -> None:  # noqa: F811
    parents = root["/StructTreeRoot"]["/ParentTree"]["/Nums"][::2]
    assert list(parents) == list(range(len(parents)))
    assert [page["/StructParents"] for page in reader.pages] == list(range(len(reader.pages)))
    (document,) = elements(reader, "/Document")
    assert len(document["/K"]) == len(reader.pages)
    fonts = [each for each in objects(reader) if each.get("/Subtype") == "/Type0"]
    assert len(fonts) == 2


def test_a_cut_report_says_all_that_it_said(
    source: tuple[str, dict[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    html, _ = source
    assert cut.cut(html) == [html]

    def said(part: str) -> str:
        body = ElementTree.fromstring(part).find("body")
        assert body is not None
        return "".join("".join(body.itertext()).split())

    everywhere(monkeypatch)
    assert "".join(map(said, cut.cut(html))) == said(html)


def test_anchors_and_numbers_are_those_of_the_whole() -> None:
    parts = [Counted(3, {"a": 1, "b": 3}), Counted(2, {"c": 2, "a": 1})]
    anchors = {"a": 1, "b": 3, "c": 5}
    assert numbers(parts) == [Numbers(0, 5, anchors), Numbers(3, 5, anchors)]


def broken(source: tuple[str, dict[str, bytes]]) -> str:
    return source[0].replace("</body>", '<img src="data:,x" alt="x"/></body>')


def test_what_fails_in_a_part_fails_as_in_the_whole(
    source: tuple[str, dict[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere(monkeypatch)
    with pytest.raises(ReportError, match="may not fetch"):
        render.pdf(broken(source), source[1], [], WHEN)


def test_a_part_that_ends_before_its_time_is_said(
    source: tuple[str, dict[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere(monkeypatch)
    monkeypatch.setattr(part.sys, "executable", shutil.which("false"))
    with pytest.raises(ReportError, match="ended before its time") as raised:
        render.pdf(*source, [], WHEN)
    assert "\n" not in raised.value.sentence()


def test_a_process_whose_caller_is_gone_ends(
    source: tuple[str, dict[str, bytes]], tmp_path: Path
) -> None:
    (tmp_path / "0").write_bytes(pickle.dumps((1, *source)))
    command = [sys.executable, "-m", "audit.report.part", str(tmp_path / "0")]
    left = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (left.returncode, left.stdout, left.stderr) == (1, b"", b"")
    assert [path.name for path in tmp_path.iterdir()] == ["0"]
