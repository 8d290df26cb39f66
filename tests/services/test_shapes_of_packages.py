"""The packages' own objects are read as their documented JSON is (``test_shapes``): no package is imported by ours."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from reverie.services.observe import checked_messages

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def read(values: object) -> list[tuple[str, str]]:
    return [(one.role.value, one.content) for one in checked_messages(values)]


CALLED = [("agent", "Look"), ("tool", 'find({"a": 1})')]
ANSWERED = [("tool", "ok")]


def test_openai_chat() -> None:
    chat = pytest.importorskip("openai.types.chat")
    call = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"a": 1}'}}
    message = chat.ChatCompletionMessage.model_validate(
        {"role": "assistant", "content": "Look", "tool_calls": [call]}
    )
    assert read(message) == read([message]) == read(message.model_dump()) == CALLED


def test_openai_responses() -> None:
    responses = pytest.importorskip("openai.types.responses")
    output = [
        responses.ResponseReasoningItem(id="r", summary=[], type="reasoning"),
        responses.ResponseOutputMessage.model_validate({
            "id": "m", "role": "assistant", "status": "completed", "type": "message",
            "content": [{"type": "output_text", "text": "Look", "annotations": []}],
        }),
        responses.ResponseFunctionToolCall(call_id="c1", name="find", arguments='{"a": 1}', type="function_call"),
    ]  # fmt: skip
    assert read(output) == read([one.model_dump() for one in output]) == CALLED


def test_anthropic() -> None:
    types = pytest.importorskip("anthropic.types")
    message = types.Message.model_validate({
        "id": "m", "type": "message", "role": "assistant", "model": "x", "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [
            {"type": "thinking", "thinking": "Hm", "signature": "s"}, {"type": "text", "text": "Look"},
            {"type": "tool_use", "id": "c1", "name": "find", "input": {"a": 1}},
        ],
    })  # fmt: skip
    assert read(message) == read(message.model_dump()) == CALLED
    assert read({"role": "assistant", "content": message.content}) == CALLED


def test_langchain() -> None:
    core: Any = pytest.importorskip("langchain_core.messages")
    said = [
        core.AIMessage(
            [{"type": "text", "text": "Look"}, {"type": "tool_use", "id": "c1", "name": "find", "input": {"a": 1}}],
            tool_calls=[{"name": "find", "args": {"a": 1}, "id": "c1"}],
        ),
        core.ToolMessage("ok", tool_call_id="c1", name="find"),
        core.HumanMessage("Hi", name="Anna"), core.SystemMessage("Be kind"), core.ChatMessage("So", role="assistant"),
    ]  # fmt: skip
    others = [("user", "Hi"), ("system", "Be kind"), ("agent", "So")]
    assert read(said) == read(core.messages_to_dict(said)) == [*CALLED, *ANSWERED, *others]
    assert read(core.AIMessageChunk("Lo") + core.AIMessageChunk("ok")) == CALLED[:1]


def test_pydantic_ai() -> None:
    messages: Any = pytest.importorskip("pydantic_ai.messages")
    said = [
        messages.ModelRequest([messages.UserPromptPart(["Hi", messages.BinaryContent(b"x", media_type="image/png")])]),
        messages.ModelResponse([
            messages.ThinkingPart("Hm"), messages.TextPart("Look"),
            messages.ToolCallPart("find", {"a": 1}, tool_call_id="c1"),
        ]),
        messages.ModelRequest([messages.ToolReturnPart("find", "ok", tool_call_id="c1")]),
    ]  # fmt: skip
    dumped = messages.ModelMessagesTypeAdapter.dump_python(said, mode="json")
    assert read(said) == read(dumped) == [("user", "Hi\n[image]"), *CALLED, *ANSWERED]
    assert checked_messages(said)[0].time == said[0].parts[0].timestamp


def test_google() -> None:
    events: Any = pytest.importorskip("google.adk.events")
    types: Any = pytest.importorskip("google.genai.types")
    call = types.Part.from_function_call(name="find", args={"a": 1})
    parts = [types.Part(text="Hm", thought=True), types.Part(text="Look"), call]
    content = types.Content(role="model", parts=parts)
    event = events.Event(author="mama", invocation_id="i", content=content)
    assert read(content) == read(event) == read(event.model_dump(mode="json", by_alias=True)) == CALLED


def test_no_package_of_others_is_imported() -> None:
    code = (
        "import sys; from reverie.services.observe import checked_messages;"
        "checked_messages({'type': 'ai', 'content': 'x'});"
        "print({'openai', 'anthropic', 'pydantic', 'pydantic_ai', 'langchain_core', 'google'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
