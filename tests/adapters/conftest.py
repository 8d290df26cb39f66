"""An agent of an empty bank, at both doors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie import Agent, Reverie
from reverie.embedders.hashing import HashingEmbedder


@pytest.fixture
def reverie(tmp_path: Path) -> Iterator[Reverie]:
    with Reverie.open(
        tmp_path / "example.bank", encrypted=False, embedder=HashingEmbedder.for_tests(dimensions=64)
    ) as opened:
        yield opened


@pytest.fixture
def mama(reverie: Reverie) -> Agent:
    return reverie.agent("mama")
