"""Messages that come one by one, as talks of bounded length."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from reverie.domain.message import Message
from reverie.services.exchange.foreign.documents import SUFFIXES
from reverie.services.exchange.foreign.fields import name
from reverie.services.exchange.foreign.items import Talk

_AT_ONCE = 500


class Run:
    """The messages of one conversation since the last talk."""

    def __init__(self, channel: str) -> None:
        self.channel = channel
        self._conversation = ""
        self._held: list[Message] = []

    def add(self, conversation: str, message: Message) -> Iterator[Talk]:
        """Take a message; yield the talk before it where that has ended or is long enough."""
        if conversation != self._conversation or len(self._held) >= _AT_ONCE:
            yield from self.rest()
            self._conversation = conversation
        self._held.append(message)

    def rest(self) -> Iterator[Talk]:
        """Yield what is held."""
        if self._held:
            yield Talk(conversation=self._conversation, channel=self.channel, messages=self._held)
        self._held = []

    @staticmethod
    def unnamed(file: str) -> str:
        """Return a name for the conversation of a file that names none: the file's own, without folder and suffix."""
        path = PurePosixPath(file)
        return name(path.stem if path.suffix.lower() in SUFFIXES else path.name) or "unnamed"
