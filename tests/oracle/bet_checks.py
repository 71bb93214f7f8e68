"""Arts. 2, 10, 12, 13, 14, 17 and 18 on bets, in the order of precedence of the contract."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from tests.oracle.context import Context
from tests.oracle.jackpot import check_jackpots
from tests.oracle.model import Bet, Limit, Round, points
from tests.oracle.round_checks import is_pair
from tests.oracle.rules import MAIN, PAIRS

ODDS = {"player": 1, "banker": 1, "tie": 8, "player_pair": 11, "banker_pair": 11}
Verdict = tuple[str, "Fraction | None"]


def check_bets(ctx: Context) -> None:
    for _, rounds in ctx.shoes():
        for i, r in enumerate(rounds):
            bets = ctx.bets_of.get(r.key, [])
            for bet in bets:
                for code, amount in judge(ctx, r, bet):
                    severity = "notice" if code == "A1806" else "violation"
                    ctx.add(code, severity, r, bet_id=bet.bet_id, amount=amount)
                outside_limits(ctx, r, bet)
                commission_record(ctx, r, bet)
                carried_money(ctx, rounds[i:], bet)
            check_jackpots(ctx, r, [bet for bet in bets if is_jackpot_to_judge(ctx, r, bet)])
            unequal_stakes(ctx, r, bets)
            scheme_without_rule(ctx, r, bets)


def offered(ctx: Context, r: Round, bet: Bet) -> bool:
    version = ctx.version(r)
    return version is not None and bet.bet in version.bets


# --- one bet, the precedence ---------------------------------------------------------------------


def judge(ctx: Context, r: Round, bet: Bet) -> list[Verdict]:
    """At most one finding: the first of the contract's precedence that applies."""
    if ctx.version(r) is None or bet.stake <= 0:
        return []
    stake, paid = Fraction(bet.stake), Fraction(bet.paid)
    if not offered(ctx, r, bet):
        return [("A1301", None)]
    if r.kind == "demo":
        return [("A0206", None)]
    if r.kind == "void":
        return [] if paid == stake else [("A1001", paid - stake)]
    if bet.disposition == "handpay" or not r.result:
        return []
    if bet.disposition == "cancelled":
        return against(paid, stake)
    if bet.disposition == "carried":
        return [] if lawfully_carried(r, bet) else [("A1204", None)]
    if bet.bet == "jackpot":
        return []
    if r.result == "tie" and bet.bet in MAIN:
        return tie_refund(stake, paid)
    return won_or_lost(ctx, r, bet)


def against(paid: Fraction, due: Fraction) -> list[Verdict]:
    """A1701 or A1702, or nothing."""
    if paid == due:
        return []
    return [("A1701" if paid < due else "A1702", paid - due)]


def lawfully_carried(r: Round, bet: Bet) -> bool:
    """Art. 12: only a Player or Banker bet on a tie stands, and not one paid back in full."""
    return r.result == "tie" and bet.bet in MAIN and bet.paid < bet.stake


def tie_refund(stake: Fraction, paid: Fraction) -> list[Verdict]:
    """A1202 and A1203."""
    if paid == stake:
        return []
    return [("A1202" if paid < stake else "A1203", paid - stake)]


def has_won(r: Round, bet: Bet) -> bool | None:
    """None when an outcome-only round does not tell."""
    if bet.bet in PAIRS:
        if r.outcome_only:
            return None
        return is_pair(r.player if bet.bet == "player_pair" else r.banker)
    return r.result == bet.bet


def won_or_lost(ctx: Context, r: Round, bet: Bet) -> list[Verdict]:
    stake, paid = Fraction(bet.stake), Fraction(bet.paid)
    won = has_won(r, bet)
    if won is None:
        return []
    if not won:
        return [("A1704", paid)] if paid else []
    if bet.bet == "banker":
        return banker_won(ctx, r, bet)
    due = stake * (1 + ODDS[bet.bet])
    if paid == 0:
        return [("A1703", -due)]
    return against(paid, due)


# --- art. 18: a won Banker bet -------------------------------------------------------------------


def is_six(r: Round) -> bool:
    return r.complete and points(r.banker) == 6


def due_under(ctx: Context, scheme: str, r: Round, stake: Fraction) -> Fraction:
    """What a won Banker bet gets back under one scheme."""
    if scheme == "commission":
        # A rounding takes no more than there is.
        return 2 * stake - min(stake, ctx.options.rounded(stake / 20))
    if is_six(r):
        return stake + ctx.options.rounded(stake / 2)
    return 2 * stake


def as_due(ctx: Context, scheme: str, r: Round, bet: Bet) -> bool:
    """Paid as due, or before commission where `commission_taken` records exactly that."""
    stake, paid = Fraction(bet.stake), Fraction(bet.paid)
    due = due_under(ctx, scheme, r, stake)
    if paid == due:
        return True
    if paid != 2 * stake or bet.commission_taken is None:
        return False
    return Fraction(bet.commission_taken) == 2 * stake - due


def banker_won(ctx: Context, r: Round, bet: Bet) -> list[Verdict]:
    scheme = ctx.scheme(r)
    if r.outcome_only and scheme != "commission":
        return []
    if not scheme:
        return either_scheme(ctx, r, bet)
    if as_due(ctx, scheme, r, bet):
        return []
    stake, paid = Fraction(bet.stake), Fraction(bet.paid)
    difference = paid - due_under(ctx, scheme, r, stake)
    if paid == 0:
        return [("A1703", difference)]
    if scheme == "commission" and paid == 2 * stake:
        return [("A1801", difference)]
    if scheme == "no_commission" and is_six(r) and paid == 2 * stake:
        return [("A1802", difference)]
    if scheme == "no_commission" and not is_six(r) and paid == stake * Fraction(39, 20):
        return [("A1803", difference)]
    if rounded_to_whole(ctx, scheme, r, bet):
        return [("A1806", difference)]
    return [("A1701" if difference < 0 else "A1702", difference)]


def either_scheme(ctx: Context, r: Round, bet: Bet) -> list[Verdict]:
    """Unknown scheme: due is either scheme's amount, and the difference stays open."""
    schemes = ("commission", "no_commission")
    if any(as_due(ctx, scheme, r, bet) for scheme in schemes):
        return []
    smallest = min(due_under(ctx, scheme, r, Fraction(bet.stake)) for scheme in schemes)
    if bet.paid == 0:
        return [("A1703", None)]
    return [("A1701" if Fraction(bet.paid) < smallest else "A1702", None)]


def rounded_to_whole(ctx: Context, scheme: str, r: Round, bet: Bet) -> bool:
    """A1806: the commission kept, or the half paid on a six, was rounded to a whole unit."""
    if ctx.options.rounding is not None:
        return False
    stake, paid = Fraction(bet.stake), Fraction(bet.paid)
    if scheme == "commission":
        exact, actual = stake / 20, 2 * stake - paid
    elif is_six(r):
        exact, actual = stake / 2, paid - stake
    else:
        return False
    return exact // 1 <= actual <= -(-exact // 1)


# --- beside the precedence -----------------------------------------------------------------------


def commission_record(ctx: Context, r: Round, bet: Bet) -> None:
    """A1805: `commission_taken` differs from what is due."""
    scheme = ctx.scheme(r)
    judged = r.kind == "play" and r.complete and offered(ctx, r, bet) and bet.stake > 0
    if not judged or not scheme or bet.commission_taken is None:
        return
    taken = Fraction(bet.commission_taken)
    if taken not in commissions_due(ctx, scheme, r, bet) and not agrees_with_rounding(ctx, r, bet):
        ctx.add("A1805", "violation", r, bet_id=bet.bet_id)


def commissions_due(ctx: Context, scheme: str, r: Round, bet: Bet) -> set[Fraction]:
    stake = Fraction(bet.stake)
    if bet.bet != "banker" or r.result != "banker" or bet.disposition not in ("settled", "handpay"):
        return {Fraction(0)}
    if scheme == "commission":
        return {min(stake, ctx.options.rounded(stake / 20))}
    if not is_six(r):
        return {Fraction(0)}
    # Half the stake, or what a configured rounding leaves of it.
    return {Fraction(0), stake / 2, 2 * stake - due_under(ctx, scheme, r, stake)}


def agrees_with_rounding(ctx: Context, r: Round, bet: Bet) -> bool:
    """The amounts taken and paid make up the whole win, and the difference is A1806's."""
    taken, paid, stake = Fraction(bet.commission_taken or 0), Fraction(bet.paid), bet.stake
    found = any(code == "A1806" for code, _ in judge(ctx, r, bet))
    return found and taken + paid == 2 * Fraction(stake)


def carried_money(ctx: Context, rounds: list[Round], bet: Bet) -> None:
    """A1205: carried money that never comes back; `rounds` begin with the bet's own."""
    r = rounds[0]
    carried = bet.disposition == "carried" and bet.stake > 0 and offered(ctx, r, bet)
    if not carried or not bet.holder or r.kind in ("demo", "void") or not lawfully_carried(r, bet):
        return
    for i, later in enumerate(rounds[1:], 1):
        if later.no != r.no + i:
            return
        if later.kind == "play":
            back = (b for b in ctx.bets_of.get(later.key, []) if b.bet in MAIN)
            if not any(b.holder == bet.holder for b in back):
                ctx.add("A1205", "violation", r, bet_id=bet.bet_id)
            return


def limit_in_force(ctx: Context, r: Round, bet: str) -> Limit | None:
    """The latest row on or before the round; on equal dates the table's own goes first."""
    best: Limit | None = None
    for limit in ctx.log.limits or []:
        here = limit.casino == r.key[0] and limit.table_id in ("", r.key[1])
        if not here or limit.bet != bet or limit.valid_from > r.day:
            continue
        rank = (limit.valid_from, bool(limit.table_id))
        if best is None or rank > (best.valid_from, bool(best.table_id)):
            best = limit
    return best


def outside_limits(ctx: Context, r: Round, bet: Bet) -> None:
    """A1402: a single stake outside the posted limits."""
    limit = limit_in_force(ctx, r, bet.bet)
    if limit is None or bet.stake <= 0:
        return
    low = limit.min_stake is not None and bet.stake < limit.min_stake
    if low or (limit.max_stake is not None and bet.stake > limit.max_stake):
        ctx.add("A1402", "warning", r, bet_id=bet.bet_id)


def unequal_stakes(ctx: Context, r: Round, bets: list[Bet]) -> None:
    """A1401, art. 14: the difference between the two sides, by currency."""
    limit = limit_in_force(ctx, r, "difference")
    if r.kind == "void" or limit is None or limit.max_stake is None:
        return
    sides: dict[str, Decimal] = {}
    for bet in bets:
        if bet.bet in MAIN and bet.disposition != "cancelled":
            sign = 1 if bet.bet == "banker" else -1
            sides[bet.currency] = sides.get(bet.currency, Decimal(0)) + sign * bet.stake
    if any(abs(difference) > limit.max_stake for difference in sides.values()):
        ctx.add("A1401", "violation", r)


def scheme_without_rule(ctx: Context, r: Round, bets: list[Bet]) -> None:
    """A1804: `no_commission` recorded under a version that has none."""
    version = ctx.version(r)
    if version is None or r.kind != "play" or "no_commission" in version.schemes:
        return
    banker = any(bet.bet == "banker" for bet in bets)
    if banker and ctx.recorded_scheme(r) == "no_commission":
        ctx.add("A1804", "violation", r)


def is_jackpot_to_judge(ctx: Context, r: Round, bet: Bet) -> bool:
    """The jackpot bets that are judged together: settled and handpay ones on known cards."""
    judged = bet.bet == "jackpot" and bet.stake > 0 and offered(ctx, r, bet)
    alive = bet.disposition in ("settled", "handpay") and r.kind not in ("demo", "void")
    return judged and alive and r.complete
