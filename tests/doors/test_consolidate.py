from __future__ import annotations

from tests.doors.commands import Cli

NUTS = "Anna is allergic to nuts"


def test_it_merges_what_says_the_same_and_a_second_time_nothing(cli: Cli) -> None:
    cli.remember(NUTS)
    cli("revise", cli.remember("Bo plays chess"), f"{NUTS}.")
    first, again = cli("consolidate", "--json"), cli("consolidate", "--json")
    assert (first.code, len(first.document["merged"]), again.document["merged"]) == (0, 1, [])


def test_it_says_what_housekeeping_says_of_that_agent(cli: Cli) -> None:
    cli.remember(NUTS)
    whole = cli.bare("--bank", str(cli.bank), "housekeeping", "--json").document["agents"]
    assert [one["agent_id"] for one in whole] == ["mama"]
    assert cli("consolidate", "--json").document == whole[0]["done"]
    assert "looked at" in cli("consolidate").out


def test_a_bank_that_is_not_there_is_not_made(cli: Cli) -> None:
    assert cli("consolidate").code == 3
    assert not cli.bank.exists()
