"""What a round meant for the jackpot, in sentences for terminal and drawing."""

from __future__ import annotations

from audit.replay.jackpot import Jackpot
from audit.replay.record import RecordedRound
from audit.replay.words import COMBINATIONS, clean, money, plural


def jackpot_lines(recorded: RecordedRound, jackpot: Jackpot) -> list[str]:
    """What is known of a jackpot in this round, in sentences."""
    names = [
        COMBINATIONS.get(each.id, each.id)
        + (" (under some readings only)" if each.id in jackpot.disputed else "")
        for each in jackpot.dealt
    ]
    said = [f"Dealt: {', then '.join(names) or 'no combination'} (art. {jackpot.article})."]
    if jackpot.unknown and not jackpot.dealt:
        said = ["Which combinations were dealt cannot be told from the cards recorded."]
    elif jackpot.unknown:
        unsure = ", ".join(COMBINATIONS.get(name, name) for name in jackpot.unknown)
        said.append(f"Not to be told from the cards recorded: {unsure}.")
    pool = "not recorded" if jackpot.pool is None else money(jackpot.pool)
    said.append(f"Pool before the round: {pool}.")
    if jackpot.dealt:
        said.append(
            f"Among {plural(jackpot.bets, 'bet')} of {plural(jackpot.persons, 'person')} "
            "(a bet whose holder is not recorded counts as a person)."
        )
    said += [_prize(jackpot, at) for at in range(len(jackpot.dealt))]
    if len(jackpot.dealt) > 1:
        said.append("Whether one prize is due or each is open to two readings (arts. 13, 17).")
    for finding in recorded.findings:
        if finding.code.startswith("A171"):
            due = f", due {finding.expected}" if finding.expected else ""
            said.append(
                f"{finding.code}, bet {clean(finding.bet_id)}: got {finding.recorded or '–'}{due}."
            )
    return [clean(line) for line in said]


def _prize(jackpot: Jackpot, at: int) -> str:
    each = jackpot.dealt[at]
    name = COMBINATIONS.get(each.id, each.id).capitalize()
    amount = jackpot.pool_prize(each)
    shared = ", shared equally among the winners" if each.shared else " to each winner"
    if each.prize == "pool":
        what = f"the whole pool{f', {money(amount)}' if amount is not None else ''}{shared}"
        if amount is not None and each.shared and jackpot.bets > 1:
            by_bets, by_persons = (amount / number for number in (jackpot.bets, jackpot.persons))
            what += f": {by_bets:,.2f} a bet"
            if jackpot.persons != jackpot.bets:
                what += f", or {by_persons:,.2f} a person"
    elif each.prize == "fixed":
        what = f"the house's fixed amount{shared}, or once for the round; the case does not hold it"
    else:
        part = f"{(each.pool_part or 0) * 100:.0f}% of the pool"
        part += f" ({money(amount)})" if amount is not None else ""
        what = f"the higher of a fixed amount, which the case does not hold, and {part}{shared}"
    return f"{name}: {what} (art. {each.prize_article})."
