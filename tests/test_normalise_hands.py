"""Usual hands are read as numbers: always as the general way reads them."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.normalise import cells, hands
from audit.normalise.rows import Typed, type_batch
from audit.schema import ROUNDS
from audit.sources import Batch

CARD = st.builds(
    "".join, st.tuples(st.sampled_from([*"A23456789TJQK", "10"]), st.sampled_from("SHDC"))
)
ODD = [
    *(
        "10",
        "1",
        "0",
        "T",
        "KS",
        "10H",
        "ks",
        "aD",
        "tC",
        "K?",
        "5p",
        "10p",
        "0p",
        "♠",
        "K♠",
        "10♥",
    ),
    *("\N{VARIATION SELECTOR-16}", "♤", "\0", "KS\0", "", " ", "  ", "\t", "\n", "\N{EM SPACE}"),
    *(
        ",",
        ";",
        "|",
        "-",
        "é",
        "玉",
        "🂡",
        "\u212a",
        "ß",
        "\x1f",
        "\x85",
        "\ufeff",
        "1010",
        "110S",
        "S",
        "K",
    ),
]
USUAL = st.lists(CARD, min_size=1, max_size=3).map(" ".join)
LONG = st.tuples(CARD, st.integers(95, 102), st.sampled_from(["", " ", "-"])).map(
    lambda told: told[2].join([told[0]] * told[1])
)
PIECES = st.lists(st.one_of(CARD, st.sampled_from(ODD)), max_size=8)
ANY = st.one_of(
    USUAL,
    st.tuples(st.sampled_from(["", " ", ", ", "-", "\N{NO-BREAK SPACE}"]), PIECES).map(
        lambda told: told[0].join(told[1])
    ),
    st.tuples(st.sampled_from(["", " ", "\t"]), USUAL, st.sampled_from(["", " ", "  "])).map(
        "".join
    ),
    st.text(max_size=9),
    LONG,
    st.none(),
)


def typed(rows: list[tuple[str | None, str | None]], **more: list[Any]) -> Typed:
    count = len(rows)
    frame = pl.DataFrame(
        {
            "table_id": ["T"] * count,
            "shoe_id": ["S"] * count,
            "round_no": range(1, count + 1),
            "started_at": ["2007-07-01 12:00:00"] * count,
            "player_cards": pl.Series([player for player, _ in rows], dtype=pl.String),
            "banker_cards": pl.Series([banker for _, banker in rows], dtype=pl.String),
            **more,
        }
    )
    kept = frame.clone()
    names = {name: name for name in frame.columns}
    out = type_batch(Batch(1, count, frame), ROUNDS, names, "rounds.parquet")
    assert frame.equals(kept)  # what was read stays as it was
    return out


def check(rows: list[tuple[str | None, str | None]], **more: list[Any]) -> None:
    quick = typed(rows, **more)
    with patch.object(hands, "packed", return_value=None):
        general = typed(rows, **more)
    assert quick.frame.schema == general.frame.schema
    assert quick.frame.rows() == general.frame.rows()
    assert (quick.unreadable is None) == (general.unreadable is None)
    if quick.unreadable is not None and general.unreadable is not None:
        assert quick.unreadable.rows() == general.unreadable.rows()


@settings(max_examples=60)
@given(st.lists(st.tuples(ANY, ANY), min_size=1, max_size=20), st.integers(0, 20))
def test_hands_of_any_kind(rows: list[tuple[str | None, str | None]], usual: int) -> None:
    check([*rows, *[("KS 10H", "2D 3C AH")] * usual])


@settings(max_examples=200)
@given(st.lists(ANY, min_size=1, max_size=8))
def test_texts_and_values_of_a_column(texts: list[str | None]) -> None:
    # So many usual ones that the column is packed, whatever the others are.
    column = pl.Series([*texts, *["KS 10H 2D"] * (len(texts) + 1)], dtype=pl.String)
    packed = hands.packed(column)
    assert packed is not None
    assert packed.text.to_list() == cells.strip(column).to_list()
    quick = hands.Dealt(packed.numbers, packed.others)
    general = hands.Dealt(hands.compact(packed.text), None)
    for place in range(hands.PLACES):
        assert quick.card(place).to_list() == general.card(place).to_list()
    assert quick.count().to_list() == general.count().to_list()
    assert quick.surplus().to_list() == general.surplus().to_list()
    assert quick.surplus().dtype == general.surplus().dtype
    sound = hands.compact(packed.text).is_not_null()
    assert packed.numbers.is_not_null().to_list() == sound.to_list()


def test_cards_in_columns_of_their_own_beside_hands() -> None:
    rows = [("KS 10H", None), (None, None), (None, "2D 3C AH 5H"), ("x", "KS 2D"), ("KS", "10H")]
    rows += [("KS 10H", "2D 3C AH")] * 4
    single = {f"banker_{place}": ["4S", "4S", "4S", None, "4S", *["4S"] * 4] for place in (1, 2)}
    check(rows, **single, kind=["play", "void", "play", "play", "play", *["free"] * 4])


@pytest.mark.parametrize("text", [None, "", "KS", "10H", "K?", "5p", "KS 10H 2D 3C", "xx xx xx"])
def test_a_column_of_one_text(text: str | None) -> None:
    check([(text, "KS 10H")] * 3)
    check([(text, text)])


def test_hands_that_hardly_any_row_has_are_no_numbers() -> None:
    rows = ["KS 10H", *["10♥ ks"] * 3]
    assert hands.packed(pl.Series(rows)) is None
    assert hands.packed(pl.Series([None, None], dtype=pl.String)) is None
    assert hands.packed(pl.Series([], dtype=pl.String)) is None
