"""``explain``: complete in three languages, in the house style, and with examples that are true."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from audit.checks import CHECKS, Check
from audit.checks.base import HEADINGS
from audit.cli.app import app
from audit.cli.explain import wrapped
from audit.errors import OptionError, ReportError
from audit.explain import (
    MILDER,
    SECTIONS,
    ExampleTable,
    as_json,
    catalogue,
    cite,
    examples,
    explanation,
    find,
)
from audit.messages import avoided
from audit.paths import data_dir
from audit.report.words import LANGS
from audit.schema import TABLES
from tests.support import run_files
from tests.test_messages import NEW_SPELLING, SIMPLIFIED

CODES = [check.code for check in CHECKS]
BY_CODE = {check.code: check for check in CHECKS}
FOLDER = data_dir("reports") / "explanations"

MORE_TO_KEEP_OUT = {
    "zh-Hant": "行政違法|被[^，。；]{0,12}所|閑|服務員|帳戶|信息|數據庫",
    "pt": r"jogo do ponto|\bao ponto\b|\bdo ponto\b|aplicáve|registr|contato|equipe\b|planilh",
    "en": r"penalt|offence|infring|guilty|please",
}


def run(*arguments: str, columns: int = 80) -> str:
    result = CliRunner().invoke(app, list(arguments), env={"COLUMNS": str(columns)})
    if result.exception is not None:
        raise result.exception
    return result.stdout


# Complete


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("code", CODES)
def test_every_check_is_explained_in_every_language(code: str, lang: str) -> None:
    one = explanation(BY_CODE[code], lang)
    assert tuple(one.sections) == SECTIONS
    for text in (one.title, *one.sections.values(), *one.fix):
        assert text == text.strip() != ""
    assert not one.title.endswith((".", "。"))
    stop = "。" if lang == "zh-Hant" else "."
    for text in (*one.sections.values(), *one.fix):
        assert text.endswith(stop), text
    assert bool(one.citation) == code.startswith("A")


@pytest.mark.parametrize("lang", [lang for lang in LANGS if lang != "en"])
def test_the_same_keys_for_every_code(lang: str) -> None:
    texts = catalogue(lang)
    assert texts.keys() == {"heading", "ui", "title", *SECTIONS, "how_to_fix"}
    for key in ("title", *SECTIONS, "how_to_fix"):
        assert list(texts[key]) == CODES
    for key in ("heading", "ui"):
        assert texts[key].keys() == catalogue("en")[key].keys()


def test_english_has_the_headings_of_the_docstrings() -> None:
    assert [catalogue("en")["heading"][key] for key in SECTIONS] == list(HEADINGS)


REFERENCE = re.compile(r"A\d{4}|(?<![A-Za-z])L\d{2}|--[a-z-]+")


@pytest.mark.parametrize("lang", [lang for lang in LANGS if lang != "en"])
@pytest.mark.parametrize("code", CODES)
def test_translations_refer_to_what_the_english_does(code: str, lang: str) -> None:
    here, english = explanation(BY_CODE[code], lang), explanation(BY_CODE[code])
    for key in SECTIONS:
        found, wanted = (set(REFERENCE.findall(one.sections[key])) for one in (here, english))
        assert found == wanted, key
    columns = re.compile(r"[a-z]+(?:[_.][a-z_]+)+|--[a-z-]+")
    fixes = [set(columns.findall(" ".join(one.fix))) for one in (here, english)]
    assert fixes[0] == fixes[1]
    assert len(here.fix) == len(english.fix)


def test_every_name_in_a_fix_exists() -> None:
    known = {column.name for table in TABLES for column in table.columns} | {"shoe_key"}
    for code in CODES:
        for name in re.findall(r"\b[a-z]+_[a-z_]+\b", " ".join(explanation(BY_CODE[code]).fix)):
            assert name in known | {table.name for table in TABLES}, (code, name)
        for code_named in re.findall(r"A\d{4}|\bL\d{2}", " ".join(explanation(BY_CODE[code]).fix)):
            assert code_named in CODES


def test_milder_names_the_checks_whose_severity_varies() -> None:
    varying = {
        check.code
        for check in CHECKS
        if any(breach.severity is not None for breach in check.breaches())
    }
    assert MILDER.keys() == varying
    assert explanation(BY_CODE["A0501"]).milder == "warning"


# Style


def prose(lang: str) -> Iterator[tuple[str, str]]:
    for section, entries in catalogue(lang).items():
        for key, value in entries.items():
            for text in value if isinstance(value, list) else [value]:
                yield f"{section}.{key}", text


@pytest.mark.parametrize("lang", LANGS)
def test_words_to_keep_out(lang: str) -> None:
    for pattern in (*avoided(lang).values(), re.compile(MORE_TO_KEEP_OUT[lang], re.IGNORECASE)):
        assert [(key, text) for key, text in prose(lang) if pattern.search(text)] == []


def test_chinese_is_traditional_and_punctuated_as_such() -> None:
    for key, text in prose("zh-Hant"):
        assert not set(text) & set(SIMPLIFIED), key
        assert not re.search(r"[\u4e00-\u9fff][,;:()!?]|[,;:()][\u4e00-\u9fff]", text), key
        assert not re.search(r"[，。；：、）] ", text), key


def test_portuguese_is_that_of_the_gazette() -> None:
    pattern = re.compile(NEW_SPELLING, re.IGNORECASE)
    for key, text in prose("pt"):
        assert [m.group() for m in pattern.finditer(text) if m.group() != "Setembro"] == [], key
        assert not re.search(r"\d \d{3}\b|[“”\"]", text), key
        for found in re.finditer(r"jogador\b|\bbanca\b", text):
            before = text[: found.start()].lower()
            assert before.endswith(("grupo ", "grupos ", "par de ", "banqueiro e ")), (key, text)
        assert "shoe" not in re.sub(r"«[^»]*»|shoes?\.\w+|\(shoes\)|shoe_\w+", "", text), key


@pytest.mark.parametrize("lang", LANGS)
def test_the_house_is_told_of_log_and_practice(lang: str) -> None:
    first = {"en": "In the log: ", "zh-Hant": "記錄方面：", "pt": "No registo: "}[lang]
    second = {"en": "In practice: ", "zh-Hant": "實務方面：", "pt": "Na prática: "}[lang]
    for code in CODES:
        log, *practice = explanation(BY_CODE[code], lang).fix
        assert log.startswith(first)
        assert all(text.startswith(second) for text in practice)
        assert practice or code.startswith("L")


# Examples


ANCHOR = (
    "code", "severity", "article", "basis", "table_id", "shoe_id", "round_no", "bet_id", "subject",
    "amount", "consequence",
)  # fmt: skip


@pytest.mark.parametrize("code", CODES)
def test_the_example_gives_exactly_what_it_says(code: str) -> None:
    example = examples()[code]
    audit = run_files(example.files())
    found = audit.rows(*ANCHOR)
    wanted = [
        (
            one.code, one.severity, one.article, one.basis, one.table, one.shoe, one.round, one.bet,
            one.subject, one.amount, one.consequence,
        )
        for one in example.found
    ]  # fmt: skip
    assert found == wanted
    assert {one.code for one in example.found} == {code}
    for (evidence,), one in zip(audit.rows("evidence"), example.found, strict=True):
        told = {
            key: value for key, value in json.loads(evidence).items() if value not in ("", None)
        }
        assert told == one.evidence
    assert not audit.summary.crashed


@pytest.mark.parametrize("code", CODES)
def test_the_example_is_small_and_its_message_whole(code: str) -> None:
    example = examples()[code]
    assert sum(len(table.rows) for table in example.tables) <= 6
    for lang in LANGS:
        for found in example.found:
            assert not re.search(r"[{}]|None", found.message(lang))


def test_a_row_may_stand_for_several() -> None:
    table = ExampleTable("rounds", ("round_no", "kind"), (("1..3", "play"), ("4", "demo")))
    assert table.spans
    assert table.csv() == "round_no,kind\n1,play\n2,play\n3,play\n4,demo\n"


# The command


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("lang", LANGS)
def test_no_line_is_wider_than_the_terminal(lang: str, columns: int) -> None:
    texts = [run("explain", code, "--lang", lang, columns=columns) for code in CODES]
    for text in [run("explain", "--lang", lang, columns=columns), *texts]:
        assert max(cell_len(line) for line in text.splitlines()) <= columns
        assert "…" not in text
        assert not re.search(r"^\s*[，。；：、）]", text, re.MULTILINE)


def test_text_has_every_part() -> None:
    text = run("explain", "a0901")
    for part in (
        "A0901  Player must draw",
        "art.\xa09(1) – apparent violation",
        "What it checks",
        "2S 3H",
    ):
        assert part in text
    assert "Had the rules been followed, Player would have won." in text
    chinese = run("explain", "A0501", "--lang", "zh-Hant")
    assert "第五條 · 疑似違規或警示" in chinese
    assert "記錄所載閒家為8點，按牌面計算應為7點" in chinese
    assert "integrity" in run("explain", "L03").lower()
    assert "art. 17.º, n.º 6" in run("explain", "A1711", "--lang", "pt").replace("\xa0", " ")


def test_several_are_listed() -> None:
    listed = run("explain", "A09")
    assert [line.split()[0] for line in listed.splitlines() if line.startswith("A")] == [
        code for code in CODES if code.startswith("A09")
    ]
    assert run("explain", "-q").count("\n") == len(CODES)
    assert run("explain", "L10", "-q", "--lang", "zh-Hant") == "L10  投注額為零或負數\n"


def test_json() -> None:
    (one,) = json.loads(run("explain", "A1701", "--format", "json", "--lang", "pt"))
    assert one == json.loads(json.dumps(as_json(explanation(BY_CODE["A1701"], "pt"))))
    assert one["worked_example"]["log"]["bets"] == [{"bet": "tie", "stake": "100", "paid": "800"}]
    (finding,) = one["worked_example"]["findings"]
    assert (finding["amount"], finding["message"][:12]) == ("-100", "Pago a menos")
    assert len(json.loads(run("explain", "--format", "json"))) == len(CODES)


def test_an_unknown_code_names_the_nearest() -> None:
    with pytest.raises(OptionError, match="The nearest is 'A0901'"):
        find("A09O1")
    with pytest.raises(OptionError, match="lists the codes"):
        find("ZZ")
    with pytest.raises(OptionError, match="zh-Hant"):
        catalogue("fr")


@pytest.mark.parametrize(
    ("article", "english"), [("17(4)-(6)", "art. 17(4), art. 17(5), art. 17(6)"), ("", "")]
)
def test_citing_a_range(article: str, english: str) -> None:
    assert cite(article, "en").replace("\xa0", " ") == english


def test_wrapping() -> None:
    assert wrapped("閒家必須增牌，而未增牌。", 12) == ["閒家必須增", "牌，而未增", "牌。"]
    assert wrapped("見（kind）欄", 8) == ["見", "（kind）", "欄"]
    assert wrapped("one two  three", 8) == ["one two", "three"]
    assert wrapped("1\xa0300 a", 5) == ["1\xa0300", "a"]
    assert wrapped("", 10) == []
    assert wrapped("a baralhador-distribuidor b", 12) == ["a", "baralhador-", "distribuidor", "b"]
    assert wrapped("13(1)(4)(2)(iii)", 12) == ["13(1)(4)(2)", "(iii)"]
    assert wrapped("abcdefgh", 3) == ["abc", "def", "gh"]


# Refusals


def spoilt(tmp_path: Path, name: str, before: str, after: str) -> Path:
    for file in FOLDER.iterdir():
        (tmp_path / file.name).write_text(file.read_text("utf-8"), "utf-8")
    text = (tmp_path / name).read_text("utf-8")
    assert text.count(before) >= 1
    (tmp_path / name).write_text(text.replace(before, after, 1), "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("[title]\nA0101", "[title]\nA0102", "pt.toml, title: unknown key 'A0102'"),
        ("[ui]", "[uj]", "unknown key 'uj'"),
        ("[title]\n", "[title]\nA9 = [", "not valid TOML"),
        ("fires_when = ", "fires = ", "unknown key 'fires'.*nearest is 'fires_when'"),
        ('[title]\nA0101 = "', '[title]\nA0101 = ""\n#', "pt.toml, title.A0101: this is not text"),
        ("[how_to_fix]\nA0101 = ", "[how_to_fix]\nA0101 = []\n#", "how_to_fix.A0101"),
    ],
)
def test_a_wrong_catalogue_is_refused(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    folder = spoilt(tmp_path, "pt.toml", before, after)
    with pytest.raises(ReportError, match=message):
        catalogue("pt", folder)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("[A0101]", "[A0102]", "unknown key 'A0102'"),
        ("shoes = ", "boots = ", "A0101.boots: this is no table"),
        ('"shoe_id,decks"', '"shoe_id,packs"', "no column 'packs'"),
        ('"14,5"', '"14,5,6"', "as long as the header"),
        ("found = [{ shoe", "found = [{ boot", "unknown key 'boot'"),
        ("round = 1, evidence", 'code = "A0201", round = 1, evidence', "gives no A0101"),
        ("round = 1, evidence", "evidence", "no round"),
        ("round = 1, evidence", 'code = "A9999", round = 1, evidence', "names no check"),
    ],
)
def test_a_wrong_example_is_refused(tmp_path: Path, before: str, after: str, message: str) -> None:
    folder = spoilt(tmp_path, "examples.toml", before, after)
    with pytest.raises(ReportError, match=message):
        examples(folder)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="cannot be read"):
        catalogue("pt", tmp_path)


def test_find_takes_codes_and_prefixes() -> None:
    found: Any = find("a0901")
    assert [type(one) for one in found] == [Check]
    assert find("") == CHECKS
