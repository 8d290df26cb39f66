"""What the doors' tests share: a command line whose embedder costs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.client import Reverie
from reverie.embedders.hashing import HashingEmbedder
from tests.doors.commands import Cli


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bank that is opened in this process gets the embedder for tests."""
    really_open = Reverie.open

    def opened(where: object = None, **given: object) -> Reverie:
        return really_open(where, **{"embedder": HashingEmbedder.for_tests(), **given})  # type: ignore[arg-type]

    monkeypatch.setattr(Reverie, "open", opened)


@pytest.fixture
def cli(
    cheap: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Cli:
    return Cli(tmp_path / "test.bank", capsys, monkeypatch)
