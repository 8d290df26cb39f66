"""Likeness finds every near pair that comparing all finds, and no other."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.services.runtime.likeness import Likeness

LEAST = 0.92


@pytest.mark.parametrize(
    ("known", "others", "dimensions"),
    [(1, 1, 384), (300, 200, 384), (50, 70, 16), (200, 64, 32), (9, 129, 48)],
)
def test_it_finds_the_pairs_that_comparing_all_finds(known: int, others: int, dimensions: int) -> None:
    chance = np.random.default_rng(known)
    centres = chance.normal(size=(5, dimensions))

    def vectors(count: int) -> NDArray[np.float32]:
        # Around the threshold: two of one centre have cosines between 0.8 and 1.
        scattered = centres[chance.integers(5, size=count)] + chance.normal(
            scale=0.3, size=(count, dimensions)
        )
        made: NDArray[np.float32] = (scattered / np.linalg.norm(scattered, axis=1, keepdims=True)).astype(
            np.float32
        )
        return made

    here, there = vectors(known), vectors(others)
    here[: min(known, others) // 2] = there[: min(known, others) // 2]
    cosines = there.astype(np.float64) @ here.T.astype(np.float64)
    found = {(row, place): cosine for row, place, cosine in Likeness(here).near(there, LEAST)}
    assert set(found) >= {(int(row), int(place)) for row, place in np.argwhere(cosines >= LEAST + 1e-6)}
    assert set(found) <= {(int(row), int(place)) for row, place in np.argwhere(cosines >= LEAST - 1e-6)}
    assert all(cosine == pytest.approx(cosines[pair], abs=1e-5) for pair, cosine in found.items())


def test_pairs_come_in_the_order_of_the_others() -> None:
    chance = np.random.default_rng(1)
    some = chance.normal(size=(200, 64)).astype(np.float32)
    some /= np.linalg.norm(some, axis=1, keepdims=True)
    rows = [row for row, _, _ in Likeness(some).near(some, LEAST)]
    assert rows == [*range(200)]
