"""Files of each foreign format, written by its documentation and then made ugly: ten each."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

HUGE = " ".join(f"word{number}" for number in range(30_000))


@dataclass(frozen=True, kw_only=True)
class File:
    """A file, and what an import makes of it: how many messages and memories, and what it says of the first place that
    it can't read; ``refused``: why nothing of it can be read.
    """

    kind: str
    label: str
    name: str
    content: bytes
    messages: int = 0
    memories: int = 0
    problem: str = ""
    refused: str = ""


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _lines(*values: object) -> bytes:
    return b"\n".join(one if isinstance(one, bytes) else _json(one) for one in values) + b"\n"


def zipped(**files: bytes) -> bytes:
    """A zip with these files; __ stands for a dot."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return held.getvalue()


def node(id: str, parent: str | None, words: object, role: str = "user", **more: object) -> dict[str, object]:
    """A node of ChatGPT's tree."""
    content = words if isinstance(words, dict) else {"content_type": "text", "parts": [words]}
    message = {"id": id, "author": {"role": role}, "content": content, "create_time": 1_700_000_000.5, **more}
    return {"id": id, "parent": parent, "children": [], "message": message}


def gpt(*nodes: dict[str, object], current: object = None, **more: object) -> dict[str, object]:
    """A conversation of ChatGPT's."""
    tree: dict[str, object] = {"root": {"id": "root", "parent": None, "children": [], "message": None}}
    tree |= {str(one["id"]): one for one in nodes}
    last = nodes[-1]["id"] if nodes else "root"
    return {"id": "c1", "title": "Talk", "mapping": tree, "current_node": current or last, **more}


def _gpt() -> Iterator[tuple[object, ...]]:
    talk = gpt(node("a", "root", "I moved to Lisbon"), node("b", "a", "Lovely!", "assistant"))
    yield "plain", _json([talk]), 2, 0, ""
    branches = gpt(
        node("a", "root", "Hi"), node("x", "a", "Old answer", "assistant"), node("b", "a", "New", "assistant")
    )
    yield "another branch", _json([branches]), 2, 0, ""
    kinds = [
        node(
            "a",
            "root",
            {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "Look"]},
        ),
        node("b", "a", {"content_type": "code", "text": "print(1)"}, "assistant", recipient="python"),
        node("c", "b", {"content_type": "execution_output", "text": "1"}, "tool"),
        node("d", "c", {"content_type": "thoughts", "thoughts": [{"content": "hm"}]}, "assistant"),
        node("e", "d", {"content_type": "from_the_future", "what": [1]}, "assistant"),
        node("f", "e", "hidden", "system"),
    ]
    yield "multimodal, tools, unknown kinds", _json([gpt(*kinds)]), 3, 0, "the kind 'from_the_future'"
    about = {
        "content_type": "user_editable_context",
        "user_profile": "I am a vet",
        "user_instructions": "Be brief",
    }
    both = [gpt(node("a", "root", about), node(f"b{n}", "a", "Hi"), id=f"c{n}") for n in (1, 2)]
    yield "custom instructions, once", _json(both), 4, 0, ""
    empty = [
        node("a", "root", ""),
        node("b", "a", {"content_type": "code", "language": "x", "text": ""}, "assistant"),
    ]
    circle = gpt(node("a", "b", "one"), node("b", "a", "two"))
    yield (
        "a circle, no current node, empty",
        _json([circle | {"current_node": 7}, gpt(*empty, id="c2")]),
        2,
        0,
        "",
    )
    yield "other languages", _json([gpt(node("á", "root", "Lisszabonba költöztem 搬家 \ud83d"))]), 1, 0, ""
    yield (
        "wrong types",
        _json([7, None, {"mapping": []}, gpt(node("a", "root", 5), id=3), talk]),
        2,
        0,
        "item 1",
    )
    yield (
        "cut off",
        _json([talk, gpt(node("z", "root", HUGE))])[:-3000],
        2,
        0,
        "item 2: the file ends within it",
    )
    yield (
        "huge",
        _json([gpt(node("a", "root", HUGE), node("b", "a", "x" * 1_100_000))]),
        1,
        0,
        "content: it is longer",
    )
    yield "in a zip", zipped(conversations__json=_json([talk]), user__json=b"{}"), 2, 0, ""


def _claude() -> Iterator[tuple[object, ...]]:
    def said(n: int, sender: object, words: object, **more: object) -> dict[str, object]:
        return {
            "uuid": f"m{n}",
            "sender": sender,
            "text": words,
            "created_at": "2025-01-02T03:04:05.6Z",
            **more,
        }

    def talk(*messages: object, **more: object) -> dict[str, object]:
        return {"uuid": "c1", "name": "Talk", "chat_messages": list(messages), **more}

    plain = talk(said(1, "human", "سافرت إلى لشبونة"), said(2, "assistant", "Lovely!"))
    blocks = [
        {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Looking"},
        {"type": "tool_use", "name": "search", "input": {"q": "tiles"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "azulejo"}]}, {"type": "hologram"}, 9,
        {"type": "text", "text": "Found"},
    ]  # fmt: skip
    files = [{"file_name": "cv.txt", "extracted_content": "I instruct you"}, {"file_name": "x"}, 3]
    yield "plain", _json([plain]), 2, 0, ""
    yield "blocks of tools", _json([talk(said(1, "assistant", "", content=blocks))]), 4, 0, ""
    yield "an attachment", _json([talk(said(1, "human", "My CV", attachments=files))]), 2, 0, ""
    yield "no sender", _json([talk(said(1, None, "Hi"), said(2, "human", "Ho"))]), 1, 0, "chat_messages[0]"
    thought = said(3, "assistant", "", content=blocks[:1])
    yield (
        "empty texts",
        _json([talk(said(1, "human", ""), said(2, "human", " ", content=[]), thought)]),
        0,
        0,
        "",
    )
    unknown = said(2, "assistant", "", content=[{"type": "hologram"}])
    yield (
        "unknown kinds alone",
        _json([talk(said(1, "human", "Hi"), unknown)]),
        1,
        0,
        "chat_messages[1], content[0].type: 'hologram'",
    )
    yield "wrong types", _json([plain, talk(7, said(3, "human", 5), text={})]), 2, 0, "chat_messages[0]"
    yield "cut off", _json([plain, plain])[:-40], 2, 0, "item 2"
    yield "one conversation", _json(plain), 2, 0, ""
    yield "in a zip", zipped(conversations__json=_json([plain]), users__json=b"[{}]"), 2, 0, ""


def _claude_code() -> Iterator[tuple[object, ...]]:
    def entry(n: int, kind: str, content: object, **more: object) -> dict[str, object]:
        return {
            "type": kind, "uuid": f"u{n}", "parentUuid": f"u{n - 1}", "sessionId": "s1", "cwd": "/home/anna/app",
            "timestamp": "2026-01-02T03:04:05Z", "message": {"role": kind, "content": content}, **more,
        }  # fmt: skip

    ask, answer = entry(1, "user", "Fix the login"), entry(2, "assistant", [{"type": "text", "text": "Done"}])
    tools = [
        entry(3, "assistant", [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}]),
        entry(4, "user", [{"type": "tool_result", "tool_use_id": "t", "content": "a.py"}]),
        entry(
            5,
            "user",
            [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "b"}]}],
        ),
    ]
    yield "plain", _lines({"type": "summary", "summary": "Login", "leafUuid": "u2"}, ask, answer), 2, 0, ""
    yield "tools", _lines(*tools), 3, 0, ""
    host = [entry(1, "user", "<command-name>/clear</command-name>"), entry(2, "user", "Caveat", isMeta=True)]
    yield (
        "of the host",
        _lines(*host, entry(3, "user", "sum", isCompactSummary=True), ask | {"uuid": "u9"}),
        1,
        0,
        "",
    )
    yield "subagents", _lines(ask, entry(2, "user", "Do it", isSidechain=True)), 1, 0, ""
    yield "cut off", _lines(ask, answer)[:-30], 1, 0, "line 2"
    yield "garbage between", _lines(ask, b"\x00\x01 garbage", b"[]", b"7", answer), 2, 0, "line 2"
    yield (
        "wrong types",
        _lines(ask, entry(2, "user", 7), {"type": []}, {"type": "user"}),
        1,
        0,
        "line 2, message.content",
    )
    yield (
        "unknown kinds",
        _lines({"type": "queue-operation", "sessionId": "s"}, {"type": "new"}, ask),
        1,
        0,
        "",
    )
    said = entry(1, "user", [{"type": "text", "text": "Nézd"}, {"type": "image"}, {"type": "thinking"}])
    yield "pictures", _lines(said, ask | {"uuid": None}), 3, 0, ""
    yield "huge output", _lines(entry(1, "user", [{"type": "tool_result", "content": HUGE * 5}])), 1, 0, ""


def _codex() -> Iterator[tuple[object, ...]]:
    def item(**payload: object) -> dict[str, object]:
        return {"timestamp": "2026-01-02T03:04:05Z", "type": "response_item", "payload": payload}

    def said(role: str, words: str) -> dict[str, object]:
        part = "output_text" if role == "assistant" else "input_text"
        return item(type="message", role=role, content=[{"type": part, "text": words}])

    meta = {
        "timestamp": "2026-01-02T03:04:05Z",
        "type": "session_meta",
        "payload": {"id": "s1", "cwd": "/app"},
    }
    ask, answer = said("user", "Fix the login"), said("assistant", "Done")
    event = {"type": "event_msg", "payload": {"type": "user_message", "message": "Fix the login"}}
    yield "plain", _lines(meta, ask, event, answer), 2, 0, ""
    call = item(type="function_call", name="shell", arguments='{"command":["ls"]}', call_id="1")
    output = item(type="function_call_output", call_id="1", output="a.py")
    shell = item(type="local_shell_call", action={"command": ["ls"]})
    yield (
        "tools",
        _lines(meta, call, output, shell, item(type="custom_tool_call_output", output={"content": "b"})),
        4,
        0,
        "",
    )
    told = [said("user", "<environment_context>x</environment_context>"), said("developer", "Be good")]
    yield "of the host", _lines(meta, *told, said("user", "# AGENTS.md instructions for /app"), ask), 1, 0, ""
    yield "from an editor", _lines(meta, said("user", "# Context\n## My request for Codex:\nHelp")), 1, 0, ""
    yield (
        "thinking",
        _lines(meta, item(type="reasoning", summary=[]), item(type="ghost_snapshot"), ask),
        1,
        0,
        "",
    )
    old = [
        {"id": "s0", "timestamp": "2025-05-01T00:00:00Z", "instructions": None},
        ask["payload"],
        answer["payload"],
    ]
    yield "the first versions", _lines(*old), 2, 0, ""
    yield "cut off", _lines(meta, ask, answer)[:-20], 1, 0, "line 3"
    yield (
        "wrong types",
        _lines(meta, item(type=7), item(), {"type": "response_item", "payload": 3}, ask),
        1,
        0,
        "line 2",
    )
    yield "no session", _lines(ask, {"type": "compacted", "payload": {"message": "x"}}), 1, 0, ""
    yield "blank lines", b"\n\n" + _lines(meta, ask) + b"\n \n", 1, 0, ""


def _whatsapp() -> Iterator[tuple[object, ...]]:
    def text(*lines: str) -> bytes:
        return "\n".join(lines).encode()

    yield "android", text(
        "31/12/2023, 21:15 - Messages and calls are end-to-end encrypted.",
        "31/12/2023, 21:15 - Anna: Happy new year", "and health", "", "31/12/2023, 21:16 - Péter: <Media omitted>",
    ), 1, 0, ""  # fmt: skip
    yield "america", text("12/31/23, 9:15\u202fPM - Anna: Hi", "1/2/24, 12:01 AM - Bob: Yo"), 2, 0, ""
    yield "ios", text(
        "[31.12.23, 21:15:03] Anna: Hallo", "\u200e[31.12.23, 21:15:09] Anna: \u200eBild weggelassen",
        "[31.12.23, 21:16:00] Anna: \u200eDiese Nachricht wurde gelöscht.",
    ), 1, 0, ""  # fmt: skip
    yield (
        "finland",
        text("[12.3.2022 klo 14.08.18] Matias: Hei", "[12.3.2022 klo 14.09.18] Anna: Moi"),
        2,
        0,
        "",
    )
    yield (
        "hungary",
        text("2023. 12. 31. 21:15 - Péter: Szia", "2023. 12. 31. 21:16 - Anna: Boldog új évet"),
        2,
        0,
        "",
    )
    yield "china", text("2023/12/31 下午9:15 - 小明: 新年快乐", "2024/1/1 上午9:15 - 小红: 好"), 2, 0, ""
    yield (
        "korea",
        text("2023년 12월 31일 오후 9:15, 지민 : 안녕", "2024년 1월 1일 오전 9:15, 지민 : 응"),
        2,
        0,
        "",
    )
    yield "arabic digits", text("٣١/١٢/٢٠٢٣، ٢١:١٥ - علي: مرحبا"), 1, 0, ""  # noqa: RUF001
    yield "no such day", text("31/12/2023, 21:15 - Anna: Hi", "31/02/2023, 25:15 - Anna: Ho"), 1, 0, "line 2"
    yield "twice the same", text("cut off words", *["1/1/2024, 10:00 - Anna: ok"] * 2), 2, 0, "line 1"


def _mem0() -> Iterator[tuple[object, ...]]:
    def one(id: object, memory: object, **more: object) -> dict[str, object]:
        return {
            "id": id,
            "memory": memory,
            "user_id": "anna",
            "created_at": "2024-07-20T01:30:36.2-07:00",
            **more,
        }

    first, second = one("m1", "Anna is allergic to nuts"), one("m2", "Péter tanár Szegeden \ud83d")
    edge = {"source": "anna", "relationship": "lives_in", "target": "lisbon"}
    yield "results", _json({"results": [first, second]}), 0, 2, ""
    yield "a list", _json([first, second]), 0, 2, ""
    yield "lines", _lines(first, second), 0, 2, ""
    yield "a graph", _json({"results": [first], "relations": [edge, {"source": 7}]}), 0, 2, "relations[1]"
    yield "pages", _json({"count": 1, "next": None, "results": [first]}), 0, 1, ""
    yield "no memory", _json([first, {"id": "m3"}, one("m4", None), 5]), 0, 1, "item 2"
    yield "no id", _json([one(None, "Kade sings"), one(7, "Kade dances")]), 0, 2, ""
    yield (
        "odd times",
        _json([one("m1", "Kade sings", created_at="yesterday"), one("m2", "Nova hums", created_at=9e99)]),
        0,
        2,
        "item 1, created_at: it is no time",
    )
    yield "the same id twice", _json([first, first]), 0, 1, ""
    yield "huge", _json([one("m1", HUGE[:40_000]), one("m2", "  ")]), 0, 5, "item 2"


def _letta() -> Iterator[tuple[object, ...]]:
    def one(n: int, words: object, **more: object) -> dict[str, object]:
        return {
            "id": f"passage-{n}",
            "text": words,
            "created_at": "2025-03-04T05:06:07",
            "embedding": [0.1],
            **more,
        }

    yield "a list", _json([one(1, "Anna keeps bees"), one(2, "Kade has the map", tags=["map"])]), 0, 2, ""
    yield "passages", _json({"passages": [one(1, "Anna keeps bees")]}), 0, 1, ""
    yield "lines", _lines(one(1, "Anna keeps bees")), 0, 1, ""
    yield "deleted", _json([one(1, "Anna keeps bees"), one(2, "Gone", is_deleted=True)]), 0, 1, ""
    yield "no text", _json([one(1, "Anna keeps bees"), one(2, None), one(3, [])]), 0, 1, "item 2"
    yield "other ids", _json([{"id": 5, "text": "Nova hums", "archive_id": "a"}]), 0, 1, ""
    yield "bad tags", _json([one(1, "Anna keeps bees", tags=[1, None, "  ", "x" * 500, "bees\n"])]), 0, 1, ""
    yield "other languages", _json([one(1, "アンナは蜂を飼っている")]), 0, 1, ""
    yield "cut off", _json([one(1, "Anna keeps bees"), one(2, "Kade")])[:-9], 0, 1, "item 2"
    yield "laid out", json.dumps({"passages": [one(1, "Anna keeps bees")]}, indent=2).encode(), 0, 1, ""


def _mcp() -> Iterator[tuple[object, ...]]:
    def entity(name: object, *seen: object, **more: object) -> dict[str, object]:
        return {"type": "entity", "name": name, "entityType": "person", "observations": list(seen), **more}

    knows = {"type": "relation", "from": "Anna", "to": "Péter", "relationType": "works_with"}
    anna = entity("Anna", "Speaks Portuguese", "Anna grows tomatoes")
    yield "plain", _lines(anna, knows), 1, 3, ""
    yield "read_graph", _json({"entities": [anna], "relations": [knows]}), 1, 3, ""
    yield "no observations", _lines(entity("Anna"), knows), 1, 1, ""
    yield "no name", _lines(entity(None, "x"), anna), 1, 2, "line 1"
    yield "half a relation", _lines(anna, {"type": "relation", "from": "Anna"}), 1, 2, "line 2"
    yield "odd observations", _lines(entity("Anna", 7, {"content": "Sings"}, "")), 1, 1, "observations[0]"
    yield "cut off", _lines(anna, knows)[:-12], 1, 2, "line 2"
    yield "names with underscores", _lines(entity("Anna_Kis", "Sings")), 1, 1, ""
    yield "other languages", _lines(entity("Жанна", "Живёт в Лиссабоне")), 1, 1, ""
    yield "twice", _lines(anna, anna), 1, 2, ""


def _zep() -> Iterator[tuple[object, ...]]:
    def one(n: object, fact: object, **more: object) -> dict[str, object]:
        return {"uuid": n, "fact": fact, "name": "LIVES_IN", "created_at": "2025-01-01T00:00:00Z", **more}

    home = one(
        "e1", "Anna lives in Porto", valid_at="2020-01-01T00:00:00Z", invalid_at="2025-01-01T00:00:00Z"
    )
    yield "edges", _json({"edges": [home, one("e2", "Anna lives in Lisbon")], "nodes": []}), 0, 2, ""
    yield "facts", _json({"facts": [home]}), 0, 1, ""
    yield "a list", _json([home]), 0, 1, ""
    yield "lines", _lines(home), 0, 1, ""
    yield (
        "backwards",
        _json([one("e1", "Kade sings", valid_at="2025-01-01", invalid_at="2020-01-01")]),
        0,
        1,
        "",
    )
    yield "no fact", _json([home, one("e2", None), one("e3", 5)]), 0, 1, "item 2"
    yield (
        "odd times",
        _json([one("e1", "Kade sings", valid_at=[], invalid_at="soon", created_at="3000-01-01")]),
        0,
        1,
        "",
    )
    yield "no id", _json([one(None, "Kade sings")]), 0, 1, ""
    yield "episodes", _json([one("e1", "Kade sings", episodes=["x"], attributes={"a": 1})]), 0, 1, ""
    yield "cut off", _json([home, home])[:-5], 0, 1, "item 2"


def _langgraph() -> Iterator[tuple[object, ...]]:
    def one(key: object, value: object, **more: object) -> dict[str, object]:
        return {
            "namespace": ["users", "anna"],
            "key": key,
            "value": value,
            "created_at": "2025-01-01T00:00:00Z",
            **more,
        }

    plain = one("k1", {"text": "Anna keeps bees"})
    yield (
        "a list",
        _json([plain, one("k2", {"content": {"content": "Kade sings"}, "kind": "Memory"})]),
        0,
        2,
        "",
    )
    yield "lines", _lines(plain), 0, 1, ""
    yield "items", _json({"items": [plain]}), 0, 1, ""
    yield "any fields", _json([one("k1", {"city": "Lisbon", "since": 2024})]), 0, 1, ""
    yield "no object", _json([one("k1", "Anna keeps bees"), one("k2", [1, 2]), one("k3", 7)]), 0, 3, ""
    yield "nothing", _json([plain, one("k2", None), one("k3", {})]), 0, 1, "item 2"
    yield "a namespace of words", _json([one("k1", {"data": "Nova hums"}, namespace="users.anna")]), 0, 1, ""
    yield (
        "an odd namespace",
        _json([one("k1", {"data": "Nova hums"}, namespace={"a": 1}), one([], {"data": "Kade"})]),
        0,
        2,
        "",
    )
    yield "the same key twice", _json([plain, plain]), 0, 1, ""
    yield "a long key", _json([one("k" * 500, {"memory": "Nova hums"})]), 0, 1, ""


def _markdown() -> Iterator[tuple[object, ...]]:
    basic = (
        "---\ntitle: Coffee\ntags: [drink, morning]\ncreated: 2025-01-02\n---\n# Coffee\n\nI like it strong.\n\n"
        "- [method] Pour over keeps the flavour #brew (tried)\n- [ ] buy beans\n- pairs_with [[Chocolate]]\n"
    )
    yield "basic-memory", basic.encode(), 0, 4, ""
    yield "paragraphs", b"# Trip\n\nWe go to Porto.\n\n## Packing\n\nTake the coat\nand the map.\n", 0, 2, ""
    yield "code", b"# Setup\n\n```sh\nmake\n\nmake test\n```\n\nThen rest.\n", 0, 2, ""
    yield "code without end", b"# Setup\n\n```\nmake\n", 0, 1, ""
    yield "links", "# Napló\n\nMa [[Péter|Petivel]] voltam ![[kép.png]]".encode(), 0, 1, ""
    yield "properties without end", b"---\ntitle: x\n\nWords here\n\n# Head\n\nMore", 0, 3, ""
    yield "empty", b"# Only a head\n\n---\n\n***\n", 0, 0, ""
    yield "said twice", b"# A\n\n- same\n- same\n", 0, 1, ""
    yield "not utf-8", b"# A\n\n\xff\xfe\xfa words\n", 0, 0, "", "byte 6 is not UTF-8"
    yield "huge", f"# Long\n\n{HUGE}".encode(), 0, 36, ""


def _jsonl() -> Iterator[tuple[object, ...]]:
    yield (
        "plain",
        _lines({"content": "Hi", "role": "user", "ref": "a"}, {"role": "assistant", "content": "Yo"}),
        2,
        0,
        "",
    )
    yield "a list", _json([{"content": "Hi", "role": "user"}, {"content": "Hi", "role": "user"}]), 2, 0, ""
    call = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    openai = [
        {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "file", "file": {}}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "ok"},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No"}]},
    ]
    yield "openai", _json({"messages": openai}), 4, 0, ""
    yield (
        "rooms",
        _lines(*({"content": "Hi", "conversation": c, "speaker": "Anna"} for c in "abab")),
        4,
        0,
        "",
    )
    yield (
        "unknown role",
        _lines({"content": "Hi", "role": "user"}, {"content": "Ho", "role": "wizard"}),
        1,
        0,
        "line 2, role",
    )
    yield (
        "no content",
        _lines({"content": "Hi", "role": "user"}, {"role": "user"}, 7),
        1,
        0,
        "line 2, content",
    )
    yield (
        "an odd time",
        _lines({"content": "Hi", "time": "soon"}, {"content": "Hi", "timestamp": 1_700_000_000}),
        1,
        0,
        "time",
    )
    yield "further fields", _lines({"content": "Hi", "role": "user", "mood": {"x": 1}, "id": 9}), 1, 0, ""
    yield (
        "another under one ref",
        _lines(*({"content": w, "role": "user", "ref": "a"} for w in ("Hi", "Ho"))),
        1,
        0,
        "",
    )
    yield "cut off", _lines({"content": "Hi", "role": "user"}, {"content": "Hello"})[:-5], 1, 0, "line 2"


def _chat_text() -> Iterator[tuple[object, ...]]:
    yield "plain", b"Anna: Hi\nBob: Yo\nAnna: How are you?\n", 3, 0, ""
    yield "a model", b"User: Hi\nAssistant: Yo\n", 2, 0, ""
    yield "several lines", b"You: Hi\nand more\n\nChatGPT: Yo\nover lines\n", 2, 0, ""
    yield "bold names", b"**Anna:** Hi\n**Bob:** Yo\n**Anna:** Bye\n", 3, 0, ""
    yield "words before", b"Log of today\nAnna: Hi\nAnna: Ho\n", 2, 0, "line 1"
    yield "other languages", "Péter: Szia\n小明: 你好\nPéter: Jó\n".encode(), 3, 0, ""
    yield "empty words", b"Anna:\nAnna: Hi\nAnna: \n", 1, 0, ""
    yield "windows", b"\xef\xbb\xbfAnna: Hi\r\nAnna: Ho\r\n", 2, 0, ""
    yield "long", b"Anna: Hi\nAnna: " + b"x" * 1_100_000, 1, 0, "line 2, content"
    yield "utf-16", "Anna: Hi\nAnna: Ho".encode("utf-16"), 0, 0, "", "UTF-16"


_TABLES: Mapping[str, tuple[str, object]] = {
    "chatgpt": ("conversations.json", _gpt), "claude": ("conversations.json", _claude),
    "claude-code": ("s1.jsonl", _claude_code), "codex": ("rollout-1.jsonl", _codex),
    "whatsapp": ("WhatsApp Chat with Anna.txt", _whatsapp), "mem0": ("mem0.json", _mem0),
    "letta": ("passages.json", _letta), "mcp-memory": ("memory.jsonl", _mcp), "zep": ("edges.json", _zep),
    "langgraph": ("store.json", _langgraph), "markdown": ("Note.md", _markdown), "jsonl": ("log.jsonl", _jsonl),
    "chat-text": ("chat.txt", _chat_text),
}  # fmt: skip


def _all() -> Iterator[File]:
    for kind, (name, rows) in _TABLES.items():
        for label, content, messages, memories, problem, *refused in rows():  # type: ignore[operator]
            yield File(
                kind=kind, label=label, name=name, content=content, messages=messages, memories=memories,
                problem=problem, refused=refused[0] if refused else "",
            )  # fmt: skip


FILES = [*_all()]
"""All of them."""
