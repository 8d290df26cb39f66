"""Prepare the messages of a turn: whose word each is, when it was said, and how a model reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.agent import Agent
from reverie.domain.message import Message, Role
from reverie.domain.room import ROOM_CHANNEL
from reverie.domain.settings import Settings
from reverie.domain.time import to_utc, zone_of
from reverie.domain.trust import SourceTrust
from reverie.domain.working import Turn
from reverie.memory.prompt import label_of, without_own_block
from reverie.memory.quoting import defused, shown_name
from reverie.memory.trust import source_trust
from reverie.services.runtime import placed

_API_ROLES = {Role.AGENT: "assistant"}


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnMessage:
    """One message of a turn. ``time`` is None where the caller gave none; ``place`` is that among what was given."""

    place: int
    message: Message
    time: datetime | None
    trust: SourceTrust
    turn: Turn


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """What was said so far. ``prompt``: the system messages that stand before all others, as one text, without what
    an earlier window put there. ``asking``: the place in ``said`` of the latest message in role user; None for none.
    """

    prompt: str
    said: tuple[TurnMessage, ...]
    asking: int | None

    @property
    def task(self) -> str | None:
        """What the user said last."""
        return None if self.asking is None else self.said[self.asking].message.content


def history_of(messages: Sequence[Message], agent: Agent, settings: Settings, channel: str) -> History:
    """Return the messages as the agent reads them that were said on ``channel``. Raise InvalidInput for a wrong
    time.
    """
    leading = next(
        (place for place, one in enumerate(messages) if one.role is not Role.SYSTEM), len(messages)
    )
    prompts = [without_own_block(one.content) for one in messages[:leading]]
    zone = zone_of(agent.time_zone)
    said = []
    for place, message in enumerate(messages[leading:], leading):
        trust = source_trust(
            message.role, channel, message.speaker,
            agent_id=agent.id, principals=agent.principals, table=settings.channel_trust,
        )  # fmt: skip
        at = placed("messages", place, len(messages))
        time = None if message.time is None else to_utc(message.time, zone=zone, field=at + "time")
        turn = _turn(message, trust, named=channel == ROOM_CHANNEL and message.role is Role.USER)
        said.append(TurnMessage(place=place, message=message, time=time, trust=trust, turn=turn))
    asking = next(
        (place for place in range(len(said) - 1, -1, -1) if said[place].message.role is Role.USER), None
    )
    return History(prompt="\n\n".join(part for part in prompts if part), said=tuple(said), asking=asking)


def _turn(message: Message, trust: SourceTrust, *, named: bool) -> Turn:
    """Return how a model reads it. To a chat API a tool's role says by itself that its words come from outside; of
    several people in a room it knows only one role, so there the name stands in the text (``named``).
    """
    role = _API_ROLES.get(message.role, message.role.value)
    mark = label_of(trust)
    speaker = shown_name(message.speaker)
    label = f"{role} {speaker}".strip()
    content = defused(message.content)
    if message.role is Role.TOOL:
        return Turn(role=role, content=content, label=f"{label} {mark}".strip())
    if named and speaker:
        return Turn(role=role, content=f"{mark}{speaker}: {content}", label=role)
    return Turn(role=role, content=f"{mark}{content}", label=label)
