"""Memories for tests of rules: one made by hand, and Hypothesis' of all sorts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from reverie.domain.emotion import Emotion
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory, Origin, State
from reverie.domain.trust import SourceTrust

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def a_memory(essence: str = "Anna likes tea", **fields: object) -> Memory:
    memory = Memory(
        id="m1",
        essence=essence,
        kind=Kind.FACT,
        priority=Priority.NORMAL,
        confidence=0.9,
        confidence_at=NOON,
        origin=Origin.COMMIT,
        source_trust=SourceTrust.AGENT,
        last_reinforced_at=NOON,
        created_at=NOON,
        updated_at=NOON,
        believed_from=NOON,
    )
    return replace(memory, **fields)  # type: ignore[arg-type]


shares = st.floats(0, 1)
moments = st.integers(-4000, 4000).map(lambda days: NOON + timedelta(days=days / 7))
labels = st.lists(st.sampled_from("abcd"), unique=True, max_size=3).map(tuple)
emotions = st.lists(st.sampled_from(Emotion), min_size=3, max_size=3, unique=True).map(tuple)

memories = st.builds(
    a_memory,
    importance=st.none() | shares,
    emotions=st.none() | emotions,
    lesson=st.none() | st.sampled_from(["ask first", "never again"]),
    confidence=shares,
    confidence_at=moments,
    last_reinforced_at=moments,
    created_at=moments,
    tags=labels,
    topics=labels,
    entities=labels,
    source_episodes=st.lists(st.sampled_from("abcd"), unique=True, max_size=3).map(
        lambda ids: tuple(sorted(ids))
    ),
    pinned=st.booleans(),
    state=st.sampled_from([State.ACTIVE, State.ARCHIVED, State.INACTIVE]),
    reinforcement_count=st.integers(1, 50),
)
