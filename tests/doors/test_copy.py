"""Copy on the command line: two places, their keys, and what is said of each agent."""

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
    return tmp_path / "other.bank"


@pytest.fixture
def two(cli: Cli) -> Cli:
    """A bank of two agents."""
    cli.remember("Anna is allergic to nuts")
    cli.observe({"content": "I am Anna", "speaker": "Anna"})
    cli("remember", "The tram is late", "--agent", "papa")
    return cli


def test_all_agents_are_copied_once(two: Cli, other: Path) -> None:
    ran = two.bare("copy", str(two.bank), str(other))
    assert ran.code == 0, ran.err
    assert re.search(r"mama +1 +1 +\d+ +\d+ +copied", ran.out)
    assert re.search(r"papa +1 +0 +\d+ +\d+ +copied", ran.out)
    assert f"2 agents whole at {other}" in ran.out
    found = two("recall", "what is Anna allergic to?", "--bank", str(other))
    assert "Anna is allergic to nuts" in found.out
    again = two.bare("copy", f"sqlite:///{two.bank}", f"sqlite:///{other}")
    assert (again.code, again.out.count("there already")) == (0, 2)


def test_only_named_agents_are_copied(two: Cli, other: Path) -> None:
    copy = ("copy", str(two.bank), str(other))
    for arguments in ((*copy, "--agent", "papa"), ("--agent", "papa", *copy)):
        document = two.bare(*arguments, "--json").document
        assert [one["agent_id"] for one in document["agents"]] == ["papa"]
    assert two("stats", "--bank", str(other), "--json").document["agents"] == ["papa"]


def test_the_document_has_rows_and_checksums_of_every_table(two: Cli, other: Path) -> None:
    document = two.bare("copy", str(two.bank), str(other), "--json").document
    assert (document["source"], document["destination"]) == (str(two.bank), str(other))
    mama, papa = document["agents"]
    assert (mama["rows"]["memories"], mama["rows"]["episodes"], papa["rows"]["episodes"]) == (1, 1, 0)
    assert mama["written"] == sum(mama["rows"].values())
    assert set(mama["checksums"]) == set(mama["rows"])
    assert all(re.fullmatch("[0-9a-f]{64}", one) for one in mama["checksums"].values())


def test_an_interrupted_copy_is_finished(two: Cli, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really, left = transfer._AgentCopy._write, [2]

    def breaking(job: transfer._AgentCopy, pieces: object) -> None:
        if not left[0]:
            raise Busy("the test", 0)
        left[0] -= 1
        really(job, pieces)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(transfer, "_MANY", 1)
        patch.setattr(transfer._AgentCopy, "_write", breaking)
        assert two.bare("copy", str(two.bank), str(other)).code == 3
    ran = two.bare("copy", str(two.bank), str(other))
    assert ran.code == 0, ran.err
    assert re.search("mama .*copied to the end", ran.out)


def test_each_side_has_its_own_key(two: Cli, other: Path, tmp_path: Path) -> None:
    key, back = tmp_path / "other.key", tmp_path / "back.bank"
    assert two.bare("copy", str(two.bank), str(other), "--dest-key-file", str(key)).code == 0
    assert key.stat().st_mode & 0o777 == 0o600
    assert two("stats", "--bank", str(other)).code == 3
    assert two.bare("copy", str(other), str(back), "--source-key-file", str(key)).code == 0
    assert two("stats", "--bank", str(back), "--json").document["stats"]["memories"] == 1
    assert two.bare("copy", str(other), str(back), "--json").error["type"] == "WrongKey"


def test_a_plain_file_needs_the_option_of_its_side(two: Cli, other: Path) -> None:
    ran = two.bare("copy", str(two.bank), str(other), "--dest-unencrypted")
    assert (ran.code, "plain rows" in ran.err) == (0, True)
    assert other.read_bytes().startswith(b"SQLite format 3\0")
    refused = two.bare("copy", str(other), str(two.bank), "--json")
    assert (refused.code, refused.error["type"]) == (3, "NotEncrypted")
    ran = two.bare("copy", str(other), str(two.bank), "--source-unencrypted")
    assert (ran.code, "there already" in ran.out) == (0, True)


def test_agents_move_into_a_database_and_back(two: Cli, other: Path, postgres_database: str) -> None:
    sign = "&" if "?" in postgres_database else "?"
    url = f"{postgres_database}{sign}password=geheim"
    there = two.bare("copy", str(two.bank), url)
    assert (there.code, "plain rows" in there.err) == (0, True)
    found = two("recall", "what is Anna allergic to?", "--bank", url)
    assert "Anna is allergic to nuts" in found.out
    back = two.bare("copy", url, str(other), "--agent", "papa", "--json")
    assert [one["agent_id"] for one in back.document["agents"]] == ["papa"]
    two("remember", "Anna is fine", "--bank", url)
    refused = two.bare("copy", str(two.bank), url)
    assert refused.code == 2
    same = two.bare("copy", url, url)
    assert "the source itself" in same.err
    for ran in (there, found, back, refused, same):
        assert "geheim" not in ran.out + ran.err


def test_an_agent_with_other_contents_is_refused(two: Cli, other: Path) -> None:
    two("remember", "Anna is fine", "--bank", str(other))
    ran = two.bare("copy", str(two.bank), str(other))
    assert ran.code == 2
    assert "another agent of that name is there; nothing of it was changed" in ran.err
    assert "nuts" not in two("list", "--bank", str(other)).out


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("copy BANK sqlite:///BANK", 2, "it is the source itself"),
        ("copy nothing.bank DEST", 3, "there is no bank at"),
        ("copy BANK DEST --agent nobody", 2, "no agent 'nobody'"),
        ("copy BANK EMPTY", 2, "DEST: it is empty"),
        ("copy EMPTY DEST", 2, "SOURCE: it is empty"),
        ("--bank x.bank copy BANK DEST", 2, "name them behind the command"),
        ("--unencrypted copy BANK DEST", 2, "--source-unencrypted or --dest-unencrypted"),
        ("--keyring copy BANK DEST", 2, "--source-keyring or --dest-keyring"),
        ("copy BANK DEST --source-keyring --source-unencrypted", 2, "at most one a side"),
        ("copy BANK DEST --dest-key-file k --dest-unencrypted", 2, "at most one a side"),
    ],
)
def test_what_can_not_be_copied_makes_no_file(two: Cli, other: Path, line: str, code: int, says: str) -> None:
    names = {
        "BANK": str(two.bank),
        "sqlite:///BANK": f"sqlite:///{two.bank}",
        "DEST": str(other),
        "EMPTY": " ",
    }
    ran = two.bare(*(names.get(word, word) for word in line.split()))
    assert (ran.code, says in ran.err, other.exists()) == (code, True, False)


def test_a_source_without_agents_says_so(cli: Cli, other: Path) -> None:
    Reverie.open(cli.bank).close()
    ran = cli.bare("copy", str(cli.bank), str(other))
    assert (ran.code, ran.out) == (0, "The source has no agents: there was nothing to copy.\n")
