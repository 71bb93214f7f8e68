"""The report: what it says, that a log cannot break it, that the same case gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from audit.cli.app import app
from audit.errors import AuditError, OptionError, ReportError
from audit.pipeline import Job, run_audit
from audit.report import charts, draw, layout, render, render_report, roads
from audit.report.annexes import Annexes
from audit.report.attach import write_findings
from audit.report.context import facts
from audit.report.words import LANGS, words
from audit.roads import Outcome

MOMENT = "1767225600"
"""2026-01-01 08:00 in Macau."""

HEAD = "casino,table_id,shoe_id,round_no,started_at,player_cards,banker_cards,outcome,commission"
BETS = "casino,table_id,shoe_id,round_no,currency,bet,stake,paid"
HOSTILE = "<b>T&1</b> =1+1 \x1b[31m\u202e {d} \U0001f600" + "x" * 90


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def log(folder: Path, *, table: str = "T1", casino: str = "Lotus", draws: int = 1) -> Path:
    """Clean rounds, then ``draws`` in which Player wrongly stood, a wrong payout, a bad row."""
    folder.mkdir(parents=True)
    place = f"{quoted(casino)},{quoted(table)},S1"
    rounds, bets = [HEAD], [BETS]
    for n in range(1, 6 + draws):
        cards = "KS 7H,9D KC,banker" if n < 6 else "KS 2H,3D 4C,banker"
        rounds.append(f"{place},{n},2007-07-01 12:{n % 60:02d}:00,{cards},commission")
        paid = 200 if n == 3 else 195
        bets.append(f"{place},{n},MOP,banker,100,{paid}")
    rounds.append(f"{place},900,2007-07-01 18:00:00,=ZZ,9D KC,banker,commission")
    (folder / "rounds.csv").write_text("\n".join(rounds) + "\n", encoding="utf-8")
    (folder / "bets.csv").write_text("\n".join(bets) + "\n", encoding="utf-8")
    return folder


def case_of(folder: Path, **options: Any) -> Path:
    run_audit(Job(log=[log(folder / "log", **options)], case=folder / "case"))
    return folder / "case"


@pytest.fixture(scope="module", autouse=True)
def pinned() -> Iterator[None]:
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = MOMENT
    yield
    if before is None:
        del os.environ["SOURCE_DATE_EPOCH"]
    else:
        os.environ["SOURCE_DATE_EPOCH"] = before


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return case_of(tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return case_of(tmp_path_factory.mktemp("hostile"), table=HOSTILE, casino="<i>C</i>")


def text_of(file: Path) -> str:
    joined = "\n".join(page.extract_text() for page in PdfReader(file).pages)
    return " ".join(joined.replace("\u00a0", " ").split())


SAID = {
    "en": [
        "Inspection report", "2 apparent violations were found, in 2 rounds at one table.",
        "Page 1 of",
        "One record was rejected and not audited (Annex E).", "As dealt", "By the rules",
        "Player had to draw on a total of 2 and did not (art. 9(1)).", "Overpaid", "MOP 5.00",
        "result undetermined", "1 January 2026",
        "Every record read is accounted for.",
        "The 5% commission on the Banker winnings was not charged (art. 18(1)).",
    ],
    "zh-Hant": [
        "監察查核報告", "共發現疑似違規2項，涉及1張博彩桌共2局。", "第1頁，共",
        "閒家兩牌合計2點，必須增牌而未增牌（第九條（一）項）。", "多付", "2026年1月1日於澳門",
        "所有讀取的記錄均已計入，並無遺漏。",
        "場方未就莊家贏得的款項抽取5%佣金（第十八條第一款）。",
    ],
    "pt": [
        "Relatório de inspecção", "Foram detectados 2 casos de incumprimento aparente, em",
        "Página 1 de", "o grupo jogador, com 2 pontos, devia ter recebido carta adicional",
        "Macau, 1 de Janeiro de 2026", "Não foi cobrada a comissão de 5% sobre os ganhos",
    ],
}  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
def test_the_report_says_it_in_each_language(lang: str, case: Path, tmp_path: Path) -> None:
    file = render_report(case, tmp_path / "report.pdf", lang=lang)
    said = text_of(file)
    for sentence in SAID[lang]:
        assert sentence in said, sentence
    assert "{" not in said.replace('{"', "")
    reader = PdfReader(file)
    assert reader.metadata is not None
    assert words(lang).ui("kind_inspection") in str(reader.metadata.title)
    assert reader.trailer["/Root"]["/Lang"] == {"zh-Hant": "zh-Hant-MO", "pt": "pt-PT"}.get(
        lang, lang
    )
    assert len(reader.outline) >= 3
    assert reader.metadata.get("/CreationDate") == "D:20260101080000+08'00"


def test_one_file_can_hold_several_languages(case: Path, tmp_path: Path) -> None:
    file = render_report(
        case, tmp_path / "all.pdf", lang=["pt", "zh-Hant", "en"], kind="self-check"
    )
    said = text_of(file)
    for title in ("Relatório de verificação interna", "自行查核報告", "Self-check report"):
        assert title in said


def test_only_our_typeface_is_embedded_and_all_of_it_is(case: Path, tmp_path: Path) -> None:
    reader = PdfReader(render_report(case, tmp_path / "report.pdf", lang="zh-Hant"))
    names = set()
    for page in reader.pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            names.add(str(inner["/BaseFont"]).split("+")[1])
            embedded = {"/FontFile2", "/FontFile3"} & set(inner["/FontDescriptor"].get_object())
            assert embedded, names
    assert names == {"Audit", "Cards"}


def test_it_is_an_archival_tagged_file_with_its_evidence(case: Path, tmp_path: Path) -> None:
    reader = PdfReader(render_report(case, tmp_path / "report.pdf"))
    root = reader.trailer["/Root"]
    assert "/StructTreeRoot" in root
    assert b'pdfaid:part="3"' in root["/Metadata"].get_object().get_data()
    attached = {name: content[0] for name, content in reader.attachments.items()}
    assert set(attached) == {"findings.csv", "manifest.json"}
    assert attached["manifest.json"] == (case / "manifest.json").read_bytes()
    write_findings(case, tmp_path / "findings.csv")
    assert attached["findings.csv"] == (tmp_path / "findings.csv").read_bytes()
    manifest = hashlib.sha256(attached["manifest.json"]).hexdigest()
    assert manifest in text_of(tmp_path / "report.pdf").replace(" ", "")


def test_the_calendar_of_working_days_is_named(case: Path, tmp_path: Path) -> None:
    calendar = json.loads((case / "manifest.json").read_text(encoding="utf-8"))["calendar"]
    assert calendar.startswith("holidays ")
    said = text_of(render_report(case, tmp_path / "report.pdf"))
    assert "".join(calendar.split()) in "".join(said.split())


def test_the_same_case_gives_the_same_bytes_in_another_process(case: Path, tmp_path: Path) -> None:
    ours = render_report(case, tmp_path / "ours.pdf", lang="pt").read_bytes()
    script = (
        "import sys; from pathlib import Path; from audit.report import render_report;"
        "render_report(Path(sys.argv[1]), Path(sys.argv[2]), lang='pt')"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "TZ": "America/New_York"}
    del environment["SOURCE_DATE_EPOCH"]
    command = [sys.executable, "-c", script, str(case), str(tmp_path / "theirs.pdf")]
    subprocess.run(command, check=True, env=environment, cwd=Path(__file__).parents[1])
    assert (tmp_path / "theirs.pdf").read_bytes() == ours


def test_facts_are_plain_json_and_the_case_is_unchanged(case: Path) -> None:
    before = {path.name: path.read_bytes() for path in case.iterdir()}
    content = facts(case)
    assert json.loads(json.dumps(content)) == content
    assert {path.name: path.read_bytes() for path in case.iterdir()} == before
    codes = [code["code"] for chapter in content["chapters"] for code in chapter["codes"]]
    assert codes == ["A0901", "A1801", "L01"]
    assert [one["key"] for one in content["chapters"]] == ["9", "18", "L"]
    assert content["money"][0]["overpaid"] == "5.000000"


def test_pages_do_not_grow_with_findings(tmp_path: Path) -> None:
    many = facts(case_of(tmp_path / "many", draws=200))
    code = many["chapters"][0]["codes"][0]
    assert (code["n"], len(code["shown"]), code["more"]) == (200, 20, 180)
    few = facts(tmp_path / "many" / "case", worst=3)
    assert len(few["chapters"][0]["codes"][0]["shown"]) == 3
    assert "20 most serious of 200" in render.html(many, ["en"], "inspection")[0]


def test_a_log_of_many_names_stays_on_its_pages(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    folder.mkdir()
    rounds, bets = [HEAD], [BETS]
    for n in range(1, 61):
        place = f"Casino number {n} of many,T{n},S1,1"
        rounds.append(f"{place},2007-07-01 12:00:00,KS 7H,9D KC,banker,commission")
        bets.append(f"{place},CUR{n},banker,100,200")
    (folder / "rounds.csv").write_text("\n".join(rounds))
    (folder / "bets.csv").write_text("\n".join(bets))
    run_audit(Job(log=[folder], case=tmp_path / "case"))
    content = facts(tmp_path / "case")
    assert (len(content["money"]), content["more_currencies"]) == (4, 56)
    source, _ = render.html(content, ["en"], "inspection")
    assert "Casino number 23 of many" not in source.split("Contents")[0]
    assert source.count("CUR") < 150


def test_log_text_is_data(hostile: Path, tmp_path: Path) -> None:
    source, drawings = render.html(facts(hostile), ["en"], "inspection")
    assert "<b>T" not in source
    assert "<i>C" not in source
    assert "&lt;b&gt;T&amp;1" in source
    assert "\x1b" not in source
    assert "‹U+001B›[31m‹U+202E› {d}" in source
    assert "[31m‹U+202E› {d} ‹U+1F600›xxxxx" in source
    for drawing in drawings.values():
        ElementTree.fromstring(drawing)
    said = text_of(render_report(hostile, tmp_path / "report.pdf"))
    assert "<b>T&1</b> =1+1" in said


def test_no_cell_of_the_attached_table_is_a_formula(tmp_path: Path) -> None:
    folder = case_of(tmp_path, table='=HYPERLINK("http://x")', casino="@C")
    write_findings(folder, tmp_path / "findings.csv")
    lines = (tmp_path / "findings.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4
    assert "'=HYPERLINK" in lines[1]
    assert ",'@C," in lines[1]
    assert "'=ZZ" in "\n".join(lines)


def test_the_renderer_fetches_nothing_but_its_own(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"x")
    when = render.created({"created_at": "2026-01-01T08:00:00+08:00"})
    for url in (secret.as_uri(), "http://127.0.0.1:9/x.png", "asset:drawing/9.svg", "data:,x"):
        with pytest.raises(ReportError, match="may not fetch"):
            render.pdf(f'<html lang="en"><img src="{url}" alt="x"/></html>', {}, [], when)


@pytest.mark.parametrize("kind", ["pango", "subset"])
def test_missing_libraries_are_named_with_their_remedy(
    kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(name: str) -> ModuleType:
        if kind == "pango":
            print("a page of advice")
            raise OSError("cannot load library 'libpango-1.0-0'\nand more")
        module = ModuleType(name)
        module.harfbuzz_subset = None  # type: ignore[attr-defined]
        return module

    monkeypatch.setattr(layout, "import_module", load)
    monkeypatch.setattr(layout.sys, "platform", "linux")
    with pytest.raises(ReportError) as raised:
        layout.renderer()
    assert raised.value.hint.endswith(
        "apt-get install -y libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
    )
    assert "\n" not in raised.value.sentence()
    assert capsys.readouterr().out == ""


def test_refusals(case: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="zh-Hant"):
        render_report(case, tmp_path / "x.pdf", lang="fr")
    with pytest.raises(OptionError, match="once"):
        render_report(case, tmp_path / "x.pdf", lang=["en", "en"])
    with pytest.raises(OptionError, match="self-check"):
        render_report(case, tmp_path / "x.pdf", kind="other")
    with pytest.raises(AuditError, match="case"):
        render_report(tmp_path, tmp_path / "x.pdf")
    with pytest.raises(AuditError):
        render_report(case, tmp_path / "none" / "x.pdf")
    assert list(tmp_path.iterdir()) == []


def test_the_command(case: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    arguments = ["report", str(case), "-o", str(file), "--lang", "pt,en", "--kind", "self-check"]
    result = CliRunner().invoke(app, arguments)
    assert (result.exit_code, result.output) == (0, f"Report written to {file}\n")
    assert file.read_bytes()[:5] == b"%PDF-"


def test_a_clean_case_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    folder.mkdir()
    row = "Lotus,T1,S1,1,2007-07-01 12:00:00,KS 7H,9D KC,banker,commission"
    (folder / "rounds.csv").write_text(f"{HEAD}\n{row}\n")
    run_audit(Job(log=[folder], case=tmp_path / "case"))
    content = facts(tmp_path / "case")
    show = Annexes(words("en"), content, {})
    # Without tables of shoes and limits some checks were not applied, and the cover says so.
    assert show.tone == "reserved"
    said = text_of(render_report(tmp_path / "case", tmp_path / "clean.pdf"))
    assert "No apparent violation was found in the records examined, subject to the" in said
    assert "checks could not be applied at all, for want of data (Annex C)." in said
    content["limits"] = dict.fromkeys(content["limits"], 0)
    show = Annexes(words("en"), content, {})
    assert show.verdict == ["No apparent violation was found in the records examined."]
    assert show.tone == "clean"
    content["checks"][0]["state"] = "crashed"
    broken = Annexes(words("en"), content, {})
    assert broken.tone == "found"
    assert "no conclusion" in broken.verdict[0]


def test_singular_and_plural_of_the_conclusion(case: Path) -> None:
    content = facts(case)
    for reach, sentence in (
        ({"n": 1, "rounds": 1, "tables": 1}, "1 apparent violation was found, in one round."),
        ({"n": 3, "rounds": 0, "tables": 1}, "3 apparent violations were found."),
        (
            {"n": 1200, "rounds": 1, "tables": 2},
            "1,200 apparent violations were found, in one round at 2 tables.",
        ),
    ):
        content["reach"] = reach
        assert Annexes(words("en"), content, {}).verdict[0] == sentence


def test_hands_are_drawn_whatever_the_cards() -> None:
    player = draw.Hand("閒", ("KS", "10h", "<x>", "", "9p"), "4", owed=True)
    drawing = draw.hands(player, draw.Hand("B", (), ""), 'a "title" <&')
    root = ElementTree.fromstring(drawing)
    assert root[0].text == 'a "title" <&'
    assert "nan" not in drawing


def test_the_big_road_turns_and_counts_ties() -> None:
    def mark(number: int, outcome: Outcome) -> roads.Mark:
        return roads.Mark(number, outcome, flagged=number == 1)

    outcomes: list[Outcome] = ["tie", *["banker"] * 8, None, "player", "tie"]
    marks = [mark(number, outcome) for number, outcome in enumerate(outcomes, 1)]
    road = roads.big_road(marks, "road")
    assert road.count("-3 0z") == 9
    assert road.count("h-4.3z") == 1
    assert roads.bead_plate(marks, "plate").count("-3.5 0z") == 9
    assert ElementTree.fromstring(roads.bead_plate([], "empty")) is not None


def test_charts_gather_days_and_keep_every_finding() -> None:
    first = date(2007, 1, 1)
    days = {first + timedelta(days=n): {"violation": n % 3} for n in range(0, 900, 7)}
    length, bars = charts.bins(days, 40)
    assert length == 28
    assert len(bars) <= 40
    assert sum(bar.total for bar in bars) == sum(one["violation"] for one in days.values())
    assert charts.bins({}) == (1, [])
    assert charts.nice_ceiling(9) == 10
    assert charts.nice_ceiling(1) == 1
    for drawing in (charts.by_day(bars, "t"), charts.lying(bars[:3], "<t>")):
        ElementTree.fromstring(drawing)
