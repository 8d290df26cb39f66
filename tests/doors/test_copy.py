"""copy on the command line: two places, their keys, and what is said of each agent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reverie.client import Reverie
from reverie.errors import Busy
from reverie.services.exchange import transfer
from tests.doors.commands import Cli

pytestmark = pytest.mark.slow


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Where to."""
    return tmp_path / "other.bank"


def _two_agents(cli: Cli) -> None:
    cli.remember("Anna is allergic to nuts")
    cli.observe({"content": "I am Anna", "speaker": "Anna"})
    cli("remember", "The tram is late", "--agent", "papa")


def test_all_agents_are_copied_and_each_has_its_line(cli: Cli, other: Path) -> None:
    _two_agents(cli)
    ran = cli.bare("copy", str(cli.bank), str(other))
    assert ran.code == 0, ran.err
    assert re.search(r"mama +1 +1 +\d+ +\d+ +copied", ran.out)
    assert re.search(r"papa +1 +0 +\d+ +\d+ +copied", ran.out)
    assert f"2 agents whole at {other}" in ran.out
    found = cli("recall", "what is Anna allergic to?", "--bank", str(other))
    assert "Anna is allergic to nuts" in found.out


def test_running_it_again_says_that_they_are_there_already(cli: Cli, other: Path) -> None:
    _two_agents(cli)
    cli.bare("copy", str(cli.bank), str(other))
    ran = cli.bare("copy", str(cli.bank), str(other))
    assert (ran.code, ran.out.count("there already")) == (0, 2)


def test_only_named_agents_are_copied(cli: Cli, other: Path) -> None:
    _two_agents(cli)
    for arguments in (("copy", str(cli.bank), str(other), "--agent", "papa"),
                      ("--agent", "papa", "copy", str(cli.bank), str(other))):  # fmt: skip
        document = cli.bare(*arguments, "--json").document
        assert [one["agent_id"] for one in document["agents"]] == ["papa"]
    assert cli("stats", "--bank", str(other), "--json").document["agents"] == ["papa"]


def test_the_document_tells_rows_and_checksums_of_every_table(cli: Cli, other: Path) -> None:
    _two_agents(cli)
    document = cli.bare("copy", str(cli.bank), str(other), "--json").document
    assert (document["source"], document["destination"]) == (str(cli.bank), str(other))
    mama, papa = document["agents"]
    assert (mama["rows"]["memories"], mama["rows"]["episodes"], papa["rows"]["episodes"]) == (1, 1, 0)
    assert mama["written"] == sum(mama["rows"].values())
    assert set(mama["checksums"]) == set(mama["rows"])
    assert all(re.fullmatch("[0-9a-f]{64}", one) for one in mama["checksums"].values())


def test_an_interrupted_copy_is_copied_to_the_end(
    cli: Cli, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _two_agents(cli)
    really, left = transfer._AgentCopy._write, [2]

    def breaking(job: transfer._AgentCopy, pieces: object) -> None:
        if not left[0]:
            raise Busy("the test", 0)
        left[0] -= 1
        really(job, pieces)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(transfer, "_MANY", 1)
        patch.setattr(transfer._AgentCopy, "_write", breaking)
        assert cli.bare("copy", str(cli.bank), str(other)).code == 3
    ran = cli.bare("copy", str(cli.bank), str(other))
    assert ran.code == 0, ran.err
    assert re.search("mama .*copied to the end", ran.out)


def test_each_side_has_its_own_key(cli: Cli, other: Path, tmp_path: Path) -> None:
    cli.remember("Anna is allergic to nuts")
    key = tmp_path / "other.key"
    ran = cli.bare("copy", str(cli.bank), str(other), "--dest-key-file", str(key))
    assert ran.code == 0, ran.err
    assert key.stat().st_mode & 0o777 == 0o600
    assert cli("stats", "--bank", str(other)).code == 3
    back = tmp_path / "back.bank"
    ran = cli.bare("copy", str(other), str(back), "--source-key-file", str(key))
    assert ran.code == 0, ran.err
    assert cli("stats", "--bank", str(back), "--json").document["stats"]["memories"] == 1
    assert cli.bare("copy", str(other), str(back), "--json").error["type"] == "WrongKey"


def test_a_plain_file_is_a_source_or_a_destination_where_its_side_says_so(cli: Cli, other: Path) -> None:
    cli.remember("Anna is allergic to nuts")
    ran = cli.bare("copy", str(cli.bank), str(other), "--dest-unencrypted")
    assert (ran.code, "plain rows" in ran.err) == (0, True)
    assert other.read_bytes().startswith(b"SQLite format 3\0")
    refused = cli.bare("copy", str(other), str(cli.bank), "--json")
    assert (refused.code, refused.error["type"]) == (3, "NotEncrypted")
    ran = cli.bare("copy", str(other), str(cli.bank), "--source-unencrypted")
    assert (ran.code, "there already" in ran.out) == (0, True)


def test_places_may_be_urls(cli: Cli, other: Path) -> None:
    cli.remember("Anna is allergic to nuts")
    ran = cli.bare("copy", f"sqlite:///{cli.bank}", f"sqlite:///{other}")
    assert (ran.code, other.exists()) == (0, True)


def test_agents_move_into_a_database_and_back_and_no_password_is_shown(
    cli: Cli, other: Path, postgres_database: str
) -> None:
    _two_agents(cli)
    sign = "&" if "?" in postgres_database else "?"
    url = f"{postgres_database}{sign}password=geheim"
    there = cli.bare("copy", str(cli.bank), url)
    assert (there.code, "plain rows" in there.err) == (0, True)
    found = cli("recall", "what is Anna allergic to?", "--bank", url)
    assert "Anna is allergic to nuts" in found.out
    back = cli.bare("copy", url, str(other), "--agent", "papa", "--json")
    assert [one["agent_id"] for one in back.document["agents"]] == ["papa"]
    cli("remember", "Anna is fine", "--bank", url)
    refused = cli.bare("copy", str(cli.bank), url)
    assert refused.code == 2
    same = cli.bare("copy", url, url)
    assert "the source itself" in same.err
    for ran in (there, found, back, refused, same):
        assert "geheim" not in ran.out + ran.err


def test_a_source_that_is_not_there_makes_no_file(cli: Cli, other: Path, tmp_path: Path) -> None:
    ran = cli.bare("copy", str(tmp_path / "nothing.bank"), str(other), "--json")
    assert (ran.code, ran.error["type"]) == (3, "NoBank")
    assert not other.exists()


def test_a_bank_is_not_copied_onto_itself(cli: Cli) -> None:
    cli.remember("Anna is allergic to nuts")
    ran = cli.bare("copy", str(cli.bank), f"sqlite:///{cli.bank}", "--json")
    assert (ran.code, ran.error["problem"]) == (2, "it is the source itself")


def test_an_agent_that_is_there_with_other_contents_is_refused(cli: Cli, other: Path) -> None:
    cli.remember("Anna is allergic to nuts")
    cli("remember", "Anna is fine", "--bank", str(other))
    ran = cli.bare("copy", str(cli.bank), str(other))
    assert ran.code == 2
    assert "another agent of that name is there; nothing of it was changed" in ran.err
    assert "nuts" not in cli("list", "--bank", str(other)).out


def test_an_unknown_agent_is_an_error(cli: Cli, other: Path) -> None:
    cli.remember("Anna is allergic to nuts")
    ran = cli.bare("copy", str(cli.bank), str(other), "--agent", "nobody")
    assert (ran.code, "no agent 'nobody'" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (("--bank", "x.bank"), (), "name them behind the command"),
        (("--unencrypted",), (), "--source-unencrypted or --dest-unencrypted"),
        (("--keyring",), (), "--source-keyring or --dest-keyring"),
        ((), ("--source-keyring", "--source-unencrypted"), "at most one a side"),
        ((), ("--dest-key-file", "k", "--dest-unencrypted"), "at most one a side"),
    ],
)
def test_options_that_do_not_say_which_side_they_mean_are_refused(
    cli: Cli, other: Path, before: tuple[str, ...], after: tuple[str, ...], says: str
) -> None:
    cli.remember("Anna is allergic to nuts")
    ran = cli.bare(*before, "copy", str(cli.bank), str(other), *after)
    assert (ran.code, says in ran.err) == (2, True)
    assert not other.exists()


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_place_is_an_error(cli: Cli, other: Path, empty: str) -> None:
    cli.remember("Anna is allergic to nuts")
    assert "SOURCE: it is empty" in cli.bare("copy", empty, str(other)).err
    assert "DEST: it is empty" in cli.bare("copy", str(cli.bank), empty).err


def test_a_source_without_agents_says_so(cli: Cli, other: Path) -> None:
    Reverie.open(cli.bank).close()
    ran = cli.bare("copy", str(cli.bank), str(other))
    assert (ran.code, ran.out) == (0, "The source has no agents: there was nothing to copy.\n")
