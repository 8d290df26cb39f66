"""A conversation as one of its participants has it, and what a summary stands for."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.message import Conversation
from reverie.domain.summary import Summary

ROOM_CHANNEL = "room"
"""The channel of what several people say to each other."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RoomView:
    """A conversation: ``live`` messages that no summary stands for, and ``closed`` ones, under ``summaries`` (memory
    ids). ``is_due``: the agent has more live messages in all than ``Settings.self_care.live_entries``, and this
    conversation's are among the oldest of them: self-care will close them.
    """

    conversation: Conversation
    live: int
    closed: int
    summaries: tuple[str, ...] = ()
    is_due: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Expanded:
    """What a summary stands for: ``memories``, or ``episodes``, in the order of time. ``memory``: its own."""

    summary: Summary
    memory: Memory
    memories: tuple[Memory, ...] = ()
    episodes: tuple[Episode, ...] = ()
