"""Connecting: a provider's model as pydantic-ai speaks to it, over a connection that we keep in hand.

Imported when a model is first asked, since pydantic-ai takes seconds to import. The clients get everything from us: no
server's address from the environment, no retries of their own (each call is counted), no redirects; and none but the
key that belongs to the server.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import httpx2
from pydantic_ai.models import Model

from reverie.minds.llm.access import Access

Connect = Callable[[Access], AbstractAsyncContextManager[Model]]
MOST_BYTES = 4 << 20
"""A longer answer is cut off and fails."""
_NO_KEY = "none"
"""Clients want a key even where the server wants none."""


class TooLong(httpx2.HTTPError):
    """The server sends more than anybody asked for."""


class _Bounded(httpx2.AsyncByteStream):
    """A response's bytes, up to ``MOST_BYTES``."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for part in self._stream:
            seen += len(part)
            if seen > MOST_BYTES:
                raise TooLong("the answer is longer than any that was asked for")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    """A packed answer could grow without end: none was asked for, so none is read."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise TooLong("the answer is packed, and may be of any length")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream)


@asynccontextmanager
async def connected(access: Access) -> AsyncIterator[Model]:
    """The model; its connections are closed afterwards. To a server on this machine no proxy leads."""
    client = httpx2.AsyncClient(
        timeout=httpx2.Timeout(access.seconds, connect=min(10.0, access.seconds)),
        trust_env=not access.place.is_here,
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [_bound]},
        follow_redirects=False,
    )
    async with client:
        yield _model(access, client)


def _model(access: Access, client: httpx2.AsyncClient) -> Model:
    match access.place.provider:
        case "anthropic":
            return _anthropic(access, client)
        case "google":
            return _google(access, client)
        case "openai" | "openai-chat" | "ollama":
            return _openai(access, client)


def _anthropic(access: Access, client: httpx2.AsyncClient) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    sdk = AsyncAnthropic(
        api_key=access.key or _NO_KEY, base_url=access.place.url, http_client=client, max_retries=0
    )
    sdk.auth_token = None  # of the environment: this server's key is the one that we were given
    return AnthropicModel(access.place.name, provider=AnthropicProvider(anthropic_client=sdk))


def _google(access: Access, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=access.key or _NO_KEY, base_url=access.place.url, http_client=client)
    return GoogleModel(access.place.name, provider=provider)


def _openai(access: Access, client: httpx2.AsyncClient) -> Model:
    from openai import AsyncOpenAI
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel, OpenAIResponsesModelSettings
    from pydantic_ai.profiles import ModelProfile, merge_profile
    from pydantic_ai.providers.ollama import OllamaProvider
    from pydantic_ai.providers.openai import OpenAIProvider

    place = access.place
    sdk = AsyncOpenAI(api_key=access.key or _NO_KEY, base_url=place.url, http_client=client, max_retries=0)
    if place.provider == "ollama":
        return OllamaModel(place.name, provider=OllamaProvider(openai_client=sdk))
    provider = OpenAIProvider(openai_client=sdk)
    if place.provider == "openai":
        # Else OpenAI keeps question and answer for a month.
        return OpenAIResponsesModel(
            place.name, provider=provider, settings=OpenAIResponsesModelSettings(openai_store=False)
        )
    if place.is_own:
        return OpenAIChatModel(place.name, provider=provider)
    # Some compatible servers refuse all of these modes; the answer is read out of plain text as well.
    plain = ModelProfile(
        supports_json_schema_output=False, supports_json_object_output=False, supports_tools=False
    )
    profile = merge_profile(provider.model_profile(place.name), plain)
    return OpenAIChatModel(place.name, provider=provider, profile=profile)
