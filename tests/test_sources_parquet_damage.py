"""Parquet files damaged at random: one sentence or a reading, and the process lives on."""

from __future__ import annotations

import io
import random
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from audit.errors import LogError
from audit.sources import open_source

ROWS = 120


def whole(compression: str) -> bytes:
    frame = pl.DataFrame(
        {
            "table_id": ["T1"] * ROWS,
            "shoe_id": [f"S{n // 40}" for n in range(ROWS)],
            "round_no": range(ROWS),
            "started_at": [datetime(2007, 7, 1, n // 60, n % 60) for n in range(ROWS)],
            "cards": [["KS", "9H"]] * ROWS,
            "half": [n / 2 if n % 3 else None for n in range(ROWS)],
        }
    )
    out = io.BytesIO()
    frame.write_parquet(out, compression=compression, row_group_size=50)  # type: ignore[arg-type]
    return out.getvalue()


def damaged(content: bytes, chance: random.Random) -> bytes:
    out = bytearray(content)
    footer = int.from_bytes(content[-8:-4], "little") + 8
    kind = chance.random()
    if kind < 0.15:
        del out[chance.randrange(len(out)) :]
    elif kind < 0.25:
        at = chance.randrange(len(out))
        del out[at : at + chance.randrange(1, 20)]
    else:
        for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
            near = footer if chance.random() < 0.6 else len(out)
            at = len(out) - 1 - chance.randrange(near)
            out[at] = chance.choice((chance.randrange(256), 255, 0, out[at] ^ 4))
    return bytes(out)


@pytest.mark.parametrize("compression", ["zstd", "snappy", "uncompressed", "gzip", "lz4"])
def test_random_damage(tmp_path: Path, compression: str, capfd: pytest.CaptureFixture[str]) -> None:
    content = whole(compression)
    chance = random.Random(compression)
    path = tmp_path / "rounds.parquet"
    sentences = 0
    for _ in range(300):
        path.write_bytes(damaged(content, chance))
        try:
            count = sum(batch.count for batch in open_source(path, "rounds.parquet").batches())
        except LogError as error:
            sentences += 1
            sentence = error.sentence()
            assert sentence.startswith("rounds.parquet: ")
            assert "\n" not in sentence
        else:
            assert 0 <= count <= ROWS
    assert sentences > 150
    assert capfd.readouterr().err == ""  # nothing of what the reader says of its panics


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda b: b[:8], "too short"),
        (lambda b: b"XXXX" + b[4:], "does not begin with PAR1"),
        (lambda b: b[:-4], "cut short"),
        (lambda b: b[:-1] + b"E", "encrypted"),
        (lambda b: b[:-8] + b"\xff\xff\xff\x7f" + b[-4:], "longer than the file"),
        (lambda b: b[:4] + b[4 + 100 :], "sound Parquet"),
        (lambda b: b[:-8] + bytes(4) + b[-4:], "sound Parquet"),
    ],
)
def test_what_the_file_says_of_itself(tmp_path: Path, change: object, found: str) -> None:
    path = tmp_path / "rounds.parquet"
    path.write_bytes(change(whole("zstd")))  # type: ignore[operator]
    with pytest.raises(LogError, match=found):
        list(open_source(path, "rounds.parquet").batches())


def test_a_page_header_that_is_longer_than_usual(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rounds.parquet"
    path.write_bytes(whole("zstd"))
    monkeypatch.setattr("audit.sources.parquet_footer._USUAL_HEADER", 3)
    assert sum(batch.count for batch in open_source(path, "rounds.parquet").batches()) == ROWS
