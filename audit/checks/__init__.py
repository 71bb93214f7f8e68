"""The checks, one file for each article; ``CHECKS`` is the explicit list of them all."""

from __future__ import annotations

from audit.checks import (
    a01_material,
    a02_start,
    a03_last_round,
    a05_points,
    a09_draws,
    a10_errors,
    a11_winner,
    a12_tie,
    a13_bets,
    a14_stakes,
    a17_jackpot,
    a17_payouts,
    a18_commission,
    a19_authority,
    log,
)
from audit.checks.base import Breach, Check

CHECKS: tuple[Check, ...] = (
    *a01_material.CHECKS,
    *a02_start.CHECKS,
    *a03_last_round.CHECKS,
    *a05_points.CHECKS,
    *a09_draws.CHECKS,
    *a10_errors.CHECKS,
    *a11_winner.CHECKS,
    *a12_tie.CHECKS,
    *a13_bets.CHECKS,
    *a14_stakes.CHECKS,
    *a17_payouts.CHECKS,
    *a17_jackpot.CHECKS,
    *a18_commission.CHECKS,
    *a19_authority.CHECKS,
    *log.CHECKS,
)

__all__ = ["CHECKS", "Breach", "Check"]
