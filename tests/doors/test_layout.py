"""Where nodes stand in a picture."""

from __future__ import annotations

import itertools
import math

from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.doors.cli.layout import FEW, laid_out

GRAPHS = st.integers(1, 30).flatmap(
    lambda count: st.tuples(
        st.just(count), st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=60)
    )
)


@given(GRAPHS)
@settings(max_examples=12, deadline=None)
def test_nodes_keep_apart_at_the_same_places_each_time(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    places = laid_out(count, edges, apart=100)
    assert len(places) == count
    for one, other in itertools.combinations(places, 2):
        assert math.dist(one, other) >= 100 - 0.2  # places are rounded
    assert laid_out(count, [(b, a) for a, b in reversed(edges)], apart=100) == places


def test_few_stand_in_a_circle() -> None:
    places = laid_out(FEW, [], apart=100)
    assert len({round(math.hypot(x, y)) for x, y in places}) == 1


def test_two_stand_side_by_side() -> None:
    assert laid_out(2, [(0, 1)], apart=100) == [(-50.0, 0.0), (50.0, 0.0)]


def test_who_is_tied_to_nobody_stands_below() -> None:
    places = laid_out(20, [(one, one + 1) for one in range(17)], apart=100)
    assert min(y for _, y in places[18:]) > max(y for _, y in places[:18])


def test_who_is_tied_stands_closer_than_who_is_not() -> None:
    """Two cliques of ten and one edge between them."""
    halves = (range(10), range(10, 20))
    edges = [pair for half in halves for pair in itertools.combinations(half, 2)]
    places = laid_out(20, [*edges, (0, 10)], apart=100)

    def mean(pairs: list[tuple[int, int]]) -> float:
        return sum(math.dist(places[a], places[b]) for a, b in pairs) / len(pairs)

    assert mean(edges) < mean(list(itertools.product(*halves)))


def test_a_picture_of_forty_fits_a_screen_or_two() -> None:
    places = laid_out(40, [(one, (one * 7 + 3) % 40) for one in range(40)], apart=120)
    assert max(abs(value) for place in places for value in place) < 1_500
