"""The stories in ``sample_logs`` that are dealt: shoes, and what goes wrong in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from audit.sample.bets import JACKPOT_STAKE, fixed_prizes
from audit.sample.faults import Wish
from audit.sample.records import Bet, Expected, Row, ShoeLog, money
from tests.tools.script import Script, moved, shoe, table

JACKPOT = date(2007, 2, 23)


@dataclass
class Story:
    """A log: its shoes with what they must give, and the rows of the other tables."""

    name: str
    shoes: list[ShoeLog]
    tables: Mapping[str, list[Row]] = field(default_factory=dict)


def prizes(casino: str, day: str, approved: str) -> list[Row]:
    """Rows of ``jackpot_prizes``."""
    return [(casino, name, money(amount), approved, day, "") for name, amount in fixed_prizes()]


def authorised(casino: str, *rows: tuple[str, str, str, str, str]) -> list[Row]:
    """Rows of ``authorisations``: option, asked, granted, adopted as planned, table."""
    return [
        (casino, option, asked, granted, adopted, adopted, "", where)
        for option, asked, granted, adopted, where in rows
    ]


def clean_day() -> Story:
    """A whole shoe without a fault, with all that may happen in one."""
    at = table("Lantern", "L01", decks=6, jackpot_from=JACKPOT)
    script = Script(demonstrations=2, wishes={17: Wish("free"), 31: Wish("void")})
    log = shoe(at, datetime(2007, 7, 14, 13, 0), script, seed=2163, most=70)
    used = (
        "art2_demonstration",
        "art3_one_more",
        "art12_carry",
        "art13_pairs",
        "art13_jackpot",
    )
    rows = [(option, "2007-05-14", "2007-05-28", "2007-06-01", "") for option in used]
    limits: list[Row] = [
        ("Lantern", "", name, least, most, "2007-06-01")
        for name, least, most in (
            ("player", "100", "10000"),
            ("banker", "100", "10000"),
            ("tie", "50", "1000"),
            ("player_pair", "50", "1000"),
            ("banker_pair", "50", "1000"),
            ("jackpot", "10", "10"),
            ("difference", "", "15000"),
        )
    ]
    return Story(
        "clean-day",
        [log],
        {
            "authorisations": authorised("Lantern", *rows),
            "jackpot_prizes": prizes("Lantern", "2007-06-01", "2007-05-28"),
            "limits": limits,
        },
    )


def draw_errors() -> Story:
    """Every error of art. 9 once, beside two that were dealt with as art. 10 asks."""
    errors = ("A0901", "A0902", "A0903", "A0904", "A0905", "A0906", "A0907")
    script = Script(errors=errors, first=3, gap=3, wishes={12: Wish("void")})
    at = table("Harbour", "H04")
    return Story(
        "draw-errors", [shoe(at, datetime(2006, 5, 10, 20, 15), script, seed=1144, most=30)]
    )


def wrong_payouts() -> Story:
    """Two tables, one with commission and one without, and most ways to pay wrongly."""
    with_commission = Script(
        wishes={9: Wish("void", code="A1001")},
        record=(
            (1, "A1701"),
            (1, "A1702"),
            (1, "A1703"),
            (1, "A1704"),
            (1, "A1801"),
            (1, "A1805"),
            (1, "A1806"),
            (1, "A1202"),
            (1, "A1711"),
            (1, "A1712"),
            (1, "A1101"),
        ),
    )
    without = Script(
        record=(
            (1, "A1802"),
            (1, "A1803"),
            (1, "A1203"),
            (1, "A1204"),
            (1, "A1205"),
            (1, "A1713"),
            (1, "A1301"),
            (1, "A1302"),
            (1, "A1704"),
        ),
    )
    one = table("Magnolia", "M01", jackpot_from=JACKPOT)
    two = table("Magnolia", "M02", jackpot_from=JACKPOT, no_commission=True)
    evening = datetime(2007, 9, 1, 19, 30)
    return Story(
        "wrong-payouts",
        [
            shoe(one, evening, with_commission, seed=4, most=28, bets=2),
            shoe(two, evening, without, seed=12, most=28, bets=2),
        ],
        {"jackpot_prizes": prizes("Magnolia", "2007-06-26", "2007-06-20")},
    )


def four_demos() -> Story:
    """Four shoes that open with demonstrations: how many, when, and with what bets."""
    at = table("Jade", "J07")
    start = datetime(2008, 3, 8, 10, 0)
    scripts = (
        Script(demonstrations=4),
        Script(demonstrations=3, wishes={6: Wish("demo", code="A0204")}),
        Script(demonstrations=2, record=((2, "A0206"),)),
        Script(demonstrations=2),
    )
    logs = [
        shoe(at, start + timedelta(minutes=40 * number), script, seed=40 + number, most=10)
        for number, script in enumerate(scripts)
    ]
    last = logs[3]
    for deal in last.rounds[2:4]:
        deal.kind, deal.bets = "play", []
    last.expected.append(Expected("A0207", 4))
    return Story("four-demos", logs)


def across_amendments() -> Story:
    """Two tables through three midnights at which the law changed."""
    second = timedelta(seconds=1)
    logs: list[ShoeLog] = []
    tables = [
        table("Sampan", name, no_commission=True, jackpot_from=JACKPOT) for name in ("S01", "S02")
    ]
    for midnight, seed in (
        (datetime(2005, 11, 29), 71),
        (datetime(2007, 2, 23), 72),
        (datetime(2007, 6, 26), 73),
    ):
        for at, start in zip(tables, (midnight - second, midnight), strict=True):
            log = shoe(at, midnight - timedelta(minutes=5), Script(), seed=seed, most=10, bets=2)
            logs.append(moved(log, 5, start))
    story = Story("across-amendments", logs)
    _before_no_commission(logs[:2])
    _before_jackpot(logs[2])
    _pairs_not_authorised(logs[3])
    # The same two moments, as a server in Greenwich time writes them.
    logs[4].rounds[4].changed = {"started_at": "2007-06-25T15:59:59Z"}
    logs[5].rounds[4].changed = {"started_at": "2007-06-25T16:00:00Z"}
    story.tables = {
        "authorisations": authorised(
            "Sampan",
            ("art12_carry", "2004-05-03", "2004-05-12", "2004-05-18", ""),
            ("art18_no_commission", "2005-11-24", "2005-11-28", "2005-11-29", ""),
            ("art13_pairs", "2007-02-06", "2007-02-14", "2007-02-23", "S01"),
            ("art13_jackpot", "2007-02-22", "2007-02-22", "2007-02-23", ""),
        ),
        "jackpot_prizes": prizes("Sampan", "2007-02-23", "2007-02-22"),
    }
    return story


def _before_no_commission(logs: list[ShoeLog]) -> None:
    """Before 2005-11-29 no version has the scheme: one finding for each round with such a bet."""
    for log in logs:
        log.expected += [
            Expected("A1804", deal.number)
            for deal in log.rounds
            if deal.started < datetime(2005, 11, 29)
            and deal.kind == "play"
            and any(bet.bet == "banker" for bet in deal.bets)
        ]


def _before_jackpot(log: ShoeLog) -> None:
    """One jackpot bet, a second before the first version that offers it.

    It is also the first use of an option that was asked for only one working day ahead.
    """
    deal = log.rounds[4]
    first = deal.bets[0]
    bet = Bet(len(deal.bets) + 1, first.position, first.patron, "jackpot", JACKPOT_STAKE)
    deal.bets.append(bet)
    log.expected.append(Expected("A1301", deal.number, bet.id))
    log.expected.append(Expected("A1902", deal.number, subject="art13_jackpot"))


def _pairs_not_authorised(log: ShoeLog) -> None:
    """From 2007-02-23 on art. 19 names pairs, and this table has no authorisation for them."""
    first = next(
        deal.number
        for deal in log.rounds
        if deal.started >= datetime(2007, 2, 23)
        and any(bet.bet in ("player_pair", "banker_pair") for bet in deal.bets)
    )
    log.expected.append(Expected("A1901", first, subject="art13_pairs"))


STORIES = (clean_day, draw_errors, wrong_payouts, four_demos, across_amendments)
