"""The hands of a finding as lines of cards: as dealt, and as they should have been."""

from __future__ import annotations

from markupsafe import Markup

from audit.report import cardfont
from audit.report.draw import Hand
from audit.report.query import Facts
from audit.report.words import Words, card_text, visible

SIDES = ("player", "banker")
SIZE = 5.2
"""Size of the cards' typeface in millimetres, as the style sheet has it."""

MOST_CARDS = 8
"""Cards drawn of a hand that holds more than it may."""

_WITH_HANDS = ("A05", "A09", "A1002", "A11", "A1201", "A1202", "A1203", "A1204", "A1302", "A17",
               "A18", "L05", "L06")  # fmt: skip
_OWED = {"A0901": "player", "A0904": "banker"}
_WRONG = {"A0902": "player", "A0903": "player", "A0905": "banker", "A0906": "banker"}


def dealt(words: Words, item: Facts) -> tuple[Hand, Hand] | None:
    """Both hands of the finding's round, where its cards matter.

    The card that should not be there is marked, the place of one that is missing is left open.
    """
    row, code = item["round"], item["code"]
    if row is None or not code.startswith(_WITH_HANDS):
        return None
    cards = {side: (row[f"{side}_cards"] or "").split()[:MOST_CARDS] for side in SIDES}
    if not any(cards.values()):
        return None
    player, banker = (
        Hand(
            words.ui(f"{side}_short"),
            tuple(cards[side]),
            "" if row[f"by_{side}_total"] is None else str(row[f"by_{side}_total"]),
            owed=_OWED.get(code) == side,
            marked=_marked(code, side, len(cards[side])),
        )
        for side in SIDES
    )
    return player, banker


def _marked(code: str, side: str, number: int) -> tuple[int, ...]:
    if code == "A0907":
        return tuple(range(3, number))
    return (2,) if _WRONG.get(code) == side and number > 2 else ()


def should(words: Words, course: Facts) -> tuple[Hand, Hand]:
    """Both hands as they should have been; a card from another place is marked."""
    player, banker = (
        Hand(
            words.ui(f"{side}_short"),
            (*course[side], *["?"] * (course["unknown"] == side)),
            "" if course[f"{side}_total"] is None else str(course[f"{side}_total"]),
            marked=(2,) if side in course["moved"] or course["unknown"] == side else (),
        )
        for side in SIDES
    )
    return player, banker


def line(player: Hand, banker: Hand) -> Markup:
    """Both hands as one line of cards."""
    pieces = (_piece(text, kind) for text, kind in cardfont.runs(player, banker))
    # A hand of more cards than it may hold makes the line longer, so it is set smaller.
    places = sum(max(cardfont.drawn(hand), cardfont.SIDE) for hand in (player, banker))
    size = f"{SIZE * 2 * cardfont.SIDE / places:.2f}mm"
    style = Markup(' style="font-size: {}"').format(size) if places > 2 * cardfont.SIDE else ""
    # An element of its own kind, so that its text can be put into the file as it is read aloud.
    spoken = ", ".join(_spoken(hand) for hand in (player, banker))
    joined = Markup("").join(pieces)
    return Markup('<article class="h" title="{}"{}>{}</article>').format(spoken, style, joined)


def _piece(text: str, kind: str) -> Markup:
    tags = {"red": "b", "mark": "i"}
    return (
        Markup("<{0}>{1}</{0}>").format(Markup(tags[kind]), text)
        if kind
        else Markup("{}").format(text)
    )


def _spoken(hand: Hand) -> str:
    """A hand in letters, digits and suit signs, a marked card in brackets: ``P 5: 8♠ 3♣ [4♥]``."""
    cards = visible(card_text(" ".join(hand.cards)), 160).split()
    cards = [f"[{card}]" if at in hand.marked else card for at, card in enumerate(cards)]
    cards += [cardfont.OWED] * hand.owed
    return f"{hand.label} {hand.total}".strip() + f": {' '.join(cards)}"
