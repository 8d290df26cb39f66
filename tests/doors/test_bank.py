"""Init, profile, stats and check; where a bank is, its key, and what is wrong with it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from reverie.client import Reverie
from tests.doors.commands import Cli


def test_init_makes_a_bank_and_tells_to_keep_the_key(cli: Cli) -> None:
    ran = cli("init")
    assert (ran.code, cli.bank.exists()) == (0, True)
    assert ran.out == f"made {cli.bank} (encrypted), agent mama, time zone UTC\n"
    assert "Keep a copy of the key" in ran.err


@pytest.mark.parametrize("command", ["init", "profile"])
def test_a_profile_is_set_a_part_at_a_time(cli: Cli, command: str) -> None:
    cli("init")
    cli(command, "--home", "Lighthouse", "--time-zone", "Europe/Budapest", "--principal", "Anna")
    document = cli(command, "--location", "Harbour", "--json").document
    agent = document.get("agent", document)
    told = (agent["home"], agent["location"], agent["principals"], agent["time_zone"])
    assert told == ("Lighthouse", "Harbour", ["Anna"], "Europe/Budapest")
    assert document.get("made", False) is False
    assert "Lighthouse" in cli("profile").out


def test_the_default_bank_is_in_the_user_s_data_folder(cli: Cli) -> None:
    where = cli.bare("init", "--json").document["store"]["where"]
    assert Path(where).is_relative_to(Path.home())


def test_a_bank_may_be_named_by_url(cli: Cli) -> None:
    cli("init")
    assert cli("stats", "--bank", f"sqlite:///{cli.bank}").code == 0


def test_shared_options_stand_before_or_after_and_the_latter_win(cli: Cli) -> None:
    cli.remember("Anna is allergic to nuts")
    after = cli.bare("list", "--bank", str(cli.bank), "--agent", "mama", "--json")
    before = cli.bare("--bank", str(cli.bank), "--agent", "mama", "--json", "list")
    assert before.document == after.document
    assert cli("init", "--agent", "papa", "--json").document["agent"]["id"] == "papa"


def test_an_unencrypted_bank_is_a_plain_file(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("remember", "something", "--unencrypted")
    with sqlite3.connect(cli.bank) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    monkeypatch.setenv("REVERIE_KEY", "ab" * 32)
    ran = cli("stats")
    assert (ran.code, "(`--unencrypted`)" in ran.err) == (3, True)


@pytest.mark.parametrize(("key", "kind"), [("ab" * 32, "WrongKey"), ("abcdef" * 9, "KeyProblem")])
def test_a_wrong_key_opens_nothing(cli: Cli, monkeypatch: pytest.MonkeyPatch, key: str, kind: str) -> None:
    cli("init")
    monkeypatch.setenv("REVERIE_KEY", key)
    ran = cli("stats", "--json")
    assert (ran.code, ran.error["type"], key[:6] in ran.err) == (3, kind, False)


def test_stats_count_what_is_there(cli: Cli) -> None:
    cli.observe({"content": "a", "speaker": "Anna"}, {"content": "b", "conversation": "x"})
    cli.remember("something", "--kind", "goal")
    document = cli("stats", "--json").document
    found = document["stats"]
    assert document["agents"] == ["mama"]
    assert (found["memories"], found["episodes"], found["conversations"]) == (1, 2, 2)
    assert (found["kinds"], found["states"], found["speakers"]) == ({"goal": 1}, {"active": 1}, {"Anna": 1})
    rows = dict(line.split(maxsplit=1) for line in cli("stats").out.splitlines())
    assert rows["encrypted"].strip() == "yes"
    assert "synchronous full" in rows["engine"]
    assert "hashing-for-tests" in rows["embedder"]


FOUND = [
    "*** in database main ***\nTree 5 page 7: btreeInitPage() returns error code 11\nPage 9: never used",
    "row 3 missing from index memories_by_time",
]
FAULTS = [
    "Tree 5 page 7: btreeInitPage() returns error code 11",
    "Page 9: never used",
    "row 3 missing from index memories_by_time",
]


def test_each_fault_is_one_line_with_its_page_and_advice(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("init")
    monkeypatch.setattr(Reverie, "check", lambda _: iter(FOUND))
    ran = cli("check")
    head, *faults = ran.out.splitlines()
    assert (ran.code, head) == (3, f"{cli.bank} is damaged: 3 faults, in pages 7, 9")
    assert [fault.strip() for fault in faults] == FAULTS
    assert "restore the last backup" in ran.err
    document = cli("check", "--json").document
    assert (document["ok"], document["faults"], document["pages"]) == (False, FAULTS, [7, 9])
    assert "backup" in document["advice"]


def test_a_long_list_of_faults_is_cut_for_people(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("init")
    monkeypatch.setattr(Reverie, "check", lambda _: iter([f"Page {n}: never used" for n in range(1, 51)]))
    head, *shown = cli("check").out.splitlines()
    assert (len(shown), shown[-1]) == (21, "  … and 30 more; --json has them all")
    assert head.endswith("20, …")
    assert len(cli("check", "--json").document["faults"]) == 50


def test_a_good_file_needs_no_advice(cli: Cli) -> None:
    cli.remember("something")
    document = cli("check", "--json").document
    assert (document["ok"], document["faults"], document["pages"], document["advice"]) == (True, [], [], None)
    assert cli("check").err == ""


def test_a_damaged_file_is_found_bad(cli: Cli) -> None:
    cli.remember("something")
    raw = bytearray(cli.bank.read_bytes())
    raw[len(raw) // 2] ^= 1
    cli.bank.write_bytes(raw)
    assert cli("check").code == 3
