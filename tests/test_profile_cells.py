"""What a profile makes of cells: cards, times, words, money, shoes, finished rounds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from audit.errors import LogError
from tests.profiles import BETS, audit, faults, hands, read, rounds

CARDS = 'player_cards = "p"\nbanker_cards = "b"'
AT = "2007-07-01 12:00"
ONE = f"t,s,n,at,p,b\nT1,S1,1,{AT},KS 9H,KD 7C\n"


def dealt(folder: Path, notation: str, player: str, banker: str, **more: str) -> object:
    """The hands of one round, or its reject."""
    keys = "\n".join(f"{key} = {value}" for key, value in more.items())
    toml = rounds(CARDS, tables=f'[rounds.cards]\nnotation = "{notation}"\n{keys}')
    found = read(folder, toml, rounds=f't,s,n,at,p,b\nT1,S1,1,{AT},"{player}","{banker}"')
    return hands(found)[0] if hands(found) else faults(found)[0]


@pytest.mark.parametrize(
    ("notation", "player", "banker"),
    [
        ("rank-suit", "KS 10H", "AD 7C"),
        ("rank-suit", "K♠ t♥", "a♦ 7♣"),
        ("suit-rank", "SK H10", "D1 C7"),
        ("suit-rank", "S13;H10", "D.1 C_7"),
        ("suit-rank", "SPADE_K, HEART_10", "DIAMOND_ACE, CLUBS_7"),
        ("suit-rank", "SKH10", "DAC7"),
        ("index0", "12 22", "26 45"),
        ("index0", "64,74", "26,97"),
        ("index1", "13 23", "27 46"),
        ("hex", "1d 2a", "41 37"),
    ],
)
def test_notations(notation: str, player: str, banker: str, tmp_path: Path) -> None:
    order = {"order": '"SHCD"'} if notation == "hex" else {}
    assert dealt(tmp_path, notation, player, banker, **order) == ("KS 10H", "AD 7C")


def test_half_known_cards(tmp_path: Path) -> None:
    assert dealt(tmp_path / "1", "rank", "K 10", "A,7") == ("K 10", "A 7")
    assert dealt(tmp_path / "2", "points", "0 9", "10 7 1") == ("0p 9p", "0p 7p 1p")


@pytest.mark.parametrize(
    ("notation", "player"),
    [
        ("rank-suit", "SK 9H"),
        ("suit-rank", "KS"),
        ("suit-rank", "S14"),
        ("suit-rank", "S111"),
        ("index0", "-1"),
        ("index0", "624"),
        ("index1", "0"),
        ("hex", "5a 11"),
        ("rank", "1010x"),
        ("rank", "111"),
        ("points", "93"),
        ("points", "11"),
    ],
)
def test_a_card_of_another_notation_is_a_reject(notation: str, player: str, tmp_path: Path) -> None:
    assert dealt(tmp_path, notation, player, player) == (1, "player_cards", player, "unknown_card")


def test_order_of_suits_and_own_words(tmp_path: Path) -> None:
    assert dealt(tmp_path / "1", "index0", "0 13", "26 39", order='"CDHS"') == ("AC AD", "AH AS")
    words = '{ "黑桃" = "S", "紅心" = "H", "王" = "K" }'
    found = dealt(tmp_path / "2", "suit-rank", "黑桃王 紅心9", "黑桃2 紅心5", words=words)
    assert found == ("KS 9H", "2S 5H")


def test_texts_for_no_card(tmp_path: Path) -> None:
    toml = rounds(
        "\n".join(
            f'{hand}_{n} = "{hand[0]}{n}"' for hand in ("player", "banker") for n in (1, 2, 3)
        ),
        tables='[rounds.cards]\nnotation = "index1"\nempty = ["0", "-"]',
    )
    head = "t,s,n,at,p1,p2,p3,b1,b2,b3"
    found = read(tmp_path, toml, rounds=f"{head}\nT1,S1,1,{AT},13,22,0,26,46,-")
    assert hands(found) == [("KS 9H", "KH 7C")]


def test_rank_and_suit_apart(tmp_path: Path) -> None:
    columns = [
        f'{hand}_{n} = {{ rank = "{hand[0]}{n}r", suit = "{hand[0]}{n}s", '
        'suits = { 1 = "S", 2 = "H", 3 = "C", 4 = "D" } }'
        for hand in ("player", "banker")
        for n in (1, 2, 3)
    ]
    head = "t,s,n,at," + ",".join(f"{h}{n}{x}" for h in "pb" for n in (1, 2, 3) for x in "rs")
    row = f"T1,S1,{{}},{AT},13,1,9,Hearts,,,{{}},4,7,3,,"
    text = "\n".join([head, row.format(1, "K"), row.format(2, "")])
    found = read(tmp_path, rounds("\n".join(columns)), rounds=text)
    assert hands(found) == [("KS 9H", "KD 7C")]
    assert faults(found) == [(2, "banker_1", "_D", "unknown_card")]


@pytest.mark.parametrize(
    ("order", "deal"),
    [
        ("alternate", "S13,D2,H3,C3,,C8"),
        ("alternate", "S13,D2,H3,C3,,C8,,"),
        ("player_first", "S13,H3,,D2,C3,C8"),
        ("banker_first", "D2,C3,C8,S13,H3,"),
    ],
)
def test_one_list_of_both_hands(order: str, deal: str, tmp_path: Path) -> None:
    cards = f'cards = {{ notation = "suit-rank", deal_order = "{order}" }}'
    text = f't,s,n,at,d\nT1,S1,1,{AT},"{deal}"'
    found = read(tmp_path, rounds('deal = "d"', cards), rounds=text)
    assert hands(found) == [("KS 3H", "2D 3C 8C")]


def test_a_fifth_card_that_could_be_either_hand_s(tmp_path: Path) -> None:
    cards = 'cards = { notation = "suit-rank", deal_order = "alternate" }'
    text = f"t,s,n,at,d\nT1,S1,1,{AT},S13 D2 H3 C3 C8\nT1,S1,2,{AT},S13 D2 H9 C7"
    found = read(tmp_path, rounds('deal = "d"', cards), rounds=text)
    assert faults(found) == [(1, "player_cards", "S13 D2 H3 C3 C8", "unknown_card")]
    assert hands(found) == [("KS 9H", "2D 7C")]


@pytest.mark.parametrize(
    ("times", "text", "told"),
    [
        ('format = "epoch_s"', "1183262400", "2007-07-01 12:00:00"),
        ('format = "epoch_ms"', "1183262400329", "2007-07-01 12:00:00.329000"),
        (
            'format = "%Y-%m-%d %H:%M:%S:%f"',
            "2007-07-01 12:00:00:329",
            "2007-07-01 12:00:00.329000",
        ),
        ('format = "%d/%m/%Y %H:%M"\nzone = "UTC"', "01/07/2007 04:00", "2007-07-01 12:00:00"),
        ('zone = "Europe/Lisbon"', "2007-07-01 05:00:00", "2007-07-01 12:00:00"),
        ('zone = "+09:00"', "2007-07-01 13:00:00", "2007-07-01 12:00:00"),
        ('zone = "UTC"', "2007-07-01 12:00:00+08:00", "2007-07-01 12:00:00"),
    ],
)
def test_times(times: str, text: str, told: str, tmp_path: Path) -> None:
    toml = rounds(CARDS, tables=f"[rounds.times]\n{times}")
    found = read(tmp_path, toml, rounds=ONE.replace(AT, text)).tables["rounds"]
    assert str(found["started_at"].item()) == told


@pytest.mark.parametrize(
    ("times", "text"),
    [
        ('format = "epoch_s"', "12:00"),
        ('format = "%d/%m/%Y %H:%M"', "2007-07-01 12:00"),
        ('zone = "Europe/Lisbon"', "2007-10-28 01:30:00"),
    ],
)
def test_a_time_that_is_none_or_was_twice(times: str, text: str, tmp_path: Path) -> None:
    toml = rounds(CARDS, tables=f"[rounds.times]\n{times}")
    found = read(tmp_path, toml, rounds=ONE + f"T1,S1,2,{text},KS 9H,KD 7C").rejects
    assert (2, "started_at", text, "not_a_time") in found.select(
        "row", "column", "text", "reason"
    ).rows()


def test_words_joined_columns_and_constants(tmp_path: Path) -> None:
    toml = rounds(
        CARDS + '\noutcome = "w"\ncasino = { value = "Harbour" }',
        tables='[rounds.maps.outcome]\n0 = "tie"\n1 = "player"\n2 = "banker"\n9 = ""',
    ).replace('started_at = "at"', 'started_at = { join = ["day", "clock"] }')
    row = "T1,S1,{},2007-07-01,12:00,KS 9H,KD 7C,{}"
    text = "\n".join(
        ["t,s,n,day,clock,p,b,w", *(row.format(n, w) for n, w in enumerate("19B0", 1))]
    )
    found = read(tmp_path, toml, rounds=text)
    frame = found.tables["rounds"]
    assert frame["outcome"].to_list() == ["player", None, "tie"]
    assert frame["casino"].unique().to_list() == ["Harbour"]
    assert faults(found) == [(3, "outcome", "B", "unknown_word")], "no other word is guessed"


def test_a_shoe_of_several_columns(tmp_path: Path) -> None:
    toml = rounds(CARDS, 'shoe_key = ["day", "s"]').replace('shoe_id = "s"\n', "")
    rows = [
        f"T1,{s},1,{AT},KS 9H,KD 7C,{day}" for day, s in (("a", "b~c"), ("a~b", "c"), ("", "1"))
    ]
    found = read(tmp_path, toml, rounds="\n".join(["t,s,n,at,p,b,day", *rows]))
    assert found.tables["rounds"]["shoe_id"].to_list() == ["a~b~0c", "a~0b~c"]
    assert faults(found) == [(3, "shoe_id", None, "missing")]


def test_rows_that_are_no_finished_rounds_are_set_aside(tmp_path: Path) -> None:
    toml = rounds(CARDS, 'where = { st = ["done", "paid"] }')
    rows = [
        f"T1,S1,{n},{AT},{p},KD 7C,{st}"
        for n, (p, st) in enumerate(
            [("KS 9H", "done"), ("KS", ""), ("?", "dealing"), ("?", "paid")], 1
        )
    ]
    found = read(tmp_path, toml, rounds="\n".join(["t,s,n,at,p,b,st", *rows]))
    assert found.tables["rounds"]["row"].to_list() == [1]
    assert faults(found) == [(4, "player_cards", "?", "unknown_card")]
    counts = found.sources.select("rows_read", "audited", "rejected", "set_aside").row(0)
    assert counts == (4, 1, 1, 2)


def test_one_file_for_two_tables(tmp_path: Path) -> None:
    toml = rounds(CARDS) + BETS.replace("bets.csv", "rounds.csv").format(keys="", columns="")
    text = f"t,s,n,at,p,b,on,staked,got\nT1,S1,1,{AT},KS 9H,KD 7C,p,100,200\nT1,S1,2,{AT},?,,p,1,x"
    found = read(tmp_path, toml, rounds=text)
    assert found.sources.select("table", "rows_read", "audited", "rejected").rows() == [
        ("rounds", 2, 1, 1),
        ("bets", 2, 1, 1),
    ]


def test_cards_by_points_are_judged_by_what_is_known(tmp_path: Path) -> None:
    toml = rounds(CARDS + '\nplayer_pair = "pp"', 'cards = "points"') + BETS.format(
        keys="", columns=""
    )
    head = "t,s,n,at,p,b,pp"
    files = {
        "rounds.csv": f"{head}\nT1,S1,1,{AT},0 9,0 7,no\nT1,S1,2,{AT},2 2,0 7,",
        "bets.csv": "t,s,n,on,staked,got\nT1,S1,1,p,100,200\nT1,S1,1,player_pair,10,0\n"
        "T1,S1,1,jackpot,10,5000",
    }
    found = audit(tmp_path, toml, files, decks=8)
    assert found.rows("round_no", "code") == [(2, "A0901")]
    told = found.tables["not_applied"]
    rows = {(code, reason): n for code, reason, n in told.select("code", "reason", "rows").rows()}
    assert rows["L06", "missing:suits_known"] == 2
    assert rows["A1302", "missing:by_player_pair"] == 1
    assert rows["A1712", "missing:jackpot_known"] == 1
    assert rows["A1704", "undetermined"] == 1


def test_cards_by_rank_tell_pairs_but_no_suits(tmp_path: Path) -> None:
    toml = rounds(CARDS, 'cards = "rank"') + BETS.format(keys="", columns="")
    files = {
        "rounds.csv": f"t,s,n,at,p,b\nT1,S1,1,{AT},K K,2 7\nT1,S1,2,{AT},9 K,A 7\n"
        f"T1,S1,3,{AT},A 10,J Q K",
        "bets.csv": "t,s,n,on,staked,got\nT1,S1,1,player_pair,100,100\nT1,S1,2,jackpot,10,50\n"
        "T1,S1,3,jackpot,10,50",
    }
    found = audit(tmp_path, toml, files, decks=8, select=("A17",))
    assert found.rows("round_no", "code") == [(1, "A1701"), (2, "A1712")]
    told = found.tables["not_applied"].filter(code="A1712")
    assert told.select("reason", "rows").rows() == [("missing:jackpot_known", 1)]


def test_a_log_of_outcomes_alone(tmp_path: Path) -> None:
    toml = rounds('outcome = "w"') + BETS.format(keys="", columns="")
    files = {
        "rounds.csv": f"t,s,n,at,w\nT1,S1,1,{AT},P\nT1,S1,2,{AT},",
        "bets.csv": "t,s,n,on,staked,got\nT1,S1,1,p,100,150",
    }
    found = audit(tmp_path, toml, files)
    assert found.rows("round_no", "code") == [(1, "A1701"), (2, "L01")]


def test_another_game_is_refused(tmp_path: Path) -> None:
    toml = rounds(CARDS + '\nplayer_total = "total"')
    rows = [f"T1,S1,{n},{AT},KS 9H,KD 7C,{n + 8}" for n in range(1, 14)]
    text = "\n".join(["t,s,n,at,p,b,total", *rows])
    with pytest.raises(LogError, match=r"12 of 13 rounds .* such as 10: this is not baccarat"):
        read(tmp_path, toml, rounds=text)


@pytest.mark.parametrize(
    ("order", "player", "banker"),
    [
        ("alternate", "KS 2D 3H 3C 8C", "KS 2D 3H 3C 8C"),
        ("player_first", "KS 3H 8C 2D 3C", "KS 3H 2D 3C 8C"),
        ("banker_first", "2D 3C KS 3H 8C", "2D 3C 8C KS 3H"),
    ],
)
def test_whose_the_fifth_card_is_by_the_number_of_cards(
    order: str, player: str, banker: str, tmp_path: Path
) -> None:
    cards = f'cards = {{ deal_order = "{order}", fifth = {{ player = "pn", banker = "bn" }} }}'
    rows = [
        f"T1,S1,1,{AT},{player},3,2",
        f"T1,S1,2,{AT},{banker},2,3.0",
        f"T1,S1,3,{AT},{banker},3,3",
        f"T1,S1,4,{AT},{banker},,",
        f"T1,S1,5,{AT},S 2,2,2",
    ]
    found = read(
        tmp_path, rounds('deal = "d"', cards), rounds="\n".join(["t,s,n,at,d,pn,bn", *rows])
    )
    assert hands(found) == [("KS 3H 8C", "2D 3C"), ("KS 3H", "2D 3C 8C")]
    assert [row for row, *_ in faults(found)] == [3, 4, 5]


def test_whose_the_fifth_card_is_by_totals_only_where_they_tell_it(tmp_path: Path) -> None:
    cards = 'cards = { deal_order = "alternate", fifth = "totals" }'
    columns = 'deal = "d"\nplayer_total = "pt"\nbanker_total = "bt"'
    rows = [
        f"T1,S1,1,{AT},KS 2D 3H 3C 8C,1,5",
        f"T1,S1,2,{AT},KS 2D 3H 3C 8C,3,3",
        f"T1,S1,3,{AT},KS 2D 3H 3C QC,3,5",  # a queen counts nothing: it may be either's
        f"T1,S1,4,{AT},KS 2D 3H 3C 8C,3,5",  # neither
        f"T1,S1,5,{AT},KS 2D 9H 7C,9,9",
        f"T1,S1,6,{AT},KS 2D 3H 3C 8C,,5",
    ]
    found = read(tmp_path, rounds(columns, cards), rounds="\n".join(["t,s,n,at,d,pt,bt", *rows]))
    assert hands(found) == [("KS 3H 8C", "2D 3C"), ("KS 3H", "2D 3C 8C"), ("KS 9H", "2D 7C")]
    assert faults(found) == [
        (n, "player_cards", f"KS 2D 3H 3C {card}", "unknown_card")
        for n, card in ((3, "QC"), (4, "8C"), (6, "8C"))
    ]


def test_zones_where_the_system_knows_none(tmp_path: Path) -> None:
    code = (
        "from audit.profile.layout import zone; from datetime import datetime;"
        "print(datetime(2007, 7, 1, tzinfo=zone('Europe/Lisbon')).utcoffset())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONTZPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "1:00:00\n", done.stderr
