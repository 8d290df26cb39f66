"""Clients of OpenAI's and Anthropic's packages that speak to a server in memory, which answers as the APIs do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx2

ANSWER = "Lisbon is sunny."
_USAGE = {"input_tokens": 1, "output_tokens": 1}
_OPENAI = {"api_key": "none", "base_url": "http://model.test/v1", "max_retries": 0}
_ANTHROPIC = {"api_key": "none", "base_url": "http://model.test", "max_retries": 0}


class Server:
    """Answers each request with ``ANSWER``, or with a call of the tool ``find``. ``asked``: the bodies it got."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.calls_tool = False
        self.status = 200

    def client(self, kind: Any) -> Any:
        """Return a client of that class."""
        given = _OPENAI if kind.__module__.startswith("openai") else _ANTHROPIC
        http = httpx2.AsyncClient if kind.__name__.startswith("Async") else httpx2.Client
        return kind(**given, http_client=http(transport=httpx2.MockTransport(self._answer)))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        self.asked.append(body)
        if self.status != 200:
            return httpx2.Response(self.status, json={"error": {"message": "no"}})
        number = len(self.asked)
        path = request.url.path.removeprefix("/v1")
        make = {"/chat/completions": _chat, "/responses": _responses, "/messages": _messages}[path]
        whole, events = make(number, self.calls_tool)
        if not body.get("stream"):
            return httpx2.Response(200, json=whole)
        return httpx2.Response(200, text=_streamed(events), headers={"content-type": "text/event-stream"})


def _streamed(events: Sequence[Any]) -> str:
    lines = []
    for event in events:
        if isinstance(event, dict) and "type" in event:
            lines.append(f"event: {event['type']}")
        lines.append(f"data: {event if isinstance(event, str) else json.dumps(event)}\n")
    return "\n".join(lines) + "\n"


def _chat(number: int, calls_tool: bool) -> tuple[dict[str, Any], list[Any]]:
    base: dict[str, Any] = {"id": "chatcmpl-1", "created": 1, "model": "m"}
    call = {"id": f"call_{number}", "type": "function", "function": {"name": "find", "arguments": '{"a": 1}'}}
    said: dict[str, Any] = {"role": "assistant", "content": None if calls_tool else ANSWER}
    if calls_tool:
        said["tool_calls"] = [call]
    whole = {
        **base, "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": said}],
    }  # fmt: skip
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    if calls_tool:
        deltas.append({"tool_calls": [{**call, "index": 0, "function": {"name": "find", "arguments": ""}}]})
        deltas += [
            {"tool_calls": [{"index": 0, "function": {"arguments": part}}]} for part in ('{"a"', ": 1}")
        ]
    else:
        deltas += [{"content": ANSWER[:6]}, {"content": ANSWER[6:]}]
    chunks: list[Any] = [
        {
            **base,
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
        }
        for delta in deltas
    ]
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls_tool else "stop"}
    return whole, [*chunks, {**base, "object": "chat.completion.chunk", "choices": [end]}, "[DONE]"]


def _responses(number: int, calls_tool: bool) -> tuple[dict[str, Any], list[Any]]:
    item: dict[str, Any] = {
        "type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": ANSWER, "annotations": []}],
    }  # fmt: skip
    if calls_tool:
        item = {
            "type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": "find",
            "arguments": '{"a": 1}', "status": "completed",
        }  # fmt: skip
    whole = {
        "id": f"resp_{number}", "object": "response", "created_at": 1, "model": "m", "output": [item], "tools": [],
        "parallel_tool_calls": True, "tool_choice": "auto", "status": "completed", "error": None,
        "incomplete_details": None, "instructions": None, "metadata": {}, "temperature": 1.0, "top_p": 1.0,
    }  # fmt: skip
    started = {**whole, "output": [], "status": "in_progress"}
    begun = {**item, "content": []} if item["type"] == "message" else {**item, "arguments": ""}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": started},
        {"type": "response.output_item.added", "output_index": 0, "item": begun},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return whole, [{**event, "sequence_number": place} for place, event in enumerate(events)]


def _messages(number: int, calls_tool: bool) -> tuple[dict[str, Any], list[Any]]:
    block: dict[str, Any] = {"type": "text", "text": ANSWER}
    deltas: list[dict[str, Any]] = [{"type": "text_delta", "text": part} for part in (ANSWER[:6], ANSWER[6:])]
    begun: dict[str, Any] = {"type": "text", "text": ""}
    if calls_tool:
        block = {"type": "tool_use", "id": f"call_{number}", "name": "find", "input": {"a": 1}}
        deltas = [{"type": "input_json_delta", "partial_json": part} for part in ('{"a"', ": 1}")]
        begun = {**block, "input": {}}
    whole = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "m", "content": [block],
        "stop_reason": "end_turn", "stop_sequence": None, "usage": _USAGE,
    }  # fmt: skip
    events = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": begun},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": _USAGE,
        },
        {"type": "message_stop"},
    ]
    return whole, events
