"""What libraries say of their panics is kept back, in however many threads they panic."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from audit.sources.panics import unheard


def test_standard_error_is_there_again_after_blocks_side_by_side(
    capfd: pytest.CaptureFixture[str],
) -> None:
    meeting = Barrier(3)

    def block(number: int) -> None:
        # They begin together and end in an order that is not that of their beginnings.
        with unheard():
            meeting.wait()
            os.write(2, f"{number} ".encode())
            meeting.wait()

    with ThreadPoolExecutor(3) as pool:
        for _ in range(50):
            list(pool.map(block, range(3)))
    os.write(2, b"after")
    said = capfd.readouterr().err
    assert sorted(said.removesuffix("after").split()) == sorted(["0", "1", "2"] * 50)
    assert said.endswith("after")


def test_what_is_said_before_a_block_raises_is_lost(capfd: pytest.CaptureFixture[str]) -> None:
    def block() -> None:
        with unheard():
            os.write(2, b"panicked at")
            raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        block()
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"
