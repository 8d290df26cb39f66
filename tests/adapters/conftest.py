"""A bank for the adapters' tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie import Agent, Reverie
from tests.services.bench import opened


@pytest.fixture
def reverie(tmp_path: Path) -> Iterator[Reverie]:
    """An empty bank."""
    with opened(tmp_path / "mama.bank") as reverie:
        yield reverie


@pytest.fixture
def mama(reverie: Reverie) -> Agent:
    """An agent that has written nothing."""
    return reverie.agent("mama")
