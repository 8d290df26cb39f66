from __future__ import annotations

from tests.doors.commands import Cli


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


def test_a_no_forgets_nothing(cli: Cli) -> None:
    id = cli.remember("Anna is allergic to nuts")
    ran = cli("forget", id, stdin="n\n", terminal=True)
    assert (ran.code, ran.out, cli("show", id).code) == (1, "", 0)


def test_the_end_of_input_instead_of_an_answer_forgets_nothing(cli: Cli) -> None:
    id = cli.remember("Anna is allergic to nuts")
    assert (cli("forget", id, terminal=True).code, cli("show", id).code) == (1, 0)
