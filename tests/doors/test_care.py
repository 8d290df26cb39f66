"""Backups, keys, pauses and the audit log on the command line."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from reverie.client import Reverie
from tests.doors.commands import Cli


def test_a_backup_is_a_bank_that_opens_with_the_same_key(cli: Cli, tmp_path: Path) -> None:
    cli("remember", "Anna keeps bees")
    copy = tmp_path / "copy.bank"
    done = cli("backup", str(copy))
    assert (done.code, done.err) == (0, "")
    assert "1 agent" in done.out
    assert "every page was read back" in done.out
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert "bees" in cli.bare("--bank", str(copy), "--agent", "mama", "recall", "what does Anna keep?").out


def test_a_backup_with_another_key_opens_with_that_one_alone(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", "Anna keeps bees")
    copy, key = tmp_path / "copy.bank", tmp_path / "other.key"
    assert cli("backup", str(copy), "--key-file", str(key)).code == 0
    assert cli.bare("--bank", str(copy), "stats").code == 3
    monkeypatch.delenv("REVERIE_KEY", raising=False)
    monkeypatch.setenv("REVERIE_KEY_FILE", str(key))
    assert cli.bare("--bank", str(copy), "--agent", "mama", "--json", "list").document[0]["essence"]


def test_a_backup_over_a_file_is_refused(cli: Cli, tmp_path: Path) -> None:
    cli("remember", "Anna keeps bees")
    (tmp_path / "mine").write_text("mine")
    refused = cli("backup", str(tmp_path / "mine"))
    assert refused.code == 2
    assert "there already" in refused.err
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_new_key_is_made_and_opens_the_file_alone(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", "Anna keeps bees")
    key = tmp_path / "new.key"
    done = cli("rekey", "--new-key-file", str(key))
    assert (done.code, done.err) == (0, "")
    assert key.read_text().strip() not in done.out
    assert f"set REVERIE_KEY_FILE={key}" in " ".join(done.out.split()).replace("= ", "=")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    refused = cli("stats")
    assert refused.code == 3
    assert "REVERIE_KEY_FILE" in refused.err
    monkeypatch.delenv("REVERIE_KEY", raising=False)
    monkeypatch.setenv("REVERIE_KEY_FILE", str(key))
    assert "bees" in cli("recall", "what does Anna keep?").out


def test_rekey_needs_exactly_one_new_key_and_a_file(cli: Cli, tmp_path: Path) -> None:
    assert cli("rekey").code == 2
    assert cli("rekey", "--new-keyring", "--new-key-file", str(tmp_path / "k")).code == 2
    refused = cli.bare("--bank", "postgresql://127.0.0.1:1/x", "rekey", "--new-key-file", str(tmp_path / "k"))
    assert refused.code == 2
    assert "no key of ours" in refused.err
    assert not (tmp_path / "k").exists()


def test_a_refused_rekey_leaves_no_new_key(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("remember", "Anna keeps bees")
    monkeypatch.setenv("REVERIE_KEY", "ab" * 32)
    key = tmp_path / "new.key"
    assert cli("rekey", "--new-key-file", str(key)).code == 3
    assert not key.exists()
    assert cli.bare("--bank", str(tmp_path / "nobank"), "rekey", "--new-key-file", str(key)).code == 3
    assert not key.exists()


def test_a_rekey_of_a_bank_that_is_open_says_so_and_leaves_no_new_key(cli: Cli, tmp_path: Path) -> None:
    cli("remember", "Anna keeps bees")
    key = tmp_path / "new.key"
    with Reverie.open(cli.bank):
        refused = cli("rekey", "--new-key-file", str(key))
    assert refused.code == 3
    assert "somebody has it open" in refused.err
    assert not key.exists()


def test_a_pause_of_nobody_makes_nobody(cli: Cli) -> None:
    cli("remember", "Anna keeps bees")
    assert cli("pause", "--agent", "typo").code == 2
    assert "typo" not in cli("stats").out


def test_housekeeping_passes_paused_agents_over(cli: Cli) -> None:
    cli("remember", "Anna keeps bees")
    cli("remember", "Anna keeps bees", "--agent", "papa")
    cli("pause", "--agent", "papa")
    done = cli.bare("--bank", str(cli.bank), "housekeeping")
    assert done.code == 0
    assert "papa is paused" in done.err
    assert "mama:" in done.out
    assert "paused since" in cli("stats", "--agent", "papa").out


def test_an_export_replaces_no_device(cli: Cli) -> None:
    cli("remember", "Anna keeps bees")
    refused = cli("export", "/dev/null", "--force")
    assert refused.code == 2
    assert "no regular file" in refused.err
    assert not Path("/dev/null").is_file()


def test_a_pause_holds_over_commands_and_is_lifted(cli: Cli) -> None:
    cli("remember", "Anna keeps bees")
    assert "paused since" in cli("pause").out
    line = '{"content": "I always drink green tea", "speaker": "Anna"}\n'
    cli("observe", "-", stdin=line)
    assert [one["essence"] for one in cli("--json", "list").document] == ["Anna keeps bees"]
    refused = cli("housekeeping", "--agent", "mama")
    assert refused.code == 2
    assert "paused" in refused.err
    assert cli("resume").out == "mama is awake\n"
    assert cli("housekeeping", "--agent", "mama").code == 0


def test_the_log_shows_before_and_after_the_latest_first(cli: Cli) -> None:
    kept = cli("--json", "remember", "Anna lives in Porto").document["memory"]
    cli("revise", kept["id"], "Anna lives in Lisbon", "--reason", "she moved")
    shown = cli("audit")
    assert shown.code == 0
    assert shown.out.index("revise") < shown.out.index("remember")
    assert "essence: Anna lives in Porto → Anna lives in Lisbon" in shown.out
    assert "because she moved" in shown.out
    assert [one["action"] for one in cli("--json", "audit", kept["id"], "--oldest-first").document] == [
        "remember", "revise",
    ]  # fmt: skip


def test_the_log_is_narrowed_and_paged(cli: Cli) -> None:
    for number in range(3):
        cli("remember", f"Anna has {number + 2} sheep")
    assert cli("audit", "--action", "forget").code == 1
    assert "unknown" in cli("audit", "--action", "dance").err
    first = cli("audit", "--limit", "2")
    last = first.err.split("--after ")[1].strip()
    assert "2 sheep" in cli("audit", "--limit", "2", "--after", last).out
    assert cli("audit", "--since", "2999-01-01").code == 1


def test_what_was_forgotten_is_gone_from_the_log(cli: Cli) -> None:
    kept = cli("--json", "remember", "Anna lives in Porto").document["memory"]
    cli("forget", kept["id"], "--yes")
    assert "Porto" not in cli("audit").out
