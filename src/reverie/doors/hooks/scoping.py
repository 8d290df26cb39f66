"""What holds in one project alone: memories that come from its sessions get its folder as their scope."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reverie.client import Agent
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.errors import NotFound

OF_THE_PERSON = frozenset(
    {Kind.PREFERENCE, Kind.POLICY, Kind.SKILL, Kind.ROUTINE, Kind.RELATIONSHIP, Kind.EMOTIONAL}
)
"""Kinds that tell of the person, or rule for the agent: they hold in every project."""

_MOST_TWINS = 20

Globs = Callable[[str], str | None]
"""Gives the scope of a conversation's project, None where it has none."""


def scope(agent: Agent, ids: Iterable[str], glob_of: Globs) -> None:
    """Give each of these memories the folders of the projects whose sessions tell it.

    What tells of the person, what rests on anything else too, and what has a scope that somebody chose stays as it is.
    """
    for id in dict.fromkeys(ids):
        try:
            memory = agent.get(id)
        except NotFound:  # forgotten meanwhile
            continue
        if isinstance(memory, Memory) and memory.kind not in OF_THE_PERSON and memory.source_episodes:
            _scope(agent, memory, glob_of)


def _scope(agent: Agent, memory: Memory, glob_of: Globs) -> None:
    globs = {glob_of(episode.conversation) for episode in agent.jobs.sources(memory.source_episodes)}
    found = tuple(sorted(glob for glob in globs if glob is not None))
    if None in globs or not found or not set(memory.scope) <= set(found) or memory.scope == found:
        return
    if not _confirmed(agent, memory, found):
        agent.revise(memory.id, scope=found, reason="what a project's sessions tell holds there")


def _confirmed(agent: Agent, memory: Memory, scope: tuple[str, ...]) -> bool:
    """Have the project's own memory of the same words stand for this one, where it has one: only memories of the same
    scope count as duplicates, and this one was born without.
    """
    found = agent.memories(match=memory.essence, kinds=memory.kind, limit=_MOST_TWINS)
    if not any(one.id != memory.id and one.scope == scope and one.essence == memory.essence for one in found):
        return False
    agent.remember(
        memory.essence, kind=memory.kind, scope=scope, source_episodes=memory.source_episodes,
        source_trust=memory.source_trust, origin=memory.origin, supersedes=[memory.id],
    )  # fmt: skip
    return True
