"""Arts. 13(1)(4)(2) and 17(4)-(7): the jackpot, under every open reading of the text.

Only rounds with a jackpot bet are looked at. A bet is right if any open reading makes it right.
Columns added to the bets: ``jackpot`` how the prize went wrong (``unpaid``, ``not_dealt``,
``fixed``, ``share``, ``unapproved``; null where it is right, unknown or no jackpot bet),
``combination`` the highest dealt, ``jackpot_known`` true where the cards tell it (their ranks,
and suits where they matter), ``jackpot_due`` in millionths where all readings agree on it,
and ``split_...`` for each interpretation: whether its readings decide the bet differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import polars as pl

from audit.money import WIDE, rate
from audit.resolve import words
from audit.resolve.bets import Bets, with_facts
from audit.resolve.combinations import combinations, dealt
from audit.resolve.frames import attach, by_case
from audit.resolve.rules import Rules
from audit.resolve.stakes import table_days
from audit.resolve.terms import WANTED, in_force
from audit.rulebook import Combination

SUITS, PRIZE, SHARE, FIXED = (
    "four_of_a_kind_suits",
    "jackpot_one_prize",
    "jackpot_share",
    "jackpot_fixed_prize",
)
INTERPRETATIONS = (SUITS, PRIZE, SHARE, FIXED)
Reading = Mapping[str, str]

CENT = 10_000
"""A remainder of a division below one cent, in millionths, either way is accepted."""

_OF_ROW = ("at", "rid", "holder", "table_day")
"""What tells bets apart, but not what they are due."""

_LEAST_SUITS = {"any": 1, "not_one_suit": 2, "distinct": 4}
_RIGHT, _WRONG, _UNAPPROVED, _UNKNOWN = range(4)
_SPLITS = [f"split_{name}" for name in INTERPRETATIONS]
_COLUMNS: dict[str, pl.DataType] = {
    "jackpot": words.JACKPOT,
    "combination": pl.Categorical(),
    "jackpot_known": pl.Boolean(),
    "jackpot_due": WIDE(),
    **dict.fromkeys(_SPLITS, pl.Boolean()),
}


def add_jackpots(
    bets: Bets, rounds: pl.DataFrame, prizes: pl.DataFrame | None, rules: Rules
) -> Bets:
    """``bets`` with the columns above; ``prizes`` is None without such a table."""
    law, rows = combinations(rules), bets.rows
    here = bets.cases.select(_is_judged(rules)).to_series().gather(rows["case"])
    judged = rows.select("rid", "holder", "paid", "disposition").filter(here).with_row_index("at")
    if judged.is_empty() or not law:
        none = (pl.lit(None, of).alias(name) for name, of in _COLUMNS.items())
        return Bets(rows, bets.cases.with_columns(none))
    facts, none_dealt = dealt(rounds, judged["rid"], law)
    winners = judged.join(facts, on="rid", maintain_order="left")
    winners = _with_prizes(_with_groups(winners), table_days(rounds), prizes, law)
    verdict, verdicts = _verdicts(winners, law, rules)
    line, lines = _told(judged, none_dealt, verdict, verdicts)
    told = line.is_not_null()
    return with_facts(bets, here.arg_true().filter(told), line.filter(told), lines)


def _told(
    judged: pl.DataFrame, none: pl.Series, verdict: pl.DataFrame, verdicts: pl.DataFrame
) -> tuple[pl.Series, pl.DataFrame]:
    """For each judged bet a line of ``_COLUMNS``, null where the cards do not tell what was dealt.

    ``none``: nothing was dealt in its round, so that nothing is due. The others, ``at`` their
    numbers, have a ``case`` of the ``verdicts``.
    """
    nothing = {"jackpot_known": True, "jackpot_due": 0, **dict.fromkeys(_SPLITS, False)}
    lines = pl.DataFrame([nothing, {**nothing, "jackpot": "not_dealt"}])
    lines = lines.select(
        (pl.col(name) if name in lines.columns else pl.lit(None)).cast(of).alias(name)
        for name, of in _COLUMNS.items()
    )
    lines = pl.concat([lines, verdicts])
    paid = (pl.col("disposition") == "settled") & (pl.col("paid") > 0)
    line = judged.select(pl.when(none).then(paid.cast(pl.UInt32))).to_series()
    return line.scatter(verdict["at"], verdict["case"] + 2), lines


def _is_judged(rules: Rules) -> pl.Expr:
    """Settled jackpot bets on known cards; those paid by hand count among the winners."""
    mine = [i for i, (bet, _) in enumerate(rules.bet_rules) if bet.kind == "jackpot"]
    by_hand = (pl.col("standing") == "handpay") & pl.col("complete")
    return ((pl.col("standing") == "jackpot") | by_hand) & pl.col("rule").is_in(mine)


def _with_prizes(
    facts: pl.DataFrame,
    days: pl.DataFrame,
    prizes: pl.DataFrame | None,
    law: tuple[Combination, ...],
) -> pl.DataFrame:
    """``prize_ID`` the fixed amount in force, ``approved_ID`` whether it was approved in time.

    ``days`` are the tables and days that ``facts`` have numbers of.
    """
    fixed = [each.id for each in law if each.prize != "pool"]
    # Without the table of prizes nothing can be said against one.
    frame = facts.with_columns(
        *(pl.lit(None, pl.Int64).alias(f"prize_{each.id}") for each in law),
        *(pl.lit(True).alias(f"approved_{each.id}") for each in law),
    )
    if prizes is None or not fixed:
        return frame
    seen = days.filter(pl.col("table_day").is_in(facts["table_day"].unique().implode()))
    wanted = seen.join(pl.DataFrame({"item": fixed}, schema={"item": pl.String}), how="cross")
    terms = prizes.rename({"combination": "item"})
    found = attach(
        wanted, in_force(wanted.select(WANTED), terms, ["amount", "approved_on"]), WANTED
    ).with_columns((pl.col("approved_on") <= pl.col("day")).fill_null(False).alias("approved"))
    here = facts.select("table_day")
    for name in fixed:
        term = attach(here, found.filter(item=name), ["table_day"])
        frame = frame.with_columns(
            term["amount"].alias(f"prize_{name}"), term["approved"].alias(f"approved_{name}")
        )
    return frame


def _with_groups(bets: pl.DataFrame) -> pl.DataFrame:
    """Winners of the round under both readings of "shared", and what a person got in all."""
    by_hand = pl.col("disposition") == "handpay"
    # A bet without a holder is a person of its own.
    person = pl.coalesce("holder", -1 - pl.col("at").cast(pl.Int64)).alias("holder")
    paid = pl.col("paid").cast(WIDE)
    return bets.with_columns(person, paid).with_columns(
        pl.len().over("rid").alias("winners_bets"),
        pl.col("holder").n_unique().over("rid").alias("winners_patrons"),
        pl.len().over("rid", "holder").alias("own_bets"),
        paid.alias("paid_bets"),
        paid.sum().over("rid", "holder").alias("paid_patrons"),
        by_hand.alias("by_hand_bets"),
        by_hand.any().over("rid", "holder").alias("by_hand_patrons"),
    )


def _open(rules: Rules, pinned: Reading | None = None) -> Iterator[Reading]:
    choices = [rules.open_readings(name, pinned) for name in INTERPRETATIONS]
    for choice in product(*choices):
        yield dict(zip(INTERPRETATIONS, choice, strict=True))


def _name(what: str, reading: Reading) -> str:
    return f"{what} {' '.join(reading.values())}"


def _tag(reading: Reading, *names: str) -> str:
    return " ".join(reading[name] for name in names)


def _readings_of(*names: str) -> Iterator[Reading]:
    options = {SUITS: _LEAST_SUITS, PRIZE: ("highest", "each"), FIXED: ("each", "round")}
    for choice in product(*(options[name] for name in names)):
        yield dict(zip(names, choice, strict=True))


def _counted(law: tuple[Combination, ...]) -> Iterator[pl.Expr]:
    """Which combinations are paid, under each reading of suits and of one prize or each."""
    for reading in _readings_of(SUITS, PRIZE):
        higher = pl.lit(False)
        for each in law:
            dealt = pl.col(each.id)
            if each.pattern == "four_alike":
                dealt = dealt & (pl.col("suits") >= _LEAST_SUITS[reading[SUITS]])
            paid = dealt & ~higher if reading[PRIZE] == "highest" else dealt
            yield paid.alias(f"{each.id} {_tag(reading, SUITS, PRIZE)}")
            higher = higher | dealt


def _worth(each: Combination) -> pl.Expr:
    """The whole prize in millionths, before any sharing; null where it is not known."""
    if each.prize == "pool":
        return pl.col("pool")
    fixed = pl.col(f"prize_{each.id}").cast(WIDE)
    if each.prize == "fixed_or_pool_part" and each.pool_part is not None:
        part = pl.col("pool") * rate(each.pool_part) // 100
        return pl.when(part.is_not_null() & fixed.is_not_null()).then(
            pl.max_horizontal(part, fixed)
        )
    return fixed


def _sums(law: tuple[Combination, ...]) -> Iterator[pl.Expr]:
    """For each reading: what is shared, what is due to each winner (null where not known),
    whether all of it was approved, and whether the highest prize is one that is divided."""
    for reading in _readings_of(SUITS, PRIZE, FIXED):
        paid = {each.id: pl.col(f"{each.id} {_tag(reading, SUITS, PRIZE)}") for each in law}
        top = {each.id: pl.col(f"{each.id} {reading[SUITS]} highest") for each in law}
        sums = {True: pl.lit(0, WIDE), False: pl.lit(0, WIDE)}
        for each in law:
            divided = each.shared or reading[FIXED] == "round"
            sums[divided] = sums[divided] + pl.when(paid[each.id]).then(_worth(each)).otherwise(0)
        approved = (~paid[each.id] | pl.col(f"approved_{each.id}") for each in law)
        divided_top = pl.any_horizontal(top[each.id] for each in law if each.shared)
        tag = _tag(reading, SUITS, PRIZE, FIXED)
        yield sums[True].alias(f"shared {tag}")
        yield sums[False].alias(f"whole {tag}")
        yield pl.all_horizontal(approved).alias(f"approved {tag}")
        yield (divided_top | pl.lit(reading[FIXED] == "round")).alias(f"divided {tag}")


def _verdict(reading: Reading) -> pl.Expr:
    tag = _tag(reading, SUITS, PRIZE, FIXED)
    shared, whole = pl.col(f"shared {tag}"), pl.col(f"whole {tag}")
    winners, paid = pl.col(f"winners_{reading[SHARE]}"), pl.col(f"paid_{reading[SHARE]}")
    # Compared before division, so that nothing is rounded.
    over = paid * winners - (shared + whole * winners)
    right = (over == 0) | (pl.col(f"divided {tag}") & (over.abs() < CENT * winners))
    unsure = pl.col(f"by_hand_{reading[SHARE]}") | over.is_null()
    return (
        pl.when(~pl.col(f"approved {tag}"))
        .then(_UNAPPROVED)
        .when(unsure & (paid > 0))
        .then(_UNKNOWN)
        .when(unsure)
        .then(_WRONG)
        .when(right)
        .then(_RIGHT)
        .otherwise(_WRONG)
    )


def _due(reading: Reading) -> pl.Expr:
    """Due to this very bet, null where it is not known, not whole, or its holder has others."""
    tag = _tag(reading, SUITS, PRIZE, FIXED)
    shared, whole = pl.col(f"shared {tag}"), pl.col(f"whole {tag}")
    winners = pl.col(f"winners_{reading[SHARE]}").cast(pl.Int64)
    alone = pl.lit(True) if reading[SHARE] == "bets" else pl.col("own_bets") == 1
    return pl.when(alone & (shared % winners == 0)).then(whole + shared // winners)


def _verdicts(
    winners: pl.DataFrame, law: tuple[Combination, ...], rules: Rules
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """``at`` and ``case`` of bets on rounds in which a combination was dealt; ``_COLUMNS`` of each.

    There are many readings, but few different prizes: each is looked at once.
    """
    of_pool = pl.any_horizontal(each.id for each in law if each.prize != "fixed")
    pool = pl.when(of_pool).then("pool").alias("pool")  # each round has another one
    case, cases = by_case(
        winners.with_columns(pool), [name for name in winners.columns if name not in _OF_ROW]
    )
    decided = _decided(cases.with_columns(_counted(law)).with_columns(_sums(law)), law, rules)
    return winners.select("at").hstack([case]), decided


def _decided(bets: pl.DataFrame, law: tuple[Combination, ...], rules: Rules) -> pl.DataFrame:
    """The columns of this module for each different case."""
    readings = list(_open(rules))
    verdicts = [pl.col(_name("verdict", reading)) for reading in readings]
    dues = [pl.col(_name("due", reading)) for reading in readings]
    one_due = pl.when(pl.all_horizontal(due == dues[0] for due in dues)).then(dues[0])
    unapproved = [verdict == _UNAPPROVED for verdict in verdicts]
    unknown = pl.any_horizontal(verdict == _UNKNOWN for verdict in verdicts)
    highest = pl.coalesce(*(pl.when(pl.col(each.id)).then(pl.lit(each.id)) for each in law))
    divided = [each.id for each in law if each.shared]
    settled = pl.col("disposition") == "settled"
    wrong = (
        pl.when(pl.any_horizontal(verdict == _RIGHT for verdict in verdicts))
        .then(None)
        .when((pl.col("paid") == 0) & unknown & (pl.col("paid_patrons") > 0))
        .then(None)
        .when(pl.col("paid") == 0)
        .then(pl.lit("unpaid"))
        .when(pl.all_horizontal(unapproved))
        .then(pl.lit("unapproved"))
        .when(unknown)
        .then(None)
        .when(highest.is_in(divided))
        .then(pl.lit("share"))
        .otherwise(pl.lit("fixed"))
    )
    unsure = pl.any_horizontal(unapproved) & (pl.col("paid") == 0)
    under_each = bets.with_columns(
        *(_verdict(reading).alias(_name("verdict", reading)) for reading in readings),
        *(_due(reading).alias(_name("due", reading)) for reading in readings),
    )
    return under_each.select(
        pl.when(settled).then(wrong).cast(words.JACKPOT).alias("jackpot"),
        highest.cast(pl.Categorical).alias("combination"),
        pl.lit(True).alias("jackpot_known"),
        pl.when(~unsure).then(one_due).alias("jackpot_due"),
        *(
            (settled & _split(rules, name)).alias(split)
            for split, name in zip(_SPLITS, INTERPRETATIONS, strict=True)
        ),
    )


def _split(rules: Rules, name: str) -> pl.Expr:
    """Whether the readings of one interpretation decide the bet differently, the others open."""
    if rules.readings[name] != "either":
        return pl.lit(False)
    right = [
        pl.any_horizontal(
            pl.col(_name("verdict", reading)) == _RIGHT for reading in _open(rules, {name: each})
        )
        for each in rules.open_readings(name)
    ]
    return pl.any_horizontal(right) & ~pl.all_horizontal(right)
