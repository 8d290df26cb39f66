"""What a wrapped client does around a call. It never breaks the call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from reverie.agent.wrapping.apis import Api, Call
from reverie.domain.block import ContextBlock
from reverie.domain.message import Message
from reverie.domain.outcome import Observed
from reverie.errors import RefConflict
from reverie.services.observe import checked_messages, signed

_log = logging.getLogger("reverie.wrap")


class Remembering(Protocol):
    """What a wrapped client needs of an agent."""

    def context(self, task: str | None = None, *, max_tokens: int | None = None) -> ContextBlock:
        """Return the context block for a task."""

    def observe(self, messages: Sequence[Message], *, conversation: str = "main") -> Observed:
        """Store messages."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """An agent's memory for the calls of a client. ``agent`` is asked for at each call, in the thread that works."""

    agent: Callable[[], Remembering]
    conversation: str
    speaker: str | None
    max_tokens: int | None
    observes: bool
    gives: bool

    def enriched(self, api: Api, call: Call) -> Call:
        """Return a call with the context of what its user said last. One without messages, which takes up an earlier
        answer, stays as it is.
        """
        call = api.settled(call)
        if not self.gives or api.given not in call:
            return call
        try:
            text = self.agent().context(api.task(call), max_tokens=self.max_tokens).text
            return api.with_context(call, text) if text else call
        except Exception as error:  # noqa: BLE001  # whatever fails here, the call goes on
            _tell("context", error)
            return call

    def keep(self, api: Api, call: Call, answer: Callable[[], Sequence[object]]) -> None:
        """Store what was said anew, and the answer that a function returns."""
        if not self.observes:
            return
        try:
            messages = [*signed(api.new(call), self.speaker), *checked_messages(list(answer()))]
            try:
                self.agent().observe(messages, conversation=self.conversation)
            except RefConflict:  # some servers count their ids anew with each start
                bare = [replace(one, ref=None) for one in messages]
                self.agent().observe(bare, conversation=self.conversation)
        except Exception as error:  # noqa: BLE001  # the caller has its answer
            _tell("observe", error)


def _tell(what: str, error: Exception) -> None:
    """Log that memory failed, without the error's message, which may quote what was said."""
    _log.warning("%s failed around a call: %s", what, type(error).__name__)
