"""What ``inspect`` finds out about cards and outcomes: every reading is held against the totals."""

from __future__ import annotations

import json
from collections.abc import Mapping

import polars as pl

from audit.profile import cards
from audit.profile.cards import total
from audit.profile.draft import Draft
from audit.profile.model import DEAL, DEAL_ORDERS, NOTATIONS
from audit.schema import OUTCOME_WORDS

HANDS = ("player_cards", "banker_cards")
Hands = list[tuple[str, str] | None]


def settle_cards(draft: Draft, named: Mapping[str, str], rows: pl.DataFrame) -> Hands | None:
    """Settle notation and deal order; the hands as they then read."""
    if all(column in named for column in HANDS):
        own = [named[column] for column in HANDS]
        readings = {(notation, ""): _read_both(notation, rows, own) for notation in NOTATIONS}
        columns = dict(zip(HANDS, own, strict=True))
    elif DEAL in named:
        columns = {DEAL: named[DEAL]}
        totals = [draft.columns.get(f"{hand}_total") for hand in ("player", "banker")]
        said = rows.select(*totals).rows() if None not in totals else None
        readings = {
            (notation, order): _read_deal(notation, order, rows[named[DEAL]], said)
            for notation in NOTATIONS
            for order in DEAL_ORDERS
        }
    else:
        return None
    fitting = {key: hands for key, hands in readings.items() if hands is not None}
    if not fitting:
        draft.notes.append(f"No notation reads all of {', '.join(columns.values())}.")
        return None
    key, sure = _best(draft, fitting, rows)
    draft.columns |= columns
    if key != ("rank-suit", "") or not sure:
        order = f', deal_order = "{key[1]}"' if key[1] else ""
        empty = ', empty = ["0"]' if key[0] == "hex" else ""
        fifth = _fifth(draft, fitting[key], rows[named[DEAL]], key[0]) if key[1] else ""
        doubt = "" if sure else "   # several readings fit: check it"
        draft.settings.append(f'cards = {{ notation = "{key[0]}"{empty}{order}{fifth} }}{doubt}')
    return fitting[key] if sure else None


def _read_both(notation: str, rows: pl.DataFrame, own: list[str]) -> Hands | None:
    read = cards.reader(notation, "SHDC", frozenset(), {})
    hands: Hands = []
    for player, banker in rows.select(own).iter_rows():
        pair = [read(text) if text is not None else "" for text in (player, banker)]
        if pair[0] is None or pair[1] is None:
            return None
        hands.append((pair[0], pair[1]))
    return hands if any(one or other for one, other in filter(None, hands)) else None


def _read_deal(
    notation: str, order: str, text: pl.Series, said: list[tuple[str | None, ...]] | None
) -> Hands | None:
    """The hands, None for a list of five that nothing parts; None where a list cannot be read."""
    empty = _empty(notation)
    single = cards.reader(notation, "SHDC", empty, {})
    read = cards.deal_reader(notation, "SHDC", empty, {}, order, () if said is not None else None)
    hands: Hands = []
    for at, each in enumerate(text):
        pair = ("", "") if each is None else read(each, said[at] if said else (None, None))
        if pair is None and not _is_five(each, single):
            return None
        hands.append(pair)
    return hands if any(any(each or ()) for each in hands) else None


def _is_five(text: str, single: cards.Reader) -> bool:
    places = cards.places_of(text, single)
    return places is not None and len(places) == cards.PLACES - 1 and all(places)


def _fifth(draft: Draft, hands: Hands, text: pl.Series, notation: str) -> str:
    """The key ``fifth`` where lists of five cards are there; a note says how they are told."""
    single = cards.reader(notation, "SHDC", _empty(notation), {})
    five = [
        pair
        for each, pair in zip(text, hands, strict=True)
        if each is not None and _is_five(each, single)
    ]
    if not five:
        return ""
    left = five.count(None)
    counts = 'fifth = { player = "...", banker = "..." } with columns of the number of cards'
    if {"player_total", "banker_total"} <= set(draft.columns):
        draft.notes.append(
            f"{len(five)} lists have five cards and no empty place: the totals recorded tell whose "
            f"the fifth is in {len(five) - left}, and {left} would be rejects. Better is {counts}."
        )
        return ', fifth = "totals"'
    draft.notes.append(
        f"{len(five)} lists have five cards and no empty place: nothing tells whose the fifth is, "
        f"and they would be rejects. Give {counts}, or the totals."
    )
    return ""


def _empty(notation: str) -> frozenset[str]:
    return frozenset({"0"} if notation == "hex" else ())


def _best(
    draft: Draft, fitting: Mapping[tuple[str, str], Hands], rows: pl.DataFrame
) -> tuple[tuple[str, str], bool]:
    """The reading that agrees best with the totals recorded, and whether no other does so."""
    keys = list(fitting)
    names = [draft.columns.get(f"{hand}_total") for hand in ("player", "banker")]
    if None in names:
        if len(keys) > 1:
            told = ", ".join(" ".join(key).strip() for key in keys)
            draft.notes.append(f"The cards read as {told}, and no totals tell which; check it.")
        return keys[0], len(keys) == 1
    recorded = rows.select(*(name for name in names if name)).rows()
    agree = {key: _agreeing(fitting[key], recorded) for key in keys}
    for key in keys:
        right, of = agree[key]
        draft.notes.append(
            f"Cards read as {' '.join(key).strip()}: {right} of {of} recorded totals agree."
        )
    best = max(keys, key=lambda key: agree[key][0])
    alike = sum(agree[key] == agree[best] for key in keys)
    if alike > 1:
        draft.notes.append("Two readings agree alike; check which it is.")
    return best, alike == 1


def _agreeing(hands: Hands, recorded: list[tuple[str | None, ...]]) -> tuple[int, int]:
    right = of = 0
    for pair, totals in zip(hands, recorded, strict=True):
        for hand, said in zip(pair or ("", ""), totals, strict=True):
            if hand and said is not None:
                of += 1
                right += str(total(hand)) == said.partition(".")[0]
    return right, of


def settle_outcome(draft: Draft, rows: pl.DataFrame, own: str, hands: Hands | None) -> None:
    """Words that are not the usual ones are told by the cards, else by the totals recorded."""
    text, by = rows[own], "the cards"
    won = [_won(pair) for pair in hands or ()]
    totals = [draft.columns.get(f"{hand}_total") for hand in ("player", "banker")]
    if not any(won) and None not in totals:
        by = "the totals"
        won = [_higher(*map(_points, pair)) for pair in rows.select(*totals).iter_rows()]
    words = text.drop_nulls().unique().sort().to_list()
    usual = [word for word in words if word.casefold() in OUTCOME_WORDS]
    if words and len(usual) == len(words):
        draft.columns["outcome"] = own
        return
    counts: dict[str, dict[str, int]] = {word: {} for word in words}
    for word, winner in zip(text, won, strict=False):
        if word is not None and winner is not None:
            counts[word][winner] = counts[word].get(winner, 0) + 1
    found = {word: max(votes, key=votes.__getitem__) for word, votes in counts.items() if votes}
    if 0 < len(words) <= 5 and len(found) == len(words) and len(set(found.values())) == len(words):
        listed = ", ".join(f"{json.dumps(word)} = {json.dumps(won)}" for word, won in found.items())
        draft.columns["outcome"] = own
        draft.settings.append(f"maps.outcome = {{ {listed} }}   # told by {by}")
        for word, votes in counts.items():
            right, of = votes[found[word]], sum(votes.values())
            draft.notes.append(f"{own} {word}: {found[word]} by {by} in {right} of {of} rounds.")
    else:
        draft.notes.append(f"The words of {own} are not told ({', '.join(words[:5])}); map them.")


def _won(pair: tuple[str, str] | None) -> str | None:
    return _higher(*(total(hand) for hand in pair or ("", "")))


def _higher(player: int | None, banker: int | None) -> str | None:
    if player is None or banker is None:
        return None
    names = {True: "player", False: "banker"}
    return "tie" if player == banker else names[player > banker]


def _points(text: str | None) -> int | None:
    whole = (text or "").partition(".")[0]
    return int(whole) if whole.isdigit() else None
