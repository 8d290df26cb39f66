"""A client that looks like the one that it wraps, and remembers around each call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, TypeVar, cast

from reverie.agent.wrapping.apis import CHAT, MESSAGES, RESPONSES, Api, Call
from reverie.agent.wrapping.following import tapped
from reverie.agent.wrapping.memory import Memory, Remembering
from reverie.domain.ask import MAX_BUDGET, checked_whole
from reverie.domain.ids import checked_name
from reverie.domain.text import checked_switch
from reverie.errors import InvalidInput
from reverie.errors.showing import typed

Client = TypeVar("Client")
_SAME = ("with_options", "copy")


_OPENAI: Mapping[str, Api] = {"chat.completions": CHAT, "beta.chat.completions": CHAT, "responses": RESPONSES}
_ANTHROPIC: Mapping[str, Api] = {"messages": MESSAGES, "beta.messages": MESSAGES}


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
        checked_whole(max_tokens, "max_tokens", 1, MAX_BUDGET)
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
    resources: Mapping[str, Api]
    is_async: bool

    def seen(self, inner: Any, path: str) -> Any:
        """Return an attribute of the client or of a resource as the wrapped client has it."""
        owner, _, name = path.rpartition(".")
        if not owner and name in _SAME:
            return wraps(inner)(lambda *args, **given: _Seen(inner(*args, **given), self, ""))
        api = self.resources.get(owner)
        around = _AROUND.get((name, self.is_async))
        if api is not None and around is not None:
            return wraps(inner)(partial(around, inner, api, self.memory))
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


def _called(inner: Callable[..., Any], api: Api, memory: Memory, /, *args: Any, **call: Any) -> Any:
    call = memory.enriched(api, call)
    answer = inner(*args, **call)
    if call.get("stream") is True:
        _follow(answer, api, memory, call)
    else:
        memory.keep(api, call, partial(api.said, answer))
    return answer


async def _awaited(inner: Callable[..., Any], api: Api, memory: Memory, /, *args: Any, **call: Any) -> Any:
    call = await asyncio.to_thread(memory.enriched, api, call)
    answer = await inner(*args, **call)
    if call.get("stream") is True:
        _follow(answer, api, memory, call)
    else:
        await asyncio.to_thread(memory.keep, api, call, partial(api.said, answer))
    return answer


@contextmanager
def _streaming(
    inner: Callable[..., Any], api: Api, memory: Memory, /, *args: Any, **call: Any
) -> Iterator[Any]:
    call = memory.enriched(api, call)
    with inner(*args, **call) as stream:
        _follow(stream, api, memory, call)
        yield stream


@asynccontextmanager
async def _streaming_async(
    inner: Callable[..., Any], api: Api, memory: Memory, /, *args: Any, **call: Any
) -> AsyncIterator[Any]:
    call = await asyncio.to_thread(memory.enriched, api, call)
    async with inner(*args, **call) as stream:
        _follow(stream, api, memory, call)
        yield stream


def _follow(stream: Any, api: Api, memory: Memory, call: Call) -> None:
    """Follow a stream, or the one that a helper reads."""
    tapped(getattr(stream, "_raw_stream", stream), api.following(), partial(memory.keep, api, call))


_AROUND: Mapping[tuple[str, bool], Callable[..., Any]] = {
    ("create", False): _called,
    ("create", True): _awaited,
    ("parse", False): _called,
    ("parse", True): _awaited,
    ("stream", False): _streaming,
    ("stream", True): _streaming_async,
}
"""What is done around a method, by its name and whether it is asynchronous."""
