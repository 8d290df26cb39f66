"""Write memories: embed, compare, one short transaction, audit. This is the one write path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.draft import Draft
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import NEAR, Connection, Memory, Origin, State
from reverie.domain.message import MAX_AT_ONCE
from reverie.domain.outcome import Inserted, Reinforced, Remembered
from reverie.domain.query import Filter
from reverie.domain.text import at_most, checked_switch
from reverie.domain.time import zone_of
from reverie.domain.trust import SourceTrust
from reverie.errors import EmbedderFailed, Forgotten, InvalidInput, NotFound
from reverie.errors.showing import typed
from reverie.memory.change import reinforced
from reverie.memory.dedupe import is_reworded, kinds_compatible, memories_differ
from reverie.ports.search import Floats, View
from reverie.ports.store import Unit
from reverie.services.remember import labels
from reverie.services.remember.drafting import cleaned_all, draft_of, memory_of
from reverie.services.remember.judging import as_duplicate, judged, unforgotten
from reverie.services.remember.scheduling import schedule
from reverie.services.remember.supersede import Replaced, check_replaced, supersede
from reverie.services.runtime import (
    Desk,
    Progress,
    changed,
    counted,
    entry,
    first_forgotten,
    let_wait,
    lift_tombstones,
    placed,
    read_again,
    to_json,
    version_of,
)

_COMPARED = Filter(states=frozenset({State.ACTIVE, State.ARCHIVED}))
# Many near memories may differ in a number only; the one that is the same must not be lost among them.
_NEAREST = 64
_NEAREST_IN_BATCH = 16  # drafts of one batch that begin alike are all near to each other
_MOST_LINKS = 8
_AGAIN = "learned again by override"
Near = Sequence[tuple[str, float]]
Also = Callable[[Unit, Sequence[Remembered]], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class _More:
    """What else belongs into a transaction: see ``remember``."""

    within: Callable[[Unit], bool] | None
    also: Also | None
    counts: Mapping[str, int]
    dues: Sequence[datetime | None]


def remember(
    desk: Desk,
    agent_id: str,
    drafts: Iterable[object],
    *,
    override: bool = False,
    actor: str,
    progress: Progress | None = None,
    within: Callable[[Unit], bool] | None = None,
    also: Also | None = None,
    may_wait: bool = False,
    ids: Sequence[str] = (),
    dues: Sequence[datetime | None] = (),
) -> tuple[Remembered, ...]:
    """Keep each draft, or reinforce the memory that it repeats. Return the outcomes in the order of the drafts.

    Secrets and private parts are redacted from essences and lessons (``services.runtime.secrets``). All drafts are
    checked before the first is kept; they are written in transactions of ``Settings.store.batch``. Emotions, lesson and
    importance that a draft doesn't give are judged from its essence (``services.remember.judging``). Duplicates are
    looked for among active and archived memories and within the batch, and again inside the write transaction. What
    ``override`` lets in again though it was forgotten says so in the audit log.
    ``within`` runs at the beginning of the transaction, which is then one for all: where it says False, nothing is
    kept, and the outcomes are none; then it must have written nothing, since the transaction is committed all the same
    (what it raises undoes it). It may run more than once, but takes effect once (``Store.transact``).
    ``also`` runs at the end of each transaction with its outcomes; what it raises undoes them.
    ``may_wait``: where the embedder gives no vectors, the drafts wait in the bank (``services.observe.outbox``); else
    EmbedderFailed is raised. ``ids``: of those that waited. ``dues``: when each falls due, in UTC, if it is a goal.
    Raise InvalidInput, NotFound (a source episode, a
    superseded memory), Forgotten (without ``override``), EmbedderMismatch.
    """
    checked_switch(override, "override")
    if isinstance(drafts, str | Mapping) or not isinstance(drafts, Iterable):
        raise InvalidInput("memories", f"{typed(drafts)} is no sequence of memories", "give a list of them")
    given = at_most(drafts, MAX_AT_ONCE, "memories")
    batch = [draft_of(value, placed("memories", place, len(given))) for place, value in enumerate(given)]
    batch, taken_out = cleaned_all(desk, batch)
    born = _born_all(desk, agent_id, batch, ids, override=override)
    falls_due = dues or [None] * len(born)
    outcomes: list[Remembered] = []
    step = desk.settings.store.batch if within is None else max(len(born), 1)
    for start in range(0, len(born), step):
        end = start + step
        part, replaced = born[start:end], [draft.supersedes for draft in batch[start:end]]
        counts = counted(sum(taken_out[start:end], Counter()))
        more = _More(within=within, also=also, counts=counts, dues=falls_due[start:end])
        try:
            if may_wait:
                desk.waiting.check(agent_id, desk.embedder.id)
            outcomes.extend(_keep(desk, agent_id, part, replaced, more, override=override, actor=actor))
        except EmbedderFailed as error:
            if not may_wait:
                raise
            outcomes += let_wait(
                desk, agent_id, batch[start:], born[start:], falls_due[start:], None if override else _refuse_forgotten,
                actor=actor, taken_out=sum(taken_out[start:], Counter()), why=error,
            )  # fmt: skip
            break
        if progress is not None:
            progress(start + len(part), len(born))
    return tuple(outcomes)


@read_again
def _born_all(
    desk: Desk, agent_id: str, batch: Sequence[Draft], ids: Sequence[str], *, override: bool
) -> list[Memory]:
    """Make the memories of the drafts. Everything that can be refused is refused here, before the first memory is
    kept.
    """
    now = desk.clock()
    with desk.store.read(agent_id) as unit:
        agent = unit.agents.get()
        zone = zone_of(agent.time_zone if agent else "UTC")
        trusts = _source_trusts(unit, batch)
        if not override:
            _refuse_forgotten(unit, batch)
        born = [
            memory_of(desk, draft, placed("memories", place, len(batch)), now, zone, trusts)
            for place, draft in enumerate(batch)
        ]
        check_replaced(unit, [draft.supersedes for draft in batch], born)
    return [replace(one, id=id) for one, id in zip(born, ids, strict=True)] if ids else born


def _keep(
    desk: Desk,
    agent_id: str,
    part: Sequence[Memory],
    replaced: Sequence[Replaced],
    more: _More,
    *,
    override: bool,
    actor: str,
) -> list[Remembered]:
    """Compare outside the transaction, and again inside if anybody wrote in between."""
    vectors = desk.embedder.embed([memory.essence for memory in part])
    filled = judged(desk, part, vectors)
    rev, seen = _compared(desk, agent_id, vectors)

    def write(unit: Unit) -> list[Remembered]:
        desk.begin(unit, agent_id)
        if more.within is not None and not more.within(unit):
            return []
        same = unit.agents.rev() == rev
        nearest = seen if same else _nearest(desk, desk.search.view(agent_id), vectors)
        _check_sources(unit, {episode for memory in part for episode in memory.source_episodes})
        lifted: Set[str] = frozenset()
        if override:
            lifted = lift_tombstones(unit, {text for memory in part for text in _texts(memory)})
        else:
            _refuse_forgotten(unit, part)
        now = desk.clock()
        ours = unforgotten(unit, part, filled)
        outcomes = _Writer(desk, unit, now, actor, vectors, ours, lifted).write(part, nearest)
        if any(replaced):
            outcomes = supersede(desk, unit, outcomes, replaced, now, actor)
        for outcome, at in zip(outcomes, more.dues, strict=True):
            if at is not None and outcome.memory.kind is Kind.GOAL:
                schedule(desk, unit, outcome.memory, at, actor=actor)
        unit.counters.add(more.counts)
        if more.also is not None:
            more.also(unit, outcomes)
        return outcomes

    return desk.store.transact(agent_id, write)


@read_again
def _compared(desk: Desk, agent_id: str, vectors: Floats) -> tuple[int, Sequence[Near]]:
    """Return what is near to each vector, and the revision since when it may have changed. Raise EmbedderMismatch."""
    view = desk.search.view(agent_id)
    desk.check_embedder(agent_id, view.embedder)
    return view.rev, _nearest(desk, view, vectors)


def _texts(memory: Memory) -> tuple[str, ...]:
    return (memory.essence,) if memory.lesson is None else (memory.essence, memory.lesson)


def _nearest(desk: Desk, view: View, vectors: Floats) -> Sequence[Near]:
    least = desk.settings.remember.duplicate_cosine
    return view.nearest(vectors, filter=_COMPARED, now=desk.clock(), limit=_NEAREST, least=least)


def _refuse_forgotten(unit: Unit, batch: Sequence[Draft | Memory]) -> None:
    for name in ("essence", "lesson"):
        places = [place for place, one in enumerate(batch) if getattr(one, name)]
        first = first_forgotten(unit, [getattr(batch[place], name) for place in places])
        if first is not None:
            raise Forgotten(placed("memories", places[first], len(batch)) + name)


def _source_trusts(unit: Unit, part: Sequence[Draft]) -> Mapping[str, SourceTrust]:
    found = _check_sources(unit, {episode for draft in part for episode in draft.source_episodes})
    return {episode_id: episode.source_trust for episode_id, episode in found.items()}


def _check_sources(unit: Unit, wanted: Set[str]) -> Mapping[str, Episode]:
    """Return the source episodes. Raise NotFound for one that isn't there (any more)."""
    found = unit.episodes.get(wanted) if wanted else {}
    missing = wanted - set(found)
    if missing:
        raise NotFound("episode", min(missing))
    return found


class _Writer:
    """One transaction's decisions: draft after draft against the bank and against the batch so far.

    ``filled`` are the drafts with what was judged of them, for those that are inserted: what only reinforces tells
    what its caller gave (``judging.told``). ``lifted`` are the texts that were forgotten until this
    transaction.
    """

    def __init__(
        self,
        desk: Desk,
        unit: Unit,
        now: datetime,
        actor: str,
        vectors: Floats,
        filled: Sequence[Memory],
        lifted: Set[str],
    ) -> None:
        self._desk, self._unit, self._now, self._actor = desk, unit, now, actor
        self._vectors, self._filled, self._lifted = vectors, filled, lifted
        self._again: set[str] = set()  # memories that took in what was lifted
        self._known: dict[str, Memory] = {}
        self._inserted: list[int] = []
        self._inserted_vectors = np.empty_like(vectors)  # of the rows in _inserted, in their order
        self._touched: dict[str, tuple[int, datetime]] = {}
        self._links: list[Connection] = []

    def write(self, born: Sequence[Memory], nearest: Sequence[Near]) -> list[Remembered]:
        """Decide and write everything; outcomes in the order of ``born``, each memory as it stands in the
        end.
        """
        threshold = self._desk.settings.remember.duplicate_cosine
        near_ids = {memory_id for near in nearest for memory_id, _ in near}
        before = dict(self._unit.memories.get(near_ids)) if near_ids else {}
        self._known = dict(before)
        outcomes: list[tuple[str, float | None, tuple[str, ...]]] = []
        for row, memory in enumerate(born):
            rivals = [(known, cosine) for known, cosine in nearest[row] if known in self._known]
            rivals += self._rivals_in_batch(born, row, threshold)
            outcome = self._decide(memory, row, sorted(rivals, key=lambda rival: (-rival[1], rival[0])))
            if not self._lifted.isdisjoint(_texts(memory)):
                self._again.add(outcome[0])
            outcomes.append(outcome)
        fresh = [self._known[born[row].id] for row in self._inserted]
        if fresh:
            self._unit.memories.add(fresh, self._inserted_vectors[: len(fresh)])
        self._save(before, fresh)
        return [
            Inserted(memory=self._stored(memory_id), near=near)
            if cosine is None
            else Reinforced(memory=self._stored(memory_id), similarity=cosine)
            for memory_id, cosine, near in outcomes
        ]

    def _stored(self, memory_id: str) -> Memory:
        memory = self._known[memory_id]
        count, at = self._touched.get(memory_id, (0, self._now))
        if not count:
            return memory
        latest = max(memory.last_touched_at or at, at)
        return replace(memory, touches=memory.touches + count, last_touched_at=latest)

    def _rivals_in_batch(self, born: Sequence[Memory], row: int, threshold: float) -> list[tuple[str, float]]:
        if not self._inserted:
            return []
        cosines = self._inserted_vectors[: len(self._inserted)] @ self._vectors[row]
        near = np.flatnonzero(cosines >= threshold)
        best = near[np.argsort(-cosines[near], kind="stable")[:_NEAREST_IN_BATCH]]
        return [(born[self._inserted[place]].id, float(cosines[place])) for place in best.tolist()]

    def _decide(self, memory: Memory, row: int, rivals: Near) -> tuple[str, float | None, tuple[str, ...]]:
        near: list[str] = []
        for rival, cosine in rivals:
            known = self._known[rival]
            if memories_differ(known, memory) is None:
                self._known[rival] = reinforced(
                    known, as_duplicate(known, memory, self._filled[row]), self._now
                )
                count, _ = self._touched.get(rival, (0, self._now))
                self._touched[rival] = (count + 1, self._now)
                return rival, min(cosine, 1.0), ()
            if known.origin is Origin.SELF_CARE:
                continue  # it stands for much else, and goes when its self-care is undone
            if kinds_compatible(known.kind, memory.kind) and len(near) < _MOST_LINKS:
                near.append(rival)
        self._known[memory.id] = labels.of_memory(self._desk, self._filled[row])
        self._inserted_vectors[len(self._inserted)] = self._vectors[row]
        self._inserted.append(row)
        self._links += [
            Connection(source=memory.id, target=other, relation=NEAR, created_at=self._now) for other in near
        ]
        return memory.id, None, tuple(near)

    def _save(self, before: Mapping[str, Memory], fresh: Sequence[Memory]) -> None:
        near: dict[str, list[str]] = {}
        for link in self._links:
            near.setdefault(link.source, []).append(link.target)
        log = [
            self._entry(Action.REMEMBER, one.id, after={**to_json(one), NEAR: near.get(one.id, [])})
            for one in fresh
        ]
        for memory_id, old in before.items():
            new = self._known[memory_id]
            if new == old and memory_id not in self._again:
                continue
            if is_reworded(old, new):
                new = self._known[memory_id] = replace(new, version=old.version + 1, believed_from=self._now)
                self._unit.memories.add_version(version_of(old, self._now))
            self._unit.memories.update(new)
            was, is_now = changed(old, new)
            log.append(self._entry(Action.REINFORCE, memory_id, before=was, after=is_now))
        for link in self._links:
            self._unit.memories.connect(link)
        if self._touched:
            self._unit.memories.touch(self._touched)
        self._unit.audit.add(log)

    def _entry(self, action: Action, target: str, **payload: Mapping[str, object]) -> AuditEntry:
        reason = _AGAIN if target in self._again else None
        return entry(self._desk, action, target, actor=self._actor, at=self._now, reason=reason, **payload)
