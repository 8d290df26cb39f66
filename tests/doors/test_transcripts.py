"""Lines of the transcripts of Claude Code and Codex, as those write them, and what we read in them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.doors.formats import claude_code, codex
from reverie.doors.formats.transcript import MOST_TOOL_CHARACTERS, Place
from reverie.doors.hooks.projects import Project
from tests.doors.commands import Cli

_AT = "2026-11-20T09:30:00.123Z"
_CLAUDE = {
    "parentUuid": None, "isSidechain": False, "userType": "external", "cwd": "/srv/shop", "sessionId": "s-1",
    "version": "2.1.40", "gitBranch": "main", "uuid": "u-1", "timestamp": _AT,
}  # fmt: skip


def _user(content: object, **more: object) -> dict[str, object]:
    return {**_CLAUDE, "type": "user", "message": {"role": "user", "content": content}, **more}


def _agent(*blocks: object, **more: object) -> dict[str, object]:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": list(blocks)}
    return {**_CLAUDE, "type": "assistant", "message": message, "requestId": "req_1", **more}


def _item(**payload: object) -> dict[str, object]:
    return {"timestamp": _AT, "type": "response_item", "payload": payload}


_READ = {
    "prompt": (claude_code, _user("Use tabs"), [("user", "Use tabs", "u-1")]),
    "prompt in blocks": (
        claude_code,
        _user([{"type": "text", "text": "See"}, {"type": "image", "source": {}}]),
        [("user", "See", "u-1"), ("user", "[image]", "u-1.2")],
    ),
    "answer": (
        claude_code,
        _agent({"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "Done"}),
        [("agent", "Done", "u-1")],
    ),
    "tool call": (
        claude_code,
        _agent({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}),
        [("tool", "Bash: ls", "u-1")],
    ),
    "tool result": (
        claude_code,
        _user([{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "a.py"}]}]),
        [("tool", "a.py", "u-1")],
    ),
    "meta": (claude_code, _user("Caveat: …", isMeta=True), None),
    "sub-agent": (claude_code, _user("Find it", isSidechain=True), None),
    "summary": (claude_code, _user("So far …", isCompactSummary=True), None),
    "task's notification": (claude_code, _user("finished", origin={"kind": "task-notification"}), None),
    "typed": (claude_code, _user("Hello", origin={"kind": "human"}), [("user", "Hello", "u-1")]),
    "command": (claude_code, _user("<command-name>/clear</command-name>\n<command-args></command-args>"), None),
    "reminder": (
        claude_code,
        _user([{"type": "text", "text": "<system-reminder>\nx\n</system-reminder>"}, {"type": "text", "text": "Go"}]),
        [("user", "Go", "u-1")],
    ),
    "interruption": (claude_code, _user("[Request interrupted by user]"), None),
    "snapshot": (claude_code, {"type": "file-history-snapshot", "messageId": "m"}, None),
    "codex prompt": (
        codex,
        _item(type="message", role="user", content=[{"type": "input_text", "text": "Use tabs"}], id="i-1"),
        [("user", "Use tabs", "i-1")],
    ),
    "codex answer": (
        codex,
        _item(type="message", role="assistant", content=[{"type": "output_text", "text": "Done"}], id="i-2"),
        [("agent", "Done", "i-2")],
    ),
    "codex developer": (
        codex,
        _item(type="message", role="developer", content=[{"type": "input_text", "text": "Be nice"}]),
        None,
    ),
    "codex environment": (
        codex,
        _item(type="message", role="user", content=[
            {"type": "input_text", "text": "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"}
        ]),
        None,
    ),
    "codex call": (
        codex,
        _item(type="function_call", name="shell", arguments='{"command": ["ls"]}', call_id="c-1"),
        [("tool", 'shell: ["ls"]', "c-1-function_call")],
    ),
    "codex result": (
        codex,
        _item(type="function_call_output", call_id="c-1", output='{"output": "a.py", "metadata": {}}'),
        [("tool", "a.py", "c-1-function_call_output")],
    ),
    "codex reasoning": (codex, _item(type="reasoning", summary=[], encrypted_content="x"), None),
    "codex event": (codex, {"timestamp": _AT, "type": "event_msg", "payload": {"type": "user_message"}}, None),
}  # fmt: skip


@pytest.mark.parametrize("case", _READ)
def test_a_line_says_what_was_said(case: str) -> None:
    reader, line, expected = _READ[case]
    found = reader.messages_of(json.loads(json.dumps(line)))
    assert found is None if expected is None else found is not None
    assert [(one.role, one.content, one.ref) for one in found or ()] == (expected or [])


def test_messages_carry_time_and_tool() -> None:
    call = _agent({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}})
    [message] = claude_code.messages_of(call) or []
    assert datetime.fromisoformat(str(message.time)) == datetime(2026, 11, 20, 9, 30, 0, 123_000, UTC)
    assert message.metadata.tools_used == ("Bash",)


def test_a_long_result_keeps_its_ends() -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": "begin" + "x" * 100_000 + "end"}
    [message] = claude_code.messages_of(_user([result])) or []
    assert len(message.content) <= MOST_TOOL_CHARACTERS
    assert message.content.startswith("begin")
    assert message.content.endswith("end")


def test_an_item_without_an_id_has_the_same_ref_each_time() -> None:
    line = _item(type="message", role="user", content=[{"type": "input_text", "text": "Use tabs"}])
    other = _item(type="message", role="user", content=[{"type": "input_text", "text": "Use spaces"}])
    refs = [(codex.messages_of(one) or [])[0].ref for one in (line, line, other)]
    assert refs[0] == refs[1] != refs[2]


def test_lines_name_their_session_and_folder() -> None:
    assert claude_code.place_of(_user("x")) == Place(session="s-1", cwd="/srv/shop")
    meta = {"timestamp": _AT, "type": "session_meta", "payload": {"id": "s-2", "cwd": "/srv/bar"}}
    assert codex.place_of(meta) == Place(session="s-2", cwd="/srv/bar")
    assert codex.place_of(_item(type="message")) == Place()


_CODEX = [
    {"timestamp": _AT, "type": "session_meta", "payload": {"id": "t-1", "cwd": "/srv/shop"}},
    _item(type="message", role="user", content=[{"type": "input_text", "text": "Use tabs"}], id="i-1"),
]


@pytest.mark.parametrize(
    ("lines", "host", "session"),
    [
        ([{"type": "summary", "summary": "x", "leafUuid": "y"}, _user("Use tabs")], "claude-code", "s-1"),
        (_CODEX, "codex", "t-1"),
    ],
)
def test_watch_keeps_a_transcript_where_hooks_would(
    lines: list[dict[str, object]], host: str, session: str, cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    for _ in range(2):
        assert cli("watch", str(path), "--once").code == 0
    own = Project(root="/srv/shop").conversation(host, session)
    assert [one["conversation"] for one in cli("list", "--episodes", "--json").document] == [own]
    assert cli("watch", str(path), "--once", "--conversation", "mine").code == 0
    assert {one["conversation"] for one in cli("list", "--episodes", "--json").document} == {own, "mine"}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(("type", "message", "payload", "content", "text", "name", "input", "role", "uuid", "id")),
        inner | st.sampled_from(("user", "assistant", "text", "tool_use", "tool_result", "message", "response_item")),
        max_size=5,
    ),
    max_leaves=20,
)  # fmt: skip


@given(_JSON)
def test_no_line_breaks_a_reader(value: object) -> None:
    for reader in (claude_code, codex):
        assert reader.messages_of(value) != []
        assert isinstance(reader.place_of(value), Place)
