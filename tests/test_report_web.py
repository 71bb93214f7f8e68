"""The report as a web page: the PDF's words, nothing beside it, nothing run, nothing fetched."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from audit.errors import OptionError
from audit.pipeline import Job, run_audit
from audit.report import render, render_html, web
from audit.report.attach import write_findings
from audit.report.context import facts
from audit.report.words import HTML_LANG, LANGS, words
from tests.support import complete, hands

MOMENT = "1767225600"
"""2026-01-01 00:00 UTC."""

PROGRAM = Path(sys.executable).with_name("baccarat-audit")


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Draw errors and a wrong tie in one shoe, a bet paid too much, an unreadable card."""
    folder = tmp_path_factory.mktemp("web")
    log = folder / "log"
    log.mkdir()
    good, bad = "KS 7H / 9D KC / banker", "KS 2H / 3D 4C / banker"
    rounds = hands("outcome:", *[good] * 4, *[bad] * 5, "KS 7H / KD 7C / banker", "=ZZ / 9D KC /")
    (log / "rounds.csv").write_text(complete("rounds.csv", rounds), encoding="utf-8")
    bets = "round_no,currency,bet,paid\n1,MOP,banker,250\n5,MOP,banker,195\n5,HKD,player,0\n"
    (log / "bets.csv").write_text(complete("bets.csv", bets), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", MOMENT)
        run_audit(Job(log=[log], case=folder / "case"))
    return folder / "case"


@pytest.fixture(scope="module")
def file(case: Path) -> Path:
    return render_html(case, case.parent / "report.html", lang=LANGS)


@pytest.fixture(scope="module")
def source(file: Path) -> str:
    return file.read_text(encoding="utf-8")


class Elements(HTMLParser):
    """Every start tag of a page with its attributes, and its text by the tag that it is in."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def named(self, *names: str) -> list[dict[str, str]]:
        return [attrs for tag, attrs in self.tags if tag in names]


@pytest.fixture(scope="module")
def page(source: str) -> Elements:
    return Elements(source)


def said(source: str) -> str:
    """What a page says: its text without markup, drawings as their names."""
    text = re.sub(r'<svg[^>]*><title>([^<]*)</title>.*?</svg>|<img [^>]*alt="([^"]*)"/?>',
                  lambda match: f" {match[1] or match[2]} ", source, flags=re.DOTALL)  # fmt: skip
    text = re.sub(r"<(head|style)\b.*?</\1>|<nav class=\"bar\".*?</nav>", "", text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


@pytest.mark.parametrize("kind", ["inspection", "self-check"])
@pytest.mark.parametrize("lang", LANGS)
def test_it_says_what_the_pdf_says_in_the_same_order(lang: str, kind: str, case: Path) -> None:
    content = facts(case)
    paper, _ = render.html(content, [lang], kind)
    shown = web.page(content, [lang], kind, [])
    foot = f"{words(lang).ui('attached_file')} case-{content['case_id']}.zip"
    assert len(said(paper)) > 5_000
    assert said(shown) == f"{said(paper)} {foot}"
    # Hands are read aloud as the PDF has them read aloud.
    spoken = re.findall(r'<article class="h" title="([^"]*)"', paper)
    assert spoken
    assert re.findall(r'class="h" role="img" aria-label="([^"]*)"', shown) == spoken


def test_it_needs_nothing_and_runs_nothing(page: Elements, source: str) -> None:
    assert source.encode().startswith(web.BEGINS)
    (policy,) = [each["content"] for each in page.named("meta") if "http-equiv" in each]
    assert policy.startswith("default-src 'none'; ")
    assert "script" not in policy
    assert not page.named("script", "iframe", "object", "embed", "form", "img", "base", "audio")
    assert [each["href"] for each in page.named("link")] == ["data:,"]
    for tag, attrs in page.tags:
        assert not any(name.startswith("on") for name in attrs), tag
        for name in ("href", "src", "action", "xlink:href"):
            assert attrs.get(name, "#").startswith(("#", "data:")), attrs
    (style,) = re.findall(r"<style>(.*?)</style>", source, flags=re.DOTALL)
    assert "@import" not in style
    addresses = re.findall(r"url\(([^)]{0,40})", style)
    assert [each.split(";")[0] for each in addresses] == ["data:font/ttf", "data:font/woff"]
    assert "asset:" not in source


def test_it_carries_the_findings_and_the_manifest(case: Path, page: Elements) -> None:
    (link,) = [each for each in page.named("a") if "download" in each]
    kind, _, packed = link["href"].partition(",")
    assert kind == "data:application/zip;base64"
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(packed))) as archive:
        assert archive.namelist() == ["findings.csv", "manifest.json"]
        assert {entry.date_time for entry in archive.infolist()} == {(2026, 1, 1, 0, 0, 0)}
        write_findings(case, case.parent / "findings.csv")
        assert archive.read("findings.csv") == (case.parent / "findings.csv").read_bytes()
        assert archive.read("manifest.json") == (case / "manifest.json").read_bytes()


def test_a_reader_of_the_structure_finds_the_way(page: Elements) -> None:
    """One heading of the first level a language, no level left out, links and ids that fit."""
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels.count(1) == len(LANGS)
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    targets = [a["href"][1:] for a in page.named("a") if a["href"].startswith("#")]
    assert set(targets) <= set(ids)
    langs = [each["lang"] for each in page.named("div") if "lang" in each]
    assert langs == [HTML_LANG[lang] for lang in LANGS]
    assert page.named("html")[0]["lang"] == langs[0]
    assert len(page.named("main")) == len(page.named("footer")) == 1
    assert len(page.named("nav")) == 2 * len(LANGS)
    assert all(each["role"] in ("table", "presentation") for each in page.named("table"))
    assert all(each["scope"] and each["role"] for each in page.named("th") if "scope" in each)
    assert all(each.get("role") == "img" for each in page.named("svg"))
    labels = {each["data-label"] for each in page.named("td") if "data-label" in each}
    assert {"Audited", "Recorded", "Due by the rules", "已查核", "Rejeitados"} <= labels


def test_lines_that_belong_together_stay_on_one_level(source: str) -> None:
    """Two bets of a round, and what was paid and due for each: four cells of two lines."""
    rows = re.findall(r'<tr[^>]*class="steps [^>]*--lines: 2".*?</tr>', source, flags=re.DOTALL)
    assert len(rows) == len(LANGS)
    for row in rows:
        assert len(re.findall(r'<td [^>]*class="step\b', row)) == 4
        assert row.count("<span>") == 8


def test_the_colours_are_those_of_the_scheme_and_can_be_read(source: str) -> None:
    (style,) = re.findall(r"<style>(.*?)</style>", source, flags=re.DOTALL)
    schemes = re.findall(r":root \{(.*?)\}", style, flags=re.DOTALL)[:2]
    for scheme in schemes:
        colours = dict(re.findall(r"--(\w+): (#\w{6})", scheme))
        for name in ("ink", "muted", "accent", "alarm", "red"):
            for ground in ("paper", "panel"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
        assert contrast(colours["violation"], colours["paper"]) >= 3
    drawn = set(re.findall(r'(fill|stroke)="(#\w+)"', source)) - {("fill", "#fff")}
    assert drawn
    assert all(f'svg [{kind}="{colour}"]' in style for kind, colour in drawn)


def contrast(one: str, other: str) -> float:
    """The ratio of two colours' luminance as WCAG 2 defines it, 1 to 21."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_same_bytes_anywhere_and_without_the_renderer(case: Path, file: Path) -> None:
    script = (
        "import sys; from pathlib import Path; sys.modules['weasyprint'] = None\n"
        "from audit import render_html\n"
        "render_html(Path(sys.argv[1]), Path(sys.argv[2]), lang=['en', 'zh-Hant', 'pt'])"
    )
    other = case.parent / "other.htm"
    environment: dict[str, str] = {
        **os.environ, "PYTHONHASHSEED": "777", "TZ": "America/New_York", "LC_ALL": "C",
    }  # fmt: skip
    environment.pop("SOURCE_DATE_EPOCH", None)
    command = [sys.executable, "-c", script, str(case), str(other)]
    subprocess.run(command, check=True, env=environment, cwd=Path(__file__).parents[1])
    assert other.read_bytes() == file.read_bytes()


def test_an_archive_of_a_time_before_archives(case: Path) -> None:
    attached = web.Attached("manifest.json", "", case / "manifest.json")
    early = render.created({"created_at": "1970-01-01T00:00:00+00:00"})
    with zipfile.ZipFile(io.BytesIO(web.archive([attached], early))) as archive:
        assert archive.infolist()[0].date_time == (1980, 1, 1, 0, 0, 0)


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_the_name_says_the_format_unless_the_option_does(case: Path, tmp_path: Path) -> None:
    shown = tmp_path / "report.HTM"
    done = command("report", case, "-o", shown, "--lang", "pt", "--kind", "self-check")
    assert (done.returncode, done.stdout) == (0, f"Report written to {shown}\n")
    assert "Relatório de verificação interna" in shown.read_text(encoding="utf-8")
    for arguments, sentence in (
        (
            ["x.html", "--format", "pdf"],
            "of the kind PDF, and its name says another. Name it x.pdf",
        ),
        (["x.pdf", "--format", "html"], "of the kind HTML, and its name says another."),
        (["x.html", "--sign", "c.p12", "--sign-visible"], "--sign: only the PDF can be signed."),
    ):
        name, *options = arguments
        done = command("report", case, "-o", tmp_path / name, *options)
        assert (done.returncode, done.stdout) == (2, "")
        (line,) = done.stderr.splitlines()
        assert sentence in line
    assert [path.name for path in tmp_path.iterdir()] == ["report.HTM"]


def test_run_renders_it_too(tmp_path: Path) -> None:
    (tmp_path / "rounds.csv").write_text(complete("rounds.csv", hands("KS 7H / 9D KC")))
    arguments = ["run", tmp_path / "rounds.csv", "--case", tmp_path / "case", "--format", "json"]
    done = command(*arguments, "--report", tmp_path / "r.html", "--lang", "zh-Hant")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["exit"] == 0
    assert 'lang="zh-Hant-MO"' in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_refusals(case: Path, tmp_path: Path) -> None:
    other = tmp_path / "own.html"
    other.write_text("<!DOCTYPE html>\n<title>mine</title>")
    refused: list[tuple[Path, dict[str, Any], str]] = [
        (other, {}, "something else"),
        (tmp_path / "x.html", {"lang": "fr"}, "zh-Hant"),
        (tmp_path / "x.html", {"kind": "other"}, "self-check"),
    ]
    for out, options, sentence in refused:
        with pytest.raises(OptionError, match=sentence):
            render_html(case, out, **options)
    assert other.read_text().endswith("<title>mine</title>")
    assert [path.name for path in tmp_path.iterdir()] == ["own.html"]
