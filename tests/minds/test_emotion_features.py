"""What the classifier sees of a text, and the file that ships with its weights."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import DamagedModel
from reverie.minds.emotions.features import MOST_CHARACTERS, ROW_BITS, TYPED, rows_of, typed
from reverie.minds.emotions.weights import WEIGHTS, read_weights

PINNED = [
    int(row)
    for row in (
        "1543 2575 3135 14566 15132 15754 19203 23379 23954 26707 26743 30002 31677 32682 33652 36206 "
        "41586 41634 44424 44765 44794 48736 48787 49665 50400 51447 51966 56784 57915 58284 60353"
    ).split()
]
any_texts = st.text(st.characters(codec=None), max_size=80)


def rows(text: str) -> set[int]:
    """The rows of one text."""
    (part,) = rows_of([text])
    return set(part.rows.tolist())


@given(st.lists(any_texts, min_size=1, max_size=6))
def test_a_texts_rows_do_not_depend_on_its_neighbours(texts: Sequence[str]) -> None:
    found = [
        set(part.rows[start : start + count].tolist())
        for part in rows_of(texts)
        for start, count in zip(part.starts, part.counts, strict=True)
    ]
    assert found == [rows(text) for text in texts]


@given(any_texts)
def test_every_text_has_distinct_rows_of_the_table(text: str) -> None:
    (part,) = rows_of([text])
    assert part.counts.tolist() == [len(part.rows)]
    assert len(set(part.rows.tolist())) == len(part.rows) > 0
    assert int(part.rows.max()) < 1 << ROW_BITS


def test_case_spaces_and_long_runs_make_no_difference() -> None:
    assert rows("  So   GOOD!!!! \n") == rows("so good!!!!!!!!")
    assert rows("it\u2019s") == rows("it's")


def test_order_and_single_letters_do() -> None:
    assert rows("dog bites man") != rows("man bites dog")
    assert rows("sad") != rows("mad")


def test_a_word_beside_a_mark_or_an_emoji_is_the_same_word() -> None:
    (word,) = (rows("joy") & rows("(joy)")) - rows("enjoyable")
    for text in ("joy!", "a joy, no?", "joy😂", "*joy*"):
        assert word in rows(text)


def test_rows_are_those_of_the_trained_table() -> None:
    """A change of the hash would leave the shipped weights without meaning."""
    (part,) = rows_of(["Oh no!"])
    assert sorted(part.rows.tolist()) == PINNED


def test_rows_are_the_same_in_every_process() -> None:
    code = (
        "from reverie.minds.emotions.features import rows_of; print(next(rows_of(['Oh no!'])).rows.tolist())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"}
    )
    assert sorted(json.loads(run.stdout)) == PINNED


def test_only_the_beginning_of_a_huge_text_is_read() -> None:
    start = "abc " * (MOST_CHARACTERS // 4)
    assert rows(start + "xyz" * 300_000) == rows(start)


@pytest.mark.parametrize("letter", ["a", "\u0130", "\U0001f600", "\ud800", "\x00", "ß"])
def test_texts_of_one_letter_are_welcome_at_any_length(letter: str) -> None:
    for count in (1, 5, MOST_CHARACTERS, 3 * MOST_CHARACTERS):
        assert len(rows(letter * count)) > 0


@given(any_texts)
def test_how_a_text_is_typed_is_a_few_small_numbers(text: str) -> None:
    found = typed(text)
    assert len(found) == TYPED
    assert all(0 <= number < 3 for number in found)


def test_capitals_of_a_names_label_are_not_shouting() -> None:
    assert typed("[NAME] went home")[:2] == (0.0, 0.0)
    assert typed("ANNA went home")[1] > 0


def test_no_texts_have_no_rows() -> None:
    assert list(rows_of([])) == []


def test_counts_and_starts_cut_the_rows_into_texts() -> None:
    parts = list(rows_of([f"text number {number} of a long list" for number in range(2_000)]))
    assert sum(len(part.counts) for part in parts) == 2_000
    for part in parts:
        np.testing.assert_array_equal(part.starts + part.counts, np.append(part.starts[1:], len(part.rows)))


SHA256 = "d51ea457925888310aa69069febe834a4ab366889bab6a5529eb5e735b64c7ee"


def test_the_weights_are_those_of_this_edition() -> None:
    assert hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() == SHA256


def test_all_that_ships_is_at_most_two_megabytes() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.parent.glob("*") if path.is_file()) <= 2_000_000


def test_shapes_fit_together() -> None:
    weights = read_weights()
    rows, labels = weights.table.shape
    inputs, hidden = weights.hidden.shape
    assert (rows, labels, inputs) == (1 << 16, 28, 384 + 5)
    assert weights.out.shape == (hidden, labels)
    assert weights.hidden_scale.shape == weights.hidden_bias.shape == (hidden,)
    for each in (weights.table_scale, weights.out_scale, weights.bias, weights.thresholds):
        assert each.shape == (labels,)
        assert np.isfinite(each).all()


def test_thresholds_are_probabilities() -> None:
    thresholds = read_weights().thresholds
    assert ((thresholds > 0) & (thresholds < 1)).all()


@pytest.mark.parametrize("size", [0, 4, 200, 100_000])
def test_a_file_that_is_cut_short_is_told(tmp_path: Path, size: int) -> None:
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(WEIGHTS.read_bytes()[:size])
    with pytest.raises(DamagedModel, match=r"cut\.safetensors.*reinstall"):
        read_weights(cut)


def test_a_file_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(DamagedModel, match=r"none\.safetensors"):
        read_weights(tmp_path / "none.safetensors")
