"""Bets of a chaotic log: what is staked, what is paid, rightly or in every wrong way."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, Decimal

from tests.oracle.chaos_deal import Draft, ShoeDraft
from tests.oracle.chaos_style import Style
from tests.oracle.model import points

BETS = ("player", "banker", "tie", "player_pair", "banker_pair", "jackpot")
WEIGHTS = (8, 10, 3, 2, 2, 2)
UNKNOWN = ("lucky_6", "dragon_7", "super", "6 Sortudo")
STAKES = ("100", "200", "300", "500", "1000", "5", "10", "20", "25", "55.5", "49.99", "50", "10000")
ODD_STAKES = ("0.01", "1", "2", "7", "110", "333.33", "12.3456", "19.98", "6000.01", "90", "30")
PRIZES = {
    "paradise": "66606",
    "four_of_a_kind": "20202",
    "two_pairs": "3030",
    "three_of_a_kind": "1212",
    "single_pair": "66",
}
ODDS = {"player": 1, "banker": 1, "tie": 8, "player_pair": 11, "banker_pair": 11}
ALIASES = {
    "player": ("P", "閒", "jogador", "ponto", "Player"),
    "banker": ("B", "莊", "Banca", "banco", "BANKER"),
    "tie": ("T", "和", "和局", "empate"),
}


def money(value: Decimal) -> str:
    """At most four decimals, cut off, without zeros at the end."""
    cut = value.quantize(Decimal("0.0001"), rounding=ROUND_DOWN)
    text = format(cut, "f").rstrip("0").rstrip(".")
    return text if text not in ("", "-0") else "0"


def add_bets(style: Style, shoe: ShoeDraft) -> None:
    """Bets on every round, more of them where the story asks for it."""
    for i, r in enumerate(shoe.rounds):
        no_bets = r.extra.pop("no_bets", "")
        story = r.extra.pop("story", "")
        if story == "carry":
            carried_bets(style, r)
        elif story == "back":
            returning_bets(style, shoe, i)
        elif story == "banker":
            banker_bets(style, shoe, r)
        elif r.extra.get("jackpot_pool"):
            jackpot_bets(style, r)
        if r.kind == "demo" and not style.faulty(0.7):
            continue
        if (no_bets or r.kind == "free") and not style.faulty(0.2):
            continue
        for _ in range(style.rng.choice((0, 1, 1, 2, 2, 3, 5))):
            r.bets.append(one_bet(style, shoe, r))
    for r in shoe.rounds:
        number_bets(style, r)


def number_bets(style: Style, r: Draft) -> None:
    """Running numbers, words, leading zeros, or blanks that take the default."""
    form = style.rng.choice(("n", "n", "n", "n", "b-n", "0n", "blank"))
    for n, bet in enumerate(r.bets, 1):
        text = {"n": str(n), "b-n": f"b-{n}", "0n": f"0{n}", "blank": ""}[form]
        bet["bet_id"] = "" if style.running_ids or style.faulty(0.05) else text


def blank_bet(style: Style, bet: str, stake: str) -> dict[str, str]:
    row = dict.fromkeys(("position", "patron_id", "commission_taken", "disposition"), "")
    row.update(bet=bet, stake=stake, paid="0", currency=style.rng.choice(style.currencies))
    return row


def hold(style: Style, row: dict[str, str]) -> None:
    """A seat, a person, both or nobody."""
    if style.chance(0.4):
        row["position"] = str(style.rng.randrange(1, 8))
    if style.chance(0.4):
        row["patron_id"] = style.rng.choice(("P0", "P1", "P2", "1", "2"))


def one_bet(style: Style, shoe: ShoeDraft, r: Draft) -> dict[str, str]:
    rng = style.rng
    bet = rng.choices(BETS, WEIGHTS)[0]
    stake = rng.choice(STAKES if style.chance(0.8) else ODD_STAKES)
    row = blank_bet(style, bet, stake)
    hold(style, row)
    if style.faulty(0.15):
        row["disposition"] = rng.choice(("carried", "cancelled", "handpay", "settled"))
    settle(style, shoe, r, row)
    if style.faulty(0.08):
        row["stake"] = rng.choice(("0", "-5", "-100", "0.00"))
    if style.faulty(0.15):
        row["bet"] = rng.choice(UNKNOWN)
    elif style.words and bet in ALIASES and style.chance(0.3):
        row["bet"] = rng.choice(ALIASES[bet])
    return row


def settle(style: Style, shoe: ShoeDraft, r: Draft, row: dict[str, str]) -> None:
    """Pay a bet as due, or in one of the wrong ways that the checks tell apart."""
    stake = Decimal(row["stake"])
    due = due_of(style, shoe, r, row["bet"], stake)
    if row["disposition"] in ("carried", "handpay"):
        due = Decimal(0)
    elif row["disposition"] == "cancelled" or r.kind == "void":
        due = stake
    paid = due
    if style.faulty(0.7):
        paid = style.rng.choice(wrong_amounts(style, due, stake))
    row["paid"] = money(max(paid, Decimal(0)))
    if style.chance(0.3):
        row["commission_taken"] = taken(style, r, row, stake)


def due_of(style: Style, shoe: ShoeDraft, r: Draft, bet: str, stake: Decimal) -> Decimal:
    scheme = r.extra.get("commission") or shoe.scheme or "commission"
    if bet in ("player", "banker") and r.result == "tie":
        return stake
    if bet == "jackpot" or not won(r, bet):
        return Decimal(0)
    if bet == "banker" and scheme == "commission":
        return stake * Decimal("1.95")
    if bet == "banker" and r.complete and points(r.banker) == 6:
        return stake * Decimal("1.5")
    return stake * (1 + ODDS[bet])


def won(r: Draft, bet: str) -> bool:
    if bet in ("player_pair", "banker_pair"):
        hand = r.player if bet == "player_pair" else r.banker
        return len(hand) >= 2 and hand[0].rank == hand[1].rank
    return r.result == bet


def wrong_amounts(style: Style, due: Decimal, stake: Decimal) -> list[Decimal]:
    """Around the due, around the other schemes' dues, and rounded to whole units."""
    commission, half = stake / 20, stake / 2
    whole = (ROUND_FLOOR, ROUND_CEILING)
    kept = [commission.quantize(Decimal(1), rounding=mode) for mode in whole]
    halves = [half.quantize(Decimal(1), rounding=mode) for mode in whole]
    amounts = [2 * stake - amount for amount in kept] + [stake + amount for amount in halves]
    amounts += [
        2 * stake,
        2 * stake,
        stake * Decimal("1.95"),
        stake,
        stake + half,
        stake * Decimal("1.95"),
        Decimal(0),
    ]
    amounts += [due + Decimal(step) for step in ("1", "-1", "0.01", "-0.01", "0.0001", "-5")]
    amounts += [2 * stake - commission + Decimal(step) for step in ("0.1", "-0.1", "1", "-1")]
    return amounts


def taken(style: Style, r: Draft, row: dict[str, str], stake: Decimal) -> str:
    """`commission_taken`: usually right, and sometimes with the bet paid before commission."""
    rng = style.rng
    exact, gross = stake / 20, 2 * stake - Decimal(row["paid"])
    right = gross if row["bet"] == "banker" and r.result == "banker" else Decimal(0)
    if not style.faulty(1.2):
        return money(max(right, Decimal(0)))
    floor = exact.quantize(Decimal(1), rounding=ROUND_FLOOR)
    choices = [exact, stake / 2, Decimal(0), floor, floor + 1, gross, exact - Decimal("0.01")]
    if row["bet"] == "banker" and style.chance(0.4):
        row["paid"] = money(2 * stake)
    return money(max(rng.choice(choices), Decimal(0)))


# --- the stories' own bets -----------------------------------------------------------------------


def banker_bets(style: Style, shoe: ShoeDraft, r: Draft) -> None:
    """Won Banker bets, most of them paid near, but not quite, as due (art. 18)."""
    usual, style.fault = style.fault, 0.7
    for _ in range(style.rng.choice((2, 4, 6))):
        stake = style.rng.choice(STAKES if style.chance(0.6) else ODD_STAKES)
        row = blank_bet(style, "banker", stake)
        if style.chance(0.05):
            row["disposition"] = style.rng.choice(("handpay", "cancelled", "carried"))
        settle(style, shoe, r, row)
        r.bets.append(row)
    style.fault = usual


def carried_bets(style: Style, r: Draft) -> None:
    """Art. 12 on a tie: carried whole, in part, wrongly, with and without a holder."""
    for _ in range(style.rng.choice((1, 2, 3))):
        bet = style.rng.choice(("player", "banker", "banker", "player", "tie"))
        row = blank_bet(style, bet, style.rng.choice(("100", "200")))
        hold(style, row)
        row["disposition"] = style.rng.choice(("carried", "carried", "carried", "", "settled"))
        row["paid"] = style.rng.choice(("0", "0", "0", "50", "99.99", "100", "150", "200", "201"))
        r.bets.append(row)


def returning_bets(style: Style, shoe: ShoeDraft, at: int) -> None:
    """The holders of carried bets may or may not be there in a later round."""
    r = shoe.rounds[at]
    for old in shoe.rounds[at - 1].bets[:2]:
        if style.chance(0.6):
            bet = style.rng.choice(("player", "banker", old["bet"], "tie"))
            row = blank_bet(style, bet, style.rng.choice((old["stake"], "50")))
            row.update(position=old["position"], patron_id=old["patron_id"])
            if style.chance(0.2):
                row["position"] = ""
            if style.chance(0.15):
                row["disposition"] = style.rng.choice(("cancelled", "handpay"))
            settle(style, shoe, r, row)
            r.bets.append(row)


def jackpot_bets(style: Style, r: Draft) -> None:
    """One to four jackpot bets, some of one person, paid as some reading would or just not."""
    winners = style.rng.choice((1, 2, 3, 4))
    amounts = jackpot_amounts(Decimal(r.extra["jackpot_pool"]), winners)
    same = style.rng.choice(amounts)
    for _ in range(winners):
        row = blank_bet(style, "jackpot", style.rng.choice(("5", "10")))
        hold(style, row)
        amount = style.rng.choice(amounts) if style.faulty(0.8) else same
        row["paid"] = money(max(amount, Decimal(0)))
        if style.faulty(0.3):
            row["disposition"] = style.rng.choice(("handpay", "handpay", "cancelled", "carried"))
        r.bets.append(row)


def jackpot_amounts(pool: Decimal, winners: int) -> list[Decimal]:
    cent = Decimal("0.01")
    share, tenth = pool / winners, max(Decimal(PRIZES["paradise"]), pool / 10) / winners
    amounts = [Decimal(0), Decimal(0), Decimal("1278"), Decimal("3096"), Decimal("21480")]
    for exact in (share, tenth):
        down = exact.quantize(cent, rounding=ROUND_DOWN)
        amounts += [down, down + cent, down - cent, down + cent * 2, 2 * down, exact + cent]
    for prize in map(Decimal, PRIZES.values()):
        amounts += [prize, prize / winners, prize + 7, prize * 2, prize / 2]
    return amounts
