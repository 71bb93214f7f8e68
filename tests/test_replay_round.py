"""What bets are due, and a recorded round replayed out of a case: page, JSON, command."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from audit.cards import TEXT
from audit.cli.replay import find_round, read_round, replay
from audit.errors import OptionError
from audit.replay import Hand, replay_hand
from audit.replay_round import bet_due, replay_round
from audit.replay_text import clean, money, render
from audit.rulebook import RuleSet, load_rulebook

RULEBOOK = load_rulebook()
NEWEST = RULEBOOK.get("64-2007")
CODE = {text: code for code, text in enumerate(TEXT)}


@pytest.fixture(params=[one.id for one in RULEBOOK.sets])
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return RULEBOOK.get(request.param)


def judge(player: str, banker: str) -> Hand:
    return replay_hand([CODE[c] for c in player.split()], [CODE[c] for c in banker.split()], NEWEST)


# What bets are due

BANKER_WINS = judge("KS 6H", "KC 7D").facts()
BANKER_SIX = judge("KS 5H KD", "KC 6D").facts()
PLAYER_WINS = judge("KS 7H", "KC 6D").facts()
TIE = judge("7S 7H 2C", "KC 6D").facts()


@pytest.mark.parametrize(
    ("bet", "facts", "standing", "due", "article"),
    [
        ("player", PLAYER_WINS, "won", "200", "17(1)"),
        ("player", BANKER_WINS, "lost", "0", "13(1)(1)"),
        ("banker", BANKER_WINS, "won", "195.00", "17(1), 18(1)"),
        ("banker", PLAYER_WINS, "lost", "0", "13(1)(2)"),
        ("tie", TIE, "won", "900", "17(2)"),
        ("tie", PLAYER_WINS, "lost", "0", "13(1)(3)"),
        ("player_pair", TIE, "won", "1200", "17(3)"),
        ("banker_pair", TIE, "lost", "0", "13(1)(4)(1)"),
    ],
)
def test_articles_13_and_17_bets_under_commission(
    bet: str, facts: dict[str, object], standing: str, due: str, article: str, rules: RuleSet
) -> None:
    got = bet_due(bet, Decimal(100), facts, rules, "commission")  # type: ignore[arg-type]
    assert (got.standing, got.due, got.article) == (standing, Decimal(due), article)


def test_article_18_1_commission_is_exact() -> None:
    due = bet_due("banker", Decimal("33.33"), BANKER_WINS, NEWEST, "commission")
    assert (due.due, due.commission) == (Decimal("64.9935"), Decimal("1.6665"))


def test_article_18_2_a_banker_six_pays_half_without_commission() -> None:
    six = bet_due("banker", Decimal(25), BANKER_SIX, NEWEST, "no_commission")
    assert (six.due, six.commission, six.article) == (Decimal("37.5"), 0, "18(2)")
    other = bet_due("banker", Decimal(25), BANKER_WINS, NEWEST, "no_commission")
    assert (other.due, other.article) == (Decimal(50), "17(1)")


def test_article_18_unknown_scheme_leaves_both_amounts_open() -> None:
    due = bet_due("banker", Decimal(100), BANKER_SIX, NEWEST, None)
    assert (due.standing, due.due) == ("won", None)
    assert due.accepted == (Decimal(150), Decimal(195))
    # Where no scheme makes a difference nothing is open.
    assert bet_due("player", Decimal(100), PLAYER_WINS, NEWEST, None).due == 200
    assert bet_due("banker", Decimal(100), TIE, NEWEST, None).due == 100


def test_article_13_a_bet_that_the_version_does_not_offer() -> None:
    due = bet_due("jackpot", Decimal(100), TIE, RULEBOOK.get("55-2004"), None)
    assert (due.standing, due.due, due.basis) == ("not_offered", None, "inferred")
    assert bet_due("jackpot", Decimal(100), TIE, NEWEST, None).standing == "jackpot"
    assert bet_due("dragon", Decimal(100), TIE, NEWEST, None).standing == "not_offered"


def test_an_unknown_rank_leaves_a_pair_bet_open() -> None:
    facts = judge("5p 5p KD", "KC 6D").facts()
    assert bet_due("player_pair", Decimal(1), facts, NEWEST, None).standing == "unjudged"
    assert bet_due("banker", Decimal(100), facts, NEWEST, "commission").due == 195


def test_a_scheme_that_the_rule_set_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="no_commission"):
        bet_due("banker", Decimal(1), BANKER_SIX, RULEBOOK.get("55-2004"), "no_commission")
    scheme = NEWEST.schemes["no_commission"]
    due = bet_due("banker", Decimal(100), BANKER_SIX, RULEBOOK.get("55-2004"), scheme)
    assert due.due == 150


# A round out of a case

ROUND = """casino, table_id, shoe_id, round_no, started_at, kind, player_cards, banker_cards,
    outcome, scheme, ruleset"""
ROUNDS = [
    # Banker had to draw: recorded as a Player win.
    "('Alto', 'T1', 'S/1', 1, '2007-06-25 23:59:59', 'play', '2S 3H 6D', 'KC 4H', 'player',"
    " 'commission', '30-2007')",
    "('Alto', 'T1', 'S/1', 3, '2007-06-26 00:01:00', 'void', '2S 3H', 'KC 4H', null,"
    " null, '64-2007')",
    "('Baixo', 'T1', 'S/1', 1, '2005-01-01 12:00:00', 'play', 'KS 5H KD', 'KC 6D', 'banker',"
    " 'no_commission', '55-2004')",
    "('-', 'VIP 2', '2009-01-01/3', 7, '2009-01-02 12:00:00', 'play', null, null, 'banker',"
    " null, '64-2007')",
    "('-', 'VIP 2', '2009-01-01/3', 8, '2003-01-02 12:00:00', 'play', 'KS 7H', 'KC 6D', 'player',"
    " null, null)",
    "('-', 'VIP 2', '2009-01-01/3', 9, '2009-01-02 12:02:00', 'play', 'KS 7H', 'KC', 'player',"
    " null, '64-2007')",
]
BET = (
    "casino, table_id, shoe_id, round_no, bet_id, currency, position, bet, stake, paid, disposition"
)
BETS = [
    "('Alto', 'T1', 'S/1', 1, '1', 'MOP', '3', 'banker', 1000, 0, 'settled')",
    "('Alto', 'T1', 'S/1', 1, '2', 'HKD', null, 'player', 9999999999.9999, 19999999999.9998,"
    " 'settled')",
    "('Alto', 'T1', 'S/1', 1, '3', 'MOP', '[red]', 'jackpot', 50, 0, 'settled')",
    "('Alto', 'T1', 'S/1', 3, '1', 'MOP', null, 'player', 100, 0, 'settled')",
    "('Baixo', 'T1', 'S/1', 1, '1', 'MOP', null, 'banker', 100, 150, 'settled')",
    "('Baixo', 'T1', 'S/1', 1, '2', 'MOP', null, 'player', 100, 100, 'cancelled')",
    "('Baixo', 'T1', 'S/1', 1, '3', 'MOP', null, 'player', 100, 0, 'carried')",
    "('-', 'VIP 2', '2009-01-01/3', 7, '1', 'MOP', null, 'banker', 100, 190, 'settled')",
    "('-', 'VIP 2', '2009-01-01/3', 7, '2', 'MOP', null, 'player', 100, 0, 'settled')",
]


def case_tables() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    key = "casino text, table_id text, shoe_id text, round_no bigint"
    money_type = "decimal(38, 6)"
    connection.execute(f"""
        create table rounds ({key}, started_at timestamp, kind text, void_reason text,
            player_cards text, banker_cards text, withdrawn_cards text, player_total tinyint,
            banker_total tinyint, outcome text, player_pair boolean, banker_pair boolean,
            scheme text, burned bigint, cut_card boolean, dealer_id text, ruleset text,
            device text default 'shoe', decks bigint, by_outcome text default 'player',
            source text default 'rounds.csv', "row" bigint default 1);
        create table bets ({key}, bet_id text, currency text, position text, patron_id text,
            bet text, stake {money_type}, paid {money_type}, commission_taken {money_type},
            disposition text, due {money_type}, standing text);
        create table findings (id text, code text, severity text, status text, article text,
            {key}, bet_id text, subject text, amount {money_type}, consequence text, message text);
        create table rulesets (id text, forced boolean);
        create table rejects ("table" text, source text, "row" bigint, {key});
        insert into rounds ({ROUND}) values {", ".join(ROUNDS)};
        insert into bets ({BET}) values {", ".join(BETS)};
        insert into findings values ('a', 'A0904', 'violation', 'new', '9(3)(3)', 'Alto', 'T1',
            'S/1', 1, null, null, null, 'changed:banker', 'Banker had to draw on 4.');
        insert into findings values ('b', 'L05', 'warning', 'new', null, '-', 'VIP 2',
            '2009-01-01/3', 9, null, null, null, null, 'A card is missing.');
        insert into rejects values ('rounds', 'rounds.csv', 4, 'Alto', 'T1', 'S/1', 2);
    """)
    return connection


def replayed(path: str, ruleset: str) -> tuple[Hand, list[tuple[str, Decimal | None]]]:
    connection = case_tables()
    recorded = read_round(connection, *find_round(connection, path))
    done = replay_round(recorded, RULEBOOK.get(ruleset), "", RULEBOOK.sets)
    return done.hand, [(due.standing, due.due) for due in done.dues]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("Alto/T1/S/1/3", (("Alto", "T1", "S/1"), 3)),
        ("VIP 2/2009-01-01/3/7", (("-", "VIP 2", "2009-01-01/3"), 7)),
        ("-/VIP 2/2009-01-01/3/7", (("-", "VIP 2", "2009-01-01/3"), 7)),
    ],
)
def test_a_path_is_resolved_although_ids_hold_slashes(path: str, found: object) -> None:
    assert find_round(case_tables(), path) == found


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("T1/S/1/1", "2 casinos have this shoe: Alto, Baixo. Name the casino: Alto/T1/S/1/1 or"),
        ("Alto/T1/S/1/9", "no such round in this shoe. Rounds of this shoe run from 1 to 3; the"),
        ("Alto/T1/S/1/2", "the row of this round was rejected (rounds.csv, row 4)"),
        ("Alto/T1/S1/1", "no such shoe in this case. Nearest: Alto/T1/S/1/1"),
        ("zzz/1", "no such shoe in this case. Write it as TABLE/SHOE/ROUND"),
        ("T1/S/last", "the round's number, a whole number, must come last"),
        ("Alto/T1/S/1/" + "9" * 50, "the round's number, a whole number, must come last"),
        ("12", "the round's number, a whole number, must come last"),
    ],
)
def test_a_path_that_names_no_round_gets_a_hint(path: str, said: str) -> None:
    with pytest.raises(OptionError) as caught:
        find_round(case_tables(), path)
    assert said in str(caught.value)


def test_bets_of_a_recorded_round_are_settled_as_the_log_says() -> None:
    assert replayed("Alto/T1/S/1/3", "64-2007")[1] == [("void", Decimal(100))]
    _, dues = replayed("Baixo/T1/S/1/1", "55-2004")
    # The scheme recorded counts, although this version has none without commission.
    assert dues == [("won", Decimal(150)), ("cancelled", Decimal(100)), ("carried", None)]


def test_an_outcome_without_cards_settles_what_it_can() -> None:
    hand, dues = replayed("VIP 2/2009-01-01/3/7", "64-2007")
    assert (hand.steps, hand.winner) == ((), None)
    # Two schemes, and under one of them the total, which nobody recorded, decides.
    assert dues == [("won", None), ("lost", Decimal(0))]


def page(path: str, width: int) -> list[str]:
    connection = case_tables()
    recorded = read_round(connection, *find_round(connection, path))
    done = replay_round(recorded, NEWEST, "for a test", RULEBOOK.sets)
    console = Console(width=width, record=True, file=sys.stderr)
    console.print(render(recorded, [done]))
    return console.export_text(styles=False).splitlines()


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("path", ["Alto/T1/S/1/1", "Alto/T1/S/1/3", "VIP 2/2009-01-01/3/7"])
def test_a_page_fits_and_cuts_nothing(path: str, width: int) -> None:
    lines = page(path, width)
    assert max(map(len, lines)) <= width
    assert "…" not in "".join(lines)


def test_a_breach_is_marked_where_it_happened() -> None:
    lines = page("Alto/T1/S/1/1", 80)
    step = next(at for at, line in enumerate(lines) if line.startswith("6   Banker   stands"))
    assert "9(3)(3)" in lines[step]
    assert any("✗ A0904" in line for line in lines[step : step + 3])
    text = "\n".join(lines)
    assert "Had the rules been followed, Banker would have won." in text
    assert "1,950.00" in text
    assert "position [red]" in text


def test_a_hand_that_was_not_judged_is_not_called_clean() -> None:
    text = "\n".join(page("VIP 2/2009-01-01/3/9", 80))
    assert "An initial card is missing" in text
    assert "✗" not in text


def test_what_a_log_says_cannot_steer_the_terminal() -> None:
    assert clean("a\x1b[31m\nb") == "a�[31m�b"


@pytest.mark.parametrize(
    ("amount", "text"),
    [("0", "0.00"), ("-0.5", "-0.50"), ("-1234.5", "-1,234.50"), ("0.0625", "0.0625")],
)
def test_money_for_reading(amount: str, text: str) -> None:
    assert money(Decimal(amount)) == text


# The command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> object:
    case = SimpleNamespace(open_case=lambda path: SimpleNamespace(connection=case_tables()))
    monkeypatch.setitem(sys.modules, "audit.case", case)
    app = typer.Typer()
    app.command()(replay)
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *words: CliRunner().invoke(app, ["july.case", *words])


def test_json_has_money_as_text_and_every_step(run) -> None:  # type: ignore[no-untyped-def]
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
        ("19999999999.9998", "0", "19999999999.9998"),
        ("0", None, None),
    ]
    assert told["findings"][0]["consequence"] == "changed:banker"


def test_several_rule_sets_are_compared(run) -> None:  # type: ignore[no-untyped-def]
    result = run("Alto/T1/S/1/1", "--rules", "64-2007,55-2004")
    assert result.exit_code == 0
    assert "asked for with --rules; in force that day: 30-2007" in result.stdout
    row = next(line for line in result.stdout.splitlines() if line.startswith("Bet 3, jackpot"))
    assert row.split()[3:] == ["jackpot,", "not", "replayed", "not", "on", "offer", "differs"]


def test_quiet_is_one_line(run) -> None:  # type: ignore[no-untyped-def]
    result = run("Alto/T1/S/1/1", "--quiet")
    assert result.stdout == (
        "Alto/T1/S/1/1: Banker, Player 1, Banker 4; art. 9 broken: A0904; "
        "2 of 3 bets not paid as due\n"
    )
    assert "not judged" in run("VIP 2/2009-01-01/3/9", "--quiet").stdout


def test_no_colour_where_none_is_wanted(run, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run("Alto/T1/S/1/1").stdout
    assert "\x1b[31m" not in out
    assert ";31m" not in out


def test_why_the_rules_govern(run) -> None:  # type: ignore[no-untyped-def]
    later = " ".join(run("VIP 2/2009-01-01/3/7").stdout.replace("┃", "").split())
    assert "known to be incomplete from 2009-01-01 on" in later
    before = run("VIP 2/2009-01-01/3/8")
    assert isinstance(before.exception, OptionError)
    assert "no rule set was in force on 2003-01-02" in str(before.exception)
    assert run("VIP 2/2009-01-01/3/8", "--rules", "55-2004").exit_code == 0


def test_help_shows_an_example(run) -> None:  # type: ignore[no-untyped-def]
    assert "Example: baccarat-audit replay" in " ".join(run("--help").stdout.split())


def test_nothing_heavy_is_imported_with_the_command() -> None:
    source = Path(sys.modules["audit.cli.replay"].__file__ or "").read_text(encoding="utf-8")
    tops = [line for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert not [line for line in tops if any(w in line for w in ("duckdb", "polars", "rich"))]
