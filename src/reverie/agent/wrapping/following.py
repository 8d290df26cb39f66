"""Follow a stream, and put the answer together from its events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Protocol

_log = logging.getLogger("reverie.wrap")


class Following(Protocol):
    """Takes in a stream's events."""

    def add(self, event: Any) -> bool:
        """Take in an event. Return whether it is the last one."""

    def said(self) -> Sequence[object]:
        """Return the answer's messages, as ``observe`` takes them."""


class FollowingChat:
    """Chunks of OpenAI's Chat, of the first choice."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {"content": [], "refusal": []}
        self._calls: dict[int, dict[str, Any]] = {}

    def add(self, event: Any) -> bool:
        """Take in a chunk. A chunk with the usage may come behind the last words."""
        for choice in event.choices or ():
            if choice.index == 0 and choice.delta is not None:
                for name, texts in self._texts.items():
                    texts.append(getattr(choice.delta, name, None) or "")
                for call in choice.delta.tool_calls or ():
                    self._add_call(call)
        return False

    def _add_call(self, part: Any) -> None:
        call = self._calls.setdefault(part.index, {"id": None, "function": {"name": "", "arguments": ""}})
        call["id"] = part.id or call["id"]
        if part.function is not None:
            call["function"]["name"] += part.function.name or ""
            call["function"]["arguments"] += part.function.arguments or ""

    def said(self) -> Sequence[object]:
        """Return the answer as one message."""
        calls = [self._calls[index] for index in sorted(self._calls)]
        texts = {name: "".join(parts) for name, parts in self._texts.items()}
        return [{"role": "assistant", "tool_calls": calls, **texts}]


class FollowingResponses:
    """Events of OpenAI's Responses."""

    def __init__(self) -> None:
        self._items: list[object] = []

    def add(self, event: Any) -> bool:
        """Take in an event."""
        if event.type == "response.output_item.done":
            self._items.append(event.item)
        return event.type in ("response.completed", "response.incomplete")

    def said(self) -> Sequence[object]:
        """Return the items that are whole."""
        return self._items


class FollowingMessages:
    """Events of Anthropic's Messages."""

    def __init__(self) -> None:
        self._id: str | None = None
        self._blocks: dict[int, dict[str, Any]] = {}

    def add(self, event: Any) -> bool:
        """Take in an event."""
        if event.type == "message_start":
            self._id = event.message.id
        elif event.type == "content_block_start":
            self._blocks[event.index] = {**dict(event.content_block), "partial_json": ""}
        elif event.type == "content_block_delta" and event.delta.type in _DELTAS:
            name = _DELTAS[event.delta.type]
            self._blocks[event.index][name] += getattr(event.delta, name)
        elif event.type == "content_block_delta" and event.delta.type == "citations_delta":
            self._blocks[event.index]["citations"] = [event.delta.citation]
        return bool(event.type == "message_stop")

    def said(self) -> Sequence[object]:
        """Return the answer as one message."""
        blocks = [self._blocks[index] for index in sorted(self._blocks)]
        for block in blocks:
            if block["partial_json"]:
                block["input"] = block["partial_json"]
        return [{"role": "assistant", "content": blocks, "id": self._id}]


_DELTAS = {"text_delta": "text", "input_json_delta": "partial_json"}
_EVENTS = "_iterator"
"""What both packages' streams draw their events from."""

Keep = Callable[[Callable[[], Sequence[object]]], None]
"""Stores what a function returns."""


def tapped(stream: Any, following: Following, keep: Keep) -> None:
    """Let ``keep`` store the stream's answer when it has ended, before its last event is handed on.

    The stream stays the package's own object.
    """
    events: Any = getattr(stream, _EVENTS, None)
    if hasattr(events, "__anext__"):
        setattr(stream, _EVENTS, _following_async(events, following, keep))
    elif hasattr(events, "__next__"):
        setattr(stream, _EVENTS, _following(events, following, keep))
    else:
        _log.warning("the answer isn't observed: %s is no stream that is known", type(stream).__name__)


def _add(following: Following, event: Any) -> bool | None:
    """Return whether it was the last event; None for one of a shape that nobody foresaw."""
    try:
        return following.add(event)
    except (AttributeError, KeyError, TypeError):
        return None


def _following(events: Iterator[Any], following: Following, keep: Keep) -> Iterator[Any]:
    is_kept = False
    for event in events:
        if _add(following, event) and not is_kept:
            is_kept = True
            keep(following.said)
        yield event
    if not is_kept:
        keep(following.said)


async def _following_async(
    events: AsyncIterator[Any], following: Following, keep: Keep
) -> AsyncIterator[Any]:
    is_kept = False
    async for event in events:
        if _add(following, event) and not is_kept:
            is_kept = True
            await asyncio.to_thread(keep, following.said)
        yield event
    if not is_kept:
        await asyncio.to_thread(keep, following.said)
