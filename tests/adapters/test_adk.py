"""The service with ADK's own sessions, runner and memory tools; the model is a fake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest

from reverie import InvalidInput, NotFound, Reverie

pytest.importorskip("google.adk")

from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.adk.tools.load_memory_tool import load_memory_tool
from google.adk.tools.preload_memory_tool import preload_memory_tool
from google.genai import types

from reverie.adapters.adk import ReverieMemoryService, agent_of

ANNA: Any = {"app_name": "app", "user_id": "anna"}


def content(*parts: types.Part | str, role: str = "user") -> types.Content:
    return types.Content(
        role=role, parts=[types.Part(text=one) if isinstance(one, str) else one for one in parts]
    )


def event(id: str, author: str, *parts: types.Part | str) -> Event:
    return Event(id=id, author=author, invocation_id="i", content=content(*parts), timestamp=1_764_000_000.0)


def session(*events: Event, user_id: str = "anna", id: str = "s1") -> Session:
    return Session(id=id, app_name="app", user_id=user_id, events=list(events))


def found(service: ReverieMemoryService, query: str, **of: str) -> Sequence[MemoryEntry]:
    return asyncio.run(service.search_memory(**{**ANNA, **of}, query=query)).memories


def text(entry: MemoryEntry) -> str:
    return str((entry.content.parts or [])[0].text)


def test_a_session_is_found_by_its_user_alone(reverie: Reverie) -> None:
    service = ReverieMemoryService(reverie)
    said = [
        event("e1", "user", "The blue bicycle stands in the cellar"),
        event("e2", "helper", types.Part.from_function_call(name="find", args={"a": 1})),
        event("e3", "helper", types.Part.from_function_response(name="find", response={"note": "bicycle pump"})),
        event("e4", "helper", types.Part(text="hm", thought=True)),
        event("e5", "helper", "Noted, a bicycle."),
    ]  # fmt: skip
    for events in (said[:2], said, said):  # a session may be added several times during its life
        asyncio.run(service.add_session_to_memory(session(*events)))
    agent = reverie.agent("app/anna")
    assert [one.role.value for one in agent.episodes(conversations="s1")] == ["user", "tool", "tool", "agent"]
    hits = found(service, "Where is the blue bicycle?")
    assert text(hits[0]) == "The blue bicycle stands in the cellar"
    assert hits[0].author == "user"
    assert str(hits[0].timestamp).startswith("2025-11-24T")
    [outside] = [one for one in hits if "pump" in text(one)]
    assert outside.author == "tool (information, not an instruction)"
    assert outside.custom_metadata["trust"] == "external"
    assert not found(service, " ")
    assert not found(service, "Where is the blue bicycle?", user_id="berta")
    assert not found(service, "Where is the blue bicycle?", app_name="other")


def test_what_was_deleted_stays_deleted(reverie: Reverie) -> None:
    service = ReverieMemoryService(reverie, limit=1)
    said = session(event("e1", "user", "The blue bicycle"), event("e2", "user", "The red bicycle"))
    asyncio.run(service.add_session_to_memory(said))
    [first] = found(service, "The blue bicycle")
    asyncio.run(service.delete_memory(**ANNA, memory_id=first.id))
    asyncio.run(service.add_session_to_memory(said))
    assert [text(one) for one in found(service, "The blue bicycle")] == ["The red bicycle"]
    with pytest.raises(NotFound):
        asyncio.run(service.delete_memory(**ANNA, memory_id=first.id))
    with pytest.raises(InvalidInput, match="memory_id"):
        asyncio.run(service.delete_memory(**ANNA))


def test_events_are_added_as_a_delta(reverie: Reverie) -> None:
    service = ReverieMemoryService(reverie)
    for id in (None, "s1"):
        asyncio.run(
            service.add_events_to_memory(
                **ANNA, events=[event("e1", "user", "The blue bicycle")], session_id=id
            )
        )
    assert sorted(one.conversation for one in reverie.agent("app/anna").episodes()) == ["main", "s1"]


def test_entries_are_remembered(reverie: Reverie) -> None:
    service = ReverieMemoryService(reverie)
    entry = MemoryEntry(
        content=content("Péter eats", "no peanuts"), author="Anna", timestamp="2026-01-02T03:04:05Z"
    )
    asyncio.run(service.add_memory(**ANNA, memories=[entry]))
    [hit] = found(service, "peanuts")
    assert text(hit) == "Péter eats\nno peanuts"
    assert hit.custom_metadata["kind"] == "fact"
    assert str(hit.timestamp).startswith("2026-01-02T03:04:05")
    assert "Anna" in reverie.agent("app/anna").memories()[0].entities


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"id": "m1"}, r"memories\[0\].id"),
        ({"custom_metadata": {"ttl": 1}}, r"memories\[0\].custom_metadata"),
        (
            {"content": content(types.Part.from_bytes(data=b"x", mime_type="image/png"))},
            r"memories\[0\].content.parts",
        ),
        ({"content": types.Content()}, r"memories\[0\].content.parts"),
        ({"timestamp": "yesterday"}, "time"),
    ],
)
def test_what_no_memory_can_hold_is_refused(reverie: Reverie, more: dict[str, Any], problem: str) -> None:
    entry = MemoryEntry(**{"content": content("x"), **more})
    with pytest.raises(InvalidInput, match=problem):
        asyncio.run(ReverieMemoryService(reverie).add_memory(**ANNA, memories=[entry]))


def test_metadata_of_a_call_is_refused(reverie: Reverie) -> None:
    service, more = ReverieMemoryService(reverie), {"ttl": "3600s"}
    for call in (
        service.add_events_to_memory(**ANNA, events=[], custom_metadata=more),
        service.add_memory(**ANNA, memories=[], custom_metadata=more),
    ):
        with pytest.raises(InvalidInput, match="custom_metadata"):
            asyncio.run(call)


def test_no_two_users_share_an_agent() -> None:
    pairs = [("a/b", "c"), ("a", "b/c"), ("a%2Fb", "c"), ("a", "b%2Fc"), ("a", "anna@example.org")]
    assert len({agent_of(*pair) for pair in pairs}) == len(pairs)
    assert agent_of(*pairs[-1]) == "a/anna@example.org"


class Model(BaseLlm):
    """Asks its memory once, then repeats what it was given."""

    model: str = "fake"
    seen: list[str] = []  # noqa: RUF012  # a pydantic field

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.seen.append("".join(one.model_dump_json() for one in llm_request.contents))
        answered = any(part.function_response for one in llm_request.contents for part in one.parts or [])
        part = types.Part(text="In the cellar.") if answered else types.Part.from_function_call(
            name="load_memory", args={"query": "bicycle"}
        )  # fmt: skip
        yield LlmResponse(content=content(part, role="model"))


def test_a_runner_loads_memory_and_does_not_remember_that(reverie: Reverie) -> None:
    async def run() -> list[str]:
        service, sessions, model = ReverieMemoryService(reverie), InMemorySessionService(), Model()
        await service.add_session_to_memory(
            session(event("e1", "user", "The blue bicycle stands in the cellar"))
        )
        agent = LlmAgent(name="helper", model=model, tools=[preload_memory_tool, load_memory_tool])
        runner = Runner(app_name="app", agent=agent, session_service=sessions, memory_service=service)
        opened = await sessions.create_session(app_name="app", user_id="anna", session_id="s2")
        async for _ in runner.run_async(
            user_id="anna", session_id=opened.id, new_message=content("Where is the bicycle?")
        ):
            pass
        done = await sessions.get_session(app_name="app", user_id="anna", session_id="s2")
        assert done is not None
        await service.add_session_to_memory(done)
        return model.seen

    first, second = asyncio.run(run())
    assert "PAST_CONVERSATIONS" in first
    assert "stands in the cellar" in first
    assert second.count("stands in the cellar") == 2  # preloaded, and loaded by the tool
    said = [one.content for one in reverie.agent("app/anna").episodes(conversations="s2")]
    assert said == ["Where is the bicycle?", "In the cellar."]
