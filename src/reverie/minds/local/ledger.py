"""What a night makes of the bank so far: what is known as it will stand, and what is learned, with claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from reverie.domain.change import NEW, Change, Connect, Contradict, Fade, Learn, Reinforce, Revise
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, State
from reverie.minds.local.said import Said
from reverie.minds.local.vectors import Floats
from reverie.ports.night import Night
from reverie.rules.claim import Claim
from reverie.rules.claims import claims
from reverie.rules.claims_subject import subjects_of
from reverie.rules.terms import terms

SAME = 0.92
"""As everywhere: cosine from which two memories are one, unless the guard tells them apart."""
_GONE = frozenset({State.INACTIVE, State.SUMMARIZED})


@dataclass(kw_only=True, slots=True, eq=False)
class Entry:
    """One memory in the night: known, or (``memory`` None) learned in it. ``since``: when what it says was said last;
    ``sources``: the episodes that carry it; ``gone``: it was over before the night.
    """

    key: str
    essence: str
    kind: Kind
    since: datetime
    sources: set[str]
    memory: Memory | None = None
    revised: bool = False
    claimed: tuple[Claim, ...] | None = None
    gone: bool = field(init=False)
    _terms: frozenset[str] | None = None
    _subjects: frozenset[str] | None = None

    def __post_init__(self) -> None:
        memory = self.memory
        self.gone = memory is not None and (memory.state in _GONE or memory.superseded_by is not None)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What its essence claims, read when it is asked for first: most of what is known is never asked."""
        if self.claimed is None:
            self.claimed = claims(self.essence)
        return self.claimed

    @property
    def terms(self) -> frozenset[str]:
        """The stemmed words of its essence."""
        if self._terms is None:
            self._terms = frozenset(terms(self.essence))
        return self._terms

    @property
    def subjects(self) -> frozenset[str]:
        """Whom it is about."""
        if self._subjects is None:
            self._subjects = subjects_of(self.essence)
        return self._subjects

    def reword(self, said: Said, essence: str) -> None:
        """It says now what was said, in these words."""
        self.essence, self.claimed, self.since = essence, said.claims, said.message.time
        self.sources |= set(said.sources)
        self._terms = self._subjects = None
        self.revised = True


@dataclass(kw_only=True, slots=True)
class Ledger:
    """The entries in an order that hangs on nothing but what they are, with their vectors, and the changes so far.
    ``heard``: the vectors of the night's episodes, by id.
    """

    entries: list[Entry]
    vectors: Floats
    learned: list[Learn] = field(default_factory=list)
    revised: dict[str, Revise] = field(default_factory=dict)
    confirmed: dict[str, Reinforce] = field(default_factory=dict)
    contradicted: dict[tuple[str, str], Contradict] = field(default_factory=dict)
    faded: dict[str, Fade] = field(default_factory=dict)
    heard: dict[str, Floats] = field(default_factory=dict)
    connected: dict[tuple[str, str], Connect] = field(default_factory=dict)
    _outdated: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, night: Night, dimensions: int, looked_up: Sequence[tuple[Memory, Floats]] = ()) -> Ledger:
        """The memories that the night's clusters touch and those that were looked up, each once, by id."""
        known: dict[str, tuple[Memory, Floats]] = {
            memory.id: (memory, vector) for memory, vector in looked_up
        }
        for cluster in night.clusters:
            for memory, vector in zip(cluster.known, cluster.known_vectors, strict=True):
                known.setdefault(memory.id, (memory, vector))
        ordered = [known[key] for key in sorted(known)]
        entries = [_entry_of(memory) for memory, _ in ordered]
        vectors = (
            np.stack([vector for _, vector in ordered]) if ordered else np.empty((0, dimensions), np.float32)
        )
        heard = {
            episode.id: vector for cluster in night.clusters
            for episode, vector in zip(cluster.episodes, cluster.vectors, strict=True)
        }  # fmt: skip
        return cls(entries=entries, vectors=vectors, heard=heard)

    def cosines(self, vector: Floats) -> Sequence[float]:
        """Of each entry, in their order."""
        return (self.vectors @ vector).tolist() if len(self.entries) else []

    def learn(self, learn: Learn, entry: Entry, vector: Floats) -> None:
        """Adds what is new."""
        self.learned.append(learn)
        self.entries.append(entry)
        self.vectors = np.concatenate([self.vectors, vector[None]])

    def next_key(self) -> str:
        """How the next Learn is named."""
        return f"{NEW}{len(self.learned)}"

    def put(self, place: int, vector: Floats) -> None:
        """The vector of an entry that was reworded."""
        self.vectors[place] = vector

    def is_faded(self, key: str) -> bool:
        """Whether it was faded in this night."""
        return key in self.faded

    def contradict(self, change: Contradict) -> None:
        """One of them says what the other one denies, or what is so since."""
        self.contradicted[change.memory_id, change.contradicted_by] = change
        self._outdated.add(change.memory_id)

    def is_gone(self, entry: Entry) -> bool:
        """Whether it was over before the night, or is since: faded, or something of this night stands against it."""
        return entry.gone or entry.key in self.faded or entry.key in self._outdated

    def changes(self) -> tuple[Change, ...]:
        """All of them: what is learned first, in the order of its names."""
        confirmed = [
            one for key, one in self.confirmed.items() if key not in self.revised and key not in self.faded
        ]
        return (
            *self.learned, *self.revised.values(), *confirmed, *self.contradicted.values(), *self.faded.values(),
            *self.connected.values(),
        )  # fmt: skip


def _entry_of(memory: Memory) -> Entry:
    return Entry(
        key=memory.id, essence=memory.essence, kind=memory.kind,
        since=max(memory.believed_from, memory.valid_from or memory.believed_from),
        sources=set(memory.source_episodes), memory=memory,
    )  # fmt: skip


def kinds_of(entries: Sequence[Entry]) -> Mapping[str, Kind]:
    """The kinds by key."""
    return {entry.key: entry.kind for entry in entries}
