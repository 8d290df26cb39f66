"""forget: for good, everywhere, with a receipt.

A memory takes with it its history, vectors, edges and audit payloads, the source episodes that hold only it
(or its sentences in those that hold more), and these sentences out of what else was made of them. An episode takes with
it the memories that rest on it alone, and the wordings that others have from it alone. Tombstones keep forgotten
essences and messages from being learned again. What is replaced is embedded before the transaction begins.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from reverie.domain.agent import Agent
from reverie.domain.audit import Action
from reverie.domain.ids import checked_name
from reverie.domain.outcome import Forgot
from reverie.domain.query import EVERYTHING, Filter
from reverie.domain.text_cache import clear_text_caches
from reverie.errors import EmbedderFailed, InvalidInput, NotFound, StoreError
from reverie.ports.store import Unit, Vector
from reverie.services.aggregates import AGGREGATES, DIARY, RELATIONSHIP, Aggregate
from reverie.services.evidence import go_back, leave_sleeps, topple
from reverie.services.forget import backups
from reverie.services.forget.link_holders import holders, kept_requests
from reverie.services.forget.plan import (
    Plan,
    history_of,
    joined,
    losing_of,
    plan_episodes,
    plan_memories,
    texts_of,
    whole,
    with_notes,
    with_summaries,
)
from reverie.services.forget.still_told import echoes
from reverie.services.forget.told import lessen
from reverie.services.forget.withdraw import Reach, waits, waits_in, withdraw
from reverie.services.runtime import Desk, entry, mark_of_forgetting, read_again
from reverie.services.soul import rewrite

_log = logging.getLogger("reverie.forget")
_ELSEWHERE = ("other backups and copies of the store made earlier",)
_UNKNOWN_HOLDERS = (
    "known backups, and copies that agents with a neural link may have: they could not be looked up just now"
)
_SPARE_PAGES = "spare pages and logs of this store, until it overwrites them"


def forget_item(desk: Desk, agent_id: str, item_id: str, *, actor: str) -> Forgot:
    """Forget a memory or an episode by its id. Raise NotFound, InvalidInput."""
    checked_name(item_id, "id")

    def plan(unit: Unit) -> Plan:
        memory = unit.memories.get([item_id])
        if memory:
            return plan_memories(unit, memory, desk.clock())
        episodes = unit.episodes.get([item_id])
        if not episodes and not waits(unit, item_id):
            raise NotFound("memory or episode", item_id)
        return replace(plan_episodes(unit, episodes, desk.clock()), reach=Reach(id=item_id))

    return _forget(desk, agent_id, plan, actor)


def forget_conversation(desk: Desk, agent_id: str, conversation: str, *, actor: str) -> Forgot:
    """Forget a whole conversation and what was learned from it alone. Raise NotFound, InvalidInput."""
    checked_name(conversation, "conversation")

    def plan(unit: Unit) -> Plan:
        if unit.conversations.get(conversation) is None and not waits_in(unit, conversation):
            raise NotFound("conversation", conversation)
        ids = unit.episodes.ids(Filter(conversations=frozenset({conversation})))
        plan = plan_episodes(unit, unit.episodes.get(ids), desk.clock())
        return replace(plan, reach=Reach(conversation=conversation))

    return _forget(desk, agent_id, plan, actor)


def forget_between(
    desk: Desk, agent_id: str, since: datetime | None, until: datetime | None, *, actor: str
) -> Forgot:
    """Forget what was said, and learned, from ``since`` (inclusive) to ``until`` (exclusive); one of them may be None.
    Soul entries, what was written into the diary, views of others, and notes (of procedures' outcomes and of
    achieved goals) of that time go too, and what the audit log tells of changes made in it; outcomes stay as counts.
    """
    if since is None and until is None:
        raise InvalidInput(
            "since", "neither since nor until is given", "give one of them, or forget everything"
        )
    if since is not None and until is not None and since >= until:
        raise InvalidInput("until", "it is not later than since", "give a range that has a length")

    def plan(unit: Unit) -> Plan:
        where = Filter(since=since, until=until)
        now = desk.clock()
        said = plan_episodes(unit, unit.episodes.get(unit.episodes.ids(where)), now)
        learned = unit.memories.ids(replace(EVERYTHING, since=since, until=until), now=now)
        others = [key for key in learned if key not in said.memories]  # those lose all their sources anyway
        plan = joined(said, plan_memories(unit, unit.memories.get(others), now, said))
        return with_notes(unit, plan, since, until)

    return _forget(desk, agent_id, plan, actor)


def forget_everything(desk: Desk, agent_id: str, *, actor: str) -> Forgot:
    """Empty the agent's bank: every memory, episode, conversation, soul entry, diary page, view of others and item,
    its profile and whom it blocks. Its id, whether it is paused, the audit log without contents, counts, neural links
    without messages, and tombstones stay.
    """

    def plan(unit: Unit) -> Plan:
        episodes = unit.episodes.get(unit.episodes.ids(Filter()))
        memories = unit.memories.get(unit.memories.ids(EVERYTHING, now=desk.clock()))
        return Plan(
            rev=unit.agents.rev(),
            memories=memories,
            past_texts=texts_of(history_of(unit, memories)),
            episodes=episodes,
            as_said=tuple(episodes.values()),
            secret=unit.agents.secret(),
            losing=losing_of(unit, lambda _at: True),
            reach=Reach(everything=True),
        )

    return _forget(desk, agent_id, plan, actor)


def forget_page(desk: Desk, agent_id: str, date: str, *, actor: str) -> Forgot:
    """Forget a page of the diary. Raise NotFound."""
    return _forget(desk, agent_id, partial(_one, DIARY, "diary page", date), actor)


def forget_other(desk: Desk, agent_id: str, other: str, *, actor: str) -> Forgot:
    """Forget what was assigned to somebody. Raise NotFound."""
    return _forget(desk, agent_id, partial(_one, RELATIONSHIP, "relationship", other), actor)


def _one(aggregate: Aggregate[Any], what: str, key: str, unit: Unit) -> Plan:
    """Plan to forget one item of an aggregate. Raise NotFound."""
    losing = aggregate.lose_one(unit, key)
    if not losing.left:
        raise NotFound(what, key)
    return Plan(rev=unit.agents.rev(), secret=unit.agents.secret(), losing={aggregate.name: losing})


@read_again
def _planned(desk: Desk, agent_id: str, plan_of: Callable[[Unit], Plan]) -> Plan:
    with desk.store.read(agent_id) as unit:
        return plan_of(unit)


def _forget(desk: Desk, agent_id: str, plan_of: Callable[[Unit], Plan], actor: str) -> Forgot:
    plan_of = partial(_with_summaries, plan_of)
    plan = _planned(desk, agent_id, plan_of)
    receipt: Forgot | None = None
    while receipt is None:
        rests = plan.rests
        try:
            vectors = dict(zip(rests, desk.embedder.embed([*rests.values()]), strict=True)) if rests else {}
        except EmbedderFailed as error:
            # What is to go must go now: then messages and memories go whole, since what is left of them has no vectors.
            _log.warning("a forget takes whole messages: %s", type(error).__name__)
            plan_of = partial(_wholly, plan_of)
            plan = _planned(desk, agent_id, plan_of)
            continue
        digests = plan.digests  # hashed before anybody waits for this write
        receipt, plan = desk.store.transact(
            agent_id, partial(_apply_if_same, desk, agent_id, plan, plan_of, vectors, digests, actor)
        )
    told = () if plan.reach.everything else echoes(desk, agent_id, plan.lost, plan.unsure)
    elsewhere = (*_held(desk, agent_id, plan, receipt), *_ELSEWHERE, *_cleared(desk, agent_id))
    clear_text_caches()  # to look for echoes is to read it once more
    return replace(
        receipt,
        still_told=tuple(sorted(plan.unsure)) if told is None else told,
        searched=told is not None,
        elsewhere=elsewhere,
    )


def _held(desk: Desk, agent_id: str, plan: Plan, receipt: Forgot) -> tuple[str, ...]:
    """Return where other agents and known backups hold it. It is gone here by now: where that can't be looked up, the
    receipt says so.
    """
    try:
        lost = {one.include: plan.losing[one.name].left for one in AGGREGATES if one.name in plan.losing}
        held = holders(desk, agent_id, receipt, {str(name): [*ids] for name, ids in lost.items() if name})
        if plan.reach.everything or plan.between is not None:
            held += kept_requests(desk, agent_id, *(plan.between or ()))
        return (*held, *backups.known(desk, agent_id))
    except StoreError as error:
        _log.warning("who else holds what was forgotten was not looked up: %s", type(error).__name__)
        return (_UNKNOWN_HOLDERS,)


def _with_summaries(plan_of: Callable[[Unit], Plan], unit: Unit) -> Plan:
    return with_summaries(unit, plan_of(unit))


def _wholly(plan_of: Callable[[Unit], Plan], unit: Unit) -> Plan:
    return whole(unit, plan_of(unit))


def _cleared(desk: Desk, agent_id: str) -> tuple[str, ...]:
    """Take what is gone for good out of files too; return where it may still stand, since one could not be written."""
    left: list[str] = []
    try:
        clean = desk.store.scour()
    except StoreError as error:
        _log.warning("the file could not be rewritten after a forget: %s", type(error).__name__)
        clean = False
    if not clean:
        left.append(_SPARE_PAGES)
    return (*left, *rewrite(desk, agent_id))


def _apply_if_same(
    desk: Desk,
    agent_id: str,
    plan: Plan,
    plan_of: Callable[[Unit], Plan],
    vectors: Mapping[str, Vector],
    digests: frozenset[bytes],
    actor: str,
    unit: Unit,
) -> tuple[Forgot | None, Plan]:
    """Forget what is planned, if what is to be rewritten has been embedded; and the plan as it is by now."""
    fresh = plan if unit.agents.rev() == plan.rev else plan_of(unit)
    if fresh.rewritten != plan.rewritten or fresh.rests != plan.rests:
        return None, fresh
    digests = digests if fresh is plan else fresh.digests
    return _apply(desk, unit, agent_id, fresh, vectors, digests, actor), fresh


def _apply(
    desk: Desk,
    unit: Unit,
    agent_id: str,
    plan: Plan,
    vectors: Mapping[str, Vector],
    digests: frozenset[bytes],
    actor: str,
) -> Forgot:
    now = desk.clock()
    conversations: Sequence[str] = ()
    if plan.rests:
        desk.begin(unit, agent_id)
    for key, episode in plan.rewritten.items():
        unit.episodes.rewrite(episode, vectors[key])
    topple(desk, unit, plan.fallen, now, actor)
    if plan.memories:
        unit.memories.delete(plan.memories)
    if plan.episodes:
        conversations = unit.episodes.delete(plan.episodes)
        unit.memories.unlink(plan.episodes)
    for aggregate in AGGREGATES:
        if aggregate.name in plan.losing:
            aggregate.take(unit, plan.losing[aggregate.name])
    unit.digests.clear()  # what was forgotten may stand in a summary
    unit.portraits.clear()
    leave_sleeps(unit)
    for key, left in plan.left.items():
        go_back(unit, key, left)
    for key, less in plan.lessened.items():
        lessen(unit, key, less, vectors.get(key))
    unit.fresh.forget(
        memories=[*plan.memories, *plan.left, *plan.lessened], episodes=[*plan.episodes, *plan.rewritten]
    )
    waited = withdraw(unit, plan.reach, plan.between, plan.secret, digests, plan.episodes)
    digests |= waited.digests
    unit.tombstones.add({*digests, mark_of_forgetting(plan.secret)} if digests else (), now)
    gone = [id for losing in plan.losing.values() for id in losing.gone]
    logged = [id for losing in plan.losing.values() for id in losing.logged]
    targets = [*plan.memories, *plan.episodes, *gone, *plan.fallen.summaries]
    unit.audit.scrub([*targets, *plan.rewritten, *plan.logged, *logged])
    unit.audit.empty(plan.entries)
    if plan.between is not None:
        unit.procedures.drop_notes(*plan.between)
        unit.goals.drop_notes(*plan.between)
        unit.links.drop_messages(*plan.between)
    known = unit.agents.get() if plan.reach.everything else None
    if known is not None:
        _forget_profile(unit, known, plan.secret)
    reasons = dict.fromkeys(targets) | _reasons(plan)
    unit.audit.add(
        [
            entry(desk, Action.FORGET, target, actor=actor, at=now, reason=reason)
            for target, reason in reasons.items()
        ]
    )
    return _receipt(plan, conversations, queued=waited.count, tombstones=len(digests))


def _forget_profile(unit: Unit, known: Agent, secret: bytes) -> None:
    """Take what the bank says of its agent and of others beside what was said and learned."""
    unit.links.drop_messages(None, None)
    for other in unit.links.blocked():
        unit.links.unblock(other)
    unit.agents.put(Agent(id=known.id, created_at=known.created_at, paused_at=known.paused_at), secret)
    unit.nights.clear()
    unit.audit.empty_all()


def _receipt(plan: Plan, conversations: Sequence[str], *, queued: int, tombstones: int) -> Forgot:
    reworded = {key for some in (plan.left, plan.lessened) for key, one in some.items() if one.reworded}
    return Forgot(
        memories=tuple(sorted(plan.memories)),
        episodes=tuple(sorted(plan.episodes)),
        conversations=tuple(conversations),
        rewritten_episodes=tuple(sorted(plan.rewritten)),
        unlinked_memories=plan.unlinked,
        reworded_memories=tuple(sorted(reworded)),
        whole_episodes=plan.whole,
        soul=_names(plan, "soul"),
        summaries=tuple(sorted(plan.fallen.summaries)),
        reactivated_memories=plan.fallen.awake,
        reopened_episodes=plan.fallen.live,
        diary=_names(plan, "diary"),
        relationships=_names(plan, "relationship"),
        items=_names(plan, "item"),
        queued=queued,
        tombstones=tombstones,
        elsewhere=_ELSEWHERE,
    )


def _names(plan: Plan, aggregate: str) -> tuple[str, ...]:
    """Return what the receipt tells of an aggregate, in order."""
    losing = plan.losing.get(aggregate)
    return () if losing is None else tuple(sorted(losing.names))


def _reasons(plan: Plan) -> dict[str, str | None]:
    """Return what the log says of those that didn't simply go, by target."""
    told: dict[str, str | None] = dict.fromkeys(plan.rewritten, "some of its sentences were forgotten")
    told |= dict.fromkeys(plan.whole, "what was left of it could not be embedded")
    told |= dict.fromkeys(plan.fallen.summaries, "what it stood for was forgotten in part, or it alone")
    told |= dict.fromkeys(plan.unlinked, "some of its source episodes were forgotten")
    back = [key for key, left in plan.left.items() if left.reworded]
    told |= dict.fromkeys(back, "its wording was forgotten; it says again what it said before")
    return told | dict.fromkeys(plan.lessened, "some of its sentences were forgotten")
