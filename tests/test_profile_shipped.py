"""Each shipped profile on a log of its shape; the real ones are read where they are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from audit.case import open_case
from audit.errors import ProfileError
from audit.normalise import read_log
from audit.pipeline import Job, run_audit
from audit.profile import load_profile
from audit.resolve import Options
from audit.verify import verify_case
from tests.profiles import folder_of, hands, profile, rounds
from tests.support import Audit, run_folder

REAL = Path(os.environ.get("BACCARAT_AUDIT_FOREIGN_LOGS", "/nonexistent"))
"""Folder of logs that others wrote, which cannot be part of the project."""

AT = "2007-07-01 12:00"


def write(folder: Path, **documents: Any) -> Path:
    folder.mkdir(exist_ok=True)
    for name, document in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


def codes(found: Audit) -> list[tuple[Any, ...]]:
    return found.rows("table_id", "shoe_id", "code")


def three_tables(folder: Path) -> Path:
    names = ("baccarat", "player_hand", "banker_hand")
    for name in names:
        (folder / name).mkdir(parents=True)
    games = [
        # id, Player's and Banker's total, wager, net payout, outcome, bet
        ("a", 9, 7, 100.0, 100.0, "Player wins!", "Player", "KS 9H", "KD 7C"),
        ("b", 6, 7, 771.0, 732.4499999999999, "Banker wins!", "Banker", "KS 6H", "KD 7C"),
        ("c", 7, 7, 50.0, -50.0, "It's a tie!", "Banker", "KS 7H", "KD 7C"),
        ("d", 2, 8, 20.0, -20.0, "Banker wins!", "Tie", "KS 9H 3D", "KD 8C"),
        ("e", 9, 7, 0.0, 0.0, "Player wins!", "Tie", "KS 9H", "KD 7C"),
    ]
    ids = [f"dlt-{game[0]}" for game in games]
    pl.DataFrame(
        {
            "game_id": [f"G{game[0]}" for game in games],
            "player_id": ["P1"] * len(games),
            "start_time": [f"2007-07-01T04:0{n}:00" for n in range(len(games))],
            "player_hand_value": [game[1] for game in games],
            "banker_hand_value": [game[2] for game in games],
            "player_wager": [game[3] for game in games],
            "player_payout": [game[4] for game in games],
            "game_outcome": [game[5] for game in games],
            "player_bet": [game[6] for game in games],
            "_dlt_id": ids,
        }
    ).with_columns(
        pl.col("start_time").str.to_datetime(time_unit="us").dt.replace_time_zone("UTC")
    ).write_parquet(folder / "baccarat" / "1.parquet")
    suits = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
    for place, name in ((7, "player_hand"), (8, "banker_hand")):
        cards = [
            (parent, card[:-1], suits[card[-1]], n)
            for parent, game in zip(ids, games, strict=True)
            for n, card in enumerate(str(game[place]).split())
        ]
        pl.DataFrame(
            cards[::-1], ["_dlt_parent_id", "value", "rank", "_dlt_list_idx"], orient="row"
        ).write_parquet(folder / name / "1.parquet")
    return folder


def test_three_tables(tmp_path: Path) -> None:
    found = run_folder(three_tables(tmp_path / "log"), profile="three-tables")
    assert codes(found) == [
        ("ONLINE", "Gc", "A1202"),
        ("ONLINE", "Gd", "A0903"),
        ("ONLINE", "Ge", "L10"),
    ]
    assert found.tables["rounds"]["started_at"].min().hour == 12  # type: ignore[union-attr]


def test_live_feed(tmp_path: Path) -> None:
    state = {
        "1-1": {"rs": 11, "st": "waiting", "pk": "C.7,C.8,H.11,D.7,,C.7"},
        "1-2": {"rs": 12, "st": "waiting", "pk": "H.13,S.2,S.9,C.13,S.1,"},
        "1-3": {"rs": 13, "pk": "C.3,,D.7,,,"},
        "1-4": {"rs": 14, "st": "betting", "pk": ",,,,,"},
        "9-1": {"rs": 15, "st": "waiting", "pk": "3,6,4"},
        "1-5": {"cd": 3},
    }
    log = write(tmp_path / "log", update={"action": "update", "sl": state})
    found = run_folder(log, profile="live-feed", rules="64-2007")
    assert codes(found) == [("1-2", "12", "A0903")]
    counts = found.summary.tables["rounds"]
    assert (counts.read, counts.audited, counts.set_aside) == (5, 2, 3)


def message(player: str, banker: str, totals: tuple[int, int], won: str, number: int) -> Any:
    def cards(text: str) -> list[dict[str, Any]]:
        return [{"CardName": card, "CardValue": 11} for card in text.split()]

    return {
        "PlayerCards": cards(player),
        "BankerCards": cards(banker),
        "playerHandValue": totals[0],
        "bankerHandValue": totals[1],
        "isPlayerPair": False,
        "isBankerPair": False,
        "roundId": number,
        "WinningHand": won,
    }


def test_live_messages(tmp_path: Path) -> None:
    history = [
        message("Ah 8s", "Ts 7d", (9, 7), "Player", 1),
        message("2h 3s", "Kd Qd", (5, 0), "Player", 2),
    ]
    log = write(
        tmp_path / "log",
        first={"TableId": "7", "RoundTripStartTime": 1183262400329, "data": {"History": history}},
        result={
            "RoundTripStartTime": 1183262500000,
            "GameResults": message("Kh 6s", "Kd 7h", (6, 7), "Banker", 3),
        },
    )
    found = run_folder(log, profile="live-messages")
    assert codes(found) == [("7", "2", "A0901"), ("7", "2", "A0904")]
    assert found.summary.tables["rounds"].audited == 3


def test_vendors(tmp_path: Path) -> None:
    game = {
        "gameUid": "t1",
        "gameReferenceCode": "R1",
        "startDate": 1183262400000,
        "gameResultType": "PLAYER_WIN",
        "gameplay": {
            ".BaccaratGameplay": {
                "playerHand": {"cards": {"0": "S_K", "1": "H_9"}, "cancelledCards": []},
                "bankerHand": {"cards": {"1": "C_7", "0": "D_10"}, "cancelledCards": ["C_A"]},
            }
        },
    }
    tagged = {
        "gameresult": {
            "points": [7, 9],
            "cards": [
                {"poker": "S13", "tag": 2},
                {"poker": "D10", "tag": 1},
                {"poker": "H9", "tag": 2},
                {"poker": "C7", "tag": 1},
            ],
        }
    }
    hexed = {"roundCard": "4a,37,0,1d,29,0"}
    for name, document in (
        ("numbered-cards", [game]),
        ("tagged-cards", tagged),
        ("hex-pairs", hexed),
    ):
        log = write(tmp_path / name, it=document)
        assert hands(read_log([log], load_profile(name))) == [("KS 9H", "10D 7C")], name
        assert run_folder(log, profile=name, rules="64-2007").rows("code") == [], name


@pytest.mark.skipif(not REAL.is_dir(), reason="logs that others wrote are not part of the project")
def test_real_ones() -> None:
    found = run_folder(REAL / "three-table-parquet", profile="three-tables", rules="64-2007")
    of = [code for (code,) in found.rows("code")]
    assert sum(code.startswith("A09") for code in of) == 386
    assert (of.count("A1202"), of.count("L10"), len(of)) == (79, 2, 467)
    feed = run_folder(REAL / "live-feed-json", profile="live-feed", rules="64-2007")
    assert (feed.rows("code"), feed.summary.tables["rounds"].audited) == ([], 3)
    messages = run_folder(REAL / "live-messages-json", profile="live-messages", rules="64-2007")
    assert (messages.rows("code"), messages.summary.tables["rounds"].audited) == ([], 25)
    for file, name in (
        ("empiregaming_replay", "numbered-cards"),
        ("hackmd_live_wager", "tagged-cards"),
        ("pkg333", "hex-pairs"),
    ):
        one = run_folder([REAL / "vendor-samples" / f"{file}.json"], profile=name, rules="64-2007")
        assert one.rows("code") == [], file


def test_manifest_and_verify(tmp_path: Path) -> None:
    log = three_tables(tmp_path / "log")
    case = tmp_path / "case"
    run_audit(Job([log], case, options=Options(rules="64-2007"), profile="three-tables"))
    manifest = json.loads((case / "manifest.json").read_text())
    assert manifest["profile"] == {
        "name": "three-tables",
        "sha256": load_profile("three-tables").sha256,
    }
    found = verify_case(case, [log])
    assert {part.state for part in found.parts} == {"same"}
    opened = open_case(case)
    try:
        assert opened.connection.execute("SELECT count(*) FROM sources").fetchone() == (4,)
    finally:
        opened.close()


def test_verify_needs_the_very_profile(tmp_path: Path) -> None:
    text = f"t,s,n,at,p,b\nT1,S1,1,{AT},KS 9H,KD 7C"
    log = folder_of(tmp_path, {"rounds.csv": text})
    own = profile(tmp_path, rounds('player_cards = "p"\nbanker_cards = "b"'))
    case = tmp_path / "case"
    run_audit(Job([log], case, profile=own))

    def state(**given: Any) -> dict[str, str]:
        return {part.what: part.state for part in verify_case(case, [log], **given).parts}

    assert (state()["profile"], state()["second audit"]) == ("not_checked", "not_checked")
    assert state(profile=own)["second audit"] == "same"
    own.write_text(own.read_text() + "\n# another\n")
    assert state(profile=own)["profile"] == "differs"
    own.unlink()
    with pytest.raises(ProfileError, match="there is no such file"):
        state(profile=own)
