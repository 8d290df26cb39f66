"""Rows of the tables as batches for a corpus: numbers into arrays, words into terms, labels into keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.domain.emotion import emotion_bits
from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.message import Role
from reverie.language import asks, label_terms, memory_terms, message_terms, says_when
from reverie.store.rows import emotions, names
from reverie.store.sqlite.columns import Names
from reverie.store.sqlite.corpus import ASKS, CURRENT, SAYS_WHEN, VERSION_BITS, Batch
from reverie.store.sqlite.masks import ROLE_PLACE, facet, label_key

MEMORY_FIELDS = """m.seq, m.id, m.emotions, m.importance, m.kind, m.confidence, m.scope, m.tags, m.topics,
    m.entities, m.state, m.superseded_by IS NOT NULL, m.reinforcement_count,
    max(m.last_reinforced_at, m.confidence_at), m.created_at, m.needs_review"""
"""What all wordings of a memory share."""

EPISODE_FIELDS = """seq, id, conversation_id, position, time, channel, role, speaker, content,
    tags, topics, entities, importance, vector"""

Row = Sequence[Any]

_BEGINNING, _END = -(1 << 63), (1 << 63) - 1


def memory_batch(rows: Sequence[Row], dimensions: int, scopes: Names[tuple[str, ...]]) -> Batch:
    """Return the batch of rows of MEMORY_FIELDS and of what each wording has of its own, at least one row.

    Version and believed_to are None for the current wording, the vector where another embedder made it. Scopes get
    their numbers from ``scopes``.
    """
    (seq, ids, felt, importance, kind, confidence, scope, tags, topics, entities, state, superseded,
     count, fades_from, created, review, past, essence, lesson, believed_from, believed_to, valid_from, valid_to,
     vectors) = zip(*rows, strict=True)  # fmt: skip
    # Many rows share these texts: each is read once a batch.
    names_of, facet_of, emotions_of = cache(names), cache(_facet), cache(_emotions)
    label_keys_of, word_keys_of = cache(_label_keys), cache(_word_keys)
    numbers = {
        "order": _order(seq, [CURRENT if version is None else version for version in past]),
        "facet": np.array(list(map(facet_of, kind, state, superseded, past))),
        "version": np.array([version or 0 for version in past]),
        "importance": np.array(importance, np.float64),
        "confidence": np.array(confidence, np.float64),
        "reinforcement_count": np.array(count, np.int64),
        "fades_from": np.array(fades_from, np.int64),
        "time": np.array(created, np.int64),
        "believed_from": np.array(believed_from, np.int64),
        "believed_to": _times(believed_to, _END),
        "valid_from": _times(valid_from, _BEGINNING),
        "valid_to": _times(valid_to, _END),
        "emotions": np.array(list(map(emotions_of, felt)), np.int64),
        "scope": np.array([scopes.code(names_of(text)) for text in scope], np.int64),
        "review": np.array(review, np.bool_),
    }
    labels = [tuple(map(names_of, row)) for row in zip(tags, topics, entities, strict=True)]
    return Batch(
        numbers=numbers,
        ids=ids,
        terms=[
            # topics and entities are of the wording of today
            memory_terms(one_essence, one_lesson, chain(*parts) if version is None else parts[0])
            for one_essence, one_lesson, parts, version in zip(essence, lesson, labels, past, strict=True)
        ],
        labels=[label_keys_of(*parts) for parts in labels],
        words=[word_keys_of(parts[1] + parts[2]) for parts in labels],
        vectors=_matrix(vectors, dimensions),
        counted=[version is None for version in past],
    )


def episode_batch(
    rows: Sequence[Row],
    dimensions: int,
    conversations: Names[str],
    channels: Names[str],
    speakers: Names[str],
) -> Batch:
    """Return rows of EPISODE_FIELDS, at least one. Names get their numbers from the last three."""
    (seq, ids, conversation, position, time, channel, role, speaker, content,
     tags, topics, entities, importance, vectors) = zip(*rows, strict=True)  # fmt: skip
    names_of, label_keys_of, word_keys_of = cache(names), cache(_label_keys), cache(_word_keys)
    found = [message_terms(text) for text in content]
    numbers = {
        "order": _order(seq, [CURRENT] * len(rows)),
        "time": np.array(time, np.int64),
        "importance": np.array(importance, np.float64),
        "position": np.array(position, np.int64),
        "conversation": np.array([conversations.code(name) for name in conversation]),
        "channel": np.array([channels.code(name) for name in channel]),
        "speaker": np.array([-1 if name is None else speakers.code(name) for name in speaker]),
        "role": np.array([ROLE_PLACE[Role(name)] for name in role]),
        "traits": np.array(
            [
                ASKS * asks(text) + SAYS_WHEN * says_when(words)
                for text, words in zip(content, found, strict=True)
            ]
        ),
    }
    labels = [tuple(map(names_of, row)) for row in zip(tags, topics, entities, strict=True)]
    return Batch(
        numbers=numbers,
        ids=ids,
        terms=found,
        labels=[label_keys_of(*parts) for parts in labels],
        words=[word_keys_of(parts[1] + parts[2]) for parts in labels],
        vectors=_matrix(vectors, dimensions),
        counted=[True] * len(rows),
    )


def _order(seq: Sequence[int], places: Sequence[int]) -> NDArray[np.int64]:
    return (np.array(seq, np.int64) << VERSION_BITS) + np.minimum(np.array(places, np.int64), CURRENT)


def _times(values: Iterable[int | None], missing: int) -> NDArray[np.int64]:
    return np.array([missing if value is None else value for value in values], np.int64)


def _facet(kind: str, state: str, superseded: int, past: int | None) -> int:
    return facet(Kind(kind), State(state), superseded=bool(superseded), past=past is not None)


def _emotions(text: str | None) -> int:
    return emotion_bits(emotions(text) or ())


def _label_keys(tags: tuple[str, ...], topics: tuple[str, ...], entities: tuple[str, ...]) -> set[int]:
    named = (("tags", tags), ("topics", topics), ("entities", entities))
    return {label_key(field, label) for field, labels in named for label in labels}


def _word_keys(labels: tuple[str, ...]) -> set[int]:
    return {hash(term) for label in labels for term in label_terms(label)}


def _matrix(vectors: Sequence[bytes | None], dimensions: int) -> NDArray[np.float32]:
    """Stored vectors as a matrix; zeros, near to nothing, for one that another embedder made."""
    zeros = bytes(4 * dimensions)
    fitting = [vector if vector is not None and len(vector) == len(zeros) else zeros for vector in vectors]
    return np.frombuffer(b"".join(fitting), "<f4").reshape(-1, dimensions)
