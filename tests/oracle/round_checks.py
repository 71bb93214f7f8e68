"""Arts. 5, 9, 10, 11, 12 and 13 on rounds: totals, draws, void rounds, winner, pair flags."""

from __future__ import annotations

from tests.oracle.context import Context
from tests.oracle.model import Card, Round, Shoe, points, winner
from tests.oracle.rules import banker_draws, player_draws


def check_rounds(ctx: Context) -> None:
    """Made after the bets, whose findings decide some severities."""
    for shoe, rounds in ctx.shoes():
        for i, r in enumerate(rounds):
            following = rounds[i + 1] if i + 1 < len(rounds) else None
            totals(ctx, r)
            pair_flags(ctx, r)
            if r.kind == "void":
                void_without_error(ctx, r)
            elif r.complete:
                recorded_winner(ctx, r)
                draws(ctx, shoe, r, following)


def record_severity(ctx: Context, r: Round) -> str:
    """A warning when bets show that the record is wrong and the money right."""
    money_wrong = any(code[:3] in ("A12", "A17", "A18") for code in ctx.bet_codes[r.key])
    return "warning" if ctx.bets_of.get(r.key) and not money_wrong else "violation"


# --- art. 5 --------------------------------------------------------------------------------------


def totals(ctx: Context, r: Round) -> None:
    """A0501 and A0502: the recorded totals against the cards."""
    if not r.complete:
        return
    if r.player_total is not None and r.player_total != points(r.player):
        ctx.add("A0501", record_severity(ctx, r), r)
    if r.banker_total is not None and r.banker_total != points(r.banker):
        ctx.add("A0502", record_severity(ctx, r), r)


# --- arts. 11, 12, 13 ----------------------------------------------------------------------------


def recorded_winner(ctx: Context, r: Round) -> None:
    """A1101 when neither is a tie, A1201 when just one of the two is."""
    dealt = winner(points(r.player), points(r.banker))
    if r.outcome in ("", dealt):
        return
    code = "A1201" if "tie" in (r.outcome, dealt) else "A1101"
    ctx.add(code, record_severity(ctx, r), r)


def is_pair(hand: tuple[Card, ...]) -> bool:
    """Art. 13: the first two cards have the same rank, whatever the suit."""
    return hand[0].rank == hand[1].rank


def pair_flags(ctx: Context, r: Round) -> None:
    """A1302: one for each wrong flag, void rounds included."""
    if not r.complete:
        return
    hands = (("player", r.player, r.player_pair), ("banker", r.banker, r.banker_pair))
    for name, hand, flag in hands:
        if flag is not None and flag != is_pair(hand):
            ctx.add("A1302", record_severity(ctx, r), r, subject=name)


# --- art. 10 -------------------------------------------------------------------------------------


def void_without_error(ctx: Context, r: Round) -> None:
    """A1002: a void round whose cards show no error."""
    if not r.without_cards and could_go_on(r):
        ctx.add("A1002", "notice", r)


def could_go_on(r: Round) -> bool:
    """The cards are the beginning, or the whole, of a lawful deal (arts. 7 and 9)."""
    if None in r.player_slots or None in r.banker_slots or r.too_long:
        return False
    if not r.complete:
        # P1 B1 P2 B2: nothing may lie out of turn, and no third card before the fourth.
        player, banker = len(r.player), len(r.banker)
        return player <= 2 and banker <= 2 and player - banker in (0, 1)
    first, second = points(r.player[:2]), points(r.banker[:2])
    owed = player_draws(first, second)
    drew = len(r.player) == 3
    if drew and not owed:
        return False
    if len(r.banker) == 2:
        return True
    if owed and not drew:
        return False
    return banker_draws(first, second, r.player[2].points if drew else None)


# --- art. 9 --------------------------------------------------------------------------------------


def draws(ctx: Context, shoe: Shoe, r: Round, following: Round | None) -> None:
    """A0901 to A0907: what each hand drew against the table, Banker on what Player did."""
    if r.too_long:
        ctx.add("A0907", "violation", r)
        return
    codes = [*player_errors(r), *banker_errors(r)]
    if codes:
        what = consequence(shoe, r, following)
        for code in codes:
            ctx.add(code, "violation", r, consequence=what)


def player_errors(r: Round) -> list[str]:
    """Art. 9(1) and (2)."""
    first, second = points(r.player[:2]), points(r.banker[:2])
    drew = len(r.player) == 3
    if drew == player_draws(first, second):
        return []
    if not drew:
        return ["A0901"]
    return ["A0903"] if first >= 8 or second >= 8 else ["A0902"]


def banker_errors(r: Round) -> list[str]:
    """Art. 9(3) and (4)."""
    first, second = points(r.player[:2]), points(r.banker[:2])
    third = r.player[2].points if len(r.player) == 3 else None
    drew = len(r.banker) == 3
    if drew == banker_draws(first, second, third):
        return []
    if not drew:
        return ["A0904"]
    return ["A0906"] if first >= 8 or second >= 8 else ["A0905"]


def consequence(shoe: Shoe, r: Round, following: Round | None) -> str:
    """Replay the shoe's own order by the rules, and compare the winner with the one dealt."""
    order = [*r.player[2:], *r.banker[2:]]
    if r.withdrawn:
        order = []
    elif shoe.device == "shoe" and following is not None and _known_to_follow(r, following):
        order += following.dealt
    first, second = points(r.player[:2]), points(r.banker[:2])
    player, banker, third = first, second, None
    if player_draws(first, second):
        if not order:
            return "undetermined"
        third = order.pop(0).points
        player = (player + third) % 10
    if banker_draws(first, second, third):
        if not order:
            return "undetermined"
        banker = (banker + order.pop(0).points) % 10
    should = winner(player, banker)
    return "same_outcome" if should == r.result else "changed:" + should


def _known_to_follow(r: Round, following: Round) -> bool:
    """The next round's cards are known to be the next ones of the shoe."""
    next_in_shoe = following.no == r.no + 1 and following.complete
    undisturbed = not following.burned and not following.withdrawn and not following.too_long
    return next_in_shoe and undisturbed
