from __future__ import annotations

import pytest

from tests.doors.commands import Cli

NUTS = "Anna is allergic to nuts"


def test_what_is_learned_is_a_conscious_commit(cli: Cli) -> None:
    document = cli("learn", NUTS, "--json").document
    assert document["outcome"] == "inserted"
    assert (document["memory"]["essence"], document["memory"]["kind"], document["memory"]["origin"]) == (
        NUTS,
        "fact",
        "commit",
    )


def test_what_is_learned_has_the_worth_that_was_given(cli: Cli) -> None:
    options = ("--type", "policy", "--scope", "src/**", "--scope", "docs/*.md", "--priority", "high")
    more = ("--lesson", "Lint first", "--importance", "0.8", "--tag", "ci")
    memory = cli("learn", "Lint before each commit", *options, *more, "--json").document["memory"]
    assert (memory["kind"], memory["scope"], memory["priority"]) == (
        "policy",
        ["src/**", "docs/*.md"],
        "high",
    )
    assert (memory["lesson"], memory["importance"], memory["tags"]) == ("Lint first", 0.8, ["ci"])


def test_emotions_may_be_given(cli: Cli) -> None:
    given = ("--emotion", "joy", "--emotion", "relief", "--emotion", "pride")
    memory = cli("learn", "The release is out", *given, "--json").document["memory"]
    assert memory["emotions"] == ["joy", "relief", "pride"]


def test_learning_twice_reinforces(cli: Cli) -> None:
    cli("learn", NUTS)
    ran = cli("learn", f"{NUTS}.")
    assert (ran.code, ran.out.split()[0]) == (0, "reinforced")


def test_what_was_forgotten_is_learned_again_only_on_purpose(cli: Cli) -> None:
    id = cli("learn", NUTS, "--json").document["memory"]["id"]
    cli("forget", id, "--yes")
    refused = cli("learn", NUTS)
    assert (refused.code, refused.out) == (2, "")
    assert "--override" in refused.err
    assert cli("learn", NUTS, "--override").code == 0


@pytest.mark.parametrize(
    ("option", "value"),
    [("--type", "guess"), ("--priority", "urgent"), ("--importance", "2"), ("--emotion", "bliss")],
)
def test_a_wrong_value_is_told_by_its_option(cli: Cli, option: str, value: str) -> None:
    ran = cli("learn", NUTS, option, value)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"reverie: {option}: ")
