"""The stand-in embedder of the tests."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import InvalidInput

EMBEDDER = HashingEmbedder.for_tests()


def test_it_is_not_made_by_accident() -> None:
    with pytest.raises(InvalidInput, match="knows no meaning"):
        HashingEmbedder(384)


def test_its_id_says_what_it_is_for() -> None:
    assert EMBEDDER.id == "hashing-for-tests-384/1"
    assert HashingEmbedder.for_tests(8).id != EMBEDDER.id


@given(st.text(st.characters(codec=None)))
def test_any_text_has_a_unit_vector(text: str) -> None:
    assert np.linalg.norm(EMBEDDER.embed_query(text)) == pytest.approx(1, abs=1e-6)


@given(st.lists(st.text(), max_size=5))
def test_rows_are_the_single_vectors(texts: list[str]) -> None:
    rows = EMBEDDER.embed(texts)
    assert rows.shape == (len(texts), 384)
    for text, row in zip(texts, rows, strict=True):
        np.testing.assert_array_equal(row, EMBEDDER.embed_query(text))


def test_texts_with_words_in_common_are_near() -> None:
    walk, walked, bill = EMBEDDER.embed(["I walk to the lake", "She walked to the lake", "pay this bill now"])
    assert walk @ walked > 0.4
    assert walk @ bill < 0.2


def test_another_hash_seed_gives_the_same_bytes() -> None:
    program = (
        "from reverie.embedders.hashing import HashingEmbedder;"
        "print(HashingEmbedder.for_tests().embed_query('the same everywhere').tobytes().hex())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_refuses_dimensions_below_one() -> None:
    with pytest.raises(InvalidInput, match="dimensions"):
        HashingEmbedder.for_tests(0)
