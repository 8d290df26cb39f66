"""Promote what was said again and again to a memory (s2).

Each conversation has a watermark: what lies behind it has been compared with the others. New episodes are compared
with all that came before, so that the third time counts, whenever the first two were. A portion's memories and
watermarks are one transaction, and the advance is a compare-and-set: an interruption loses and repeats nothing.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from reverie.domain.audit import Action
from reverie.domain.draft import Draft
from reverie.domain.episode import Episode
from reverie.domain.housekept import Promoted
from reverie.domain.job import HOUSEKEEPING
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, Origin, State
from reverie.domain.outcome import Inserted, Remembered
from reverie.domain.snippet import Snippet
from reverie.domain.trust import least_trusted
from reverie.errors import Forgotten, MindFailed, NotFound
from reverie.memory.change import Echo, event_of, is_event, reinforced, steers, trust_of
from reverie.memory.trust import instructs
from reverie.ports.mind import Mind
from reverie.ports.search import Floats
from reverie.ports.store import Unit
from reverie.ports.unread import unread_within
from reverie.services.loop import Checked, checked, drop_forgotten
from reverie.services.remember import remember
from reverie.services.runtime import Job, asked, changed
from reverie.services.upkeep.findings import Findings
from reverie.services.upkeep.recurring import Recurring, recurring_in

JOB = HOUSEKEEPING
_PORTION = 2_000  # new episodes that are compared at once
_MOST_CONVERSATIONS = 1_000
_TRIES = 3
_SAYS = 0.7
"""Least cosine of a memory's essence to an episode that it is derived from and that it tells of."""

_log = logging.getLogger("reverie.housekeeping")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Portion:
    """New episodes, and the watermarks that they bring forward: (conversation, from, to)."""

    marks: tuple[tuple[str, int, int], ...]
    episodes: tuple[Episode, ...]


class _Overtaken(Exception):
    """Another process has come further: what was written in this transaction is undone."""


def promote(job: Job, findings: Findings) -> None:
    """Promote what recurs among the episodes that are new since the last time; ``findings`` grows portion by portion.

    It needs a mind on this machine, which words what was said and tells it from small talk; without one nothing is
    promoted, and nothing counts as looked at. Raise Stopped.
    """
    mind = job.desk.quick
    if mind is None:
        findings.passed_over["not promoted: no mind on this machine"] = 1
        return
    tries = 0
    unwanted: set[str] = set()
    while (portion := job.read(partial(_portion, now=job.desk.clock()))) is not None:
        job.checkpoint()
        try:
            _Round(job, mind, portion, unwanted).run(findings)
        except (Forgotten, NotFound, _Overtaken):  # by somebody else, just now
            tries += 1
            if tries == _TRIES:
                _end(findings, "the bank is being changed")
                return
            continue
        except MindFailed as error:
            _log.warning("nothing more is promoted: %s", error.why)
            _end(findings, "the mind failed")
            return
        tries = 0
        findings.episodes += len(portion.episodes)
        if job.is_watched:
            job.tell(findings.episodes, findings.episodes + job.read(partial(_left, now=job.desk.clock())))


def _end(findings: Findings, why: str) -> None:
    """Another try may do what is left."""
    findings.passed_over[f"not promoted: {why}"] = 1
    findings.complete = False


def _portion(unit: Unit, now: datetime) -> _Portion | None:
    """Return what is compared next; None where nothing is new."""
    marks: list[tuple[str, int, int]] = []
    episodes: list[Episode] = []
    for one in unit.watermarks.behind(JOB, now=now, limit=_MOST_CONVERSATIONS):
        room = _PORTION - len(episodes)
        if room == 0:
            break
        mark, upto = one.watermark, one.next_position
        new = unit.episodes.forward(mark.conversation, mark.position, room + 1)
        if len(new) > room:
            upto = new[room].position
        marks.append((mark.conversation, mark.position, upto))
        episodes += new[:room]
    return _Portion(marks=tuple(marks), episodes=tuple(episodes)) if marks else None


def _left(unit: Unit, now: datetime) -> int:
    behind = unit.watermarks.behind(JOB, now=now, limit=_MOST_CONVERSATIONS)
    return sum(one.next_position - one.watermark.position for one in behind)


class _Round:
    """One portion, from its episodes to its memories."""

    def __init__(self, job: Job, mind: Mind, portion: _Portion, unwanted: set[str]) -> None:
        self._job, self._desk, self._agent_id = job, job.desk, job.agent_id
        self._mind, self._portion = mind, portion
        self._unwanted = unwanted  # what the mind made nothing of, so that it isn't asked for each portion
        self._passed_over: Counter[str] = Counter()
        self._unread: list[str] = []
        self._read: dict[str, str] = {}  # what the episodes say that recur

    def run(self, findings: Findings) -> None:
        """Do it, and add to ``findings``. Raise _Overtaken, Forgotten and NotFound where it wasn't ours to do."""
        drafts: list[Draft] = []
        groups: list[Recurring] = []
        again: list[tuple[Recurring, str]] = []
        recurs = recurring_in(self._job, self._portion.episodes, self._unwanted)
        for group in recurs:
            self._read.update((one.id, one.content) for one in group.episodes)
            known = self._known(group)
            if known is not None:
                again += [(group, known)] if known else []
            elif (draft := self._draft(group)) is not None:
                drafts.append(draft)
                groups.append(group)
        findings.promoted += self._write(drafts, groups, again)
        findings.passed_over += self._passed_over
        findings.unread += self._unread

    def _pass_over(self, why: str) -> None:
        self._passed_over[f"recurs, but {why}"] += 1

    def _known(self, group: Recurring) -> str | None:
        """Return the memory that rests on these episodes already and gets those that are new to it; empty where none is
        to change, None where there is no such memory.
        """
        least = self._desk.settings.housekeeping.promote_episodes
        found = self._job.read(partial(_resting_on, group=group, least=least))
        if not found:
            return None
        current = [one for one in found if _may_be_reinforced(one)]
        if not current:
            self._pass_over("known, and withdrawn since")
            return ""
        best = min(current, key=lambda one: (-len({*one.source_episodes} & {*group.ids}), one.id))
        if set(group.ids) <= set(best.source_episodes):
            self._pass_over("known")
            return ""
        return best.id

    def _draft(self, group: Recurring) -> Draft | None:
        """Return the memory that it would be; None where it isn't worth one."""
        now = self._desk.clock()
        if is_event(group.teller):
            essence, tags = event_of(group.episodes)
            found = Checked(drafts=[Draft(essence=essence, kind=Kind.OBSERVATION, tags=tags)])
        else:
            snippet = Snippet(
                agent_id=self._agent_id,
                zone=self._desk.zone(self._agent_id),
                messages=(group.teller,),
                fresh=1,
            )
            with unread_within() as unread:
                proposals = asked(self._mind, partial(self._mind.extract, snippet, _unfamiliar))
            self._unread += unread
            found = checked(proposals, snippet, self._desk.settings, now)
        drop_forgotten(self._desk, self._agent_id, found)
        if not found.drafts:
            why = next((reason.value for reason in found.rejected), "nothing worth keeping")
            self._pass_over(why)
            self._unwanted.add(group.teller.content)
            return None
        draft = found.drafts[0]  # the most important one
        kind = Kind.PATTERN if draft.kind is Kind.OBSERVATION else draft.kind
        draft = replace(draft, kind=kind)
        trust = trust_of(
            (draft.essence, draft.lesson), group.episodes, Echo(group.outside), steering=steers(draft.kind)
        )
        if draft.kind in (Kind.POLICY, Kind.WORKFLOW) and not instructs(trust, Origin.SLEEP):
            self._pass_over("may not instruct")
            return None
        return replace(
            draft, origin=Origin.SLEEP, source_episodes=group.ids, source_trust=trust, time=group.last(now)
        )

    def _write(
        self, drafts: Sequence[Draft], groups: Sequence[Recurring], again: Sequence[tuple[Recurring, str]]
    ) -> list[Promoted]:
        """Write memories and watermarks in one transaction. Raise _Overtaken where another process was faster."""
        promoted: list[Promoted] = []

        def within(unit: Unit) -> bool:
            promoted.clear()
            there = unit.episodes.get(self._read)
            for id, content in self._read.items():
                if id not in there or there[id].content != content:
                    raise NotFound("episode", id)
            for name, seen, upto in self._portion.marks:
                if not unit.watermarks.advance(JOB, name, seen=seen, position=upto):
                    raise _Overtaken  # of some conversation: those before it must not count as compared either
            promoted.extend(filter(None, [self._reinforce(unit, group, id) for group, id in again]))
            return True

        def also(unit: Unit, outcomes: Sequence[Remembered]) -> None:
            for group, outcome in zip(groups, outcomes, strict=True):
                known = not isinstance(outcome, Inserted)
                promoted.append(self._noted(unit, group, outcome.memory.id, group.ids, known=known))

        if drafts:
            remember(self._desk, self._agent_id, drafts, actor=self._job.actor, within=within, also=also)
        else:
            self._desk.store.transact(self._agent_id, within)
        return promoted

    def _reinforce(self, unit: Unit, group: Recurring, memory_id: str) -> Promoted | None:
        """New evidence for a memory; None where nothing of it is new any more."""
        known = unit.memories.get([memory_id]).get(memory_id)
        if known is None or not _may_be_reinforced(known):
            return None
        new = unit.episodes.get({*group.ids} - {*known.source_episodes})
        if not new:
            return None
        now = self._desk.clock()
        told = replace(
            known,
            source_episodes=tuple(sorted(new)),
            source_trust=least_trusted(one.source_trust for one in group.episodes if one.id in new),
            created_at=group.last(now),
        )
        memory = reinforced(known, told, now)
        unit.memories.update(memory)
        before, after = changed(known, memory)
        unit.audit.add([self._job.note(Action.REINFORCE, memory_id, now, before=before, after=after)])
        return self._noted(unit, group, memory_id, tuple(sorted(new)), known=True)

    def _noted(
        self, unit: Unit, group: Recurring, memory_id: str, episodes: tuple[str, ...], *, known: bool
    ) -> Promoted:
        said, why = {"source_episodes": [*group.ids]}, f"said in {len(group.ids)} episodes"
        unit.audit.add(
            [self._job.note(Action.PROMOTE, memory_id, self._desk.clock(), after=said, reason=why)]
        )
        return Promoted(memory_id=memory_id, episodes=episodes, known=known)


def _unfamiliar(vectors: Floats) -> Sequence[float]:
    """Call nothing familiar: what recurs is worth keeping though the bank knows it, which ``remember`` finds out."""
    return [-1.0] * len(vectors)


def _may_be_reinforced(memory: Memory) -> bool:
    return memory.superseded_by is None and memory.state is not State.SUMMARIZED


def _resting_on(unit: Unit, group: Recurring, least: int) -> Sequence[Memory]:
    """Return the memories that so many of the episodes are sources of, and that say what these say."""
    derived = unit.memories.derived_from(group.ids)
    enough = [id for id, sources in derived.items() if len({*sources} & {*group.ids}) >= least]
    memories, essences = unit.memories.get(enough), unit.memories.vectors(enough)
    said = unit.episodes.vectors([group.teller.id]).get(group.teller.id)
    over = unit.summaries.get(enough)  # which stand for conversations, whatever these say
    if said is None:
        return []
    return [memories[id] for id in memories if id not in over and float(essences[id] @ said) >= _SAYS]
