"""CSV files in place: whatever their lines are like, rows are where they were found."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import LogError
from audit.sources import Batch, delimited, pieces
from audit.sources.delimited import Delimited
from audit.sources.pieces import Keys, OtherEncodingError, Piece, about, leading, look_over, rows_in
from tests import units, ways

HEAD = "casino,table_id,shoe_id,round_no"
LINES = st.lists(
    st.sampled_from(
        [
            "J,T1,S1,1", "J,T1,S1,2\r", 'J,"T,1",S1,3', 'J,"T ""1""",S1,4', "", "   ", "\r",
            'J,"T', '1",S2,5', "J,T1,S2,6,7", "J,T1", ",,,", 'J,T"1,S2,8', "玉,T1,S3,9",
            "J,a\0b,S3,10", '"', '"J","T1","S3","11"', " ,,,", "J,T\r1,S1,1",
        ]
    ),
    max_size=40,
)  # fmt: skip


UNITS = {"rounds": 200, "bets": 800}


def read(
    path: Path, size: int
) -> tuple[Delimited, list[Piece], list[tuple[str | None, ...]], bytes]:
    """A file looked over in pieces of a size: its pieces, keys and bytes."""
    source = Delimited(path, "rounds.csv", piece=size)
    heard: list[bytes] = []
    found: list[Piece] = []
    keys: list[tuple[str | None, ...]] = []
    with ThreadPoolExecutor(2) as pool:
        for piece, some in look_over(source, ["shoe_id"], lambda keys: keys, heard.append, pool):
            found.append(piece)
            assert some.rows == piece.rows
            keys += every(some)
    return source, found, keys, b"".join(heard)


def every(keys: Keys) -> list[tuple[str | None, ...]]:
    """The keys of all rows: one that is left out is like the one before it."""
    if keys.at is None:
        assert keys.stored.height == keys.rows
        return keys.stored.rows()
    ends = [*keys.at.to_list()[1:], keys.rows]
    pairs = zip(keys.at, ends, keys.stored.rows(), strict=True)
    return [row for first, end, row in pairs for _ in range(first, end)]


def told(batches: list[Batch]) -> tuple[list[object], list[object]]:
    """Rows with their numbers, and what is damaged."""
    rows = [(batch.first + n, *row) for batch in batches for n, row in enumerate(batch.rows.rows())]
    return list(rows), [damage for batch in batches for damage in batch.damaged]


@settings(max_examples=300, deadline=None)
@given(LINES, st.booleans(), st.booleans(), st.integers(1, 90), st.randoms(use_true_random=False))
def test_any_rows_of_any_text_are_found_again(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    mark: bool,
    ended: bool,
    size: int,
    chance: random.Random,
) -> None:
    path = tmp_path_factory.mktemp("text") / "rounds.csv"
    text = "\n".join([HEAD, *lines]) + "\n" * (ended or not lines)
    path.write_bytes(b"\xef\xbb\xbf" * mark + text.encode())
    rows, damaged = told(list(Delimited(path, "rounds.csv").batches()))
    source, found, keys, heard = read(path, max(size, 8))
    assert heard == path.read_bytes()
    assert keys == [(row[3],) for row in rows]  # type: ignore[index]
    first = chance.randint(0, len(rows))
    count = chance.randint(0, len(rows) - first)
    found = [piece for piece in found if piece.rows]
    few = chance.choice([1, 2, 16])
    with (
        patch.object(pieces, "ROWS", chance.randint(1, 20)),
        patch.object(delimited, "_FEW", few),
    ):
        here, broken = told(list(rows_in(source, found, first, count)))
    assert here == rows[first : first + count]
    assert broken == [each for each in damaged if first < each.row <= first + count]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("J,T1,S1,1\n", lambda text: text.encode("utf-16")),
        ("莊,閒,和局,莊家\n" * 9, lambda text: text.encode("big5")),
        ("J,T1,S1,1\n" * 99 + "莊,閒,和局,莊家\n" * 9, lambda text: text.encode("big5")),
        ("J,T1,S1,1\n", lambda text: text.replace("\n", "\r").encode()),
        ("", lambda text: text.strip().encode()),
    ],
)
def test_text_that_is_not_its_bytes_is_read_from_its_beginning(
    text: str, written: Callable[[str], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "rounds.csv"
    path.write_bytes(written(f"{HEAD}\n{text}"))
    with pytest.raises(OtherEncodingError):
        read(path, 200)


def test_a_column_called_like_a_pattern(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(f"^.*$,{HEAD}\n" + 'x,"J",T1,S1,1\n' * 9)
    source, found, keys, _ = read(path, 30)
    assert keys == [("S1",)] * 9
    rows, _ = told(list(rows_in(source, found, 0, 9)))
    assert rows == [(n, "x", "J", "T1", "S1", "1") for n in range(1, 10)]


def test_a_line_too_long_is_left_to_who_reads_from_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(f"{HEAD}\nJ,T1,S1,1\nJ,T1,S{'1' * 99},2\nJ,T1,S1,3\n")
    with patch.object(pieces, "LONGEST_LINE", 100), pytest.raises(OtherEncodingError):
        read(path, 8)
    _, found, keys, _ = read(path, 8)
    assert len(found) == len(keys) == 3


def test_a_file_cut_short_while_it_is_looked_over(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(f"{HEAD}\n" + "J,T1,S1,1\n" * 99)
    source = Delimited(path, "rounds.csv", piece=20)
    with ThreadPoolExecutor(2) as pool:
        looked = look_over(source, ["shoe_id"], lambda keys: keys, len, pool)
        next(looked)
        os.truncate(path, 200)
        with pytest.raises(LogError, match="the file changed while it was read"):
            list(looked)


def test_rows_that_are_not_where_they_were(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(f"{HEAD}\n" + "J,T1,S1,1\n" * 99)
    source, found, _, _ = read(path, 300)
    path.write_text(path.read_text().replace("J,T1,S1,1\n", "J,T1\nJ,T\n", 40))
    with pytest.raises(LogError, match="the file changed while it was read"):
        list(rows_in(source, found, 0, 99))


def test_about_how_many_rows(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(f"{HEAD}\n" + "J,T1,S1,1\n" * 20_000)
    assert about(Delimited(path, "r"), path.stat().st_size) == pytest.approx(20_000, rel=0.01)
    path.write_text(HEAD)
    assert about(Delimited(path, "r"), len(HEAD)) == 0


def blemished(path: Path, chance: random.Random) -> None:
    """Lines of a file in all the ways in which they can be written, and some that are broken."""
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    out = [head]
    for line in lines:
        cells = line.split(",")
        match chance.randrange(60):
            case 0:
                out.append(line + ",1")
            case 1:
                out.append(",".join(f'"{cell}"' for cell in cells))
            case 2:
                out += ["", "  ", line]
            case 3:
                out.append(line.replace(cells[3], f'"\n{cells[3]}\n"', 1))
            case 4:
                out.append(f'"{line}')
            case 5:
                out.append(line.replace(cells[3], "a\0b", 1))
            case 6:
                out.append(",".join([f"{cell} " for cell in cells[:4]] + cells[4:]))
            case 7:
                out.append(",".join([*cells[:-1], "玉"]) + "\r")
            case _:
                out.append(line)
    path.write_text("\n".join(out), encoding="utf-8", newline="")


@pytest.mark.parametrize("size", [700, 5_000])
def test_blemished_lines_give_the_same_case(size: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    units.sample(log, 700, options=("--format", "csv"))
    for name in ("rounds.csv", "bets.csv"):
        blemished(log / name, random.Random(5))
    with (
        patch.object(delimited, "PIECE", size),
        patch("audit.buckets.survey._MANY", 1),
        patch.object(pieces, "ROWS", 90),
    ):
        made, spilled = (ways.audit(log, way, UNITS) for way in ("", "spill"))
    whole = ways.audit(log, "one go")
    assert (made.way, spilled.way, whole.way) == ("in place", "spill", "one go")
    assert len(made.tables["rejects"]) > 50
    for name, rows in whole.tables.items():
        assert made.tables[name] == spilled.tables[name] == rows, name


def test_another_encoding_is_spilled(tmp_path: Path) -> None:
    log = tmp_path / "log"
    units.sample(log, 700, options=("--format", "csv"))
    bets = log / "bets.csv"
    bets.write_text(bets.read_text(encoding="utf-8"), encoding="utf-16")
    made, whole = ways.audit(log), ways.audit(log, "one go")
    assert (made.way, whole.way) == ("spill", "one go")
    assert made.tables == whole.tables


@pytest.mark.parametrize(
    ("lines", "at"),
    [
        (["J,T1,S9,1", "J,T1,S9,2", "J,T1,S10,1", "J,T1,S10,2"], ["J,T1,S9", "J,T1,S10"]),
        (["J,T1,,1", "J,T1,,2\r", "J,,S1,3", ",,,"], ["J,T1,", "J,,S1", ",,"]),
    ],
)
def test_lines_that_begin_alike_are_looked_at_once(
    lines: list[str], at: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(f"{HEAD}\n", encoding="utf-8")
    lines = [line for line in lines for _ in range(16)]
    led = leading(Delimited(path, "rounds.csv"), "\n".join(lines).encode(), HEAD.split(",")[:3])
    assert led is not None
    assert led.at is not None
    assert led.rows == len(lines)
    found = every(led)
    assert found == [tuple(cell or None for cell in line.split(",")[:3]) for line in lines]
    assert list(dict.fromkeys(found)) == [tuple(c or None for c in keys.split(",")) for keys in at]


@pytest.mark.parametrize("line", ["J,T1", "", 'J,"T1",S1,1', "J,T1,S1\0,1", "J,T1,S\r1,1"])
def test_lines_that_are_not_plain_are_not_looked_at_by_their_beginning(
    line: str, tmp_path: Path
) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(f"{HEAD}\n", encoding="utf-8")
    text = ("J,T1,S1,1\n" * 99 + f"{line}\nJ,T1,S1,2\n").encode()
    assert leading(Delimited(path, "rounds.csv"), text, HEAD.split(",")[:3]) is None
