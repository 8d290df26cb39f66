"""forget: for good, everywhere, with a receipt.

A memory takes with it its history, vectors, edges and audit payloads, and the source episodes that hold
only it (or its sentences in those that hold more). An episode takes with it the memories that rest on it
alone. Tombstones keep forgotten essences and messages from being learned again. What is replaced is
embedded before the transaction begins.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.episode import Episode
from reverie.domain.ids import checked_name
from reverie.domain.memory import MERGED, Memory, Version
from reverie.domain.outcome import Forgot
from reverie.domain.query import EVERYTHING, Filter
from reverie.errors import InvalidInput, NotFound, StoreError
from reverie.ports.store import Unit, Vector
from reverie.rules.forgetting import without
from reverie.services import labels
from reverie.services.changes import entry
from reverie.services.desk import Desk, read_again
from reverie.services.evidenced import leave_sleeps, stands_alone
from reverie.services.portrait import rewrite
from reverie.services.tombstones import digests_of, mark_of_forgetting
from reverie.services.withdraw import Reach, waits, waits_in, withdraw

_log = logging.getLogger("reverie.forget")
_PAGE = 1_000
_WORDLESS = (Action.FORGET, Action.PROFILE)  # their entries hold nothing that was learned
_ELSEWHERE = ("backups and copies of the store made earlier",)
_SPARE_PAGES = "spare pages and logs of this store, until it overwrites them"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Plan:
    """What goes and what is rewritten; made outside the transaction, made again inside it if the bank has
    changed.
    """

    rev: int
    memories: Mapping[str, Memory]
    past_texts: tuple[str, ...]
    episodes: Mapping[str, Episode]
    rewritten: Mapping[str, Episode]
    unlinked: tuple[str, ...]
    as_said: tuple[Episode, ...]  # the messages that go or are rewritten, as they were
    secret: bytes
    soul: Mapping[str, str] = field(default_factory=dict)  # the entries that go, by id
    logged: tuple[str, ...] = ()  # what else the audit log tells of, by target
    entries: tuple[str, ...] = ()  # and single entries of it, by their own ids
    between: tuple[datetime | None, datetime | None] | None = None  # when notes were written that go
    reach: Reach = field(default_factory=Reach)  # what goes of what waits for an embedder

    @property
    def digests(self) -> frozenset[bytes]:
        """What keeps all this from being learned again."""
        texts = [*(memory.essence for memory in self.memories.values()), *self.past_texts]
        texts += [memory.lesson for memory in self.memories.values() if memory.lesson is not None]
        texts += [episode.content for episode in self.episodes.values()]
        texts += self.soul.values()
        return digests_of(self.secret, texts, self.as_said)


def forget_item(desk: Desk, agent_id: str, item_id: str, *, actor: str) -> Forgot:
    """Forgets a memory or an episode by its id. Raises NotFound, InvalidInput."""
    checked_name(item_id, "id")

    def plan(unit: Unit) -> _Plan:
        memory = unit.memories.get([item_id])
        if memory:
            return _plan_memories(unit, memory)
        episodes = unit.episodes.get([item_id])
        if not episodes and not waits(unit, item_id):
            raise NotFound("memory or episode", item_id)
        return replace(_plan_episodes(unit, episodes), reach=Reach(id=item_id))

    return _forget(desk, agent_id, plan, actor)


def forget_conversation(desk: Desk, agent_id: str, conversation: str, *, actor: str) -> Forgot:
    """Forgets a whole conversation and what was learned from it alone. Raises NotFound, InvalidInput."""
    checked_name(conversation, "conversation")

    def plan(unit: Unit) -> _Plan:
        if unit.conversations.get(conversation) is None and not waits_in(unit, conversation):
            raise NotFound("conversation", conversation)
        ids = unit.episodes.ids(Filter(conversations=frozenset({conversation})))
        plan = _plan_episodes(unit, unit.episodes.get(ids))
        return replace(plan, reach=Reach(conversation=conversation))

    return _forget(desk, agent_id, plan, actor)


def forget_between(
    desk: Desk, agent_id: str, since: datetime | None, until: datetime | None, *, actor: str
) -> Forgot:
    """Forgets what was said, and learned, from ``since`` (inclusive) to ``until`` (exclusive); one of them
    may be None. Soul entries and notes (of procedures' outcomes and of achieved goals) of that time go too, and what
    the audit log tells of changes made in it; outcomes stay as counts.
    """
    if since is None and until is None:
        raise InvalidInput(
            "since", "neither since nor until is given", "give one of them, or forget everything"
        )
    if since is not None and until is not None and since >= until:
        raise InvalidInput("until", "it is not later than since", "give a range that has a length")

    def plan(unit: Unit) -> _Plan:
        where = Filter(since=since, until=until)
        said = _plan_episodes(unit, unit.episodes.get(unit.episodes.ids(where)))
        learned = unit.memories.ids(replace(EVERYTHING, since=since, until=until), now=desk.clock())
        others = [key for key in learned if key not in said.memories]  # those lose all their sources anyway
        plan = _joined(said, _plan_memories(unit, unit.memories.get(others)))
        return _with_notes(unit, plan, since, until)

    return _forget(desk, agent_id, plan, actor)


def forget_everything(desk: Desk, agent_id: str, *, actor: str) -> Forgot:
    """Empties the agent's bank: every memory, episode, conversation and soul entry; its profile, audit log (without
    contents) and tombstones stay.
    """

    def plan(unit: Unit) -> _Plan:
        episodes = unit.episodes.get(unit.episodes.ids(Filter()))
        memories = unit.memories.get(unit.memories.ids(EVERYTHING, now=desk.clock()))
        return _Plan(
            rev=unit.agents.rev(),
            memories=memories,
            past_texts=_texts(_history(unit, memories)),
            episodes=episodes,
            rewritten={},
            unlinked=(),
            as_said=tuple(episodes.values()),
            secret=unit.agents.secret(),
            soul={entry.id: entry.text for entry in unit.soul.list()},
            logged=tuple(sorted({one.target for one in _log_of(unit) if one.action is Action.SOUL})),
            reach=Reach(everything=True),
        )

    return _forget(desk, agent_id, plan, actor)


def _log_of(unit: Unit) -> Iterator[AuditEntry]:
    """The whole audit log."""
    after: str | None = None
    while page := unit.audit.list(limit=_PAGE, after=after):
        yield from page
        after = page[-1].id


def _with_notes(unit: Unit, plan: _Plan, since: datetime | None, until: datetime | None) -> _Plan:
    """The plan with what else was written in a range of time, and what the log tells of it, even if later."""

    def lies_in(at: datetime) -> bool:
        return (since is None or at >= since) and (until is None or at < until)

    log = [one for one in _log_of(unit) if one.action not in _WORDLESS]
    reached = {
        one.id
        for one in log
        if one.action is Action.GOAL and one.before is not None and (at := one.before.get("achieved"))
        if lies_in(datetime.fromisoformat(str(at)))
    }
    added = {
        one.target for one in log if one.action is Action.SOUL and one.after is not None and lies_in(one.at)
    }
    soul = {one.id: one.text for one in unit.soul.list() if lies_in(one.created_at)}
    return replace(
        plan,
        soul=soul,
        logged=tuple(sorted(added)),
        entries=tuple(sorted(reached | {one.id for one in log if lies_in(one.at)})),
        between=(since, until),
    )


def _plan_memories(unit: Unit, memories: Mapping[str, Memory]) -> _Plan:
    """The memories with what was merged into them, and their source episodes without the sentences that hold them."""
    memories = _with_merged(unit, memories)
    history = _history(unit, memories)
    told: dict[str, list[str]] = {}  # what each episode loses: all wordings of the memories that rest on it
    for key, memory in memories.items():
        for episode_id in memory.source_episodes:
            told.setdefault(episode_id, []).extend(
                (memory.essence, *(version.essence for version in history[key]))
            )
    sources = unit.episodes.get(told)
    gone: dict[str, Episode] = {}
    rewritten: dict[str, Episode] = {}
    for episode_id, episode in sources.items():
        rest = episode.content
        for essence in told[episode_id]:
            rest = without(rest, essence)
        if not rest:
            gone[episode_id] = episode
        elif rest != episode.content.strip():
            kept = labels.without_forgotten(episode.metadata, episode.content, rest)
            rewritten[episode_id] = replace(episode, content=rest, metadata=kept)
    others = {key for key in unit.memories.derived_from(gone) if key not in memories} if gone else set()
    return _Plan(
        rev=unit.agents.rev(),
        memories=memories,
        past_texts=_texts(history),
        episodes=gone,
        rewritten=rewritten,
        unlinked=tuple(sorted(others)),
        as_said=tuple(sources[key] for key in (*gone, *rewritten)),
        secret=unit.agents.secret(),
        reach=Reach(wordings=_wordings(memories, history)),
    )


def _with_merged(unit: Unit, memories: Mapping[str, Memory]) -> Mapping[str, Memory]:
    """These, and those that say the same, whichever was merged into which: else their words would come back, or never
    be gone. Only merging counts: what superseded a memory otherwise says something else.
    """
    found, new = dict(memories), [*memories]
    while new:
        edges = unit.memories.connections(new)
        same = {end for edge in edges if edge.relation == MERGED for end in (edge.source, edge.target)}
        new = sorted(same - set(found))
        found.update(unit.memories.get(new))
    return found


def _plan_episodes(unit: Unit, episodes: Mapping[str, Episode]) -> _Plan:
    """The episodes, and the memories that rest on them alone."""
    derived = unit.memories.derived_from(episodes) if episodes else {}
    alone = [key for key, sources in derived.items() if all(source in episodes for source in sources)]
    memories = {key: one for key, one in unit.memories.get(alone).items() if not stands_alone(unit, one)}
    return _Plan(
        rev=unit.agents.rev(),
        memories=memories,
        past_texts=_texts(_history(unit, memories)),
        episodes=episodes,
        rewritten={},
        unlinked=tuple(sorted(set(derived) - set(memories))),
        as_said=tuple(episodes.values()),
        secret=unit.agents.secret(),
    )


def _history(unit: Unit, memories: Iterable[str]) -> Mapping[str, Sequence[Version]]:
    """The replaced wordings of each memory."""
    known = list(memories)
    found = unit.memories.histories(known)
    return {key: found.get(key, ()) for key in known}


def _wordings(memories: Mapping[str, Memory], history: Mapping[str, Sequence[Version]]) -> tuple[str, ...]:
    past = (version.essence for versions in history.values() for version in versions)
    return (*(memory.essence for memory in memories.values()), *past)


def _texts(history: Mapping[str, Sequence[Version]]) -> tuple[str, ...]:
    versions = [version for past in history.values() for version in past]
    return tuple(
        text for version in versions for text in (version.essence, version.lesson) if text is not None
    )


def _joined(one: _Plan, other: _Plan) -> _Plan:
    episodes = {**one.episodes, **other.episodes}
    memories = {**one.memories, **other.memories}
    return _Plan(
        rev=one.rev,
        memories=memories,
        past_texts=(*one.past_texts, *other.past_texts),
        episodes=episodes,
        rewritten={key: value for key, value in other.rewritten.items() if key not in episodes},
        unlinked=tuple(sorted({*one.unlinked, *other.unlinked} - set(memories))),
        as_said=(*one.as_said, *other.as_said),
        secret=one.secret,
        reach=other.reach,
    )


@read_again
def _planned(desk: Desk, agent_id: str, plan_of: Callable[[Unit], _Plan]) -> _Plan:
    with desk.store.read(agent_id) as unit:
        return plan_of(unit)


def _forget(desk: Desk, agent_id: str, plan_of: Callable[[Unit], _Plan], actor: str) -> Forgot:
    plan = _planned(desk, agent_id, plan_of)
    receipt: Forgot | None = None
    while receipt is None:
        keys = list(plan.rewritten)
        contents = [plan.rewritten[key].content for key in keys]
        vectors = dict(zip(keys, desk.embedder.embed(contents), strict=True))
        digests = plan.digests  # hashed before anybody waits for this write
        receipt, plan = desk.store.transact(
            agent_id, partial(_apply_if_same, desk, agent_id, plan, plan_of, vectors, digests, actor)
        )
    rewrite(desk, agent_id)
    try:
        clean = desk.store.scour()
    except StoreError as error:
        # What was to go is gone for good; only the file could not be rewritten now.
        _log.warning("the file could not be rewritten after a forget: %s", type(error).__name__)
        clean = False
    return receipt if clean else replace(receipt, elsewhere=(*_ELSEWHERE, _SPARE_PAGES))


def _apply_if_same(
    desk: Desk,
    agent_id: str,
    plan: _Plan,
    plan_of: Callable[[Unit], _Plan],
    vectors: Mapping[str, Vector],
    digests: frozenset[bytes],
    actor: str,
    unit: Unit,
) -> tuple[Forgot | None, _Plan]:
    """Forgets what is planned, if what is to be rewritten has been embedded; and the plan as it is by now."""
    fresh = plan if unit.agents.rev() == plan.rev else plan_of(unit)
    if fresh.rewritten != plan.rewritten:
        return None, fresh
    digests = digests if fresh is plan else fresh.digests
    return _apply(desk, unit, agent_id, fresh, vectors, digests, actor), fresh


def _apply(
    desk: Desk,
    unit: Unit,
    agent_id: str,
    plan: _Plan,
    vectors: Mapping[str, Vector],
    digests: frozenset[bytes],
    actor: str,
) -> Forgot:
    now = desk.clock()
    conversations: Sequence[str] = ()
    if plan.rewritten:
        desk.begin(unit, agent_id)
    for key, episode in plan.rewritten.items():
        unit.episodes.rewrite(episode, vectors[key])
    if plan.memories:
        unit.memories.delete(plan.memories)
    if plan.episodes:
        conversations = unit.episodes.delete(plan.episodes)
        unit.memories.unlink(plan.episodes)
    for key in plan.soul:
        unit.soul.remove(key)
    unit.digests.clear()  # what was forgotten may stand in a summary
    unit.portraits.clear()
    leave_sleeps(unit, {*plan.episodes, *plan.rewritten})
    unit.fresh.forget(memories=plan.memories, episodes=[*plan.episodes, *plan.rewritten])
    waited = withdraw(unit, plan.reach, plan.between, plan.secret, digests, plan.episodes)
    digests |= waited.digests
    unit.tombstones.add({*digests, mark_of_forgetting(plan.secret)} if digests else (), now)
    targets = [*plan.memories, *plan.episodes, *plan.soul]
    unit.audit.scrub([*targets, *plan.rewritten, *plan.logged])
    unit.audit.empty(plan.entries)
    if plan.between is not None:
        unit.procedures.drop_notes(*plan.between)
        unit.goals.drop_notes(*plan.between)
    reasons: dict[str, str | None] = dict.fromkeys(targets)
    reasons |= dict.fromkeys(plan.rewritten, "some of its sentences were forgotten")
    reasons |= dict.fromkeys(plan.unlinked, "some of its source episodes were forgotten")
    unit.audit.add(
        [
            entry(desk, Action.FORGET, target, actor=actor, at=now, reason=reason)
            for target, reason in reasons.items()
        ]
    )
    return Forgot(
        memories=tuple(sorted(plan.memories)),
        episodes=tuple(sorted(plan.episodes)),
        conversations=tuple(conversations),
        rewritten_episodes=tuple(sorted(plan.rewritten)),
        unlinked_memories=plan.unlinked,
        soul=tuple(sorted(plan.soul)),
        queued=waited.count,
        tombstones=len(digests),
        elsewhere=_ELSEWHERE,
    )
