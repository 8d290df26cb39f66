from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.doors.commands import Cli


def test_init_makes_a_bank(cli: Cli) -> None:
    ran = cli("init")
    assert (ran.code, cli.bank.exists()) == (0, True)
    assert ran.out == f"made {cli.bank} (encrypted), agent mama, time zone UTC\n"


def test_init_tells_to_keep_the_key(cli: Cli) -> None:
    assert "Keep a copy of the key" in cli("init").err


def test_init_sets_the_profile_of_an_agent_in_a_bank_that_is_there(cli: Cli) -> None:
    cli("init")
    ran = cli("init", "--time-zone", "Europe/Budapest", "--principal", "Anna", "--home", "Szeged", "--json")
    agent = ran.document["agent"]
    assert (ran.document["made"], agent["time_zone"], agent["principals"], agent["home"]) == (
        False,
        "Europe/Budapest",
        ["Anna"],
        "Szeged",
    )


def test_the_default_bank_lies_in_the_data_folder_of_the_user(cli: Cli) -> None:
    where = cli.bare("init", "--json").document["store"]["where"]
    assert Path(where).is_relative_to(Path.home())


def test_a_bank_may_be_named_by_url(cli: Cli) -> None:
    cli("init")
    assert cli("stats", "--bank", f"sqlite:///{cli.bank}").code == 0


def test_options_of_the_bank_stand_before_or_after_the_command(cli: Cli) -> None:
    cli.remember("Anna is allergic to nuts")
    after = cli.bare("list", "--bank", str(cli.bank), "--agent", "mama", "--json")
    before = cli.bare("--bank", str(cli.bank), "--agent", "mama", "--json", "list")
    assert before.document == after.document


def test_what_stands_after_the_command_wins(cli: Cli) -> None:
    assert cli("init", "--agent", "papa", "--json").document["agent"]["id"] == "papa"


def test_an_unencrypted_bank_is_a_plain_file(cli: Cli) -> None:
    cli("remember", "something", "--unencrypted")
    with sqlite3.connect(cli.bank) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_an_unencrypted_bank_opened_as_an_encrypted_one_says_what_to_do(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("init", "--unencrypted")
    monkeypatch.setenv("REVERIE_KEY", "ab" * 32)
    ran = cli("stats")
    assert (ran.code, "on the command line: --unencrypted" in ran.err) == (3, True)


def test_another_key_does_not_open_the_bank(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("init")
    monkeypatch.setenv("REVERIE_KEY", "ab" * 32)
    assert cli("stats", "--json").error["type"] == "WrongKey"


def test_a_key_never_appears_in_an_error(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("init")
    monkeypatch.setenv("REVERIE_KEY", "abcdef" * 9)
    ran = cli("stats")
    assert (ran.code, "abcdef" in ran.err) == (3, False)


def test_a_folder_is_no_bank(cli: Cli, tmp_path: Path) -> None:
    assert cli("stats", "--bank", str(tmp_path)).code in (2, 3)


def test_stats_count_what_is_there(cli: Cli) -> None:
    cli.observe({"content": "a", "speaker": "Anna"}, {"content": "b", "conversation": "x"})
    cli.remember("something", "--kind", "goal")
    document = cli("stats", "--json").document
    found = document["stats"]
    assert document["agents"] == ["mama"]
    assert (found["memories"], found["episodes"], found["conversations"]) == (1, 2, 2)
    assert (found["kinds"], found["states"], found["speakers"]) == ({"goal": 1}, {"active": 1}, {"Anna": 1})


def test_stats_show_the_state_of_the_file(cli: Cli) -> None:
    cli.remember("something")
    rows = dict(line.split(maxsplit=1) for line in cli("stats").out.splitlines())
    assert rows["encrypted"].strip() == "yes"
    assert "synchronous full" in rows["engine"]
    assert "hashing-for-tests" in rows["embedder"]
