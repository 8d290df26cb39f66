"""Consolidation: what the night's statements do to what is known (docs/why/consolidation.md).

Statements are taken in order of time. Each either takes the place of what was so until then, confirms what is known,
stands against it, or is learned; and what recurs over days is inferred. The same night gives the same proposal.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.domain.change import Fade, Proposal
from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.minds.local.extracting import Feeling
from reverie.minds.local.gathering import gathered, worth_embedding
from reverie.minds.local.keeping import is_covered, keep_whole
from reverie.minds.local.ledger import Ledger
from reverie.minds.local.linking import connect
from reverie.minds.local.recurring import inferred
from reverie.minds.local.said import Said
from reverie.minds.local.turning import FLOOR, Turn
from reverie.ports.embedder import Embedder
from reverie.ports.night import Night
from reverie.rules import changing
from reverie.rules.changing import replaced

_SHARE_EMBEDDED = 0.6
_LEAST_EMBEDDED = 12
"""At most so many statements are embedded: this share of the night's episodes, but at least so many."""
_DROPPED_CONFIDENCE = 0.3


def consolidated(night: Night, embedder: Embedder, feel: Feeling | None) -> Proposal:
    """What the night's episodes teach."""
    episodes = sum(len(cluster.episodes) for cluster in night.clusters)
    most = max(_LEAST_EMBEDDED, round(_SHARE_EMBEDDED * episodes))
    everything = gathered(night)
    said = sorted(worth_embedding(everything.stated, FLOOR, most), key=_values_first)
    ending = [one for one in everything.whole if replaced(one.as_said)][:most]
    both = embedder.embed([one.essence for one in (*said, *ending)]) if said or ending else None
    ledger = Ledger.of(night, embedder.dimensions, () if both is None else night.look(both))
    vectors = both[: len(said)] if both is not None and said else None
    speakers = tuple(sorted({one.speaker for one in said}))
    if vectors is not None:
        emotions = [None] * len(said) if feel is None else feel([one.essence for one in said], vectors)
        for row, one in enumerate(said):
            Turn(night, ledger, one, vectors[row], speakers, embedder).take(emotions[row])
    _keep(night, ledger, embedder, everything.whole)
    _fade_dropped(night, ledger)
    inferred(night, ledger, embedder, everything.stated, speakers)
    connect(ledger, speakers)
    return Proposal(changes=ledger.changes())


def _values_first(one: Said) -> tuple[datetime, str, bool]:
    """In order of time; of a message what gives a new value first, and then what only says that one is over."""
    return one.message.time, one.message.id, not one.brings


def _keep(night: Night, ledger: Ledger, embedder: Embedder, whole: Sequence[Said]) -> None:
    """Keeps the messages that are told whole, but for those that are known."""
    new = [one for one in whole if not is_covered(ledger, one)]
    if not new:
        return
    speakers = tuple(sorted({one.speaker for one in new}))
    vectors = embedder.embed([one.essence for one in new])
    for row, one in enumerate(new):
        known = keep_whole(ledger, one, vectors[row], speakers)
        if known is not None:
            Turn(night, ledger, one, vectors[row], speakers, embedder).confirm(known)


def _fade_dropped(night: Night, ledger: Ledger) -> None:
    """ "Forget about the boat": what it names matters less from now on."""
    for cluster in night.clusters:
        for episode in cluster.episodes:
            if episode.role is not Role.USER:
                continue
            for words in changing.dropped(episode.content):
                _drop(ledger, words, episode)


def _drop(ledger: Ledger, words: frozenset[str], episode: Episode) -> None:
    named = [
        entry
        for entry in ledger.entries
        if entry.memory is not None and not entry.memory.pinned and words <= entry.terms and not entry.revised
    ]
    if len(named) != 1 or ledger.is_faded(named[0].key):
        return
    memory = named[0].memory
    assert memory is not None
    if memory.confidence > _DROPPED_CONFIDENCE:
        ledger.faded[memory.id] = Fade(
            memory_id=memory.id,
            confidence=_DROPPED_CONFIDENCE,
            reason="it was said to matter no longer",
            sources=(episode.id,),
        )
