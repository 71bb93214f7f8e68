"""From the files' drafts to whole rule sets: bases found, amendments laid over, sense checked."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from audit.rulebook.draft import Draft
from audit.rulebook.facts import conceivable_hands, matches
from audit.rulebook.forms import POINTS, PROVISIONS
from audit.rulebook.read import Node
from audit.rulebook.types import (
    BetRule,
    Cap,
    Combination,
    Instrument,
    Pay,
    Provision,
    RuleSet,
    Scheme,
    nearest,
)

_ONLY_WITH_JACKPOT = "jackpot_prize_approval"


def overlay(
    draft: Draft, base: RuleSet | None
) -> tuple[dict[str, Provision], dict[str, Provision]]:
    """Provisions and known absences of ``draft`` laid over those of ``base``."""
    kept = dict(base.provisions) if base else {}
    for key in draft.repeals:
        if key not in kept:
            hint = nearest(key, kept)
            draft.file.top.refuse("repeals", f"{key} is not in {draft.amends}", hint)
        del kept[key]
        if key in draft.absent:
            draft.file.top.refuse("not_provided", f"{key} is repealed already")
    for key in draft.absent:
        if key in kept:
            hint = "Repeal it instead"
            draft.file.top.refuse("not_provided", f"{key} is provided by {draft.amends}", hint)
    kept |= draft.provisions
    absent = {**(base.absent if base else {}), **draft.repeals, **draft.absent}
    return kept, {key: one for key, one in absent.items() if key not in kept}


def build(
    draft: Draft, base: RuleSet | None, instrument: Instrument, caps: tuple[Cap, ...]
) -> RuleSet:
    """One whole rule set; RulebookError where it would make no sense as law."""
    provisions, absent = overlay(draft, base)
    top = draft.file.top
    _require(top, provisions)
    _player_table(top, provisions)
    rows = {total: provisions[f"banker_draws.{total}"].value for total in POINTS}
    bets = _bets(top, provisions)
    schemes = _schemes(top, provisions, bets)
    _hands_judged(top, provisions, bets, schemes, base)
    return RuleSet(
        id=draft.id,
        amends=draft.amends,
        in_force_from=draft.in_force_from,
        in_force_status=draft.in_force_status,
        in_force_note=draft.in_force_note,
        instrument=instrument,
        provisions=provisions,
        absent=absent,
        player_draws=frozenset(provisions["player_draws_on"].value),
        naturals=frozenset(provisions["naturals"].value),
        banker_draws=dict(_cells(rows, drawn=True)),
        banker_article=dict(_cells(rows, drawn=False)),
        bets=bets,
        schemes=schemes,
        options={
            key.removeprefix("option."): one
            for key, one in provisions.items()
            if key.startswith("option.")
        },
        complete=draft.complete,
        own=draft.own,
        caps=() if draft.complete else caps,
    )


def _require(top: Node, provisions: Mapping[str, Provision]) -> None:
    for key in (*PROVISIONS, *(f"banker_draws.{total}" for total in POINTS)):
        if key not in provisions and key != _ONLY_WITH_JACKPOT:
            hint = 'Add it, or say which rule set this one amends: amends = "64-2007"'
            top.refuse("", f"the rule set has no {key}", hint)


def _player_table(top: Node, provisions: Mapping[str, Provision]) -> None:
    draws, stands = (provisions[f"player_{what}_on"].value for what in ("draws", "stands"))
    if sorted([*draws, *stands]) != list(POINTS):
        hint = "player_draws_on and player_stands_on share out the totals 0 to 9"
        top.refuse("provision.player_draws_on", "a total is missing or there twice", hint)
    if not set(provisions["naturals"].value) <= set(stands):
        top.refuse("provision.naturals", "Player would draw on a natural")
    if provisions["decks_min"].value > provisions["decks_max"].value:
        top.refuse("provision.decks_min", "more decks are needed than are allowed")


def _cells(rows: Mapping[int, Any], *, drawn: bool) -> list[tuple[tuple[int, int | None], Any]]:
    """Cells of the Banker table: whether Banker draws, or the sub-paragraph that says so."""
    cells: list[tuple[tuple[int, int | None], Any]] = []
    for total, row in rows.items():
        for card in POINTS:
            cell = "draws" if card in row["draws"] else "stands"
            cells.append(((total, card), cell == "draws" if drawn else row["article"][cell]))
        none = row["no_third"] == "draws" if drawn else row["article"]["no_third"]
        cells.append(((total, None), none))
    return cells


def _pays(rows: list[dict[str, Any]]) -> tuple[Pay, ...]:
    return tuple(Pay(row["when"], row["odds"], row["article"], row["status"]) for row in rows)


def _bets(top: Node, provisions: Mapping[str, Provision]) -> dict[str, BetRule]:
    bets: dict[str, BetRule] = {}
    for key, one in provisions.items():
        section, _, name = key.partition(".")
        if section == "payout" and f"bet.{name}" not in provisions:
            names = tuple(k.removeprefix("bet.") for k in provisions if k.startswith("bet."))
            hint = nearest(name, names) or f"Repeal {key} with its bet"
            top.refuse(key, f"odds for a bet that is not on offer: {name}", hint)
        if section != "bet":
            continue
        payout = provisions.get(f"payout.{name}")
        if payout is None:
            top.refuse(key, f"the bet has no [payout.{name}]", "Say its odds")
        jackpot = one.value["kind"] == "jackpot"
        if jackpot != ("prize" in payout.value[0]):
            top.refuse(payout.key, "prizes are for a jackpot, pays for any other bet")
        bets[name] = BetRule(
            id=name,
            kind=one.value["kind"],
            side=one.value.get("side"),
            wins=one.value.get("wins", {}),
            pushes=one.value.get("pushes"),
            pays=() if jackpot else _pays(payout.value),
            combinations=_combinations(top, one, payout) if jackpot else (),
            article=one.article,
            status=one.status,
            payout_article=payout.article,
            payout_status=payout.status,
            titles=one.value.get("titles", {}),
        )
        if jackpot and _ONLY_WITH_JACKPOT not in provisions:
            top.refuse(key, f"a jackpot needs the provision {_ONLY_WITH_JACKPOT}")
    return bets


def _combinations(top: Node, bet: Provision, payout: Provision) -> tuple[Combination, ...]:
    prizes = {row["combination"]: row for row in payout.value}
    listed = {row["id"]: row for row in bet.value["combinations"]}
    for name in (*prizes, *listed):
        if name not in prizes or name not in listed:
            top.refuse(payout.key, f"{name} needs both a combination and a prize")
    return tuple(
        Combination(
            id=name,
            cards=row["cards"],
            pattern=row["pattern"],
            article=row["article"],
            status=row["status"],
            prize=prizes[name]["prize"],
            pool_part=prizes[name].get("pool_part"),
            shared=prizes[name]["shared"],
            prize_article=prizes[name]["article"],
            prize_status=prizes[name]["status"],
        )
        for name, row in listed.items()
    )


def _schemes(
    top: Node, provisions: Mapping[str, Provision], bets: Mapping[str, BetRule]
) -> dict[str, Scheme]:
    schemes: dict[str, Scheme] = {}
    for key, one in provisions.items():
        if not key.startswith("scheme."):
            continue
        name, value = key.removeprefix("scheme."), one.value
        bet = bets.get(value["bet"])
        if bet is None:
            hint = nearest(value["bet"], bets)
            top.refuse(f"{key}.bet", f"no such bet {value['bet']!r}", hint)
        for pay in bet.pays:
            kept: Decimal = pay.odds * value["rate"] * 100
            if kept != kept.to_integral_value():
                top.refuse(f"{key}.rate", "odds less commission have more than two decimals")
        pays = _pays(value.get("pays", []))
        schemes[name] = Scheme(name, bet.id, value["rate"], pays, one.article, one.status)
    if not schemes:
        top.refuse("scheme", "the rule set has no commission scheme")
    return schemes


def _hands_judged(
    top: Node,
    provisions: Mapping[str, Provision],
    bets: Mapping[str, BetRule],
    schemes: Mapping[str, Scheme],
    base: RuleSet | None,
) -> None:
    """Refuse a bet that says two things, or nothing, of a hand that cards can make."""
    hands = conceivable_hands(frozenset(provisions["naturals"].value))
    for name, bet in bets.items():
        keys: tuple[str, ...] = (f"bet.{name}", f"payout.{name}", "naturals")
        keys += tuple(f"scheme.{one.id}" for one in schemes.values() if one.bet == name)
        same = base and all(base.provisions.get(key) is provisions[key] for key in keys)
        if bet.kind == "jackpot" or same:
            continue
        won = [hand for hand in hands if matches(bet.wins, hand)]
        if not won:
            top.refuse(f"bet.{name}.wins", "no hand can win this bet")
        if bet.pushes is not None and any(matches(bet.pushes, hand) for hand in won):
            top.refuse(f"bet.{name}.pushes", "a hand that wins would also give the stake back")
        used: set[int] = set()
        for hand in won:
            fits = (n for n, pay in enumerate(bet.pays) if matches(pay.when, hand))
            first = next(fits, None)
            if first is None:
                hint = f"For instance {_told(bet, hand)}"
                top.refuse(f"payout.{name}.pays", "a hand that wins has no odds", hint)
            used.add(first)
        for n in range(len(bet.pays)):
            if n not in used:
                top.refuse(f"payout.{name}.pays[{n + 1}]", "no winning hand comes to these odds")
        for scheme in (one for one in schemes.values() if one.bet == name):
            for n, pay in enumerate(scheme.pays):
                if not any(matches(pay.when, hand) for hand in won):
                    where = f"scheme.{scheme.id}.pays[{n + 1}]"
                    top.refuse(where, "no winning hand comes to these odds")


def _told(bet: BetRule, hand: Mapping[str, object]) -> str:
    """The facts of ``hand`` that the bet's odds look at."""
    named = dict.fromkeys(fact for pay in bet.pays for fact in pay.when)
    return ", ".join(f"{fact} = {str(hand[fact]).lower()}" for fact in named)
