"""`reverie window`: a turn's context out of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.doors.commands import Cli

HELLO = '{"content": "Which seat does Anna take?"}'


@pytest.fixture
def anna(cli: Cli) -> Cli:
    """A bank that knows a little."""
    cli.remember("Anna takes the window seat", "--kind", "preference", "--priority", "high")
    return cli


def test_the_window_of_a_file_is_printed_as_one_text(anna: Cli, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_text(f'{{"role": "assistant", "content": "Welcome"}}\n{HELLO}\n', encoding="utf-8")
    ran = anna("window", str(file), "--max-tokens", "20000", "--system", "Be kind.", "--job", "Feed the cat")
    assert ran.code == 0
    assert ran.out.startswith("Be kind.\n\n<reverie-context>\n")
    assert "- Anna takes the window seat\n" in ran.out
    assert "- Feed the cat\n" in ran.out
    assert ran.out.endswith("assistant: Welcome\n\nuser: Which seat does Anna take?\n")
    assert "of 3,000 tokens: 2 messages in full" in ran.err


def test_its_parts_come_as_json(anna: Cli) -> None:
    ran = anna("window", "-", "--max-tokens", "20000", "--goal", "Travel", "--json", stdin=HELLO)
    made = ran.document
    assert made["as_messages"][-1] == {"role": "user", "content": "Which seat does Anna take?"}
    assert made["as_messages"][0]["content"] == made["system_message"]
    assert made["goals"] == ["Travel"]
    assert made["token_count"] <= made["budget"] == 3_000
    assert set(made["section_tokens"]) >= {"system", "memories", "messages"}
    assert ran.err == ""


def test_what_is_left_out_is_told(anna: Cli) -> None:
    long = "\n".join(json.dumps({"content": f"{n} " + "word " * 100}) for n in range(60))
    ran = anna("window", "-", "--max-tokens", "6000", "--job", "feed " * 500, stdin=long)
    assert "left out of jobs: jobs[0] (" in ran.err
    assert "59 word" in ran.out
    assert "\nuser: 0 word" not in ran.out


def test_nothing_of_the_file_is_stored(anna: Cli) -> None:
    anna("window", "-", "--max-tokens", "20000", stdin=HELLO)
    assert anna("list", "--episodes", "--json").document == []


def test_one_conversation_of_a_file_is_chosen_by_name(anna: Cli) -> None:
    lines = '{"content": "one", "conversation": "a"}\n{"content": "two", "conversation": "b"}'
    assert anna("window", "-", "--max-tokens", "9000", "--conversation", "b", stdin=lines).out.endswith(
        "user: two\n"
    )
    for wrong in ((), ("--conversation", "c")):
        refused = anna("window", "-", "--max-tokens", "9000", *wrong, stdin=lines)
        assert refused.code == 2
        assert "choose from a, b" in refused.err


def test_without_a_file_it_is_a_conversation_of_the_bank(anna: Cli) -> None:
    anna("rooms", "say", "plaza", "Kade", "Which seat does Anna take?", "--members", "mama")
    ran = anna("window", "--conversation", "plaza", "--max-tokens", "20000")
    assert ran.out.endswith("Kade: Which seat does Anna take?\n")
    assert "- Anna takes the window seat\n" in ran.out
    assert anna("window", "--conversation", "hall", "--max-tokens", "20000").code == 1
    neither = anna("window", "--max-tokens", "20000")
    assert (neither.code, "--conversation" in neither.err) == (2, True)


def test_what_does_not_fit_is_bad_input(anna: Cli) -> None:
    ran = anna("window", "-", "--max-tokens", "20", "--json", stdin=HELLO)
    assert ran.code == 2
    assert ran.error["field"] == "--max-tokens"
    assert anna("window", "-", stdin=HELLO).code == 2


def test_a_session_may_begin_with_an_empty_file(anna: Cli) -> None:
    ran = anna("window", "-", "--max-tokens", "9000", stdin="")
    assert "- Anna takes the window seat" in ran.out
