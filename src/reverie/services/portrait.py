"""portrait: who the agent is and what it knows, as a document that people read (s3's soul.md).

Soul entries stand first, word for word; then a section a kind, from active memories that are sure enough and that come
from people whose word counts or from the agent itself. What tools, web pages and other people say doesn't enter.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.trust import SourceTrust
from reverie.errors import ReverieError
from reverie.ports.store import Unit
from reverie.rules.decay import faded_confidence
from reverie.rules.fence import defused
from reverie.rules.portrait import SOUL, TITLES, harmless, merged, section, taken
from reverie.rules.trust import may_instruct
from reverie.services.asking import asked
from reverie.services.desk import Desk, read_again

_log = logging.getLogger("reverie.portrait")
_SURE = 0.5
_OF_A_KIND = 40
_SHOWN_OF_A_KIND = 12
_INSTRUCTING = frozenset({Kind.POLICY, Kind.WORKFLOW})
_WELCOME = frozenset({SourceTrust.PRINCIPAL, SourceTrust.AGENT})
_TRIES = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class _Evidence:
    soul: Sequence[str]
    memories: Mapping[Kind, Sequence[Memory]]
    written: Mapping[str, str]


def portrait(desk: Desk, agent_id: str) -> str:
    """The document as it stands, without any person's own text: soul entries, and the sections that the mind wrote last
    or, where there are none, what they would be made from; at most ``Settings.soul_tokens`` tokens.
    """
    known = _evidence(desk, agent_id)
    return merged(None, agent_id, _bodies(desk, known, known.written or _plain(desk, known))).text


def refresh(desk: Desk, agent_id: str) -> tuple[str, ...]:
    """Writes the sections anew, and the file where ``Settings.soul_path`` is set. What a reader should know: that the
    mind could not be asked, or that somebody changed a section by hand, which is kept below it.
    """
    notes: list[str] = []
    try:
        known = _evidence(desk, agent_id)
        sections = _plain(desk, known)
        if desk.mind is not None and known.memories:
            try:
                sections = _portrayed(desk, known)
            except ReverieError as error:
                notes.append(f"soul.md was written without the mind: {type(error).__name__}")
        desk.store.transact(agent_id, lambda unit: _put(desk, unit, sections))
        notes += _written(desk, agent_id, _bodies(desk, known, sections))
    except ReverieError as error:
        _log.warning("the portrait could not be written: %s", type(error).__name__)
        notes.append(f"soul.md could not be written: {type(error).__name__}")
    return tuple(notes)


def rewrite(desk: Desk, agent_id: str) -> tuple[str, ...]:
    """Writes the file anew from what is known now, without the mind: after a forget nothing old may stand in it.
    Nothing where no file is set. Raises StoreError, InvalidInput (the file holds no text).
    """
    if desk.soul_file is None:
        return ()
    known = _evidence(desk, agent_id)
    return tuple(_written(desk, agent_id, _bodies(desk, known, known.written or _plain(desk, known))))


@read_again
def _evidence(desk: Desk, agent_id: str) -> _Evidence:
    now = desk.clock()
    with desk.reading(agent_id) as unit:
        memories: dict[Kind, Sequence[Memory]] = {}
        for kind in Kind:
            sure = [
                one
                for one in unit.memories.surest(kind, _OF_A_KIND)
                if one.source_trust in _WELCOME
                and (kind not in _INSTRUCTING or may_instruct(one))
                and faded_confidence(one.confidence, one.fades_from, now) > _SURE
            ]
            if sure:
                memories[kind] = sorted(
                    sure,
                    key=lambda one: (
                        -faded_confidence(one.confidence, one.fades_from, now),
                        -one.reinforcement_count,
                        one.id,
                    ),
                )
        return _Evidence(
            soul=[entry.text for entry in unit.soul.list()], memories=memories, written=unit.portraits.get()
        )


def _portrayed(desk: Desk, known: _Evidence) -> dict[str, str]:
    """The mind's sections; of kinds that it was shown alone, one item a line."""
    assert desk.mind is not None
    mind = desk.mind
    told = asked(mind, lambda: mind.portray(known.memories, max_tokens=desk.settings.soul_tokens))
    return {kind: text for kind in known.memories if isinstance(text := told.get(kind), str) and text.strip()}


def _plain(desk: Desk, known: _Evidence) -> dict[str, str]:
    """Sections without a mind: the surest essences of each kind, as many as fit."""
    lines: dict[str, list[str]] = {}
    left = desk.settings.soul_tokens - desk.tokens(section(SOUL, known.soul))
    for kind, memory in taken(known.memories, _SHOWN_OF_A_KIND):
        cost = desk.tokens(f"- {memory.essence}\n") + (0 if kind in lines else desk.tokens(section(kind, ())))
        if cost <= left:
            left -= cost
            lines.setdefault(kind, []).append(memory.essence)
    return {kind: "\n".join(texts) for kind, texts in lines.items()}


def _bodies(desk: Desk, known: _Evidence, sections: Mapping[str, str]) -> dict[str, str]:
    """Every section's body, in all within the budget: soul entries first, then the sections in order, whole lines."""
    left = desk.settings.soul_tokens
    bodies: dict[str, str] = {}
    for name in TITLES:
        lines = known.soul if name == SOUL else _lines(sections.get(name, ""))
        fitting: list[str] = []
        for line in lines:
            if desk.tokens(section(name, [*fitting, line])) <= left:
                fitting.append(line)
        if fitting:
            bodies[name] = section(name, fitting)
            left -= desk.tokens(bodies[name])
    return bodies


def _lines(text: str) -> list[str]:
    """Items of a section that a mind wrote: without headings, bullets and anything of ours that it imitates."""
    kept = (defused(harmless(line)).strip().lstrip("-*•").strip() for line in text.splitlines())
    return [line for line in kept if line and not line.startswith("#")]


def _put(desk: Desk, unit: Unit, sections: Mapping[str, str]) -> None:
    if unit.agents.get() is not None:
        unit.portraits.put(sections, desk.clock())


def _written(desk: Desk, agent_id: str, bodies: Mapping[str, str]) -> list[str]:
    """Brings the file up to date, beside whoever edits it; and what is to be told."""
    file = desk.soul_file
    if file is None:
        return []
    for _ in range(_TRIES):
        existing = file.read(agent_id)
        new = merged(existing, agent_id, bodies)
        if new.owner is not None:
            return [
                f"soul.md was not written: the file is agent {new.owner!r}'s; put {{agent}} into soul_path"
            ]
        if new.text == existing or file.write(agent_id, new.text, instead_of=existing):
            notes = [
                f"soul.md: the section {name!r} was changed by hand; your text stands below it"
                for name in new.aside
            ]
            if new.strays:
                notes.append(
                    f"soul.md: {new.strays} markers had lost their other end; the text there is yours now"
                )
            return notes
    return ["soul.md was not written: somebody else is writing it"]
