"""A client that looks like the one that it wraps, and remembers around each call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from functools import partial, wraps
from types import TracebackType
from typing import Any, TypeVar, cast

from reverie.agent.wrapping.apis import CHAT, MESSAGES, RESPONSES, Api
from reverie.agent.wrapping.following import (
    Following,
    FollowingChat,
    FollowingMessages,
    FollowingResponses,
    tapped,
)
from reverie.agent.wrapping.memory import Memory, Remembering
from reverie.domain.ask import checked_whole
from reverie.domain.ids import checked_name
from reverie.domain.text import checked_switch
from reverie.errors import InvalidInput
from reverie.errors.showing import typed

Client = TypeVar("Client")
_MOST_TOKENS = 10**9
_SAME = ("with_options", "copy")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Resource:
    """A resource of a client whose calls are remembered."""

    api: Api
    following: Callable[[], Following]


_CHAT = _Resource(api=CHAT, following=FollowingChat)
_RESPONSES = _Resource(api=RESPONSES, following=FollowingResponses)
_MESSAGES = _Resource(api=MESSAGES, following=FollowingMessages)
_OPENAI: Mapping[str, _Resource] = {
    "chat.completions": _CHAT,
    "beta.chat.completions": _CHAT,
    "responses": _RESPONSES,
}
_ANTHROPIC: Mapping[str, _Resource] = {"messages": _MESSAGES, "beta.messages": _MESSAGES}


def wrapped(
    client: Client, agent: Callable[[], Remembering], *, conversation: str, speaker: str | None, max_tokens: int | None,
    observe: bool, context: bool,
) -> Client:  # fmt: skip
    """Return the client with an agent's memory around its calls. Raise InvalidInput."""
    kinds = {(kind.__module__.partition(".")[0], kind.__name__) for kind in type(client).__mro__}
    package = next((name for name, base in kinds if base in ("SyncAPIClient", "AsyncAPIClient")), None)
    if package not in ("openai", "anthropic"):
        raise InvalidInput(
            "client",
            f"{typed(client)} is no client of openai or anthropic",
            "give OpenAI(), AsyncAnthropic() …",
        )
    if max_tokens is not None:
        checked_whole(max_tokens, "max_tokens", 1, _MOST_TOKENS)
    memory = Memory(
        agent=agent, conversation=checked_name(conversation, "conversation"),
        speaker=None if speaker is None else checked_name(speaker, "speaker"), max_tokens=max_tokens,
        observes=checked_switch(observe, "observe"), gives=checked_switch(context, "context"),
    )  # fmt: skip
    around = _Around(
        memory=memory, resources=_OPENAI if package == "openai" else _ANTHROPIC,
        is_async=(package, "AsyncAPIClient") in kinds,
    )  # fmt: skip
    return cast(Client, _Seen(client, around, ""))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Around:
    """What is done around a client's calls, by the path of a resource."""

    memory: Memory
    resources: Mapping[str, _Resource]
    is_async: bool

    def seen(self, inner: Any, path: str) -> Any:
        """Return an attribute of the client or of a resource as the wrapped client has it."""
        owner, _, name = path.rpartition(".")
        if not owner and name in _SAME:
            return wraps(inner)(lambda *args, **given: _Seen(inner(*args, **given), self, ""))
        if owner in self.resources and name in ("create", "parse", "stream"):
            resource = self.resources[owner]
            if name == "stream":
                manager = _AsyncStreaming if self.is_async else _Streaming
                return wraps(inner)(partial(manager, inner, resource, self.memory))
            call = _awaited if self.is_async else _called
            return wraps(inner)(partial(call, inner, resource, self.memory))
        leads = any(known == path or known.startswith(f"{path}.") for known in self.resources)
        return _Seen(inner, self, path) if leads else inner


class _Seen:
    """A client, or a resource on the way to one that is remembered: it has the type and the attributes of its own."""

    __slots__ = ("_reverie_around", "_reverie_inner", "_reverie_path")

    def __init__(self, inner: Any, around: _Around, path: str) -> None:
        for name, value in (("inner", inner), ("around", around), ("path", path)):
            object.__setattr__(self, f"_reverie_{name}", value)

    @property  # type: ignore[misc]  # isinstance asks for it
    def __class__(self) -> Any:
        return type(self._reverie_inner)

    def __getattr__(self, name: str) -> Any:
        path = f"{self._reverie_path}.{name}" if self._reverie_path else name
        return self._reverie_around.seen(getattr(self._reverie_inner, name), path)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._reverie_inner, name, value)

    def __dir__(self) -> list[str]:
        return dir(self._reverie_inner)

    def __repr__(self) -> str:
        return repr(self._reverie_inner)

    def __enter__(self) -> Any:
        self._reverie_inner.__enter__()
        return self

    def __exit__(self, *why: Any) -> Any:
        return self._reverie_inner.__exit__(*why)

    async def __aenter__(self) -> Any:
        await self._reverie_inner.__aenter__()
        return self

    async def __aexit__(self, *why: Any) -> Any:
        return await self._reverie_inner.__aexit__(*why)


def _called(
    inner: Callable[..., Any], resource: _Resource, memory: Memory, /, *args: Any, **call: Any
) -> Any:
    call = memory.enriched(resource.api, call)
    answer = inner(*args, **call)
    if call.get("stream") is True:
        tapped(answer, resource.following(), partial(memory.keep, resource.api, call))
    else:
        memory.keep(resource.api, call, partial(resource.api.said, answer))
    return answer


async def _awaited(
    inner: Callable[..., Any], resource: _Resource, memory: Memory, /, *args: Any, **call: Any
) -> Any:
    call = await asyncio.to_thread(memory.enriched, resource.api, call)
    answer = await inner(*args, **call)
    if call.get("stream") is True:
        tapped(answer, resource.following(), partial(memory.keep, resource.api, call))
    else:
        await asyncio.to_thread(memory.keep, resource.api, call, partial(resource.api.said, answer))
    return answer


class _Streaming(AbstractContextManager[Any]):
    """What ``stream`` returns: the call is made where the ``with`` begins."""

    def __init__(
        self, inner: Callable[..., Any], resource: _Resource, memory: Memory, /, *args: Any, **call: Any
    ) -> None:
        self._inner, self._resource, self._memory, self._args, self._call = (
            inner,
            resource,
            memory,
            args,
            call,
        )
        self._manager: Any = None

    def __enter__(self) -> Any:
        call = self._memory.enriched(self._resource.api, self._call)
        self._manager = self._inner(*self._args, **call)
        stream = self._manager.__enter__()
        _tap_helper(stream, self._resource, partial(self._memory.keep, self._resource.api, call))
        return stream

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Any:
        return self._manager.__exit__(kind, error, trace)


class _AsyncStreaming(AbstractAsyncContextManager[Any]):
    """``_Streaming`` for asyncio."""

    def __init__(
        self, inner: Callable[..., Any], resource: _Resource, memory: Memory, /, *args: Any, **call: Any
    ) -> None:
        self._inner, self._resource, self._memory, self._args, self._call = (
            inner,
            resource,
            memory,
            args,
            call,
        )
        self._manager: Any = None

    async def __aenter__(self) -> Any:
        call = await asyncio.to_thread(self._memory.enriched, self._resource.api, self._call)
        self._manager = self._inner(*self._args, **call)
        stream = await self._manager.__aenter__()
        _tap_helper(stream, self._resource, partial(self._memory.keep, self._resource.api, call))
        return stream

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Any:
        return await self._manager.__aexit__(kind, error, trace)


def _tap_helper(stream: Any, resource: _Resource, keep: Any) -> None:
    """Follow the stream that a helper reads."""
    tapped(getattr(stream, "_raw_stream", stream), resource.following(), keep)
