"""Each disputed text: either reading is accepted and counted; a pinned one decides, and only it."""

from __future__ import annotations

import pytest

from audit.errors import OptionError, RulebookError
from audit.resolve.options import pinned
from audit.rulebook import load_rulebook
from tests.support import Audit, run_files

PRIZES = """
combination,amount,approved_on,valid_from
four_of_a_kind,20000,2007-02-01,2007-02-23
two_pairs,3000,2007-02-01,2007-02-23
three_of_a_kind,1200,2007-02-01,2007-02-23
single_pair,60,2007-02-01,2007-02-23
"""

LOGS: dict[str, dict[str, str]] = {
    # Four nines, three suits: 20000 if suits need not all differ, else the three of a kind.
    "four_of_a_kind_suits": {
        "rounds.csv": "player_cards,banker_cards\n9S 9H,9S 9D",
        "bets.csv": "bet,stake,paid\njackpot,10,20000",
        "jackpot_prizes.csv": PRIZES,
    },
    # A seven burned with six more (included), as if it were one of the seven.
    "burn_counts_first_card": {
        "rounds.csv": "player_cards,banker_cards\nKS 9H,KD 7C",
        "shoes.csv": "device,burn_rule,first_card,burned\nshoe,first_card,7S,7",
    },
    # A king burned as ten.
    "burn_value_of_ten": {
        "rounds.csv": "player_cards,banker_cards\nKS 9H,KD 7C",
        "shoes.csv": "device,burn_rule,first_card,burned\nshoe,first_card,KS,10",
    },
    # Two pairs hold a single pair as well: 3000 alone.
    "jackpot_one_prize": {
        "rounds.csv": "player_cards,banker_cards\n9S 9H,8S 8D",
        "bets.csv": "bet,stake,paid\njackpot,10,3000",
        "jackpot_prizes.csv": PRIZES,
    },
    # A pool of 90 for one person with two bets and another with one: thirds by bets.
    "jackpot_share": {
        "rounds.csv": "player_cards,banker_cards,jackpot_pool\nAS QS 10S,KS JS 5H,90",
        "bets.csv": "bet,position,stake,paid\njackpot,1,10,30\njackpot,1,10,30\njackpot,2,10,30",
        "jackpot_prizes.csv": PRIZES,
    },
    # A single pair, two winners, each paid the whole.
    "jackpot_fixed_prize": {
        "rounds.csv": "player_cards,banker_cards\n9S 9H,8S KD",
        "bets.csv": "bet,position,stake,paid\njackpot,1,10,60\njackpot,2,10,60",
        "jackpot_prizes.csv": PRIZES,
    },
    "art19_options": {
        "rounds.csv": "player_cards,banker_cards,kind\nKS 9H,KD 7C,demo\nKS 9H,KD 7C,play",
        "authorisations.csv": "option,requested_on,authorised_on\nart7_auto,2007-01-02,2007-02-01",
    },
    "side_bet_needs_main_bet": {
        "rounds.csv": "player_cards,banker_cards\nKS 9H,KD 7C",
        "bets.csv": "bet,position,stake,paid\nplayer_pair,1,100,0\nplayer,2,100,200\ntie,2,5,0",
    },
}

PINNED: dict[tuple[str, str], list[tuple[str, ...]]] = {
    ("four_of_a_kind_suits", "any"): [],
    ("four_of_a_kind_suits", "not_one_suit"): [],
    ("four_of_a_kind_suits", "distinct"): [("A1713", "violation")],
    ("burn_counts_first_card", "included"): [],
    ("burn_counts_first_card", "excluded"): [("A0201", "violation")],
    ("burn_value_of_ten", "10"): [],
    ("burn_value_of_ten", "0"): [("A0201", "violation")],
    ("jackpot_one_prize", "highest"): [],
    ("jackpot_one_prize", "each"): [("A1713", "violation")],
    ("jackpot_share", "bets"): [],
    ("jackpot_share", "patrons"): [("A1714", "violation")] * 3,
    ("jackpot_fixed_prize", "each"): [],
    ("jackpot_fixed_prize", "round"): [("A1713", "violation")] * 2,
    ("art19_options", "alternatives"): [],
    ("art19_options", "all"): [("A1901", "violation")],
    ("side_bet_needs_main_bet", "yes"): [],
    ("side_bet_needs_main_bet", "no"): [("A1301", "violation")],
}

COUNTED = {"jackpot_share": 3, "jackpot_fixed_prize": 2}


def run(name: str, **interpret: str) -> Audit:
    return run_files(LOGS[name], interpret=interpret)


def test_every_interpretation_is_tried() -> None:
    book = load_rulebook()
    assert set(LOGS) == {each.id for each in book.interpretations}
    readings = {(each.id, reading) for each in book.interpretations for reading in each.readings}
    assert set(PINNED) == readings


@pytest.mark.parametrize("name", LOGS)
def test_either_reading_is_accepted_and_counted(name: str) -> None:
    audit = run(name)
    severities = {severity for (severity,) in audit.rows("severity")}
    assert severities <= ({"notice"} if name == "art19_options" else set())
    assert dict(audit.summary.undecided)[name] == COUNTED.get(name, 1)


@pytest.mark.parametrize(("name", "reading"), PINNED)
def test_a_pinned_reading_decides(name: str, reading: str) -> None:
    audit = run(name, **{name: reading})
    assert audit.rows("code", "severity") == PINNED[name, reading]
    assert name not in dict(audit.summary.undecided)
    kept = audit.tables["interpretations"].filter(id=name)["reading"].item()
    assert kept == reading


def test_settings_are_read() -> None:
    assert pinned(["jackpot_share=bets", " burn_value_of_ten = 0 "]) == {
        "jackpot_share": "bets",
        "burn_value_of_ten": "0",
    }


@pytest.mark.parametrize("setting", ["jackpot_share", "=bets", "jackpot_share=", "", "a=1=2"])
def test_a_setting_of_another_shape(setting: str) -> None:
    if setting == "a=1=2":
        with pytest.raises(RulebookError, match="no interpretation 'a'"):
            run("burn_value_of_ten", **pinned([setting]))
        return
    with pytest.raises(OptionError, match="ID=READING"):
        pinned([setting])


def test_a_reading_that_there_is_not() -> None:
    with pytest.raises(OptionError, match="not a reading of jackpot_share") as refused:
        run("jackpot_share", jackpot_share="everybody")
    assert "patrons, bets" in refused.value.sentence()
