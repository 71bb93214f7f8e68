"""Arts. 1 to 4: decks, the start of a shoe, its last round, exposed cards."""

from __future__ import annotations

from tests.oracle.context import Context
from tests.oracle.log_checks import DECK, burned_before
from tests.oracle.model import Card, Round, Shoe


def check_shoes(ctx: Context) -> None:
    for shoe, rounds in ctx.shoes():
        number_of_decks(ctx, shoe, rounds)
        exposed_card(ctx, rounds)
        if shoe.device == "auto":
            demonstration_on_auto(ctx, rounds)
            continue
        start_burn(ctx, shoe, rounds)
        cut_card_depth(ctx, shoe, rounds)
        demonstrations(ctx, rounds)
        idle_opening(ctx, rounds)
        cut_card_early(ctx, shoe, rounds)
        for r, after in rounds_after_cut_card(rounds):
            if after >= 2:
                ctx.add("A0301", _sure_after_cut_card(rounds, r), r)


def number_of_decks(ctx: Context, shoe: Shoe, rounds: list[Round]) -> None:
    """A0101, art. 1: six to twelve decks, as recorded."""
    if shoe.decks is not None and not 6 <= shoe.decks <= 12:
        ctx.add("A0101", "violation", rounds[0])


def start_burn(ctx: Context, shoe: Shoe, rounds: list[Round]) -> None:
    """A0201, art. 2(1)."""
    if shoe.burn_rule == "fixed":
        ctx.add("A0201", "violation", rounds[0])
        return
    lawful = lawful_burns(ctx, shoe)
    if shoe.burned is not None and lawful and shoe.burned not in lawful:
        ctx.add("A0201", "violation", rounds[0])


def lawful_burns(ctx: Context, shoe: Shoe) -> set[int]:
    """What any reading of art. 2(1) accepts; empty when it cannot be known."""
    decks = ctx.decks(shoe)
    if shoe.burn_rule == "decks" and decks is not None:
        return {decks}
    if shoe.burn_rule == "first_card" and shoe.first_card is not None:
        return {v + own for v in face_values(shoe.first_card) for own in (0, 1)}
    return set()


def face_values(card: Card) -> set[int]:
    """A ten or a face card is worth 10 or 0 for the burn, as one reads it."""
    return {0, 10} if card.points == 0 else {card.points}


def cut_card_depth(ctx: Context, shoe: Shoe, rounds: list[Round]) -> None:
    """A0202, art. 2(1): at least about twelve cards behind the white card."""
    if shoe.cut_card_from_end is not None and shoe.cut_card_from_end < 12:
        ctx.add("A0202", "warning", rounds[0])


def demonstrations(ctx: Context, rounds: list[Round]) -> None:
    """A0203 and A0204, art. 2(2): three at most, and at the start."""
    shown, played = 0, False
    for r in rounds:
        if r.kind == "demo":
            shown += 1
            if shown > 3:
                ctx.add("A0203", "violation", r)
            if played:
                ctx.add("A0204", "violation", r)
        elif r.kind in ("play", "free"):
            played = True


def demonstration_on_auto(ctx: Context, rounds: list[Round]) -> None:
    """A0205, art. 2(2)."""
    for r in rounds:
        if r.kind == "demo":
            ctx.add("A0205", "notice", r)


def idle_opening(ctx: Context, rounds: list[Round]) -> None:
    """A0207: demonstrations, then play rounds without any bet, more than three together."""
    if not any(ctx.bets_of.get(r.key) for r in rounds):
        return
    opening: list[Round] = []
    for r in rounds:
        demo = r.kind == "demo" and all(x.kind == "demo" for x in opening)
        idle = r.kind == "play" and not ctx.bets_of.get(r.key) and bool(opening)
        if not demo and not idle:
            break
        opening.append(r)
    if len(opening) > 3 and opening[-1].kind == "play":
        ctx.add("A0207", "notice", opening[3])


def cut_card_early(ctx: Context, shoe: Shoe, rounds: list[Round]) -> None:
    """A0208: fewer than twelve cards left before the round in which the white card came out."""
    decks = ctx.decks(shoe)
    if decks is None or shoe.burned is None:
        return
    left = decks * DECK
    for i, r in enumerate(rounds):
        if r.no != i + 1:
            return
        left -= burned_before(shoe, r, i == 0)
        if r.cut_card:
            if left < 12:
                ctx.add("A0208", "warning", r)
            return
        left -= len(r.dealt) + len(r.withdrawn)


def rounds_after_cut_card(rounds: list[Round]) -> list[tuple[Round, int]]:
    """Art. 3(1): each play round after the white card's, and which one after it it is."""
    cut = next((r for r in rounds if r.cut_card), None)
    if cut is None:
        return []
    later, others = [], 0
    for r in rounds:
        if r.no <= cut.no:
            continue
        if r.kind == "play":
            later.append((r, r.no - cut.no - others))
        else:
            others += 1
    return later


def _sure_after_cut_card(rounds: list[Round], last: Round) -> str:
    """A warning where a number between is missing, for it may not have been a play round."""
    cut = next(r for r in rounds if r.cut_card)
    between = [r for r in rounds if cut.no < r.no < last.no]
    return "violation" if len(between) == last.no - cut.no - 1 else "warning"


def exposed_card(ctx: Context, rounds: list[Round]) -> None:
    """A0401, art. 4: an exposed card stays valid."""
    for r in rounds:
        if r.kind == "void" and r.void_reason == "exposed_card":
            ctx.add("A0401", "notice", r)
