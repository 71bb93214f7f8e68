"""``inspect``: what it recognises, what it tests, and what it does not claim."""

from __future__ import annotations

import csv
import io
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import openpyxl
import pytest

from audit.errors import LogError, ProfileError
from audit.normalise import read_log
from audit.profile import load_profile
from audit.profile.draft import Draft
from audit.profile.survey import survey
from tests.profiles import hands

AT = "2007-07-01 12:00"


def look(folder: Path, text: str, name: str = "games.csv") -> Draft:
    (folder / name).write_text(text, encoding="utf-8")
    (draft,) = survey(folder / name).drafts
    return draft


def test_a_draft_that_can_be_run_at_once(tmp_path: Path) -> None:
    rows = [
        f"B7,1,1,{AT},12 21,38 45,9,7,1,x",
        f"B7,1,2,{AT},1 2 3,12 45,9,7,1,x",
        f"B7,1,3,{AT},12 18,14 28 47,6,4,1,x",
        f"B7,1,4,{AT},12 19,14 32,7,9,2,x",
        f"B7,1,5,{AT},12 21,14 45,9,9,0,x",
    ]
    head = (
        "Desk,Shoe No,Game,Start Time,Player Cards,Banker Cards,PlayerPoints,BankerPoints,Result,X"
    )
    draft = look(tmp_path, "\n".join([head, *rows]))
    assert draft.missing is None
    assert draft.unused == {"X": "x"}
    assert "Cards read as index0: 10 of 10 recorded totals agree." in draft.notes
    assert "Cards read as index1: 10 of 10 recorded totals agree." not in draft.notes
    assert "Result 2: banker by the cards in 1 of 1 rounds." in draft.notes
    path = tmp_path / "draft.toml"
    path.write_text(draft.toml, encoding="utf-8")
    log = read_log([tmp_path / "games.csv"], load_profile(path))
    assert hands(log)[0] == ("KS 9H", "KD 7C")
    assert log.tables["rounds"]["outcome"].to_list() == ["player"] * 3 + ["banker", "tie"]


def test_two_readings_are_held_against_the_totals(tmp_path: Path) -> None:
    head = "table,shoe,round,time,cards,ptotal,btotal"
    rows = [f'T1,S1,1,{AT},"S13,D2,H9,C7,,",9,9', f'T1,S1,2,{AT},"S2,D13,H3,C7,S4,",9,7']
    draft = look(tmp_path, "\n".join([head, *rows]))
    assert 'cards = { notation = "suit-rank", deal_order = "alternate" }' in draft.settings
    assert "Cards read as suit-rank alternate: 4 of 4 recorded totals agree." in draft.notes
    (other,) = (note for note in draft.notes if "suit-rank player_first" in note)
    assert other == "Cards read as suit-rank player_first: 0 of 4 recorded totals agree."


def test_without_totals_it_says_that_it_cannot_tell(tmp_path: Path) -> None:
    head = "table,shoe,round,time,player,banker"
    draft = look(tmp_path, f"{head}\nT1,S1,1,03/04/2007 12:00,2 9,3 7")
    assert any(
        note.startswith("The cards read as index0") and "check" in note for note in draft.notes
    )
    assert "# several readings fit" in draft.toml
    assert any("%d/%m/%Y %H:%M and as %m/%d/%Y %H:%M" in note for note in draft.notes)


def test_what_is_not_there_is_named_and_not_invented(tmp_path: Path) -> None:
    draft = look(tmp_path, "round,player,banker\n1,KS 9H,KD 7C")
    assert draft.missing == "table_id"
    (tmp_path / "draft.toml").write_text(draft.toml)
    with pytest.raises(ProfileError, match="'table_id' is not given"):
        load_profile(tmp_path / "draft.toml")


def test_bets(tmp_path: Path) -> None:
    head = "desk,shoe,game,bet type,amount,payout"
    draft = look(tmp_path, f"{head}\nT1,S1,1,p,100,-100\nT1,S1,1,b,100,95", "wagers.csv")
    assert (draft.table, draft.missing) == ("bets", None)
    assert any(line.startswith('paid = "net"') for line in draft.settings)


def test_no_file_and_no_row(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no such file"):
        survey(tmp_path / "none.csv")
    with pytest.raises(LogError, match="no row"):
        look(tmp_path, "a,b\n")


def test_canonical_names_go_first(tmp_path: Path) -> None:
    cards = ",".join(f"{hand}_{n}" for hand in ("player", "banker") for n in (1, 2, 3))
    head = f"table_id,shoe_id,round_no,started_at,commission,{cards}"
    draft = look(tmp_path, f"{head}\nT1,S1,1,{AT},commission,KS,9H,,KD,7C,5C")
    assert (draft.missing, draft.unused) == (None, {})
    assert draft.columns["player_1"] == "player_1"
    assert draft.columns["commission"] == "commission"


GAMES = [
    ["desk", "shoe", "game", "time", "cards", "ptotal", "btotal", "won"],
    ["T1", "S1", "1", AT, "S13,D2,H9,C7,,", "9", "9", "T"],
    ["T1", "S1", "2", AT, "S2,D13,H3,C7,S4,", "9", "7", "P"],
]
WAGERS = [["desk", "shoe", "game", "bet type", "amount", "payout"]]
WAGERS += [["T1", "S1", "1", "tie", "100", "900"], ["T1", "S1", "2", "b", "100", "0"]]


def packed(folder: Path, kind: str) -> Path:
    """A file with the games, the wagers and something else in it."""
    path = folder / f"log [all].{kind}"
    tables = {"Games": GAMES, "Notes": [["a"], ["b"]], "Wagers": WAGERS, "Empty": [["x"]]}
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, rows in tables.items():
                text = io.StringIO()
                csv.writer(text).writerows(rows)
                archive.writestr(f"{name}.csv", text.getvalue())
    elif kind == "xlsx":
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, rows in tables.items():
            sheet = book.create_sheet(name)
            for row in rows:
                sheet.append(row)
        book.save(path)
    else:
        with closing(sqlite3.connect(path)) as connection, connection:
            for name, rows in tables.items():
                columns = ", ".join(f'"{each}"' for each in rows[0])
                connection.execute(f"CREATE TABLE {name} ({columns})")
                marks = ",".join("?" * len(rows[0]))
                connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows[1:])
    return path


@pytest.mark.parametrize("kind", ["zip", "xlsx", "sqlite"])
def test_what_holds_several_tables(kind: str, tmp_path: Path) -> None:
    path = packed(tmp_path, kind)
    found = survey(path)
    end = ".csv" if kind == "zip" else ""
    assert [draft.name for draft in found.drafts] == [
        f"{path.name}/Games{end}",
        f"{path.name}/Wagers{end}",
    ]
    assert any(note.startswith(f"{path.name}/Notes") for note in found.notes)
    (tmp_path / "draft.toml").write_text(found.toml, encoding="utf-8")
    log = read_log([path], load_profile(tmp_path / "draft.toml"))
    assert hands(log) == [("KS 9H", "2D 7C"), ("2S 3H 4S", "KD 7C")]
    assert log.tables["bets"].height == 2
    assert log.rejects.is_empty()
    (one,) = survey(path, f"Wagers{end}").drafts
    assert one.table == "bets"
    with pytest.raises(LogError, match=r"no table 'Nothing' in it \(found: "):
        survey(path, "Nothing")


def test_parts_of_what_has_none(tmp_path: Path) -> None:
    look(tmp_path, "a,b\n1,2\n")
    with pytest.raises(LogError, match="no parts in it"):
        survey(tmp_path / "games.csv", "sheet")


def test_another_game_is_told(tmp_path: Path) -> None:
    head = "table,shoe,round,time,player,banker,player total,banker total,winner"
    rows = [f"T1,S1,{n},{AT},KS 9H,KD 7C,{n + 11},21,player" for n in range(1, 9)]
    draft = look(tmp_path, "\n".join([head, *rows]))
    notes = [note for note in draft.notes if "another game" in note]
    assert notes == [
        f"{name} goes up to {most}, and a hand of baccarat has 9 at the most: this is another "
        "game, or the column is no total."
        for name, most in (("player total", 19), ("banker total", 21))
    ]


def test_codes_of_outcomes_by_the_totals_where_there_are_no_cards(tmp_path: Path) -> None:
    head = "table,shoe,round,time,ptotal,btotal,result"
    rows = [f"T1,S1,1,{AT},9,7,1", f"T1,S1,2,{AT},5,7,3", f"T1,S1,3,{AT},7,7,2"]
    rows += [f"T1,S1,4,{AT},8,7,3", f"T1,S1,5,{AT},1,7,3"]
    draft = look(tmp_path, "\n".join([head, *rows]))
    assert draft.missing is None
    assert "result 3: banker by the totals in 2 of 3 rounds." in draft.notes
    (tmp_path / "draft.toml").write_text(draft.toml)
    log = read_log([tmp_path / "games.csv"], load_profile(tmp_path / "draft.toml"))
    told = log.tables["rounds"]["outcome"].to_list()
    assert told == ["player", "banker", "tie", "banker", "banker"]


def test_five_cards_without_an_empty_place(tmp_path: Path) -> None:
    head = "table,shoe,round,time,cards,ptotal,btotal"
    rows = [
        f"T1,S1,1,{AT},S13 D2 H3 C3 C8,1,5",
        f"T1,S1,2,{AT},S13 D2 H3 C3 C13,3,5",
        f"T1,S1,3,{AT},S13 D2 H9 C7,9,9",
    ]
    draft = look(tmp_path, "\n".join([head, *rows]))
    assert any(
        "2 lists have five cards and no empty place: the totals recorded tell whose the fifth is "
        "in 1, and 1 would be rejects." in note
        for note in draft.notes
    )
    (tmp_path / "draft.toml").write_text(draft.toml)
    log = read_log([tmp_path / "games.csv"], load_profile(tmp_path / "draft.toml"))
    assert hands(log) == [("KS 3H 8C", "2D 3C"), ("KS 9H", "2D 7C")]
    draft = look(tmp_path, "\n".join(row.rpartition(",")[0] for row in [head, *rows]))
    assert any("nothing tells whose the fifth is" in note for note in draft.notes)
