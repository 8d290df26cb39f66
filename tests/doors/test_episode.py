from __future__ import annotations

from tests.doors.commands import Cli

DEPLOYED = "Deployed 2.4 to staging"


def test_an_episode_is_the_agents_own_word_with_its_outcome(cli: Cli) -> None:
    given = ("--outcome", "worked after a retry", "--tag", "deploy", "--tag", "staging")
    (id,) = cli("episode", DEPLOYED, *given, "--json").document["episode_ids"]
    shown = cli("show", id, "--json").document
    episode = shown.get("episode", shown)
    assert (episode["content"], episode["outcome"], episode["tags"]) == (
        DEPLOYED,
        "worked after a retry",
        ["deploy", "staging"],
    )
    assert (episode["role"], episode["source_trust"], episode["conversation"]) == ("agent", "agent", "events")


def test_its_id_is_printed(cli: Cli) -> None:
    word, id = cli("episode", DEPLOYED).out.split()
    assert (word, cli("show", id).code) == ("recorded", 0)


def test_it_may_be_kept_in_a_conversation_of_its_own(cli: Cli) -> None:
    cli("episode", DEPLOYED, "--conversation", "release")
    found = cli("recall", "deployed", "--episodes", "--conversation", "release", "--json").document["hits"]
    assert [hit["text"] for hit in found] == [DEPLOYED]


def test_the_same_may_happen_twice(cli: Cli) -> None:
    ids = {cli("episode", DEPLOYED, "--json").document["episode_ids"][0] for _ in range(2)}
    assert len(ids) == 2


def test_nothing_is_no_event(cli: Cli) -> None:
    ran = cli("episode", "  ")
    assert (ran.code, ran.out) == (2, "")


def test_what_is_private_is_taken_out_and_told(cli: Cli) -> None:
    ran = cli("episode", "Deployed 2.4 <private>from Anna's laptop</private> to staging")
    assert (ran.code, "taken out of it: private 1" in ran.err) == (0, True)


def test_what_is_private_as_a_whole_is_not_recorded(cli: Cli) -> None:
    ran = cli("episode", "<private>Anna's PIN</private>")
    assert (ran.code, ran.out) == (1, "")
    assert "all of it is private" in ran.err
