"""Nights for the consolidation's tests: what was said on which day, and what was known before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

import numpy as np

from reverie.domain.change import Change, Learn, Misshapen
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind, default_priority
from reverie.domain.memory import Memory, Origin
from reverie.domain.message import EpisodeMetadata, Role
from reverie.domain.trust import SourceTrust
from reverie.embedders.minilm import MiniLM
from reverie.minds.local import LocalMind
from reverie.ports.night import Cluster, Night

MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)
MODEL = MiniLM()


def episode(
    content: str, day: float = 0, *, id: str = "", speaker: str | None = "Rosa", role: Role = Role.USER,
    conversation: str | None = None, tone: str | None = None, trust: SourceTrust | None = None,
) -> Episode:  # fmt: skip
    """One message, so many days after Monday noon."""
    time = MONDAY + timedelta(days=day)
    name = id or f"e{day:07.3f}-{abs(hash_of(content)) % 10**6}"
    own = SourceTrust.PRINCIPAL if role is Role.USER else SourceTrust.AGENT
    return Episode(
        id=name, conversation=conversation or f"day {int(day)}", position=int((day % 1) * 1440), time=time,
        observed_at=time, channel="api", role=role, speaker=speaker, content=content,
        source_trust=trust or own, metadata=EpisodeMetadata(emotional_tone=tone),
    )  # fmt: skip


def hash_of(text: str) -> int:
    """The same in every process, unlike hash()."""
    return sum(place * ord(letter) for place, letter in enumerate(text, 1))


def memory(
    essence: str, day: float = -30, *, id: str = "", kind: Kind = Kind.FACT, sources: Sequence[str] = ("old",),
    origin: Origin = Origin.LOOP, pinned: bool = False, confidence: float = 0.9,
) -> Memory:  # fmt: skip
    """A memory as it was made so many days after Monday noon."""
    time = MONDAY + timedelta(days=day)
    return Memory(
        id=id or f"m-{essence}", essence=essence, kind=kind, priority=default_priority(kind), confidence=confidence,
        confidence_at=time, source_episodes=tuple(sources), origin=origin, source_trust=SourceTrust.PRINCIPAL,
        last_reinforced_at=time, created_at=time, updated_at=time, believed_from=time, pinned=pinned,
    )  # fmt: skip


def night(
    said: Sequence[Episode],
    known: Sequence[Memory] = (),
    earlier: Sequence[Episode] = (),
    *,
    zone: tzinfo = UTC,
) -> Night:
    """All of it in one cluster."""
    ordered = sorted(said, key=lambda one: (one.time, one.id))
    before = sorted(earlier, key=lambda one: (one.time, one.id))
    cluster = Cluster(
        episodes=tuple(ordered), vectors=_vectors([one.content for one in ordered]),
        earlier=tuple(before), earlier_vectors=_vectors([one.content for one in before]),
        known=tuple(known), known_vectors=_vectors([one.essence for one in known]),
    )  # fmt: skip
    return Night(agent_id="a", zone=zone, now=ordered[-1].time + timedelta(hours=12), clusters=(cluster,))


def changes(said: Sequence[Episode], known: Sequence[Memory] = (), **more: object) -> tuple[Change, ...]:
    """What LocalMind makes of it."""
    proposed = LocalMind(MODEL).consolidate(night(said, known, **more)).changes  # type: ignore[arg-type]
    return tuple(one for one in proposed if not isinstance(one, Misshapen))


def learned(said: Sequence[Episode]) -> list[Memory]:
    """What a sleep over it would add, as memories."""
    found = []
    for place, one in enumerate(changes(said)):
        if isinstance(one, Learn):
            time = max(message.time for message in said if message.id in one.sources)
            made = memory(
                one.essence, kind=one.kind, sources=one.sources, origin=Origin.SLEEP, id=f"learned {place}"
            )
            found.append(replace(made, believed_from=time, created_at=time, last_reinforced_at=time))
    return found


def _vectors(texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return MODEL.embed(list(texts)) if texts else np.zeros((0, MODEL.dimensions), np.float32)
