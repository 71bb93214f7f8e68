"""The table of provisions: nothing of the regulation left out, and honest about a log."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from audit.checks import CHECKS
from audit.cli.rules import app
from audit.coverage import (
    OUTLINE,
    SINCE,
    STATES,
    Row,
    counts,
    in_total,
    load,
    not_applied_reason,
    table,
)
from audit.errors import CaseError, OptionError, RulebookError
from audit.messages import avoided
from audit.paths import data_dir
from audit.pipeline import Job, run_audit
from audit.report.words import LANGS, words
from audit.rulebook import load_rulebook
from tests.support import complete, run_files
from tests.test_explain import MORE_TO_KEEP_OUT
from tests.test_messages import NEW_SPELLING, SIMPLIFIED

FILE = data_dir("rulesets") / "coverage.toml"
VERSIONS = ("55-2004", "73-2005", "30-2007", "64-2007")


def run(*arguments: str, columns: int = 80) -> str:
    result = CliRunner().invoke(app, ["coverage", *arguments], env={"COLUMNS": str(columns)})
    if result.exception is not None:
        raise result.exception
    return result.stdout


def audited(files: Mapping[str, str], lang: str = "en", **options: Any) -> tuple[Row, ...]:
    """The table for an audit of these files."""
    tables = run_files(files, **options).tables
    return table(lang, {name: tables[name].to_dicts() for name in tables})


def only(rows: tuple[Row, ...], article: str, code: str = "") -> Row:
    (row,) = [row for row in rows if row.article == article and code in ("", *row.checks)]
    return row


# Nothing is left out


@pytest.mark.parametrize("number", range(1, 20))
@pytest.mark.parametrize("version", VERSIONS)
def test_every_article_of_every_version_is_there(number: int, version: str) -> None:
    assert [row for row in table() if row.number == number and version in row.versions]


def test_the_order_is_that_of_the_law() -> None:
    found = list(dict.fromkeys(row.article for row in table()))
    assert found == list(OUTLINE)
    assert len(OUTLINE) == len(set(OUTLINE))
    assert [row.number for row in table()] == sorted(row.number for row in table())


def test_every_check_of_the_law_is_there_and_every_code_exists() -> None:
    codes = {check.code for check in CHECKS}
    named = {code for row in table() for code in row.checks}
    assert {code for code in codes if code.startswith("A")} <= named <= codes
    assert {code for row in table() for code in row.covered_by} <= codes


def test_a_code_stands_at_its_own_article() -> None:
    articles = {check.code: check.article for check in CHECKS}
    for row in table():
        for code in row.checks:
            own = code.startswith("L") or int(code[1:3]) == row.number
            assert own or articles[code] == row.article, (row.article, code)
    for check in CHECKS:
        at = {row.article for row in table() if check.code in row.checks}
        for article in re.sub(r"\(4\)-\(6\)", "(4)", check.article).split(", "):
            # A1804 cites the paragraph that the version it speaks of did not have yet.
            held = any(each.startswith(article) for each in at)
            assert not article or held or check.code == "A1804", check.code


def test_every_provision_of_the_rule_sets_is_in_the_outline() -> None:
    book = load_rulebook()
    for rules in book.sets:
        cited = {
            part.strip()
            for provision in rules.provisions.values()
            for part in provision.article.split(",")
        }
        for article in cited:
            held = [row for row in table() if row.article.startswith(article)]
            assert any(rules.id in row.versions for row in held), (rules.id, article)


def test_what_an_amendment_brought_is_there_from_then_on() -> None:
    rows = table()
    assert load().versions == VERSIONS
    assert only(rows, "18(2)").when == "from 73-2005"
    for article, version in SINCE.items():
        assert only(rows, article).versions == VERSIONS[VERSIONS.index(version) :]
    options = [row.when for row in rows if row.article == "19"]
    assert options == ["55-2004 only", "73-2005 only", "from 30-2007", ""]


# Words


@pytest.mark.parametrize("lang", LANGS)
def test_words(lang: str) -> None:
    data = load()
    texts = [
        text[lang] for part in (data.whys, data.phrases, data.states) for text in part.values()
    ]
    for entry in data.entries:
        texts += [entry.about[lang], *([entry.note[lang]] if entry.note else [])]
    keep_out = [*avoided(lang).values(), re.compile(MORE_TO_KEEP_OUT[lang], re.IGNORECASE)]
    for text in texts:
        assert not any(pattern.search(text) for pattern in keep_out), text
        if lang == "zh-Hant":
            assert not set(text) & set(SIMPLIFIED), text
            assert not re.search(r"[\u4e00-\u9fff][,;:()]", text), text
        if lang == "pt":
            assert not re.search(NEW_SPELLING, text, re.IGNORECASE), text
            for found in re.finditer(r"jogador\b|\bbanca\b", text):
                before = text[: found.start()].lower()
                assert before.endswith(("grupo ", "grupos ", "par de ", "banqueiro e ")), text


@pytest.mark.parametrize("lang", LANGS)
def test_the_same_rows_in_every_language(lang: str) -> None:
    rows, english = table(lang), table("en")
    same = ("number", "article", "versions", "checks", "covered_by", "state")
    for row, other in zip(rows, english, strict=True):
        assert [getattr(row, name) for name in same] == [getattr(other, name) for name in same]
        assert row.citation
        assert row.about
        assert row.tested
    places = {
        lang: {key: set(re.findall(r"\{\w+\}", text[lang])) for key, text in load().phrases.items()}
        for lang in (lang, "en")
    }
    assert places[lang] == places["en"]


def test_the_sum_counts_every_row() -> None:
    rows = table()
    assert sum(counts(rows).values()) == len(rows)
    assert in_total(rows, "en").startswith(f"{len(rows)} provisions: ")
    assert f"共{len(rows)}項條文：" in in_total(table("zh-Hant"), "zh-Hant")
    assert all(row.state in STATES for row in rows)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(OptionError, match="zh-Hant"):
        table("fr")


# On a log

ROUNDS = "player_cards,banker_cards,player_total\nKS 9H,KD 7C,9\n2S 3H,4D 3C,5\nKS 7H,KD 7C,\n"


def test_what_was_tested_on_a_log_and_what_was_not() -> None:
    rows = audited({"rounds.csv": ROUNDS}, ignore=["A11"])
    drawn = only(rows, "9(1)")
    assert (drawn.state, drawn.lines) == ("examined", ("A0901: examined 3, findings 1",))
    assert only(rows, "2(3)").state == "nothing"
    assert only(rows, "11").state == "not_selected"
    totals = only(rows, "5(1)")
    assert totals.state == "partly"
    assert totals.lines[0] == (
        "A0501: examined 2, findings 0; not applied to 1, as the log does not contain the Player "
        "total"
    )
    assert totals.lines[1].startswith("A0502: not applied, as the log does not contain the Banker")
    limits = only(rows, "14")
    assert limits.state == "not_applied"
    assert "no table of" in limits.lines[0]
    assert [row.state for row in rows if row.article == "16(2)"] == ["not_in_log"]
    assert only(rows, "8").state == only(rows, "6(1)").state == "no_norm"
    assert only(rows, "13(1)(4)").state == "reading"


def test_only_what_was_in_force() -> None:
    rows = audited({"rounds.csv": ROUNDS}, day="2004-06-01")
    assert only(rows, "17(7)").state == only(rows, "18(2)").state == "not_in_force"
    assert only(rows, "18(2)").lines == ("not in force on the days of this log",)
    assert [row.state for row in rows if row.article == "19"] == [
        "not_applied", "not_in_force", "not_in_force", "not_applied",
    ]  # fmt: skip


def test_before_the_first_version_nothing_is_applied() -> None:
    rows = audited({"rounds.csv": ROUNDS}, day="2003-01-05")
    assert only(rows, "9(1)").lines == ("A0901: not applied, as no rule set was in force",)


def test_a_check_that_crashed_is_no_test() -> None:
    tables = run_files({"rounds.csv": ROUNDS}).tables
    case = {name: tables[name].to_dicts() for name in ("checks", "not_applied", "rulesets")}
    for account in case["checks"]:
        if account["code"] == "A0902":
            account["state"] = "crashed"
    row = only(table("en", case), "9(2)")
    assert row.state == "crashed"
    assert row.lines[0] == "A0902: failed"


def test_a_rule_set_of_ones_own_has_what_the_newest_has() -> None:
    case = {"checks": [], "not_applied": [], "rulesets": [{"id": "900-2018", "rounds": 5}]}
    assert only(table("en", case), "17(7)").state == "not_selected"
    assert next(row.state for row in table("en", case) if row.article == "19") == "not_in_force"


@pytest.mark.parametrize("lang", LANGS)
def test_every_reason_is_told_in_words(lang: str) -> None:
    spoken = words(lang)
    for check in CHECKS:
        for need in {need for breach in check.breaches() for need in breach.needs}:
            assert spoken.text("field", need) in not_applied_reason(f"missing:{need}", spoken)
    assert not_applied_reason("no_rule_set", spoken)
    assert not_applied_reason("missing:something_new", spoken).endswith("something_new")


# The command


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("coverage")
    (folder / "log").mkdir()
    (folder / "log" / "rounds.csv").write_text(complete("rounds.csv", ROUNDS), "utf-8")
    run_audit(Job([folder / "log"], folder / "case"))
    return folder / "case"


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("lang", LANGS)
def test_no_line_is_wider_than_the_terminal(case: Path, lang: str, columns: int) -> None:
    for more in ([], ["--case", str(case)]):
        text = run("--lang", lang, *more, columns=columns)
        assert max(cell_len(line) for line in text.splitlines()) <= columns
        assert "…" not in text
        assert not re.search(r"(?:^| {2})[，。；：、）]", text, re.MULTILINE)


def test_text() -> None:
    text = run().replace("\xa0", " ")
    assert "Article 9. Additional card" in text
    assert re.search(r"art\. 9\(2\) +Player stands .* +A0902, A0903", text)
    assert text.rstrip().endswith("no norm to break: 5")
    assert "第十六條　持牌" in run("--lang", "zh-Hant")


def test_text_of_a_case(case: Path) -> None:
    text = run("--case", str(case))
    assert "A0901: examined 3, findings 1" in text
    assert "Numbers are rows" in text


def test_json_and_quiet(case: Path) -> None:
    rows = json.loads(run("--format", "json", "--case", str(case), "--lang", "pt"))
    (drawn,) = [row for row in rows if row["article"] == "9(1)"]
    assert (drawn["state"], drawn["parts"][0]["examined"]) == ("examined", 3)
    assert run("-q").splitlines()[0] == "1(1)\tA0101 L06 L07"
    assert len(run("-q").splitlines()) == len(table())


def test_markdown_is_one_table(case: Path) -> None:
    lines = run("--format", "markdown", "--case", str(case)).splitlines()
    body = [line for line in lines if line.startswith("|")]
    assert len(body) == len(table()) + 2
    assert len({line.count("|") for line in body}) == 1


def test_no_case(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="no case here"):
        run("--case", str(tmp_path))


# Refusals


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('checks = ["A0101", "L06"', 'cheques = ["A0101", "L06"', "1\\(1\\).cheques: unknown key"),
        ('"A0101"', '"A0199"', "1\\(1\\).checks: there is no check 'A0199'. The nearest"),
        ('"A0101"', '"L06"', "L06 is there twice"),
        ('"A0101"', "6", "there is no check 6"),
        ('checks = ["A0907"]', 'checks = "A0907"', "is not a list of codes"),
        (
            '[provision."9(1)"]',
            '[provision."9(5)"]',
            "9\\(5\\): the regulation has no art. 9\\(5\\)",
        ),
        ('[provision."9(1)"]', '[provision."8"]', "there twice"),
        ('[provision."8"]', '[provision."9 burning"]', "8: art. 8 of 55-2004 is missing"),
        ('[provision."9 one_card"]', '[provision."9"]', "9: art. 9 of 55-2004 is there twice"),
        ('until = "55-2004"', 'until = "55-2005"', "until: '55-2005' is none of"),
        ('until = "73-2005"', 'until = "55-2004"', "ends before it begins"),
        ('[provision."18(2)"]\nfrom = "73-2005"', '[provision."18(2)"]', "no version before 73"),
        (
            '[provision."18(2)"]\nfrom = "73-2005"',
            '[provision."18(2)"]\nfrom = "64-2007"',
            "73-2005",
        ),
        ('why = "definition"', 'why = "unknown"', "6\\(1\\).why: 'unknown' is none of"),
        ('why = "definition"', 'why = "definition"\nchecks = ["A0101"]', "not said in one way"),
        ('why = "definition"', "", "not said in one way"),
        ('en = "Banker"', 'en = " "', "about.en: the text is empty"),
        ('en = "Banker", ', "", "about.en: the key 'en' is missing"),
        ('en = "Banker"', 'fr = "Banque", en = "Banker"', "about.fr: unknown key 'fr'"),
        ("[phrase]", "[phrases]", "phrases: unknown key"),
        ("\nonly = ", "\nolny = ", "phrase.olny: unknown key 'olny'. The nearest is 'only'"),
        ("\nchecked = { en", "\n# { en", "state.checked: the key 'checked' is missing"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, before: str, after: str, message: str) -> None:
    text = FILE.read_text("utf-8")
    assert before in text
    path = tmp_path / "coverage.toml"
    path.write_text(text.replace(before, after, 1), "utf-8")
    with pytest.raises(RulebookError, match=message) as caught:
        load(path)
    assert str(caught.value).startswith("rulesets/coverage.toml, ")
