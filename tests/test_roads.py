"""The bead plate and the big road, cell by cell."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.roads import Outcome, RoadCell, bead_plate, big_road, columns

NAMES: dict[str, Outcome] = {"P": "player", "B": "banker", "T": "tie", "?": None}


def outcomes(letters: str) -> list[Outcome]:
    return [NAMES[letter] for letter in letters]


def drawn(letters: str) -> list[str]:
    """The big road as six lines; a small letter for a result with ties, ``t`` for ties alone."""
    cells = {(cell.column, cell.row): cell for cell in big_road(outcomes(letters))}
    width = columns(list(cells.values()))

    def token(cell: RoadCell | None) -> str:
        if cell is None:
            return "."
        letter = "t" if cell.outcome is None else cell.outcome[0]
        return letter if cell.ties else letter.upper()

    return ["".join(token(cells.get((c, r))) for c in range(width)) for r in range(6)]


def test_a_bead_for_every_result_six_to_a_column() -> None:
    beads = bead_plate(outcomes("PBT?PBT"))
    assert [(bead.column, bead.row) for bead in beads] == [(0, n) for n in range(6)] + [(1, 0)]
    assert [bead.outcome for bead in beads[:4]] == ["player", "banker", "tie", None]
    assert [bead.index for bead in beads] == list(range(7))


@pytest.mark.parametrize("road", [bead_plate([]), big_road([]), big_road(outcomes("?"))])
def test_an_empty_road(road: list[RoadCell]) -> None:
    assert road == []
    assert columns(road) == 0


def test_a_new_column_whenever_the_winner_changes() -> None:
    assert drawn("PPBPPP")[:3] == ["PBP", "P.P", "..P"]


def test_a_run_longer_than_the_column_turns_right() -> None:
    assert drawn("P" * 8) == ["P..", "P..", "P..", "P..", "P..", "PPP"]
    road = big_road(outcomes("P" * 8))
    assert [cell.tail for cell in road] == [False] * 6 + [True] * 2


def test_the_next_winner_starts_beside_the_head_and_not_beside_the_tail() -> None:
    assert drawn("P" * 8 + "BB")[0] == "PB."
    assert drawn("P" * 8 + "BB")[1] == "PB."


def test_a_run_blocked_by_a_tail_turns_right_above_it() -> None:
    # The tail of the first run lies on the sixth row, so that the second stops on the fifth.
    assert drawn("P" * 9 + "B" * 7) == ["PB..", "PB..", "PB..", "PB..", "PBBB", "PPPP"]


def test_a_tail_never_goes_down_again() -> None:
    # Once turned, the run keeps its row, although the cells below are free further right.
    lines = drawn("P" * 7 + "B" * 8)
    assert lines[4] == "PBBBB"
    assert lines[5] == "PP..."


def test_ties_are_marked_on_the_result_before_them() -> None:
    (first, second) = big_road(outcomes("PTTBT"))
    assert (first.outcome, first.ties) == ("player", (1, 2))
    assert (second.outcome, second.ties) == ("banker", (4,))


def test_a_tie_does_not_break_a_run() -> None:
    assert drawn("PTP")[:2] == ["p", "P"]


def test_leading_ties_stand_in_the_first_cell_with_the_first_winner() -> None:
    (alone,) = big_road(outcomes("TT"))
    assert (alone.index, alone.outcome, alone.ties) == (None, None, (0, 1))
    (first, second) = big_road(outcomes("TTPTB"))
    assert (first.index, first.outcome, first.ties) == (2, "player", (0, 1, 3))
    assert (second.column, second.row, second.ties) == (1, 0, ())


def test_an_unknown_outcome_changes_nothing() -> None:
    assert drawn("?P?P?B") == drawn("PPB")
    assert [cell.index for cell in big_road(outcomes("?P?P"))] == [1, 3]


def test_a_tail_on_the_first_row_is_stepped_over() -> None:
    # Each run is blocked a row higher than the one before; the sixth turns right on the first
    # row, and the seventh starts beyond it.
    runs = "".join(("P" if n % 2 == 0 else "B") * 9 for n in range(8))
    assert drawn(runs) == [
        "PBPBPBBBBBBBBBPB....",
        "PBPBPPPPPPPP..PB....",
        "PBPBBBBBBB....PB....",
        "PBPPPPPP......PB....",
        "PBBBBB........PBBBBB",
        "PPPP..........PPPP..",
    ]


RESULTS = st.lists(
    st.sampled_from(["player", "banker", "tie", None])
    | st.tuples(st.sampled_from(["player", "banker"]), st.integers(5, 30)).map(list),
    max_size=40,
)


@given(RESULTS)
def test_every_result_is_placed_once_inside_the_six_rows(parts: list[object]) -> None:
    results: list[Outcome] = []
    for part in parts:
        results += [part[0]] * part[1] if isinstance(part, list) else [part]  # type: ignore[list-item]
    road = big_road(results)
    spots = [(cell.column, cell.row) for cell in road]
    assert len(set(spots)) == len(spots)
    assert all(0 <= row < 6 and column >= 0 for column, row in spots)
    placed = [cell.index for cell in road if cell.index is not None]
    placed += [index for cell in road for index in cell.ties]
    known = [at for at, outcome in enumerate(results) if outcome is not None]
    assert sorted(placed) == known
    for before, after in pairwise(road):
        same = before.outcome == after.outcome
        # A run goes down or right by one; a new one starts on top, right of the last one's head.
        step = (after.column - before.column, after.row - before.row)
        assert step in ((0, 1), (1, 0)) if same else after.row == 0
    heads = [cell.column for at, cell in enumerate(road) if at == 0 or not _same(road, at)]
    assert heads == sorted(set(heads))


def _same(road: list[RoadCell], at: int) -> bool:
    return road[at].outcome == road[at - 1].outcome
