"""What a run spends beside its tests: on finding them, and on looking for rubbish among what stays."""

from __future__ import annotations

import gc
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """A module without an example isn't searched for examples: that takes longer than to find the tests."""
    found = yield
    if file_path.suffix != ".py" or b">>>" in file_path.read_bytes():
        return found
    return [each for each in found if not isinstance(each, DoctestModule)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Look for no rubbish while tests are found: nearly all that is made then stays."""
    gc.disable()
    session.config.add_cleanup(gc.enable)


def pytest_collection_finish() -> None:
    """Take modules and tests, which all stay to the end, out of what Python searches for rubbish."""
    gc.freeze()
    gc.enable()
