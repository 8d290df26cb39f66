"""`reverie import` into a bank that isn't there yet, while another process makes one of that name."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from reverie import Reverie, client
from tests.doors.commands import Cli

PIN = "The PIN is on the yellow note."


@pytest.fixture
def lines(cli: Cli, tmp_path: Path) -> str:
    """An export of one memory."""
    cli.remember("Anna is allergic to nuts")
    out = tmp_path / "mama.jsonl"
    assert cli("export", str(out)).code == 0
    return out.read_text(encoding="utf-8")


def _beside(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir() if one.name.startswith((".", "new.bank-"))]


@pytest.mark.parametrize("plain", [[], ["--unencrypted"]])
def test_a_bank_is_named_when_it_is_whole(cli: Cli, tmp_path: Path, lines: str, plain: list[str]) -> None:
    new = tmp_path / "new.bank"
    place = ["--bank", str(new), "--agent", "twin", *plain]
    assert cli.bare(*place, "import", "-", stdin=lines).code == 0
    assert "nuts" in cli.bare(*place, "list").out
    assert _beside(tmp_path) == []
    assert new.stat().st_mode & 0o077 == 0


def test_a_dry_run_needs_no_bank_and_makes_none(cli: Cli, tmp_path: Path, lines: str) -> None:
    new = tmp_path / "new.bank"
    ran = cli.bare("--bank", str(new), "--agent", "twin", "import", "-", "--dry-run", stdin=lines)
    assert (ran.code, "would change agent twin (new)" in ran.out) == (0, True), ran.err
    assert not new.exists()
    assert _beside(tmp_path) == []


@pytest.mark.parametrize("is_export", [True, False])
def test_who_made_a_bank_meanwhile_keeps_it_open_and_whole(
    cli: Cli, tmp_path: Path, lines: str, monkeypatch: pytest.MonkeyPatch, is_export: bool
) -> None:
    new = tmp_path / "new.bank"
    real, others = client.draft, list[Reverie]()

    def meanwhile(path: Path) -> AbstractContextManager[Path]:
        others.append(Reverie.open(new))
        return real(path)

    monkeypatch.setattr(client, "draft", meanwhile)
    stdin = lines if is_export else '{"no":"export"}\n'
    ran = cli.bare("--bank", str(new), "--agent", "twin", "import", "-", stdin=stdin)
    assert (ran.code, "another process made" in ran.err) == (2, is_export)
    [another] = others
    with another:
        another.agent("mama").observe(PIN)
    with Reverie.open(new, create=False) as again:
        assert [one.content for one in again.agent("mama").episodes()] == [PIN]
        assert [*again.agents()] == ["mama"]
    assert _beside(tmp_path) == []
