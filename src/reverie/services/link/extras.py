"""Share what an agent shares only where it says so: the aggregates that ``LinkTerms.include`` names.

None of them becomes the receiver's own: its soul, its diary and its relationships are its own alone. They come as what
the other said of itself: soul entries and relationships as memories, diary notes as messages of one conversation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from reverie.domain.episode import Episode
from reverie.domain.kinds import default_priority
from reverie.domain.link import CORPORA, LINK_CHANNEL, Include, LinkItem, LinkTerms, NeuralLink
from reverie.domain.memory import Memory, Origin
from reverie.domain.message import EpisodeMetadata, Role
from reverie.domain.trust import SourceTrust
from reverie.ports.aggregates import Vector
from reverie.ports.store import Unit
from reverie.services.aggregates import AGGREGATES, Told
from reverie.services.link.brought import Brought
from reverie.services.link.known import Dead, Known, item
from reverie.services.loop import JOB as LOOP
from reverie.services.runtime import Desk, embedded, read_again

Vectors = Mapping[str, Vector]

_SURE = 0.9


@dataclass(frozen=True, kw_only=True, slots=True)
class Extras:
    """What is told of each aggregate, by corpus. ``withheld``: how many rows stay behind, since a name in them holds a
    secret.
    """

    told: Mapping[Include, Sequence[Told]]
    withheld: int = 0

    @property
    def texts(self) -> Sequence[str]:
        """Return what must have a vector."""
        return [*dict.fromkeys(one.text for some in self.told.values() for one in some)]

    def put(
        self, desk: Desk, target: Unit, link: NeuralLink, vectors: Vectors, known: Known, dead: Dead, now: datetime
    ) -> Counter[str]:  # fmt: skip
        """Write what isn't there yet and wasn't forgotten, and count it."""
        counts = Counter(withheld=self.withheld)
        for corpus, told in self.told.items():
            new = _new(target, link, corpus, told, known, dead, counts)
            texts = [one.text for one in new]
            if not new:
                continue
            stacked = np.stack([vectors[text] for text in texts]).astype(np.float32, copy=False)
            if corpus in CORPORA["episodes"]:
                said = _messages(desk, target, link, corpus, new, now)
                target.episodes.add(said, stacked)
                room = said[0].conversation
                target.watermarks.advance(LOOP, room, seen=0, position=said[-1].position + 1)
                ids = [one.id for one in said]
            else:
                made = [_memory(desk, link, one, now) for one in new]
                target.memories.add(made, stacked)
                ids = [one.id for one in made]
            target.links.add_items(
                [
                    LinkItem(link_id=link.id, corpus=corpus, source_id=one.source_id, id=id)
                    for one, id in zip(new, ids, strict=True)
                ]
            )
            counts[str(corpus)] += len(new)
        return counts


def extras_of(source: Unit, terms: LinkTerms, other: str, brought: Brought) -> Extras:
    """Return what the source includes, without secrets."""
    told: dict[Include, Sequence[Told]] = {}
    withheld = 0
    for aggregate in AGGREGATES:
        if aggregate.include is not None and aggregate.include in terms.include:
            every = [*aggregate.tell(source, other)]
            clean = [one for one in every if all(brought.is_clean({"other": name}) for name in one.entities)]
            told[aggregate.include] = [*map(brought.cleaned, clean)]
            withheld += len(every) - len(clean)
    return Extras(told=told, withheld=withheld)


def embedded_texts(desk: Desk, agent_id: str, terms: LinkTerms, brought: Brought) -> Vectors:
    """Return the vectors of what the agent includes, as it is now."""
    return embedded(desk, _texts(desk, agent_id, terms, brought))


@read_again
def _texts(desk: Desk, agent_id: str, terms: LinkTerms, brought: Brought) -> Sequence[str]:
    with desk.reading(agent_id) as unit:
        return extras_of(unit, terms, agent_id, brought).texts


def _new(
    target: Unit, link: NeuralLink, corpus: Include, told: Sequence[Told], known: Known, dead: Dead,
    counts: Counter[str],
) -> Sequence[Told]:  # fmt: skip
    """Return what isn't there and wasn't forgotten. What came by an earlier link is noted to have come by this too."""
    gone = dead.texts({text for one in told for text in (one.text, *one.said)})
    met = known.met(corpus, [one.source_id for one in told])
    target.links.add_items([item(link.id, corpus, id, one) for id, one in met.items()])
    rest = [one for one in told if one.source_id not in met]
    new = [one for one in rest if gone.isdisjoint((one.text, *one.said))]
    counts["duplicates"] += len(met)
    counts["forgotten"] += len(rest) - len(new)
    return new


def _memory(desk: Desk, link: NeuralLink, told: Told, now: datetime) -> Memory:
    return Memory(
        id=desk.ids(now), essence=told.text, kind=told.kind, priority=default_priority(told.kind), confidence=_SURE,
        confidence_at=told.at, tags=told.tags, entities=told.entities, origin=Origin.LINK,
        source_trust=SourceTrust.EXTERNAL, last_reinforced_at=told.at, created_at=told.at, updated_at=now,
        believed_from=told.at, learned_from=link.other,
    )  # fmt: skip


def _messages(
    desk: Desk, target: Unit, link: NeuralLink, corpus: Include, notes: Sequence[Told], now: datetime
) -> Sequence[Episode]:
    number, room = 1, f"{LINK_CHANNEL}:{link.other}:{corpus}"
    while target.conversations.get(room) is not None:
        number += 1
        room = f"{LINK_CHANNEL}:{link.other}:{corpus}~{number}"
    return [
        Episode(
            id=desk.ids(now), conversation=room, position=place, time=one.at, observed_at=now, channel=LINK_CHANNEL,
            role=Role.AGENT, speaker=link.other, content=one.text, source_trust=SourceTrust.EXTERNAL,
            metadata=EpisodeMetadata(emotional_tone=one.mood), consolidated_at=now,
        )
        for place, one in enumerate(notes)
    ]  # fmt: skip
