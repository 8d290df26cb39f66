"""Processes, and a bank of some age to begin with."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.fleet import Fleet, Place
from tests.crash.kills import Range
from tests.crash.story import BASE, Content

if sys.platform == "win32":
    collect_ignore_glob = ["test_*.py"]  # no SIGKILL and no fork there


@pytest.fixture(scope="session")
def all_processes() -> Iterator[Fleet]:
    fleet = Fleet()
    yield fleet
    fleet.close()


@pytest.fixture
def fleet(all_processes: Fleet) -> Iterator[Fleet]:
    """Starts processes; after the test none is left."""
    yield all_processes
    all_processes.clear()


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A place with no bank and no key."""
    place = Place(folder=tmp_path)
    monkeypatch.setenv("REVERIE_KEY_FILE", str(place.key))
    return place


@pytest.fixture(scope="session")
def aged(tmp_path_factory: pytest.TempPathFactory, all_processes: Fleet) -> tuple[Place, Content]:
    place = Place(folder=tmp_path_factory.mktemp("aged"))
    [child] = all_processes.start()
    child.open(place)
    for step in BASE:
        child.ask(*step)
    child.ask("close")
    child.end()
    return place, Content().after(*BASE)


@pytest.fixture
def base(aged: tuple[Place, Content], fresh: Place) -> tuple[Place, Content]:
    """A bank of its own with some life behind it, and what it holds."""
    shutil.copytree(aged[0].folder, fresh.folder, dirs_exist_ok=True)
    return fresh, aged[1]


@pytest.fixture(scope="session")
def targets(
    tmp_path_factory: pytest.TempPathFactory, all_processes: Fleet, aged: tuple[Place, Content]
) -> Range:
    """Tells how many points there are to aim at."""
    return Range(fleet=all_processes, folder=tmp_path_factory.mktemp("range"), aged=aged[0])
