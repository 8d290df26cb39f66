from __future__ import annotations

import pytest

from tests.doors.commands import Cli


def test_remember_prints_the_id_of_what_it_kept(cli: Cli) -> None:
    ran = cli("remember", "Anna is allergic to nuts")
    word, id = ran.out.split()
    assert (word, cli("show", id).code) == ("remembered", 0)


def test_remember_takes_every_field(cli: Cli) -> None:
    (source,) = cli.observe("I can't eat nuts, ever")
    flags = {
        "--kind": "preference",
        "--lesson": "Ask before cooking",
        "--importance": "0.9",
        "--priority": "high",
        "--confidence": "0.8",
        "--scope": "kitchen/**",
        "--tag": "food",
        "--topic": "health",
        "--entity": "Anna",
        "--source": source,
        "--time": "2026-11-20T10:00:00+00:00",
        "--valid-from": "2026-01-01",
        "--valid-to": "2027-01-01",
    }
    emotions = ["--emotion", "fear", "--emotion", "caring", "--emotion", "love"]
    arguments = [part for pair in flags.items() for part in pair]
    memory = cli("remember", "Anna eats no nuts", *arguments, *emotions, "--pinned", "--json").document[
        "memory"
    ]
    assert {
        "kind": "preference",
        "lesson": "Ask before cooking",
        "importance": 0.9,
        "priority": "high",
        "confidence": 0.8,
        "scope": ["kitchen/**"],
        "tags": ["food"],
        "topics": ["health"],
        "entities": ["Anna"],
        "source_episodes": [source],
        "created_at": "2026-11-20T10:00:00+00:00",
        "valid_from": "2026-01-01T00:00:00+00:00",
        "valid_to": "2027-01-01T00:00:00+00:00",
        "emotions": ["fear", "caring", "love"],
        "pinned": True,
    }.items() <= memory.items()


def test_remembering_the_same_again_reinforces(cli: Cli) -> None:
    id = cli.remember("Anna is allergic to nuts")
    ran = cli("remember", "Anna is allergic to nuts")
    assert ran.out == f"reinforced {id}\n"


@pytest.fixture
def mindless(monkeypatch: pytest.MonkeyPatch) -> None:
    """No mind judges lesson and importance."""
    monkeypatch.setenv("REVERIE_MIND", "none")


def test_an_unknown_kind_is_bad_input_that_names_the_option(cli: Cli) -> None:
    ran = cli("remember", "x", "--kind", "wish")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("reverie: --kind: 'wish' is not a kind")


def test_one_emotion_twice_is_bad_input(cli: Cli) -> None:
    assert cli("remember", "x", "--emotion", "joy", "--emotion", "joy").code == 2


def test_what_nobody_has_judged_is_shown_as_not_yet_judged(cli: Cli, mindless: None) -> None:
    ran = cli("show", cli.remember("Anna is allergic to nuts"))
    judged = dict(line.split(maxsplit=1) for line in ran.out.splitlines()[3:5])
    assert {name: text.strip() for name, text in judged.items()} == dict.fromkeys(
        ("importance", "lesson"), "not yet judged"
    )


def test_what_nobody_has_judged_is_null_in_json(cli: Cli, mindless: None) -> None:
    memory = cli("show", cli.remember("Anna is allergic to nuts"), "--json").document["memory"]
    assert (memory["lesson"], memory["importance"]) == (None, None)


def test_revise_changes_the_wording_under_the_same_id(cli: Cli) -> None:
    id = cli.remember("Anna lives in Porto")
    ran = cli("revise", id, "Anna lives in Lisbon", "--reason", "she moved")
    assert ran.out == f"revised {id}, wording 2: Anna lives in Lisbon\n"


def test_the_history_and_the_reason_are_shown(cli: Cli) -> None:
    id = cli.remember("Anna lives in Porto")
    cli("revise", id, "Anna lives in Lisbon", "--reason", "she moved")
    shown = cli("show", id).out
    assert "Anna lives in Porto (believed until" in shown
    assert "(she moved)" in shown


def test_revise_empties_a_field(cli: Cli) -> None:
    id = cli.remember("Anna lives in Porto", "--lesson", "Visit her")
    assert cli("revise", id, "--clear", "lesson", "--json").document["lesson"] is None


def test_a_revision_of_nothing_is_bad_input(cli: Cli) -> None:
    assert cli("revise", cli.remember("Anna lives in Porto")).code == 2


@pytest.mark.parametrize("command", [("show",), ("revise", "--importance", "0.5"), ("forget", "--yes")])
def test_an_unknown_id_is_not_found(cli: Cli, command: tuple[str, ...]) -> None:
    cli.remember("something")
    ran = cli(*command, "0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e")
    assert (ran.code, ran.out) == (1, "")


def test_show_knows_messages_too(cli: Cli) -> None:
    (id,) = cli.observe({"content": "Péter 漢字", "speaker": "Anna", "ref": "m1"})
    shown = cli("show", id).out
    assert "Péter 漢字" in shown
    assert "Anna (role user, source principal)" in shown


def test_list_shows_memories_in_the_order_of_storing(cli: Cli) -> None:
    ids = [cli.remember(text) for text in ("the first thing", "another matter", "what came last")]
    assert [memory["id"] for memory in cli("list", "--json").document] == ids


def test_list_matches_words(cli: Cli) -> None:
    cli.remember("the cat is grey")
    cli.remember("the dog is brown")
    assert [memory["essence"] for memory in cli("list", "--match", "dog brown", "--json").document] == [
        "the dog is brown"
    ]


def test_a_page_goes_on_after_the_last_id(cli: Cli) -> None:
    ids = [cli.remember(text) for text in ("the first thing", "another matter", "what came last")]
    first = cli("list", "--limit", "2")
    assert first.err == f"There may be more: --after {ids[1]}\n"
    assert [memory["id"] for memory in cli("list", "--after", ids[1], "--json").document] == [ids[2]]


def test_messages_are_listed_by_speaker(cli: Cli) -> None:
    cli.observe({"content": "a", "speaker": "Anna"}, {"content": "b", "speaker": "Bo"})
    assert [
        episode["content"] for episode in cli("list", "--episodes", "--speaker", "Bo", "--json").document
    ] == ["b"]


def test_the_newest_messages_may_come_first(cli: Cli) -> None:
    cli.observe({"content": "a", "time": "2026-01-01"}, {"content": "b", "time": "2026-01-02"})
    assert [episode["content"] for episode in cli("list", "--episodes", "--newest", "--json").document] == [
        "b",
        "a",
    ]


def test_conversations_are_listed_with_their_participants(cli: Cli) -> None:
    cli.observe({"content": "a", "speaker": "Anna", "conversation": "chat-1"})
    row = cli("list", "--conversations").out.splitlines()[3].split()
    assert (row[0], row[2], row[-1]) == ("chat-1", "1", "Anna")


def test_an_empty_list_is_nothing_found(cli: Cli) -> None:
    cli("init")
    assert cli("list").code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--speaker", "Anna"),
        ("--newest",),
        ("--episodes", "--kind", "fact"),
        ("--conversations", "--match", "x"),
    ],
)
def test_a_filter_that_what_is_listed_lacks_is_bad_input(cli: Cli, arguments: tuple[str, ...]) -> None:
    cli("init")
    assert cli("list", *arguments).code == 2
