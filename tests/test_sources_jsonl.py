"""JSON Lines: each number keeps its digits, each line is a row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import LogError
from audit.sources import open_source
from audit.sources.jsonl import JsonLines


def jsonl(tmp_path: Path, content: str) -> tuple[list[dict[str, str]], list[tuple[int, str]]]:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(content.encode())
    rows: list[dict[str, str]] = []
    damaged: list[tuple[int, str]] = []
    for batch in open_source(path, path.name).batches():
        assert batch.first == len(rows) + 1
        rows += [{k: v for k, v in row.items() if v is not None} for row in batch.rows.to_dicts()]
        damaged += [(damage.row, damage.reason) for damage in batch.damaged]
    return rows, damaged


def test_json_numbers_keep_their_text(tmp_path: Path) -> None:
    line = '{"a": 278.0, "b":1.10,"c":-5,"d":12345678901234567890.1234,"e":0,"f":"007"}\n'
    rows, _ = jsonl(tmp_path, line)
    assert rows == [
        {
            "a": "278.0",
            "b": "1.10",
            "c": "-5",
            "d": "12345678901234567890.1234",
            "e": "0",
            "f": "007",
        }
    ]


def test_json_exponents_are_written_out(tmp_path: Path) -> None:
    rows, _ = jsonl(tmp_path, '{"a":1e3,"b":2.50E-1,"c":1E999999999}\n')
    assert rows == [{"a": "1000", "b": "0.250", "c": "1E999999999"}]


def test_json_values(tmp_path: Path) -> None:
    line = '{"a":true,"b":false,"c":null,"d":["KS","5H",null],'
    line += '"e":[1,2.50],"f":{"x":[1]},"g":"\\u838a"}'
    rows, _ = jsonl(tmp_path, line)
    assert rows == [
        {"a": "true", "b": "false", "d": "KS 5H", "e": "1 2.50", "f": '{"x": ["1"]}', "g": "莊"}
    ]


def test_json_names_may_be_absent_or_come_late(tmp_path: Path) -> None:
    rows, _ = jsonl(tmp_path, '{"a":1}\n{"b":2,"a":3}\n\n{}\n{"c":"x"}')
    assert rows == [{"a": "1"}, {"a": "3", "b": "2"}, {}, {"c": "x"}]


@pytest.mark.parametrize(
    "broken",
    ["hello", "[1]", "5", '{"a":', '{"a":1}{"a":2}', '{"a":1,"a":2}', '{"a":01}', '{"a":1,}'],
)
def test_json_line_that_is_no_object(tmp_path: Path, broken: str) -> None:
    rows, damaged = jsonl(tmp_path, f'{{"a":1}}\n{broken}\n{{"a":3}}\n')
    assert rows == [{"a": "1"}, {}, {"a": "3"}]
    assert damaged == [(2, "not_an_object")]


def test_json_name_twice_with_one_value_loses_nothing(tmp_path: Path) -> None:
    rows, damaged = jsonl(tmp_path, '{"a":1,"a":null}\n{"a":null,"a":2}\n')
    assert (rows, damaged) == ([{"a": "1"}, {"a": "2"}], [])


def test_json_names_that_differ_by_case(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="stands twice"):
        jsonl(tmp_path, '{"a":1}\n{"A":2}\n')


def test_json_that_is_no_json_lines(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no line is a JSON object"):
        jsonl(tmp_path, '[\n{\n"a":1\n}\n]\n')


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_json_without_any_object(tmp_path: Path, content: str) -> None:
    with pytest.raises(LogError, match=r"empty|blank"):
        jsonl(tmp_path, content)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.text(alphabet='ab:,"{}[]\\1 -.莊\n\0', max_size=6),
    st.sampled_from(["1.10", "5", ":5,", "x:null", '":1', "null"]),
)
OBJECTS = st.dictionaries(st.sampled_from(["a", "b", "c", "d:", "null"]), SCALARS, max_size=4)


@settings(max_examples=300, deadline=None)
@given(objects=st.lists(OBJECTS, min_size=1, max_size=5), ascii_only=st.booleans())
def test_both_roads_give_the_same_objects(
    tmp_path_factory: pytest.TempPathFactory, objects: list[dict[str, object]], ascii_only: bool
) -> None:
    path = tmp_path_factory.mktemp("json") / "rounds.jsonl"
    lines = [json.dumps(record, ensure_ascii=ascii_only) for record in objects]
    path.write_text("\n".join(lines))
    source = JsonLines(path, "r")
    quick = source._quick("\n".join(lines), 1, {})
    (slow,) = source._one_by_one("\n".join(lines), 1)
    if quick is not None:
        names = [name for name in quick.rows.columns if name in slow.rows.columns]
        assert quick.rows.select(names).rows() == slow.rows.select(names).rows()
        assert set(slow.rows.columns) - set(names) <= {
            name for record in objects for name, value in record.items() if value is None
        } | {"column 1"}
