"""Changes of fact in all sorts of words, and talk that says nothing lasting: what LocalMind makes of them.

``probes/dev.txt`` and ``more.txt`` were before the eyes of who wrote the rules; ``test.txt`` was written before them,
and looked at when they stood.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import Reverie
from tests.minds import probing

pytestmark = pytest.mark.slow
PROBES = Path(__file__).with_name("probes")


def told(name: str, folder: Path) -> probing.Told:
    """All blocks of a file."""
    whole = probing.Told()
    for number, block in enumerate(probing.blocks(PROBES / name)):
        clock = probing.Clock()
        with Reverie.open(folder / f"{number}.bank", clock=clock) as reverie:
            whole.add(probing.lived(block, reverie, clock))
    return whole


@pytest.mark.parametrize(
    ("name", "current", "past"), [("dev.txt", 0.86, 0.9), ("more.txt", 0.7, 0.9), ("test.txt", 0.66, 0.86)]
)
def test_the_newer_value_is_found_first_and_the_older_one_as_of_then(
    name: str, current: float, past: float, tmp_path: Path
) -> None:
    found = told(name, tmp_path)
    assert found.asked >= 40
    assert found.current / found.asked >= current, found.wrong
    assert found.past / found.asked >= past, found.wrong


@pytest.mark.parametrize("name", ["dev.txt", "more.txt", "test.txt"])
def test_a_sleep_makes_no_memory_of_what_says_nothing_lasting(name: str, tmp_path: Path) -> None:
    found = told(name, tmp_path)
    assert found.noise >= 16
    assert len(found.by_sleep) <= 0.1 * found.noise, found.by_sleep
