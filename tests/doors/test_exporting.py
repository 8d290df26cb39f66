"""Export and import on the command line."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest

from reverie import PrivacySettings, Settings
from reverie.services.codecs.lines import line_of
from tests.doors.commands import Cli
from tests.services.bench import opened

UNREDACTED = Settings(privacy=PrivacySettings(redact=False))
pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mama.jsonl"


@pytest.fixture
def bank(cli: Cli) -> Cli:
    """Mama knows a little."""
    cli.remember("Anna is allergic to nuts", "--importance", "0.5")
    cli.observe({"content": "I am Anna", "speaker": "Anna", "ref": "r1"})
    return cli


def test_an_export_is_for_its_owner_and_replaces_no_file(bank: Cli, file: Path) -> None:
    ran = bank("export", str(file))
    assert ran.code == 0, ran.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert re.search(r"\d+ lines of agent mama \(profile 1, conversation 1, episode 1, memory 1", ran.out)
    kinds = [json.loads(line)["type"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert (kinds[0], kinds[-1]) == ("reverie", "end")
    assert [each.name for each in file.parent.iterdir() if each.name.startswith(".mama")] == []
    file.write_text("mine")
    refused = bank("export", str(file), "--json")
    assert (refused.code, refused.error["field"], file.read_text()) == (2, "FILE", "mine")
    assert bank("export", str(file), "--force").code == 0
    assert "Anna" in file.read_text(encoding="utf-8")


def test_without_a_file_the_lines_go_to_standard_output(bank: Cli) -> None:
    ran = bank("export", "--no-log")
    kinds = {json.loads(line)["type"] for line in ran.out.splitlines()}
    assert (ran.code, ran.err, "memory" in kinds, "audit" in kinds) == (0, "", True, False)


def test_an_agent_that_is_not_there_leaves_no_file(bank: Cli, file: Path) -> None:
    ran = bank("export", str(file), "--agent", "nobody", "--json")
    assert (ran.code, ran.error["field"], file.exists()) == (2, "--agent", False)


def test_an_export_becomes_another_agent(bank: Cli, file: Path) -> None:
    bank("export", str(file), "--vectors")
    ran = bank("import", str(file), "--agent", "twin")
    assert ran.code == 0, ran.err
    assert re.search(r"memory +1", ran.out)
    assert "of mama's export changed agent twin (new)" in ran.out
    assert "Anna is allergic to nuts" in bank("recall", "what may Anna not eat?", "--agent", "twin").out
    again = bank("import", str(file), "--agent", "twin", "--json").document
    assert (again["counts"]["memory"]["known"], again["new"], again["embedded"]) == (1, False, 0)


def test_standard_input_is_imported_into_a_new_bank(bank: Cli, tmp_path: Path) -> None:
    lines = bank("export").out
    other = tmp_path / "other.bank"
    ran = bank.bare("--bank", str(other), "--agent", "mama", "import", "-", stdin=lines)
    assert ran.code == 0, ran.err
    assert "embedded: 2 texts" in ran.err
    assert "nuts" in bank("list", "--bank", str(other)).out


def test_a_dry_run_changes_nothing(bank: Cli, file: Path) -> None:
    bank("export", str(file))
    bank("remember", "The tram is late", "--agent", "papa")
    ran = bank("import", str(file), "--agent", "papa", "--dry-run")
    assert (ran.code, "would change agent papa" in ran.out) == (0, True)
    assert "nuts" not in bank("list", "--agent", "papa").out


def test_what_was_redacted_from_a_file_is_told(bank: Cli, file: Path, tmp_path: Path) -> None:
    secret = "gh" + "p_" + "Q7x2Lk9Vb4Tz8Mn3Rc6Wd1Hs5Jf0PyGaEuKi"
    with opened(tmp_path / "old.bank", settings=UNREDACTED) as old:
        old.agent("mama").observe(f"It is {secret}", conversation=secret)
        file.write_text("\n".join(map(line_of, old.agent("mama").export())), encoding="utf-8")
    ran = bank("import", str(file), "--agent", "twin")
    assert "redacted: github-pat 1, name 1" in ran.err


def test_what_differs_needs_a_rule(bank: Cli, file: Path) -> None:
    bank("export", str(file))
    id = bank("list", "--json").document[0]["id"]
    bank("revise", id, "--importance", "0.9")
    refused = bank("import", str(file), "--json")
    assert (refused.code, refused.error["field"]) == (2, "FILE")
    assert f"memory {id}" in refused.error["problem"]
    assert bank("import", str(file), "--on-conflict", "replace").code == 0
    assert bank("list", "--json").document[0]["importance"] == 0.5


def test_an_untrusted_file_is_external_text(bank: Cli, file: Path) -> None:
    bank("export", str(file))
    assert bank("import", str(file), "--agent", "guest", "--untrusted").code == 0
    [memory] = bank("list", "--agent", "guest", "--json").document
    assert (memory["source_trust"], memory["origin"]) == ("external", "import")


def test_a_damaged_file_is_told_by_its_line(bank: Cli, file: Path) -> None:
    bank("export", str(file))
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines[:2], "{oops", *lines[2:]]), encoding="utf-8")
    ran = bank("import", str(file), "--agent", "twin")
    assert (ran.code, "line 3, JSON" in ran.err) == (2, True)


def test_forgotten_words_do_not_come_back_by_an_import(bank: Cli, file: Path) -> None:
    bank("export", str(file))
    bank("forget", bank("list", "--json").document[0]["id"], "--yes")
    ran = bank("import", str(file))
    assert (ran.code, "does not come back" in ran.err) == (0, True)
    assert "nuts" not in bank("list").out
