"""What the pages say: reserves, hands as they should have been, names, figures, many languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from audit.errors import CaseError
from audit.messages import avoided
from audit.pipeline import Job, run_audit
from audit.report import cardfont, charts, draw, hands, outcomes, render, render_report, roads
from audit.report.annexes import Annexes
from audit.report.context import facts
from audit.report.query import Facts
from audit.report.words import LANGS, words
from audit.resolve import Options
from audit.rulebook import load_rulebook

OWN = Path(__file__).parent / "data" / "rules"
ROUNDS = "casino,table_id,shoe_id,round_no,started_at,player_cards,banker_cards,outcome,commission"
BETS = "casino,table_id,shoe_id,round_no,currency,bet,stake,paid"
SHOES = "casino,table_id,shoe_id,device,decks"


def case(folder: Path, rounds: Sequence[str], bets: Sequence[str] = (), **options: Any) -> Path:
    """A case of rounds ``NUMBER,DATE,PLAYER,BANKER,OUTCOME`` and bets ``NUMBER,BET,STAKE,PAID``."""
    log = folder / "log"
    log.mkdir(parents=True)
    lines = [ROUNDS]
    for row in rounds:
        number, day, *rest = row.split(",")
        lines.append(
            f"Lotus,T1,S1,{number},{day} 12:{int(number):02d}:00,{','.join(rest)},commission"
        )
    (log / "rounds.csv").write_text("\n".join(lines), encoding="utf-8")
    made = [f"Lotus,T1,S1,{n},MOP,{rest}" for n, rest in (row.split(",", 1) for row in bets)]
    (log / "bets.csv").write_text("\n".join([BETS, *made]), encoding="utf-8")
    (log / "shoes.csv").write_text(f"{SHOES}\nLotus,T1,S1,shoe,8\n", encoding="utf-8")
    run_audit(Job(log=[log], case=folder / "case", **options))
    return folder / "case"


def page(content: Facts, lang: str = "en") -> str:
    """The text of the report, markup and line ends taken away."""
    source = render.html(content, [lang], "inspection")[0]
    plain = re.sub(r"<style>.*?</style>|<[^>]*>", " ", source, flags=re.DOTALL)
    return " ".join(plain.replace("\u00a0", " ").split())


CLEAN = "1,2007-07-01,KS 7H,9D KC,banker"


def cover(content: Facts) -> str:
    return page(content).split("Contents")[0]


@pytest.mark.parametrize(
    ("rounds", "options", "said"),
    [
        ([CLEAN], {"select": ["A09"]}, "checks of 61 were left out of this audit"),
        ([CLEAN.replace("2007", "2003")], {}, "One round falls under no known version"),
        ([CLEAN.replace("2007", "2012")], {}, "One round was played after later acts"),
        ([CLEAN, "2,2007-07-01,=ZZ,9D KC,banker"], {}, "One record was rejected"),
        ([CLEAN], {"options": Options(rules="64-2007")}, "was chosen by the user"),
    ],
)
def test_the_cover_is_no_plain_clean_verdict(
    rounds: list[str], options: dict[str, Any], said: str, tmp_path: Path
) -> None:
    content = facts(case(tmp_path, rounds, **options))
    front = cover(content)
    assert said in front
    assert "subject to the reservations stated below" in front
    assert Annexes(words("en"), content, {}).tone == "reserved"


def test_a_finding_that_cannot_be_verified_is_counted(tmp_path: Path) -> None:
    content = facts(case(tmp_path, [CLEAN.replace("2007", "2012")], ["1,banker,100,50"]))
    assert content["limits"]["unverifiable"] == 1
    assert "One finding cannot be verified for that reason" in cover(content)
    assert "not verifiable: later act unknown" in page(content)


def test_a_draw_error_shows_both_hands_and_the_money_three_ways(tmp_path: Path) -> None:
    # Player 2 stood, Banker drew a 4 on 5: that card was Player's, who had 6 with it.
    rounds = ["1,2007-07-01,KS 2H,2D 3C 4C,banker", "2,2007-07-01,9S 9H,2S 5C,player"]
    content = facts(case(tmp_path, rounds, ["1,banker,100,195", "1,player,200,0"]))
    (finding,) = content["chapters"][0]["codes"][0]["shown"]
    course = finding["course"]
    assert (course["player"], course["banker"]) == (["KS", "2H", "4C"], ["2D", "3C", "9S"])
    assert (course["player_total"], course["banker_total"], course["winner"]) == (6, 4, "player")
    assert [(bet["rightly"], bet["void"]) for bet in course["bets"]] == [
        ("0", "100.000000"),
        ("400.000000", "200.000000"),
    ]
    text = page(content)
    assert "P 2, B 9: Banker" in text
    assert "P 6, B 4: Player" in text
    assert "Banker MOP 100.00 Player MOP 200.00 195.00 0.00 0.00 400.00 100.00 200.00" in text


def test_the_card_that_should_not_be_there_is_marked() -> None:
    spoken = words("en")
    row = {"player_cards": "KS 6H 2D", "banker_cards": "2S 3S", "by_player_total": 8}
    item = {"code": "A0902", "round": {**row, "by_banker_total": 5}}
    pair = hands.dealt(spoken, item)
    assert pair is not None
    assert [hand.marked for hand in pair] == [(2,), ()]
    assert f"<i>{cardfont.MARK}</i><b>{cardfont.character('2D')[0]}</b>" in hands.line(*pair)
    owed = hands.dealt(spoken, {**item, "code": "A0904"})
    assert owed is not None
    assert owed[1].owed
    assert f"<i>{cardfont.OWED}</i>" in hands.line(*owed)
    too_many = {**item["round"], "banker_cards": "2S 3S 4S 5S"}  # type: ignore[dict-item]
    long = hands.dealt(spoken, {"code": "A0907", "round": too_many})
    assert long is not None
    assert long[1].marked == (3,)
    assert "font-size: 4.46mm" in hands.line(*long)


def test_nothing_is_said_not_to_be_judged_beside_what_is_expected(tmp_path: Path) -> None:
    rounds = ["1,2007-07-01,KS 7H,9D KC,banker"]
    content = facts(case(tmp_path, rounds, ["1,jackpot,10,40"]))
    text = page(content)
    assert "A1712 Jackpot paid without a combination" in text
    assert "40.00 0.00 +40.00" in text
    assert "not judged" not in text


def test_own_rule_sets_have_their_own_names(tmp_path: Path) -> None:
    rounds = ["1,2018-07-01,KS 2H,3D 3C,banker", "2,2018-07-01,KS 7H,9D KC,banker"]
    bets = ["1,lucky_6,100,195", "2,lucky_6,100,195"]
    content = facts(case(tmp_path, rounds, bets, rules_dir=OWN))
    assert "Lucky 6, bet 1" in page(content)
    assert "幸運6" in page(content, "zh-Hant")
    assert "«6 Sortudo»" in page(content, "pt")
    assert "amended by Despachos 73/2005, 30/2007, 64/2007 and 900/2018" in page(content)
    assert "第64/2007號及第900/2018號經濟財政司司長批示修改的" in page(content, "zh-Hant")
    assert "later amendments could not be consulted" not in page(content)
    # The shipped rule set with the same draws says what the round should have been.
    (draw_error,) = content["chapters"][0]["codes"][0]["shown"]
    assert draw_error["course"]["winner"] == "banker"
    assert draw_error["course"]["bets"] == []
    assert "no bets recorded" not in page(content)


def test_the_cover_names_the_acts_in_force(tmp_path: Path) -> None:
    early = facts(case(tmp_path, [CLEAN.replace("2007", "2005")]))
    assert "approved by Despacho 55/2004 of the Secretary" in cover(early)
    assert "amended" not in cover(early)


def test_a_log_of_one_day_has_a_line_for_a_chart(tmp_path: Path) -> None:
    content = facts(case(tmp_path, [CLEAN], ["1,banker,100,200"]))
    assert "All on 1 July 2007. Apparent violations: 1." in page(content)


def test_names_of_two_hundred_characters_are_whole(tmp_path: Path) -> None:
    folder = case(tmp_path, [CLEAN], ["1,banker,100,200"])
    log = tmp_path / "log"
    name = "N" * 200
    for file in log.iterdir():
        file.write_text(file.read_text().replace("T1", name))
    run_audit(Job(log=[log], case=folder, force=True))
    assert f"{name}/S1/1" in page(facts(folder))


def test_a_case_of_another_version_is_refused(tmp_path: Path) -> None:
    import duckdb

    folder = case(tmp_path, [CLEAN])
    with duckdb.connect(folder / "case.duckdb") as connection:
        connection.execute("alter table rulesets drop column acts")
        connection.execute("alter table rulesets drop column incomplete_from")
    with pytest.raises(CaseError, match="another version"):
        facts(folder)


def test_several_languages_are_several_parts(tmp_path: Path) -> None:
    folder = case(tmp_path, [CLEAN], ["1,banker,100,200"])
    file = render_report(folder, tmp_path / "all.pdf", lang=["zh-Hant", "pt"])
    reader = PdfReader(file)
    tops = [one for one in reader.outline if not isinstance(one, list)]
    assert [one.title for one in tops] == ["監察查核報告", "Relatório de inspecção"]
    inner = [part for part in reader.outline if isinstance(part, list)]
    assert [next(iter(part)).title for part in inner] == ["摘要", "Resumo"]
    pages = len(reader.pages)
    assert f"Página {pages} de {pages}" in reader.pages[-1].extract_text().replace("\u00a0", " ")
    assert sorted(reader.attachments) == ["findings.csv", "manifest.json"]
    source = render.html(facts(folder), ["zh-Hant", "pt"], "inspection")[0]
    assert re.findall(r'class="doc [^>]*lang="([^"]*)"', source) == ["zh-Hant-MO", "pt-PT"]
    once = render.html(facts(folder), ["pt"], "inspection")[0]
    assert 'class="many"' not in once


@pytest.mark.parametrize("lang", LANGS)
def test_no_word_to_keep_out_is_in_a_report(lang: str, tmp_path: Path) -> None:
    rounds = ["1,2007-07-01,KS 2H,2D 3C 4C,banker", "2,2007-07-01,9S 9H,2S 5C,player"]
    text = page(facts(case(tmp_path, rounds, ["1,banker,100,100", "2,jackpot,10,5"])), lang)
    for word, pattern in avoided(lang).items():
        assert not pattern.search(text), word


def test_a_long_road_goes_on_in_a_strip_below() -> None:
    marks = [roads.Mark(n, "player" if n % 2 else "banker") for n in range(1, 51)]
    road = roads.big_road(marks, "t")
    assert road.count("-3 0z") == 50
    assert float(re.findall(r'height="([\d.]+)mm"', road)[0]) > 80
    short = roads.big_road(marks[:20], "t")
    assert float(re.findall(r'height="([\d.]+)mm"', short)[0]) < 30


def test_a_drawn_hand_of_five_cards_does_not_overlap() -> None:
    cards = ("KS", "2H", "3D", "4C", "5S")
    drawing = draw.hands(draw.Hand("P", cards, "4"), draw.Hand("B", ("2S", "3S"), "5"), "t")
    assert "scale(0.6)" in drawing
    assert ElementTree.fromstring(drawing) is not None


@pytest.mark.parametrize("decks", [1, 8])
def test_chances_are_dealt_again(decks: int) -> None:
    ways = outcomes.weights(decks, load_rulebook().sets[0])
    chances = outcomes.chances(decks)
    assert chances is not None
    assert chances == {name: Fraction(n, sum(ways.values())) for name, n in ways.items()}
    if decks == 8:
        known = {"banker": 0.458597, "player": 0.446247, "tie": 0.095156}
        assert {name: round(float(chance), 6) for name, chance in chances.items()} == known


def test_chances_are_kept_for_one_to_twelve_decks() -> None:
    for decks in range(1, 13):
        chances = outcomes.chances(decks)
        assert chances is not None
        assert sum(chances.values()) == 1
    assert outcomes.chances(13) is None
    low, high = outcomes.interval(Fraction(1, 2), 10_000)
    assert (round(low, 4), round(high, 4)) == (0.4871, 0.5129)


def test_the_new_charts_are_drawings() -> None:
    dot = charts.Dot("Banker", 0.4, 0.458, 0.41, 0.5)
    both = [charts.Both("<T1>", 5.0, 0.0), charts.Both("T2", 0.0, 2.5)]
    for drawing in (charts.shares([dot], "<t>"), charts.both_ways(both, "t", "less", "more")):
        ElementTree.fromstring(drawing)
