"""The replay: one hand, round or shoe at a time, in plain Python, written apart from ``resolve``.

``replay_hand`` judges a hand as dealt, ``draws`` and ``play_out`` deal one by the rules,
``true_course`` deals a wrongly dealt round again from the shoe's own order. What bets are due is
in ``dues`` and ``jackpot``, a whole recorded round in ``rounds``, reading a case in ``read``;
the rest writes it all out for people (``page``, ``drawing``) and programs (``as_json``).
"""

from __future__ import annotations

from audit.replay.hand import Hand, Step, draws, play_out, replay_hand
from audit.replay.true_order import Course, Following, true_course

__all__ = [
    "Course",
    "Following",
    "Hand",
    "Step",
    "draws",
    "play_out",
    "replay_hand",
    "true_course",
]
