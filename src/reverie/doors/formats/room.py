"""Messages of one conversation and channel, as a file has them."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.domain.message import Message


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """What goes into one ``observe``: the messages of one conversation in their order, every one checked."""

    conversation: str
    channel: str
    messages: tuple[Message, ...]
