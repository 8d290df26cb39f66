from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from reverie.client import Agent
from tests.doors.commands import Cli


def lines(*messages: Mapping[str, object]) -> str:
    return "\n".join(json.dumps(message) for message in messages)


def test_messages_of_a_file_are_stored(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_text(lines({"content": "a"}, {"content": "b"}), encoding="utf-8")
    assert cli("observe", str(file)).out == "stored 2 messages in 1 conversation, 0 known already\n"


def test_messages_of_a_pipe_are_stored(cli: Cli) -> None:
    assert cli("observe", "-", stdin=lines({"content": "a"}), terminal=False).out.startswith(
        "stored 1 message "
    )


def test_conversation_and_channel_hold_for_lines_that_name_none(cli: Cli) -> None:
    text = lines({"content": "a"}, {"content": "b", "conversation": "own", "channel": "room"})
    cli("observe", "-", "--conversation", "chat", "--channel", "telegram", stdin=text)
    rooms = cli("rooms", "list", "--json").document
    assert [(room["conversation"]["id"], room["conversation"]["channel"]) for room in rooms] == [
        ("chat", "telegram"),
        ("own", "room"),
    ]


def test_a_bad_line_stores_nothing(cli: Cli) -> None:
    cli.observe("here before")
    ran = cli("observe", "-", stdin='{"content": "good"}\n{"content": ""}')
    assert (ran.code, len(cli("list", "--episodes", "--json").document)) == (2, 1)


def test_a_bad_line_makes_no_bank(cli: Cli) -> None:
    cli("observe", "-", stdin="{}")
    assert not cli.bank.exists()


def test_a_file_with_refs_may_be_observed_again(cli: Cli) -> None:
    text = lines({"content": "a", "ref": "m1"}, {"content": "b", "ref": "m2"})
    cli("observe", "-", stdin=text)
    assert cli("observe", "-", stdin=text).out == "stored 0 messages in 1 conversation, 2 known already\n"


def test_a_ref_with_other_words_is_bad_input(cli: Cli) -> None:
    cli.observe({"content": "a", "ref": "m1"})
    assert cli("observe", "-", stdin=lines({"content": "b", "ref": "m1"})).code == 2


SECRET: dict[str, object] = {"content": "My secret is marzipan", "ref": "m1"}


@pytest.fixture
def discreet(cli: Cli) -> Cli:
    """A bank that observed a secret and forgot it."""
    (id,) = cli.observe(SECRET)
    assert cli("forget", id, "--yes").code == 0
    return cli


def test_what_was_forgotten_is_passed_over_and_counted(discreet: Cli) -> None:
    ran = discreet("observe", "-", stdin=lines(SECRET, {"content": "Good morning"}))
    assert ran.out == "stored 1 message in 1 conversation, 0 known already, 1 skipped as forgotten\n"
    assert "--override" in ran.err
    document = discreet("observe", "-", "--json", stdin=lines(SECRET)).document
    assert (document["stored"], document["known"], document["forgotten"]) == (0, 0, 1)


def test_what_was_forgotten_is_stored_again_with_override(discreet: Cli) -> None:
    document = discreet("observe", "-", "--override", "--json", stdin=lines(SECRET)).document
    assert (document["stored"], document["forgotten"]) == (1, 0)
    assert "marzipan" in discreet("list", "--episodes").out


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
    assert [(one["role"], one["content"]) for one in found] == [
        ("system", "Be kind"),
        ("user", "Hi\nthere"),
        ("agent", "Hello!"),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[{"content": "a"}, 7]', "message 2, JSON: a number is not a message"),
        ('[{"content": "a"}, {"role": "user"}]', "message 2, content: the message has none"),
        ('[{"content": "a"}, {"content": "b", "contents": "c"}]', "conversation and channel too"),
        ('[{"content": "a", "content": "b"}]', "'content' is given twice"),
    ],
)
def test_a_bad_message_in_a_list_is_named_and_stores_nothing(cli: Cli, text: str, says: str) -> None:
    ran = cli("observe", "-", stdin=text)
    assert (ran.code, says in ran.err, cli.bank.exists()) == (2, True, False)


def test_an_empty_list_stores_nothing_and_is_no_error(cli: Cli) -> None:
    ran = cli("observe", "-", stdin="[]")
    assert (ran.code, ran.out) == (0, "stored 0 messages in 0 conversations, 0 known already\n")


def test_an_empty_file_stores_nothing_and_is_no_error(cli: Cli) -> None:
    ran = cli("observe", "-", stdin="\n")
    assert (ran.code, ran.out) == (0, "stored 0 messages in 0 conversations, 0 known already\n")


def test_a_naive_time_is_read_in_the_zone_of_the_agent(cli: Cli) -> None:
    cli("init", "--time-zone", "Europe/Budapest")
    cli.observe({"content": "a", "time": "2026-11-20T09:30"})
    assert cli("list", "--episodes", "--json").document[0]["time"] == "2026-11-20T08:30:00+00:00"


def test_a_locomo_sample_becomes_a_conversation_a_session(cli: Cli) -> None:
    talk = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "Ada", "dia_id": "D1:1", "text": "Hi"}],
    }
    cli(
        "observe",
        "-",
        "--sample",
        "conv-1",
        stdin=json.dumps([{"sample_id": "conv-1", "conversation": talk}]),
    )
    (episode,) = cli("list", "--episodes", "--json").document
    assert (episode["conversation"], episode["ref"], episode["time"]) == (
        "conv-1/session_1",
        "D1:1",
        "2023-05-08T13:56:00+00:00",
    )


def test_the_ids_of_what_was_stored_are_in_the_document(cli: Cli) -> None:
    ids = cli.observe("a", "b")
    assert ids == [episode["id"] for episode in cli("list", "--episodes", "--json").document]


def test_progress_with_its_rate_shows_on_a_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    cli("observe", "-", stdin=lines(*({"content": f"message {number}"} for number in range(600))))
    assert "600/600" in screen.getvalue()


def test_no_progress_shows_where_stderr_is_no_terminal(cli: Cli) -> None:
    assert cli("observe", "-", stdin=lines({"content": "a"})).err == ""


def test_an_interruption_has_its_own_code(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Agent, "observe", interrupted)
    ran = cli("observe", "-", stdin=lines({"content": "a"}))
    assert (ran.code, ran.out) == (130, "")


def test_an_error_that_only_the_bank_could_know_tells_what_was_stored_before_it(cli: Cli) -> None:
    cli.observe({"content": "a", "ref": "m1", "conversation": "y"})
    text = lines({"content": "new", "conversation": "x"}, {"content": "b", "ref": "m1", "conversation": "y"})
    ran = cli("observe", "-", stdin=text)
    assert (ran.code, "1 conversation stored before" in ran.err) == (2, True)
