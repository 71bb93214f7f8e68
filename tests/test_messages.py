"""The message catalogues: the same keys, the same places, the house style of each language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from audit.checks import CHECKS
from audit.errors import OptionError, ReportError
from audit.messages import avoided
from audit.messages import catalogue as load
from audit.normalise.cells import reason
from audit.paths import data_dir
from audit.report.citations import chinese, citing
from audit.report.words import LANGS, Words, card_text, visible, words
from audit.rulebook import load_rulebook
from audit.schema import OPTIONS, TABLES, Kind

PLACE = re.compile(r"\{(\w+)\}")


def entries(lang: str) -> dict[tuple[str, str], str]:
    found = {}
    for section, values in load(lang).items():
        for key, value in values.items():
            for place, text in enumerate(value if isinstance(value, list) else [value]):
                found[section, f"{key}[{place}]" if isinstance(value, list) else key] = str(text)
    return found


@pytest.mark.parametrize("lang", LANGS)
def test_every_language_has_the_same_keys(lang: str) -> None:
    assert entries(lang).keys() == entries("en").keys()


@pytest.mark.parametrize("lang", LANGS)
def test_every_language_fills_the_same_places(lang: str) -> None:
    english = entries("en")
    for key, text in entries(lang).items():
        if key[1].endswith("_one"):
            assert set(PLACE.findall(text)) | {"n"} == set(PLACE.findall(english[key])) | {"n"}, key
        else:
            assert set(PLACE.findall(text)) == set(PLACE.findall(english[key])), key


@pytest.mark.parametrize("lang", LANGS)
def test_no_entry_is_empty(lang: str) -> None:
    assert [key for key, text in entries(lang).items() if not text.strip()] in (
        [],
        [("ui", "sentence_joint")],
        [("ui", "sentence_joint"), ("ui", "or_joint")],
    )


@pytest.mark.parametrize("lang", LANGS)
def test_every_check_has_a_title_and_a_message(lang: str) -> None:
    sections = load(lang)
    told = {key.split(".")[0] for key in sections["finding"]}
    for check in CHECKS:
        assert check.code in sections["code"]
        assert check.code in told
    assert told <= sections["code"].keys()


@pytest.mark.parametrize("lang", LANGS)
def test_every_word_of_a_log_is_known(lang: str) -> None:
    sections = load(lang)
    tokens = {to for table in TABLES for column in table.columns for _, to in column.words}
    assert tokens - sections["words"].keys() <= set(OPTIONS)
    assert set(OPTIONS) == sections["option"].keys()
    assert {table.name for table in TABLES} <= sections["words"].keys()


@pytest.mark.parametrize("lang", LANGS)
def test_every_reason_and_need_is_known(lang: str) -> None:
    sections = load(lang)
    needs = {need for check in CHECKS for breach in check.breaches() for need in breach.needs}
    tables = {table for check in CHECKS for table in check.tables}
    assert needs | tables <= sections["field"].keys()
    wanted = {kind.value for kind in Kind} - {Kind.WORD.value}
    assert wanted <= sections["wanted"].keys()
    reasons = {reason(column, "?") for table in TABLES for column in table.columns}
    assert reasons <= sections["reject"].keys()


@pytest.mark.parametrize("lang", LANGS)
def test_every_provision_and_reading_is_known(lang: str) -> None:
    spoken, book = words(lang), load_rulebook()
    for key in {key for each in book.sets for key in each.provisions}:
        family = key.partition(".")[0]
        assert spoken.has("provision", family), key
    for each in book.interpretations:
        assert spoken.has("question", each.id)
        assert all(spoken.has("reading", f"{each.id}.{one}") for one in each.readings)


def prose(lang: str) -> Iterator[tuple[str, str]]:
    for (section, key), text in entries(lang).items():
        yield f"{section}.{key}", text


NEW_SPELLING = (
    r"\b(?:direç|inspeç|infraç|correç|adoç|adot|exceç|exceto|respetiv|objet|atual|ato\b|atos\b|fato|"
    r"detetad|ativ|letiv|eletr[óô]nic|diretor|inspetor|redaç|seleç|ação\b|ações\b|exat|setembro\b)"
)
SIMPLIFIED = (
    "闲庄对赔额违规录发现记论间问题东专业两严丧个临为举义买乱争亏亚产亩亲亿仅从仓价众优会伤伦伪体侧侨债倾儿关兴养"
    "军农冯决况冻净减凤凭击则刚创删剂剑剧劝办务动励劲劳势区医华协单卖厂厅历压厌厕县参双变叙叶号叹响园围国图圆圣场"
    "坏块坚坛垫备处复够头夹夺奋奖妇孙学宁宝实审宪宽宾导寿将尔尘层属岁岛币师带帮库应庙废开异张弹强归当彻径态总恶恼"
)


@pytest.mark.parametrize("lang", LANGS)
def test_words_to_keep_out(lang: str) -> None:
    for word, pattern in avoided(lang).items():
        assert [(key, text) for key, text in prose(lang) if pattern.search(text)] == [], word


def test_portuguese_keeps_the_spelling_of_the_gazette() -> None:
    pattern = re.compile(NEW_SPELLING, re.IGNORECASE)
    wrong = [(key, m.group()) for key, text in prose("pt") if (m := pattern.search(text))]
    assert [found for found in wrong if found[1] != "Setembro"] == []


def test_the_terms_say_what_to_write_instead() -> None:
    terms = tomllib.loads((data_dir("reports") / "terms.toml").read_text("utf-8"))
    assert terms["avoid"].keys() == set(LANGS)
    assert all(entry["use"] for words in terms["avoid"].values() for entry in words.values())
    assert all(term.keys() == set(LANGS) for term in terms["words"].values())
    assert terms["words"]["player"]["pt"] == "grupo jogador"


def test_chinese_is_traditional() -> None:
    for key, text in prose("zh-Hant"):
        assert not set(text) & set(SIMPLIFIED), key
    assert not any("閑" in text for _, text in prose("zh-Hant"))


def test_templates_hold_no_wording() -> None:
    for path in (data_dir("reports") / "templates").iterdir():
        text = path.read_text("utf-8")
        for markup in (r"<style>.*</style>", r"\{%.*?%\}", r"\{\{.*?\}\}", r"<[^>]*>", r"&#\d+;"):
            text = re.sub(markup, "", text, flags=re.DOTALL)
        assert set(re.findall(r"\w{2,}", text)) <= {"SHA", "256", "baccarat", "audit"}, path.name


@pytest.mark.parametrize(
    ("article", "english", "chinese_form", "table", "running"),
    [
        ("9(1)", "art. 9(1)", "第九條（一）項", "art. 9.º, al. 1)", "alínea 1) do artigo 9.º"),
        (
            "9(3)(4)", "art. 9(3)(4)", "第九條（三）項（4）分項", "art. 9.º, al. 3), subal. (4)",
            "subalínea (4) da alínea 3) do artigo 9.º",
        ),
        ("18(2)", "art. 18(2)", "第十八條第二款", "art. 18.º, n.º 2", "n.º 2 do artigo 18.º"),
        (
            "13(1)(4)(2)(iii)", "art. 13(1)(4)(2)(iii)", "第十三條第一款（四）項（2）分項iii）",
            "art. 13.º, n.º 1, al. 4), subal. (2), iii)",
            "ponto iii) da subalínea (2) da alínea 4) do n.º 1 do artigo 13.º",
        ),
        ("19", "art. 19", "第十九條", "art. 19.º", "artigo 19.º"),
        (
            "9(2), 10", "art. 9(2), art. 10", "第九條（二）項、第十條",
            "art. 9.º, al. 2); art. 10.º", "alínea 2) do artigo 9.º; artigo 10.º",
        ),
        ("", "", "", "", ""),
        ("Annex <b>", "Annex <b>", "Annex <b>", "Annex <b>", "Annex <b>"),
    ],
)  # fmt: skip
def test_citing(article: str, english: str, chinese_form: str, table: str, running: str) -> None:
    assert citing(article, "en").replace("\u00a0", " ") == english
    assert citing(article, "zh-Hant") == chinese_form
    assert citing(article, "pt").replace("\u00a0", " ") == table
    assert citing(article, "pt", prose=True) == running


def test_chinese_numerals() -> None:
    assert [chinese(n) for n in (1, 9, 10, 11, 19, 20, 21)] == [
        "一",
        "九",
        "十",
        "十一",
        "十九",
        "二十",
        "二十一",
    ]


@pytest.mark.parametrize(
    ("lang", "prose_form", "coded", "day"),
    [
        ("en", "MOP 1,950.00", "MOP\u00a01,950.00", "25 June 2007"),
        ("zh-Hant", "1,950.00澳門元", "MOP\u00a01,950.00", "2007年6月25日"),
        ("pt", "1\u00a0950,00 patacas", "MOP\u00a01\u00a0950,00", "25 de Junho de 2007"),
    ],
)
def test_money_and_dates(lang: str, prose_form: str, coded: str, day: str) -> None:
    spoken = words(lang)
    assert spoken.amount("1950", "MOP", prose=True) == prose_form
    assert spoken.amount(Decimal("1950.000000"), "MOP") == coded
    assert spoken.day("2007-06-25T23:59:59") == day


def test_amounts_are_exact_and_signed() -> None:
    english = words("en")
    assert english.amount("42191.375") == "42,191.375"
    assert english.amount("-0.5", signed=True) == "−0.50"
    assert english.amount("12", signed=True) == "+12.00"
    assert english.amount("1", "<b>") == "<b>\u00a01.00"
    assert words("pt").number(1234567) == "1\u00a0234\u00a0567"


def test_messages_from_evidence() -> None:
    evidence = {"variant": "drew", "t": 4, "c": 4}
    assert (
        words("zh-Hant")
        .message("A0904", evidence, "")
        .startswith("莊家兩牌合計4點，閒家所增之牌為4點")
    )
    paid = {"variant": "", "bet": "player_pair", "d": "1950"}
    assert "1,950.00澳門元" in words("zh-Hant").message("A1702", paid, "", "MOP")
    assert "閒對子" in words("zh-Hant").message("A1702", paid, "", "MOP")
    month = {"variant": "later", "month": "2009-06"}
    assert "Junho de 2009" in words("pt").message("L08", month, "")
    assert words("en").message("Z9999", {}, "as recorded") == "as recorded"


def test_portuguese_counts_one_point_in_the_singular() -> None:
    said = [words("pt").message("A0901", {"variant": "", "t": t}, "") for t in (0, 1, 2)]
    assert [re.findall(r"com (\d pontos?),", one) for one in said] == [
        ["0 pontos"],
        ["1 ponto"],
        ["2 pontos"],
    ]


def test_a_value_in_braces_is_no_place() -> None:
    evidence = {"variant": "", "bet": "{d}{lang}", "d": "5"}
    assert "{d}{lang}" in words("en").message("A1301", evidence, "")


def test_visible() -> None:
    assert visible("plain 閒 ♠") == "plain 閒 ♠"
    assert visible("a\x1b[31m\u202eb\n") == "a‹U+001B›[31m‹U+202E›b‹U+000A›"
    assert visible("\U0001f600") == "‹U+1F600›"
    assert visible("x" * 500, 20) == "x" * 13 + "…" + "x" * 6
    assert card_text("KS 10H 7 9p") == "K♠ 10♥ 7 9p"


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="zh-Hant"):
        load("fr")
    with pytest.raises(ReportError, match="missing"):
        load("en", tmp_path)
    (tmp_path / "en.toml").write_text("[ui]\na = 1\n")
    (tmp_path / "report.en.toml").write_text("[ui]\na = 2\n")
    with pytest.raises(ReportError, match="given twice"):
        load("en", tmp_path)
    (tmp_path / "report.en.toml").write_text("[ui\n")
    with pytest.raises(ReportError, match="not valid TOML"):
        load("en", tmp_path)


def test_words_is_loaded_once() -> None:
    assert words("pt") is words("pt")
    assert isinstance(words("en"), Words)
