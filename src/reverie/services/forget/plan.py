"""What a forget would do to a bank: which rows go, which are rewritten, which go back to what they said before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from reverie.domain.audit import Action
from reverie.domain.episode import Episode
from reverie.domain.memory import MERGED, Memory, Version
from reverie.memory.forgetting import sentences
from reverie.ports.store import Unit
from reverie.services.aggregates import AGGREGATES, Losing, audit_log
from reverie.services.evidence import Fallen, Left, fallen, left_of
from reverie.services.forget.told import Lessened, retold, sources_without
from reverie.services.forget.withdraw import Reach
from reverie.services.remember import labels
from reverie.services.runtime import digests_of

_WORDLESS = (Action.FORGET, Action.PROFILE)  # their entries hold nothing that was learned


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What goes and what is rewritten; made outside the transaction, made again inside it if the bank has
    changed.
    """

    rev: int
    secret: bytes
    memories: Mapping[str, Memory] = field(default_factory=dict)
    past_texts: tuple[str, ...] = ()
    episodes: Mapping[str, Episode] = field(default_factory=dict)
    rewritten: Mapping[str, Episode] = field(default_factory=dict)
    unlinked: tuple[str, ...] = ()
    as_said: tuple[Episode, ...] = ()  # the messages that go or are rewritten, as they were
    logged: tuple[str, ...] = ()  # what else the audit log tells of, by target
    entries: tuple[str, ...] = ()  # and single entries of it, by their own ids
    between: tuple[datetime | None, datetime | None] | None = None  # when notes were written that go
    reach: Reach = field(default_factory=Reach)  # what goes of what waits for an embedder
    left: Mapping[str, Left] = field(default_factory=dict)  # memories of which wordings go
    whole: tuple[str, ...] = ()  # episodes that go since nobody embeds what would be left of them
    losing: Mapping[str, Losing[Any]] = field(default_factory=dict)  # what goes of aggregates, by name
    fallen: Fallen = field(default_factory=Fallen)  # summaries of it, and what is active again
    lessened: Mapping[str, Lessened] = field(default_factory=dict)  # other memories without its sentences
    unsure: frozenset[str] = frozenset()  # source messages that are left and may tell of it still

    @property
    def rests(self) -> Mapping[str, str]:
        """Return what is to be embedded: what is left of episodes and of memories, by id."""
        said = {key: one.content for key, one in self.rewritten.items()}
        return said | {key: one.memory.essence for key, one in self.lessened.items() if one.reworded}

    @property
    def texts(self) -> list[str]:
        """Return what was said in what goes."""
        texts = [*(memory.essence for memory in self.memories.values()), *self.past_texts]
        texts += [episode.content for episode in self.episodes.values()]
        texts += [text for losing in self.losing.values() for text in losing.texts]
        texts += [text for left in self.left.values() for text in left.texts]
        return texts + [text for less in self.lessened.values() for text in less.texts]

    @property
    def lost(self) -> list[str]:
        """Return the same, but of wordings that lose some sentences these alone: the others stay told."""
        stays = "\n".join(less.memory.essence for less in self.lessened.values())
        worded = {text for less in self.lessened.values() for text in less.texts}
        return [
            "".join(part for part in sentences(text) if part.strip() not in stays) if text in worded else text
            for text in self.texts
        ]

    @property
    def digests(self) -> frozenset[bytes]:
        """Return what keeps all this from being learned again."""
        lessons = (memory.lesson for memory in self.memories.values())
        texts = [*self.texts, *(lesson for lesson in lessons if lesson is not None)]
        return digests_of(self.secret, texts, self.as_said)


_OF_ROWS = {one.action for one in AGGREGATES if one.log_outlives}


def with_notes(unit: Unit, plan: Plan, since: datetime | None, until: datetime | None) -> Plan:
    """Return the plan with what else was written in a range of time, and what the log tells of it, even if later."""

    def lies_in(at: datetime) -> bool:
        return (since is None or at >= since) and (until is None or at < until)

    log = [one for one in audit_log(unit) if one.action not in _WORDLESS]
    reached = {
        one.id
        for one in log
        if one.action is Action.GOAL and one.before is not None and (at := one.before.get("achieved"))
        if lies_in(datetime.fromisoformat(str(at)))
    }
    added = {
        one.target for one in log if one.action in _OF_ROWS and one.after is not None and lies_in(one.at)
    }
    return replace(
        plan,
        logged=tuple(sorted(added)),
        entries=tuple(sorted(reached | {one.id for one in log if lies_in(one.at)})),
        between=(since, until),
        losing=losing_of(unit, lies_in),
    )


def losing_of(unit: Unit, lies_in: Callable[[datetime], bool]) -> Mapping[str, Losing[Any]]:
    """Return what goes of the aggregates that was written in a range of time."""
    return {one.name: one.lose(unit, lies_in) for one in AGGREGATES if one.lose is not None}


def plan_memories(
    unit: Unit, memories: Mapping[str, Memory], now: datetime, going: Plan | None = None
) -> Plan:  # fmt: skip
    """Return the memories with what was merged into them, their source episodes without the sentences that hold them,
    and what else was made of these; ``going``: what goes anyway.
    """
    memories = _with_merged(unit, memories)
    history = history_of(unit, memories)
    told: dict[str, list[str]] = {}  # what each episode loses: all wordings of the memories that rest on it
    summaries = unit.summaries.get(memories)  # which go, but not what they stand for
    for key, memory in memories.items():
        for episode_id in () if key in summaries else memory.source_episodes:
            told.setdefault(episode_id, []).extend(
                (memory.essence, *(version.essence for version in history[key]))
            )
    sources = unit.episodes.get(told)
    said = sources_without(unit, sources, told)
    rewritten = {id: _without(sources[id], rest) for id, rest in said.rests.items()}
    others = (
        {key for key in unit.memories.derived_from(said.gone) if key not in memories} if said.gone else set()
    )
    left = _left(unit, others, said.gone, now)
    others_gone = going.memories if going is not None else {}
    before = {**left, **going.left} if going is not None else left
    away = {*said.gone, *(going.episodes if going is not None else ())}
    rest = retold(unit, said.wordings, {*memories, *others_gone}, now, before, away)
    memories, left = {**memories, **rest.empty}, {**left, **rest.back}
    return Plan(
        rev=unit.agents.rev(),
        memories=memories,
        past_texts=texts_of(history_of(unit, memories)),
        episodes=said.gone,
        rewritten=rewritten,
        unlinked=tuple(sorted(others - rest.empty.keys())),
        as_said=tuple(sources[key] for key in (*said.gone, *rewritten)),
        secret=unit.agents.secret(),
        reach=Reach(wordings=_wordings(memories, history)),
        left=_losing(left, rest.empty),
        lessened=rest.lessened,
        unsure=said.unsure,
    )


def _without(episode: Episode, rest: str) -> Episode:
    kept = labels.without_forgotten(episode.metadata, episode.content, rest)
    return replace(episode, content=rest, metadata=kept)


def _with_merged(unit: Unit, memories: Mapping[str, Memory]) -> Mapping[str, Memory]:
    """Return these, and those that say the same, whichever was merged into which: else their words would come back, or
    never be gone. Only merging counts: what superseded a memory otherwise says something else.
    """
    found, new = dict(memories), [*memories]
    while new:
        edges = unit.memories.connections(new)
        same = {end for edge in edges if edge.relation == MERGED for end in (edge.source, edge.target)}
        new = sorted(same - set(found))
        found.update(unit.memories.get(new))
    return found


def plan_episodes(unit: Unit, episodes: Mapping[str, Episode], now: datetime) -> Plan:
    """Return the episodes, and the memories of which nothing stands without them."""
    derived = unit.memories.derived_from(episodes) if episodes else {}
    left = _left(unit, derived, episodes, now)
    memories = unit.memories.get([key for key, one in left.items() if one.memory is None])
    rest = retold(unit, {}, memories, now, left, episodes.keys())
    memories, left = {**memories, **rest.empty}, {**left, **rest.back}
    return Plan(
        rev=unit.agents.rev(),
        memories=memories,
        past_texts=texts_of(history_of(unit, memories)),
        episodes=episodes,
        unlinked=tuple(sorted(set(derived) - set(memories))),
        as_said=tuple(episodes.values()),
        secret=unit.agents.secret(),
        left=_losing(left, memories),
        lessened=rest.lessened,
    )


def _losing(left: Mapping[str, Left], gone: Collection[str]) -> Mapping[str, Left]:
    """Return those that lose some of their words, and don't go."""
    return {
        key: one
        for key, one in left.items()
        if key not in gone and (one.reworded or one.dropped or one.untold)
    }


def _left(
    unit: Unit, memories: Collection[str], gone: Mapping[str, Episode], now: datetime
) -> Mapping[str, Left]:  # fmt: skip
    """Return what is left of each of these memories without the episodes."""
    history = history_of(unit, memories)
    known = unit.memories.get(memories).items()
    return {key: left_of(unit, one, gone.keys(), history[key], now) for key, one in known}


def with_summaries(unit: Unit, plan: Plan) -> Plan:
    """Return the plan with what falls of summaries. None of their texts is kept from being learned again: what they
    stand for says it still, but for what goes.
    """
    known = unit.summaries.get({*plan.memories, *plan.unlinked, *plan.left})
    memories = {key: one for key, one in plan.memories.items() if key not in known}
    down = fallen(
        unit,
        summaries=known.keys() & plan.memories.keys(),
        memories=[
            *memories,
            *plan.lessened,
            *(key for key, left in plan.left.items() if left.reworded and key not in known),
        ],
        episodes=[*plan.episodes, *plan.rewritten],
        gone=[*memories, *plan.episodes],
    )
    return replace(
        plan,
        memories=memories,
        unlinked=tuple(key for key in plan.unlinked if key not in known),
        left={key: left for key, left in plan.left.items() if key not in known},
        fallen=down,
    )


def whole(unit: Unit, plan: Plan) -> Plan:
    """Return the plan without anything rewritten: messages and memories that would be go as a whole."""
    said = {one.id: one for one in plan.as_said if one.id in plan.rewritten}
    doomed = [key for key, one in plan.lessened.items() if one.reworded]
    memories = {**plan.memories, **unit.memories.get(doomed)}
    others = set(unit.memories.derived_from(said)) - set(memories) if said else set()
    return replace(
        plan,
        memories=memories,
        past_texts=(*plan.past_texts, *texts_of(history_of(unit, doomed))),
        left={key: one for key, one in plan.left.items() if key not in memories},
        lessened={key: one for key, one in plan.lessened.items() if key not in memories},
        episodes={**plan.episodes, **said},
        rewritten={},
        unlinked=tuple(sorted({*plan.unlinked, *others} - set(doomed))),
        whole=tuple(sorted(said)),
        unsure=plan.unsure - said.keys(),
    )


def history_of(unit: Unit, memories: Iterable[str]) -> Mapping[str, Sequence[Version]]:
    """Return the replaced wordings of each memory."""
    known = list(memories)
    found = unit.memories.histories(known)
    return {key: found.get(key, ()) for key in known}


def _wordings(memories: Mapping[str, Memory], history: Mapping[str, Sequence[Version]]) -> tuple[str, ...]:
    past = (version.essence for versions in history.values() for version in versions)
    return (*(memory.essence for memory in memories.values()), *past)


def texts_of(history: Mapping[str, Sequence[Version]]) -> tuple[str, ...]:
    """Return all that the replaced wordings say."""
    versions = [version for past in history.values() for version in past]
    return tuple(
        text for version in versions for text in (version.essence, version.lesson) if text is not None
    )


def _wording(left: Left) -> int:
    return 0 if left.memory is None else left.memory.version


def joined(one: Plan, other: Plan) -> Plan:
    """Return both plans as one; ``other`` was made with ``one`` as what goes anyway."""
    episodes = {**one.episodes, **other.episodes}
    earlier = {
        key: left for key, left in one.left.items() if _wording(left) <= _wording(other.left.get(key, left))
    }
    memories = {**one.memories, **other.memories}
    return Plan(
        rev=one.rev,
        memories=memories,
        past_texts=(*one.past_texts, *other.past_texts),
        episodes=episodes,
        rewritten={key: value for key, value in other.rewritten.items() if key not in episodes},
        unlinked=tuple(sorted({*one.unlinked, *other.unlinked} - set(memories))),
        as_said=(*one.as_said, *other.as_said),
        secret=one.secret,
        reach=other.reach,
        left={
            key: left for key, left in {**one.left, **other.left, **earlier}.items() if key not in memories
        },
        lessened={
            key: less for key, less in {**one.lessened, **other.lessened}.items() if key not in memories
        },
        unsure=other.unsure - episodes.keys(),
    )
