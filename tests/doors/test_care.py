"""Backups, keys, pauses and the audit log on the command line."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from reverie.client import Reverie
from tests.doors.commands import Cli


@pytest.fixture
def bees(cli: Cli) -> Cli:
    cli.remember("Anna keeps bees")
    return cli


def test_a_backup_opens_with_the_same_key_and_replaces_no_file(bees: Cli, tmp_path: Path) -> None:
    copy = tmp_path / "copy.bank"
    done = bees("backup", str(copy))
    assert (done.code, done.err) == (0, "")
    assert "1 agent" in done.out
    assert "every page was read back" in done.out
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert "bees" in bees.bare("--bank", str(copy), "--agent", "mama", "recall", "what does Anna keep?").out
    before = copy.read_bytes()
    refused = bees("backup", str(copy))
    assert (refused.code, "there already" in refused.err, copy.read_bytes() == before) == (2, True, True)


def test_a_backup_opens_with_its_own_key(bees: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy, key = tmp_path / "copy.bank", tmp_path / "other.key"
    assert bees("backup", str(copy), "--key-file", str(key)).code == 0
    assert bees.bare("--bank", str(copy), "stats").code == 3
    monkeypatch.delenv("REVERIE_KEY", raising=False)
    monkeypatch.setenv("REVERIE_KEY_FILE", str(key))
    assert bees.bare("--bank", str(copy), "--agent", "mama", "--json", "list").document[0]["essence"]


def test_a_new_key_alone_opens_the_file(bees: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = tmp_path / "new.key"
    done = bees("rekey", "--new-key-file", str(key))
    assert (done.code, done.err) == (0, "")
    assert key.read_text().strip() not in done.out
    assert f"set REVERIE_KEY_FILE={key}" in done.out
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    refused = bees("stats")
    assert (refused.code, "REVERIE_KEY_FILE" in refused.err) == (3, True)
    monkeypatch.delenv("REVERIE_KEY", raising=False)
    monkeypatch.setenv("REVERIE_KEY_FILE", str(key))
    assert "bees" in bees("recall", "what does Anna keep?").out


@pytest.mark.parametrize(
    ("line", "key", "code", "says"),
    [
        ("rekey --new-keyring --new-key-file KEY", None, 2, "exactly one new key"),
        ("--bank postgresql://127.0.0.1:1/x rekey --new-key-file KEY", None, 2, "no key of ours"),
        ("--bank nobank rekey --new-key-file KEY", None, 3, "there is no bank at"),
        ("--bank BANK rekey --new-key-file KEY", "ab" * 32, 3, "key"),
    ],
)
def test_a_refused_rekey_leaves_no_new_key(
    bees: Cli,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    key: str | None,
    code: int,
    says: str,
) -> None:
    new = tmp_path / "new.key"
    if key is not None:
        monkeypatch.setenv("REVERIE_KEY", key)
    names = {"KEY": str(new), "BANK": str(bees.bank), "nobank": str(tmp_path / "nobank")}
    ran = bees.bare(*(names.get(word, word) for word in line.split()))
    assert (ran.code, says in ran.err, new.exists()) == (code, True, False)


def test_a_rekey_of_a_bank_that_is_open_is_refused(bees: Cli, tmp_path: Path) -> None:
    key = tmp_path / "new.key"
    with Reverie.open(bees.bank):
        refused = bees("rekey", "--new-key-file", str(key))
    assert (refused.code, "somebody has it open" in refused.err, key.exists()) == (3, True, False)


def test_housekeeping_skips_paused_agents(bees: Cli) -> None:
    bees("remember", "Anna keeps bees", "--agent", "papa")
    bees("pause", "--agent", "papa")
    done = bees.bare("--bank", str(bees.bank), "housekeeping")
    assert (done.code, "papa is paused" in done.err, "mama:" in done.out) == (0, True, True)
    assert "paused since" in bees("stats", "--agent", "papa").out
    assert "typo" not in bees("stats").out


def test_an_export_replaces_no_device(bees: Cli) -> None:
    refused = bees("export", "/dev/null", "--force")
    assert (refused.code, "no regular file" in refused.err) == (2, True)
    assert not Path("/dev/null").is_file()


def test_a_pause_holds_over_commands_and_is_lifted(bees: Cli) -> None:
    assert "paused since" in bees("pause").out
    bees("observe", "-", stdin='{"content": "I always drink green tea", "speaker": "Anna"}\n')
    assert [one["essence"] for one in bees("--json", "list").document] == ["Anna keeps bees"]
    refused = bees("housekeeping", "--agent", "mama")
    assert (refused.code, "paused" in refused.err) == (2, True)
    assert bees("resume").out == "mama is awake\n"
    assert bees("housekeeping", "--agent", "mama").code == 0


def test_the_log_shows_before_and_after_the_latest_first(cli: Cli) -> None:
    id = cli.remember("Anna lives in Porto")
    cli("revise", id, "Anna lives in Lisbon", "--reason", "she moved")
    shown = cli("audit").out
    assert shown.index("revise") < shown.index("remember")
    assert "essence: Anna lives in Porto → Anna lives in Lisbon" in shown
    assert "because she moved" in shown
    actions = [one["action"] for one in cli("--json", "audit", id, "--oldest-first").document]
    assert actions == ["remember", "revise"]
    cli("forget", id, "--yes")
    assert "Porto" not in cli("audit").out


def test_the_log_is_narrowed_and_paged(cli: Cli) -> None:
    for number in range(3):
        cli("remember", f"Anna has {number + 2} sheep")
    assert cli("audit", "--action", "forget").code == 1
    assert "unknown" in cli("audit", "--action", "dance").err
    last = cli("audit", "--limit", "2").err.split("--after ")[1].strip()
    assert "2 sheep" in cli("audit", "--limit", "2", "--after", last).out
    assert cli("audit", "--since", "2999-01-01").code == 1
