"""What is inferred of a night and the days before it: routines, what is said again and again, feelings that return."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from types import MappingProxyType

import numpy as np

from reverie.domain.change import Learn, Reinforce, Revise
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.message import Role
from reverie.minds.local.ledger import SAME, Entry, Ledger
from reverie.minds.local.repeating import repeated
from reverie.minds.local.said import Said
from reverie.minds.local.statements import name_of
from reverie.ports.embedder import Embedder
from reverie.ports.night import Night
from reverie.rules import cue_words
from reverie.rules.dedupe import differs
from reverie.rules.label_words import WEAK
from reverie.rules.lessons import lesson_of
from reverie.rules.promote import day_of
from reverie.rules.regular import activities, regularity
from reverie.rules.terms import words_of
from reverie.rules.topics import labels

_MOST = 12
"""Inferences of a night."""
_FEWEST_FELT, _FEWEST_DAYS, _FELT_SHARE = 4, 3, 0.6
_MOST_SOURCES = 12
_IMPORTANCE = 0.5
_FEELS: Mapping[str, str] = MappingProxyType(
    {
        "anger": "angry", "annoyance": "annoyed", "disappointment": "disappointed", "fear": "afraid",
        "nervousness": "nervous", "sadness": "sad", "grief": "sad", "excitement": "excited",
        "pride": "proud", "embarrassment": "embarrassed",
        "remorse": "sorry", "disgust": "disgusted",
    }
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class _Inferred:
    """One inference; ``stem``: how every essence of its sort about the same thing begins."""

    essence: str
    kind: Kind
    stem: str
    sources: tuple[str, ...]
    latest: datetime
    stated: bool = False


def inferred(
    night: Night, ledger: Ledger, embedder: Embedder, said: Sequence[Said], speakers: Sequence[str]
) -> None:
    """Puts into the ledger what can be inferred, and what is said again and again, where it isn't known; ``said`` is
    all that was stated in the night.
    """
    fresh = {episode.id for cluster in night.clusters for episode in cluster.episodes}
    everything: dict[str, Episode] = {}
    for cluster in night.clusters:
        for episode in (*cluster.episodes, *cluster.earlier):
            if episode.role is Role.USER:
                everything.setdefault(episode.id, episode)
    told = sorted(everything.values(), key=lambda one: (one.time, one.id))
    found = [
        one
        for one in (
            *_repeated(night, ledger, said),
            *_routines(told, night.zone),
            *_feelings(told, night.zone),
        )
        if not fresh.isdisjoint(one.sources)
    ][:_MOST]
    new = [one for one in found if not _settled(ledger, one)]
    if not new:
        return
    vectors = embedder.embed([one.essence for one in new])
    for one, vector in zip(new, vectors, strict=True):
        cosines = ledger.cosines(vector)
        best = int(np.argmax(cosines)) if cosines else -1
        if best >= 0 and cosines[best] >= SAME and differs(ledger.entries[best].essence, one.essence) is None:
            _reinforce(ledger, ledger.entries[best], one)
            continue
        about = labels(one.essence, tuple(speakers))
        learn = Learn(
            essence=one.essence, kind=one.kind, sources=one.sources, stated=one.stated, importance=_IMPORTANCE,
            lesson=lesson_of(one.essence, one.kind), topics=about.topics, entities=about.entities,
        )  # fmt: skip
        entry = Entry(
            key=ledger.next_key(), essence=one.essence, kind=one.kind, claimed=(), since=one.latest,
            sources=set(one.sources),
        )  # fmt: skip
        ledger.learn(learn, entry, vector)


def _repeated(night: Night, ledger: Ledger, said: Sequence[Said]) -> Iterator[_Inferred]:
    for statement, kind, found in repeated(night, ledger, said):
        yield _Inferred(
            essence=statement.essence, kind=Kind(kind), stem=statement.essence, stated=statement.stated,
            sources=tuple(one.id for one in found[-_MOST_SOURCES:]), latest=found[-1].time,
        )  # fmt: skip


def _settled(ledger: Ledger, one: _Inferred) -> bool:
    """Whether a memory of the same routine or feeling stands there already: it is confirmed, or revised."""
    for entry in ledger.entries:
        if entry.memory is None or not entry.essence.startswith(one.stem):
            continue
        if entry.essence.rstrip(".") == one.essence.rstrip("."):
            _reinforce(ledger, entry, one)
        elif entry.key not in ledger.revised and entry.since < one.latest:
            ledger.revised[entry.key] = Revise(
                memory_id=entry.key, essence=one.essence, reason="of late it is so", sources=one.sources,
                stated=False, lesson=lesson_of(one.essence, one.kind),
            )  # fmt: skip
            entry.revised = True
        return True
    return False


def _reinforce(ledger: Ledger, entry: Entry, one: _Inferred) -> None:
    new = tuple(source for source in one.sources if source not in entry.sources)
    if new and entry.memory is not None and entry.key not in ledger.confirmed:
        ledger.confirmed[entry.key] = Reinforce(memory_id=entry.key, reason="it was seen again", sources=new)


def _routines(told: Sequence[Episode], zone: tzinfo) -> Iterator[_Inferred]:
    """What each speaker does at the same times."""
    done: dict[tuple[str, str], list[Episode]] = defaultdict(list)
    all_of: dict[str, list[Episode]] = defaultdict(list)
    for episode in told:
        name = name_of(episode)
        all_of[name].append(episode)
        for activity in activities(episode.content):
            done[name, activity].append(episode)
    for (name, activity), some in done.items():
        mine = {episode.id for episode in some}
        others = [_local(one.time, zone) for one in all_of[name] if one.id not in mine]
        when = regularity([_local(one.time, zone) for one in some], others)
        if when is not None:
            yield _Inferred(
                essence=f"{name} usually {activity} {when}.", kind=Kind.ROUTINE, stem=f"{name} usually {activity} ",
                sources=tuple(one.id for one in some[-_MOST_SOURCES:]), latest=some[-1].time,
            )  # fmt: skip


def _feelings(told: Sequence[Episode], zone: tzinfo) -> Iterator[_Inferred]:
    """What each speaker mostly feels in talk of the same thing."""
    about: dict[tuple[str, str], list[Episode]] = defaultdict(list)
    for episode in told:
        for word in sorted({word for word in words_of(episode.content) if _tells(word)}):
            about[name_of(episode), word].append(episode)
    taken: set[tuple[str, str]] = set()
    for (name, word), some in sorted(about.items(), key=lambda item: (-len(item[1]), item[0])):
        tones = Counter(one.metadata.emotional_tone for one in some if one.metadata.emotional_tone in _FEELS)
        if not tones:
            continue
        tone, count = min(tones.items(), key=lambda item: (-item[1], str(item[0])))
        felt = [one for one in some if one.metadata.emotional_tone == tone]
        days = {day_of(one.time, zone) for one in felt}
        if count < _FEWEST_FELT or len(days) < _FEWEST_DAYS or count < _FELT_SHARE * len(some):
            continue
        if (name, str(tone)) in taken or word in {part.casefold() for part in name.split()}:
            continue
        about_it = _with_article(word, felt)
        if about_it is None:
            continue
        taken.add((name, str(tone)))
        feels = _FEELS[str(tone)]
        yield _Inferred(
            essence=f"{name} often feels {feels} about {about_it}.",
            kind=Kind.EMOTIONAL, stem=f"{name} often feels {feels} ",
            sources=tuple(one.id for one in felt[-_MOST_SOURCES:]), latest=felt[-1].time,
        )  # fmt: skip


def _with_article(word: str, said: Sequence[Episode]) -> str | None:
    """The word as it is mostly said: "the exam", "their boss"; None where it is said as no thing."""
    before = re.compile(rf"\b(the|my|our|this) {re.escape(word)}\b", re.IGNORECASE)
    found = Counter(match[1].lower() for one in said for match in before.finditer(one.content))
    if found.total() * 2 < len(said):
        return None
    said_most = min(found.items(), key=lambda item: (-item[1], item[0]))[0]
    return f"{'the' if said_most in ('the', 'this') else 'their'} {word}"


def _tells(word: str) -> bool:
    return (
        len(word) > 3
        and word not in WEAK
        and word not in cue_words.FEELING
        and word.isalpha()
        and not word.endswith("ing")
    )


def _local(moment: datetime, zone: tzinfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:  # at the ends of the calendar some zones have no date
        return moment
