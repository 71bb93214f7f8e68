"""What each round and bet should have been, vectorised: totals, draws, winner, amounts due.

Source: arts. 2, 3, 5, 9, 11-13, 17 and 18. ``audit.replay`` does one hand at a time and is
written apart, so that the two can be compared.
"""

from audit.resolve.log import Across, Resolved, resolve_across, resolve_shoes
from audit.resolve.options import Options
from audit.resolve.rules import Rules

__all__ = ["Across", "Options", "Resolved", "Rules", "resolve_across", "resolve_shoes"]
