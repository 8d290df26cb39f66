"""LocalMind: the default mind. What it can't see in words and vectors, it doesn't claim."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import partial

from reverie.domain.change import NEW, Contradict, Learn, Proposal
from reverie.domain.emotion import Emotions
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, State
from reverie.domain.message import Role
from reverie.domain.snippet import Extracted, Judgement, Reading, Snippet, Unjudged
from reverie.errors import ReverieError
from reverie.memory.prompt import estimated_tokens
from reverie.memory.society import lines_of
from reverie.minds.judges import JudgeNetwork
from reverie.minds.local.selecting import Quotation, selected, stated
from reverie.minds.local.sparing import spared
from reverie.minds.local.superseding import Told, replaced
from reverie.minds.local.telling import compressed, narrated
from reverie.minds.local.vectors import Floats, MessageVectors
from reverie.ports.embedder import Embedder
from reverie.ports.judges import Heard, Judged, Judges
from reverie.ports.mind import Familiar
from reverie.ports.night import Cluster, Night

_EDITION = "local/2"
_HARMLESS = "hello"
_log = logging.getLogger("reverie.mind")
_LATER = "it was said otherwise later"
_MARKS = 3
"""The last characters of a sentence, in which a question has its mark."""
_UNREAD = "None of it could be read."


class LocalMind:
    """Extracts, judges, consolidates and compresses by rules and vectors: deterministic, offline and free. Thread-safe.

    ``embedder`` is the bank's. ``floor``: of less importance than this, in [0, 1], nothing is proposed. ``judges``:
    without them a network of its own reads the embedder's vectors as the built-in one's. Nothing is loaded before the
    first call.
    A text on which a rule fails is left out of what is extracted, consolidated, compressed, narrated and portrayed, and
    named to whoever asked (``ports.unread``). How it decides and what that gives: docs/why/judges.md and
    docs/why/consolidation.md.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        floor: float = 0.2,
        judges: Judges | None = None,
    ) -> None:
        self._embedder = embedder
        self._floor = floor
        self._messages = MessageVectors(embedder)
        self._judges = judges or JudgeNetwork(embedder.embed)

    @property
    def id(self) -> str:
        """Names the mind and its version."""
        return _EDITION

    @property
    def is_local(self) -> bool:
        """It is: nothing leaves this machine."""
        return True

    @property
    def teaches(self) -> bool:
        """It doesn't: what to do next time stands in no quotation."""
        return False

    def extract(
        self,
        snippet: Snippet,
        familiar: Familiar,  # noqa: ARG002  # what is known is told apart where it is kept
    ) -> Sequence[Extracted]:
        """Return what the snippet's new messages state that is worth keeping, most important first."""
        return spared(
            snippet.messages,
            lambda some: self._extracted(_snippet_of(snippet, some)),
            sound=self._sound,
        )

    def stated(self, messages: Sequence[Episode], zone: tzinfo) -> Mapping[str, Sequence[str]]:  # noqa: ARG002
        """Return the sentences of each message that are its sender's own and worth keeping, by its id."""

        def of(some: Sequence[Episode]) -> Mapping[str, Sequence[str]]:
            vectors = self._messages.of([one.content for one in some])
            return stated(some, vectors, self._judges)

        return spared(messages, of, sound=self._sound)

    def _extracted(self, snippet: Snippet) -> Sequence[Extracted]:
        if not snippet.fresh:
            return []
        fresh = {one.id for one in snippet.new}
        rows = self._messages.of([one.content for one in snippet.messages])
        vectors = {one.id: row for one, row in zip(snippet.messages, rows, strict=True) if one.id in fresh}
        found = selected(snippet.messages, vectors, self._judges)
        found.sort(key=lambda one: -one.lasting)
        found = [one for one in found if one.importance >= self._floor]
        return [
            Extracted(
                essence=one.text, kind=one.kind, importance=one.importance, sources=(one.message.id,),
                quoted=one.quoted,
            )
            for one in found
        ]  # fmt: skip

    def judge(self, memories: Sequence[Unjudged]) -> Sequence[Judgement | None]:
        """Return the importance of what matters most in each, and no lesson."""
        texts = [one.essence for one in memories]
        found = [_importance(some) for some in self._judged(texts, self._messages.of(texts))]
        return [None if one is None else Judgement(lesson=None, importance=one) for one in found]

    def read(
        self,
        messages: Sequence[Episode],
        vectors: Floats,
        felt: Sequence[Emotions | None],
    ) -> Sequence[Reading]:
        """Return whether a person's message asks, how much it matters, the strongest emotion of any: what is sure."""
        judged = self._judged([one.content for one in messages], vectors)
        return [
            Reading(
                task_type="question" if one.role is Role.USER and _asks(some) else None,
                emotional_tone=str(emotions[0]) if emotions else None,
                importance=_importance(some) if one.role is Role.USER else None,
            )
            for one, some, emotions in zip(messages, judged, felt, strict=True)
        ]

    def _judged(self, texts: Sequence[str], vectors: Floats) -> Sequence[Sequence[Judged] | None]:
        """Each text's sentences, judged; None for one that the judges can't read."""
        heard = [
            Heard(text=text, vector=row, apart=frozenset()) for text, row in zip(texts, vectors, strict=True)
        ]
        try:
            return self._judges.judge(heard)
        except (ReverieError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001  # as in ``spared``
            if len(heard) == 1:
                _log.warning("a text could not be judged: %s", type(error).__name__)
                return [None]
            return [self._judged([text], row[None])[0] for text, row in zip(texts, vectors, strict=True)]

    def compress(self, messages: Sequence[Episode], *, so_far: str | None, max_tokens: int) -> str:
        """Return the sentences that say most, in their order, with who said them and when."""

        def of(some: Sequence[Episode]) -> str:
            made = compressed(
                some, so_far, max_tokens,
                embedder=self._embedder, judges=self._judges, vectors=self._messages.of,
            )  # fmt: skip
            return made if made or some or not messages else self._unread(max_tokens)

        return spared(messages, of, sound=self._sound)

    def consolidate(self, night: Night) -> Proposal:
        """Return what the night's statements change in what is known; the same for the same night."""
        given: list[Episode | Memory] = []
        for cluster in night.clusters:
            given += (*cluster.episodes, *cluster.earlier, *cluster.known)

        def of(some: Sequence[Episode | Memory]) -> Proposal:
            return self._consolidated(_night_of(night, {one.id for one in some}))

        return spared(given, of, sound=self._sound)

    def _consolidated(self, night: Night) -> Proposal:
        every = sorted(
            (pair for one in night.clusters for pair in zip(one.episodes, one.vectors, strict=True)),
            key=lambda pair: (pair[0].conversation, pair[0].position),
        )
        found = selected([one for one, _ in every], {one.id: row for one, row in every}, self._judges)
        found.sort(key=lambda one: (one.message.time, one.message.id))
        learned = [
            Learn(
                essence=one.text, kind=one.kind, importance=one.importance, sources=(one.message.id,),
                quoted=one.quoted,
            )
            for one in found
        ]  # fmt: skip
        return Proposal(changes=(*learned, *self._replacing(night, found)))

    def _replacing(self, night: Night, found: Sequence[Quotation]) -> Iterator[Contradict]:
        """Yield a change for each of the night's quotations that surely takes an older statement's place."""
        ids: list[str] = []
        older: list[Told] = []
        said: list[datetime] = []
        for cluster in night.clusters:
            for known, row in zip(cluster.known, cluster.known_vectors, strict=True):
                if known.id not in ids and known.state is State.ACTIVE:
                    ids.append(known.id)
                    older.append(Told(text=known.essence, vector=row))
                    said.append(known.believed_from)
        for number, (one, row) in enumerate(
            zip(found, self._messages.of([one.text for one in found]), strict=True)
        ):
            new, before = Told(text=one.text, vector=row), one.message.time
            places = [place for place, time in enumerate(said) if time < before]
            if (place := replaced(new, [older[place] for place in places])) is not None:
                yield Contradict(
                    memory_id=ids[places[place]], contradicted_by=f"{NEW}{number}", resolution=_LATER,
                    sources=(one.message.id,),
                )  # fmt: skip
            ids.append(f"{NEW}{number}")
            older.append(new)
            said.append(before)

    def narrate(self, memories: Sequence[Memory], *, max_tokens: int, vectors: Floats | None = None) -> str:
        """Return the most central memories in order of time, a line each, quoted where they are quotations."""
        places = {one.id: place for place, one in enumerate(memories)}

        def of(some: Sequence[Memory]) -> str:
            rows = None if vectors is None else vectors[[places[one.id] for one in some]]
            if memories and not some:
                return self._unread(max_tokens)
            return narrated(some, max_tokens, embedder=self._embedder, vectors=rows)

        return spared(memories, of, sound=self._sound)

    def portray(self, memories: Mapping[Kind, Sequence[Memory]], *, max_tokens: int) -> Mapping[Kind, str]:
        """Return the first memories of each kind, a line each, quoted where they are quotations."""
        given = [one for some in memories.values() for one in some]

        def of(some: Sequence[Memory]) -> Mapping[Kind, str]:
            ids = {one.id for one in some}
            left = {kind: [one for one in each if one.id in ids] for kind, each in memories.items()}
            lines = lines_of(
                left, max_tokens, partial(estimated_tokens, model_tokens=self._embedder.count_tokens)
            )
            return {kind: "\n".join(f"- {line}" for line in some) for kind, some in lines.items()}

        return spared(given, of, sound=self._sound)

    def _unread(self, max_tokens: int) -> str:
        """Return what stands for texts of which none could be read."""
        return _UNREAD if estimated_tokens(_UNREAD, self._embedder.count_tokens) <= max_tokens else ""

    def _sound(self) -> object:
        """Raise where it is the embedder that fails, and no text."""
        return self._embedder.embed([_HARMLESS])


def _importance(judged: Sequence[Judged] | None) -> float | None:
    return None if judged is None else max((one.importance for one in judged), default=0.0)


def _asks(judged: Sequence[Judged] | None) -> bool:
    return any("?" in one.sentence.text[-_MARKS:] for one in judged or ())


def _snippet_of(snippet: Snippet, some: Sequence[Episode]) -> Snippet:
    """Return the snippet with these of its messages; ``fresh`` may be 0 then."""
    new = {one.id for one in snippet.new}
    return replace(snippet, messages=tuple(some), fresh=sum(one.id in new for one in some))


def _night_of(night: Night, ids: Set[str]) -> Night:
    """Return the night with these of its episodes and memories, without clusters that have no new episode left."""
    clusters = [_cluster_of(one, ids) for one in night.clusters]
    return replace(night, clusters=tuple(one for one in clusters if one.episodes))


def _cluster_of(cluster: Cluster, ids: Set[str]) -> Cluster:
    new = [place for place, one in enumerate(cluster.episodes) if one.id in ids]
    old = [place for place, one in enumerate(cluster.earlier) if one.id in ids]
    known = [place for place, one in enumerate(cluster.known) if one.id in ids]
    return Cluster(
        episodes=tuple(cluster.episodes[place] for place in new), vectors=cluster.vectors[new],
        earlier=tuple(cluster.earlier[place] for place in old), earlier_vectors=cluster.earlier_vectors[old],
        known=tuple(cluster.known[place] for place in known), known_vectors=cluster.known_vectors[known],
    )  # fmt: skip
