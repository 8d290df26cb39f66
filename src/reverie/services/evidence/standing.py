"""What a forget must know of evidence: which wordings of a memory stand without some episodes, and what sleeps told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.memory import NEAR, RELATIONS, Memory, Origin, Version
from reverie.language import terms
from reverie.memory.forgetting import explained_without
from reverie.ports.store import Unit
from reverie.services.aggregates import audit_log, standing_log
from reverie.services.codecs import MEMORY

_OWN = ""  # in the place of an episode: somebody kept it on their own word
_KEPT = frozenset({"source_episodes", "updated_at"})
_DERIVED = frozenset(
    {"essence", "lesson", "emotions", "importance", "topics", "entities"}
)  # what words lead to
_TELLING = frozenset({"essence", "lesson", "tags", "topics", "entities"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    """What is left of a memory without some episodes.

    ``memory``: as it stands then, which may be an earlier wording (``reworded``); None: nothing. ``dropped``: numbers
    of wordings that leave its history; ``texts``: the words that go; ``entries``: those of the log that tell them;
    ``undone``: those of them whose changes are taken back. ``untold``: by wording that stands what is left of it
    without what it carries of those that go.
    """

    memory: Memory | None
    reworded: bool = False
    dropped: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    undone: tuple[AuditEntry, ...] = ()
    untold: Mapping[str, str] = field(default_factory=dict)


def left_of(
    unit: Unit,
    memory: Memory,
    gone: Set[str],
    history: Sequence[Version],
    now: datetime,
    telling: Set[int] = frozenset(),
) -> Left:
    """Return what is left of a memory without these episodes, and without the wordings that are ``telling`` what is
    forgotten.

    A wording goes whose every source is among them. The memory then goes back to its last wording that stands, and goes
    where there is none. One that has no other source stands only by what somebody kept on their own word.
    """
    alone = gone >= set(memory.source_episodes)
    if alone and memory.origin is not Origin.COMMIT:
        return Left(memory=None)
    if memory.version == 1 and not alone and not telling:
        return Left(memory=memory)
    story = _Story(unit, memory)
    fallen = {number for number, on in story.grounds.items() if on and on <= gone} | telling

    def stands(number: int) -> bool:
        return number not in fallen and (not alone or _OWN in story.grounds.get(number, ()))

    past = {one.version: one for one in history}
    numbers = [memory.version, *sorted((number for number in past if number < memory.version), reverse=True)]
    target = next((number for number in numbers if stands(number)), None)
    if target is None:
        return Left(memory=None)
    reworded = target != memory.version
    out = {number for number in (memory.version, *past) if number in fallen or number > target}
    kept = [
        memory if not reworded else past[target],
        *(one for number, one in past.items() if number not in out),
    ]
    lost = [one for number, one in past.items() if number in out] + ([memory] if reworded else [])
    entries = [*story.telling_of(out)]
    sources = tuple(id for id in memory.source_episodes if id not in gone)
    return Left(
        memory=replace(story.back_to(target, now), source_episodes=sources) if reworded else memory,
        reworded=reworded,
        dropped=tuple(sorted((out & past.keys()) | ({target} if reworded else set()))),
        texts=tuple(sorted(words_of(lost) - words_of(kept))),
        entries=tuple(one.id for one, _ in entries),
        undone=tuple(one for one, version in entries if version > target),
        untold=_untold(unit, story, kept, set(sources), gone & set(memory.source_episodes)),
    )


def _untold(
    unit: Unit, story: _Story, kept: Sequence[Memory | Version], sources: Set[str], gone: Set[str]
) -> Mapping[str, str]:
    """Return what is left of the wordings that nights made out of earlier ones, without what only the messages explain
    that go.
    """
    made = [one for one in kept if one.version in story.nightly]
    if not made or not gone:
        return {}
    said = unit.episodes.get({*sources, *gone})
    names = {term for one in said.values() if one.speaker for term in terms(one.speaker)}
    lost, left = (
        {term for id in ids if id in said for term in terms(said[id].content)} for ids in (gone, sources)
    )
    found = {one.essence: explained_without(one.essence, lost, left, names) for one in made}
    return {whole: rest for whole, rest in found.items() if rest != whole}


def go_back(unit: Unit, id: str, left: Left) -> None:
    """Drop the wordings that go, and make the one that is left the memory's own again, with its vector. The log's
    entries of them are emptied; so that a revert passes over what is taken back here, it is told as no change.
    """
    vectors = {number: unit.undo.drop_version(id, number) for number in left.dropped}
    unit.audit.empty(left.entries)
    if left.reworded and left.memory is not None:
        unit.memories.update(left.memory, vectors[left.memory.version])
        unit.audit.retell([replace(one, before={}, after={}) for one in left.undone])


class _Story:
    """A memory's wordings as the log tells them. ``grounds``: the episodes that each rests on, as far as they are the
    memory's sources still; ``nightly``: those that a sleep made, each with the number of the wording that it was made
    of. Both are empty where the log doesn't lead to the memory as it is.
    """

    def __init__(self, unit: Unit, memory: Memory) -> None:
        self._memory = memory
        self._told: list[tuple[AuditEntry, int, int]] = []  # with the wording before it and after it
        grounds: dict[int, set[str]] = {}
        nightly: dict[int, int] = {}
        version, every, own = 1, set[str](), False
        for one in _log_of(unit, memory.id):
            before, after = one.before or {}, one.after or {}
            added, was = _sources(after) - _sources(before), version
            if one.action is Action.REMEMBER and after:
                own = one.job is None and memory.origin is Origin.COMMIT and not added
                grounds[version] = {_OWN} if own else set()
            elif isinstance(number := after.get("version"), int) and "version" in before:
                version = number
                if "essence" not in after:
                    grounds[version] = set(grounds.get(was, ()))
                elif not added:
                    grounds[version] = {_OWN} if own and one.job is None else set(every)
                else:
                    grounds[version] = set()
                if "essence" in after and one.job is not None:
                    nightly[version] = was
            grounds.setdefault(version, set()).update(added)
            every |= added
            self._told.append((one, was, version))
        sources = {_OWN, *memory.source_episodes}
        known = version == memory.version
        self.grounds: Mapping[int, Set[str]] = {n: on & sources for n, on in grounds.items()} if known else {}
        self.nightly: Mapping[int, int] = nightly if known else {}

    def back_to(self, target: int, now: datetime) -> Memory:
        """Return the memory with that wording: also what was derived from later ones is taken back, and what came with
        them, unless it was changed since.
        """
        memory = self._memory
        for one, was, version in reversed(self._told):
            before, after = one.before or {}, one.after or {}
            if version <= target:
                break
            names = before.keys() & MEMORY.keys() - _KEPT
            values = {name: MEMORY[name].read(before[name], name) for name in names}
            is_new = was != version
            values = {
                name: value
                for name, value in values.items()
                if name in _DERIVED
                or name == "version"
                or (
                    is_new and name in after and getattr(memory, name) == MEMORY[name].read(after[name], name)
                )
            }
            memory = replace(memory, **values)
        return replace(memory, version=target, updated_at=now)

    def telling_of(self, numbers: Set[int]) -> Iterator[tuple[AuditEntry, int]]:
        """Return the entries that tell words of these wordings, with the wording after each."""
        for one, was, version in self._told:
            names = {*(one.before or {}), *(one.after or {})}
            if not (numbers.isdisjoint((was, version)) or _TELLING.isdisjoint(names)):
                yield one, version


def _log_of(unit: Unit, id: str) -> Iterator[AuditEntry]:
    """Return what the log tells of a memory's fields."""
    return (one for one in standing_log(unit, id) if one.action is not Action.CONNECT)


def _sources(payload: Mapping[str, object]) -> set[str]:
    listed = payload.get("source_episodes")
    return {str(one) for one in listed} if isinstance(listed, list | tuple) else set()


def words_of(wordings: Iterable[Memory | Version]) -> set[str]:
    """Return the essences and lessons of wordings."""
    return {text for one in wordings for text in (one.essence, one.lesson) if text is not None}


def leave_sleeps(unit: Unit) -> None:
    """Delete a mind's own words: notes, texts that were rejected, reasons, names of relations. Any of them may tell
    what is being forgotten, in other words too.
    """
    unit.sleeps.scrub()
    unit.audit.hush()
    plain_relations(unit)


def plain_relations(unit: Unit) -> None:
    """Make edges that a mind named merely near, in the log as well; so a revert finds them still. Where such an edge
    was there before, it alone stays.
    """
    odd = unit.undo.related_otherwise(RELATIONS)
    ends = {end for edge in odd for end in (edge.source, edge.target)}
    near = {
        (edge.source, edge.target) for edge in unit.memories.connections(ends) if edge.relation == NEAR
    }  # fmt: skip
    near |= {(target, source) for source, target in near}
    plain: set[tuple[str, str, str]] = set()
    for edge in odd:
        unit.undo.disconnect(edge)
        if (edge.source, edge.target) not in near:
            near |= {(edge.source, edge.target), (edge.target, edge.source)}
            plain.add((edge.source, edge.target, edge.relation))
            unit.memories.connect(replace(edge, relation=NEAR))
    named = audit_log(unit, actions=[Action.CONNECT])
    told = [one for one in named if one.after is not None and one.after.get("relation") not in RELATIONS]
    unit.audit.retell([replace(one, after=_plain(one.after or {}, plain)) for one in told])


def _plain(told: Mapping[str, object], plain: Set[tuple[str, str, str]]) -> Mapping[str, object] | None:
    """Return the edge as it is now; None for one that is no more."""
    key = tuple(str(told.get(name)) for name in ("source", "target", "relation"))
    return {**told, "relation": NEAR} if key in plain else None
