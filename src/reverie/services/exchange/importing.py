"""import: the lines of an export into an agent's bank, all of them or none.

The file is read and checked whole before anything is stored. What it has no vectors for is embedded outside the
transaction; then everything is planned again for the bank as it is by then, and written in one transaction. So an
import that was killed has changed nothing, and is simply repeated. ``docs/export.md`` has the rules for a bank that
isn't empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from reverie.domain.agent import Agent
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.ids import checked_name
from reverie.domain.imported import Counted, Imported, OnConflict
from reverie.domain.memory import Memory
from reverie.domain.text import checked_switch, member
from reverie.errors import InvalidInput
from reverie.ports.store import Unit, Vector
from reverie.services.aggregates import AGGREGATES
from reverie.services.codecs import KeptMemory
from reverie.services.exchange.bank_file import Contents, FileLine, read
from reverie.services.exchange.distrust import distrusted
from reverie.services.exchange.import_plan import ImportPlan, planned, state_of
from reverie.services.link import Brought
from reverie.services.runtime import Desk, Progress, batches, changed, embedded, entry, to_json

_MANY = 500
_LEAST_SECRET, _MOST_SECRET = 16, 64
Vectors = dict[str, Vector]


def import_bank(
    desk: Desk,
    agent_id: str,
    lines: Iterable[FileLine],
    *,
    on_conflict: OnConflict | str = OnConflict.REFUSE,
    untrusted: bool = False,
    dry_run: bool = False,
    actor: str,
    progress: Progress | None = None,
) -> Imported:
    """Bring an export into the agent's bank. An agent that has never written becomes the exported one, under this name.

    ``on_conflict`` decides where the bank has something else under the same id. ``untrusted``: the file may be
    anybody's: what it says enters as external text, what would steer the agent stays out, and nothing of the bank is
    replaced. ``dry_run``: nothing is changed or embedded. ``progress`` counts texts that are embedded. Raise
    InvalidInput (naming the line), EmbedderMismatch, EmbedderFailed; then nothing was changed.
    """
    checked_name(agent_id, "agent")
    checked_switch(untrusted, "untrusted")
    checked_switch(dry_run, "dry_run")
    rule = member(OnConflict, on_conflict, "on_conflict", "is no rule")
    brought = Brought(desk.settings)
    contents = read(lines, brought.cleaned)
    if contents.profile is not None and not _LEAST_SECRET <= len(contents.profile.secret) <= _MOST_SECRET:
        raise InvalidInput("secret", "the profile's has another length", "export the bank again")
    key = (
        desk.secret() if contents.profile is None else contents.profile.secret
    )  # the file's: its next import's too
    contents = _with_our_vectors(desk, brought.named(contents, key))
    if untrusted:
        contents = distrusted(contents)
        rule = rule if rule is OnConflict.REFUSE else OnConflict.SKIP
    vectors: Vectors = {}
    while True:
        with desk.reading(agent_id) as unit:
            desk.check_embedder(agent_id, unit.agents.embedder())
            plan = planned(unit, contents, rule)
        if dry_run:
            return _report(agent_id, plan, brought, len(plan.texts), dry_run=True)
        vectors.update(embedded(desk, [text for text in plan.texts if text not in vectors], progress))

        def write(unit: Unit, plan: ImportPlan = plan) -> ImportPlan | None:
            """Return None where the bank has changed, and more is to be embedded than was."""
            fresh = plan if state_of(unit) == plan.state else planned(unit, contents, rule)
            if any(text not in vectors for text in fresh.texts):
                return None
            _Writer(desk, unit, agent_id, fresh, vectors, actor).write(untrusted=untrusted)
            return fresh

        done = desk.store.transact(agent_id, write)
        if done is not None:
            desk.store.catch_up()
            return _report(agent_id, done, brought, len(vectors), dry_run=False)


def _with_our_vectors(desk: Desk, contents: Contents) -> Contents:
    """Return the contents without vectors of another embedder: vectors of two never mix."""
    header = contents.header
    if not header.vectors or (header.embedder, header.dimensions) != (
        desk.embedder.id,
        desk.embedder.dimensions,
    ):
        contents.episodes = [replace(one, vector=None) for one in contents.episodes]
        contents.memories = [
            replace(one, vector=None, versions=tuple(replace(past, vector=None) for past in one.versions))
            for one in contents.memories
        ]
    return contents


def _report(agent_id: str, plan: ImportPlan, brought: Brought, embedded: int, *, dry_run: bool) -> Imported:
    return Imported(
        agent_id=agent_id, source=plan.contents.header.agent, new=plan.new,
        counts={kind: Counted(**counts) for kind, counts in plan.counts.items()}, embedded=embedded, dry_run=dry_run,
        redacted=dict(brought.found),
    )  # fmt: skip


class _Writer:
    """One transaction."""

    def __init__(
        self,
        desk: Desk,
        unit: Unit,
        agent_id: str,
        plan: ImportPlan,
        vectors: Mapping[str, Vector],
        actor: str,
    ) -> None:
        self._desk, self._unit, self._agent_id, self._plan = desk, unit, agent_id, plan
        self._vectors, self._actor = vectors, actor
        self._now: datetime = desk.clock()

    def write(self, *, untrusted: bool) -> None:
        plan, unit = self._plan, self._unit
        self._begin()
        for some in batches(plan.episodes, _MANY):
            unit.episodes.add(
                [one.episode for one in some],
                self._stacked([(one.vector, one.episode.content) for one in some]),
            )
        if plan.new:
            self._rooms()
        log = [*self._kept(), *self._replaced()]
        for edge in plan.connections:
            unit.memories.connect(edge)
        for aggregate in AGGREGATES:
            aggregate.add(unit, plan.rows[aggregate.name])
        counts: dict[str, object] = {kind: dict(each) for kind, each in plan.counts.items()}
        what = {"from": plan.contents.header.agent, "untrusted": untrusted, "lines": counts}
        unit.audit.add([*log, self._entry(self._agent_id, after=what)])
        unit.agents.settle_due(self._now)

    def _begin(self) -> None:
        profile = self._plan.contents.profile
        if self._plan.new and profile is not None:
            self._unit.agents.put(replace(profile.agent, id=self._agent_id), profile.secret)
        elif self._plan.new:
            self._unit.agents.put(Agent(id=self._agent_id, created_at=self._now), self._desk.secret())
        self._desk.begin(self._unit, self._agent_id)

    def _rooms(self) -> None:
        """Restore rooms as they were: also where their first or last messages had gone before."""
        told = {one.id: one for one in self._plan.contents.rooms}
        rows = [row for page in self._unit.transfer.pages("conversations") for row in page]
        self._unit.transfer.clear("conversations")
        restored = []
        for row in rows:
            id, channel, started_at, last_at, episodes, position = row
            room = told.get(str(id))
            if room is not None:
                channel, position = room.channel, max(room.next_position, int(str(position)))
            restored.append((id, channel, started_at, last_at, episodes, position))
        self._unit.transfer.add("conversations", restored)

    def _kept(self) -> list[AuditEntry]:
        """Add memories; return an entry for each of which no line of the log tells."""
        told = {one.target for one in self._plan.rows["audit"]}
        new = self._plan.memories
        for some in batches(new, _MANY):
            vectors = self._stacked([(one.vector, one.memory.essence) for one in some])
            self._unit.memories.add([one.memory for one in some], vectors)
        for one in new:
            self._hang(one)
        return [self._entry(one.id, after=to_json(one.memory)) for one in new if one.id not in told]

    def _replaced(self) -> list[AuditEntry]:
        log = []
        for one in self._plan.over:
            old = self._unit.memories.get([one.id])[one.id]
            for past in self._unit.memories.versions(one.id):
                self._unit.undo.drop_version(one.id, past.version)
            self._unit.memories.update(one.memory, self._vector(one.vector, one.memory.essence))
            self._hang(one)
            before, after = changed(old, one.memory)
            log.append(self._entry(one.id, before=before, after=after))
        return log

    def _hang(self, one: KeptMemory) -> None:
        """Store what belongs to a memory: past wordings, its steps, whether it was reached, when it falls due."""
        memory: Memory = one.memory
        for past in one.versions:  # a version takes the vector that the memory has at that moment
            self._unit.memories.update(memory, self._vector(past.vector, past.version.essence))
            self._unit.memories.add_version(past.version)
        if one.versions:
            self._unit.memories.update(memory, self._vector(one.vector, memory.essence))
        if one.steps is not None:
            self._unit.procedures.put(one.steps)
            known = {run.id for run in self._unit.procedures.runs(one.id, limit=1 << 31)}
            for run in one.runs:
                if run.id not in known:
                    self._unit.procedures.record(one.id, run)
            self._unit.procedures.put(one.steps)  # the counts as the file has them
        if one.achieved is not None:
            self._unit.goals.achieve(one.achieved)
        elif not self._plan.new:
            self._unit.goals.reopen(one.id)
        if one.due is not None:
            self._unit.dues.put(one.id, one.due)
        elif not self._plan.new:
            self._unit.dues.remove(one.id)

    def _stacked(self, each: Sequence[tuple[Vector | None, str]]) -> Vector:
        return np.stack([self._vector(*one) for one in each]).astype(np.float32, copy=False)

    def _vector(self, vector: Vector | None, text: str) -> Vector:
        return self._vectors[text] if vector is None else vector

    def _entry(
        self,
        target: str,
        *,
        before: Mapping[str, object] | None = None,
        after: Mapping[str, object] | None = None,
    ) -> AuditEntry:
        return entry(
            self._desk, Action.IMPORT, target, actor=self._actor, at=self._now, before=before, after=after
        )
