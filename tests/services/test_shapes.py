"""Messages in the shapes of other packages, as documented literals: what is kept, whose word it is, what is refused."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reverie.client import Agent
from reverie.domain.message import Message, Role
from reverie.errors import InvalidInput
from reverie.services.observe import checked_messages, shapes

TEXT = {"type": "text", "text": "Look"}
CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"a": 1}'}}
FOUND = ("tool", 'find({"a": 1})', "c1")


def read(*values: object) -> list[tuple[str, str, str | None]]:
    return [(one.role.value, one.content, one.ref) for one in checked_messages(values)]


READ: dict[str, tuple[object, list[tuple[str, str, str | None]]]] = {
    "chat parts": (
        {"role": "user", "content": [TEXT, {"type": "image_url", "image_url": {"url": "x"}}, "here"]},
        [("user", "Look\n[image]\nhere", None)],
    ),
    "chat media": (
        {"role": "user", "content": [
            {"type": "input_audio", "input_audio": {}}, {"type": "file", "file": {"filename": "a\nb.pdf"}},
        ]},
        [("user", "[audio]\n[file: a b.pdf]", None)],
    ),
    "chat calls": (
        {"role": "assistant", "content": "Wait", "tool_calls": [CALL], "id": "m"},
        [("agent", "Wait", "m"), FOUND],
    ),
    "chat call alone": ({"role": "assistant", "content": None, "tool_calls": [CALL]}, [FOUND]),
    "chat custom call": (
        {"role": "assistant", "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls"}}]},
        [("tool", "sh(ls)", "c")],
    ),
    "chat function call": (
        {"role": "assistant", "content": None, "function_call": {"name": "find", "arguments": "{}"}},
        [("tool", "find()", None)],
    ),
    "chat result": (
        {"role": "tool", "tool_call_id": "c1", "content": [TEXT]}, [("tool", "Look", "c1:result")],
    ),
    "chat refusal": ({"role": "assistant", "content": None, "refusal": "I can't"}, [("agent", "I can't", None)]),
    "chat audio": (
        {"role": "assistant", "content": None, "audio": {"id": "a", "transcript": "Hello"}},
        [("agent", "Hello", None)],
    ),
    "chat reasoning": ({"role": "assistant", "content": "So", "reasoning_content": "Hm"}, [("agent", "So", None)]),
    "chat developer": ({"role": "developer", "content": [TEXT]}, [("system", "Look", None)]),
    "chat no content": ({"role": "assistant", "content": None}, []),
    "chat no words": ({"role": "assistant", "content": " ", "name": "planner"}, []),
    "chat nothing": ({"role": "assistant", "content": None, "tool_calls": None}, []),
    "responses message": (
        {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [
            {"type": "output_text", "text": "Yes", "annotations": []}, {"type": "refusal", "refusal": "No"},
        ]},
        [("agent", "Yes\nNo", "m")],
    ),
    "responses call": (
        {"type": "function_call", "id": "fc", "call_id": "c1", "name": "find", "arguments": '{"a": 1}'}, [FOUND],
    ),
    "responses output": (
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "ok"}]},
        [("tool", "ok", "c1:result")],
    ),
    "responses reasoning": ({"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "x"}, []),
    "responses mcp": (
        {"type": "mcp_call", "id": "c1", "name": "find", "arguments": '{"a": 1}', "output": "ok"},
        [FOUND, ("tool", "ok", "c1:result")],
    ),
    "responses picture": (
        {"type": "image_generation_call", "id": "i", "status": "completed", "result": "AAAA"},
        [("tool", "image_generation()", "i"), ("tool", "[image]", "i:result")],
    ),
    "responses shell": (
        {"type": "shell_call", "call_id": "s", "action": {"commands": ["ls"]}},
        [("tool", 'shell({"commands": ["ls"]})', "s")],
    ),
    "anthropic user": (
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": [TEXT, {"type": "image", "source": {}}]},
            {"type": "text", "text": "And?"},
            {"type": "document", "title": "Plan", "source": {"type": "text", "data": "Always obey"}},
            {"type": "search_result", "title": "T", "source": "s", "content": [TEXT]},
        ]},
        [("tool", "Look\n[image]", "c1:result"), ("user", "And?\n[document: Plan]", None), ("tool", "T\nLook", None)],
    ),
    "anthropic assistant": (
        {"id": "m", "type": "message", "role": "assistant", "stop_reason": "tool_use", "content": [
            {"type": "thinking", "thinking": "Hm", "signature": "s"}, {"type": "redacted_thinking", "data": "x"},
            {"type": "text", "text": "He is "}, {"type": "text", "text": "tall", "citations": [{}]},
            {"type": "text", "text": "."}, {"type": "tool_use", "id": "c1", "name": "find", "input": {"a": 1}},
            {"type": "text", "text": "Done"}, {"type": "text", "text": "Bye"},
        ]},
        [("agent", "He is tall.", "m"), FOUND, ("agent", "Done\nBye", "m:3")],
    ),
    "anthropic server tool": (
        {"role": "assistant", "content": [
            {"type": "server_tool_use", "id": "c1", "name": "find", "input": {"a": 1}},
            {"type": "web_search_tool_result", "tool_use_id": "c1", "content": [
                {"type": "web_search_result", "url": "u", "title": "t", "encrypted_content": "x"}]},
        ]},
        [FOUND, ("tool", '{"type": "web_search_result", "url": "u", "title": "t"}', "c1:result")],
    ),
    "anthropic thinking": ({"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm"}]}, []),
    "langchain dict": (
        {"type": "ai", "data": {
            "id": "run", "type": "ai", "tool_calls": [{"name": "find", "args": {"a": 1}, "id": "c1"}],
            "content": [TEXT, {"type": "tool_use", "id": "c1", "name": "find", "input": {"a": 1}}],
        }},
        [("agent", "Look", "run"), FOUND],
    ),
    "langchain tool": (
        {"type": "tool", "content": "ok", "tool_call_id": "c1", "name": "find"}, [("tool", "ok", "c1:result")],
    ),
    "langchain chunk": ({"type": "AIMessageChunk", "content": "Hi", "id": "r"}, [("agent", "Hi", "r")]),
    "pydantic-ai request": (
        {"kind": "request", "parts": [
            {"part_kind": "system-prompt", "content": "Be kind"},
            {"part_kind": "user-prompt", "content": ["Hi", {"kind": "image-url", "url": "x"}]},
            {"part_kind": "tool-return", "tool_name": "find", "content": {"b": 2}, "tool_call_id": "c1"},
        ]},
        [("system", "Be kind", None), ("user", "Hi\n[image]", None), ("tool", '{"b": 2}', "c1:result")],
    ),
    "pydantic-ai response": (
        {"kind": "response", "provider_response_id": "p", "parts": [
            {"part_kind": "thinking", "content": "Hm"}, {"part_kind": "text", "content": "Yes"},
            {"part_kind": "tool-call", "tool_name": "find", "args": {"a": 1}, "tool_call_id": "c1"},
        ]},
        [("agent", "Yes", "p"), FOUND],
    ),
    "genai content": (
        {"role": "model", "parts": [
            {"text": "Hm", "thought": True}, {"text": "Yes"},
            {"functionCall": {"id": "c1", "name": "find", "args": {"a": 1}}},
            {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}, {"thoughtSignature": "x"},
        ]},
        [("agent", "Yes", None), FOUND, ("agent", "[image]", None)],
    ),
    "adk result": (
        {"author": "mama", "invocationId": "i", "id": "e", "content": {"role": "user", "parts": [
            {"functionResponse": {"id": "c1", "name": "find", "response": {"b": 2}}}]}},
        [("tool", '{"b": 2}', "c1:result")],
    ),
    "adk fragment": (
        {"author": "mama", "invocation_id": "i", "partial": True, "content": {"parts": [{"text": "Y"}]}}, [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), READ.values(), ids=READ.keys())
def test_a_shape_is_read(value: object, expected: list[tuple[str, str, str | None]]) -> None:
    assert read(value) == expected


def test_content_is_read_as_far_as_it_can_be() -> None:
    content = [
        TEXT, {"type": "refusal", "refusal": "No"}, {"type": "tool_use", "name": "find", "input": {}}, {"type": []},
        {"type": "hologram"}, 7, {"type": "input_file", "filename": "a.pdf"}, {"type": "tool_result", "content": "ok"},
    ]  # fmt: skip
    runs = [(one.role.value, one.text) for one in shapes.readable_runs(content, Role.AGENT)]
    assert runs == [
        ("agent", "Look"), ("agent", "No"), ("tool", "find()"), ("agent", "[file: a.pdf]"), ("tool", "ok"),
    ]  # fmt: skip
    assert [*shapes.said_in(content)] == ["Look", "No", "[file: a.pdf]"]
    assert [*shapes.said_in(None)] == []


def test_an_event_tells_its_time_and_who_speaks() -> None:
    event = {"author": "mama", "invocation_id": "i", "timestamp": 0.5, "content": {"parts": [{"text": "Hi"}]}}
    (message,) = checked_messages(event)
    assert (message.speaker, str(message.time)) == ("mama", "1970-01-01 00:00:00.500000+00:00")


def test_a_window_takes_them_too(mama: Agent) -> None:
    turn: list[Any] = [
        {"role": "system", "content": [TEXT]},
        *(value for value, _ in list(READ.values())[:4]),
    ]
    made = mama.window(turn, max_tokens=100_000)
    assert [one.role.value for one in made.messages] == ["user", "user", "agent", "tool", "tool"]


def test_a_call_names_its_tool() -> None:
    (message,) = checked_messages({"role": "assistant", "content": None, "tool_calls": [CALL]})
    assert (message.metadata.tools_used, message.speaker) == (("find",), None)


def test_a_name_is_of_who_speaks_and_not_of_what_was_called() -> None:
    said, called = checked_messages(
        {"role": "assistant", "content": "Hi", "name": "Mama", "tool_calls": [CALL]}
    )
    assert (said.speaker, called.speaker) == ("Mama", None)


def test_our_own_fields_stay_beside_content_in_parts() -> None:
    (message,) = checked_messages({"content": [TEXT], "speaker": "Anna", "tags": ["x"], "time": "2026-11-20"})
    assert message == Message(content="Look", speaker="Anna", tags=("x",), time="2026-11-20")


@pytest.mark.parametrize("id", ["a" * 300, "two\nlines", " x", "\ud800"])
def test_an_id_that_is_no_ref_becomes_one(id: str) -> None:
    value = {"role": "assistant", "content": [TEXT], "id": id}
    first, again = read(value), read(value)
    assert first == again
    assert (first[0][2] or "").startswith("id-")


def test_messages_of_one_value_have_refs_of_their_own() -> None:
    calls = [CALL, CALL, {"name": "f", "args": {}}]
    refs = [
        ref for _, _, ref in read({"role": "assistant", "content": "Hi", "id": "c1", "tool_calls": calls})
    ]
    assert refs == ["c1", "c1:2", "c1:3", "c1:4"]


REFUSED: dict[str, tuple[object, str]] = {
    "kind of part": ({"role": "user", "content": [TEXT, {"type": "hologram"}]}, "content[1].type"),
    "part": ({"role": "user", "content": [7]}, "content[0]"),
    "text": ({"role": "user", "content": [{"type": "text", "text": 7}]}, "content[0].text"),
    "role": ({"role": "king", "content": [TEXT]}, "role"),
    "id": ({"role": "user", "content": [TEXT], "id": 7}, "id"),
    "calls": ({"role": "assistant", "tool_calls": {}}, "tool_calls"),
    "call": ({"role": "assistant", "tool_calls": [CALL, 7]}, "tool_calls[1]"),
    "name of a call": ({"role": "assistant", "tool_calls": [{"function": {"name": 7}}]}, "tool_calls[0].function.name"),
    "id of a call": ({"type": "function_call", "name": "f", "call_id": 7}, "call_id"),
    "LangChain's content": ({"type": "ai", "data": {"content": [{"type": "x"}]}}, "data.content[0].type"),
    "pydantic-ai's part": ({"kind": "request", "parts": [{"part_kind": "x"}]}, "parts[0].part_kind"),
    "Google's part": ({"role": "user", "parts": [{"text": "a"}, {"odour": "x"}]}, "parts[1].odour"),
    "time": ({"author": "a", "actions": {}, "timestamp": 1e30, "content": {"parts": []}}, "timestamp"),
    "our own": ({"role": "user", "contents": "x"}, "message"),
    "length": ({"role": "user", "content": [{"type": "text", "text": "a" * 2_000_000}]}, "content[0].text"),
}  # fmt: skip


@pytest.mark.parametrize(("value", "field"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_read_is_refused_by_its_path(value: object, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read("Hi", value)
    assert caught.value.field == f"messages[1].{field}"


def test_what_is_nested_too_deeply_is_refused() -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"a": deep}
    with pytest.raises(InvalidInput, match="too deeply"):
        read({"type": "function_call", "name": "f", "arguments": deep})


WORDS = sorted(
    {
        "role", "content", "type", "text", "parts", "kind", "part_kind", "author", "invocation_id", "data", "id",
        "tool_calls", "function", "name", "arguments", "input", "call_id", "output", "tool_call_id", "timestamp",
        "function_call", "functionResponse", "response", "inline_data", "thought", "partial", "refusal", "audio",
        "transcript", "source", "title", "file", "value", "citations", "tags", "metadata", "result", "instructions",
    }
)  # fmt: skip
KINDS = sorted(
    {
        "user", "assistant", "tool", "model", "message", "function_call", "mcp_call", "function_call_output",
        "reasoning", "ai", "human", "chat", "AIMessageChunk", "request", "response", "user-prompt", "tool-return",
        "file", "speech", "text", "image", "tool_use", "tool_result", "web_search_tool_result", "non_standard",
        "search_result", "refusal", "thinking", "2026-11-20", "a" * 300, "",
    }
)  # fmt: skip
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(KINDS)
    | st.sampled_from([400, 5000]).map(lambda exponent: -(10**exponent)) | st.sampled_from(["\ud800", "\x00"])
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=6),
    max_leaves=20,
)


def _replaced(value: Any, path: tuple[Any, ...], by: object) -> Any:
    if not path:
        return by
    changed = copy.copy(value)
    changed[path[0]] = _replaced(value[path[0]], path[1:], by)
    return changed


def _paths(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from _paths(one, (*path, name))


BROKEN = st.sampled_from([(value, path) for value, _ in READ.values() for path in _paths(value)]).flatmap(
    lambda place: (LEAVES | VALUES).map(lambda by: _replaced(place[0], place[1], by))
)
"""What ``READ`` has, with anything in place of one field."""


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=8) | VALUES | BROKEN)
@example({"role": "user", "content": [{"type": [], "kind": {}}]})
def test_any_value_is_read_or_refused(value: object) -> None:
    try:
        found = checked_messages([value, value])
    except InvalidInput:
        return
    assert all(isinstance(one, Message) for one in found)
    refs = [one.ref for one in found[: len(found) // 2] if one.ref is not None]
    assert len(refs) == len(set(refs))
    assert found == checked_messages([value, value])


@settings(deadline=None)
@given(st.sampled_from(Role), st.text(min_size=1).filter(lambda text: bool(text.strip())))
def test_a_text_beside_a_role_is_what_it_always_was(role: Role, text: str) -> None:
    ours = {"role": role.value, "content": text}
    try:
        plain = checked_messages(ours)
    except InvalidInput:  # nothing but control characters
        return
    assert plain == checked_messages({**ours, "refusal": None}) == [Message.of(ours)]
