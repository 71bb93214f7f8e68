"""Where a finding leads, and ids that tell two bets apart."""

from __future__ import annotations

from tests.support import NATURAL, hands, run_files

SHOES = "shoe_id,decks,burn_rule,first_card,burned,cut_card_from_end\n"


def test_findings_on_a_shoe_lead_to_its_row_of_shoes() -> None:
    shoes = f"{SHOES}S0,8,decks,,8,14\nS1,13,first_card,9H,3,5\n"
    run = run_files({"rounds.csv": hands(NATURAL), "shoes.csv": shoes})
    assert run.rows("code", "source", "row", "round_no") == [
        ("A0101", "shoes.csv", 2, 1),
        ("A0201", "shoes.csv", 2, 1),
        ("A0202", "shoes.csv", 2, 1),
    ]


def test_burn_that_two_readings_accept() -> None:
    shoes = f"{SHOES}S1,8,first_card,9H,3,14\n"
    run = run_files({"rounds.csv": hands(NATURAL), "shoes.csv": shoes})
    assert run.rows("message") == [
        ("3 cards were burned at the start of the shoe instead of 9 or 10 (art. 2(1)).",)
    ]


def ids(*bet_ids: str) -> list[str]:
    bets = "bet_id,bet,paid\n" + "".join(f"{each},player,0\n" for each in bet_ids)
    run = run_files({"rounds.csv": hands(NATURAL), "bets.csv": bets})
    assert run.rows("code") == [("A1703",)] * len(bet_ids)
    return [str(each) for (each,) in run.rows("id")]


def test_recorded_id_that_is_another_bets_running_number() -> None:
    assert len(set(ids("2", ""))) == 2
    assert len(set(ids("2", "", "", ""))) == 4
    assert len(set(ids("", "1", "x"))) == 3


def test_ids_stay_what_they_were_where_none_is_met_twice() -> None:
    plain = ids("", "")
    assert ids("1", "2") == plain  # a bet's number or its recorded id, it is the same place
    assert ids("", "", "x")[:2] == plain
    assert ids("2", "")[0] == plain[1]


def test_one_working_day() -> None:
    text = "option,requested_on,authorised_on,planned_for\nart12_carry,2007-06-{},2007-06-01,{}\n"
    files = {"rounds.csv": hands(NATURAL)}
    said = []
    for asked, planned in (("28", "2007-06-29"), ("27", "2007-06-29")):
        run = run_files({**files, "authorisations.csv": text.format(asked, planned)})
        said += [message for code, message in run.rows("code", "message") if code == "A1902"]
    assert [message.split(" before ")[0] for message in said] == [
        "The application was made 1 working day",
        "The application was made 2 working days",
    ]
