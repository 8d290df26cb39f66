"""Remember, revise, show, list and forget on the command line."""

from __future__ import annotations

import pytest

from tests.doors.commands import Cli

THREE = ("the first thing", "another matter", "what came last")


def test_remember_prints_the_id_and_reinforces_a_repetition(cli: Cli) -> None:
    word, id = cli("remember", "Anna is allergic to nuts").out.split()
    assert (word, cli("show", id).code) == ("remembered", 0)
    assert cli("remember", "Anna is allergic to nuts").out == f"reinforced {id}\n"


def test_remember_takes_every_field(cli: Cli) -> None:
    (source,) = cli.observe("I can't eat nuts, ever")
    flags = f"""--kind preference --importance 0.9 --priority high --confidence 0.8 --scope kitchen/** --tag food
        --topic health --entity Anna --source {source} --time 2026-11-20T10:00:00+00:00 --valid-from 2026-01-01
        --valid-to 2027-01-01 --emotion fear --emotion caring --emotion love --pinned --json"""
    ran = cli("remember", "Anna eats no nuts", "--lesson", "Ask before cooking", *flags.split())
    assert {
        "kind": "preference", "lesson": "Ask before cooking", "importance": 0.9, "priority": "high",
        "confidence": 0.8, "scope": ["kitchen/**"], "tags": ["food"], "topics": ["health"], "entities": ["Anna"],
        "source_episodes": [source], "created_at": "2026-11-20T10:00:00+00:00",
        "valid_from": "2026-01-01T00:00:00+00:00", "valid_to": "2027-01-01T00:00:00+00:00",
        "emotions": ["fear", "caring", "love"], "pinned": True, "origin": "commit",
    }.items() <= ran.document["memory"].items()  # fmt: skip


def test_what_nobody_judged_is_shown_as_that(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_MIND", "none")
    id = cli.remember("Anna is allergic to nuts")
    rows = dict(line.split(maxsplit=1) for line in cli("show", id).out.splitlines()[:5])
    assert [rows[name].strip() for name in ("importance", "lesson")] == ["not yet judged"] * 2
    memory = cli("show", id, "--json").document["memory"]
    assert (memory["lesson"], memory["importance"]) == (None, None)


def test_revise_keeps_the_id_and_the_history(cli: Cli) -> None:
    id = cli.remember("Anna lives in Porto", "--lesson", "Visit her")
    ran = cli("revise", id, "Anna lives in Lisbon", "--reason", "she moved")
    assert ran.out == f"revised {id}, wording 2: Anna lives in Lisbon\n"
    shown = cli("show", id).out
    assert "Anna lives in Porto (believed until" in shown
    assert "(she moved)" in shown
    assert cli("revise", id, "--clear", "lesson", "--json").document["lesson"] is None
    assert cli("revise", id).code == 2


def test_show_knows_messages_too(cli: Cli) -> None:
    (id,) = cli.observe({"content": "Péter 漢字", "speaker": "Anna", "ref": "m1"})
    shown = cli("show", id).out
    assert "Péter 漢字" in shown
    assert "Anna (role user, source principal)" in shown


def test_memories_are_listed_as_stored_a_page_at_a_time(cli: Cli) -> None:
    ids = [cli.remember(text) for text in THREE]
    assert [memory["id"] for memory in cli("list", "--json").document] == ids
    assert cli("list", "--limit", "2").err == f"There may be more: --after {ids[1]}\n"
    assert [memory["id"] for memory in cli("list", "--after", ids[1], "--json").document] == [ids[2]]
    assert [one["essence"] for one in cli("list", "--match", "came what", "--json").document] == [THREE[2]]


def test_messages_are_listed_by_speaker_and_newest_first(cli: Cli) -> None:
    cli.observe(
        {"content": "a", "speaker": "Anna", "time": "2026-01-01"},
        {"content": "b", "speaker": "Bo", "time": "2026-01-02"},
    )
    for arguments, found in ((("--speaker", "Bo"), ["b"]), (("--newest",), ["b", "a"])):
        ran = cli("list", "--episodes", *arguments, "--json")
        assert [episode["content"] for episode in ran.document] == found


def test_conversations_are_listed_with_their_participants(cli: Cli) -> None:
    cli.observe({"content": "a", "speaker": "Anna", "conversation": "chat-1"})
    row = cli("rooms", "list").out.splitlines()[3].split()
    assert (row[0], row[2], row[-1]) == ("chat-1", "1", "Anna")


def test_a_memory_is_forgotten_with_a_receipt(cli: Cli) -> None:
    id = cli.remember("Anna is allergic to nuts")
    ran = cli("forget", id, "--yes")
    assert ran.out.splitlines()[0].split(maxsplit=1)[1].strip() == "1 memory, 0 messages, 0 conversations"
    assert cli("show", id).code == 1


def test_a_memory_that_lost_its_source_is_called_that(cli: Cli) -> None:
    (source,) = cli.observe("I can't eat nuts")
    cli.remember("Anna is allergic to nuts", "--source", source)
    rows = dict(line.split("  ", 1) for line in cli("forget", source, "--yes").out.splitlines())
    assert rows["unlinked"].strip().endswith("that lost a source")


def test_messages_that_repeat_it_are_named_with_what_to_do(cli: Cli) -> None:
    said, echo = cli.observe(
        "I take 50 micrograms of levothyroxine",
        {"content": "Noted: 50 micrograms of levothyroxine.", "role": "agent"},
    )
    ran = cli("forget", said, "--yes")
    assert "still told" in ran.out
    assert "1 message left" in ran.out
    assert echo in ran.out
    assert cli("forget", echo, "--yes", "--json").document["still_told"] == []


def test_a_conversation_is_forgotten(cli: Cli) -> None:
    ids = cli.observe({"content": "a", "conversation": "x"}, {"content": "b", "conversation": "y"})
    assert cli("forget", "--conversation", "x", "--yes", "--json").document["episodes"] == ids[:1]


def test_a_range_of_time_is_forgotten(cli: Cli) -> None:
    ids = cli.observe({"content": "a", "time": "2026-01-01"}, {"content": "b", "time": "2026-01-02"})
    ran = cli("forget", "--since", "2026-01-02", "--until", "2026-01-03", "--yes", "--json")
    assert ran.document["episodes"] == ids[1:]


def test_everything_is_forgotten(cli: Cli) -> None:
    cli.observe("a", "b")
    cli.remember("something")
    cli("forget", "--everything", "--yes")
    assert (cli("list").code, cli("list", "--episodes").code) == (1, 1)


def test_what_was_forgotten_is_learned_again_only_with_override(cli: Cli) -> None:
    cli("forget", cli.remember("Anna is allergic to nuts"), "--yes")
    ran = cli("remember", "Anna is allergic to nuts")
    assert (ran.code, "--override" in ran.err) == (2, True)
    assert cli("remember", "Anna is allergic to nuts", "--override").code == 0


def test_without_a_terminal_yes_is_needed(cli: Cli) -> None:
    id = cli.remember("Anna is allergic to nuts")
    ran = cli("forget", id)
    assert (ran.code, "--yes" in ran.err, cli("show", id).code) == (2, True, 0)


def test_on_a_terminal_it_asks_with_the_text_itself(cli: Cli) -> None:
    id = cli.remember("Anna is allergic to nuts")
    ran = cli("forget", id, stdin="y\n", terminal=True)
    assert (ran.code, "“Anna is allergic to nuts”" in ran.err, cli("show", id).code) == (0, True, 1)


@pytest.mark.parametrize("answer", ["n\n", ""])
def test_a_no_or_no_answer_forgets_nothing(cli: Cli, answer: str) -> None:
    id = cli.remember("Anna is allergic to nuts")
    ran = cli("forget", id, stdin=answer, terminal=True)
    assert (ran.code, ran.out, cli("show", id).code) == (1, "", 0)
