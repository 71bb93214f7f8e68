"""Rounds before they become text: how a chaotic shoe is dealt, story by story."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.oracle.chaos_style import CHANGES, DECK, ORDINARY, Style
from tests.oracle.model import Card, points, winner
from tests.oracle.rules import banker_draws, player_draws


@dataclass
class Draft:
    """One round, cards as lists; `extra` holds cells that are written as they are."""

    no: int
    start: datetime
    kind: str = "play"
    player: list[Card] = field(default_factory=list)
    banker: list[Card] = field(default_factory=list)
    withdrawn: list[Card] = field(default_factory=list)
    outcome_only: str = ""
    extra: dict[str, str] = field(default_factory=dict)
    bets: list[dict[str, str]] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return len(self.player) >= 2 and len(self.banker) >= 2

    @property
    def result(self) -> str:
        if self.complete:
            return winner(points(self.player), points(self.banker))
        return self.outcome_only


@dataclass
class ShoeDraft:
    """A shoe: its row of `shoes` (None: not recorded) and its rounds."""

    casino: str
    table: str
    shoe: str
    row: dict[str, str] | None
    rounds: list[Draft] = field(default_factory=list)
    pool: str = ""

    @property
    def scheme(self) -> str:
        return (self.row or {}).get("commission", "")


class Source:
    """The shoe's own order of cards; `top` puts wanted cards first."""

    def __init__(self, style: Style, decks: int) -> None:
        self.style = style
        self.cards = DECK * decks
        style.rng.shuffle(self.cards)

    def take(self) -> Card:
        if not self.cards:
            self.cards = list(DECK)
            self.style.rng.shuffle(self.cards)
        return self.cards.pop()

    def top(self, *cards: Card) -> None:
        self.cards += reversed(cards)


def deal(style: Style, source: Source, draft: Draft, error: float) -> None:
    """Art. 7 and 9; with the probability `error` a hand does the contrary of what it must."""
    for _ in range(2):
        draft.player.append(source.take())
        draft.banker.append(source.take())
    first, second = points(draft.player), points(draft.banker)
    third = None
    if player_draws(first, second) != style.chance(error):
        draft.player.append(source.take())
        third = draft.player[2].points
    if banker_draws(first, second, third) != style.chance(error):
        draft.banker.append(source.take())
    if style.chance(error / 8):
        style.rng.choice((draft.player, draft.banker)).extend((source.take(), source.take()))


def first_moment(style: Style) -> datetime:
    """An ordinary day, or just before a change of the law so that a shoe crosses midnight."""
    if style.chance(0.3):
        return style.rng.choice(CHANGES) - timedelta(seconds=style.rng.choice((1, 60, 200)))
    return style.rng.choice(ORDINARY) + timedelta(seconds=style.rng.randrange(50))


def kinds(style: Style) -> list[str]:
    """A plausible or an odd sequence of kinds."""
    rng = style.rng
    sequence = ["demo"] * rng.choice((0, 0, 0, 0, 1, 2, 3, 4, 5))
    for _ in range(rng.choice((1, 2, 3, 5, 8, 13))):
        odd = style.faulty(0.5)
        sequence.append(rng.choice(("demo", "free", "void")) if odd else "play")
    if style.chance(0.1):
        sequence.insert(rng.randrange(len(sequence)), "free")
    return sequence


def clock(style: Style, start: datetime) -> list[datetime]:
    """Starting times, usually a minute apart, sometimes on the second of a change or equal."""
    times = [start]
    for _ in range(60):
        step = style.rng.choice((1, 1, 20, 31, 47, 59, 75))
        if style.faulty(0.02):
            step = style.rng.choice((64800, 64801, -64801, -64800, -3600, 0))
        times.append(times[-1] + timedelta(seconds=step))
    return times


def plain_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """Rounds of all kinds, dealt with errors, cut short, with cards withdrawn."""
    times = clock(style, first_moment(style))
    for no, kind in enumerate(kinds(style), 1):
        r = Draft(no, times[no], kind)
        deal(style, source, r, style.fault if style.faulty() else 0.0)
        spoil(style, source, r)
        draft.rounds.append(r)
    if style.chance(0.35):
        mark_cut_card(style, draft)


def spoil(style: Style, source: Source, r: Draft) -> None:
    """Hands cut short, outcome-only rounds, withdrawn and burned cards."""
    rng = style.rng
    if style.faulty(0.25) or (r.kind == "void" and style.chance(0.5)):
        kept = rng.choice((1, 1, 0, 2))
        hands = rng.choice(((r.player,), (r.banker,), (r.player, r.banker)))
        for hand in hands:
            del hand[kept:]
        if r.kind == "void" and style.chance(0.2):
            r.player, r.banker = [], []
    elif style.faulty(0.3):
        r.outcome_only = r.result
        r.player, r.banker = [], []
    if r.kind == "void":
        reasons = ("exposed_card", "misdeal", "")
        r.extra["void_reason"] = rng.choice(reasons)
    if style.faulty(0.2):
        r.withdrawn = [source.take() for _ in range(rng.choice((1, 2)))]
    if style.chance(0.1) or style.faulty(0.5):
        r.extra["burned"] = rng.choice(("0", "0", "1", "2"))


def mark_cut_card(style: Style, draft: ShoeDraft) -> None:
    """The white card in a late round, sometimes in two, with false elsewhere."""
    rounds = draft.rounds
    at = style.rng.randrange(max(0, len(rounds) - 5), len(rounds))
    for i, r in enumerate(rounds):
        if i == at or (i > at and style.chance(0.1)):
            r.extra["cut_card"] = "true"
        elif style.chance(0.2):
            r.extra["cut_card"] = "false"


def wanted(ranks: str) -> list[Card]:
    return [Card("10" if text[0] == "T" else text[0], text[1]) for text in ranks.split()]


# P1 B1 P2 B2 and what follows; chosen for arts. 13 and 17.
JACKPOTS = (
    "AS KS TS QS JS 4D",  # royal: Player has 1 and draws, Banker 0
    "AH KS TS QS JS 4D",  # paradise
    "KH QH JH TH AH 2C",  # royal with the ace last
    "KH QH JH TH AS 2C",
    "AS KS TS QS JH 4D",  # neither: two suits among the four
    "9S 9D 9H 9C",  # four of all suits
    "9S 9S 9H 9C",  # four, three suits
    "9S 9S 9S 9S",  # four, one suit
    "9S 9S 9S 9H",
    "4S KD 4H KC",  # two pairs
    "4S KD 4S KD",
    "9S 9D 9H KC",  # three of a kind and a pair
    "9S 9D KC 9H",  # three of a kind, no Player pair
    "4S KD 4H 2C 3D",  # single pair
    "KD 5S 9C 5H",
    "KD 5S 9C 3H",  # nothing
    "JD QD QD JD",  # ranks cross: no pair
)


def stacked_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """Rounds with the combinations of the jackpot, each bet on by one to four bettors."""
    times = clock(style, first_moment(style))
    pools = ("12345.67", "1000000", "1000", "700000.01", "90000", "", "0.01", "666060")
    for no in range(1, style.rng.choice((4, 8, 12))):
        r = Draft(no, times[no])
        source.top(*wanted(style.rng.choice(JACKPOTS)))
        deal(style, source, r, 0.0)
        r.extra["jackpot_pool"] = style.rng.choice(pools)
        draft.rounds.append(r)


def third_card_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """Banker's table, art. 9(3)(4): chosen totals and third cards, right and wrong."""
    times = clock(style, first_moment(style))
    ranks = "TA23456789"
    for no in range(1, style.rng.choice((6, 12))):
        r = Draft(no, times[no], style.rng.choice(("play", "play", "play", "demo", "free", "void")))
        player, banker, third = (style.rng.randrange(10) for _ in range(3))
        two = style.rng.choice((("T", player, "T", banker), (player, "T", banker, "T")))
        cards = [ranks[x] if isinstance(x, int) else x for x in (two[0], two[2], two[1], two[3])]
        suits = [style.rng.choice("SHDC") for _ in range(5)]
        source.top(
            *wanted(" ".join(a + b for a, b in zip([*cards, ranks[third]], suits, strict=True)))
        )
        deal(style, source, r, style.rng.choice((0.0, 0.3, 0.6)))
        if style.faulty(0.4):
            spoil(style, source, r)
        draft.rounds.append(r)


def tie_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """Ties with carried bets, and what comes after them (art. 12)."""
    times = clock(style, first_moment(style))
    no = 0
    for _ in range(style.rng.choice((2, 3, 4))):
        no += 1
        tie = Draft(no, times[no], extra={"story": "carry"})
        source.top(*wanted(style.rng.choice(("9S 9H KD QC", "8S 8H TD TC", "7S 6H TD AC"))))
        deal(style, source, tie, 0.0)
        draft.rounds.append(tie)
        between = style.rng.choice(
            ([], [], ["void"], ["demo"], ["free"], ["void", "free"], ["gap"])
        )
        for kind in (*between, "play"):
            no += 1
            if kind == "gap":
                continue
            r = Draft(no, times[no], kind, extra={"story": "back"})
            deal(style, source, r, 0.0)
            draft.rounds.append(r)


def cut_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """The white card, then one more, then too many, with other kinds and gaps between."""
    times = clock(style, first_moment(style))
    cut = style.rng.choice((1, 2, 4))
    after = [style.rng.choice(("play", "play", "void", "free", "demo", "gap")) for _ in range(6)]
    for no, kind in enumerate(["play"] * cut + after, 1):
        if kind == "gap":
            continue
        r = Draft(no, times[no], kind)
        deal(style, source, r, 0.0)
        if no == cut and style.chance(0.2):
            r.kind = style.rng.choice(("void", "demo", "free"))
        if no == cut or style.chance(0.05):
            r.extra["cut_card"] = "true"
        draft.rounds.append(r)


def opening_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """Demonstrations and then rounds that nobody bets on (A0207), with near misses."""
    times = clock(style, first_moment(style))
    demos, idle = style.rng.choice((0, 1, 2, 3, 4)), style.rng.choice((0, 1, 2, 3, 4))
    sequence = ["demo"] * demos + ["idle"] * idle + ["play", "play"]
    if style.chance(0.3):
        sequence.insert(
            style.rng.randrange(len(sequence)), style.rng.choice(("free", "void", "demo"))
        )
    for no, kind in enumerate(sequence, 1):
        r = Draft(no, times[no], "play" if kind == "idle" else kind)
        deal(style, source, r, 0.0)
        if kind in ("idle", "demo"):
            r.extra["no_bets"] = "yes"
        draft.rounds.append(r)


def thin_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """A shoe near its end: burned so many that few cards are left (A0208, L06, L07)."""
    times = clock(style, first_moment(style))
    decks = style.rng.choice((1, 6, 8))
    rounds = style.rng.choice((3, 5, 9))
    for no in range(1, rounds + 1):
        r = Draft(no, times[no])
        deal(style, source, r, 0.0)
        if style.chance(0.2):
            r.withdrawn = [source.take()]
        draft.rounds.append(r)
    dealt = sum(len(r.player) + len(r.banker) + len(r.withdrawn) for r in draft.rounds)
    burned = max(0, decks * 52 - dealt + style.rng.choice((-14, -12, -11, -10, -1, 0, 1, 5)))
    where = style.rng.choice(("shoe", "shoe", "first", "middle", "both"))
    if draft.row is not None:
        draft.row.update(decks=str(decks), burned=str(burned) if where in ("shoe", "both") else "")
    if where in ("first", "both"):
        draft.rounds[0].extra["burned"] = str(burned)
    if where == "middle":
        draft.rounds[rounds // 2].extra["burned"] = str(burned)
    draft.rounds[style.rng.randrange(rounds)].extra["cut_card"] = "true"


def boundary_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """Three rounds: a second before a change of the law, on it, and a second after it."""
    change = style.rng.choice(CHANGES)
    for no in (1, 2, 3):
        kind = style.rng.choice(("play", "play", "play", "demo"))
        r = Draft(no, change + timedelta(seconds=no - 2), kind)
        deal(style, source, r, style.fault)
        draft.rounds.append(r)
    draft.rounds[1].extra["jackpot_pool"] = "50000"


def banker_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """Banker wins, often with six, on two or three cards, under each scheme (art. 18)."""
    times = clock(style, first_moment(style))
    hands: tuple[str, ...] = (
        "2S 6H TD KC",
        "TS 2H TD 4C",
        "TS TH 4D TC",
        "TS 2H 3D 3C TH AD",
        "7S 9H TD KC",
    )
    hands += ("TS 3H 2D 2C 5S AD", "6S TH TD 9C", "TS 6H AD TC 8S KC")
    for no in range(1, style.rng.choice((4, 8))):
        r = Draft(no, times[no], style.rng.choice(("play",) * 7 + ("free",)))
        source.top(*wanted(style.rng.choice(hands)))
        deal(style, source, r, 0.0)
        if style.chance(0.15):
            r.outcome_only = r.result
            r.player, r.banker = [], []
        r.extra["story"] = "banker"
        if style.chance(0.5):
            r.extra["commission"] = style.rng.choice(("commission", "no_commission", ""))
        draft.rounds.append(r)


def time_story(style: Style, source: Source, draft: ShoeDraft) -> None:
    """Starts that go back, are equal, or lie just under and over 18 hours apart (L04, L12)."""
    when = first_moment(style)
    for no in range(1, style.rng.choice((4, 6))):
        r = Draft(no, when)
        deal(style, source, r, 0.0)
        draft.rounds.append(r)
        steps = (60, 60, 60, 0, -1, -3600, 64800, 64801, -64800, -64801, 90000)
        when += timedelta(seconds=style.rng.choice(steps))


STORIES = (
    *(plain_story,) * 5,
    stacked_story,
    stacked_story,
    third_card_story,
    tie_story,
    tie_story,
    cut_story,
    opening_story,
    thin_story,
    boundary_story,
    banker_story,
    banker_story,
    time_story,
)
