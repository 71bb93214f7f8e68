"""``inspect``: what it recognises, what it tests, and what it does not claim."""

from __future__ import annotations

from pathlib import Path

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
