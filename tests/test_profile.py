"""A profile is refused where anything in it is not understood, with file and key named."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LogError, ProfileError
from audit.profile import load_profile, shipped
from tests.profiles import BETS, profile, read, rounds

CARDS = 'player_cards = "p"\nbanker_cards = "b"'
SOUND = rounds(CARDS)
ONE = "t,s,n,at,p,b\nT1,S1,1,2007-07-01 12:00,KS 9H,KD 7C\n"


def told(folder: Path, text: str) -> str:
    with pytest.raises(ProfileError) as error:
        load_profile(profile(folder, text))
    sentence = error.value.sentence()
    assert sentence.startswith("mine.toml"), sentence
    return sentence


def test_a_sound_profile(tmp_path: Path) -> None:
    found = load_profile(profile(tmp_path, SOUND))
    assert found.name == "mine.toml"
    assert len(found.sha256) == 64
    assert read(tmp_path, SOUND, rounds=ONE).tables["rounds"].height == 1


REFUSED = [
    ("[round]\n", ["round", "unknown key", "'rounds'"]),
    ("", ["no table [rounds]"]),
    (rounds(CARDS, "fils = 1"), ["rounds.fils", "unknown key", "'files'"]),
    (rounds(CARDS + '\nplayer_totl = "x"'), ["rounds.columns.player_totl", "'player_total'"]),
    (rounds(CARDS + "\nplayer_total = 3"), ["rounds.columns.player_total", "3 is no column"]),
    (rounds(CARDS + '\nkind = { valu = "x" }'), ["rounds.columns.kind.valu", "'value'"]),
    (rounds(CARDS + '\nkind = { value = "plai" }'), ["columns.kind", "one of play, demo"]),
    (rounds('player_cards = "p"'), ["required column 'banker_cards'"]),
    (rounds('deal = "p"'), ["rounds.cards.deal_order", "alternate"]),
    (rounds(CARDS, 'cards = "suit-rnk"'), ["rounds.cards", "'suit-rank'"]),
    (rounds(CARDS, tables='[rounds.cards]\norder = "SHDD"'), ["rounds.cards.order"]),
    (rounds(CARDS, tables='[rounds.cards]\nwords = { X = "Z" }'), ["cards.words.X", "neither"]),
    (rounds(CARDS, tables='[rounds.times]\nformat = "%H:%M"'), ["times.format", "the date"]),
    (rounds(CARDS, tables='[rounds.times]\nformat = "%d/%m/%Y"'), ["times.format", "time of day"]),
    (rounds(CARDS, tables='[rounds.times]\nzone = "Asia/Makau"'), ["times.zone", "Asia/Macau"]),
    (
        rounds(CARDS, tables='[rounds.times]\nformat = "epoch_s"\nzone = "UTC"'),
        ["times.zone", "an epoch counts in UTC"],
    ),
    (rounds(CARDS, tables='[rounds.maps.outcome]\n1 = "bank"'), ["maps.outcome.1", "'bank'"]),
    (
        rounds(CARDS, tables='[rounds.maps.outcome]\nP = "player"\np = "tie"'),
        ["outcome.p", "twice"],
    ),
    (rounds(CARDS, tables='[rounds.maps.player_total]\n1 = "2"'), ["player_total", "no word"]),
    (rounds(CARDS, "where = { st = 1 }"), ["rounds.where.st", "not a list of texts"]),
    (rounds(CARDS, 'paid = "net"'), ["rounds.paid", "only bets"]),
    (rounds(CARDS, 'shoe_key = ["d", "s"]'), ["rounds.shoe_key", "shoe_id is given too"]),
    (rounds(CARDS, 'sql = "SELECT 1"'), ["rounds", "either columns or sql"]),
    (SOUND.replace('"rounds.csv"', '"../rounds.csv"'), ["rounds.files", "log's folder"]),
    (SOUND.replace('"rounds.csv"', '"/etc/passwd"'), ["rounds.files", "log's folder"]),
    (SOUND.replace('"rounds.csv"', "[]"), ["rounds.files", "no files"]),
    (SOUND + BETS.format(keys='paid = "gros"', columns=""), ["bets.paid", "returned, winnings"]),
    (
        SOUND + BETS.format(keys="commission_apart = true", columns=""),
        ["bets.commission_apart", "commission_taken"],
    ),
    (
        SOUND + BETS.format(keys="money = { scale = 60 }", columns=""),
        ["bets.money.scale", "power of ten"],
    ),
    (
        SOUND + BETS.format(keys='money = { thousands = "." }', columns=""),
        ["bets.money.thousands", "the same"],
    ),
    ('[rounds]\nfiles = "a.csv"\nsql = "SELECT 1"', ["rounds.files", "by name"]),
    ('[rounds]\nfiles = { "a b" = "a.csv" }\nsql = "SELECT 1"', ["rounds.files.a b", "no name"]),
    ("[rounds\n", ["line 1"]),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_refused(text: str, words: list[str], tmp_path: Path) -> None:
    sentence = told(tmp_path, text)
    assert all(word in sentence for word in words), sentence


def test_no_such_profile(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="The nearest is 'live-feed'"):
        load_profile("live-fed")
    with pytest.raises(ProfileError, match="no such file"):
        load_profile(tmp_path / "none.toml")


@pytest.mark.parametrize("name", shipped())
def test_shipped_profiles_load(name: str) -> None:
    assert load_profile(name).name == name


def test_a_column_that_the_file_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"rounds\.csv: .*'at' is missing .*The nearest is 'att'"):
        read(tmp_path, SOUND, rounds=ONE.replace(",at,", ",att,"))


def test_a_pattern_that_finds_nothing(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"no file of the log is named 'rounds\.csv'"):
        read(tmp_path, SOUND, other=ONE)


def test_a_link_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / "outside.csv").write_text(ONE)
    (tmp_path / "log" / "rounds.csv").symlink_to(tmp_path / "outside.csv")
    with pytest.raises(LogError, match="leads out of the log's folder"):
        read(tmp_path, SOUND)
