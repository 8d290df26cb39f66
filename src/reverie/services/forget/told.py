"""What other memories of the same messages lose when one is forgotten: the sentences that tell it, in whatever wording.

A memory that is told whole holds the sentences of which others were made: it is reworded without them, under its id,
and goes where it says nothing else. Its past wordings that told them leave the history, and the log tells it as if it
had never had them, so that a revert of what made it doesn't bring them back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from functools import partial

from reverie.domain.audit import AuditEntry
from reverie.domain.episode import Episode
from reverie.domain.memory import Memory, Version
from reverie.domain.time import zone_of
from reverie.language import terms
from reverie.language.dates import made_absolute
from reverie.memory.forgetting import parted, retold_without, source_without, surviving_labels
from reverie.ports.store import Unit, Vector
from reverie.services.aggregates import audit_log
from reverie.services.evidence import Left, left_of, words_of
from reverie.services.runtime import plain

_LABELS = ("topics", "entities")
_WORDED = frozenset({"essence", "lesson"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Lessened:
    """What a memory is without some sentences.

    ``memory``: as it stands then, which may be as before (``reworded`` False); ``dropped``: numbers of wordings that
    leave its history; ``texts``: the words that go; ``entries``: those of the log that told them, as they tell it now.
    """

    memory: Memory
    reworded: bool
    dropped: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()
    entries: tuple[AuditEntry, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Retold:
    """What becomes of the other memories: those that say less, those that go back to what they said before, and those
    of which nothing is left.
    """

    lessened: Mapping[str, Lessened] = field(default_factory=dict)
    back: Mapping[str, Left] = field(default_factory=dict)
    empty: Mapping[str, Memory] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class SourcesLeft:
    """The messages of what is forgotten without it. ``wordings``: by message, all that tells it in any wording of a
    memory: those of what is forgotten, and the sentences that went, with their dates as memories tell them. ``unsure``:
    the messages that are left and may tell it still.
    """

    gone: Mapping[str, Episode]
    rests: Mapping[str, str]
    wordings: Mapping[str, Sequence[str]]
    unsure: frozenset[str]


def sources_without(
    unit: Unit, sources: Mapping[str, Episode], told: Mapping[str, Sequence[str]]
) -> SourcesLeft:
    """Return the messages without the sentences that tell what was ``told`` of them."""
    agent = unit.agents.get()
    zone = UTC if agent is None else zone_of(agent.time_zone)
    gone: dict[str, Episode] = {}
    rests: dict[str, str] = {}
    wordings: dict[str, Sequence[str]] = {}
    unsure: set[str] = set()
    for id, episode in sources.items():
        read = partial(_read, episode, zone)
        one = source_without(episode.content, told[id], frozenset(terms(episode.speaker or "")), read)
        if not one.rest:
            gone[id] = episode
        elif one.gone:
            rests[id] = one.rest
        if one.unsure:
            unsure.add(id)
        ways = (way for part in one.gone for way in (part.strip(), read(part)))
        wordings[id] = tuple(dict.fromkeys((*told[id], *ways)))
    return SourcesLeft(gone=gone, rests=rests, wordings=wordings, unsure=frozenset(unsure))


def _read(episode: Episode, zone: tzinfo, part: str) -> str:
    """Return a sentence of a message with its dates made absolute, as memories may tell it."""
    return made_absolute(part.strip(), episode.time, zone)


def retold(
    unit: Unit, wordings: Mapping[str, Sequence[str]], forgotten: Collection[str], now: datetime,
    left: Mapping[str, Left], gone: Set[str],
) -> Retold:  # fmt: skip
    """Return what becomes of the memories, but for those ``forgotten``, that came of these messages too. ``left``: what
    is left by then of those that lose messages (``gone``): an earlier wording may be, which is read then. One of
    which nothing is left goes back to its last wording that tells nothing of it. Summaries fall by themselves, and
    procedures are their steps.
    """
    derived = unit.memories.derived_from(wordings) if wordings else {}
    carrying = {key for key, one in left.items() if one.memory is not None and one.untold}
    others = sorted((derived.keys() | carrying) - set(forgotten))
    apart = {*unit.summaries.get(others), *unit.procedures.get(others)}
    lessened: dict[str, Lessened] = {}
    back: dict[str, Left] = {}
    empty: dict[str, Memory] = {}
    for key, one in unit.memories.get([id for id in others if id not in apart]).items():
        before = left.get(key) or Left(memory=one)
        told = tuple(dict.fromkeys(way for id in derived.get(key, ()) for way in wordings.get(id, ())))
        past = unit.memories.versions(key)
        cut = _cut(told, one if before.memory is None else before.memory, past, before)
        if not cut.essence:
            worded: list[Memory | Version] = [one, *past]
            telling = {each.version for each in worded if cut.touches(each.essence, each.lesson)}
            before = left_of(unit, one, gone, past, now, telling)
            if before.memory is None:
                empty[key] = one
                continue
            back[key] = before
            cut = _cut(told, before.memory, past, before)
        memory = one if before.memory is None else before.memory
        if (less := _lessened(unit, memory, cut, now)) is not None:
            lessened[key] = replace(
                less, entries=tuple(told for told in less.entries if told.id not in before.entries)
            )
    return Retold(lessened=lessened, back=back, empty=empty)


def _cut(told: Sequence[str], memory: Memory, past: Sequence[Version], left: Left) -> _Cut:
    return _Cut(told, memory, [one for one in past if one.version not in left.dropped], left.untold)


def lessen(unit: Unit, id: str, one: Lessened, vector: Vector | None) -> None:
    """Write what is left, and retell the log. Do nothing where the memory is gone."""
    for number in one.dropped:
        unit.undo.drop_version(id, number)
    unit.audit.empty([told.id for told in one.entries])  # with their reasons
    unit.audit.retell(one.entries)
    for known in unit.memories.get([id]).values():
        new = one.memory
        unit.memories.update(
            replace(
                known, essence=new.essence, lesson=new.lesson, topics=new.topics, entities=new.entities,
                updated_at=new.updated_at,
            ),
            vector,
        )  # fmt: skip


def _lessened(unit: Unit, memory: Memory, cut: _Cut, now: datetime) -> Lessened | None:
    """Return what is left of a memory; None where it and its history tell nothing of it."""
    dropped = [one for one in cut.past if cut.touches(one.essence, one.lesson)]
    reworded = cut.touches(memory.essence, memory.lesson)
    if not dropped and not reworded:
        return None
    new = replace(
        memory, essence=cut.essence, lesson=cut.lesson(memory.lesson), topics=cut.labels(memory.topics),
        entities=cut.labels(memory.entities), updated_at=now,
    )  # fmt: skip
    numbers = frozenset(one.version for one in dropped)
    return Lessened(
        memory=new,
        reworded=reworded,
        dropped=tuple(sorted(numbers)),
        texts=tuple(
            sorted(
                words_of([memory, *dropped])
                - words_of([new, *(one for one in cut.past if one not in dropped)])
            )
        ),
        entries=tuple(_retold(unit, memory, now, cut, numbers)),
    )


class _Cut:
    """A memory's words without what is forgotten."""

    def __init__(
        self, told: Sequence[str], memory: Memory, past: Sequence[Version], untold: Mapping[str, str]
    ) -> None:
        self.told, self.past, self._untold = told, past, untold
        self.essence = self._without(memory.essence)
        wordings = [one.essence for one in past]
        self._before = "\n".join((memory.essence, *wordings))
        self._left = "\n".join((self.essence, *map(self._without, wordings)))

    def _without(self, essence: str) -> str:
        return retold_without(self._untold.get(essence, essence), self.told)

    def touches(self, essence: str, lesson: str | None) -> bool:
        return self._without(essence) != essence or self.lesson(lesson) != lesson

    def lesson(self, text: str | None) -> str | None:
        """Return the lesson, or None where it holds what goes, or a word that only that explains: it is judged anew."""
        if text is None or parted(text, self.told)[1]:
            return None
        return text if surviving_labels([text], self._before, self._left) else None

    def labels(self, values: tuple[str, ...]) -> tuple[str, ...]:
        return surviving_labels(values, self._before, self._left)

    def payload(self, told: Mapping[str, object], dropped: Collection[int]) -> Mapping[str, object]:
        """Return what the log tells of it without that: nothing of a wording that leaves the history."""
        new = dict(told)
        if told.get("version") in dropped:
            new = {name: value for name, value in told.items() if name not in _WORDED}
        if isinstance(essence := new.get("essence"), str):
            new["essence"] = self._without(essence) or self.essence
        if isinstance(lesson := new.get("lesson"), str):
            new["lesson"] = self.lesson(lesson)
        for name in _LABELS:
            if isinstance(values := new.get(name), list | tuple):
                new[name] = [*self.labels(tuple(map(str, values)))]
        return new


def _retold(
    unit: Unit, memory: Memory, now: datetime, cut: _Cut, dropped: Collection[int]
) -> Iterator[AuditEntry]:  # fmt: skip
    """Return the log's entries that tell what goes, without it. What took the place of a wording that leaves the
    history was there before it, as they tell it: there is nothing to go back to. What was written last was written
    now.
    """
    for one in audit_log(unit, target=memory.id):
        told, before = one.after, one.before
        if told is not None:
            told = cut.payload(told, dropped)
            if told.get("updated_at") == plain(memory.updated_at):
                told = {**told, "updated_at": plain(now)}
        if before is not None:
            before = cut.payload(before, dropped)
            if before.get("version") in dropped and "version" in (told or {}):
                before = {**before, "version": (told or {})["version"]}
        new = replace(one, before=before, after=told)
        if new != one or (one.reason is not None and parted(one.reason, cut.told)[1]):
            yield new
