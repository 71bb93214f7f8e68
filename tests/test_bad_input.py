"""Bad input tried hard: a clear sentence or the right reading, and no row unaccounted for."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from audit.errors import LogError
from audit.normalise import Log, read_log
from audit.sources import Batch, delimited, encoding, jsonl, open_source
from audit.sources.delimited import Delimited
from audit.sources.panics import unheard
from tests.ingest import BETS, ONE, ROUNDS


def read(folder: Path, content: str | bytes, name: str = "rounds.csv") -> Log:
    raw = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(raw)
    log = read_log([folder])
    for row in log.sources.iter_rows(named=True):
        assert row["rows_read"] == row["audited"] + row["rejected"] + row["set_aside"]
    return log


def reasons(log: Log) -> list[tuple[int, str]]:
    return log.rejects.select("row", "reason").rows()


def refusal(folder: Path, content: str | bytes, name: str = "rounds.csv") -> str:
    with pytest.raises(LogError) as caught:
        read(folder, content, name)
    return caught.value.sentence()


def test_cell_of_ten_megabytes(tmp_path: Path) -> None:
    long = "x" * (10 << 20)
    log = read(tmp_path, f"{ROUNDS},dealer_id\n{ONE},{long}\n{ONE.replace('1,2', '2,2')},D\n")
    assert log.tables["rounds"]["dealer_id"].str.len_chars().to_list() == [10 << 20, 1]


def test_line_longer_than_any_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "LONGEST_LINE", 1 << 20)
    path = tmp_path / "rounds.csv"
    path.write_bytes(b"a,b\n" + b"x" * (8 << 20))
    tracemalloc.start()
    with pytest.raises(LogError, match="a line is longer than 1 MiB"):
        list(Delimited(path, "rounds.csv", piece=1 << 16).batches())
    assert tracemalloc.get_traced_memory()[1] < 4 << 20  # it was not read to its end
    tracemalloc.stop()


@pytest.mark.parametrize("more", ["", f"{ONE},{'x,' * 990}y\n"])
def test_very_many_columns(tmp_path: Path, more: str) -> None:
    names = ",".join(f"extra {n}" for n in range(990))
    cells = ",".join(str(n) for n in range(990))
    log = read(tmp_path, f"{ROUNDS},{names}\n{ONE},{cells}\n{more}")
    assert log.tables["rounds"].height == 1
    assert reasons(log) == ([(2, "too_many_cells")] if more else [])


@pytest.mark.parametrize("form", ["csv", "jsonl", "json", "line"])
def test_more_columns_than_any_table_has(tmp_path: Path, form: str) -> None:
    cells = dict(zip(ROUNDS.split(","), ONE.split(","), strict=True))
    many = [cells | {f"extra {n}": "x"} for n in range(1_001)]
    one = cells | {f"extra {n}": "x" for n in range(1_001)}
    content = {
        "csv": f"{','.join(one)}\n",
        "jsonl": "\n".join(map(json.dumps, many)),
        "json": json.dumps(many),
        "line": json.dumps(one) + "\n",
    }[form]
    name = f"rounds.{form.replace('line', 'jsonl')}"
    assert "columns, more than the 1,000 that are read" in refusal(tmp_path, content, name)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_rows_that_leave_most_columns_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    names = [f"n{n}" for n in range(100)]
    path = tmp_path / f"rounds.{form}"
    rows = '{"n1": "a"}\n' * 500 if form == "jsonl" else ",a\n" * 500
    head = json.dumps(dict.fromkeys(names, "a")) if form == "jsonl" else ",".join(names)
    path.write_text(f"{head}\n{rows}")
    for module in (delimited, jsonl):
        monkeypatch.setattr(module, "CELLS", 5_000)
    batches = list(open_source(path, path.name).batches())
    assert max(batch.count * batch.rows.width for batch in batches) <= 5_100
    assert sum(batch.count for batch in batches) == 500 + (form == "jsonl")
    values = pl.concat([batch.rows for batch in batches], how="diagonal")["n1"]
    assert set(values) == {"a"}


def test_quotes_left_open_on_very_long_lines(tmp_path: Path) -> None:
    long = "x" * (4 << 20)
    log = read(tmp_path, f'{ROUNDS}\n{ONE}\n"{long}\n{long}\n{long}\n')
    assert reasons(log)[0] == (2, "broken_quotes")
    assert log.sources["rows_read"].to_list() == [4]


def test_nul_bytes(tmp_path: Path) -> None:
    log = read(tmp_path, f"{ROUNDS}\n{ONE}\n{ONE}\n".replace("T1", "T\0", 1))
    assert (reasons(log)[0][0], log.tables["rounds"].height) == (1, 1)


def test_file_of_nul_bytes(tmp_path: Path) -> None:
    assert "full of NUL bytes" in refusal(tmp_path, bytes(5000))


@pytest.mark.parametrize("ends", ["\n\r\n", "\r\n\n", "\r\n\n\r\n"])
def test_mixed_line_ends(tmp_path: Path, ends: str) -> None:
    rows = [ONE.replace("S1,1", f"S1,{n}") for n in range(1, 5)]
    log = read(tmp_path, ends.join([ROUNDS, *rows]))
    assert log.tables["rounds"]["round_no"].to_list() == [1, 2, 3, 4]


def test_lone_carriage_returns_among_line_feeds(tmp_path: Path) -> None:
    log = read(tmp_path, f"{ROUNDS}\n{ONE}\r{ONE.replace('S1,1', 'S1,2')}\n")
    assert log.sources["rows_read"].to_list() == [1]
    assert log.rejects.height == 1  # one line of too many cells, told as such


def test_quote_left_open(tmp_path: Path) -> None:
    rows = [ONE.replace("S1,1", f"S1,{n}") for n in range(1, 6)]
    rows[2] = rows[2].replace("KD", '"KD')
    log = read(tmp_path, "\n".join([ROUNDS, *rows]))
    assert log.tables["rounds"]["round_no"].to_list() == [1, 2, 4, 5]
    assert reasons(log) == [(3, "broken_quotes")]


def test_header_repeated_in_the_middle(tmp_path: Path) -> None:
    log = read(tmp_path, f"{ROUNDS}\n{ONE}\n{ROUNDS}\n{ONE.replace('S1,1', 'S1,2')}\n")
    assert log.tables["rounds"]["round_no"].to_list() == [1, 2]
    assert log.rejects.select("row", "column", "text").rows() == [(2, "round_no", "round_no")]


def test_file_that_grows_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Delimited.to_type

    def growing(self: Delimited) -> Iterator[Batch]:
        yield from plain(self)
        with (tmp_path / "rounds.csv").open("a") as file:
            file.write(f"{ONE}\n")

    monkeypatch.setattr(Delimited, "to_type", growing)
    sentence = refusal(tmp_path, f"{ROUNDS}\n{ONE}\n")
    assert sentence == (
        "rounds.csv: the file changed while it was read. Run again on a copy at rest."
    )


@pytest.mark.parametrize("again", ["round_no", "Round_No", " ROUND_NO "])
def test_duplicate_column_names(tmp_path: Path, again: str) -> None:
    assert "stands twice" in refusal(tmp_path, f"{ROUNDS},{again}\n{ONE},2\n")


def test_link_out_of_the_folder(tmp_path: Path) -> None:
    log, other = tmp_path / "log", tmp_path / "other"
    log.mkdir()
    other.mkdir()
    (other / "rounds.csv").write_text(f"{ROUNDS}\n{ONE}\n")
    (log / "rounds.csv").symlink_to(other / "rounds.csv")
    with pytest.raises(LogError, match=r"^rounds\.csv: this is a link that leads out of the fo"):
        read_log([log])
    (log / "rounds.csv").unlink()
    (log / "rounds").symlink_to(other)
    with pytest.raises(LogError, match=r"^rounds: this is a link that leads out"):
        read_log([log])


def test_links_that_are_followed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.mkdir()
    (log / "data").write_text(f"{ROUNDS}\n{ONE}\n")
    (log / "rounds.csv").symlink_to("data")
    (tmp_path / "link").symlink_to(log)
    for path in (log, tmp_path / "link", tmp_path / "link" / "rounds.csv"):
        assert read_log([path]).sources["name"].to_list() == ["rounds.csv"]


def test_broken_link_and_pipe(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.symlink_to("nowhere.csv")
    with pytest.raises(LogError, match="cannot be read"):
        read_log([tmp_path])
    path.unlink()
    os.mkfifo(path)
    for given in (tmp_path, path):
        with pytest.raises(LogError, match="this is no regular file"):
            read_log([given])


HOSTILE = [
    "=HYPERLINK(1)",
    "+1+1",
    "@SUM(A1)",
    "<script>alert(1)</script>",
    "\u202eT1",
    "T\u200f1",
    "\u2066T\u2069",
    "\x1b[31mT",
    "T\x07",
    "a&b'c\"d",
    "{{x}}",
    "\u00a0",
    "\ufeffT1",
]


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("form", ["csv", "jsonl", "json"])
def test_hostile_ids_stay_what_they_are(tmp_path: Path, hostile: str, form: str) -> None:
    cells = dict(zip(ROUNDS.split(","), ONE.split(","), strict=True)) | {"table_id": f"x{hostile}x"}
    quoted = ",".join('"' + cell.replace('"', '""') + '"' for cell in cells.values())
    content = {
        "csv": f"{ROUNDS}\n{quoted}\n",
        "jsonl": json.dumps(cells) + "\n",
        "json": json.dumps([cells], ensure_ascii=False),
    }[form]
    log = read(tmp_path, content, f"rounds.{form}")
    assert log.tables["rounds"]["table_id"].to_list() == [f"x{hostile}x"]


@pytest.mark.parametrize("stake", ["=100+1", "+100", "@1", "1e3", "100\u202e", "<b>1</b>"])
def test_formulas_are_never_computed(tmp_path: Path, stake: str) -> None:
    (tmp_path / "rounds.csv").write_text(f"{ROUNDS}\n{ONE}\n")
    log = read(tmp_path, f"{BETS}\nT1,S1,1,player,{stake},0\n", "bets.csv")
    if log.rejects.height:
        assert log.rejects.select("column", "text").rows() == [("stake", stake)]
    else:
        assert stake in ("+100", "1e3")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("\n\n", "blank lines only"),
        ("x", "column"),
        (ROUNDS, "there is no round in it"),
        (f"{ROUNDS.replace('round_no', 'round_nr')}\n{ONE}\n", "round_nr"),
        ("<html><body>Access denied</body></html>", "column"),
        ("{", "column"),
    ],
)
def test_what_is_no_log(tmp_path: Path, content: str, found: str) -> None:
    assert found in refusal(tmp_path, content)


def test_what_a_library_says_of_its_panic_is_not_heard(capfd: pytest.CaptureFixture[str]) -> None:
    def say(text: str, *, broken: bool) -> None:
        with unheard():
            os.write(2, text.encode())
            if broken:
                raise ValueError

    say("a warning\n", broken=False)
    with pytest.raises(ValueError):  # noqa: PT011
        say("thread panicked\n", broken=True)
    assert capfd.readouterr().err == "a warning\n"
