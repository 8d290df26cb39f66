"""show: one memory or message, with all that hangs on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch

if TYPE_CHECKING:
    from reverie.client import Agent


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "show")(show)


def show(
    door: Door, id: Annotated[str, typer.Argument(metavar="ID", help="Of a memory or an episode.")]
) -> Code:
    """Show a memory with its history, sources, connections and audit log, or a message.

    For example:
      reverie show 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e

    Looking touches nothing. Exit code 1 if there is no such id.
    """
    with door.agent_opened() as agent:
        found = agent.get(id)
        if isinstance(found, Episode):
            return _episode(door, found, Watch.of(agent))
        return _memory(door, agent, id)


def _learned(memory: Memory) -> str:
    return "" if memory.learned_from is None else f", learned from {memory.learned_from}"


def _memory(door: Door, agent: Agent, id: str) -> Code:
    portrait = agent.portrait(id)
    if door.out.as_json:
        door.out.document(portrait)
        return Code.DONE
    memory, watch = portrait.memory, Watch.of(agent)
    rows = [
        ("id", memory.id),
        ("essence", memory.essence),
        ("emotions", words.emotions(memory)),
        ("importance", words.importance(memory)),
        ("lesson", words.lesson(memory)),
        ("kind", f"{memory.kind}, priority {memory.priority}"),
        ("confidence", f"{portrait.confidence_now:.2f} now, {memory.confidence:.2f} when written"),
        ("activation", f"{portrait.activation_now:.2f}"),
        (
            "state",
            ", ".join(
                [
                    memory.state.value,
                    *(fact for fact in tables.standing(memory, watch) if fact != memory.state.value),
                ]
            ),
        ),
        ("recalled", words.counted(memory.touches, "time")),
        ("origin", f"{memory.origin}, source {memory.source_trust}{_learned(memory)}"),
        ("scope", words.listed(memory.scope) if memory.scope else "everywhere"),
        ("tags", words.listed(memory.tags)),
        ("topics", words.listed(memory.topics)),
        ("entities", words.listed(memory.entities)),
        ("learned", watch.ago(memory.created_at)),
        ("believed since", watch.time(memory.believed_from)),
        ("valid", f"{watch.day(memory.valid_from)} to {watch.day(memory.valid_to)}"),
        *(
            (f"wording {old.version}", f"{old.essence} (believed until {watch.time(old.believed_to)})")
            for old in portrait.versions
        ),
        *(
            ("connection", f"{edge.relation} {edge.target if edge.source == id else edge.source}")
            for edge in portrait.connections
        ),
        *(
            ("source", f"{tables.who(episode)}: {episode.content} ({episode.id})")
            for episode in portrait.sources
        ),
        *(
            ("changed", f"{watch.time(entry.at)} {entry.action} by {entry.actor}{_why(entry.reason)}")
            for entry in portrait.audit
        ),
    ]
    door.out.show(tables.pairs(rows))
    return Code.DONE


def _why(reason: str | None) -> str:
    return f" ({reason})" if reason else ""


def _episode(door: Door, episode: Episode, watch: Watch) -> Code:
    if door.out.as_json:
        door.out.document({"episode": episode})
        return Code.DONE
    meta = episode.metadata
    rows = [
        ("id", episode.id),
        ("said", episode.content),
        ("by", f"{tables.who(episode)} (role {episode.role}, source {episode.source_trust})"),
        ("when", watch.ago(episode.time)),
        ("where", f"{episode.conversation}, place {episode.position}, channel {episode.channel}"),
        ("ref", episode.ref or "–"),
        ("outcome", episode.outcome or "–"),
        ("tags", words.listed(episode.tags)),
        ("topics", words.listed(meta.topics)),
        ("entities", words.listed(meta.entities)),
    ]
    door.out.show(tables.pairs(rows))
    return Code.DONE
