"""What an agent shares only where it says so: soul, diary and relationships.

None of them becomes the receiver's own: its soul, its diary and its relationships are its own alone. They come as what
the other said of itself: soul entries and relationships as memories, diary notes as messages of one conversation.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from reverie.domain.diary import DiaryNote
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind, default_priority
from reverie.domain.link import LINK_CHANNEL, Include, LinkTerms, NeuralLink
from reverie.domain.memory import Memory, Origin
from reverie.domain.message import EpisodeMetadata, Role
from reverie.domain.relationship import View
from reverie.domain.time import micros
from reverie.domain.trust import SourceTrust
from reverie.ports.aggregates import Vector
from reverie.ports.store import Unit
from reverie.services.link.brought import Brought
from reverie.services.link.link_known import Dead, Known, Met, item
from reverie.services.loop import JOB as LOOP
from reverie.services.runtime import Desk, read_again

Vectors = Mapping[str, Vector]

_SURE = 0.9
_PAGE = 500
_ROOM = "diary"


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """Something that the other says of itself: ``corpus`` and ``source_id`` say what it was there."""

    corpus: str
    source_id: str
    text: str
    at: datetime
    kind: Kind = Kind.OBSERVATION
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    mood: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Extras:
    """``memories`` become memories, ``notes`` messages, in the order of writing; ``withheld``: how many relationships
    stay behind, since whom they are with holds a secret.
    """

    memories: Sequence[Told] = ()
    notes: Sequence[Told] = ()
    withheld: int = 0

    @property
    def texts(self) -> Sequence[str]:
        """What must have a vector."""
        return [*dict.fromkeys(one.text for one in (*self.memories, *self.notes))]

    def put(
        self, desk: Desk, target: Unit, link: NeuralLink, vectors: Vectors, known: Known, dead: Dead, now: datetime
    ) -> Counter[str]:  # fmt: skip
        """Writes what isn't there yet and wasn't forgotten; how many of each."""
        counts = Counter(withheld=self.withheld)
        new = [*_new(target, link, (*self.memories, *self.notes), known, dead, counts)]
        made = [_memory(desk, link, one, now) for one in new if one.corpus != Include.DIARY]
        if made:
            target.memories.add(made, _stacked(vectors, [one.essence for one in made]))
        said = _messages(desk, target, link, [one for one in new if one.corpus == Include.DIARY], now)
        if said:
            target.episodes.add(said, _stacked(vectors, [one.content for one in said]))
            target.watermarks.advance(LOOP, said[0].conversation, seen=0, position=said[-1].position + 1)
        ids = iter([one.id for one in made]), iter([one.id for one in said])
        items = [
            item(
                link.id, one.corpus, one.source_id, Met(id=next(ids[one.corpus == Include.DIARY]), own=False)
            )
            for one in new
        ]
        target.links.add_items(items)
        counts.update(str(one.corpus) for one in new)
        return counts


def extras_of(source: Unit, terms: LinkTerms, other: str, brought: Brought) -> Extras:
    """Give what the source includes, without secrets."""
    memories: list[Told] = []
    views: Sequence[View] = ()
    if Include.SOUL in terms.include:
        memories += [
            Told(corpus=Include.SOUL, source_id=one.id, text=one.text, at=one.created_at, tags=("soul",))
            for one in source.soul.list()
        ]
    if Include.RELATIONSHIPS in terms.include:
        views = source.relationships.present()
    named = [view for view in views if brought.is_clean({"other": view.other})]
    memories += [_seen(view, other) for view in named]
    notes = [*_notes(source)] if Include.DIARY in terms.include else []
    return Extras(
        memories=[*map(brought.cleaned, memories)],
        notes=[*map(brought.cleaned, sorted(notes, key=lambda one: (one.at, one.source_id)))],
        withheld=len(views) - len(named),
    )


def embedded_texts(desk: Desk, agent_id: str, terms: LinkTerms, brought: Brought) -> Vectors:
    """The vectors of what the agent includes, as it is now."""
    texts = _texts(desk, agent_id, terms, brought)
    vectors: dict[str, Vector] = {}
    for start in range(0, len(texts), desk.settings.store.batch):
        some = texts[start : start + desk.settings.store.batch]
        vectors.update(zip(some, desk.embedder.embed(some), strict=True))
    return vectors


@read_again
def _texts(desk: Desk, agent_id: str, terms: LinkTerms, brought: Brought) -> Sequence[str]:
    with desk.reading(agent_id) as unit:
        return extras_of(unit, terms, agent_id, brought).texts


def _seen(view: View, other: str) -> Told:
    said = f"{other} sees {view.other} as {view.type} (trust {view.trust:+.1f})"
    said += "" if view.tone is None else f", tone {view.tone}"
    more = ". ".join(text for text in (view.rationale, view.notes) if text)
    return Told(
        corpus=Include.RELATIONSHIPS, source_id=view.id, text=f"{said}: {more}" if more else said, at=view.at,
        kind=Kind.RELATIONSHIP, entities=(view.other,),
    )  # fmt: skip


def _notes(source: Unit) -> Iterator[Told]:
    since: str | None = None
    while page := source.diary.list(since=since, limit=_PAGE):
        for entry in page:
            for place, note in enumerate(entry.notes):
                yield Told(
                    corpus=Include.DIARY, source_id=f"{entry.date} {micros(note.at)} {place}", at=note.at,
                    text=_told(entry.date, note), mood=note.mood,
                )  # fmt: skip
        since = f"{page[-1].date}~"  # behind it, and before any other date


def _told(date: str, note: DiaryNote) -> str:
    plain = note.body.get("text") if len(note.body) == 1 else None
    said = plain if isinstance(plain, str) else json.dumps(dict(note.body), ensure_ascii=False)
    where = "" if note.location is None else f" at {note.location}"
    mood = "" if note.mood is None else f", {note.mood}"
    return f"Diary, {date}{where}{mood}: {said}"


def _new(
    target: Unit, link: NeuralLink, told: Sequence[Told], known: Known, dead: Dead, counts: Counter[str]
) -> Iterator[Told]:
    """What isn't there and wasn't forgotten. What came by an earlier link is noted to have come by this one too."""
    gone = dead.texts({part for one in told for part in (one.text, one.text.partition(": ")[2]) if part})
    for corpus in dict.fromkeys(one.corpus for one in told):
        own = [one for one in told if one.corpus == corpus]
        met = known.met(corpus, [one.source_id for one in own])
        target.links.add_items([item(link.id, corpus, id, one) for id, one in met.items()])
        counts["duplicates"] += len(met)
        for one in own:
            if one.source_id in met:
                continue
            if one.text in gone or one.text.partition(": ")[2] in gone:
                counts["forgotten"] += 1
            else:
                yield one


def _memory(desk: Desk, link: NeuralLink, told: Told, now: datetime) -> Memory:
    return Memory(
        id=desk.ids(now), essence=told.text, kind=told.kind, priority=default_priority(told.kind), confidence=_SURE,
        confidence_at=told.at, tags=told.tags, entities=told.entities, origin=Origin.LINK,
        source_trust=SourceTrust.EXTERNAL, last_reinforced_at=told.at, created_at=told.at, updated_at=now,
        believed_from=told.at, learned_from=link.other,
    )  # fmt: skip


def _messages(
    desk: Desk, target: Unit, link: NeuralLink, notes: Collection[Told], now: datetime
) -> Sequence[Episode]:
    number, room = 1, f"{LINK_CHANNEL}:{link.other}:{_ROOM}"
    while target.conversations.get(room) is not None:
        number += 1
        room = f"{LINK_CHANNEL}:{link.other}:{_ROOM}~{number}"
    return [
        Episode(
            id=desk.ids(now), conversation=room, position=place, time=one.at, observed_at=now, channel=LINK_CHANNEL,
            role=Role.AGENT, speaker=link.other, content=one.text, source_trust=SourceTrust.EXTERNAL,
            metadata=EpisodeMetadata(emotional_tone=one.mood), consolidated_at=now,
        )
        for place, one in enumerate(notes)
    ]  # fmt: skip


def _stacked(vectors: Vectors, texts: Sequence[str]) -> Vector:
    return np.stack([vectors[text] for text in texts]).astype(np.float32, copy=False)
