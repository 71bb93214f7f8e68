"""A JSON file that is one array: each object is a row, numbers keep their digits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import LogError
from audit.sources import jsonarray
from audit.sources.jsonarray import JsonArray
from tests.ingest import read

Rows = tuple[list[tuple[str | None, ...]], list[tuple[int, str]]]


def array(tmp_path: Path, text: str | bytes) -> Rows:
    return read(tmp_path / "rounds.json", text)


def test_array_of_objects(tmp_path: Path) -> None:
    text = '[{"a": 1.10, "b": "x"}, {"b": null, "a": 12345678901234567890.50},\n{"a":[1,"KS"]}]\n'
    assert array(tmp_path, text) == (
        [("1.10", "x"), ("12345678901234567890.50", None), ("1 KS", None)],
        [],
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_array_in_other_encodings(tmp_path: Path, encoding: str) -> None:
    text = '[{"table": "莊"}]'
    assert array(tmp_path, text.encode(encoding)) == ([("莊",)], [])


@pytest.mark.parametrize("item", ["5", "null", '"x"', "[1]", '{"a":1,"a":2}'])
def test_item_that_is_no_object(tmp_path: Path, item: str) -> None:
    if item.startswith("{"):
        with pytest.raises(LogError, match="line 1: a name stands twice"):
            array(tmp_path, f'[{{"a":1}},{item},{{"a":3}}]')
        return
    rows, damaged = array(tmp_path, f'[{{"a":1}},{item},{{"a":3}}]')
    assert (rows, damaged) == ([("1",), (None,), ("3",)], [(2, "not_an_object")])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "the file is empty"),
        (" \n ", "blanks only"),
        ("[]", "no object"),
        ("[5]", "no object"),
        ('{"rounds": []}', "begins with an object"),
        ("hello", "begins with 'hello', where [ was expected"),
        ('[{"a":1}', "line 1: the file ends before the array does"),
        ('[{"a":1},\n', "line 2: the file ends before the array does"),
        ('[{"a":1},]', "line 1: Expecting value"),
        ('[\n{"a":1}\n{"a":2}]', "line 3: a comma was expected, not '{\"a\":2}]'"),
        ('[{"a":1},\n{"a":', "line 2: Expecting value"),
        ('[{"a":1},\n{"a":"x', "line 2: Unterminated string"),
        ('[{"a":1}] [', "line 1: '[' stands behind"),
        ('[{"a":1},{"A":1}]', "stands twice"),
        (b'[{"a":"\xff"}]', "it is not UTF-8: it holds the byte 0xFF"),
    ],
)
def test_what_is_no_array(tmp_path: Path, text: str | bytes, found: str) -> None:
    with pytest.raises(LogError) as caught:
        array(tmp_path, text)
    assert found in caught.value.sentence()


def test_half_a_surrogate_pair_is_no_text(tmp_path: Path) -> None:
    rows, damaged = array(tmp_path, '[{"a":"\\ud800"},{"a":"2"}]')
    assert (rows, damaged) == ([(None,), ("2",)], [(1, "not_an_object")])


def test_deep_nesting_and_endless_items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LogError, match="JSON is broken"):
        array(tmp_path, '[{"a":' + "[" * 100_000)
    monkeypatch.setattr(jsonarray, "LONGEST_ITEM", 1000)
    path = tmp_path / "rounds.json"
    path.write_text('[{"a":1},{"a":"' + "x" * 100_000)
    with pytest.raises(LogError, match="Unterminated"):
        list(JsonArray(path, "r", piece=500).batches())


SCALARS = st.one_of(st.none(), st.integers(), st.text(alphabet='a,]}[{"\\莊 \n', max_size=5))
ITEMS = st.lists(
    st.one_of(st.dictionaries(st.sampled_from("abc"), SCALARS, min_size=1), SCALARS), max_size=8
)


@given(items=ITEMS, size=st.integers(1, 40), indent=st.sampled_from([None, 1]))
def test_pieces_of_any_size_give_the_same(
    tmp_path: Path, items: list[object], size: int, indent: int | None
) -> None:
    path = tmp_path / "rounds.json"
    path.write_text(json.dumps(items, ensure_ascii=False, indent=indent), encoding="utf-8")
    objects = [item if isinstance(item, dict) else None for item in items]
    if not any(objects):
        return
    found = [item[0] for item in JsonArray(path, "r", piece=size)._items()]
    as_text = [
        item and {k: v if v is None or isinstance(v, str) else str(v) for k, v in item.items()}
        for item in objects
    ]
    assert found == as_text
