"""Lines of the transcripts of Claude Code and Codex, as those write them, and what we read in them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import Message, Reverie
from reverie.doors.hooks.keeper import Keeper
from reverie.embedders.hashing import HashingEmbedder
from reverie.services.exchange.transcripts import (
    MOST_TOOL_CHARACTERS,
    READERS,
    LeftOut,
    Project,
    Said,
    Transcript,
    project_of,
)
from tests.doors.commands import Cli
from tests.doors.hook_events import claude, event
from tests.doors.hook_events import codex as codex_event

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


def _messages(host: str, line: object) -> list[Message]:
    return [one.message for one in Transcript(host, "s").said("line 1", line) if isinstance(one, Said)]


claude_code, codex = "claude-code", "codex"
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
    host, line, expected = _READ[case]
    found = _messages(host, json.loads(json.dumps(line)))
    assert [(one.role, one.content, one.ref) for one in found] == (expected or [])


def test_messages_carry_time_and_tool() -> None:
    call = _agent({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}})
    [message] = _messages(claude_code, call)
    assert datetime.fromisoformat(str(message.time)) == datetime(2026, 11, 20, 9, 30, 0, 123_000, UTC)
    assert message.metadata.tools_used == ("Bash",)


def test_a_long_result_keeps_its_ends() -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": "begin" + "x" * 100_000 + "end"}
    [message] = _messages(claude_code, _user([result]))
    assert len(message.content) <= MOST_TOOL_CHARACTERS
    assert message.content.startswith("begin")
    assert message.content.endswith("end")


def test_an_item_without_an_id_has_the_same_ref_each_time() -> None:
    line = _item(type="message", role="user", content=[{"type": "input_text", "text": "Use tabs"}])
    other = _item(type="message", role="user", content=[{"type": "input_text", "text": "Use spaces"}])
    refs = [_messages(codex, one)[0].ref for one in (line, line, other)]
    assert refs[0] == refs[1] != refs[2]


@pytest.mark.parametrize(
    ("host", "lines", "rooms"),
    [
        (
            claude_code,
            [
                _user("a"),
                _user("b", cwd="/srv/shop/src"),
                _user("c", sessionId="s-2", cwd="/srv/blog"),
                _user("d"),
            ],
            [("s-1", "/srv/shop"), ("s-1", "/srv/shop"), ("s-2", "/srv/blog"), ("s-1", "/srv/shop")],
        ),
        (
            codex,
            [
                {"type": "session_meta", "payload": {"id": "t-2", "cwd": "/srv/shop"}},
                {"type": "session_meta", "payload": {"id": "its fork's", "cwd": "/srv/shop"}},
                _item(type="message", role="user", content="a"),
                {"type": "turn_context", "payload": {"cwd": "/srv/blog"}},
                _item(type="message", role="user", content="b"),
            ],
            [("t-2", "/srv/shop")] * 2,
        ),
    ],
)
def test_a_session_has_one_conversation_by_its_first_folder(
    host: str, lines: list[object], rooms: list[tuple[str, str]]
) -> None:
    transcript = Transcript(host, "file")
    found = [one for line in lines for one in transcript.said("line", line) if isinstance(one, Said)]
    assert [one.conversation for one in found] == [
        Project(root=root).conversation(host, session) for session, root in rooms
    ]


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


def _written(path: Path, host: str, folder: Path) -> str:
    """Write a transcript of a session in a folder; return the session."""
    lines: list[dict[str, object]] = [
        _user([{"type": "text", "text": "See"}, {"type": "image", "source": {}}], cwd=str(folder)),
        _agent({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}, uuid="u-2"),
        _user(
            [{"type": "tool_result", "tool_use_id": "t", "content": "x" * 30_000}],
            uuid="u-3",
            cwd=str(folder / "src"),
        ),
        _user("Bye", uuid=None, cwd=str(folder)),
    ]
    if host == codex:
        lines = [
            {"timestamp": _AT, "type": "session_meta", "payload": {"id": "s-1", "cwd": str(folder)}},
            _item(type="message", role="user", content=[{"type": "input_text", "text": "Use tabs"}]),
            _item(type="function_call", name="shell", arguments='{"command": ["ls"]}', call_id="c-1"),
            _item(type="function_call_output", call_id="c-1", output="x" * 30_000),
            _item(
                type="message", role="assistant", content=[{"type": "output_text", "text": "Done"}], id="i-1"
            ),
        ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return "s-1"


@pytest.mark.parametrize("order", [*permutations(("hooks", "watch", "import"))], ids="-".join)
@pytest.mark.parametrize("host", [*READERS])
def test_a_session_that_comes_by_every_way_is_stored_once(
    host: str, order: tuple[str, ...], cli: Cli, tmp_path: Path
) -> None:
    """Also if its repository is gone after the first."""
    folder, path = tmp_path / "shop" / "app", tmp_path / "transcript.jsonl"
    (folder.parent / ".git").mkdir(parents=True)
    folder.mkdir()
    session = _written(path, host, folder)
    maker = claude if host == claude_code else codex_event

    def seen() -> list[tuple[str, ...]]:
        found = cli("list", "--episodes", "--json").document
        return [(one["conversation"], one["ref"], one["content"], one["channel"]) for one in found]

    def bring(way: str) -> None:
        if way == "watch":
            assert cli("watch", str(path), "--once").code == 0
            return
        with Reverie.open(cli.bank, embedder=HashingEmbedder.for_tests()) as reverie:
            agent = reverie.agent("mama", principals=["Anna"])
            if way == "import":
                done = agent.import_from(path)
                assert (done.problems, done.messages.left_out) == ((), 0)
            else:
                notes: list[str] = []
                given = maker("Stop", folder, session=session) | {"transcript_path": str(path)}
                Keeper(agent, tmp_path / "state.json", notes.append).take(event(host, given))
                assert notes == []

    bring(order[0])
    first = seen()
    assert len({one[1] for one in first}) == len(first) >= 4
    assert {one[0] for one in first} == {Project(root=str(folder.parent)).conversation(host, session)}
    (folder.parent / ".git").rmdir()
    project_of.cache_clear()
    for way in order[1:]:
        bring(way)
        assert seen() == first


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
    for host in READERS:
        assert all(isinstance(one, Said | LeftOut) for one in Transcript(host, "s").said("line 1", value))
