"""A whole shoe of a case: the list of its rounds and its roads, on the page, as JSON and drawn."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from audit.case import Case, open_case
from audit.cli.replay import replay
from audit.pipeline import Job, run_audit
from audit.replay.drawing_shoe import draw_shoe
from audit.replay.page_shoe import render_shoe, shoe_summary
from audit.replay.shoe import ShoeRecord, read_shoe, shoe_json

PLAYER, BANKER, TIE = "KS 9H,KD 7C", "KS 6H,KD 7C", "KS 7H,KD 7C"
WRONG = "2S 3H,KC 5D 4C"
ROWS = [
    (1, "demo", PLAYER, "player"),
    (2, "play", "9S 9H,KD 7C", "player"),
    (3, "play", TIE, "tie"),
    (4, "void", BANKER, ""),
    (5, "play", "KS 6H,7D 7C AS", "player"),
    (6, "free", WRONG, "banker"),
    (7, "play", "4S 4H,3D 3C AC", "player"),
    (9, "play", ",", "tie"),
    (10, "play", "KS,KD 7C", ""),
    (12, "play", PLAYER, "player"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("shoe")
    log = place / "log"
    log.mkdir()
    head = "table_id,shoe_id,round_no,started_at,kind,player_cards,banker_cards,outcome,cut_card\n"
    lines = [
        f"T\x1b1,S,{no},2007-06-{25 + (no > 6)} 12:00:{no:02},{kind},{cards},{outcome},{no == 7}\n"
        for no, kind, cards, outcome in ROWS
    ]
    lines.append("T\x1b1,S,8,2007-06-26 12:00:08,play,KS XX,KD 7C,player,\n")
    lines += [
        f"T2,LONG,{no},2007-07-01 12:{no // 60:02}:{no % 60:02},play,{cards},,\n"
        for no, cards in enumerate([PLAYER, BANKER] * 60 + [TIE] * 12, 1)
    ]
    (log / "rounds.csv").write_text(head + "".join(lines), encoding="utf-8")
    run_audit(Job([log], place / "case"))
    return place / "case"


@pytest.fixture(scope="module")
def case(folder: Path) -> Iterator[Case]:
    opened = open_case(folder)
    yield opened
    opened.close()


@pytest.fixture
def shoe(case: Case) -> ShoeRecord:
    return read_shoe(case.connection, ("-", "T\x1b1", "S"))


@pytest.fixture
def long(case: Case) -> ShoeRecord:
    return read_shoe(case.connection, ("-", "T2", "LONG"))


def page(shoe: ShoeRecord, width: int) -> list[str]:
    console = Console(width=width, record=True, file=open(os.devnull, "w"))  # noqa: SIM115, PTH123
    console.print(render_shoe(shoe, width))
    return console.export_text(styles=False).splitlines()


def section(lines: list[str], title: str) -> list[str]:
    start = next(at for at, line in enumerate(lines) if line.strip() == title)
    return [line.rstrip() for line in lines[start + 1 : start + 8]]


def test_rounds_with_what_the_cards_say_and_what_was_found(shoe: ShoeRecord) -> None:
    told = [(each.round_no, each.kind, each.outcome) for each in shoe.rounds]
    assert told == [
        (1, "demo", "player"),
        (2, "play", "player"),
        (3, "play", "tie"),
        (4, "void", "banker"),
        (5, "play", "player"),
        (6, "free", "banker"),
        (7, "play", "player"),
        (9, "play", "tie"),
        (10, "play", None),
        (12, "play", "player"),
    ]
    wrong = shoe.rounds[5]
    assert [(note.code, note.consequence) for note in wrong.notes] == [("A0901", "changed:tie")]
    assert list(shoe.gaps()) == [(8, 8), (11, 11)]
    assert shoe.rejected == {8}
    assert shoe.count() == {"player": 4, "banker": 1, "tie": 2}


def test_no_demonstration_and_no_void_round_is_on_the_roads(shoe: ShoeRecord) -> None:
    numbers = [each.round_no for each in shoe.played]
    assert numbers == [2, 3, 5, 6, 7, 9, 10, 12]
    road = [(cell.column, cell.row, cell.outcome, cell.ties) for cell in shoe.road()]
    assert road == [
        (0, 0, "player", (1,)),
        (0, 1, "player", ()),
        (1, 0, "banker", ()),
        (2, 0, "player", (5,)),
        (2, 1, "player", ()),
    ]


def test_the_page_lists_and_draws(shoe: ShoeRecord) -> None:
    lines = page(shoe, 80)
    text = "\n".join(lines)
    assert "round 8 rejected" in text
    assert "round 11 not in" in text
    assert "A0901 → tie" in text
    assert "tie (log)" in text
    assert section(lines, "Bead plate") == [
        " 2   10",
        ".P   ?!",
        " T   P!",
        "˙P   ·",
        " B!  ·",
        ":P!  ·",
        " T!  ·",
    ]
    assert section(lines, "Big road")[:3] == [" 2  6  7", ".P/ B :P/", "˙P  ·  P"]


def test_ties_beyond_one_are_counted(long: ShoeRecord) -> None:
    cells = long.road()
    assert len(cells) == 120
    assert len(cells[-1].ties) == 12
    assert "B+" in "\n".join(page(long, 80))


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_a_long_road_goes_on_below(long: ShoeRecord, width: int) -> None:
    lines = page(long, width)
    assert max(map(len, lines)) <= min(width, 120)
    start = next(at for at, line in enumerate(lines) if line.strip() == "Big road")
    end = next(at for at, line in enumerate(lines) if line.startswith("P Player, B Banker"))
    road = "".join(lines[start + 1 : end])
    assert (road.count("P"), road.count("B")) == (60, 60)
    assert "…" not in "\n".join(lines)


def test_ids_cannot_steer_the_terminal(shoe: ShoeRecord) -> None:
    text = "\n".join(page(shoe, 100)) + shoe_summary(shoe)
    assert not [char for char in text if not char.isprintable() and char != "\n"]


def test_the_drawing_is_one_escaped_document(shoe: ShoeRecord, long: ShoeRecord) -> None:
    for each in (shoe, long):
        root = ElementTree.fromstring(draw_shoe(each))
        tags = {element.tag.partition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "title", "g", "path", "rect", "text", "circle"}
        letters = [e.text for e in root.iter() if e.tag.endswith("text") and e.text in "PBT?"]
        cells = [cell for cell in each.road() if cell.outcome]
        assert len(letters) == len(each.played) + len(cells)
    assert "T�1" in draw_shoe(shoe)


def test_as_json(shoe: ShoeRecord) -> None:
    told = json.loads(json.dumps(shoe_json(shoe)))
    assert told["missing"] == [[8, 8], [11, 11]]
    assert told["rejected"] == [8]
    assert [cell["round_no"] for cell in told["big_road"]] == [2, 5, 6, 7, 12]
    assert told["big_road"][0]["ties"] == [3]
    assert told["rounds"][5]["findings"][0]["code"] == "A0901"
    assert told["bead_plate"][6] == {"column": 1, "row": 0, "round_no": 10, "outcome": None}


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    app = typer.Typer()
    app.command()(replay)
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *words: CliRunner().invoke(app, [str(folder), *words])


def test_the_command(run: Callable[..., Any]) -> None:
    assert "Big road" in run("T2/LONG").stdout
    assert run("T2/LONG", "-q").stdout == (
        "T2/LONG: 132 rounds; Player 60, Banker 60, tie 12; findings on 0 rounds\n"
    )
    assert json.loads(run("T2/LONG", "--format", "json").stdout)["shoe_id"] == "LONG"
    assert run("T2/LONG/", "--format", "svg").stdout.startswith("<svg ")
