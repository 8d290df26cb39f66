"""A bank for the adapters' tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie import Agent
from tests.services.bench import opened


@pytest.fixture
def mama(tmp_path: Path) -> Iterator[Agent]:
    """An agent that has written nothing."""
    with opened(tmp_path / "mama.bank") as reverie:
        yield reverie.agent("mama")
