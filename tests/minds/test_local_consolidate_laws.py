"""Laws of a night: one answer, whatever the order, and nothing named that wasn't shown."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie.domain.change import NEW, Change, Connect, Contradict, Fade, Learn, Reinforce, Revise
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.minds.local import LocalMind
from reverie.ports.night import Night
from tests.minds.nights import MODEL, changes, episode, memory, night

pytestmark = pytest.mark.slow

_TALK = [
    "I live in Utrecht.", "I moved to Ghent!", "I'm allergic to walnuts.", "My sister Lena lives in Oslo.", "ok",
    "Lena moved to Bergen.", "I hate coriander.", "I work at Acme.", "I no longer work at Acme.", "What's for dinner?",
]  # fmt: skip
_KNOWN = [
    memory("Rosa lives in Leiden.", id="k1"),
    memory("Rosa likes coriander.", id="k2", kind=Kind.PREFERENCE),
]


def _clustered(said: list[Episode], order: random.Random) -> Night:
    """Each message in a cluster of its own, the clusters in some order."""
    whole = night(said, _KNOWN)
    [cluster] = whole.clusters
    parts = [
        replace(cluster, episodes=(one,), vectors=cluster.vectors[place : place + 1])
        for place, one in enumerate(cluster.episodes)
    ]
    order.shuffle(parts)
    return replace(whole, clusters=tuple(parts))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(_TALK), min_size=1, max_size=6), st.integers(0, 99))
def test_neither_the_order_of_clusters_nor_a_second_call_changes_the_proposal(
    texts: list[str], seed: int
) -> None:
    said = [episode(text, place, id=f"e{place}", conversation="c") for place, text in enumerate(texts)]
    mind = LocalMind(MODEL)
    first = mind.consolidate(_clustered(said, random.Random(seed)))
    assert mind.consolidate(_clustered(said, random.Random(seed + 1))) == first
    assert LocalMind(MODEL).consolidate(_clustered(said, random.Random(seed))) == first


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(_TALK), min_size=1, max_size=8))
def test_each_change_names_what_it_was_shown_and_new_ones_rest_on_episodes_of_the_night(
    texts: list[str],
) -> None:
    said = [episode(text, place, id=f"e{place}", conversation="c") for place, text in enumerate(texts)]
    found = changes(said, _KNOWN)
    fresh = [f"{NEW}{place}" for place in range(sum(isinstance(one, Learn) for one in found))]
    shown = {one.id for one in _KNOWN} | set(fresh)
    for one in found:
        assert set(_named(one)) <= shown
        assert set(getattr(one, "sources", ())) <= {message.id for message in said}
        if isinstance(one, Learn | Revise):
            assert one.sources
            assert one.essence.strip()


def _named(change: Change) -> tuple[str, ...]:
    match change:
        case Learn():
            return ()
        case Connect(memory_a=one, memory_b=other):
            return one, other
        case Contradict(memory_id=one, contradicted_by=other):
            return one, other
        case Reinforce(memory_id=one) | Revise(memory_id=one) | Fade(memory_id=one):
            return (one,)
