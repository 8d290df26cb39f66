"""requoting: what an earlier version worded becomes a quotation where its message says it, and is marked elsewhere.

Schema 7 (on PostgreSQL 8) and the import of an old export count ``DUE`` for an agent with such memories. The next
sleep, housekeeping or backfill goes over its bank once, a batch a transaction, and counts ``DONE`` at the end: an
interruption loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.episode import Episode
from reverie.domain.memory import Memory, Origin, Quoted
from reverie.domain.query import EVERYTHING
from reverie.domain.time import zone_of
from reverie.memory.decay import faded_confidence
from reverie.memory.quoting import UNSURE, question_in, quoted_in, with_dates
from reverie.ports.store import Unit, Vector
from reverie.services.runtime.change_records import changed, entry
from reverie.services.runtime.desk import Desk, read_again
from reverie.services.runtime.tombstones import first_forgotten

DUE, DONE = "requote.due", "requote.done"
_READ_OUT = frozenset({Origin.PATTERN, Origin.LOOP, Origin.SLEEP})
"""Made by the reader itself, where no model and no caller worded it."""
_LEFT_ALONE = frozenset({Origin.COMMIT, Origin.SELF_CARE, Origin.EARLIER})
_LOCAL = "local/"
"""How the ids of the offline mind's editions begin."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Old:
    """A memory as it was read, and the quotation that it becomes; None where it is to be marked."""

    memory: Memory
    quotation: tuple[str, Quoted] | None


def due(counts: Mapping[str, int]) -> int:
    """How often an agent's bank is to be gone over, by its counters; once does for all."""
    return counts.get(DUE, 0) - counts.get(DONE, 0)


def requote(desk: Desk, agent_id: str, *, actor: str, breathe: Callable[[], None] = lambda: None) -> None:
    """Go over the agent's bank where that is due. Killed, it is done by the next call.

    A memory whose message says it word for word becomes that quotation, with who said it, when and in answer to what,
    and is embedded anew. The others get origin "earlier" and a confidence of at most ``UNSURE``; those stay as they are
    that a caller or a model worded. Each change stands in the audit log. ``breathe`` is called between batches, and may
    raise. Raises EmbedderMismatch, EmbedderFailed, StoreError.
    """
    asked, after = _due(desk, agent_id), None
    while asked and (page := _page(desk, agent_id, after)):
        breathe()
        after, old = page
        texts = [one.quotation[0] for one in old if one.quotation is not None]
        vectors = dict(zip(texts, desk.embedder.embed(texts), strict=True)) if texts else {}
        if old:
            desk.store.transact(agent_id, partial(_write, desk, agent_id, old, vectors, actor))
    if asked:
        desk.store.transact(
            agent_id, lambda unit: unit.counters.add({DONE: min(asked, due(unit.counters.all()))})
        )


@read_again
def _due(desk: Desk, agent_id: str) -> int:
    with desk.reading(agent_id) as unit:
        return due(unit.counters.all())


@read_again
def _page(desk: Desk, agent_id: str, after: str | None) -> tuple[str, Sequence[_Old]] | None:
    """The next batch's last id, and what is to change in it; None at the end."""
    with desk.reading(agent_id) as unit:
        desk.check_embedder(agent_id, unit.agents.embedder())
        found = unit.memories.list(EVERYTHING, limit=desk.settings.store.batch, after=after, now=desk.clock())
        if not found:
            return None
        steps = unit.procedures.get([one.id for one in found])
        old = [
            one for one in found
            if one.quoted is None and one.origin not in _LEFT_ALONE and one.id not in steps
        ]  # fmt: skip
        said = unit.episodes.get({id for one in old for id in one.source_episodes})
        read = [_Old(memory=one, quotation=_quotation(unit, one, said)) for one in old]
        changing = [
            one for one in read
            if one.quotation is not None
            or (one.memory.origin in _READ_OUT and not _is_worded(unit, one.memory.id))
        ]  # fmt: skip
        return found[-1].id, changing


def _quotation(unit: Unit, memory: Memory, said: Mapping[str, Episode]) -> tuple[str, Quoted] | None:
    """What the memory quotes, of the last of its messages that says it."""
    sources = [said[id] for id in memory.source_episodes if id in said]
    for one in sorted(sources, key=lambda each: (each.time, each.id), reverse=True):
        found = quoted_in(memory.essence, one.content)
        if found is not None:
            text, is_first = found
            place = one.position - 1
            before = unit.episodes.forward(one.conversation, place, 1) if is_first and place >= 0 else ()
            asked = next((each.content for each in before if each.position == place), "")
            return text, Quoted(
                episode=one.id, role=one.role, speaker=one.speaker, at=one.time, answers=question_in(asked)
            )
    return None


def _is_worded(unit: Unit, memory_id: str) -> bool:
    """Whether a caller or a model gave the memory its wording, as far as the log tells."""
    for one in unit.audit.list(target=memory_id, limit=1_000, newest_first=True):
        if "essence" in (one.after or {}):
            sleep = None if one.job is None else unit.sleeps.get(one.job)
            return one.action is Action.REVISE if sleep is None else not sleep.mind.startswith(_LOCAL)
    return False


def _write(
    desk: Desk, agent_id: str, old: Sequence[_Old], vectors: Mapping[str, Vector], actor: str, unit: Unit
) -> None:
    """Write what nobody changed meanwhile."""
    zone, now = zone_of(desk.begin(unit, agent_id).time_zone), desk.clock()
    there = unit.memories.get([one.memory.id for one in old])
    log: list[AuditEntry] = []
    for one in old:
        known = there.get(one.memory.id)
        if known is None or (known.essence, known.quoted) != (one.memory.essence, None):
            continue
        if one.quotation is not None and first_forgotten(unit, [one.quotation[0]]) is None:
            text, quoted = one.quotation
            new = replace(known, essence=text, quoted=with_dates(quoted, text, zone), updated_at=now)
            unit.memories.update(new, vectors[text])
        elif known.origin in _READ_OUT:
            sure = min(UNSURE, faded_confidence(known.confidence, known.fades_from, now))
            new = replace(known, origin=Origin.EARLIER, confidence=sure, confidence_at=now, updated_at=now)
            unit.memories.update(new)
        else:
            continue
        before, after = changed(known, new)
        log.append(entry(desk, Action.MIGRATE, known.id, actor=actor, at=now, before=before, after=after))
    unit.audit.add(log)
