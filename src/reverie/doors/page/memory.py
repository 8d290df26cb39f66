"""Memory: one memory with its quotation in its conversation, its history and links; and what can be done to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from reverie.client import Agent
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Connection, Memory
from reverie.domain.outcome import Forgot
from reverie.doors.page.frame import View, commas, missing, slip_of
from reverie.doors.page.marking import Pieces, differences, marked
from reverie.errors import InvalidInput, NotFound

_MOST_SOURCES = 6
_MOST_LINKS = 30
_AROUND = 2
_MOST_TOLD = 30
REVIEW = "review"
_LABELS = ("tags", "topics", "entities", "scope")


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A message, in pieces; ``about``: whether a memory rests on it, or it only stands beside one that does."""

    episode: Episode
    pieces: Pieces
    about: bool


def show(view: View) -> Response:
    """Show one memory with all that hangs on it."""
    portrait = view.agent.portrait(_memory(view).id)
    memory = portrait.memory
    later = [*(one.essence for one in portrait.versions), memory.essence][1:]
    changes = [
        (old, differences(old.essence, new)) for old, new in zip(portrait.versions, later, strict=True)
    ]
    return view.page(
        "memory.html", portrait=portrait, memory=memory, by=_found(view.agent, memory.superseded_by),
        passages=_passages(view.agent, portrait.sources[:_MOST_SOURCES], memory),
        more_sources=max(0, len(portrait.sources) - _MOST_SOURCES), changes=changes[::-1],
        links=_links(view.agent, portrait.connections, memory),
    )  # fmt: skip


def edit(view: View) -> Response:
    """Show the form for other values."""
    memory = _memory(view)
    return _form(view, memory, _values(memory), "")


def revise(view: View) -> Response:
    """Give it other values; what is refused stays in the form."""
    memory = _memory(view)
    before, given = _values(memory), {name: view.given(name) for name in _values(memory)}
    changed = {name: value for name, value in given.items() if value != before[name]}
    if not changed:
        return view.done("Nothing was changed.", *_back(view, memory))
    values: dict[str, Any] = {name: value for name, value in changed.items() if value and name not in _LABELS}
    values |= {name: commas(changed[name]) for name in _LABELS if changed.get(name)}
    emptied = [name for name in ("lesson", "importance", *_LABELS) if changed.get(name) == ""]
    try:
        if "importance" in values:
            values["importance"] = _share(changed["importance"])
        view.agent.revise(memory.id, clear=emptied, reason=view.given("reason") or None, **values)
    except InvalidInput as error:
        return _form(view, memory, given, slip_of(error))
    return view.done("It says so from now on. The former wording stays in the history.", *_back(view, memory))


def pin(view: View) -> Response:
    """Pin it, or no longer."""
    memory = _memory(view)
    view.agent.revise(memory.id, pinned=not memory.pinned)
    words = "It is no longer pinned." if memory.pinned else "It is pinned: nothing archives or summarizes it."
    return view.done(words, "memories", memory.id)


def approve(view: View) -> Response:
    """Approve its wording."""
    memory = view.agent.approve(_memory(view).id)
    return view.done("Its wording is approved.", "memories", memory.id)


def adopt(view: View) -> Response:
    """Trust it as a principal's word."""
    memory = _memory(view)
    view.agent.adopt(memory.id)
    return view.done("It is trusted from now on.", "memories", memory.id)


def ask_forget(view: View) -> Response:
    """Say what will go."""
    portrait = view.agent.portrait(_memory(view).id)
    return view.page("memory_forget.html", portrait=portrait, memory=portrait.memory, origin=_origin(view))


def forget(view: View) -> Response:
    """Forget it, and show the receipt."""
    return receipt(view, view.agent.forget(_memory(view).id))


def _origin(view: View) -> str:
    """Return from which page somebody came, where that is where they go on."""
    return REVIEW if REVIEW in (view.asked("from"), view.given("from")) else ""


def _back(view: View, memory: Memory) -> Sequence[str]:
    return (REVIEW,) if _origin(view) else ("memories", memory.id)


def receipt(view: View, done: Forgot) -> Response:
    """Show what went, and what may still tell of it."""
    told = [
        one
        for one in (_found(view.agent, id) for id in done.still_told[:_MOST_TOLD])
        if isinstance(one, Episode)
    ]
    return view.page(
        "receipt.html",
        done=done,
        still_told=told,
        origin=_origin(view),
        more=max(0, len(done.still_told) - _MOST_TOLD),
    )


def _memory(view: View) -> Memory:
    found = view.agent.get(view.value("id"))
    if not isinstance(found, Memory):
        raise missing("that is no memory")
    return found


def _found(agent: Agent, id: str | None) -> Memory | Episode | None:
    """Return what has that id; None where it is gone."""
    try:
        return None if id is None else agent.get(id)
    except NotFound:
        return None


def _passages(agent: Agent, sources: Sequence[Episode], memory: Memory) -> Sequence[Sequence[Said]]:
    """Return the messages that a memory rests on, among those around them; what lies side by side is one passage."""
    about = {one.id for one in sources}
    every = {one.id: one for source in sources for one in _around(agent, source)}
    order = sorted(every.values(), key=lambda one: (one.conversation, one.position, one.id))
    passages: list[list[Said]] = []
    for last, one in zip([None, *order], order, strict=False):
        quoted = memory.quoted is not None and memory.quoted.episode == one.id
        said = Said(
            episode=one, pieces=marked(one.content, [memory.essence] if quoted else ()), about=one.id in about
        )
        beside = (
            last is not None and last.conversation == one.conversation and one.position - last.position <= 1
        )
        passages = [*passages[:-1], [*passages[-1], said]] if beside else [*passages, [said]]
    return passages


def _around(agent: Agent, source: Episode) -> Sequence[Episode]:
    room = source.conversation
    try:
        before = agent.episodes(conversations=room, limit=_AROUND, after=source.id, newest_first=True)
        return [*before, source, *agent.episodes(conversations=room, limit=_AROUND, after=source.id)]
    except NotFound:  # forgotten meanwhile
        return [source]


def _links(agent: Agent, connections: Sequence[Connection], memory: Memory) -> Sequence[tuple[str, Memory]]:
    """Return (relation, the memory on the other end) of those that are there."""
    found = []
    for one in connections[:_MOST_LINKS]:
        out = one.source == memory.id
        other = _found(agent, one.target if out else one.source)
        if isinstance(other, Memory):
            found.append((one.relation if out else f"{one.relation} (from there)", other))
    return found


def _values(memory: Memory) -> dict[str, str]:
    """Return what the form has, as text."""
    return {
        "essence": memory.essence, "kind": memory.kind.value, "priority": memory.priority.value,
        "lesson": memory.lesson or "", "importance": "" if memory.importance is None else f"{memory.importance:g}",
        **{name: ", ".join(getattr(memory, name)) for name in _LABELS},
    }  # fmt: skip


def _form(view: View, memory: Memory, values: dict[str, str], slip: str) -> Response:
    return view.page(
        "memory_edit.html", status=422 if slip else 200, memory=memory, values=values, slip=slip, kinds=[*Kind],
        priorities=[*Priority], origin=_origin(view),
    )  # fmt: skip


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidInput("importance", f"{text!r:.40} is no number", "give one from 0 to 1") from None
