"""Observe: messages from a file or a pipe."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from reverie.client import Agent
from tests.doors.commands import Cli

SECRET: dict[str, object] = {"content": "My secret is marzipan", "ref": "m1"}


def lines(*messages: Mapping[str, object]) -> str:
    return "\n".join(json.dumps(message) for message in messages)


def test_a_file_with_refs_may_be_observed_again(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_text(lines({"content": "a", "ref": "m1"}, {"content": "b", "ref": "m2"}), encoding="utf-8")
    assert cli("observe", str(file)).out == "stored 2 messages in 1 conversation, 0 known already\n"
    assert cli("observe", str(file)).out == "stored 0 messages in 1 conversation, 2 known already\n"


def test_conversation_and_channel_are_for_lines_without(cli: Cli) -> None:
    text = lines({"content": "a"}, {"content": "b", "conversation": "own", "channel": "room"})
    ran = cli("observe", "-", "--conversation", "chat", "--channel", "telegram", stdin=text)
    assert ran.err == ""  # no progress where stderr is no terminal
    found = [room["conversation"] for room in cli("rooms", "list", "--json").document]
    assert [(room["id"], room["channel"]) for room in found] == [("chat", "telegram"), ("own", "room")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"content": "good"}\n{"content": ""}', "line 2, content: it is empty"),
        ('[{"content": "a"}, 7]', "message 2, JSON: a number is not a message"),
        ('[{"content": "a"}, {"role": "user"}]', "message 2, content: the message has none"),
        ('[{"content": "a"}, {"content": "b", "contents": "c"}]', "conversation and channel too"),
        ('[{"content": "a", "content": "b"}]', "'content' is given twice"),
    ],
)
def test_a_bad_message_is_named_and_stores_nothing(cli: Cli, text: str, says: str) -> None:
    ran = cli("observe", "-", stdin=text)
    assert (ran.code, says in ran.err, cli.bank.exists()) == (2, True, False)


def test_a_ref_with_other_words_tells_what_was_stored_before(cli: Cli) -> None:
    cli.observe({"content": "a", "ref": "m1", "conversation": "y"})
    text = lines({"content": "new", "conversation": "x"}, {"content": "b", "ref": "m1", "conversation": "y"})
    ran = cli("observe", "-", stdin=text)
    assert (ran.code, "1 conversation stored before" in ran.err) == (2, True)


def test_what_was_forgotten_needs_override(cli: Cli) -> None:
    (id,) = cli.observe(SECRET)
    assert cli("forget", id, "--yes").code == 0
    ran = cli("observe", "-", stdin=lines(SECRET, {"content": "Good morning"}))
    assert ran.out == "stored 1 message in 1 conversation, 0 known already, 1 skipped as forgotten\n"
    assert "--override" in ran.err
    document = cli("observe", "-", "--json", stdin=lines(SECRET)).document
    assert (document["stored"], document["known"], document["forgotten"]) == (0, 0, 1)
    document = cli("observe", "-", "--override", "--json", stdin=lines(SECRET)).document
    assert (document["stored"], document["forgotten"]) == (1, 0)


def test_a_list_of_messages_is_one_conversation(cli: Cli, tmp_path: Path) -> None:
    chat = [
        {"role": "system", "content": "Be kind"},
        {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "text", "text": "there"}]},
        {"role": "assistant", "content": "Hello!"},
    ]
    for indent in (None, 2):
        file = tmp_path / f"export-{indent}.json"
        file.write_text(json.dumps(chat, indent=indent), encoding="utf-8")
        ran = cli("observe", str(file), "--conversation", f"chat-{indent}")
        assert ran.out == "stored 3 messages in 1 conversation, 0 known already\n"
    found = cli("list", "--episodes", "--conversation", "chat-2", "--json").document
    told = [(one["role"], one["content"]) for one in found]
    assert told == [("system", "Be kind"), ("user", "Hi\nthere"), ("agent", "Hello!")]


@pytest.mark.parametrize("text", ["[]", "\n"])
def test_an_empty_file_stores_nothing_and_is_no_error(cli: Cli, text: str) -> None:
    ran = cli("observe", "-", stdin=text)
    assert (ran.code, ran.out) == (0, "stored 0 messages in 0 conversations, 0 known already\n")


def test_a_naive_time_is_read_in_the_zone_of_the_agent(cli: Cli) -> None:
    cli("init", "--time-zone", "Europe/Budapest")
    cli.observe({"content": "a", "time": "2026-11-20T09:30"})
    assert cli("list", "--episodes", "--json").document[0]["time"] == "2026-11-20T08:30:00+00:00"


def test_a_path_that_can_not_be_is_bad_input(cli: Cli) -> None:
    ran = cli("observe", "nul\0byte")
    assert (ran.code, ran.out, ran.err.startswith("reverie: FILE: ")) == (2, "", True)


def test_a_session_of_a_locomo_sample_is_a_conversation(cli: Cli) -> None:
    talk = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "Ada", "dia_id": "D1:1", "text": "Hi"}],
    }
    text = json.dumps([{"sample_id": "conv-1", "conversation": talk}])
    cli("observe", "-", "--sample", "conv-1", stdin=text)
    (episode,) = cli("list", "--episodes", "--json").document
    told = (episode["conversation"], episode["ref"], episode["time"])
    assert told == ("conv-1/session_1", "D1:1", "2023-05-08T13:56:00+00:00")


def test_the_ids_of_what_was_stored_are_in_the_document(cli: Cli) -> None:
    ids = cli.observe("a", "b")
    assert ids == [episode["id"] for episode in cli("list", "--episodes", "--json").document]


def test_progress_shows_on_a_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    cli("observe", "-", stdin=lines(*({"content": f"message {number}"} for number in range(600))))
    assert "600/600" in screen.getvalue()


def test_an_interruption_has_its_own_code(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Agent, "observe", interrupted)
    ran = cli("observe", "-", stdin=lines({"content": "a"}))
    assert (ran.code, ran.out) == (130, "")
