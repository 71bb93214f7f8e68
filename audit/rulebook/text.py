"""A provision in a few plain English words, for the terminal. Reports have their catalogues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from audit.rulebook.types import Provision

LABELS: Mapping[str, str] = {
    "decks_min": "Decks, at least",
    "decks_max": "Decks, at most",
    "deck_cards": "Cards in a deck",
    "devices": "Devices to deal from",
    "seats_min": "Seats at the table, at least",
    "cut_card_from_end_min": "Cards behind the white card, at least about",
    "burn_rules": "Burn at the start of a shoe, by",
    "demonstration_max": "Demonstration hands in a shoe, at most",
    "auto_has_no_shoe_start": "Automatic device without shuffle, cut and burn",
    "rounds_after_white_card": "Rounds after that of the white card, at most",
    "shoe_change_after_any_round": "Shoe may be changed after any round",
    "exposed_card_valid": "Exposed cards and their round stay valid",
    "card_points": "Points of A 2 3 4 5 6 7 8 9 10 J Q K",
    "total_modulo": "Totals are counted modulo",
    "hands": "Hands",
    "deal_order": "Order of dealing",
    "auto_cards_face_up": "Automatic device deals face up",
    "burn_between_rounds": "House may burn cards before any round",
    "hand_cards_max": "Cards in a hand, at most",
    "player_draws_on": "Player must draw on",
    "player_stands_on": "Player must stand on",
    "naturals": "Naturals",
    "banker_natural_stops_player": "Player must stand when Banker has a natural",
    "player_natural_stops_banker": "Banker must stand when Player has a natural",
    "error_not_put_right": "Round with an error that cannot be put right",
    "winner": "Winner",
    "tie": "Tie",
    "tie_bets": "Player and Banker bets on a tie: the bettor may",
    "stakes_capped_by": "Unequal stakes: limit on the",
    "standing_bet_in_seated_place": "Standing bettors may bet in a seated place",
    "bettor_may_hold_cards": "Bettors may hold the cards",
    "jackpot_prize_approval": "Fixed jackpot amounts approved",
    "working_days_before": "Working days before adoption, at least",
}
"""What each simple provision is about."""

SECTION_LABELS: Mapping[str, str] = {
    "banker_draws": "Banker with {}",
    "bet": "Bet {}",
    "payout": "Odds of {}",
    "scheme": "Scheme {}",
    "option": "Option {}",
}

PATTERN_TEXT: Mapping[str, str] = {
    "royal_one_suit": "A K Q J 10 of one suit",
    "royal_ace_apart": "K Q J 10 of one suit and an A of another",
    "four_alike": "four of one rank",
    "both_pairs_unlike": "a pair in each hand, of different ranks",
    "three_alike": "three of one rank",
    "any_pair": "a pair in either hand",
}

_OUTCOME = {"player": "Player wins", "banker": "Banker wins", "tie": "the hands tie"}

_WORDS = {
    "higher_total": "the higher total",
    "equal_totals": "equal totals",
    "house_option": "at the house's option",
    "first_card": "the first card's face value",
    "decks": "the number of decks",
    "fixed": "a number fixed beforehand",
    "shoe": "shoe",
    "auto": "automatic shuffler-dispenser",
    "difference": "difference between the two sides",
}


def label(key: str) -> str:
    """What the provision under ``key`` is about."""
    section, _, name = key.partition(".")
    return SECTION_LABELS[section].format(name) if name else LABELS.get(key, key)


def describe(one: Provision) -> str:
    """The value of a provision on one line, or one line for each combination."""
    section, _, name = one.key.partition(".")
    if name:
        return _SECTIONS[section](one.value)
    if isinstance(one.value, list):
        if all(isinstance(part, str) for part in one.value):
            gap = " " if one.key == "deal_order" else ", "
            return gap.join(_WORDS.get(part, str(part)) for part in one.value)
        return " ".join(str(part) for part in one.value)
    if isinstance(one.value, bool):
        return "yes" if one.value else "no"
    return _WORDS.get(str(one.value), str(one.value))


def number(value: Decimal | int) -> str:
    """A number without idle zeros: ``0.5``, ``12``."""
    text = format(Decimal(value), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def condition(when: Mapping[str, Any]) -> str:
    """A condition in words: ``Banker wins and Banker total is 6``."""
    return " and ".join(_fact(fact, wanted) for fact, wanted in when.items())


def _fact(fact: str, wanted: Any) -> str:
    values = wanted if isinstance(wanted, list) else [wanted]
    if fact == "winner":
        return " or ".join(_OUTCOME[value] for value in values)
    name = fact.replace("_", " ")
    name = name[0].upper() + name[1:] if name.startswith(("player", "banker")) else name
    if isinstance(values[0], bool):
        hand, what = name.split(" ")
        return f"{hand} has {'a' if True in values else 'no'} {what}"
    verb = "are" if fact.endswith("cards") else "is"
    return f"{name} {verb} {' or '.join(map(str, values))}"


def pays(rows: list[dict[str, Any]]) -> str:
    """Odds in words: ``12 to 1 when winning cards are 2; else 20 to 1``."""
    texts = []
    for row in rows:
        odds = f"{number(row['odds'])} to 1"
        if row["when"]:
            texts.append(f"{odds} when {condition(row['when'])}")
        else:
            texts.append(f"else {odds}" if texts else odds)
    return "; ".join(texts)


def _banker_row(value: Mapping[str, Any]) -> str:
    cards = " ".join(map(str, value["draws"])) or "none"
    none = "must draw" if value["no_third"] == "draws" else "must stand"
    return f"must draw on {cards}; {none} if Player took no third card"


def _bet(value: Mapping[str, Any]) -> str:
    if value["kind"] == "jackpot":
        return "\n".join(
            f"{one['id']}: {PATTERN_TEXT[one['pattern']]}, {one['cards'].replace('_', ' ')} cards"
            for one in value["combinations"]
        )
    text = f"wins when {condition(value['wins'])}"
    return text + (f"; stake back when {condition(value['pushes'])}" if "pushes" in value else "")


def _payout(rows: list[dict[str, Any]]) -> str:
    if "odds" in rows[0]:
        return pays(rows)
    return "\n".join(f"{row['combination']}: {_prize(row)}" for row in rows)


def _prize(row: Mapping[str, Any]) -> str:
    text = {
        "pool": "the whole pool",
        "fixed": "a fixed amount",
        "fixed_or_pool_part": "the higher of a fixed amount and "
        f"{percent(row.get('pool_part', Decimal(0)))} of the pool",
    }[row["prize"]]
    return f"{text}, {'shared equally' if row['shared'] else 'to each winner'}"


def percent(rate: Decimal) -> str:
    """A rate as a percentage: ``5%``."""
    return f"{number(Decimal(rate) * 100)}%"


def _scheme(value: Mapping[str, Any]) -> str:
    rate = value["rate"]
    text = f"{percent(rate)} of the winnings of the {value['bet']} bet" if rate else "no commission"
    return text + (f"; {pays(value['pays'])}" if "pays" in value else "")


def _option(value: str) -> str:
    return f"the choice in art. {value}"


_SECTIONS: Mapping[str, Callable[[Any], str]] = {
    "banker_draws": _banker_row,
    "bet": _bet,
    "payout": _payout,
    "scheme": _scheme,
    "option": _option,
}
