"""A recorded round replayed out of a case: the path that names it, page, JSON, drawing, command."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import typer
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

from audit.case import Case, open_case
from audit.cli.replay import replay
from audit.errors import OptionError
from audit.pipeline import Job, run_audit
from audit.replay.as_json import as_json, written
from audit.replay.drawing import draw_round
from audit.replay.find import find_place, governing
from audit.replay.page import render
from audit.replay.page_hand import beside
from audit.replay.read import house_of, read_round
from audit.replay.record import RecordedRound
from audit.replay.rounds import Replay, replay_round
from audit.replay.words import clean
from audit.rulebook import load_rulebook

RULEBOOK = load_rulebook()
NEWEST = RULEBOOK.get("64-2007")

HOSTILE = "T\x1b[31m<b>&\x9b"
HEAD = (
    "casino,table_id,shoe_id,round_no,started_at,kind,player_cards,banker_cards,outcome,commission"
)
ROUNDS = f"""{HEAD}
Alto,T1,S/1,1,2007-06-25 23:59:59,play,2S 3H 6D,KC 4H,player,commission
Alto,T1,S/1,2,2007-06-26 00:00:30,play,KS 9X,KC 4H,player,commission
Alto,T1,S/1,3,2007-06-26 00:01:00,void,2S 3H,KC 4H,,
Alto,T1,S/2,1,2007-06-26 00:01:00,play,2S 3H,KC 5D 4C,banker,commission
Alto,T1,S/2,2,2007-06-26 00:02:00,play,9S 8H,7C 6D,player,commission
Baixo,T1,S/1,1,2005-01-01 12:00:00,play,KS 5H KD,KC 6D,banker,no_commission
-,VIP 2,2009-01-01/3,7,2009-01-02 12:00:00,play,,,banker,
-,VIP 2,2009-01-01/3,8,2003-01-02 12:00:00,play,KS 7H,KC 6D,player,
-,VIP 2,2009-01-01/3,9,2009-01-02 12:02:00,play,KS 7H,KC,player,
A,B,1,4,2007-07-01 12:00:00,play,KS 7H,KC 6D,player,
-,A,B,1,2007-07-01 12:00:00,play,KS 7H,KC 6D,player,
-,{HOSTILE},S,1,2007-07-01 12:00:00,play,2S 3H,KC 5D 4C,banker,commission
"""
BETS = f"""casino,table_id,shoe_id,round_no,bet_id,currency,position,bet,stake,paid,disposition
Alto,T1,S/1,1,1,MOP,3,banker,1000,0,settled
Alto,T1,S/1,1,2,HKD,,player,9999999999.9999,1999999999.9998,settled
Alto,T1,S/1,1,3,MOP,[red],jackpot,50,0,settled
Alto,T1,S/1,3,1,MOP,,player,100,0,settled
Alto,T1,S/2,1,1,MOP,1,banker,100,195,settled
Alto,T1,S/2,1,2,MOP,2,player,100,0,settled
Baixo,T1,S/1,1,1,MOP,,banker,100,150,settled
Baixo,T1,S/1,1,2,MOP,,player,100,100,cancelled
Baixo,T1,S/1,1,3,MOP,,player,100,0,carried
-,VIP 2,2009-01-01/3,7,1,MOP,,banker,100,190,settled
-,VIP 2,2009-01-01/3,7,2,MOP,,player,100,0,settled
-,{HOSTILE},S,1,<i>\x1b]0;,MOP,\x07,banker,100,195,settled
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case of a handful of rounds."""
    place = tmp_path_factory.mktemp("replay")
    log = place / "log"
    log.mkdir()
    (log / "rounds.csv").write_text(ROUNDS, encoding="utf-8")
    (log / "bets.csv").write_text(BETS, encoding="utf-8")
    run_audit(Job([log], place / "july.case"))
    return place / "july.case"


@pytest.fixture(scope="module")
def case(folder: Path) -> Iterator[Case]:
    opened = open_case(folder)
    yield opened
    opened.close()


def replayed(case: Case, path: str, *rulesets: str) -> tuple[RecordedRound, list[Replay]]:
    place = find_place(case.connection, path)
    assert place.round_no is not None
    recorded = read_round(case.connection, place.shoe, place.round_no)
    house = house_of(case.manifest)
    return recorded, [
        replay_round(recorded, rules, why, RULEBOOK.sets, house)
        for rules, why in governing(recorded, RULEBOOK, rulesets)
    ]


# The path


@pytest.mark.parametrize(
    ("path", "shoe", "round_no"),
    [
        ("Alto/T1/S/1/3", ("Alto", "T1", "S/1"), 3),
        ("VIP 2/2009-01-01/3/7", ("-", "VIP 2", "2009-01-01/3"), 7),
        ("-/VIP 2/2009-01-01/3/7", ("-", "VIP 2", "2009-01-01/3"), 7),
        ("VIP 2/2009-01-01/3", ("-", "VIP 2", "2009-01-01/3"), None),
        ("Alto/T1/S/1", ("Alto", "T1", "S/1"), None),
        ("Alto/T1/S/1/", ("Alto", "T1", "S/1"), None),
        ("A/B/1/", ("A", "B", "1"), None),
        ("-/A/B/1", ("-", "A", "B"), 1),
        ("A/B/1/4", ("A", "B", "1"), 4),
        ("T1/S/2", ("Alto", "T1", "S/2"), None),
    ],
)
def test_a_path_is_resolved_although_ids_hold_slashes(
    case: Case, path: str, shoe: tuple[str, str, str], round_no: int | None
) -> None:
    found = find_place(case.connection, path)
    assert (found.shoe, found.round_no) == (shoe, round_no)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("T1/S/1/1", "2 casinos have this shoe: Alto, Baixo. Name the casino: Alto/T1/S/1/1 or"),
        ("T1/S/1", "2 casinos have this shoe: Alto, Baixo. Name the casino: Alto/T1/S/1 or"),
        ("Alto/T1/S/1/9", "no such round in this shoe. Rounds of this shoe run from 1 to 3; the"),
        ("Alto/T1/S/1/2", "the row of this round was rejected (rounds.csv, row 2)"),
        ("Alto/T1/S1/1", "no such shoe in this case. Nearest: Alto/T1/S/1/1"),
        ("Alto/T1/S3", "no such shoe in this case. Nearest: Alto/T1/S/"),
        ("A/B/1", "a shoe and a round can both be read from this path. Write A/B/1/ for the shoe"),
        ("zzz/1", "no such shoe in this case. Write it as [CASINO/]TABLE/SHOE/ROUND"),
        ("Alto/T1/S/1/" + "9" * 50, "no such shoe in this case"),
        ("12", "no such shoe in this case. Write it as"),
        ("", "no such shoe in this case. Write it as"),
    ],
)
def test_a_path_that_names_nothing_gets_a_hint(case: Case, path: str, said: str) -> None:
    with pytest.raises(OptionError) as caught:
        find_place(case.connection, path)
    assert said in str(caught.value)
    assert caught.value.hint


# What it says


def test_bets_of_a_recorded_round_are_settled_as_the_log_says(case: Case) -> None:
    _, (void,) = replayed(case, "Alto/T1/S/1/3")
    assert [(due.standing, due.due) for due in void.dues] == [("void", Decimal(100))]
    # The scheme recorded counts, although this version has none without commission.
    _, (old,) = replayed(case, "Baixo/T1/S/1/1")
    told = [(due.standing, due.due) for due in old.dues]
    assert told == [("won", Decimal(150)), ("cancelled", Decimal(100)), ("carried", None)]


def test_an_outcome_without_cards_settles_what_it_can(case: Case) -> None:
    _, (one,) = replayed(case, "VIP 2/2009-01-01/3/7")
    assert (one.hand.steps, one.hand.winner) == ((), None)
    # Two schemes, and under one of them the total, which nobody recorded, decides.
    told = [(due.standing, due.due) for due in one.dues]
    assert told == [("won", None), ("lost", Decimal(0))]


def page(case: Case, path: str, width: int, *rulesets: str) -> list[str]:
    recorded, replays = replayed(case, path, *rulesets)
    console = Console(width=width, record=True, file=open(os.devnull, "w"))  # noqa: SIM115, PTH123
    console.print(render(recorded, replays, width))
    return console.export_text(styles=False).splitlines()


PATHS = (
    "Alto/T1/S/1/1",
    "Alto/T1/S/1/3",
    "Alto/T1/S/2/1",
    "VIP 2/2009-01-01/3/7",
    f"{HOSTILE}/S/1",
)


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
@pytest.mark.parametrize("path", PATHS)
def test_a_page_fits_and_cuts_nothing(case: Case, path: str, width: int) -> None:
    lines = page(case, path, width)
    assert max(map(len, lines)) <= min(width, 120)
    assert "…" not in "".join(lines)


def test_a_breach_is_marked_where_it_happened(case: Case) -> None:
    lines = page(case, "Alto/T1/S/1/1", 80)
    step = next(at for at, line in enumerate(lines) if line.startswith(" 6  Banker  stands"))
    assert "9(3)(3)" in lines[step]
    assert any("✗ A0904" in line for line in lines[step : step + 3])
    text = "\n".join(lines)
    assert "╎ ✗ ╎" in text
    assert "P3, Banker 4   –     –    draw  draw  draw  draw [draw] draw" in text
    # The row of the next round was rejected, so that Banker's card is not known.
    assert "╎ ? ╎" in text
    assert "Banker needs a card that is not known: the row of round 2 was rejected." in text
    assert "What the result would have been cannot be determined." in text
    assert "1,950.00" in text
    assert "position [red]" in text


def test_as_it_should_have_been_stands_beside_or_below(case: Case) -> None:
    titles = ("As dealt", "As it should have been")
    narrow, wide = (page(case, "Alto/T1/S/2/1", width) for width in (80, 100))
    assert not any(all(title in line for title in titles) for line in narrow)
    assert all(any(title in line for line in narrow) for title in titles)
    assert any(all(title in line for title in titles) for line in wide)
    text = "\n".join(narrow)
    assert "4♣, dealt as B3, is Player's P3." in text
    assert "9♠, dealt as P1 of round 2, is Banker's B3." in text
    assert "Had the rules been followed, Player would have won." in text
    assert "(draw)" in text
    # Both cells of the draw table are marked: Player took none, and should have taken a four.
    row = next(line for line in narrow if line.startswith("P3, Banker 5"))
    assert " ".join(row.split()) == "P3, Banker 5 – – – – (draw) draw draw draw – – [draw]"


def test_a_line_keeps_its_colour_to_itself() -> None:
    (line,) = beside([Text("wrong", style="red")], [Text("right")], 8, "| ")
    console = Console(force_terminal=True, color_system="standard")
    red = [part.text for part in line.render(console) if part.style and part.style.color]
    assert red == ["wrong"]


def test_the_money_three_ways_is_on_the_page(case: Case) -> None:
    text = "\n".join(page(case, "Alto/T1/S/2/1", 120))
    assert "Money that hangs on the error in MOP" in text
    total = re.search(r"Total, 2 bets +(\S+) +(\S+) +(\S+) +(\S+)", text)
    assert total is not None
    assert total.groups() == ("195.00", "195.00", "200.00", "200.00")
    assert "(-5.00)" in text


def test_a_hand_that_was_not_judged_is_not_called_clean(case: Case) -> None:
    text = "\n".join(page(case, "VIP 2/2009-01-01/3/9", 80))
    assert "An initial card is missing" in text
    assert "✗" not in text


def test_rule_sets_stand_side_by_side(case: Case) -> None:
    wide = page(case, "Alto/T1/S/2/1", 110, "55-2004", "64-2007")
    assert any("Under 55-2004: as dealt" in a and "Under 64-2007: as dealt" in a for a in wide)
    assert sum("Draw table" in line for line in wide) == 1
    narrow = page(case, "Alto/T1/S/2/1", 80, "55-2004", "64-2007")
    assert sum("as dealt" in line for line in narrow if "Under" in line) == 2


# What a log says cannot steer the reader's terminal, nor become markup


def test_what_a_log_says_cannot_steer_the_terminal(case: Case) -> None:
    assert clean("a\x1b[31m\nb\u202e") == "a�[31m�b�"
    text = "\n".join(page(case, f"{HOSTILE}/S/1", 80))
    assert not [char for char in text if not char.isprintable() and char != "\n"]
    recorded, replays = replayed(case, f"{HOSTILE}/S/1")
    told = written(as_json(recorded, replays))
    assert not [char for char in told if not char.isprintable() and char != "\n"]
    assert json.loads(told)["table_id"] == HOSTILE
    with pytest.raises(OptionError) as caught:
        find_place(case.connection, f"{HOSTILE}/S/7")
    assert "\x1b" not in str(caught.value)


def test_a_drawing_is_one_escaped_document_with_text_as_text(case: Case) -> None:
    recorded, replays = replayed(case, f"{HOSTILE}/S/1", "55-2004", "64-2007")
    root = ElementTree.fromstring(draw_round(recorded, replays))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    tags = {element.tag.partition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "g", "path", "rect", "text"}
    texts = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
    said = "\n".join(texts)
    for part in ("T�[31m<b>&�", "As dealt", "✗ Banker wins, 9 to 5", "Player 5", "A0901", "195.00"):
        assert part in said
    assert "href" not in draw_round(recorded, replays)


@pytest.mark.parametrize("path", PATHS)
def test_every_round_can_be_drawn(case: Case, path: str) -> None:
    drawing = draw_round(*replayed(case, path))
    assert ElementTree.fromstring(drawing) is not None
    assert drawing == draw_round(*replayed(case, path))


# The command


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    app = typer.Typer()
    app.command()(replay)
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *words: CliRunner().invoke(app, [str(folder), *words])


def test_json_has_money_as_text_and_every_step(run: Callable[..., Any]) -> None:
    result = run("Alto/T1/S/1/1", "--format", "json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["recorded"]["player_cards"] == ["2S", "3H", "6D"]
    (one,) = told["replays"]
    assert (one["ruleset"], one["outcome"], one["breaches"]) == ("30-2007", "banker", ["A0904"])
    assert one["why"] == "in force on 2007-06-25, from 2007-02-23 on (inferred)"
    assert [step["action"] for step in one["steps"]] == ["deal"] * 4 + ["draw", "stand"]
    money_of = [(bet["paid"], bet["due"], bet["difference"]) for bet in one["bets"]]
    assert money_of == [
        ("0", "1950", "-1950"),
        ("1999999999.9998", "0", "1999999999.9998"),
        ("0", "0", "0"),
    ]
    assert told["findings"][0]["consequence"] == "undetermined"


def test_json_says_what_should_have_been(run: Callable[..., Any]) -> None:
    (one,) = json.loads(run("Alto/T1/S/2/1", "--format", "json").stdout)["replays"]
    should = one["should_have_been"]
    assert (should["consequence"], should["outcome"]) == ("changed:player", "player")
    assert should["third_cards"] == [
        {"to": "player", "card": "4C", "dealt_as": "B3", "dealt_in_round": None},
        {"to": "banker", "card": "9S", "dealt_as": "P1", "dealt_in_round": 2},
    ]
    (total,) = one["money"]["totals"]
    assert (total["paid"], total["rightly"], total["void"]) == ("195", "200", "200")
    banker = one["draw_table"][1]
    assert (banker["as_dealt"], banker["rightly"], banker["total"]) == ("none", "4", 5)


def test_several_rule_sets_are_compared(run: Callable[..., Any]) -> None:
    result = run("Alto/T1/S/1/1", "--rules", "64-2007,55-2004")
    assert result.exit_code == 0
    assert "asked for with --rules; in force that day: 30-2007" in result.stdout
    row = next(line for line in result.stdout.splitlines() if line.startswith("Bet 3, jackpot"))
    assert row.split()[3:] == ["lost", "0.00", "not", "on", "offer", "differs"]


def test_quiet_is_one_line(run: Callable[..., Any]) -> None:
    result = run("Alto/T1/S/1/1", "--quiet")
    assert result.stdout == (
        "Alto/T1/S/1/1: Banker, Player 1, Banker 4; art. 9 broken: A0904; "
        "dealt rightly: undetermined; 2 of 3 bets not paid as due\n"
    )
    assert "not judged" in run("VIP 2/2009-01-01/3/9", "--quiet").stdout


def test_no_colour_where_none_is_wanted(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run("Alto/T1/S/1/1").stdout
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", out)


def test_a_page_or_a_drawing_into_a_file(run: Callable[..., Any], tmp_path: Path) -> None:
    text, drawing = tmp_path / "round.txt", tmp_path / "round.svg"
    assert run("Alto/T1/S/2/1", "-o", str(text)).stdout == f"Replay written to {text}\n"
    assert max(map(len, text.read_text(encoding="utf-8").splitlines())) <= 100
    assert run("Alto/T1/S/2/1", "--format", "svg", "-q", "-o", str(drawing)).stdout == ""
    assert ElementTree.parse(drawing).getroot() is not None
    assert isinstance(run("Alto/T1/S/2/1", "-o", str(tmp_path)).exception, OptionError)


def test_why_the_rules_govern(run: Callable[..., Any]) -> None:
    later = " ".join(run("VIP 2/2009-01-01/3/7").stdout.replace("┃", "").split())
    assert "known to be incomplete from 2009-01-01 on" in later
    before = run("VIP 2/2009-01-01/3/8")
    assert isinstance(before.exception, OptionError)
    assert "no rule set was in force on 2003-01-02" in str(before.exception)
    assert run("VIP 2/2009-01-01/3/8", "--rules", "55-2004").exit_code == 0


def test_a_shoe_is_not_compared(run: Callable[..., Any]) -> None:
    result = run("Alto/T1/S/2", "--rules", "55-2004")
    assert isinstance(result.exception, OptionError)
    assert result.exception.hint


def test_help_shows_an_example(run: Callable[..., Any]) -> None:
    assert "Example: baccarat-audit replay" in " ".join(run("--help").stdout.split())


def test_nothing_heavy_is_imported_with_the_command() -> None:
    source = Path(sys.modules["audit.cli.replay"].__file__ or "").read_text(encoding="utf-8")
    tops = [line for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert not [line for line in tops if any(w in line for w in ("duckdb", "polars", "rich"))]
