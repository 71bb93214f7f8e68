"""Input changed at random: one plain sentence or every row counted, whatever the reader.

The long hunt is ``python -m tests.bench.fuzz``; inputs that it found are kept here.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzzing import TARGETS, TOKENS, Target, check

Change = tuple[str, int, int, bytes]
PIECES = st.one_of(
    st.sampled_from([token.encode() for token in TOKENS]), st.binary(min_size=1, max_size=4)
)
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(("put", "over", "cut", "copy", "end")),
        st.integers(0, 1 << 20),
        st.integers(1, 64),
        PIECES,
    ),
    min_size=1,
    max_size=6,
)


def changed(data: bytes, changes: list[Change]) -> bytes:
    """Each change: what is done, where (modulo the length), how much, and with which bytes."""
    for what, where, size, piece in changes:
        at = where % (len(data) + 1)
        match what:
            case "put":
                data = data[:at] + piece + data[at:]
            case "over":
                data = data[:at] + piece + data[at + len(piece) :]
            case "cut":
                data = data[:at] + data[at + size :]
            case "copy":
                data = data[:at] + data[at : at + size] * 2 + data[at + size :]
            case _:
                data = data[:at] if len(data) > 1 else data
    return data


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_sound_input_is_read(target: Target, tmp_path: Path) -> None:
    assert [check(target, seed, tmp_path) for seed in target.seeds] == [""] * len(target.seeds)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_changed_input_keeps_the_promise(target: Target, tmp_path: Path) -> None:
    @settings(max_examples=80 * target.weight, deadline=None, database=None)
    @given(seed=st.sampled_from(target.seeds), changes=CHANGES, whole=st.integers(0, 19))
    def run(seed: bytes, changes: list[Change], whole: int) -> None:
        check(target, changed(seed, changes), tmp_path, quick=whole > 0)

    run()
