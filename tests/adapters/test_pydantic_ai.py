"""The capability in pydantic-ai's own agent, with its function model: no network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from reverie import Agent, AsyncAgent, InvalidInput, Message, Reverie
from reverie.errors import StoreError

pytest.importorskip("pydantic_ai")

from pydantic_ai import Agent as Runner
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCalls, FunctionModel

from reverie.adapters.pydantic_ai import ReverieMemory

TEA, OFFICE = "Anna likes green tea?", "Our office closes at?"
Answer = Callable[[list[ModelMessage], AgentInfo], ModelResponse]


def says(text: str = "Noted.") -> ModelResponse:
    return ModelResponse(parts=[TextPart(text)])


def calling(name: str, **given: Any) -> Answer:
    """Call a tool first, then repeat what it gave back."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        last: Any = messages[-1].parts[-1]
        if last.part_kind == "tool-return":
            return says(f"GOT {last.content}")
        return ModelResponse(parts=[ToolCallPart(name, given, tool_call_id="c1")])

    return answer


def made(memory: ReverieMemory[None], answer: Answer, **given: Any) -> Runner[None, str]:
    return Runner(FunctionModel(answer), capabilities=[memory], **given)


def run(agent: Runner[None, str], prompt: Any, **given: Any) -> Any:
    return asyncio.run(agent.run(prompt, **given))


def words(mama: Agent) -> list[tuple[str, str]]:
    return [(one.role.value, one.content) for one in mama.episodes()]


def test_a_run_starts_with_the_context_and_is_observed(mama: Agent) -> None:
    mama.remember("Never commit secrets", kind="policy")
    seen = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append((info.instructions, [tool.name for tool in info.function_tools]))
        return says()

    agent = made(ReverieMemory(mama), answer, instructions="Be brief.", system_prompt="You are kind.")
    first = run(agent, "My name is Anna")
    run(agent, ["And I live in Porto"], message_history=first.all_messages())
    told, tools = seen[0]
    assert told is not None
    assert told.startswith("Be brief.")
    assert "Never commit secrets" in told
    assert tools == ["recall", "remember", "forget"]
    assert words(mama) == [
        ("user", "My name is Anna"), ("agent", "Noted."), ("user", "And I live in Porto"), ("agent", "Noted."),
    ]  # fmt: skip
    assert len(mama.conversations()) == 1  # the run's own, which the history carries on


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("recall", {"query": "peanuts"}, "allergic to peanuts"),
        ("recall", {"query": "the train to Lisbon"}, "by Anna, "),
        ("recall", {"query": " "}, "Not done: query"),
        ("remember", {"content": "Anna drinks tea", "kind": "preference"}, "Kept as "),
        ("remember", {"content": "Péter is allergic to peanuts"}, "Known already as "),
        ("remember", {"content": ""}, "Not done: "),
        ("forget", {"id": "nothing"}, "Not done: "),
    ],
)
def test_a_tool_answers(mama: Agent, name: str, given: dict[str, Any], expected: str) -> None:
    mama.remember("Péter is allergic to peanuts")
    mama.observe(Message(content="The train to Lisbon leaves at nine", speaker="Anna"), conversation="old")
    agent = made(ReverieMemory(mama, conversation="chat"), calling(name, **given))
    assert expected in run(agent, "Go on").output
    said = [one.content for one in mama.episodes(conversations="chat")]
    assert said[0] == "Go on"
    assert not any("<reverie-context>" in one or name in one for one in said if not one.startswith("GOT"))


def test_forget_deletes_by_the_id_that_recall_shows(mama: Agent) -> None:
    id = mama.remember("Péter is allergic to peanuts").memory.id
    assert id in run(made(ReverieMemory(mama), calling("recall", query="peanuts")), "Go").output
    assert "Forgotten" in run(made(ReverieMemory(mama), calling("forget", id=id)), "Go").output
    assert not mama.memories()


def test_a_stream_is_observed_when_it_ends(mama: Agent) -> None:
    async def parts(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        yield "Good "
        yield "day"

    async def session() -> str:
        door = AsyncAgent("mama", lambda: mama)
        agent = Runner(FunctionModel(stream_function=parts), capabilities=[ReverieMemory(door, tools=False)])
        async with agent.run_stream("Hello") as streamed:
            return str(await streamed.get_output())

    assert asyncio.run(session()) == "Good day"
    assert words(mama) == [("user", "Hello"), ("agent", "Good day")]


def test_runs_at_once_keep_their_own_context(mama: Agent) -> None:
    mama.remember("Anna likes green tea")
    mama.remember("Our office closes at six")
    seen: dict[str, str] = {}

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen[str(messages[-1].parts[-1].content)] = info.instructions or ""  # type: ignore[union-attr]
        return says()

    async def both() -> None:
        agent = made(ReverieMemory(mama), answer)
        await asyncio.gather(agent.run(TEA), agent.run(OFFICE))

    asyncio.run(both())
    assert "green tea" in seen[TEA]
    assert "closes at six" in seen[OFFICE]
    assert seen[TEA] != seen[OFFICE]


def test_a_failed_observe_does_not_lose_the_answer(
    mama: Agent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(*args: object, **given: object) -> None:
        raise StoreError("the disk is full of My name is Anna")

    monkeypatch.setattr(AsyncAgent, "observe", full)
    assert run(made(ReverieMemory(mama), lambda messages, info: says()), "My name is Anna").output == "Noted."
    assert "StoreError" in caplog.text
    assert "Anna" not in caplog.text


def test_what_is_no_agent_is_refused(reverie: Reverie) -> None:
    with pytest.raises(InvalidInput, match="agent"):
        ReverieMemory(reverie)  # type: ignore[arg-type]
