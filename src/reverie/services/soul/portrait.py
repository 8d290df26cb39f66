"""Write who the agent is and what it knows as a document that people read (s3's soul.md).

Soul entries stand first, word for word; then a section a kind, from active memories that are sure enough, still hold,
need no review and come from people whose word counts or from the agent itself: what matters most first. What tools, web
pages and other people say doesn't enter.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import partial

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, Origin
from reverie.domain.time import zone_of
from reverie.domain.trust import SourceTrust
from reverie.errors import MindFailed, ReverieError
from reverie.memory.change import carried, said_in
from reverie.memory.decay import faded_confidence
from reverie.memory.privacy import has_account
from reverie.memory.quoting import defused
from reverie.memory.society import (
    SOUL,
    TITLES,
    harmless,
    line_of,
    lines_of,
    merged_document,
    portrait_section,
    portrait_weight,
)
from reverie.memory.trust import may_instruct
from reverie.ports.soulfile import SoulFile
from reverie.ports.store import Unit
from reverie.ports.unread import leave_unread, unread_within
from reverie.services.runtime import Desk, asked, read_again

_log = logging.getLogger("reverie.portrait")
_SURE = 0.5
_OF_A_KIND, _LOOKED_AT = 60, 500
_INSTRUCTING = frozenset({Kind.POLICY, Kind.WORKFLOW})
_WELCOME = frozenset({SourceTrust.PRINCIPAL, SourceTrust.AGENT})
_TRIES = 4
_BUSY = "soul.md was not written: somebody else is writing it"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Evidence:
    rev: int
    soul: Sequence[str]
    memories: Mapping[Kind, Sequence[Memory]]
    written: Mapping[str, str]
    files: Sequence[str]
    is_nobody: bool  # it has never written
    zone: tzinfo


def portrait(desk: Desk, agent_id: str) -> str:
    """Return the document as it stands, without any person's own text: soul entries, and the sections that the mind
    wrote last or, where there are none, what they would be made from; at most ``Settings.soul.tokens`` tokens.
    """
    known = _evidence(desk, agent_id, anew=False)
    return merged_document(None, agent_id, _bodies(desk, known, known.written or _plain(desk, known))).text


def refresh(desk: Desk, agent_id: str) -> tuple[str, ...]:
    """Write the sections anew, and the file where ``Settings.soul.file`` is set. What a reader should know: that the
    mind could not be asked, that memories could not be read, or that somebody changed a section by hand, which is kept
    below it.
    """
    notes: list[str] = []
    try:
        with unread_within() as unread:
            known = _evidence(desk, agent_id)
            sections = _plain(desk, known)
            if desk.mind is not None and known.memories:
                try:
                    sections = _portrayed(desk, agent_id, known)
                except ReverieError as error:
                    notes.append(f"soul.md was written without the mind: {type(error).__name__}")
        if unread:
            notes.append(f"soul.md was written without {len(unread)} memories that could not be read")
        if not desk.store.transact(agent_id, partial(_put, desk, known, sections)):
            notes.append("soul.md was written without the mind: the bank changed meanwhile")
        notes += _brought_up_to_date(desk, agent_id).notes
    except ReverieError as error:
        _log.warning("the portrait could not be written: %s", type(error).__name__)
        notes.append(f"soul.md could not be written: {error}")
    return tuple(notes)


def rewrite(desk: Desk, agent_id: str) -> tuple[str, ...]:
    """Write the file anew from what is known now, without the mind: nothing that was forgotten or undone may stand in
    it. Which files may tell of it still: this one, where it can't be written; those that others wrote.
    """
    own = None if desk.soul_file is None else desk.soul_file.where(agent_id)
    left = [] if own is None else [own]
    try:
        left += [path for path in _files(desk, agent_id) if path != own]
        if own is not None and _brought_up_to_date(desk, agent_id).is_done:
            left.remove(own)
    except ReverieError as error:
        _log.warning("the portrait's file could not be rewritten: %s", type(error).__name__)
    return tuple(
        f"the self-portrait's file {path}, until `reverie soul show --refresh` writes it" for path in left
    )


@read_again
def _evidence(desk: Desk, agent_id: str, *, anew: bool = True) -> _Evidence:
    """Return what the document tells of; the memories only to write it ``anew``, or where no sections are written."""
    now = desk.clock()
    with desk.reading(agent_id) as unit:
        agent = unit.agents.get()
        zone = UTC if agent is None else zone_of(agent.time_zone)
        memories: dict[Kind, Sequence[Memory]] = {}
        over, written = unit.goals.achieved(), unit.portraits.get()
        for kind in Kind if anew or not written else ():
            looked_at = unit.memories.surest(kind, _LOOKED_AT)
            sure = [one for one in looked_at if one.id not in over and _may_stand(one, now)]
            if sure:
                memories[kind] = [
                    _here(one, zone) for one in sorted(sure, key=partial(_rank, now))[:_OF_A_KIND]
                ]
        return _Evidence(
            rev=unit.agents.rev(), is_nobody=agent is None, memories=memories,
            zone=zone,
            soul=[entry.text for entry in unit.soul.list()], written=written, files=unit.portraits.files(),
        )  # fmt: skip


def _rank(now: datetime, one: Memory) -> tuple[float, float, str]:
    """Return what matters and is needed most first, of equals the surest."""
    return -portrait_weight(one, now), -faded_confidence(one.confidence, one.fades_from, now), one.id


def _here(one: Memory, zone: tzinfo) -> Memory:
    """Return the memory with the day of its quotation in the agent's zone."""
    return (
        one
        if one.quoted is None
        else replace(one, quoted=replace(one.quoted, at=one.quoted.at.astimezone(zone)))
    )


def _may_stand(one: Memory, now: datetime) -> bool:
    """Return whether a memory may be a line; one on which a rule fails is none, and is named to whoever asked."""
    try:
        return _is_fit(one, now)
    except Exception as error:  # noqa: BLE001  # any rule may fail on a text that nobody thought of
        _log.warning("a memory could not be read for the portrait: %s", type(error).__name__)
        leave_unread([one.id])
        return False


def _is_fit(one: Memory, now: datetime) -> bool:
    return (
        one.source_trust in _WELCOME
        and not one.needs_review
        and (one.valid_to is None or one.valid_to > now)
        and one.origin is not Origin.SELF_CARE  # a narrative is no line
        and line_of(one) is not None
        and (one.kind not in _INSTRUCTING or may_instruct(one))
        and faded_confidence(one.confidence, one.fades_from, now) > _SURE
    )


def _portrayed(desk: Desk, agent_id: str, known: _Evidence) -> dict[str, str]:
    """Return the mind's sections; of kinds that it was shown alone, one item a line, which the memories carry."""
    assert desk.mind is not None
    mind = desk.mind
    told: object = asked(mind, lambda: mind.portray(known.memories, max_tokens=desk.settings.soul.tokens))
    if not isinstance(told, Mapping):
        raise MindFailed(mind.id, "its answer is no portrait")
    memories = [one for some in known.memories.values() for one in some]
    ours = {f"- {line_of(one)}" for one in memories}
    texts = {kind: text.splitlines() for kind in known.memories if isinstance(text := told.get(kind), str)}
    other = [line for lines in texts.values() for line in lines if line not in ours]
    sound = ours.union(
        carried(other, [*map(said_in, memories)], known.zone, [agent_id], closely=True) if other else ()
    )
    kept = {kind: [line for line in lines if line in sound] for kind, lines in texts.items()}
    return {kind: "\n".join(lines) for kind, lines in kept.items() if any(line.strip() for line in lines)}


def _plain(desk: Desk, known: _Evidence) -> dict[str, str]:
    """Return sections without a mind: the first memories of each kind, as many as fit."""
    left = desk.settings.soul.tokens - desk.tokens(portrait_section(SOUL, known.soul))
    return {kind: "\n".join(lines) for kind, lines in lines_of(known.memories, left, desk.tokens).items()}


def _bodies(desk: Desk, known: _Evidence, sections: Mapping[str, str]) -> dict[str, str]:
    """Return every section's body, in all within the budget: soul entries first, then the sections in order, whole
    lines.
    """
    left = desk.settings.soul.tokens
    bodies: dict[str, str] = {}
    for name in TITLES:
        lines = known.soul if name == SOUL else _lines(sections.get(name, ""))
        fitting: list[str] = []
        for line in lines:
            if desk.tokens(portrait_section(name, [*fitting, line])) <= left:
                fitting.append(line)
        if fitting:
            bodies[name] = portrait_section(name, fitting)
            left -= desk.tokens(bodies[name])
    return bodies


def _lines(text: str) -> list[str]:
    """Return items of a section that a mind wrote: without headings, bullets and anything of ours that it
    imitates.
    """
    kept = (defused(harmless(line)).strip().lstrip("-*•").strip() for line in text.splitlines())
    return [line for line in kept if line and not line.startswith("#") and not has_account(line)]


def _put(desk: Desk, known: _Evidence, sections: Mapping[str, str], unit: Unit) -> bool:
    """Keep the sections, if they tell of the bank as it is: what was forgotten while the mind wrote stays out."""
    if unit.agents.rev() != known.rev:
        unit.portraits.clear()
        return False
    if unit.agents.get() is not None:
        unit.portraits.put(sections, desk.clock())
    return True


@dataclass(frozen=True, kw_only=True, slots=True)
class _Written:
    """What is to be told, and whether the file holds nothing old of ours."""

    notes: tuple[str, ...] = ()
    is_done: bool = True


def _brought_up_to_date(desk: Desk, agent_id: str) -> _Written:
    """Write the file from the bank as it is. A forget that comes between reading and writing finds the words gone: the
    bank is looked at again once they are written.
    """
    file, notes = desk.soul_file, list[str]()
    if file is None:
        return _Written()
    noted = False
    for _ in range(_TRIES):
        known = _evidence(desk, agent_id, anew=False)
        if not (noted or file.where(agent_id) in known.files or known.is_nobody):
            desk.store.transact(agent_id, partial(_note, desk, file.where(agent_id)))
            noted = True
        done = _written(file, agent_id, _bodies(desk, known, known.written or _plain(desk, known)))
        notes += [note for note in done.notes if note not in notes]
        if not done.is_done or _rev(desk, agent_id) == known.rev:
            return replace(done, notes=tuple(notes))
    return _Written(notes=(*notes, _BUSY), is_done=False)


def _note(desk: Desk, path: str, unit: Unit) -> None:
    unit.portraits.note_file(path, desk.clock())


@read_again
def _files(desk: Desk, agent_id: str) -> Sequence[str]:
    with desk.reading(agent_id) as unit:
        return unit.portraits.files()


@read_again
def _rev(desk: Desk, agent_id: str) -> int:
    with desk.reading(agent_id) as unit:
        return unit.agents.rev()


def _written(file: SoulFile, agent_id: str, bodies: Mapping[str, str]) -> _Written:
    """Bring the file up to date, beside whoever edits it."""
    for _ in range(_TRIES):
        existing = file.read(agent_id)
        new = merged_document(existing, agent_id, bodies)
        if new.owner is not None:
            other = f"soul.md was not written: the file is agent {new.owner!r}'s; put {{agent}} into Settings.soul.file"
            return _Written(notes=(other,))
        if new.text == existing or file.write(agent_id, new.text, instead_of=existing):
            notes = [
                f"soul.md: the section {name!r} was changed by hand; your text stands below it"
                for name in new.aside
            ]
            if new.strays:
                notes.append(
                    f"soul.md: {new.strays} markers had lost their other end; the text there is yours now"
                )
            return _Written(notes=tuple(notes))
    return _Written(notes=(_BUSY,), is_done=False)
