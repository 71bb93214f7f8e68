"""What the replay says, in words shared by terminal and drawing."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from audit.cards import POINTS, SUIT_SYMBOLS, SUITS, TEXT, suit_of
from audit.replay.dues import BetDue
from audit.replay.hand import Hand, Step, total_of
from audit.replay.record import RecordedFinding, RecordedRound
from audit.replay.rounds import Replay
from audit.replay.true_order import Course, Dealt

SEATS = {"player": "Player", "banker": "Banker"}
OUTCOMES = {"player": "Player", "banker": "Banker", "tie": "tie", None: "–"}
ACTIONS = {
    "deal": "dealt",
    "draw": "draws",
    "stand": "stands",
    "stop": "stops",
    "extra": "draws",
}
BROKEN = {
    "A0901": "did not draw",
    "A0902": "drew all the same",
    "A0903": "drew against a natural",
    "A0904": "did not draw",
    "A0905": "drew all the same",
    "A0906": "drew against a natural",
    "A0907": "more than three cards",
}
STANDINGS = {
    "returned": "tie: returned",
    "void": "void: returned",
    "cancelled": "cancelled",
    "carried": "carried on",
    "handpay": "paid by hand",
    "not_offered": "not on offer",
    "demo": "demonstration",
    "bad_stake": "no stake",
    "unjudged": "not judged",
}
CONSEQUENCES = {
    "same_outcome": "Had the rules been followed, the result would have been the same.",
    "changed:banker": "Had the rules been followed, Banker would have won.",
    "changed:player": "Had the rules been followed, Player would have won.",
    "changed:tie": "Had the rules been followed, the round would have been a tie.",
    "undetermined": "What the result would have been cannot be determined.",
}
CHANGED = {
    "changed:banker": " → Banker",
    "changed:player": " → Player",
    "changed:tie": " → tie",
    "undetermined": " → ?",
}
"""What follows the code of a draw error in a list."""

COMBINATIONS = {
    "royal": "royal flush",
    "paradise": "paradise straight",
    "four_of_a_kind": "four of a kind",
    "two_pairs": "two pairs",
    "three_of_a_kind": "three of a kind",
    "single_pair": "single pair",
}
_UNKNOWN = {
    "own_withdrawn": "cards were withdrawn while it was dealt",
    "auto": "an automatic shuffler-dispenser takes its cards back after each round",
    "end_of_shoe": "the log has no later round of this shoe",
    "missing": "round {no} is not in the log",
    "rejected": "the row of round {no} was rejected",
    "incomplete": "the first four cards of round {no} are not all known",
    "too_long": "a hand of round {no} has more than three cards",
    "burned": "cards were burned before round {no}",
    "withdrawn": "cards were withdrawn from round {no}",
}


_DECIMALS = 6
"""Most decimals of an amount that is exact."""


def clean(text: object) -> str:
    """Text of a log without control characters, which could steer a terminal."""
    return "".join(
        char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(text)
    )


def plain(amount: Decimal | None) -> str | None:
    """Exact decimal text without trailing zeros, as JSON carries it: ``1950``, ``-2.5``."""
    if amount is None:
        return None
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def money(amount: Decimal | None) -> str:
    """An amount for reading: ``1,950.00``, with more decimals only where it has them.

    A share that no decimal can write, and only such a one, is given to two.
    """
    if amount is None:
        return "–"
    whole, _, part = (plain(amount) or "0").partition(".")
    if len(part) > _DECIMALS:
        return f"≈ {amount:,.2f}"
    return f"{int(whole):,}.{part:0<2}" if int(whole) or amount >= 0 else f"-0.{part:0<2}"


def signed(amount: Decimal | None) -> str:
    """A difference: ``+50.00``, ``-2.50``, ``0.00``."""
    return ("+" if amount and amount > 0 else "") + money(amount)


def plural(number: int, noun: str) -> str:
    """``1 bet``, ``2 bets``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def face(code: int) -> str:
    """A card as on the table: ``K♠``; the rank alone where the suit is unknown; else ``7p``."""
    suit = suit_of(code)
    return TEXT[code] if suit is None else TEXT[code][:-1] + SUIT_SYMBOLS[SUITS[suit]]


def is_red(code: int) -> bool:
    """Whether the card is a heart or a diamond."""
    suit = suit_of(code)
    return suit is not None and SUITS[suit] in "HD"


def reason(step: Step, hand: Hand) -> str:
    """Why a step had to be taken, in one short phrase."""
    must = "must draw" if step.required == "draw" else "must not draw"
    seat = SEATS[step.seat]
    match step.why:
        case "own_total":
            return f"on {step.before}, {seat} {must}"
        case "player_natural" | "banker_natural":
            natural = step.why.removesuffix("_natural")
            points = total_of((hand.player if natural == "player" else hand.banker)[:2])
            whose = "its own" if natural == step.seat else f"{SEATS[natural]}'s"
            return f"with {whose} natural {points}, {seat} {must}"
        case "third_card":
            third = POINTS[hand.player[2]]
            return f"on {step.before}, against a third card of {third}, {seat} {must}"
        case "no_third_card":
            return f"on {step.before}, Player not having drawn, {seat} {must}"
        case "limit":
            return "one additional card at most for each hand"
        case "not_judged":
            return "not judged"
    return ""


def spot(dealt: Dealt) -> str:
    """The place to which a card was dealt: ``B3``, or ``P1 of round 13``."""
    place = f"{dealt.seat[0].upper()}{dealt.number}"
    return place if dealt.round_no is None else f"{place} of round {dealt.round_no}"


def verdict(hand: Hand) -> str:
    """Who wins, and by what: ``Banker wins, 7 to 5``."""
    if hand.winner is None:
        return "not judged"
    if hand.winner == "tie":
        return f"tie, {hand.player_total} all"
    totals = [str(hand.player_total), str(hand.banker_total)]
    return f"{SEATS[hand.winner]} wins, {' to '.join(sorted(totals, reverse=True))}"


def why_unknown(course: Course, recorded: RecordedRound) -> str:
    """The sentence that says which card is not known, and why; empty where all are."""
    if course.unknown is None:
        return ""
    number = recorded.following.round_no
    return (
        f"{SEATS[course.unknown]} needs a card that is not known: "
        f"{_UNKNOWN[course.reason].format(no=number)}."
    )


def moves(course: Course) -> list[str]:
    """Which card goes where when the round is dealt again, in sentences."""
    said = []
    for seat, dealt in course.third:
        place = f"{seat[0].upper()}3"
        if place != spot(dealt):
            said.append(f"{face(dealt.card)}, dealt as {spot(dealt)}, is {SEATS[seat]}'s {place}.")
    said += [
        f"{face(dealt.card)}, dealt as {spot(dealt)}, stays in the shoe." for dealt in course.left
    ]
    return said


def place_of(recorded: RecordedRound) -> str:
    """Casino, table, shoe and round for a title, the casino left out where it is ``-``."""
    places = [] if recorded.casino == "-" else [clean(recorded.casino)]
    places += [f"table {clean(recorded.table_id)}", f"shoe {clean(recorded.shoe_id)}"]
    return " · ".join([*places, f"round {recorded.round_no}"])


def circumstances(recorded: RecordedRound, replay: Replay) -> list[str]:
    """When and how it was dealt, and under which rules."""
    void = f" ({clean(recorded.void_reason)})" if recorded.void_reason else ""
    decks = f", {recorded.decks} decks" if recorded.decks else ""
    scheme = (recorded.scheme or "scheme unknown").replace("_", " ")
    dealer = f" · dealer {clean(recorded.dealer_id)}" if recorded.dealer_id else ""
    lines = [
        f"{recorded.started_at:%Y-%m-%d %H:%M:%S} Macau time · {recorded.kind}{void}",
        f"device {recorded.device}{decks} · {scheme}{dealer}",
        f"Rules {replay.rules.id}: {replay.why}",
    ]
    events = [
        f"{plural(recorded.burned, 'card')} burned before it" if recorded.burned else "",
        f"withdrawn: {clean(recorded.withdrawn)}" if recorded.withdrawn else "",
        "the white card came out" if recorded.cut_card else "",
    ]
    return lines + ([" · ".join(filter(None, events))] if any(events) else [])


def standing(due: BetDue) -> str:
    """How a bet stands, with the article."""
    text = STANDINGS.get(due.standing, due.standing)
    mark = "" if due.basis == "stated" else f" ({due.basis})"
    return f"{text}, art. {due.article}{mark}" if due.article else text


def broken(hand: Hand) -> str:
    """Codes of art. 9 that the hand broke; never a clean word for a hand not looked at."""
    return " ".join(hand.breaches) or ("not judged" if hand.winner is None else "no")


def severity(finding: RecordedFinding) -> str:
    """``apparent violation`` (only the authority finds one), ``warning, accepted`` .."""
    word = "apparent violation" if finding.severity == "violation" else finding.severity
    return f"{word}, accepted" if finding.status == "accepted" else word


def wrong_bets(recorded: RecordedRound, dues: Sequence[BetDue]) -> int:
    """Bets whose payment is not an accepted amount."""
    return sum(not due.fits(bet) for bet, due in zip(recorded.bets, dues, strict=True))
