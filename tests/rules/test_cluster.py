"""Clusters: which episodes of a night a mind sees together."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reverie.rules.cluster import MOST, Spoken, clusters

MINUTE, DAY = 60_000_000, 86_400_000_000


def _spoken(*places: tuple[str, int]) -> list[Spoken]:
    return [
        Spoken(id=f"e{number}", conversation=room, time=time) for number, (room, time) in enumerate(places)
    ]


def _vectors(*angles: float) -> NDArray[np.float32]:
    """Unit vectors in a plane, at these angles in degrees."""
    turned = np.radians(np.array(angles))
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


def _ids(spoken: Sequence[Spoken], vectors: NDArray[np.float32], **limits: int) -> list[list[str]]:
    return [[spoken[place].id for place in group] for group in clusters(spoken, vectors, **limits)]


def test_nothing_has_no_clusters() -> None:
    assert clusters([], np.zeros((0, 2), np.float32)) == []


def test_what_is_alike_belongs_together_wherever_it_was_said() -> None:
    spoken = _spoken(("a", 0), ("b", 40 * DAY), ("c", 80 * DAY))
    assert _ids(spoken, _vectors(0, 90, 10)) == [["e0", "e2"], ["e1"]]


def test_what_was_said_within_moments_in_one_conversation_belongs_together_sooner() -> None:
    angles = _vectors(0, 75)  # a cosine of 0.26
    assert _ids(_spoken(("a", 0), ("a", MINUTE)), angles) == [["e0", "e1"]]
    assert _ids(_spoken(("a", 0), ("b", MINUTE)), angles) == [["e0"], ["e1"]]
    assert _ids(_spoken(("a", 0), ("a", 5 * DAY)), angles) == [["e0"], ["e1"]]


def test_what_is_like_one_of_a_group_only_does_not_join_it() -> None:
    spoken = _spoken(("a", 0), ("b", DAY * 9), ("c", DAY * 20))
    assert _ids(spoken, _vectors(0, 40, 100)) == [["e0", "e1"], ["e2"]]
    assert _ids(spoken, _vectors(0, 40, 80)) == [["e0", "e1", "e2"]]


def test_no_cluster_has_more_than_thirty_and_the_closest_stay_together() -> None:
    spoken = _spoken(*(("a", place) for place in range(100)))
    sizes = [len(group) for group in clusters(spoken, _vectors(*([0] * 100)))]
    assert sum(sizes) == 100
    assert max(sizes) <= MOST == 30
    close = _spoken(("a", 0), ("b", 1), ("c", 2))
    assert _ids(close, _vectors(0, 30, 35), most=2) == [["e0"], ["e1", "e2"]]


def test_clusters_and_their_episodes_stand_in_order_of_time() -> None:
    spoken = _spoken(("a", 5), ("b", 3), ("a", 1))
    assert _ids(spoken, _vectors(0, 90, 0)) == [["e2", "e0"], ["e1"]]


_nights = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 3 * DAY), st.integers(0, 359)), min_size=1, max_size=40
)


@given(_nights, st.integers(), st.integers(1, 8))
def test_every_episode_is_in_one_cluster_whatever_order_they_come_in(
    night: list[tuple[str, int, int]], seed: int, most: int
) -> None:
    spoken = _spoken(*((room, time) for room, time, _ in night))
    vectors = _vectors(*(angle for _, _, angle in night))
    found = _ids(spoken, vectors, most=most)
    assert sorted(id for group in found for id in group) == sorted(one.id for one in spoken)
    assert max(map(len, found)) <= most
    order = list(range(len(spoken)))
    random.Random(seed).shuffle(order)
    assert _ids([spoken[place] for place in order], vectors[order], most=most) == found
