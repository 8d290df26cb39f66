"""How far a text is trusted, by who said it and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reverie.domain.gist import Gist
from reverie.domain.memory import Memory, Origin
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust, least_trusted


def source_trust(
    role: Role,
    channel: str,
    speaker: str | None,
    *,
    agent_id: str,
    principals: Iterable[str],
    table: Mapping[str, SourceTrust],
) -> SourceTrust:
    """Return the trust of an utterance.

    Tool output is external wherever it appears, what the agent or the system says is the agent's. A user is
    what ``table`` says of the channel (unlisted: external); where the agent names its principals, a user on
    a principals' channel who is not among them is other.
    """
    if role is Role.TOOL:
        return SourceTrust.EXTERNAL
    of_channel = table.get(channel, SourceTrust.EXTERNAL)
    if of_channel is SourceTrust.EXTERNAL:
        return SourceTrust.EXTERNAL
    if role is Role.AGENT and of_channel is SourceTrust.OTHER and speaker not in (None, agent_id):
        return SourceTrust.OTHER
    if role in (Role.AGENT, Role.SYSTEM):
        return SourceTrust.AGENT
    named = tuple(principals)
    if named and of_channel is SourceTrust.PRINCIPAL and speaker not in named:
        return SourceTrust.OTHER
    if named and of_channel is SourceTrust.OTHER and speaker in named:
        return SourceTrust.PRINCIPAL
    return of_channel


def derived_trust(given: SourceTrust | None, sources: Iterable[SourceTrust]) -> SourceTrust:
    """Return the trust of a memory: the least of its sources and of what the caller said; with neither, the
    agent's own word.
    """
    known = [*sources, *([given] if given is not None else [])]
    return least_trusted(known) if known else SourceTrust.AGENT


def may_instruct(memory: Memory | Gist) -> bool:
    """Return whether a memory may steer the agent: a principal's word, or the agent's own conscious commit; nothing
    else, and nothing whose wording waits for approval.
    """
    return not memory.needs_review and instructs(memory.source_trust, memory.origin)


def is_own(memory: Memory) -> bool:
    """Return whether it speaks for the agent: no neural link brought it, or it was adopted."""
    return memory.learned_from is None or memory.source_trust is SourceTrust.PRINCIPAL


def instructs(trust: SourceTrust, origin: Origin) -> bool:
    """Return ``may_instruct`` of a memory to be whose wording nothing doubts, by the two things that decide it."""
    return trust is SourceTrust.PRINCIPAL or (trust is SourceTrust.AGENT and origin is Origin.COMMIT)
