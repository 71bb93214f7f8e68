"""Every way in which the loader refuses a rule set, each time naming file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import RulebookError
from audit.paths import data_dir
from audit.rulebook import Rulebook, load_rulebook

HEAD = """
id = "1-2020"
amends = "64-2007"
in_force_from = 2020-01-01
in_force_status = "stated"
"""


def own(folder: Path, text: str, name: str = "own.toml") -> Rulebook:
    (folder / name).write_text(text, encoding="utf-8")
    return load_rulebook(folder)


PAY = 'article = "17"\nstatus = "stated"\n'
BET = f'[bet.x]\nkind = "fixed"\n{PAY}wins = '
ODDS = f"[payout.x]\n{PAY}pays = "
ROW = '[banker_draws]\n6 = { draws = [6, 7], stands = [0, 1, 2, 3, 4, 5, 8, 9], no_third = "stands"'
CITES = '{ draws = "9(3)(5)", stands = "9(4)(4)", no_third = "9(4)(4)" }'


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        # unknown keys, duplicates, forms
        ("decks_min = 6", "decks_min", "unknown key"),
        ("in_force_form = 2020-01-01", "in_force_form", "The nearest is 'in_force_from'"),
        (
            f"[provision.decks_mim]\nvalue = 6\n{PAY}",
            "provision.decks_mim",
            "nearest is 'decks_min'",
        ),
        (f"[provision.decks_min]\nvalue = 6\nnote2 = ''\n{PAY}", "decks_min.note2", "unknown key"),
        (f"[provision.decks_min]\nvalue = '6'\n{PAY}", "decks_min.value", "whole number"),
        (f"[provision.decks_min]\nvalue = true\n{PAY}", "decks_min.value", "whole number"),
        (f"[provision.decks_min]\n{PAY}", "decks_min.value", "missing"),
        ("[provision]\ndecks_min = 6", "provision.decks_min", "is not a table"),
        (f"[provision.decks_min]\nvalue = 13\n{PAY}", "decks_min", "more decks"),
        (f"[provision.naturals]\nvalue = [8, 8]\n{PAY}", "naturals.value", "there twice"),
        (f"[provision.naturals]\nvalue = [5]\n{PAY}", "naturals", "would draw on a natural"),
        (f"[provision.player_draws_on]\nvalue = [0]\n{PAY}", "player_draws_on", "total is missing"),
        (f"[provision.winner]\nvalue = 'lower'\n{PAY}", "winner.value", "cannot be judged"),
        (f"[provision.naturals]\nvalue = [8.0]\n{PAY}", "naturals.value", "8.0 is none of"),
        (f"[provision.naturals]\nvalue = []\n{PAY}", "naturals.value", "not a list of values"),
        (f"x = {'[' * 5000}", "own.toml", "no TOML"),
        (f"x = {'9' * 5000}", "own.toml", "no TOML"),
        (f"[provision.burn_rules]\nvalue = ['all']\n{PAY}", "burn_rules.value", "'all' is none of"),
        ("amends = '64-2007'", "amends", "there twice"),
        (f"[bet.tie]\n{PAY}[bet.tie]\n", "bet.tie", "there twice"),
        # citations and marks
        ("[provision.decks_min]\nvalue = 6\nstatus = 'stated'", "decks_min.article", "no citation"),
        ("[provision.decks_min]\nvalue = 6\narticle = '1'", "decks_min.status", "no status"),
        (
            "[provision.decks_min]\nvalue = 6\narticle = '1'\nstatus = 'sated'",
            "decks_min.status",
            "The nearest is 'stated'",
        ),
        (
            "[provision.decks_min]\nvalue = 6\narticle = '1'\nstatus = 'inferred'",
            "decks_min.note",
            "inferred without a note",
        ),
        (
            "[provision.decks_min]\nvalue = 6\narticle = 'first'\nstatus = 'stated'",
            "decks_min.article",
            "'first' is no citation",
        ),
        # the Banker table
        (f'{ROW}, article = {CITES}, status = "stat" }}', "banker_draws.6.status", "none of"),
        (f"{ROW}, article = {CITES} }}", "banker_draws.6.status", "no status"),
        (f'{ROW}, status = "stated" }}', "banker_draws.6.article", "no citation"),
        (
            f'{ROW}, article = {{ draws = "9(3)(5)" }}, status = "stated" }}',
            "banker_draws.6.article.stands",
            "no citation",
        ),
        (ROW.replace("8, 9", "9") + " }", "banker_draws.6", "card 8 is missing"),
        (ROW.replace("[6, 7]", "[6, 7, 8]") + " }", "banker_draws.6", "card 8 stands both"),
        (ROW.replace("[6, 7]", "[6, 7, 10]") + " }", "banker_draws.6.draws", "10 is none of"),
        (ROW.replace('"stands"', '"wait"') + " }", "banker_draws.6.no_third", "'wait' is none of"),
        (ROW.replace("6 =", "10 =") + " }", "banker_draws.10", "no Banker total"),
        # bets and odds
        (f'{BET}{{ wimner = "tie" }}', "bet.x.wins.wimner", "The nearest is 'winner'"),
        (f"{BET}{{ banker_total = 10 }}", "bet.x.wins.banker_total", "10 is none of"),
        (f"{BET}{{ banker_total = '6' }}", "bet.x.wins.banker_total", "'6' is none of"),
        (f"{BET}{{ player_pair = 1 }}", "bet.x.wins.player_pair", "1 is none of true, false"),
        (f"{BET}{{ banker_total = [] }}", "bet.x.wins.banker_total", "none of"),
        (f"{BET}{{ }}", "bet.x.wins", "empty"),
        (f'{BET}{{ winner = "tie" }}', "bet.x", "no [payout.x]"),
        (f"{ODDS}[{{ odds = 2 }}]", "payout.x", "not on offer"),
        (f"{ODDS}[{{ odds = 0.555 }}]", "payout.x.pays[1].odds", "more than two decimals"),
        (f"{ODDS}[{{ odds = 901 }}]", "payout.x.pays[1].odds", "not between 0 and 900"),
        (f"{ODDS}[{{ odds = -1 }}]", "payout.x.pays[1].odds", "not between"),
        (f"{ODDS}[{{ odds = nan }}]", "payout.x.pays[1].odds", "not between"),
        (f"{ODDS}[{{ odds = '2' }}]", "payout.x.pays[1].odds", "not a number"),
        (f"{ODDS}[{{ when = {{ x = 1 }}, odds = 1 }}]", "payout.x.pays[1].when.x", "unknown fact"),
        (f"{ODDS}[]", "payout.x.pays", "missing or empty"),
        (
            f'{BET}{{ winner = "banker" }}\n{ODDS}[{{ when = {{ winning_cards = 2 }}, odds = 2 }}]',
            "payout.x.pays",
            "a hand that wins has no odds. For instance winning_cards = 3",
        ),
        (
            f'{BET}{{ winner = "tie" }}\n{ODDS}[{{ odds = 2 }}, {{ odds = 3 }}]',
            "payout.x.pays[2]",
            "no winning hand comes to these odds",
        ),
        (
            f'{BET}{{ winner = "tie", margin = 1 }}\n{ODDS}[{{ odds = 2 }}]',
            "bet.x.wins",
            "no hand can win",
        ),
        (
            f'{BET}{{ winner = "tie" }}\npushes = {{ banker_total = 6 }}\n{ODDS}[{{ odds = 2 }}]',
            "bet.x.pushes",
            "would also give the stake back",
        ),
        (f'{BET}{{ winner = "tie" }}'.replace("bet.x", "bet.X"), "bet.X", "no id for a bet"),
        (f'{BET}{{ winner = "tie" }}'.replace("bet.x", "bet.b"), "bet.b", "read as banker"),
        # schemes, options, repeals, absences
        (f"[scheme.free]\nbet = 'banker'\nrate = 0\n{PAY}", "scheme.free", "unknown scheme"),
        (
            f"[scheme.commission]\nbet = 'bankers'\nrate = 0\n{PAY}",
            "scheme.commission.bet",
            "The nearest is 'banker'",
        ),
        (
            f"[scheme.commission]\nbet = 'banker'\nrate = 0.055\n{PAY}",
            "scheme.commission.rate",
            "more than two decimals",
        ),
        (
            f"[scheme.commission]\nbet = 'banker'\nrate = 5\n{PAY}",
            "scheme.commission.rate",
            "not between 0 and 1",
        ),
        (
            f"[scheme.no_commission]\nbet = 'banker'\nrate = 0\n{PAY}"
            "pays = [{ when = { winner = 'player' }, odds = 1 }]",
            "scheme.no_commission.pays[1]",
            "no winning hand",
        ),
        (f"[option.art7_auton]\nof = '7'\n{PAY}", "option.art7_auton", "nearest is 'art7_auto'"),
        ("repeals = ['bet.tie']", "repeals", "needs its citation"),
        ("repeals = [{ key = 'bet.tie' }]", "repeals[1].article", "no citation"),
        (
            "repeals = [{ key = 'bet.ties', article = '13', status = 'stated' }]",
            "repeals",
            "bet.ties is not in 64-2007. The nearest is 'bet.tie'",
        ),
        (
            "repeals = [{ key = 'bet.tie', article = '13', status = 'stated' }]",
            "payout.tie",
            "not on offer",
        ),
        (
            "repeals = [{ key = 'decks_min', article = '1', status = 'stated' }]",
            "own.toml",
            "has no decks_min",
        ),
        (f"[not_provided.'bet.tie']\n{PAY}", "not_provided", "is provided by 64-2007"),
        (f"[not_provided.'bets.tie']\n{PAY}", "not_provided.bets.tie", "no such key"),
    ],
)
def test_refused(tmp_path: Path, text: str, where: str, what: str) -> None:
    with pytest.raises(RulebookError) as refused:
        own(tmp_path, f"{HEAD}{text}\n")
    sentence = refused.value.sentence()
    assert "own.toml" in refused.value.where
    assert where in refused.value.where
    assert what in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("2020-01-01", "2020-13-01", "in_force_from", "no such date"),
        ("2020-01-01", '"2020-01-01"', "in_force_from", "not a date"),
        ("2020-01-01", "2020-01-01T00:00:00", "in_force_from", "not a date"),
        ("in_force_from = 2020-01-01", "", "in_force_from", "missing"),
        ("2020-01-01", "2007-06-26", "in_force_from", "already that of rulesets/macau/64-2007"),
        ("2020-01-01", "2006-01-01", "in_force_from", "in force only from 2007-06-26"),
        ('"64-2007"', '"64-2008"', "amends", "no rule set '64-2008' to amend. The nearest is"),
        ('"1-2020"', '"64-2007"', "id", "already that of rulesets/macau/64-2007.toml"),
        ('"1-2020"', '"a b"', "id", "no id"),
        ('"1-2020"', '"auto"', "id", "no id"),
        ('"stated"', '"sure"', "in_force_status", "'sure' is none of"),
        ('"stated"', '"inferred"', "in_force_status", "without an in_force_note"),
        ('amends = "64-2007"', "", "own.toml", "has no decks_min"),
        ("id =", "id", "id", "no TOML"),
    ],
)
def test_refused_heads(tmp_path: Path, old: str, new: str, where: str, what: str) -> None:
    with pytest.raises(RulebookError) as refused:
        own(tmp_path, HEAD.replace(old, new, 1))
    assert where in refused.value.where
    assert what in refused.value.sentence()


def test_two_own_sets_with_one_date(tmp_path: Path) -> None:
    (tmp_path / "another.toml").write_text(HEAD.replace("1-2020", "2-2020"))
    with pytest.raises(RulebookError, match=r"own\.toml, in_force_from: .*another\.toml"):
        own(tmp_path, HEAD)


def test_refused_folders(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="no such folder"):
        load_rulebook(tmp_path / "absent")
    with pytest.raises(RulebookError, match="holds no rule set"):
        load_rulebook(tmp_path)
    (tmp_path / "own.toml").write_bytes("id = '規'".encode("big5"))
    with pytest.raises(RulebookError, match="not UTF-8"):
        load_rulebook(tmp_path)


def test_own_interpretations_and_shipped_instruments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="own interpretations are not possible"):
        own(tmp_path, "", "interpretations.toml")
    (tmp_path / "interpretations.toml").unlink()
    shipped = (data_dir("rulesets") / "sources.toml").read_text(encoding="utf-8")
    with pytest.raises(RulebookError, match=r"sources\.toml, later_act: unknown key"):
        own(tmp_path, shipped, "sources.toml")
    only_acts = shipped[: shipped.index("# Later acts are known")]
    with pytest.raises(RulebookError, match="55-2004 is a shipped instrument"):
        own(tmp_path, only_acts, "sources.toml")
